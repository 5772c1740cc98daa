//! The picture of a world's ground: what is left out of its list is not seen.

use overworld_host::gpu::{Gpu, Picture};
use overworld_host::play::BACKGROUND;
use overworld_runtime::anim::legaia::Banks;
use overworld_runtime::field::map::{COLLISION_SIZE, Tile, Triggers};
use overworld_runtime::field::units::Point;
use overworld_runtime::fixed::{SVector, cos};
use overworld_runtime::gpu::packet::{Style, f4, rgb};
use overworld_runtime::gpu::{DisplayList, Full};
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

    fn quad(&mut self, corners: [Corner; 4], colour: u32, far: bool) -> Result<(), Full> {
        if corners.iter().any(|it| it.1 < 0x400) {
            return Ok(());
        }
        let sum: u32 = corners.iter().map(|it| it.1).sum();
        let bucket = if far {
            self.list.head()
        } else {
            (sum as usize / 4) >> 6
        };
        let packet = f4(Style::OPAQUE, colour, corners.map(|it| it.0));
        self.list.push(bucket, &packet)
    }

    fn block(&mut self, floor: i32, [x, z]: [i32; 2], size: i32) -> Result<(), Full> {
        let places = [[x, z], [x + size, z], [x, z + size], [x + size, z + size]];
        let [a, b, c, d] = places.map(|[x, z]| self.corner(x, floor - 96, z));
        self.quad([c, d, a, b], rgb(168, 150, 122), false)?;
        let [e, f, g, h] = places.map(|[x, z]| self.corner(x, floor, z));
        self.quad([a, b, e, f], rgb(128, 110, 88), false)?;
        self.quad([c, a, g, e], rgb(104, 90, 74), false)?;
        self.quad([b, d, f, h], rgb(104, 90, 74), false)
    }

    fn ground(&mut self, world: &World<'_, 4>, grid: &[u8]) -> Result<(), Full> {
        let camera = world.camera();
        camera.load_screen(self.gte);
        camera.view().load(self.gte);
        let ground = world.ground();
        let player = &world.field.player;
        let (col, row) = (i32::from(player.x) >> 7, i32::from(player.z) >> 7);
        let (cols, rows) = (col - 8..col + 8, row - 5..row + 11);
        for row in rows.start..=rows.end {
            for col in cols.clone() {
                let Some(tile) = Tile::at(col, row) else {
                    continue;
                };
                let walls = grid[128 * usize::from(tile.row()) + usize::from(tile.col())] >> 4;
                let (x, z) = (128 * col, 128 * row - 128);
                if walls == 0xF {
                    self.block(ground.floor(x + 64, z + 64), [x, z], 128)?;
                    continue;
                }
                for bit in 0..4 {
                    let (x, z) = (x + 64 * (bit & 1), z + 64 * (bit >> 1));
                    if walls >> bit & 1 != 0 {
                        self.block(ground.floor(x + 32, z + 32), [x, z], 64)?;
                    }
                }
            }
        }
        let mut rows: Vec<i32> = rows.collect();
        if cos(camera.yaw) < 0 {
            rows.reverse();
        }
        for row in rows {
            for col in cols.clone().filter(|&col| Tile::at(col, row).is_some()) {
                let height = |col, row| ground.floor(128 * col, 128 * row);
                let mut corner = |col, row| self.corner(128 * col, height(col, row), 128 * row);
                let [a, b] = [col, col + 1].map(|col| corner(col, row));
                let [c, d] = [col, col + 1].map(|col| corner(col, row + 1));
                let odd = if (col ^ row) & 1 == 0 { 0 } else { 10 };
                let by = (-height(col, row) / 8).clamp(-40, 40) + odd;
                let [r, g, b_] = [74, 112, 62].map(|part: i32| (part + by).clamp(0, 255) as u8);
                let corners = if cos(camera.yaw) >= 0 {
                    [c, d, a, b]
                } else {
                    [a, b, c, d]
                };
                self.quad(corners, rgb(r, g, b_), true)?;
            }
        }
        Ok(())
    }
}

/// The picture of a list, and how many words it has.
fn picture(build: impl FnOnce(&mut DisplayList<'_>)) -> (Picture, usize) {
    let mut gpu = Gpu::field(BACKGROUND);
    let mut words = vec![0; 16 * 1024];
    let mut list = DisplayList::new(&mut words, BUCKETS);
    list.begin(&mut gpu);
    let room = list.free();
    build(&mut list);
    list.draw(&mut gpu).unwrap();
    let used = room - list.free();
    gpu.present().unwrap();
    (gpu.displayed(), used)
}

/// Hills, walls and half walls, somewhere on the map or at its edge, seen from all sides: pixel by pixel the picture
/// that has a polygon for every tile and wall.
#[test]
fn what_is_left_out_is_not_seen() {
    let mut random = Random(0x6120_0D51);
    let mut gte = Gte::new();
    let (mut words, mut plain_words) = (0, 0);
    for round in 0..30 {
        let yaw = match round % 3 {
            0 => 0x64,
            1 => random.below(0x200),
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
        let walls = grid.clone();
        let mut world = World::<4>::new(Scenery {
            map: Soil::Bare(&mut grid),
            patch: Triggers::EMPTY,
            man: Some(Man::parse(&man).unwrap()),
            banks: Banks::default(),
            overworld: false,
        });
        let [x, z] = [(); 2].map(|()| match random.below(3) {
            0 => random.below(128 * 128) as i16,
            1 => random.below(1000) as i16 - 300,
            _ => 128 * 128 + 300 - random.below(1000) as i16,
        });
        let arrival = Arrival::Warp {
            at: Point::new(x, z),
            heading: 0,
        };
        world.enter(arrival, &mut Absent);
        world.frame(0, &mut Absent);
        (world.field.player.x, world.field.player.z) = (x, z);
        world.frame(0, &mut Absent);
        assert_eq!(u32::from(world.camera().yaw), yaw);
        let (found, used) = picture(|list| {
            world.compose(&mut gte, list, &Meshes::default()).unwrap();
        });
        let (expected, all) = picture(|list| {
            let mut plainly = Plainly {
                gte: &mut Gte::new(),
                list,
            };
            plainly.ground(&world, &walls[..]).unwrap();
        });
        let differing = found.rgb.chunks(3).zip(expected.rgb.chunks(3));
        let differing = differing.filter(|(a, b)| a != b).count();
        assert_eq!(
            differing, 0,
            "round {round}: pixels at ({x}, {z}), yaw {yaw:#X}"
        );
        words += used;
        plain_words += all;
    }
    // Of those that are drawn plainly, a third and more lies beside the picture.
    assert!(
        words > 30 * 100 && 3 * words < 2 * plain_words,
        "{words} of {plain_words} words"
    );
}
