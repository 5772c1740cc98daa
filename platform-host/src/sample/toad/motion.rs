//! The toad's two animations, 15 frames a second.

use super::{SIZE, bone};
use crate::ff8::{SourceAnimation, SourceFrame, SourcePose};

/// A scale of 1.0.
const ONE: i32 = 1024;
/// All the way from one posture of a limb to the other.
const WHOLE: i32 = 4096;

/// What the toad does at a moment; between two of them it is on its way.
#[derive(Clone, Copy)]
struct Key {
    /// The frame.
    frame: u8,
    /// Above the ground, 16 units of the drawing each.
    up: i32,
    /// Width and height of the body, 1024 is 1.0.
    wide: i32,
    high: i32,
    /// Size of the throat.
    sac: i32,
    /// How far the eyes are open.
    open: i32,
    /// From folded legs to stretched ones.
    legs: i32,
    /// From arms on the ground to lifted ones.
    arms: i32,
    /// How far the head is raised, 4096 a turn.
    nod: i32,
}

/// Sitting.
const REST: Key = Key {
    frame: 0,
    up: 0,
    wide: ONE,
    high: ONE,
    sac: 780,
    open: ONE,
    legs: 0,
    arms: 0,
    nod: 0,
};

/// Breathe, croak, blink.
const IDLE: [Key; 9] = [
    REST,
    Key {
        frame: 6,
        wide: 1090,
        high: 900,
        nod: -20,
        ..REST
    },
    Key {
        frame: 11,
        wide: 990,
        high: 1090,
        nod: 50,
        ..REST
    },
    Key {
        frame: 16,
        wide: 1080,
        high: 940,
        sac: 1600,
        nod: 110,
        ..REST
    },
    Key {
        frame: 19,
        wide: 1060,
        high: 960,
        sac: 1420,
        nod: 90,
        ..REST
    },
    Key {
        frame: 22,
        wide: 1100,
        high: 920,
        sac: 1720,
        nod: 120,
        ..REST
    },
    Key { frame: 27, ..REST },
    Key {
        frame: 29,
        open: 140,
        ..REST
    },
    Key { frame: 31, ..REST },
];

/// Crouch, leap, land.
const HOP: [Key; 12] = [
    REST,
    Key {
        frame: 5,
        wide: 1330,
        high: 590,
        open: 800,
        nod: -40,
        ..REST
    },
    Key {
        frame: 7,
        wide: 1300,
        high: 620,
        open: 900,
        nod: -40,
        ..REST
    },
    Key {
        frame: 8,
        up: 22,
        wide: 1040,
        high: 1060,
        legs: 2048,
        arms: 1000,
        nod: 20,
        ..REST
    },
    Key {
        frame: 9,
        up: 32,
        wide: 840,
        high: 1390,
        legs: 3200,
        arms: 2400,
        nod: 70,
        ..REST
    },
    Key {
        frame: 12,
        up: 37,
        wide: 970,
        high: 1090,
        legs: 2600,
        arms: WHOLE,
        nod: 20,
        ..REST
    },
    Key {
        frame: 15,
        up: 38,
        wide: 1050,
        high: 960,
        legs: 1300,
        arms: 3600,
        nod: -40,
        ..REST
    },
    Key {
        frame: 18,
        up: 18,
        wide: 910,
        high: 1210,
        legs: 1300,
        arms: 1200,
        nod: -20,
        ..REST
    },
    Key {
        frame: 20,
        wide: 1420,
        high: 520,
        open: 300,
        nod: -60,
        ..REST
    },
    Key {
        frame: 23,
        wide: 900,
        high: 1190,
        sac: 980,
        ..REST
    },
    Key {
        frame: 26,
        wide: 1070,
        high: 930,
        ..REST
    },
    Key { frame: 29, ..REST },
];

/// Rotations of the limbs of the right side in both postures; those of the left side are mirrored.
const ARM: [[i32; 3]; 2] = [[450, 1544, 0], [-74, 1251, 0]];
const HAND: [[i32; 3]; 2] = [[308, -1460, 341], [471, -1314, -93]];
const THIGH: [[i32; 3]; 2] = [[-132, 672, 0], [-248, 1629, 0]];
const SHANK: [[i32; 3]; 2] = [[554, 1356, 0], [-26, 329, 0]];
const FOOT: [[i32; 3]; 2] = [[621, 2072, -95], [457, 1981, -196]];

/// Both, [`super::IDLE`] and [`super::HOP`].
pub fn animations() -> Vec<SourceAnimation> {
    [&IDLE[..], &HOP[..]]
        .map(|keys| SourceAnimation {
            stream: None,
            frames: (0..=keys.last().map_or(0, |it| it.frame))
                .map(|frame| pose(&between(keys, frame)))
                .collect(),
        })
        .to_vec()
}

/// The moment at a frame.
fn between(keys: &[Key], frame: u8) -> Key {
    let next = keys.partition_point(|it| it.frame < frame);
    let to = keys.get(next).copied().unwrap_or(REST);
    let from = keys.get(next.wrapping_sub(1)).copied().unwrap_or(to);
    let length = i32::from(to.frame - from.frame).max(1);
    let part = WHOLE * i32::from(frame - from.frame) / length;
    // Slow at both ends.
    let part = part * part / WHOLE * (3 * WHOLE - 2 * part) / WHOLE;
    let mix = |of: fn(&Key) -> i32| blend(of(&from), of(&to), part);
    Key {
        frame,
        up: mix(|it| it.up),
        wide: mix(|it| it.wide),
        high: mix(|it| it.high),
        sac: mix(|it| it.sac),
        open: mix(|it| it.open),
        legs: mix(|it| it.legs),
        arms: mix(|it| it.arms),
        nod: mix(|it| it.nod),
    }
}

const fn blend(from: i32, to: i32, part: i32) -> i32 {
    from + (to - from) * part / WHOLE
}

/// The bones at a moment.
fn pose(key: &Key) -> SourceFrame {
    let mut bones = [SourcePose::default(); bone::COUNT];
    let mut set = |bone: u8, rotation: [i32; 3], scale: [i32; 3]| {
        if let Some(place) = bones.get_mut(usize::from(bone)) {
            place.rot = rotation.map(i64::from);
            place.scale = Some(scale.map(|it| it as i16));
        }
    };
    let one = [ONE; 3];
    let size = |it: i32| [it; 3];
    // Z upwards, Y backwards.
    set(bone::ROOT, [1024, 0, 0], one);
    set(bone::BODY, [0; 3], [key.wide, key.wide, key.high]);
    // The head gives back half of what it inherits.
    let half = |it: i32| (ONE + ONE * ONE / it) / 2;
    let head = [half(key.wide), half(key.wide), half(key.high)];
    set(bone::CHEST, [0; 3], one);
    set(bone::HEAD, [key.nod, 0, 0], head);
    for eye in bone::EYES {
        set(eye, [0; 3], [ONE, ONE, key.open]);
    }
    set(bone::JAW, [1450, 0, 0], one);
    set(bone::SAC, [0; 3], size(key.sac));
    let limbs = [
        bone::ARMS.map(|it| (it, [ARM, HAND, HAND])),
        bone::THIGHS.map(|it| (it, [THIGH, SHANK, FOOT])),
    ];
    for (limb, (part, links)) in limbs.iter().zip([(key.arms, 2), (key.legs, 3)]) {
        for (&(first, postures), side) in limb.iter().zip([-1, 1]) {
            for (link, [from, to]) in postures.into_iter().enumerate().take(links) {
                let [a, b, c] = [0, 1, 2].map(|it| blend(from[it], to[it], part));
                set(first + link as u8, [a, side * b, side * c], one);
            }
        }
    }
    SourceFrame {
        root: [0, -key.up as i16 * SIZE[0] / SIZE[1], 0],
        mode: 0,
        bones: bones.to_vec(),
    }
}
