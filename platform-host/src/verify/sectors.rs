//! Every sector by itself: sync, address, mode, EDC and ECC (disc sheet, section 1).

use overworld_runtime::disc::iso;
use overworld_runtime::disc::sector::{self, Contents, RAW};
use overworld_runtime::platform::{Drive, SECTOR};

use super::{Report, State, States};
use crate::drive::{ImageDrive, Layout, fault_at};
use crate::fault::Fault;
use crate::identify::count;

/// Sectors between two words about the progress.
const STEP: u32 = 256;

/// Check all sectors.
pub fn check(
    drive: &mut ImageDrive,
    report: &mut Report,
    progress: &mut dyn FnMut(u32, u32),
) -> States {
    let total = drive.sectors();
    report.counts.sectors = total;
    if drive.layout() == Layout::Bare {
        report.note("2048 bytes a sector: the image has no EDC and no ECC to check");
        progress(total, total);
        return States(vec![State::Form1; total as usize]);
    }
    // Behind the volume a .bin may hold audio tracks.
    let volume = blocks(drive).unwrap_or(total);
    let mut states = Vec::with_capacity(total as usize);
    let mut foreign = 0_u32;
    let mut raw = [0; RAW];
    for lba in 0..total {
        if lba % STEP == 0 {
            progress(lba, total);
        }
        if let Err(error) = drive.raw(lba, &mut raw) {
            report.problem("", Some(lba), Fault::new(&error, None));
            states.push(State::Bad);
            continue;
        }
        if lba >= volume && (foreign > 0 || !raw.starts_with(&sector::SYNC)) {
            foreign += 1;
            states.push(State::Foreign);
            continue;
        }
        states.push(one(&raw, lba, report));
    }
    progress(total, total);
    if foreign > 0 {
        report.note(format!(
            "{} from {} on: no data but audio tracks, not looked at",
            count(foreign as usize, "sector"),
            total - foreign
        ));
    }
    States(states)
}

fn one(raw: &sector::Raw, lba: u32, report: &mut Report) -> State {
    let start = lba as usize * RAW;
    match sector::inspect(raw) {
        Ok((found, contents)) if found == lba => match contents {
            Contents::Form1(_) => {
                report.counts.form1 += 1;
                State::Form1
            }
            Contents::Form2(_) => {
                report.counts.form2 += 1;
                State::Form2
            }
        },
        Ok((found, _)) => {
            let error = crate::drive::Error::WrongAddress { lba, found };
            let fault = Fault::new(&error, Some(start + sector::ADDRESS_AT));
            report.problem("", Some(lba), fault);
            State::Bad
        }
        Err(error) => {
            let fault = Fault::new(&error, Some(start + fault_at(error)));
            report.problem("", Some(lba), fault);
            State::Bad
        }
    }
}

/// Size of the volume by its descriptor.
fn blocks(drive: &mut ImageDrive) -> Option<u32> {
    let mut sector = [[0; SECTOR]];
    drive.read(iso::VOLUME_LBA, &mut sector).ok()?;
    let [sector] = sector;
    Some(iso::Primary::parse(&sector)?.blocks)
}
