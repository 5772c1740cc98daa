use overworld_runtime::anim::legaia::{Bank, ClipEnd};
use overworld_runtime::bytes::crc32;
use overworld_runtime::disc::bundle::{Bundle, emit_decoded};
use overworld_runtime::fixed::{Matrix, Vector};
use overworld_runtime::gpu::DisplayList;
use overworld_runtime::gte::Geometry;
use overworld_runtime::gte::software::Gte;
use overworld_runtime::lzs::Scratch;
use overworld_runtime::model::draw::{self, Cue, Motion, Options, Stats, posed};
use overworld_runtime::model::pose::Transform;
use overworld_runtime::model::tim::Tim;
use overworld_runtime::model::tmd::{Kind, Tmd};
use overworld_runtime::platform::Screen;

use super::*;
use crate::gpu::{Gpu, Picture};

/// Draw the owl as a view from `pitch` and `yaw` sees it.
fn render(number: i16, cursor: i16, pitch: u16, yaw: u16) -> (Picture, Stats) {
    render_with(number, cursor, pitch, yaw, None)
}

fn render_with(
    number: i16,
    cursor: i16,
    pitch: u16,
    yaw: u16,
    cue: Option<Cue>,
) -> (Picture, Stats) {
    let world = world().unwrap();
    let mut gpu = Gpu::new(320, 240, [40, 48, 72]);
    Tim::parse(&world.textures[0].1)
        .unwrap()
        .upload(&mut gpu)
        .unwrap();
    let tmd = Tmd::parse(&world.models[0].1).unwrap();
    let bank = Bank::parse(&world.bank.1).unwrap();
    let clip = bank.clip(number).unwrap();
    let mut gte = Gte::new();
    gte.set_screen(160 << 16, 120 << 16, 512);
    let mut words = vec![0; 16384];
    let mut list = DisplayList::new(&mut words, 1024);
    list.begin(&mut gpu);
    let view = Matrix::rotation_x(pitch).multiply(&Matrix::rotation_y(yaw));
    let middle = view.transform(&overworld_runtime::fixed::SVector::new(0, 240, 0));
    let actor = Transform {
        rotation: view,
        translation: Vector::new(middle.x, middle.y, middle.z + 1900),
    };
    let motion = Motion {
        clip,
        cursor,
        end: ClipEnd::Wrap,
    };
    let options = Options {
        bank: draw::Bank::cued(cue),
        ..Options::for_buckets(1024)
    };
    let stats = posed(&mut gte, &mut list, &tmd, &motion, &actor, &options).unwrap();
    gpu.draw(list.words(), list.head()).unwrap();
    (gpu.drawn(), stats)
}

#[test]
fn a_depth_cue_darkens_what_is_farther_and_moves_nothing() {
    let cue = Cue::between([0; 3], 1750, 2300, 512);
    assert!(cue.is_some());
    let (plain, stats) = render_with(HOVER, 0, 200, 512, None);
    let (cued, cued_stats) = render_with(HOVER, 0, 200, 512, cue);
    assert_eq!(stats, cued_stats);
    // Sum of all components, left and right half: this way the owl's left wing is the farther one.
    let light = |picture: &Picture| {
        let mut sum = [0_u32; 2];
        for (x, y) in (0..240).flat_map(|y| (0..320).map(move |x| (x, y))) {
            let pixel = picture.pixel(x, y).unwrap();
            if pixel != crate::gpu::expand(5 | 6 << 5 | 9 << 10) {
                sum[x / 160] += pixel.iter().map(|&c| u32::from(c)).sum::<u32>();
            }
        }
        sum
    };
    let share = |half: usize| light(&cued)[half] * 100 / light(&plain)[half];
    let (left, right) = (share(0), share(1));
    assert!(left + 8 < right && right < 98, "{left} % and {right} %");
}

/// Pixels that are not background, per half of the picture.
fn covered(picture: &Picture) -> [usize; 2] {
    let mut count = [0; 2];
    for y in 0..picture.height {
        for x in 0..picture.width {
            if picture.pixel(x, y) != Some(crate::gpu::expand(5 | 6 << 5 | 9 << 10)) {
                count[x * 2 / picture.width] += 1;
            }
        }
    }
    count
}

#[test]
fn the_owl_stands_in_the_middle_and_spreads_both_wings() {
    let (picture, stats) = render(HOVER, 0, 200, 0);
    let [left, right] = covered(&picture);
    // At this distance 512 / 1900 of a unit is a pixel: the body alone is about 70 by 120.
    assert!((5_000..20_000).contains(&(left + right)), "{left} {right}");
    assert!(left.abs_diff(right) < (left + right) / 5, "{left} {right}");
    assert_eq!(stats.near + stats.oversize, 0);
    // A closed shape shows about one half of its faces from anywhere.
    for yaw in (0..4096).step_by(512) {
        let (_, stats) = render(HOVER, 0, 200, yaw);
        let share = stats.drawn * 100 / stats.total();
        assert!((40..60).contains(&share), "{share} % at {yaw}");
    }
}

#[test]
fn folded_wings_take_less_room_than_spread_ones() {
    let width = |number| {
        let (picture, _) = render(number, 0, 0, 0);
        let columns = (0..320).filter(|&x| {
            (0..240).any(|y| picture.pixel(x, y) != Some(crate::gpu::expand(5 | 6 << 5 | 9 << 10)))
        });
        columns.count()
    };
    assert!(width(HOVER) > width(LOOK) * 3 / 2);
}

#[test]
fn the_model_has_three_objects_of_several_kinds() {
    let world = world().unwrap();
    let tmd = Tmd::parse(&world.models[0].1).unwrap();
    assert_eq!(tmd.len(), 3);
    let kinds = |object: usize| -> Vec<Kind> {
        tmd.object(object)
            .unwrap()
            .groups()
            .map(|group| group.kind)
            .collect()
    };
    assert_eq!(
        kinds(0),
        [Kind::Gt4, Kind::Gt3, Kind::G3, Kind::G4, Kind::Ft4]
    );
    assert_eq!(kinds(1), [Kind::Gt4, Kind::G4]);
    assert_eq!(kinds(2), kinds(1));
}

#[test]
fn the_wings_are_mirror_images() {
    let world = world().unwrap();
    let tmd = Tmd::parse(&world.models[0].1).unwrap();
    let vertices = |object: usize, side: i16| {
        let mut all: Vec<[i16; 3]> = tmd
            .object(object)
            .unwrap()
            .vertices()
            .map(|v| [side * v.x, v.y, v.z])
            .collect();
        all.sort_unstable();
        all
    };
    assert_eq!(vertices(1, -1), vertices(2, 1));
}

#[test]
fn the_textured_hull_is_closed_and_faces_outwards() {
    let world = world().unwrap();
    let tmd = Tmd::parse(&world.models[0].1).unwrap();
    let body = tmd.object(0).unwrap();
    let at: Vec<[i64; 3]> = body
        .vertices()
        .map(|v| [i64::from(v.x), i64::from(v.y), i64::from(v.z)])
        .collect();
    // Six times the enclosed volume is the sum of the triangles' determinants; each edge of a
    // closed hull runs once in each direction.
    let mut six = 0;
    let mut edges = std::collections::HashMap::new();
    for group in body
        .groups()
        .filter(|group| matches!(group.kind, Kind::Gt4 | Kind::Gt3))
    {
        let layout = group.kind.layout();
        for record in group.records.chunks_exact(group.stride) {
            let corner = |n: usize| {
                let place = layout.vertices + 2 * n;
                usize::from(u16::from_le_bytes([record[place], record[place + 1]]) / 8)
            };
            let mut triangles = vec![[corner(0), corner(1), corner(2)]];
            if layout.corners == 4 {
                triangles.push([corner(1), corner(3), corner(2)]);
            }
            for [i, j, k] in triangles {
                let ([a, b, c], [d, e, f], [g, h, l]) = (at[i], at[j], at[k]);
                six += a * (e * l - f * h) - b * (d * l - f * g) + c * (d * h - e * g);
                for (from, to) in [(i, j), (j, k), (k, i)] {
                    *edges.entry((from.min(to), from.max(to))).or_insert(0) +=
                        if from < to { 1 } else { -1 };
                }
            }
        }
    }
    assert!(
        edges.values().all(|&sum| sum == 0),
        "an edge has no partner"
    );
    // Clockwise on the screen with y down means normals inwards by the right-hand rule, so the
    // volume comes out negative. A cylinder of 430 by about 125 by 110 (half axes) is 18.6 million.
    let volume = -six / 6;
    assert!((12_000_000..24_000_000).contains(&volume), "{volume}");
}

#[test]
fn the_bank_moves_three_parts_smoothly() {
    let world = world().unwrap();
    let bank = Bank::parse(&world.bank.1).unwrap();
    bank.lint().unwrap();
    assert!(bank.len() >= 2);
    for clip in bank.clips() {
        assert_eq!((clip.parts(), clip.blend(), clip.rate()), (3, true, 4));
        let mut moved = [false; 3];
        for frame in 0..clip.frames() {
            for part in 0..3 {
                let a = clip.pose(frame, part).unwrap();
                // The last frame leads back to the first.
                let b = clip.pose((frame + 1) % clip.frames(), part).unwrap();
                moved[usize::from(part)] |= a != b;
                for axis in 0..3 {
                    let step = a.t[axis].abs_diff(b.t[axis]);
                    assert!(step < 48, "frame {frame} part {part}: {step} units");
                    let turn = (a.r[axis].wrapping_sub(b.r[axis]) & 0xFFF)
                        .min(b.r[axis].wrapping_sub(a.r[axis]) & 0xFFF);
                    assert!(turn < 0x190, "frame {frame} part {part}: {turn}");
                }
            }
        }
        assert_eq!(moved, [true; 3]);
    }
}

#[test]
fn the_texture_uses_its_palette_and_has_clear_wing_tips() {
    let world = world().unwrap();
    let tim = Tim::parse(&world.textures[0].1).unwrap();
    assert_eq!(
        (tim.image.x, tim.image.y, tim.width(), tim.image.h),
        (640, 0, 128, 128)
    );
    let clut = tim.clut.unwrap();
    assert_eq!((clut.x, clut.y, clut.w, clut.h), (0, 480, 16, 1));
    assert_eq!(clut.data[..2], [0, 0]);
    assert!(clut.data.chunks(2).skip(1).all(|colour| colour != [0, 0]));
    let texel = |u: usize, v: usize| tim.image.data[v * 64 + u / 2] >> (u % 2 * 4) & 15;
    let used: std::collections::BTreeSet<u8> =
        (0..128 * 128).map(|n| texel(n % 128, n / 128)).collect();
    assert!(used.len() >= 15, "{used:?}");
    assert!(
        (0..96).all(|v| (0..128).all(|u| texel(u, v) != 0)),
        "the body has no holes"
    );
    let clear = (0..96).filter(|&u| texel(u, 127) == 0).count();
    assert!((40..96).contains(&clear), "{clear}");
}

#[test]
fn the_same_bytes_come_out_each_time() {
    let image = image(None).unwrap();
    assert_eq!(image, super::image(None).unwrap());
    // On every machine: directory, names, table, entries and what seals each sector. A change here
    // is one of the image's layout, of the sample or of the packer; say which when you change it.
    assert_eq!(image.len(), 223 * 2352);
    assert_eq!(crc32(&image), 0x031B_DA2C);
}

#[test]
fn the_bundle_is_packed_as_tightly_as_can_be() {
    let world = world().unwrap();
    let bytes = world.bundle().unwrap();
    let bundle = Bundle::parse(&bytes).unwrap();
    let members: Vec<_> = bundle
        .members()
        .map(|member| {
            let mut data = vec![0; member.size as usize];
            member.decode(&mut data).unwrap();
            (member.ty, data)
        })
        .collect();
    // What is in it is the sample, whoever packs it.
    assert_eq!(members[2].1, world.bank.1);
    let crcs: Vec<_> = members.iter().map(|(_, data)| crc32(data)).collect();
    assert_eq!(crcs, [0xDF59_D6B5, 0xB602_148C, 0x3DEB_2D6A]);

    let members: Vec<_> = members.iter().map(|it| (it.0, &it.1[..])).collect();
    let mut lazy = vec![0; 3 * bytes.len()];
    let mut scratch = Box::new(Scratch::new());
    let length = emit_decoded(&members, &mut lazy, &mut scratch).unwrap();
    assert!(bytes.len() < length, "{} and {length}", bytes.len());
}
