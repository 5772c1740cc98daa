//! Two games' creatures side by side on the emulated PlayStation and on the PC.

mod common;

use overworld_host::drive::ImageDrive;
use overworld_host::play;
use overworld_host::sample::{self, toad};
use overworld_runtime::bytes::crc32;
use overworld_tests::artefacts::{BOOT_ROM, CREATURES_CUE};
use std::ops::ControlFlow;

use common::played::{asset_lines, budget, frames, number, passed, same_pictures};
use common::{images, turn};

/// From the disc alone: the same bytes, the same state, at 60 frames a second.
#[test]
fn both_machines_read_and_play_the_same_creatures() {
    let _turn = turn();
    let Some([rom, cue]) = images([BOOT_ROM, CREATURES_CUE]) else {
        return;
    };
    let Some(report) = passed(&rom, &cue) else {
        return;
    };
    let (ticks, hash) = frames(&report).expect("a line of frames");
    let mut drive = ImageDrive::open(&cue).unwrap();
    let (mut assets, mut creature) = (Vec::new(), None);
    let played = play::play(
        &mut drive,
        sample::CREATURES,
        |loaded| {
            let lines = loaded.assets.iter().map(|asset| format!("@@{asset}"));
            assets = lines
                .map(|line| line.replacen("@@asset", "@@ASSET", 1))
                .collect();
            creature = loaded.creature;
        },
        |frame| match frame.number + 1 < ticks {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        },
    );
    assert_eq!(played.unwrap(), (ticks, hash), "frames and state");
    assert_eq!(assets.len(), 3);
    assert_eq!(asset_lines(&report), assets);
    // The toad as its code makes it, through the disc and both drives.
    let creature = creature.expect("a creature");
    let file = toad::model().unwrap();
    assert_eq!(creature.crc32, crc32(&file));
    let line = format!("@@ {creature}");
    assert!(report.lines.contains(&line), "{line}: {report}");

    // A picture in each vertical blank.
    let counts = ["pictures", "vblanks"].map(|it| number(&report, it));
    assert_eq!(counts, [Some(ticks); 2]);
    let budget = budget(&report);
    let phases: Vec<&str> = budget.iter().map(|(phase, ..)| phase.as_str()).collect();
    assert_eq!(
        phases,
        ["tick", "compose", "- pose, matrix", "check", "draw", "wait"]
    );
}

/// Late enough for ROM, loading and the first drawing; between them the toad is at another place of its croak.
const COMPARED: [u64; 2] = [260, 292];

#[test]
fn both_machines_draw_the_same_creatures() {
    let _turn = turn();
    let Some([rom, cue]) = images([BOOT_ROM, CREATURES_CUE]) else {
        return;
    };
    same_pictures(&rom, &cue, sample::CREATURES, COMPARED);
}
