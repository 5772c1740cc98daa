//! Poses packed, unpacked and blended.

use super::common::{BANK, SECOND, pose};
use overworld_runtime::anim::legaia::{Bank, ClipEnd, Error, Pose, blend_angle, blend_translation};

type Six = (i16, i16, i16, u16, u16, u16);

fn six((x, y, z, rx, ry, rz): Six) -> Pose {
    pose([x, y, z], [rx, ry, rz])
}

#[test]
fn poses_unpack() {
    let vectors = include!("../../../tests/battery/tables/poses.rs");
    for (number, (bytes, [x, y, z], r)) in (1..).zip(vectors) {
        let expected = pose([x, y, z], r);
        assert_eq!(Pose::from_bytes(bytes), expected, "P{number}");
        let mut clean = bytes;
        clean[4] &= 0x0F;
        assert_eq!(expected.to_bytes(), clean, "P{number} packed");
    }
}

#[test]
fn poses_pack() {
    let vectors = include!("../../../tests/battery/tables/poses_packed.rs");
    for ((x, y, z, rx, ry, rz), bytes) in vectors {
        let pose = pose([x, y, z], [rx, ry, rz]);
        assert!(pose.is_exact());
        assert_eq!(pose.to_bytes(), bytes);
        assert_eq!(Pose::from_bytes(bytes), pose);
    }
}

#[test]
fn inexact_poses_are_rounded() {
    let rough = pose([3000, -3000, 5], [0xFF8, 0x007, 0x1008]);
    assert!(!rough.is_exact());
    assert_eq!(rough.rounded(), pose([2047, -2048, 5], [0, 0, 0x010]));
    assert_eq!(Pose::from_bytes(rough.to_bytes()), rough.rounded());
}

#[test]
fn a_blended_pose() {
    let a = Pose::from_bytes([0x64, 0x9C, 0xF0, 0x38, 0x00, 0x40, 0xC0, 0x00]);
    let b = Pose::from_bytes([0x74, 0xAD, 0xF0, 0x28, 0x00, 0x48, 0xB8, 0xFF]);
    let table = include!("../../../tests/battery/tables/anm_blends.rs");
    for (frac, expected) in table {
        assert_eq!(a.blend(&b, frac), six(expected), "{frac}");
    }
}

#[test]
fn translations_round_down() {
    let table = include!("../../../tests/battery/tables/anm_translations.rs");
    for (from, to, expected) in table {
        let found = [0, 1, 7, 8, 15].map(|frac| blend_translation(from, to, frac));
        assert_eq!(found, expected, "{from} to {to}");
    }
    // Far outside what can be stored, nothing overflows.
    assert_eq!(blend_translation(i16::MIN, i16::MAX, 15), 28_671);
}

#[test]
fn angles_take_the_short_way() {
    let table = include!("../../../tests/battery/tables/anm_angles.rs");
    for (from, to, expected) in table {
        let found = [0, 1, 4, 8, 12, 15].map(|frac| blend_angle(from, to, frac));
        assert_eq!(found, expected, "{from:03X} to {to:03X}");
    }
}

#[test]
fn wrap_and_hold_at_the_end() {
    let bank = Bank::parse(&BANK).unwrap();
    let clip = bank.clip(2).unwrap();
    let held = pose([0, -16, 8], [0x180, 0, 0xFF0]);
    let table: [(i16, Six, Option<Six>); 8] =
        include!("../../../tests/battery/tables/anm_cursors.rs");
    let table = table.map(|(cursor, wrap, hold)| (cursor, six(wrap), hold.map(six)));
    for (cursor, wrap, hold) in table {
        let hold = hold.unwrap_or(wrap);
        assert_eq!(
            clip.pose_at(cursor, 1, ClipEnd::Wrap),
            Some(wrap),
            "{cursor}"
        );
        assert_eq!(
            clip.pose_at(cursor, 1, ClipEnd::Hold),
            Some(hold),
            "{cursor}"
        );
        let all: Vec<Pose> = clip.sample(cursor, ClipEnd::Wrap).poses().collect();
        assert_eq!(all.len(), 2);
        assert_eq!(all[1], wrap, "{cursor}");
        assert_eq!(Some(all[0]), clip.pose_at(cursor, 0, ClipEnd::Wrap));
        assert_eq!(clip.check_cursor(cursor), Ok(()));
    }
    assert_eq!(clip.pose_at(0, 2, ClipEnd::Wrap), None);
    // A cursor that no clock leaves behind shows the nearest frame.
    for (cursor, expected) in [
        (32, held),
        (i16::MAX, held),
        (-1, table[0].1),
        (i16::MIN, table[0].1),
    ] {
        assert_eq!(clip.pose_at(cursor, 1, ClipEnd::Wrap), Some(expected));
        assert_eq!(
            clip.check_cursor(cursor),
            Err(Error::BadCursor { cursor, frames: 2 })
        );
    }
}

#[test]
fn without_blending_the_fraction_does_not_matter() {
    let mut data = BANK;
    data[SECOND + 1] = 0;
    let bank = Bank::parse(&data).unwrap();
    let clip = bank.clip(2).unwrap();
    for cursor in 0..16 {
        assert_eq!(clip.pose_at(cursor, 1, ClipEnd::Wrap), clip.pose(0, 1));
    }
    for cursor in 16..32 {
        assert_eq!(clip.pose_at(cursor, 1, ClipEnd::Wrap), clip.pose(1, 1));
    }
}

/// Pitfall P15: the signs of the three 12-bit numbers from their own nibbles, packed by hand.
#[test]
fn signs_come_from_their_own_nibbles() {
    // X = -541 = DE3h, Y = 384 = 180h, Z = -1 = FFFh.
    let bytes = [0xE3, 0x80, 0x1D, 0xFF, 0x0F, 0, 0, 0];
    let expected = pose([-541, 384, -1], [0; 3]);
    assert_eq!(Pose::from_bytes(bytes), expected);
    assert_eq!(expected.to_bytes(), bytes);
}
