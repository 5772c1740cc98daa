//! The decoder against the sheet's reader (section 5), which takes bit by bit, on any bytes.

use super::{first, section};
use overworld_runtime::anim::ff8::{Decoder, Pose, Progress, Speed};
use proptest::collection::vec;
use proptest::prelude::*;

/// The sheet's frame (section 6), added to the pose; `None` where a bit is missing.
struct Reference<'a> {
    data: &'a [u8],
    at: usize,
}

impl Reference<'_> {
    fn bits(&mut self, count: u32) -> Option<i32> {
        let mut value = 0;
        for n in 0..count {
            let byte = *self.data.get(self.at / 8)?;
            value |= i32::from(byte >> (self.at % 8) & 1) << n;
            self.at += 1;
        }
        Some(value)
    }

    fn signed(&mut self, count: u32) -> Option<i32> {
        let value = self.bits(count)?;
        Some((value << (32 - count)) >> (32 - count))
    }

    fn frame(&mut self, pose: &mut Pose<255>, bones: usize, halves: bool) -> Option<()> {
        let part = |change: i32| (if halves { change / 2 } else { change }) as i16;
        for sum in &mut pose.root {
            let width = [3, 6, 9, 16][self.bits(2)? as usize];
            *sum = sum.wrapping_add(part(self.signed(width)?));
        }
        pose.scaled = self.bits(1)? != 0;
        for bone in 0..bones {
            for sum in &mut pose.rotation[bone] {
                if self.bits(1)? != 0 {
                    let width = [3, 6, 8, 12][self.bits(2)? as usize];
                    *sum = sum.wrapping_add(part(self.signed(width)?));
                }
            }
            for scale in pose.scale[bone].iter_mut().filter(|_| pose.scaled) {
                let present = self.bits(1)? != 0;
                let change = if present { self.signed(16)? } else { 0 };
                *scale = (change + 1024) as i16;
            }
        }
        Some(())
    }
}

/// Bytes with many bits set, few, or no bias: all fields, none, and every mixture.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let byte = |(a, b, kind): (u8, u8, u8)| match kind % 3 {
        0 => a,
        1 => a & b,
        _ => a | b,
    };
    let run = (vec(any::<(u8, u8)>(), 0..600), any::<u8>());
    vec(run, 1..4).prop_map(move |runs| {
        let run = |(bytes, kind): (Vec<(u8, u8)>, u8)| {
            let bytes = bytes.into_iter().map(move |(a, b)| byte((a, b, kind)));
            bytes.collect::<Vec<_>>()
        };
        runs.into_iter().flat_map(run).collect()
    })
}

proptest! {
    #[test]
    fn any_bytes_are_read_as_the_sheet_reads_them(
        data in bytes(), bones in prop_oneof![0_u8..30, any::<u8>()], halves in any::<bool>(),
    ) {
        let stream = section(&[&[255][..], &data].concat());
        let animation = first(&stream);
        let mut decoder = Decoder::new(&animation, bones, Speed::Normal);
        let mut reference = Reference { data: &stream, at: 8 * (animation.start() + 1) };
        let (mut pose, mut expected) = (Pose::<255>::START, Pose::<255>::START);
        loop {
            let before = (reference.at, expected);
            let mut calls = 1 + u8::from(halves);
            let (mut whole, mut got) = (true, Ok(Progress::Complete));
            // Both halves of a frame are read at the same place.
            while calls > 0 && whole {
                (reference.at, calls) = (before.0, calls - 1);
                let kept = expected;
                got = if halves { decoder.step_half(&mut pose) } else { decoder.step(&mut pose) };
                if got != Ok(Progress::Complete) {
                    whole = reference.frame(&mut expected, usize::from(bones), halves).is_some();
                }
                if !whole {
                    expected = kept;
                }
                prop_assert!(pose == expected);
            }
            if got == Ok(Progress::Complete) {
                break;
            }
            prop_assert_eq!(whole, got.is_ok());
            if !whole {
                break;
            }
            let (byte, bit) = decoder.position();
            prop_assert_eq!(8 * byte as usize + usize::from(bit), reference.at);
        }
    }
}
