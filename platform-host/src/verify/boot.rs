//! SYSTEM.CNF, and whether the file that it names is on the disc.

use super::volume::{Volume, unreadable};
use super::{Report, States, read};
use crate::drive::ImageDrive;
use overworld_runtime::disc::iso::Extent;

/// Bytes of SYSTEM.CNF that are looked at; it is a handful of lines.
const LONGEST: u32 = 2048;

/// Say what keeps a console from booting: nothing of it is malformed.
pub fn check(drive: &mut ImageDrive, volume: &Volume, states: &States, report: &mut Report) {
    let Some(extent) = volume.find("/SYSTEM.CNF") else {
        report.note("no /SYSTEM.CNF: a console would boot PSX.EXE, if there is one");
        return;
    };
    let head = Extent {
        size: extent.size.min(LONGEST),
        ..extent
    };
    let Some(text) = states.is_data(head).then(|| read(drive, head)).flatten() else {
        unreadable("/SYSTEM.CNF", extent, states, report);
        return;
    };
    let text = String::from_utf8_lossy(&text);
    let Some(name) = text.lines().find_map(boot) else {
        report.note("/SYSTEM.CNF: no line \"BOOT = cdrom:...\": a console cannot boot the disc");
        return;
    };
    let found = volume
        .files
        .iter()
        .any(|(path, _)| path.trim_start_matches('/').eq_ignore_ascii_case(&name));
    if !found {
        report.note(format!(
            "/SYSTEM.CNF names /{name}, which is not on the disc: a console cannot boot it"
        ));
    }
}

/// The path that a line `BOOT = cdrom:\NAME;1` names: without device, version and arguments.
pub(crate) fn boot(line: &str) -> Option<String> {
    let (key, value) = line.split_once('=')?;
    if !key.trim().eq_ignore_ascii_case("BOOT") {
        return None;
    }
    let path = value.split_whitespace().next()?;
    let path = match path.split_once(':') {
        Some((device, path)) if device.eq_ignore_ascii_case("cdrom") => path,
        _ => path,
    };
    let path = path.split(';').next()?.replace('\\', "/");
    let path = path.trim_start_matches('/');
    (!path.is_empty()).then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boot_lines_as_discs_have_them() {
        for (line, name) in [
            ("BOOT = cdrom:\\SLUS_999.99;1\r", Some("SLUS_999.99")),
            ("BOOT=cdrom:SLPS_000.01;1", Some("SLPS_000.01")),
            ("boot = CDROM:\\\\DIR\\GAME.EXE;1 arg", Some("DIR/GAME.EXE")),
            ("BOOT =", None),
            ("BOOT = cdrom:", None),
            ("BOOT2 = cdrom0:\\A;1", None),
            ("TCB = 4", None),
        ] {
            assert_eq!(boot(line).as_deref(), name, "{line}");
        }
    }
}
