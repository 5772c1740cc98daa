//! The numbers of 7.18: the camera's mover on its four curves.

use overworld_runtime::script::host::CameraEvent;
use overworld_runtime::script::mover::{Mover, SLOTS};

use crate::check::{Check, same};

/// Curve, and the values at 25, 50 and 75 of 100 frames from 0 to 1000.
const ROWS: [(u8, [i16; 3]); 4] = [
    (1, [250, 500, 750]),
    (2, [437, 750, 937]),
    (3, [62, 250, 562]),
    (4, [125, 500, 875]),
];

/// Frame by frame, as a script arms it: two of the ten slots, the pitch and the projection.
pub(super) fn curves<G>(_: &mut G) -> Check {
    let [low, high] = 1000_i16.to_le_bytes();
    for (curve, expected) in ROWS {
        let mut live = [0; SLOTS];
        let armed = CameraEvent::Configure {
            mask: 0x201,
            values: &[low, high, low, high],
            apply: 100,
            curve,
        };
        let mover = Mover::configure(armed, &mut live);
        same!(live, [0; SLOTS], "curve {curve}, armed");
        let Some(mut mover) = mover else {
            same!(false, true, "curve {curve}: a mover");
            continue;
        };
        for t in 1..=100_u16 {
            let over = mover.tick(1, &mut live);
            same!(over, t == 100, "curve {curve}, frame {t}");
            let [pitch, .., h] = live;
            same!(pitch, h, "curve {curve}, frame {t}");
            let expected = match t {
                25 | 50 | 75 => expected.get(usize::from(t / 25) - 1).copied(),
                100 => Some(1000),
                _ => None,
            };
            if let Some(expected) = expected {
                same!(pitch, expected, "curve {curve}, frame {t}");
            }
        }
        let [_, between @ .., _] = live;
        same!(
            between,
            [0; SLOTS - 2],
            "curve {curve}, slots that are not set"
        );
    }
    Ok(())
}
