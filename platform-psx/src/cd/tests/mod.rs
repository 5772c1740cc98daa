//! The driver over a fake drive.

mod fake;

use super::*;
use fake::{Disc, Fake, Random, payload};
use std::string::ToString;
use std::vec;
use std::vec::Vec;

fn drive(fake: Fake) -> CdDrive<Fake> {
    CdDrive::new(fake)
}

fn check(lba: u32, sector: &Sector) {
    for (n, &byte) in sector.iter().enumerate() {
        assert_eq!(byte, payload(lba, n), "sector {lba}, byte {n}");
    }
}

fn fake<P>(drive: &mut CdDrive<P>) -> &mut P {
    &mut drive.controller.port
}

fn no_violations(drive: &mut CdDrive<Fake>) {
    assert_eq!(fake(drive).violations, Vec::<String>::new());
}

use std::string::String;

#[test]
fn a_run_is_delivered_in_order_and_ends_in_a_pause() {
    let mut drive = drive(Fake::new(400, 1));
    let mut sectors = vec![[0; 2048]; 20];
    drive.read(100, &mut sectors).unwrap();
    for (n, sector) in sectors.iter().enumerate() {
        check(100 + n as u32, sector);
    }
    assert_eq!(drive.rereads(), 0);
    assert_eq!(
        fake(&mut drive).commands.last(),
        Some(&(Command::Pause as u8))
    );
    assert_eq!(drive.sector(&mut sectors[0]), Err(Error::NoRun));
    no_violations(&mut drive);
}

#[test]
fn the_drive_is_set_up_once_and_a_second_run_costs_three_commands() {
    let mut drive = drive(Fake::new(400, 2));
    let mut sector = [0; 2048];
    drive.start(0, 1).unwrap();
    assert_eq!(
        fake(&mut drive).commands,
        [0x01, 0x0A, 0x1A, 0x0E, 0x14, 0x02, 0x06]
    );
    drive.sector(&mut sector).unwrap();
    fake(&mut drive).commands.clear();
    drive.read(399, core::slice::from_mut(&mut sector)).unwrap();
    check(399, &sector);
    // A pause may be refused while the drive seeks; here it does not.
    assert_eq!(fake(&mut drive).commands, [0x02, 0x06, 0x09]);
    no_violations(&mut drive);
}

#[test]
fn an_odd_address_goes_through_the_bounce_buffer() {
    let mut drive = drive(Fake::new(400, 3));
    let mut memory = AlignedSector([0; 2048]);
    assert!(aligned(&mut memory.0).is_some());
    let mut space = vec![0u8; 2048 * 3];
    for shift in 0..4 {
        let start = space.as_ptr().align_offset(4) + shift;
        let sector: &mut Sector = (&mut space[start..start + 2048]).try_into().unwrap();
        assert_eq!(aligned(sector).is_some(), shift == 0);
        drive.start(shift as u32, 1).unwrap();
        drive.sector(sector).unwrap();
        check(shift as u32, sector);
    }
    no_violations(&mut drive);
}

/// Pitfall P7.
#[test]
fn an_interrupt_number_counts_when_it_was_seen_twice() {
    let mut device = Fake::new(400, 4);
    device.glitch = 1;
    device.ready_at = 300_000;
    let mut drive = drive(device);
    let mut sectors = vec![[0; 2048]; 8];
    drive.read(7, &mut sectors).unwrap();
    for (n, sector) in sectors.iter().enumerate() {
        check(7 + n as u32, sector);
    }
    assert_eq!(drive.rereads(), 0);
    no_violations(&mut drive);
}

/// Pitfall P8.
#[test]
fn ten_thousand_random_sequences_break_no_rule() {
    let mut random = Random::new(8);
    for seed in 0..10_000 {
        let mut device = Fake::new(300, seed);
        device.glitch = random.below(3) * 10;
        if random.below(4) == 0 {
            device
                .bad
                .insert(random.below(300) as u32, random.below(4) as u32);
        }
        if random.below(8) == 0 {
            device.ready_at = random.below(400_000);
        }
        let mut drive = drive(device);
        let mut next = None;
        for _ in 0..1 + random.below(6) {
            let mut sector = [0; 2048];
            let result = match random.below(8) {
                0 | 1 => {
                    let (lba, sectors) = (random.below(320) as u32, random.below(12) as u32);
                    let result = drive.start(lba, sectors);
                    next = (result.is_ok() && sectors > 0).then_some((lba, sectors));
                    result
                }
                2..=4 => {
                    let result = drive.sector(&mut sector);
                    match (next, result) {
                        (Some((lba, left)), Ok(())) => {
                            check(lba, &sector);
                            next = (left > 1).then_some((lba + 1, left - 1));
                        }
                        (None, result) => assert_eq!(result, Err(Error::NoRun)),
                        (Some(_), Err(_)) => next = None,
                    }
                    result
                }
                5 => {
                    next = None;
                    drive.stop()
                }
                6 => drive.controller.send(Command::GetID, &[], true).map(|_| ()),
                _ => drive.controller.send(Command::Nop, &[], false).map(|_| ()),
            };
            match result {
                Ok(())
                | Err(
                    Error::NoRun
                    | Error::BadLba { .. }
                    | Error::Unreadable { .. }
                    | Error::EndOfDisc { .. }
                    | Error::Rejected {
                        command: Command::GetID | Command::Nop,
                        ..
                    },
                ) => {}
                Err(error) => panic!("sequence {seed}: {error}"),
            }
            let pause = random.below(4) * random.below(9_000);
            fake(&mut drive).advance(pause);
        }
        assert_eq!(fake(&mut drive).violations, Vec::<String>::new(), "{seed}");
    }
}

/// Pitfall P9.
#[test]
fn sectors_lost_by_a_late_program_are_noticed_and_read_again() {
    for (delay, lossy) in [
        (1_000, false),
        (2_000, false),
        (7_000, true),
        (20_000, true),
    ] {
        let mut drive = drive(Fake::new(400, delay));
        drive.start(50, 24).unwrap();
        for n in 0..24 {
            let mut sector = [0; 2048];
            drive.sector(&mut sector).unwrap();
            check(50 + n, &sector);
            fake(&mut drive).advance(delay);
        }
        assert_eq!(
            drive.rereads() > 0,
            lossy,
            "{delay} us: {}",
            drive.rereads()
        );
        no_violations(&mut drive);
    }
}

#[test]
fn a_sector_is_ready_when_it_can_be_taken_without_waiting() {
    let mut drive = drive(Fake::new(400, 22));
    assert!(drive.ready(), "without a run there is nothing to wait for");
    drive.start(50, 24).unwrap();
    assert!(!drive.ready(), "the head still seeks");
    let mut worked = 0;
    for n in 0..24 {
        // Other work, half a millisecond at a time.
        while !drive.ready() {
            worked += 1;
            fake(&mut drive).advance(500);
        }
        // Asking takes nothing away.
        assert!(drive.ready());
        let before = fake(&mut drive).now;
        let mut sector = [0; 2048];
        drive.sector(&mut sector).unwrap();
        check(50 + n, &sector);
        let took = fake(&mut drive).now - before;
        assert!(n == 23 || took < 3_000, "sector {n} took {took} us");
    }
    assert_eq!(drive.rereads(), 0);
    // 23 times 6.7 ms lie between the sectors.
    assert!(worked > 23 * 5, "{worked}");
    assert!(drive.ready());
    no_violations(&mut drive);

    // A sector that cannot be read is told at once, too.
    let mut device = Fake::new(400, 23);
    device.bad.insert(51, u32::MAX);
    let mut drive = super::tests::drive(device);
    drive.start(50, 2).unwrap();
    let mut sector = [0; 2048];
    drive.sector(&mut sector).unwrap();
    fake(&mut drive).advance(8_000);
    assert!(drive.ready());
    assert!(matches!(
        drive.sector(&mut sector),
        Err(Error::Unreadable { lba: 51, .. })
    ));
    no_violations(&mut drive);
}

#[test]
fn a_program_that_is_never_in_time_still_gets_every_sector() {
    // Every single sector is late by 50 ms: each has to be sought again.
    let mut drive = drive(Fake::new(400, 9));
    drive.start(10, 6).unwrap();
    for n in 0..6 {
        fake(&mut drive).advance(150_000);
        let mut sector = [0; 2048];
        drive.sector(&mut sector).unwrap();
        check(10 + n, &sector);
    }
    no_violations(&mut drive);
}

#[test]
fn a_bad_sector_is_tried_five_times_at_last_slowly() {
    for (fails, reread) in [(1, 1), (2, 2), (4, 4)] {
        let mut device = Fake::new(400, 10);
        device.bad.insert(103, fails);
        let mut drive = drive(device);
        let mut sectors = vec![[0; 2048]; 6];
        drive.read(100, &mut sectors).unwrap();
        for (n, sector) in sectors.iter().enumerate() {
            check(100 + n as u32, sector);
        }
        assert_eq!(drive.rereads(), reread);
        no_violations(&mut drive);
    }
    let mut device = Fake::new(400, 11);
    device.bad.insert(103, u32::MAX);
    let mut drive = drive(device);
    let mut sectors = vec![[0; 2048]; 6];
    assert_eq!(
        drive.read(100, &mut sectors),
        Err(Error::Unreadable {
            lba: 103,
            stat: 0x06,
            code: 0x04
        })
    );
    // The drive is fit for the next run.
    drive.read(200, &mut sectors).unwrap();
    check(205, &sectors[5]);
    no_violations(&mut drive);
}

#[test]
fn runs_off_the_disc_are_refused_without_moving_the_head() {
    // 400 sectors end in second 7; the drive tells 07, so up to 449 may be asked for.
    let mut drive = drive(Fake::new(400, 12));
    assert_eq!(drive.disc_end(), Ok(450));
    fake(&mut drive).commands.clear();
    for (lba, sectors) in [(450, 1), (400, 51), (u32::MAX, 1), (1, u32::MAX)] {
        assert_eq!(
            drive.start(lba, sectors),
            Err(Error::BadLba {
                lba,
                sectors,
                end: 450
            })
        );
    }
    assert_eq!(fake(&mut drive).commands, []);
    // Behind the last sector, but in its second: the drive itself tells the end.
    drive.start(399, 2).unwrap();
    let mut sector = [0; 2048];
    drive.sector(&mut sector).unwrap();
    assert_eq!(
        drive.sector(&mut sector),
        Err(Error::EndOfDisc { lba: 400 })
    );
    no_violations(&mut drive);
}

#[test]
fn sectors_of_another_kind_have_their_own_errors() {
    let mut device = Fake::new(400, 13);
    device.odd.insert(20, (1, 0));
    device.odd.insert(30, (2, 0x64));
    let mut drive = drive(device);
    let mut sectors = vec![[0; 2048]; 3];
    assert_eq!(
        drive.read(19, &mut sectors),
        Err(Error::BadSectorMode { lba: 20, mode: 1 })
    );
    assert_eq!(
        drive.read(30, &mut sectors),
        Err(Error::UnexpectedForm2 { lba: 30 })
    );
    drive.read(21, &mut sectors).unwrap();
    no_violations(&mut drive);
}

#[test]
fn no_disc_and_wrong_discs_have_their_own_errors() {
    for (disc, error) in [
        (Disc::None, Error::NoDisc),
        (Disc::Audio, Error::AudioDisc),
        (Disc::Unlicensed, Error::Unlicensed),
    ] {
        let mut device = Fake::new(400, 14);
        device.disc = disc;
        let mut drive = drive(device);
        assert_eq!(drive.start(16, 1), Err(error));
        no_violations(&mut drive);
    }
}

#[test]
fn a_disc_that_spins_up_slowly_is_waited_for_but_not_for_ever() {
    let mut device = Fake::new(400, 15);
    device.ready_at = 4_000_000;
    let mut drive = drive(device);
    let mut sector = [0; 2048];
    drive.read(16, core::slice::from_mut(&mut sector)).unwrap();
    check(16, &sector);
    assert!(fake(&mut drive).now > 4_000_000);

    let mut device = Fake::new(400, 16);
    device.ready_at = u64::MAX;
    let mut drive = super::tests::drive(device);
    assert_eq!(
        drive.start(16, 1),
        Err(Error::NotReady {
            stat: 0x03,
            code: 0x80
        })
    );
    let now = fake(&mut drive).now;
    assert!((9_000_000..12_000_000).contains(&now), "{now}");
    no_violations(&mut drive);
}

#[test]
fn an_open_lid_ends_the_run_and_the_next_one_sets_the_drive_up_again() {
    let mut drive = drive(Fake::new(400, 17));
    drive.start(0, 100).unwrap();
    let mut sector = [0; 2048];
    drive.sector(&mut sector).unwrap();
    let now = fake(&mut drive).now;
    fake(&mut drive).lid_at = Some(now + 30_000);
    let error = (0..99).find_map(|_| drive.sector(&mut sector).err());
    assert_eq!(error, Some(Error::LidOpen));
    assert_eq!(drive.sector(&mut sector), Err(Error::NoRun));
    assert_eq!(drive.start(0, 1), Err(Error::LidOpen));
    fake(&mut drive).lid = false;
    drive.start(0, 1).unwrap();
    drive.sector(&mut sector).unwrap();
    check(0, &sector);
    no_violations(&mut drive);
}

#[test]
fn a_dead_controller_and_dead_dma_are_errors_in_time() {
    let mut device = Fake::new(400, 18);
    device.dead = true;
    let mut drive = drive(device);
    let error = drive.start(16, 1).unwrap_err();
    assert_eq!(error, Error::Timeout(Phase::Acknowledge(Command::Nop)));
    assert!(fake(&mut drive).now < 1_000_000);

    let mut device = Fake::new(400, 19);
    device.no_dma = true;
    let mut drive = super::tests::drive(device);
    let mut sector = [0; 2048];
    drive.start(16, 1).unwrap();
    assert_eq!(
        drive.sector(&mut sector),
        Err(Error::Timeout(Phase::Transfer))
    );
    no_violations(&mut drive);

    let mut drive = super::tests::drive(Fake::new(400, 20));
    drive.start(16, 9).unwrap();
    drive.sector(&mut sector).unwrap();
    fake(&mut drive).dead = true;
    let error = (0..8).find_map(|_| drive.sector(&mut sector).err());
    // The drive goes on reading, but nothing more can be asked of it.
    assert_eq!(
        error,
        Some(Error::Timeout(Phase::Acknowledge(Command::Pause)))
    );
    assert!(fake(&mut drive).now < 20_000_000);
}

#[test]
fn every_error_is_a_sentence_that_names_the_place() {
    let texts = [
        (Error::NoDisc, "CD: there is no disc in the drive"),
        (
            Error::Timeout(Phase::Complete(Command::Init)),
            "CD: time-out while waiting for Init to end",
        ),
        (
            Error::Missed {
                lba: 24,
                header: [0x00, 0x02, 0x26, 2],
            },
            "CD: sector 24 never came; the last one was 00:02:26, mode 02",
        ),
        (
            Error::BadSectorMode { lba: 20, mode: 1 },
            "CD: sector 20 is of mode 1, expected mode 2",
        ),
    ];
    for (error, text) in texts {
        assert_eq!(error.to_string(), text);
    }
}
