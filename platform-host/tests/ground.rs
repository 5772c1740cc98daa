//! The picture of a world's ground: what is left out of its list is not seen.

use overworld_host::gpu::{Gpu, Picture};
use overworld_host::play::BACKGROUND;
use overworld_runtime::anim::legaia::Banks;
use overworld_runtime::field::Ground;
use overworld_runtime::field::map::{COLLISION_SIZE, Tile, Triggers};
use overworld_runtime::field::precise::Distance;
use overworld_runtime::field::units::Point;
use overworld_runtime::fixed::SVector;
use overworld_runtime::gpu::packet::{Style, f4, rgb};
use overworld_runtime::gpu::{DisplayList, Full, layout};
use overworld_runtime::gte::Geometry;
use overworld_runtime::gte::software::Gte;
use overworld_runtime::platform::Screen;
use overworld_runtime::scene::man::{self, ActorSource, Man, encounter};
use overworld_runtime::scene::world::{Arrival, Meshes, Scenery, Soil, World};
use overworld_runtime::script::asm::{Name, assemble};
use overworld_runtime::script::host::Absent;

/// Entries of the ordering table, as in the programs.
const BUCKETS: usize = 1024;

struct Random(u32);

impl Random {
    fn below(&mut self, count: u32) -> u32 {
        self.0 = self.0.wrapping_mul(0x41C6_4E6D).wrapping_add(0x3039);
        (self.0 >> 16) % count
    }
}

/// A program that turns the view and does nothing more, over tiers of these heights.
fn program(yaw: u32, floor: [i16; 16]) -> Vec<u8> {
    let source = format!("nop.24\ncam.set 0x01, 0x00, 0, {yaw}\nnop.f\nidle: nop.f\njmp idle");
    let mut code = vec![0; source.len() + 16];
    let len = assemble(&source, &mut code, &mut [Name::default(); 8]).unwrap();
    let mut encounters = [0; 16];
    let none = encounter::Source {
        strides: encounter::STRIDES,
        formations: &[],
        conditions: &[],
        regions: &[],
    };
    let none = encounter::emit(&none, &mut encounters).unwrap();
    let source = man::Source {
        floor,
        actors: &[ActorSource {
            label: &[],
            model: 1,
            animation: 0,
            tile: [0x7F, 0x7F],
            script: &code[..len],
        }],
        encounters: &encounters[..none],
        motion: &[0],
        cameras: &[0],
        ..man::Source::default()
    };
    let mut out = vec![0; 1024];
    let len = man::emit(&source, &mut out).unwrap();
    out.truncate(len);
    out
}

/// A corner on the screen: position and depth.
type Corner = (u32, u32);

/// Draws tile by tile and corner by corner, seen or not.
struct Plainly<'g, 'l, 'w> {
    gte: &'g mut Gte,
    list: &'l mut DisplayList<'w>,
}

impl Plainly<'_, '_, '_> {
    fn corner(&mut self, x: i32, y: i32, z: i32) -> Corner {
        let word = |value: i32| value.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        let point = self.gte.project(&SVector::new(word(x), word(y), word(z)));
        (point.sxy, self.gte.depth().into())
    }

    /// A polygon in the bucket of a depth, or behind everything.
    fn quad(&mut self, corners: [Corner; 4], colour: u32, depth: Option<u32>) -> Result<(), Full> {
        if corners.iter().any(|it| it.1 < 0x400) {
            return Ok(());
        }
        let bucket = depth.map_or(self.list.head(), |depth| depth as usize >> 6);
        let packet = f4(Style::OPAQUE, colour, corners.map(|it| it.0));
        self.list.push(bucket, &packet)
    }

    /// A block: its top, and each side that looks to the eye and not to another block, from top to ground; all of it
    /// in the bucket of its middle.
    fn block(&mut self, scene: &Scene<'_>, [x, z]: [i32; 2], size: i32) -> Result<(), Full> {
        let [eye_x, eye_y, eye_z] = scene.eye;
        let places = [[x, z], [x + size, z], [x, z + size], [x + size, z + size]];
        let floors = places.map(|place| scene.floor(place));
        let [upper, lower] = [96, 0].map(|above| {
            [0, 1, 2, 3].map(|at: usize| {
                let [x, z] = places[at];
                self.corner(x, floors[at] - above, z)
            })
        });
        let sum: u32 = upper.iter().chain(&lower).map(|it| it.1).sum();
        let depth = Some(sum / 8);
        if floors.iter().any(|floor| eye_y < f64::from(floor - 96)) {
            let [a, b, c, d] = upper;
            self.quad([c, d, a, b], rgb(168, 150, 122), depth)?;
        }
        let flank = rgb(104, 90, 74);
        for (seen, left, right, out, colour) in [
            (eye_z < f64::from(z), 0, 1, [0, -1], rgb(128, 110, 88)),
            (eye_x < f64::from(x), 2, 0, [-1, 0], flank),
            (eye_x > f64::from(x + size), 1, 3, [1, 0], flank),
            (eye_z > f64::from(z + size), 3, 2, [0, 1], rgb(88, 76, 64)),
        ] {
            // Both sub-cells that it looks to.
            let ends: [[i32; 2]; 2] = [places[left], places[right]];
            let hidden = [0.25, 0.75].into_iter().all(|part| {
                let along = |axis: usize| {
                    let [from, to] = ends.map(|end| f64::from(end[axis]));
                    (from + part * (to - from)) as i32 + 32 * out[axis]
                };
                scene.is_block(along(0), along(1))
            });
            if seen && !hidden {
                let of_it = [upper[left], upper[right], lower[left], lower[right]];
                self.quad(of_it, colour, depth)?;
            }
        }
        Ok(())
    }

    /// The whole map, whatever is seen of it.
    fn map(&mut self, world: &World<'_, 4>) -> Result<(), Full> {
        let camera = world.camera();
        camera.load_screen(self.gte);
        let view = camera.view();
        view.load(self.gte);
        let [across, down, ahead] = view.rotation.m.map(|row| row.map(f64::from));
        let shift = view.translation;
        // The rotation is six times one whose inverse is its transpose.
        let eye = [0, 1, 2].map(|axis| {
            let [x, y, z] = [shift.x, shift.y, shift.z].map(f64::from);
            -(across[axis] * x + down[axis] * y + ahead[axis] * z) / 4096.0 / 36.0
        });
        let ground = world.ground();
        let scene = Scene { ground, eye };
        for row in 0..127 {
            for col in 0..128 {
                // A wall's byte lies a row farther than what it bars.
                let tile = Tile::at(col, row + 1).unwrap();
                let walls = scene.walls(tile);
                let (x, z) = (128 * col, 128 * row);
                if walls == 0xF {
                    self.block(&scene, [x, z], 128)?;
                    continue;
                }
                for bit in 0..4 {
                    if walls >> bit & 1 != 0 {
                        self.block(&scene, [x + 64 * (bit & 1), z + 64 * (bit >> 1)], 64)?;
                    }
                }
            }
        }
        // What is near first.
        let order = |sign: f64| -> Vec<i32> {
            if sign < 0.0 {
                (0..128).rev().collect()
            } else {
                (0..128).collect()
            }
        };
        for row in order(ahead[2]) {
            for col in order(ahead[0]) {
                let height = |col, row| scene.ground.floor(128 * col, 128 * row);
                let mut corner = |col, row| self.corner(128 * col, height(col, row), 128 * row);
                let [a, b] = [col, col + 1].map(|col| corner(col, row));
                let [c, d] = [col, col + 1].map(|col| corner(col, row + 1));
                let odd = if (col ^ row) & 1 == 0 { 0 } else { 10 };
                let fall = height(col + 1, row + 1) - height(col, row);
                let by =
                    (-height(col, row) / 4).clamp(-40, 40) - (fall * 3 / 4).clamp(-40, 40) + odd;
                let [r, g, b_] = [74, 112, 62].map(|part: i32| (part + by).clamp(0, 255) as u8);
                self.quad([c, d, a, b], rgb(r, g, b_), None)?;
            }
        }
        Ok(())
    }
}

/// What is drawn plainly, and from where.
struct Scene<'w> {
    ground: Ground<'w>,
    eye: [f64; 3],
}

impl Scene<'_> {
    /// The walls of a byte.
    fn walls(&self, tile: Tile) -> u8 {
        let [x, z] = [tile.col(), tile.row()].map(|at| 128 * i32::from(at));
        // In the middle of each sub-cell.
        let bars = |bit: u8| {
            let at = |of: u8| 32 + 64 * i32::from(of);
            self.ground
                .walls()
                .at(x + at(bit & 1), z - 128 + at(bit >> 1))
        };
        (0..4).fold(0, |walls, bit| walls | u8::from(bars(bit)) << bit)
    }

    /// Whether a block stands at a place on the map.
    fn is_block(&self, x: i32, z: i32) -> bool {
        let tile = Tile::at(x >> 7, (z >> 7) + 1).filter(|_| z >= 0);
        let walls = tile.map_or(0, |tile| self.walls(tile));
        walls >> ((z >> 6 & 1) << 1 | x >> 6 & 1) & 1 != 0
    }

    /// The floor at a corner of a sub-cell, between those of the tiles.
    fn floor(&self, [x, z]: [i32; 2]) -> i32 {
        let sides = |at: i32| [at & !127, (at + 64) & !127];
        let corners = sides(x)
            .into_iter()
            .flat_map(|x| sides(z).map(|z| self.ground.floor(x, z)));
        corners.sum::<i32>().div_euclid(4)
    }
}

/// The picture of a list, and how many words it has.
fn picture(build: impl FnOnce(&mut DisplayList<'_>)) -> (Picture, usize) {
    let mut gpu = Gpu::field(BACKGROUND);
    let mut words = vec![0; 1 << 20];
    let mut list = DisplayList::new(&mut words, BUCKETS);
    list.begin(&mut gpu);
    let room = list.free();
    build(&mut list);
    list.draw(&mut gpu).unwrap();
    let used = room - list.free();
    gpu.present().unwrap();
    (gpu.displayed(), used)
}

/// A world of these walls and tiers, seen from here at this distance.
fn world<'m>(
    grid: &'m mut [u8; COLLISION_SIZE],
    man: &'m [u8],
    [x, z]: [i16; 2],
    distance: Distance,
) -> World<'m, 4> {
    let mut world = World::<4>::new(Scenery {
        map: Soil::Bare(grid),
        patch: Triggers::EMPTY,
        man: Some(Man::parse(man).unwrap()),
        banks: Banks::default(),
        overworld: false,
    });
    world.settings.distance = distance;
    let arrival = Arrival::Warp {
        at: Point::new(x, z),
        heading: 0,
    };
    world.enter(arrival, &mut Absent);
    world.frame(0, &mut Absent);
    (world.field.player.x, world.field.player.z) = (x, z);
    world.frame(0, &mut Absent);
    world
}

const DISTANCES: [Distance; 3] = [Distance::Retail, Distance::Far, Distance::Farther];

/// Hills, walls and half walls, somewhere on the map or at its edge, seen from all sides and distances: pixel by pixel
/// the picture that has a polygon for every tile and wall of the whole map.
#[test]
fn what_is_left_out_is_not_seen() {
    let mut random = Random(0x6120_0D51);
    let mut words = 0;
    for round in 0..48 {
        let yaw = match round % 3 {
            0 => 0x200 * ((round / 3) & 7),
            1 => 0x64,
            _ => random.below(0x1000),
        };
        let step = [0, 24, 120][random.below(3) as usize];
        let man = program(yaw, std::array::from_fn(|tier| step * tier as i16));
        let mut grid = Box::new([0; COLLISION_SIZE]);
        for byte in grid.iter_mut() {
            let tier = match random.below(4) {
                0 => random.below(8),
                _ => 0,
            };
            let walls = match random.below(24) {
                0 | 1 => 0xF,
                2 => random.below(16),
                _ => 0,
            };
            *byte = (walls << 4 | tier) as u8;
        }
        let at = [(); 2].map(|()| match random.below(3) {
            0 => random.below(128 * 128) as i16,
            1 => random.below(1000) as i16 - 300,
            _ => 128 * 128 + 300 - random.below(1000) as i16,
        });
        let distance = DISTANCES[round as usize / 3 % 3];
        let world = world(&mut grid, &man, at, distance);
        assert_eq!(u32::from(world.camera().yaw), yaw);
        let (found, used) = picture(|list| {
            let drawn = world.compose(&mut Gte::new(), list, &Meshes::default());
            drawn.unwrap();
        });
        let (expected, _) = picture(|list| {
            let gte = &mut Gte::new();
            Plainly { gte, list }.map(&world).unwrap();
        });
        let differing = found.rgb.chunks(3).zip(expected.rgb.chunks(3));
        let differing = differing.filter(|(a, b)| a != b).count();
        assert_eq!(
            differing, 0,
            "round {round}: pixels at {at:?}, yaw {yaw:#X}, {distance:?}"
        );
        words += used;
    }
    // Something is drawn, and a small part of the map.
    assert!((48 * 200..48 * 5000).contains(&words), "{words} words");
}

/// In the middle of a plain there is ground wherever one looks, at every distance and in every direction, as far as
/// the picture's edges; and the list is not longer than what the farthest view needs.
#[test]
fn the_ground_fills_the_picture() {
    for distance in DISTANCES {
        for yaw in (0..0x1000).step_by(0x100) {
            let man = program(yaw, [0; 16]);
            let mut grid = Box::new([0; COLLISION_SIZE]);
            let world = world(&mut grid, &man, [8000, 8100], distance);
            let (picture, used) = picture(|list| {
                let drawn = world.compose(&mut Gte::new(), list, &Meshes::default());
                drawn.unwrap();
            });
            let lines = picture.rgb.chunks(3 * usize::from(layout::WIDTH));
            let lines = lines.skip(layout::BORDER.into()).take(layout::DRAWN.into());
            let bare = lines.flat_map(|line| line.chunks(3));
            let bare = bare.filter(|it| *it == BACKGROUND).count();
            assert_eq!(bare, 0, "pixels at yaw {yaw:#X}, {distance:?}");
            let most = match distance {
                Distance::Retail => 6 * 150,
                Distance::Far => 6 * 250,
                Distance::Farther => 6 * 420,
            };
            assert!(used < most, "{used} words at yaw {yaw:#X}, {distance:?}");
        }
    }
}
