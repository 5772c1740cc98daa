//! The sample town's program: its scripts, written in the assembler language, in a MAN.

use overworld_runtime::scene::man::{
    self, ActorSource, BeatSource, FlagList, ObjectSource, encounter, motion,
};
use overworld_runtime::script::asm::{Name, assemble};

/// The flag that the gate is open.
pub const GATE_OPEN: u16 = 0x225;
/// The flag that the player has left through the gate.
pub const LEFT: u16 = 0x226;

/// The scripts by name.
pub const SCRIPTS: [(&str, &str); 5] = [
    ("door.s", include_str!("scripts/door.s")),
    ("entry.s", include_str!("scripts/entry.s")),
    ("guard.s", include_str!("scripts/guard.s")),
    ("villager.s", include_str!("scripts/villager.s")),
    ("leave.s", include_str!("scripts/leave.s")),
];

/// The scripts' bytes; displacements are relative, so that a header in front changes nothing.
fn scripts() -> Result<[Vec<u8>; 5], String> {
    let mut codes: [Vec<u8>; 5] = Default::default();
    for ((name, source), code) in SCRIPTS.into_iter().zip(&mut codes) {
        code.resize(source.len() + 16, 0);
        let mut names = [Name::default(); 64];
        let length =
            assemble(source, code, &mut names).map_err(|error| format!("{name}: {error}"))?;
        code.truncate(length);
    }
    Ok(codes)
}

/// What the villager does by itself: look around, and keep still once the gate is open.
fn stream() -> Result<Vec<u8>, String> {
    // Turn to X- in 16 frames, wait 30, turn on to X+ in 32, wait 30, again; and: wait 60, again.
    let looks = [
        0x04, 0x02, 0x10, 0x05, 0x1E, 0x04, 0x06, 0x20, 0x05, 0x1E, 0x01,
    ];
    let still = [0x05, 0x3C, 0x01];
    let variants: [(u16, &[u8]); 2] = [(GATE_OPEN, &still), (motion::DEFAULT, &looks)];
    let mut out = vec![0; 64];
    let len =
        motion::emit_stream(&variants, &mut out).map_err(|error| format!("stream: {error}"))?;
    out.truncate(len);
    Ok(out)
}

/// The town's MAN.
///
/// # Errors
/// What is wrong with a script, or why a part cannot be written.
pub fn man() -> Result<Vec<u8>, String> {
    let [door, entry, guard, villager, leave] = scripts()?;
    let mut sections = [[0; 64]; 2];
    let [encounters, moved] = &mut sections;
    let none = encounter::Source {
        strides: encounter::STRIDES,
        formations: &[],
        conditions: &[],
        regions: &[],
    };
    let encounters_len =
        encounter::emit(&none, encounters).map_err(|error| format!("encounters: {error}"))?;
    let stream = stream()?;
    let looks = [motion::MotionSource {
        // The flat number of the villager: behind the object, the entry script and the guard.
        pairs: &[[3, 1]],
        stream: &stream,
    }];
    let moved_len = motion::emit(&looks, moved).map_err(|error| format!("motion: {error}"))?;
    let mut cameras = [0; 64];
    let cameras_len =
        man::camera::emit(&[], &mut cameras).map_err(|error| format!("cameras: {error}"))?;
    let actor = |model, animation, tile, script| ActorSource {
        label: &[],
        model,
        animation,
        tile,
        script,
    };
    let source = man::Source {
        objects: &[ObjectSource {
            label: &[],
            animation: 4,
            script: &door,
        }],
        actors: &[
            // No actor: its place is off the map.
            actor(0, 0, [0x7F, 0x7F], &entry),
            actor(1, 1, [10, 10], &guard),
            actor(2, 2, [8, 8], &villager),
        ],
        beats: &[BeatSource {
            label: &[],
            c0: &[],
            c1: FlagList::from(&[LEFT][..]),
            c2: FlagList::from(&[GATE_OPEN][..]),
            script: &leave,
        }],
        encounters: &encounters[..encounters_len],
        motion: &moved[..moved_len],
        name: b"Town",
        cameras: &cameras[..cameras_len],
        ..man::Source::default()
    };
    let mut out = vec![0; 0x1000];
    let length = man::emit(&source, &mut out).map_err(|error| error.to_string())?;
    out.truncate(length);
    Ok(out)
}
