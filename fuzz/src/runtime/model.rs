//! Meshes and textures.

use core::convert::Infallible;

use overworld_runtime::anim::legaia::{self, Bank, ClipEnd, ClipSource, Pose};
use overworld_runtime::fixed::{Matrix, SVector, Vector};
use overworld_runtime::gpu::{DisplayList, Style, VRAM_HEIGHT, VRAM_WIDTH};
use overworld_runtime::gte::{Geometry, software::Gte};
use overworld_runtime::model::draw::{self, Cue, Light, Motion, Options, Stats};
use overworld_runtime::model::pose::Transform;
use overworld_runtime::model::tim::{self, Tim};
use overworld_runtime::model::tmd::{self, GroupSource, ObjectSource, Primitive, Tmd};
use overworld_runtime::platform::{LIST_END, Screen};

use super::{Choices, is_inside, take_u8};

/// Checks what it is given, as a GPU would.
struct Checked {
    base: u32,
    uploads: usize,
}

impl Screen for Checked {
    type Error = Infallible;

    fn bus_address(&self, _: &[u32]) -> u32 {
        self.base
    }

    fn upload(&mut self, x: u16, y: u16, w: u16, h: u16, pixels: &[u8]) -> Result<(), Infallible> {
        assert!(w > 0 && h > 0);
        assert!(u32::from(x) + u32::from(w) <= u32::from(VRAM_WIDTH));
        assert!(u32::from(y) + u32::from(h) <= u32::from(VRAM_HEIGHT));
        assert_eq!(pixels.len(), 2 * usize::from(w) * usize::from(h));
        self.uploads += 1;
        Ok(())
    }

    /// Follow the list to its end: every node lies in it, none is there twice.
    fn draw(&mut self, list: &[u32], first: usize) -> Result<(), Infallible> {
        let mut seen = vec![false; list.len()];
        let mut at = first;
        loop {
            assert!(!core::mem::replace(&mut seen[at], true), "a loop");
            let node = list[at];
            let length = (node >> 24) as usize;
            assert!(at + length < list.len(), "the packet lies inside");
            let link = node & 0x00FF_FFFF;
            if link == LIST_END {
                return Ok(());
            }
            let offset = link.wrapping_sub(self.base) & 0x00FF_FFFF;
            assert_eq!(offset % 4, 0);
            at = offset as usize / 4;
        }
    }

    fn present(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// `[u8 seed]`, then a mesh.
///
/// Strict implies lenient; everything lies inside the input; drawing fails for want of room alone,
/// counts every primitive once and leaves a list that ends; the mesh can be written again.
pub fn tmd(data: &[u8]) -> bool {
    let (seed, data) = take_u8(data);
    let strict = Tmd::parse(data);
    let Ok(mesh) = Tmd::parse_lenient(data) else {
        assert!(strict.is_err(), "lenient takes what strict takes");
        return false;
    };
    assert_eq!(mesh.objects().count(), mesh.len());
    assert!(mesh.object(mesh.len()).is_none());
    let mut primitives = 0;
    let mut work = 0;
    for object in mesh.objects() {
        assert!(is_inside(object.vertex_bytes(), data));
        let (vertices, normals) = (object.vertices().len(), object.normals().len());
        // Objects may share their bytes: the test itself stays short.
        work += vertices + normals;
        let mut announced = 0;
        for group in object.groups() {
            assert!(is_inside(group.records, data));
            announced += (group.records.len() / group.stride) as u32;
            let layout = group.kind.layout();
            for primitive in group.primitives() {
                let used = &primitive.vertices[..layout.corners];
                assert!(used.iter().all(|&n| usize::from(n) < vertices));
                let used = &primitive.normals[..layout.normal_count];
                assert!(used.iter().all(|&n| usize::from(n) < normals));
            }
        }
        if strict.is_ok() {
            assert_eq!(announced, object.count());
        }
        primitives += announced;
        if work + primitives as usize > 1 << 16 {
            return strict.is_ok();
        }
    }
    let mut choices = Choices::new(seed.into());
    // Drawing wants the mesh on a word boundary, wherever the input lies.
    let mut room = vec![0; data.len() + 4];
    let begin = room.as_ptr().align_offset(4);
    let place = room.get_mut(begin..begin + data.len()).expect("fits");
    place.copy_from_slice(data);
    let aligned = Tmd::parse_lenient(place).expect("it was good before");
    draw(&aligned, primitives, &mut choices);
    write_again(&mesh);
    strict.is_ok()
}

/// Draw with the software GTE into lists of several sizes.
fn draw(mesh: &Tmd<'_>, primitives: u32, choices: &mut Choices) {
    let mut angle = || choices.below(0x1_0000) as u16;
    let transform = Transform {
        rotation: Matrix::euler(angle(), angle(), angle()),
        translation: Vector::new(angle().into(), angle().into(), i32::from(angle()) - 0x4000),
    };
    let mut gte = Gte::new();
    gte.set_screen(160 << 16, 120 << 16, 300);
    let mut screen = Checked {
        base: 0x0010_0000,
        uploads: 0,
    };
    let mut options = Options::for_buckets(16);
    for (n, (words, two_sided)) in [(17, false), (64, true), (4096, false), (4096, true)]
        .into_iter()
        .enumerate()
    {
        let fade = Cue::fade([1, 2, 3], choices.below(0x1000) as u16);
        options.bank =
            draw::Bank::of_argument((choices.below(64) as u32) << 24, (n == 3).then_some(fade));
        let mut matrix = || {
            let mut angle = || choices.below(0x1_0000) as u16;
            Matrix::euler(angle(), angle(), angle())
        };
        options.light = (n != 1).then(|| Light {
            lamps: matrix(),
            colours: matrix(),
            background: [4, 5, 6],
        });
        let mut words = vec![0xEEEE_EEEE; words];
        let mut list = DisplayList::new(&mut words, 16);
        list.begin(&mut screen);
        options.two_sided = two_sided;
        let free = list.free();
        match draw::rigid(&mut gte, &mut list, mesh, &transform, &options) {
            Ok(stats) => {
                assert_eq!(total(&stats), u64::from(primitives));
                assert!(!two_sided || stats.culled == 0);
                assert_eq!(stats.drawn == 0, list.free() == free);
            }
            Err(draw::Error::Full(full)) => {
                assert!(full.needed > full.free && full.free == list.free());
            }
            // A pool may still lie anywhere in the mesh.
            Err(draw::Error::Misaligned { .. }) => {}
            Err(error) => unreachable!("{error}"),
        }
        list.draw(&mut screen).expect("a list that ends");
    }
    if let Ok(parts @ 1..) = u8::try_from(mesh.len()) {
        let random = |_| Pose {
            t: core::array::from_fn(|_| choices.below(0x1000) as i16 - 0x800),
            r: core::array::from_fn(|_| choices.below(0x100) as u16 * 16),
        };
        let poses: Vec<Pose> = (0..2 * usize::from(parts)).map(random).collect();
        let clip = ClipSource {
            parts,
            frames: 2,
            blend: true,
            rate: 1,
            extra: 0,
            poses: &poses,
        };
        let mut bank = vec![0; 64 + 8 * poses.len()];
        let length = legaia::emit(&[clip], &mut bank).expect("fits");
        let bank = Bank::parse(&bank[..length]).expect("just written");
        let clip = bank.clip(1).expect("just written");
        let mut words = vec![0; 8192];
        let mut list = DisplayList::new(&mut words, 64);
        list.begin(&mut screen);
        let motion = Motion {
            clip,
            cursor: 21,
            end: ClipEnd::Wrap,
        };
        match draw::posed(&mut gte, &mut list, mesh, &motion, &transform, &options) {
            Ok(stats) => assert_eq!(total(&stats), u64::from(primitives)),
            Err(error) => assert!(!matches!(error, draw::Error::PartMismatch { .. })),
        }
        list.draw(&mut screen).expect("a list that ends");
    }
}

/// All primitives that were looked at, in more bits.
fn total(stats: &Stats) -> u64 {
    [stats.drawn, stats.culled, stats.near, stats.oversize]
        .map(u64::from)
        .iter()
        .sum()
}

/// The parts of an object that a writer takes.
type Parts = (
    Vec<SVector>,
    Vec<SVector>,
    Vec<(tmd::Kind, Style, Vec<Primitive>)>,
);

/// Vertices, normals and groups of all objects.
fn parts(mesh: &Tmd<'_>) -> Vec<Parts> {
    mesh.objects()
        .map(|object| {
            let groups = object
                .groups()
                .map(|group| {
                    let primitives: Vec<_> = group.primitives().collect();
                    (group.kind, Style::from_command(group.mode), primitives)
                })
                .filter(|group| !group.2.is_empty())
                .collect();
            (
                object.vertices().collect(),
                object.normals().collect(),
                groups,
            )
        })
        .collect()
}

/// Write the mesh from its parts; what comes back is the same.
fn write_again(mesh: &Tmd<'_>) {
    let read = parts(mesh);
    let groups: Vec<Vec<GroupSource<'_>>> = read
        .iter()
        .map(|(_, _, groups)| {
            groups
                .iter()
                .map(|(kind, style, primitives)| GroupSource {
                    kind: *kind,
                    style: *style,
                    primitives,
                })
                .collect()
        })
        .collect();
    let objects: Vec<ObjectSource<'_>> = read
        .iter()
        .zip(&groups)
        .map(|((vertices, normals, _), groups)| ObjectSource {
            vertices,
            normals,
            groups,
        })
        .collect();
    let vectors: usize = read.iter().map(|(v, n, _)| v.len() + n.len()).sum();
    let records: usize = read
        .iter()
        .flat_map(|it| &it.2)
        .map(|it| 8 + 36 * (it.2.len() + 1))
        .sum();
    let mut out = vec![0xEE; 12 + 32 * read.len() + 8 * vectors + records];
    let length = tmd::emit(&objects, &mut out).expect("fits");
    let again = Tmd::parse(&out[..length]).expect("just written");
    assert_eq!(parts(&again), read);
    let short = tmd::emit(&objects, &mut out[..length - 1]);
    assert!(matches!(short, Err(tmd::Error::Full(_))));
}

/// A texture.
///
/// Blocks lie inside; writing gives the same bytes; what is uploaded lies in VRAM.
pub fn tim(data: &[u8]) -> bool {
    let Ok(tim) = Tim::parse(data) else {
        return false;
    };
    assert!(Tim::is_tim(data));
    let size = tim.size();
    for block in tim.clut.iter().chain([&tim.image]) {
        assert!(is_inside(block.data, &data[..size]));
        assert_eq!(
            block.data.len(),
            2 * usize::from(block.w) * usize::from(block.h)
        );
    }
    assert!(tim.width() <= 4 * u32::from(VRAM_WIDTH));
    let mut out = vec![0xEE; size];
    assert_eq!(tim.emit(&mut out), Ok(size));
    assert_eq!(out, data[..size]);
    assert_eq!(Tim::parse(&out), Ok(tim));
    let short = tim.emit(&mut out[..size - 1]);
    assert!(matches!(short, Err(tim::Error::Full(_))));
    let mut screen = Checked {
        base: 0,
        uploads: 0,
    };
    match tim.palette() {
        Ok(palette) => {
            assert_eq!(palette.map(|it| it.data), tim.clut.map(|it| it.data));
            assert!(tim.upload(&mut screen).is_ok());
            assert_eq!(screen.uploads, 1 + usize::from(palette.is_some()));
        }
        Err(_) => {
            assert!(tim.upload(&mut screen).is_err());
            assert_eq!(screen.uploads, 0, "nothing is uploaded by halves");
        }
    }
    true
}
