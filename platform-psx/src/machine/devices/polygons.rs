//! Objects that the chip draws from its table of vertices, against the loops of the runtime on the software model:
//! the same answers and the same words, whatever the objects are made of.

use overworld_runtime::fixed::{Matrix, SVector, Vector};
use overworld_runtime::gpu::{DisplayList, Style};
use overworld_runtime::gte::{Geometry, software::Gte as Software};
use overworld_runtime::model::draw::{self, Bank, Cue, Error, Light, Options, Stats};
use overworld_runtime::model::pose::Transform;
use overworld_runtime::model::tmd::{GroupSource, Kind, ObjectSource, Primitive, Tmd, emit};

use super::gte::{came, interrupt_every, live, watched};
use super::{Outcome, expect};
use crate::gte::Cop2;
use crate::machine::Once;

/// Most vertices of an object: more than the scratchpad holds.
const VERTICES: usize = 300;

/// Numbers of vertices: so few that they are not projected by three, around what the scratchpad holds, and more.
const COUNTS: [u32; 12] = [1, 2, 3, 4, 5, 30, 117, 125, 126, 127, 128, VERTICES as u32];

/// Where lists lie: as in a console; in an engine without addresses; and so that they reach past the last address that
/// a link can name.
const PLACES: [u32; 3] = [0x8010_0000, 0, 0x80FF_FE80];

/// No position: both halves lie far from the screen.
const UNTOUCHED: u32 = 0x7777_7777;

/// Primitives of a group.
const PRIMITIVES: usize = 16;

/// Words of a list: for packets, a table of 512 vertices, and more.
const LIST: usize = 64 + 2 * PRIMITIVES * 13 + 1024 + 100;

struct Memory {
    mesh: [u32; 2048],
    vertices: [SVector; VERTICES],
    lists: [[u32; LIST]; 2],
}

static MEMORY: Once<Memory> = Once::new(Memory {
    mesh: [0; 2048],
    vertices: [SVector::new(0, 0, 0); VERTICES],
    lists: [[0; LIST]; 2],
});

/// Numbers by xorshift.
struct Random(u32);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }

    /// One of so many.
    fn below(&mut self, count: u32) -> u32 {
        (self.next() >> 8) % count
    }

    /// A number of so many on both sides of zero.
    fn around(&mut self, most: u32) -> i16 {
        (self.below(2 * most + 1) as i32 - most as i32) as i16
    }

    fn matrix(&mut self) -> Matrix {
        Matrix {
            m: [(); 3].map(|()| [(); 3].map(|()| self.around(0x1000))),
        }
    }

    fn primitive(&mut self, vertices: u32) -> Primitive {
        Primitive {
            colours: [(); 4].map(|()| self.next() & 0xFF_FFFF),
            uv: [(); 4].map(|()| self.next() as u16),
            clut: self.next() as u16,
            page: self.next() as u16,
            vertices: [(); 4].map(|()| self.below(vertices) as u16),
            normals: [(); 4].map(|()| self.below(vertices) as u16),
        }
    }

    fn options(&mut self) -> Options {
        let far = [(); 3].map(|()| self.next() as u8);
        let cue = match self.below(4) {
            0 => Some(Cue::fade(far, self.below(0x1001) as u16)),
            1 => Cue::between(far, 300, 2500, 512),
            _ => None,
        };
        let light = (self.below(3) == 0).then(|| Light {
            lamps: self.matrix(),
            colours: self.matrix(),
            background: far,
        });
        Options {
            two_sided: self.below(4) == 0,
            near: [0, 4, 20, 80][self.below(4) as usize],
            bank: Bank::cued(cue),
            light,
            ..Options::for_buckets([16, 64][self.below(2) as usize])
        }
    }
}

/// A screen that only says where the words lie.
struct At(u32);

impl overworld_runtime::platform::Screen for At {
    type Error = core::convert::Infallible;

    fn bus_address(&self, _: &[u32]) -> u32 {
        self.0
    }

    fn upload(&mut self, _: u16, _: u16, _: u16, _: u16, _: &[u8]) -> Result<(), Self::Error> {
        Ok(())
    }

    fn draw(&mut self, _: &[u32], _: usize) -> Result<(), Self::Error> {
        Ok(())
    }

    fn present(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// Draw a mesh; how many words of the list are used.
fn drawn<G: Geometry>(
    gte: &mut G,
    (words, place): (&mut [u32], u32),
    mesh: &Tmd<'_>,
    actor: &Transform,
    options: &Options,
) -> (Result<Stats, Error>, usize) {
    gte.set_screen(160 << 16, 114 << 16, 512);
    let whole = words.len();
    let mut list = DisplayList::new(words, 64);
    list.begin(&mut At(place));
    let stats = draw::rigid(gte, &mut list, mesh, actor, options);
    (stats, whole - list.free())
}

/// Objects of all kinds, few vertices and many, near and far, small and large, with and without cue and light, into
/// lists with and without room; and all of them once more without the scratchpad. Registers of the CPU hold values
/// that must be there afterwards, and every second object is drawn while a timer interrupts.
pub(super) fn are_those_of_the_model(chip: &mut Cop2) -> Outcome {
    watched(|| all(chip))?;
    came(200, 10)
}

fn all(chip: &mut Cop2) -> Outcome {
    let Some(memory) = MEMORY.take() else {
        return Ok(());
    };
    let Memory {
        mesh,
        vertices,
        lists: [one, other],
    } = memory;
    let mut model = Software::new();
    let mut random = Random(0x0CAB_1E57);
    let mut sum = Stats::default();
    let (mut full, mut tables) = (0, 0);
    for round in 0..240 {
        let count = COUNTS[random.below(COUNTS.len() as u32) as usize];
        let size = [30, 100, 400, 2000][random.below(4) as usize];
        let vertices = &mut vertices[..count as usize];
        for vertex in vertices.iter_mut() {
            let [x, y, z] = [(); 3].map(|()| random.around(size));
            *vertex = SVector::new(x, y, z);
        }
        let groups = [round % 12, random.below(12)].map(|kind| {
            (
                Kind::ALL[kind as usize],
                [(); PRIMITIVES].map(|()| random.primitive(count)),
            )
        });
        let styles = [Style::OPAQUE, Style::RAW_TEXTURE, Style::SEMI_TRANSPARENT];
        let groups = [0, 1].map(|n| GroupSource {
            kind: groups[n].0,
            style: styles[(round as usize + n) % 3],
            primitives: &groups[n].1,
        });
        let object = ObjectSource {
            vertices,
            normals: vertices,
            groups: &groups,
        };
        // SAFETY: a `u32` is four bytes, each of which may hold anything.
        let bytes = unsafe { mesh.align_to_mut::<u8>().1 };
        let parsed = emit(&[object], bytes)
            .ok()
            .and_then(|len| Tmd::parse(bytes.get(..len)?).ok());
        let Some(parsed) = parsed else {
            return Err("a mesh is refused");
        };
        let options = random.options();
        let actor = Transform {
            rotation: random.matrix(),
            translation: Vector::new(
                random.around(size).into(),
                random.around(size).into(),
                random.below(3000) as i32 - 200,
            ),
        };
        let room = match random.below(3) {
            0 => 64 + random.below(400) as usize,
            _ => LIST - 1,
        };
        let place = PLACES[random.below(3) as usize];
        one[room] = UNTOUCHED;
        if let Some(memory) = chip.lend_scratchpad() {
            memory[0] = UNTOUCHED;
            chip.give_scratchpad(memory);
        }
        if round % 2 == 1 {
            interrupt_every(3000 + random.below(2048) as u16);
        }
        let ((found, used), lost) = live(|| {
            let words = (&mut one[..room], place);
            drawn(chip, words, &parsed, &actor, &options)
        });
        interrupt_every(0);
        expect(
            lost == 0,
            "drawing changes a register that it does not declare",
        )?;
        let expected = drawn(
            &mut model,
            (&mut other[..room], place),
            &parsed,
            &actor,
            &options,
        );
        expect(
            (found, used) == expected,
            "a mesh is drawn with another result",
        )?;
        expect(one[..used] == other[..used], "a mesh makes another list")?;
        if let Some(memory) = chip.lend_scratchpad() {
            tables += u32::from(memory[0] != UNTOUCHED);
            let without = drawn(chip, (&mut one[..room], place), &parsed, &actor, &options);
            expect(
                without == expected && one[..used] == other[..used],
                "without a table a mesh is drawn otherwise",
            )?;
            chip.give_scratchpad(memory);
        }
        expect(one[room] == UNTOUCHED, "a word behind the list is written")?;
        match found {
            Ok(stats) => sum = sum.plus(stats),
            Err(_) => full += 1,
        }
    }
    let seen = sum.drawn > 400 && sum.culled > 1000 && sum.near > 200 && sum.oversize > 50;
    expect(
        seen && full > 3 && tables > 100,
        "too little of some kind was drawn",
    )
}
