//! Members are unpacked while the drive reads on: whatever lies how in the bundle, the result is
//! that of the bundle read whole, and the drive is not kept waiting.

use super::disc::*;
use overworld_runtime::bytes::crc32;
use overworld_runtime::disc::bundle::{self, AssetType, Bundle};
use overworld_runtime::platform::{Drive, SECTOR, Sector};
use overworld_runtime::scene::{Asset, LONGEST_BUNDLE, LoadError, Memory, Which, load};

/// Room for members in these tests.
const ROOM: usize = 200_000;

/// Load from `drive` with so many sectors of staging.
fn load_with<D: Drive>(
    drive: &mut D,
    staging: usize,
) -> Result<Vec<Asset>, LoadError<D::Error, &'static str>> {
    let mut sectors = vec![[0xA5; SECTOR]; staging];
    let mut assets = vec![0xA5; ROOM];
    let memory = Memory {
        sectors: &mut sectors,
        assets: &mut assets,
    };
    let scene = load(
        drive,
        &mut Recorder::default(),
        Which::Named("demo"),
        memory,
    )?;
    Ok(scene.assets().to_vec())
}

/// What unpacks a bundle that is there as a whole, member by member.
fn whole(bundle: &[u8]) -> Result<Vec<Asset>, Failure> {
    let mut padded = bundle.to_vec();
    padded.resize(bundle.len().next_multiple_of(SECTOR).max(2 * SECTOR), 0);
    let bundle = Bundle::parse(&padded).map_err(|error| LoadError::Bundle { raw: 5, error })?;
    let members = || bundle.members().filter(|member| !member.ty.is_flag());
    let needed = members()
        .map(|member| (member.size as usize).next_multiple_of(4))
        .sum();
    if needed > ROOM {
        let available = ROOM;
        return Err(LoadError::AssetsTooSmall { needed, available });
    }
    members()
        .map(|member| {
            let (index, ty, size) = (member.index, member.ty, member.size);
            let mut data = vec![0; size as usize];
            member
                .decode(&mut data)
                .map_err(|error| LoadError::Member { index, ty, error })?;
            let crc32 = crc32(&data);
            Ok(Asset {
                index,
                ty,
                size,
                crc32,
            })
        })
        .collect()
}

/// The bundle loads as it unpacks whole, with little and with much staging. Faults of what is in
/// the members are not compared: they are found in whole members.
fn loads_as_whole(bundle: &[u8], name: &str) {
    let expected = whole(bundle);
    for staging in [3, 64] {
        let mut disc = Source::new().disc_with(&Source::archive(bundle));
        let found = load_with(&mut disc, staging);
        match (&found, &expected) {
            (
                Err(
                    LoadError::Pack { index, .. }
                    | LoadError::Texture { index, .. }
                    | LoadError::Mesh { index, .. }
                    | LoadError::Bank { index, .. },
                ),
                Err(LoadError::Member { index: broken, .. }),
            ) => assert!(index < broken, "{name}: {found:?}, but {expected:?}"),
            (Err(error), Ok(_)) => assert!(
                !matches!(
                    error,
                    LoadError::Drive { .. }
                        | LoadError::Bundle { .. }
                        | LoadError::Member { .. }
                        | LoadError::AssetsTooSmall { .. }
                ),
                "{name}: {error:?}"
            ),
            _ => assert_eq!(found, expected, "{name}, {staging} sectors"),
        }
    }
}

/// Bytes that do not repeat.
fn noise(len: usize, mut state: u32) -> Vec<u8> {
    let next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    std::iter::repeat_with(next).take(len).collect()
}

/// Members of many kinds and lengths; three of them as a scene needs them.
fn long() -> Source {
    let mut source = Source::new();
    let mut add = |ty, data| source.members.push((ty, data));
    add(AssetType::Vdf, noise(9000, 1));
    add(AssetType::Flag0A, noise(5000, 2));
    add(AssetType::Mes, vec![1]);
    add(AssetType::Anm, vec![7; 30_000]);
    add(AssetType::Vdf, noise(2 * SECTOR, 3));
    source
}

fn put(bundle: &mut [u8], at: usize, word: u32) {
    bundle[at..at + 4].copy_from_slice(&word.to_le_bytes());
}

fn word(bundle: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bundle[at..at + 4].try_into().unwrap())
}

#[test]
fn a_bundle_longer_than_the_staging_is_loaded() {
    // One member without a byte.
    let source = long();
    let mut bundle = source.bundle();
    let at = 8 + 8 * 5;
    put(&mut bundle, at, u32::from(AssetType::Mes.byte()) << 24);
    assert!(bundle.len() > 10 * SECTOR);
    let expected = whole(&bundle).unwrap();
    assert_eq!(expected.len(), 7);
    for staging in 3..20 {
        let mut disc = source.disc_with(&Source::archive(&bundle));
        assert_eq!(load_with(&mut disc, staging), Ok(expected.clone()));
        assert!(disc.run.is_empty(), "the run was ended");
    }
}

#[test]
fn streams_lie_in_any_order_share_bytes_and_leave_gaps() {
    let source = Source::new();
    let [texture, man, sin] = [texture(), vec![9; 4000], noise(3000, 4)];
    let streams = [&texture, &man, &sin].map(|data| literal(data));
    let lens = [texture.len() as u32, 4000, 3000];
    let [_, (_, mesh), (_, bank)] = &source.members[..] else {
        panic!("three members");
    };
    for order in [[0, 1, 2], [0, 2, 1]] {
        for gap in [0, 1, 700, 3 * SECTOR] {
            let mut bundle = vec![0; 8 + 8 * 7];
            put(&mut bundle, 0, 7);
            let mut places = [0; 3];
            for n in order {
                places[n] = bundle.len() as u32;
                bundle.extend(&streams[n]);
                bundle.resize(bundle.len() + gap, 0xEE);
            }
            let mesh_at = bundle.len() as u32;
            bundle.extend(literal(mesh));
            let bank_at = bundle.len() as u32;
            bundle.extend(literal(bank));
            let entries = [
                (AssetType::Tim, lens[0], places[0]),
                (AssetType::Vdf, lens[1], places[1]),
                (AssetType::Sin, lens[2], places[2]),
                // The same bytes again, and a part of them.
                (AssetType::Mes, lens[1], places[1]),
                (AssetType::Vdf, lens[1] / 3, places[1]),
                (AssetType::Tmd, mesh.len() as u32, mesh_at),
                (AssetType::Move, bank.len() as u32, bank_at),
            ];
            for (n, (ty, size, place)) in entries.into_iter().enumerate() {
                put(&mut bundle, 8 + 8 * n, u32::from(ty.byte()) << 24 | size);
                put(&mut bundle, 12 + 8 * n, place);
            }
            let expected = whole(&bundle).unwrap();
            assert_eq!(expected[1].crc32, expected[3].crc32);
            for staging in [3, 5, 64] {
                let mut disc = source.disc_with(&Source::archive(&bundle));
                let found = load_with(&mut disc, staging);
                assert_eq!(found, Ok(expected.clone()), "{order:?} {gap} {staging}");
            }
        }
    }
}

#[test]
fn damaged_bundles_fail_as_whole_ones_do() {
    let good = long().bundle();
    // Every byte of the table, changed in several ways; sizes that end early or late.
    for at in 0..8 + 8 * 8 {
        for change in [1, 0x10, 0x80, 0xFF] {
            let mut bundle = good.clone();
            bundle[at] = bundle[at].wrapping_add(change);
            loads_as_whole(&bundle, &format!("byte {at} + {change}"));
        }
    }
    for member in 0..8 {
        for size in [0, 1, 2047, 2048, 2049, 4096, 60_000] {
            let mut bundle = good.clone();
            let at = 8 + 8 * member;
            let ty = word(&bundle, at) & 0xFF00_0000;
            put(&mut bundle, at, ty | size);
            loads_as_whole(&bundle, &format!("size of {member}: {size}"));
        }
    }
    // Bytes of the streams, control bytes among them.
    for n in 0..80 {
        let mut bundle = good.clone();
        let at = 72 + n * (good.len() - 72) / 80;
        bundle[at] ^= 0xFF;
        loads_as_whole(&bundle, &format!("stream byte {at}"));
    }
}

#[test]
fn a_fault_of_the_disc_is_told_before_one_of_the_bundle() {
    let (what, lba, raw) = ("the scene's bundle", ARCHIVE + 43, 5);
    let good = long().bundle();
    let sectors = good.len().div_ceil(SECTOR) as u32;
    for damage in [0, 8 + 2, 72] {
        let mut bundle = good.clone();
        bundle[damage] ^= 0xFF;
        let disc = || Source::new().disc_with(&Source::archive(&bundle));
        let bad = load_with(&mut disc(), 64).unwrap_err();
        assert!(!matches!(bad, LoadError::Drive { .. }), "{bad:?}");
        // From the first to the last, padding included.
        for bad in [0, 1, sectors - 1] {
            let mut disc = disc();
            disc.unreadable = Some(lba + bad);
            let error = DiscError::Form2 { lba: lba + bad };
            let found = load_with(&mut disc, 3);
            assert_eq!(
                found,
                Err(LoadError::Drive { what, lba, error }),
                "{damage}"
            );
        }
    }
    let mut disc = Source::new().disc_with(&Source::archive(&[0; 9000]));
    let error = bundle::Error::BadDescriptorCount { count: 0 };
    assert_eq!(
        load_with(&mut disc, 3),
        Err(LoadError::Bundle { raw, error })
    );
}

#[test]
fn a_bundle_beyond_all_bounds_is_refused_before_it_is_read() {
    let load_sectors = |sectors: u32| {
        let mut bundle = Source::new().bundle();
        bundle.resize(sectors as usize * SECTOR, 0);
        load_with(&mut Source::new().disc_with(&Source::archive(&bundle)), 3)
    };
    assert!(load_sectors(LONGEST_BUNDLE).is_ok());
    let found = load_sectors(LONGEST_BUNDLE + 1);
    let expected = LoadError::BundleTooLong {
        raw: 5,
        sectors: LONGEST_BUNDLE + 1,
        most: LONGEST_BUNDLE,
    };
    assert_eq!(found, Err(expected));
}

/// Polls that a sector takes to arrive.
const PERIOD: u32 = 12;

/// A drive on a clock that ticks when it is polled, which the loader does between its steps. A
/// sector that is not taken before the next one arrives has to be waited for once more.
struct Clocked {
    disc: Disc,
    now: u32,
    /// When the next sector arrives.
    due: u32,
    polls: u32,
    /// Polls that a loader lost by waiting while it could have worked.
    waited: u32,
    lost: u32,
}

impl Clocked {
    fn new(disc: Disc) -> Self {
        Self {
            disc,
            now: 0,
            due: 0,
            polls: 0,
            waited: 0,
            lost: 0,
        }
    }
}

impl Drive for Clocked {
    type Error = DiscError;

    fn start(&mut self, lba: u32, sectors: u32) -> Result<(), DiscError> {
        (self.polls, self.waited, self.lost) = (0, 0, 0);
        self.due = self.now + PERIOD;
        self.disc.start(lba, sectors)
    }

    fn sector(&mut self, out: &mut Sector) -> Result<(), DiscError> {
        if self.now >= self.due + PERIOD {
            self.lost += 1;
            self.due = self.now + 10 * PERIOD;
        }
        self.waited += self.due.saturating_sub(self.now);
        self.now = self.now.max(self.due);
        self.due += PERIOD;
        self.disc.sector(out)
    }

    fn ready(&mut self) -> bool {
        self.polls += 1;
        self.now += 1;
        self.now >= self.due
    }

    fn stop(&mut self) -> Result<(), DiscError> {
        self.disc.stop()
    }
}

#[test]
fn unpacking_hides_behind_the_transfer() {
    let bundle = long().bundle();
    let sectors = bundle.len().div_ceil(SECTOR) as u32;
    let disc = Source::new().disc_with(&Source::archive(&bundle));
    let mut drive = Clocked::new(disc);
    // 30,000 bytes that are one long run come out of a few sectors: more steps than a sector
    // takes. Eight sectors of staging make up for it.
    let assets = load_with(&mut drive, 8).unwrap();
    assert_eq!(drive.lost, 0, "a sector was not taken in time");
    let bytes: u32 = assets.iter().map(|asset| asset.size).sum();
    // All steps but those of the last sector were done between polls, one each.
    assert!(
        drive.polls > bytes / 2048 - 8,
        "{} polls, {bytes} bytes",
        drive.polls
    );
    assert!(drive.polls + drive.waited <= sectors * PERIOD);
}

#[test]
fn a_ring_that_is_full_is_emptied_before_the_next_sector_is_taken() {
    // Every sector of this member becomes eight times as much: more work than there is time.
    let mut source = Source::new();
    source.members.push((AssetType::Vdf, vec![3; 90_000]));
    let mut bundle = source.bundle();
    // One literal, then references of distance 1, 18 bytes each.
    let mut stream = vec![0x01, 3];
    let mut written = 1;
    let mut flags = 1;
    while written < 90_000 {
        if flags == 8 {
            stream.push(0);
            flags = 0;
        }
        let base = (0xFEE + written - 1) & 0xFFF;
        stream.extend([base as u8, (base >> 4) as u8 & 0xF0 | 0xF]);
        written += 18;
        flags += 1;
    }
    let start = word(&bundle, 12 + 8 * 3) as usize;
    bundle.truncate(start);
    bundle.extend(&stream);
    let expected = whole(&bundle).unwrap();
    assert_eq!(expected[3].crc32, crc32(&[3; 90_000]));
    for staging in [3, 4, 8] {
        let disc = source.disc_with(&Source::archive(&bundle));
        let mut drive = Clocked::new(disc);
        assert_eq!(load_with(&mut drive, staging), Ok(expected.clone()));
    }
}
