//! The owl's bank: hovering, and sitting with folded wings. Parts: body, left wing, right wing. The town's has a
//! third clip: the house's door opens. Parts: walls, left leaf, right leaf.

use overworld_runtime::anim::legaia::{self, ClipSource, Pose};
use overworld_runtime::fixed::{Matrix, SVector, cos, sin};

use super::mesh::HINGE;

/// Shoulder of the right wing, relative to the body's origin.
const SHOULDER: [i16; 3] = [120, -232, 4];

/// Frames of the hovering clip: two beats of the wings.
const HOVER_FRAMES: u16 = 24;

/// Frames of the sitting clip.
const LOOK_FRAMES: u16 = 32;

/// Frames of the clip in which the door opens.
pub const OPEN_FRAMES: u16 = 16;

/// How far its leaves swing.
const WIDE_OPEN: i16 = 0x3C0;

/// The bank file for an owl this many eighths of its size.
pub fn bank(eighths: i16) -> Result<Vec<u8>, legaia::Error> {
    let [hover, look] = owl(eighths);
    emit(&[flaps(HOVER_FRAMES, &hover), flaps(LOOK_FRAMES, &look)])
}

/// The bank file of the town: its owls', and the door's.
pub fn town_bank(eighths: i16) -> Result<Vec<u8>, legaia::Error> {
    let [hover, look] = owl(eighths);
    let open: Vec<Pose> = (0..OPEN_FRAMES)
        .flat_map(open)
        .map(|it| it.rounded())
        .collect();
    emit(&[
        flaps(HOVER_FRAMES, &hover),
        flaps(LOOK_FRAMES, &look),
        ClipSource {
            parts: 3,
            frames: OPEN_FRAMES,
            blend: false,
            rate: 1,
            extra: 0,
            poses: &open,
        },
    ])
}

/// The poses of both clips of an owl.
fn owl(eighths: i16) -> [Vec<Pose>; 2] {
    let sized = |pose: Pose| {
        let t = pose.t.map(|it| it * eighths / 8);
        Pose { t, ..pose }.rounded()
    };
    [
        (0..HOVER_FRAMES).flat_map(hover).map(sized).collect(),
        (0..LOOK_FRAMES).flat_map(look).map(sized).collect(),
    ]
}

/// A clip of an owl.
fn flaps(frames: u16, poses: &[Pose]) -> ClipSource<'_> {
    ClipSource {
        parts: 3,
        frames,
        blend: true,
        rate: 4,
        extra: 0,
        poses,
    }
}

fn emit(clips: &[ClipSource<'_>]) -> Result<Vec<u8>, legaia::Error> {
    let mut file = vec![0; 64 * 1024];
    let length = legaia::emit(clips, &mut file)?;
    file.truncate(length);
    Ok(file)
}

/// Both leaves swing out, from shut to wide open.
fn open(frame: u16) -> [Pose; 3] {
    let angle = WIDE_OPEN * frame as i16 / (OPEN_FRAMES as i16 - 1);
    let [x, y, z] = HINGE;
    let leaf = |side: i16| Pose {
        t: [side * x, y, z],
        r: [0, (-side * angle) as u16 & 0xFFF, 0],
    };
    [Pose::default(), leaf(-1), leaf(1)]
}

/// Beat the wings twice, rise with each beat, sway once.
fn hover(frame: u16) -> [Pose; 3] {
    let turn = frame * (4096 / HOVER_FRAMES);
    let beat = wave(2 * turn, 640);
    // The body rises while the wings go down.
    let rise = wave(2 * turn + 1024, 22);
    let sway = wave(turn, 70);
    let body = Body {
        shift: [wave(turn, 18), -46 - rise, 0],
        rotation: [80, wave(turn + 512, 110), sway],
    };
    // Wings sweep back a little on the way up.
    let sweep = wave(2 * turn + 700, 170);
    body.with_wings([0, -sweep, 120 + beat], [0, sweep, -120 - beat])
}

/// Fold the wings, breathe, and look left and right.
fn look(frame: u16) -> [Pose; 3] {
    let turn = frame * (4096 / LOOK_FRAMES);
    let breath = wave(3 * turn, 4);
    // Staying at each side for a while: a sine cut off above.
    let glance = wave(turn, 620).clamp(-420, 420);
    let body = Body {
        shift: [0, breath, 0],
        rotation: [wave(2 * turn, 40), glance, wave(turn + 1024, 30)],
    };
    let fold = 830 + 2 * breath;
    body.with_wings([0, -300, -fold], [0, 300, fold])
}

/// The body's pose before rounding; angles in 4096ths of a turn.
struct Body {
    shift: [i32; 3],
    rotation: [i32; 3],
}

impl Body {
    /// The three poses; a wing's own rotation comes first, then the body's, about the shoulder.
    fn with_wings(&self, left: [i32; 3], right: [i32; 3]) -> [Pose; 3] {
        let body = matrix(self.rotation);
        let wing = |side: i16, rotation: [i32; 3]| {
            let [x, y, z] = SHOULDER;
            let shoulder = body.rotate(&SVector::new(side * x, y, z));
            let [dx, dy, dz] = self.shift;
            let at = [
                dx + i32::from(shoulder.x),
                dy + i32::from(shoulder.y),
                dz + i32::from(shoulder.z),
            ];
            pose(at, angles(&body.multiply(&matrix(rotation))))
        };
        [
            pose(self.shift, self.rotation),
            wing(-1, left),
            wing(1, right),
        ]
    }
}

/// `Rz Ry Rx`, as a pose composes its angles (ANM sheet, section Composition).
fn matrix(angles: [i32; 3]) -> Matrix {
    let [x, y, z] = angles.map(|angle| (angle & 0xFFF) as u16);
    Matrix::rotation_z(z)
        .multiply(&Matrix::rotation_y(y))
        .multiply(&Matrix::rotation_x(x))
}

/// The angles whose [`matrix`] is nearest to this rotation, in steps of the format.
fn angles(rotation: &Matrix) -> [i32; 3] {
    let m = rotation.m.map(|row| row.map(i32::from));
    // Length of the first column's part in the XY plane: the cosine of the angle about Y.
    let cosine = (m[0][0] * m[0][0] + m[1][0] * m[1][0]).isqrt();
    [
        direction(m[2][2], m[2][1]),
        direction(cosine, -m[2][0]),
        direction(m[0][0], m[1][0]),
    ]
}

/// The direction of (`x`, `y`) in 4096ths of a turn: that of 256 which points most its way.
fn direction(x: i32, y: i32) -> i32 {
    let along = |angle: &u16| i32::from(cos(*angle)) * x + i32::from(sin(*angle)) * y;
    (0..256)
        .map(|step| step * 16)
        .max_by_key(along)
        .map_or(0, i32::from)
}

/// A sine of `angle` (4096ths of a turn) with this height.
fn wave(angle: u16, height: i32) -> i32 {
    i32::from(sin(angle & 0xFFF)) * height / 4096
}

/// The nearest pose that the format holds.
fn pose(t: [i32; 3], r: [i32; 3]) -> Pose {
    Pose {
        t: t.map(|value| value as i16),
        r: r.map(|value| (value & 0xFFF) as u16),
    }
    .rounded()
}
