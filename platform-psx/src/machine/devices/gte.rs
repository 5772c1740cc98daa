//! Every method of the geometry engine's traits, on the chip: while nearly all registers of the CPU
//! hold values, which must be there afterwards; against the software model; and with interrupts that
//! arrive at irregular places of the instructions.

use core::arch::asm;
use core::cell::UnsafeCell;
use core::hint::black_box;

use overworld_runtime::fixed::{Matrix, SVector, Vector};
use overworld_runtime::gte::software::Gte as Software;
use overworld_runtime::gte::{
    Addend, Factor, Geometry, Lighting, RawVertex, Registers, Shade, unpack,
};

use super::Outcome;
use crate::exception::Frame;
use crate::gte::Cop2;
use crate::interrupt::{self, Source};
use crate::io;

/// A function that holds so many values over what it is given: `live(work)` answers what `work`
/// does, and which bits of the values have changed.
macro_rules! live {
    ($($name:ident = $value:literal)+) => {
        #[inline(always)]
        pub(super) fn live<R>(work: impl FnOnce() -> R) -> (R, u32) {
            $(let mut $name: u32 = $value;)+
            // SAFETY: no instruction at all. Each value has to be in a register here, and from here
            // on the compiler does not know it.
            unsafe {
                asm!(
                    concat!("#", $(" {", stringify!($name), "}"),+),
                    $($name = inout(reg) $name,)+
                    options(nomem, nostack, preserves_flags),
                );
            }
            let result = work();
            // SAFETY: as above. All values have to be in registers again; the work needs few, so
            // nearly all of them stayed in theirs.
            unsafe {
                asm!(
                    concat!("#", $(" {", stringify!($name), "}"),+),
                    $($name = inout(reg) $name,)+
                    options(nomem, nostack, preserves_flags),
                );
            }
            (result, 0 $(| ($name ^ $value))+)
        }
    };
}

// The registers that the compiler may use are 24: $2 to $25.
live! {
    a = 0x0101_5A01 b = 0x0202_5A02 c = 0x0303_5A03 d = 0x0404_5A04 e = 0x0505_5A05 f = 0x0606_5A06
    g = 0x0707_5A07 h = 0x0808_5A08 i = 0x0909_5A09 j = 0x0A0A_5A0A k = 0x0B0B_5A0B l = 0x0C0C_5A0C
    m = 0x0D0D_5A0D n = 0x0E0E_5A0E o = 0x0F0F_5A0F p = 0x1010_5A10 q = 0x1111_5A11 r = 0x1212_5A12
    s = 0x1313_5A13 t = 0x1414_5A14 u = 0x1515_5A15 v = 0x1616_5A16
}

/// The chip and the model, which are told the same.
struct Pair<'a> {
    chip: &'a mut Cop2,
    model: Software,
    random: u32,
    /// Let an interrupt come into each call.
    interrupted: bool,
}

/// Call a method of both; the answers must be equal and the CPU's registers as they were.
macro_rules! answer {
    ($pair:ident, $name:literal, |$gte:ident| $call:expr) => {
        $pair.arm();
        let (found, lost) = {
            let $gte = &mut *$pair.chip;
            live(|| $call)
        };
        let expected = {
            let $gte = &mut $pair.model;
            $call
        };
        if lost != 0 {
            return Err(concat!(
                $name,
                " changes a register of the CPU that it does not declare"
            ));
        }
        if found != expected {
            return Err(concat!($name, " answers something else than the model"));
        }
    };
}

/// As [`answer`]; and all of the engine's registers must be equal.
macro_rules! whole {
    ($pair:ident, $name:literal, |$gte:ident| $call:expr) => {
        answer!($pair, $name, |$gte| $call);
        if !$pair.equal() {
            return Err(concat!($name, " leaves other registers than the model"));
        }
    };
}

impl Pair<'_> {
    /// Let root counter 2 interrupt once, 40 to 551 cycles from now. The call begins about 200 cycles
    /// from now, for the loading of the held values comes out of RAM, not out of the cache.
    fn arm(&mut self) {
        if self.interrupted {
            let irregular = self.next() >> 23;
            let counter = io::root_counter(2);
            counter.target.write(40 + irregular);
            counter.mode.write(0x0018);
        }
    }

    fn equal(&mut self) -> bool {
        (0..64).all(|register| self.chip.read(register) == self.model.read(register))
    }

    /// The next number of a generator (xorshift).
    fn next(&mut self) -> u32 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 17;
        self.random ^= self.random << 5;
        black_box(self.random)
    }

    /// A vector of 12 bits a component.
    fn vector(&mut self) -> RawVertex {
        [self.next() & 0x0FFF_0FFF, self.next() & 0x0FFF]
    }

    fn matrix(&mut self) -> Matrix {
        Matrix {
            m: [(); 3].map(|()| [(); 3].map(|()| self.next() as i16 >> 3)),
        }
    }

    /// All registers the same in both, and none of them zero.
    fn load(&mut self) {
        for register in 0..64 {
            let value = self.next();
            self.chip.write(register, value);
            self.model.write(register, value);
        }
    }

    /// The setters.
    fn set(&mut self) -> Outcome {
        let [turn, light, colours] = [(); 3].map(|()| self.matrix());
        let place = Vector::new(0, -7, (self.next() >> 20) as i32);
        let (a, b) = (self.next(), self.next());
        let [red, green, blue, _] = a.to_le_bytes();
        let columns = [(); 3].map(|()| [(); 3].map(|()| self.next()));
        whole!(self, "set_rotation", |gte| gte.set_rotation(&turn));
        whole!(self, "set_translation", |gte| gte.set_translation(&place));
        whole!(self, "set_screen", |gte| gte.set_screen(
            a as i32 >> 8,
            b as i32 >> 8,
            b as u16
        ));
        whole!(self, "set_average", |gte| gte
            .set_average(a as i16, b as i16));
        whole!(self, "set_cue", |gte| gte.set_cue(
            [red, green, blue],
            a as i16,
            b as i32
        ));
        whole!(self, "set_columns", |gte| gte.set_columns(columns));
        whole!(self, "set_light", |gte| gte.set_light(&light));
        whole!(self, "set_light_colour", |gte| gte
            .set_light_colour(&colours));
        whole!(self, "set_background", |gte| gte
            .set_background([red, green, blue]));
        whole!(self, "set_fade", |gte| gte.set_fade(b as u16 >> 3));
        whole!(self, "set_rotation", |gte| gte.set_rotation(&turn));
        Ok(())
    }

    /// Projection, and what works on its results.
    fn project(&mut self) -> Outcome {
        let raw = [(); 4].map(|()| self.vector());
        let [p, q, r, s] = raw.map(unpack);
        whole!(self, "project3", |gte| gte.project3([&p, &q, &r]));
        whole!(self, "project", |gte| gte.project(&s));
        whole!(self, "normal_clip", |gte| gte.normal_clip());
        whole!(self, "average3", |gte| gte.average3());
        whole!(self, "average4", |gte| gte.average4());
        whole!(self, "depth", |gte| gte.depth());
        whole!(self, "screen3", |gte| gte.screen3());
        whole!(self, "store_screen3", |gte| {
            let mut to = [0; 3];
            let [a, b, c] = &mut to;
            gte.store_screen3([a, b, c]);
            to
        });
        // The chip is a step ahead in some of these, so the registers are compared at the end.
        whole!(self, "begin3", |gte| gte
            .begin3([&raw[2], &raw[1], &raw[0]]));
        answer!(self, "begin_clip", |gte| gte.begin_clip());
        answer!(self, "clip3", |gte| gte.clip3());
        whole!(self, "finish3", |gte| gte.finish3());
        whole!(self, "begin3", |gte| gte
            .begin3([&raw[0], &raw[1], &raw[2]]));
        answer!(self, "begin_clip", |gte| gte.begin_clip());
        whole!(self, "clip4", |gte| gte.clip4(&raw[3]));
        whole!(self, "finish4", |gte| gte.finish4());
        Ok(())
    }

    /// Matrix times vector.
    fn multiply(&mut self) -> Outcome {
        let raw = self.vector();
        let v: SVector = unpack(raw);
        let m = self.matrix();
        whole!(self, "rotate", |gte| gte.rotate(&v));
        whole!(self, "transform", |gte| gte.transform(&v));
        whole!(self, "rotate_raw", |gte| gte.rotate_raw(raw));
        whole!(self, "transform_raw", |gte| gte.transform_raw(raw));
        whole!(self, "multiply", |gte| gte.multiply(&m));
        macro_rules! products {
            ($($factor:ident $addend:ident),+) => {$(
                whole!(self, "apply", |gte| gte.apply(Factor::$factor, Addend::$addend, &raw));
            )+};
        }
        products!(
            Rotation Translation, Rotation Background, Rotation Nothing, Light Translation,
            Light Background, Light Nothing, LightColour Translation, LightColour Background,
            LightColour Nothing
        );
        for factor in Factor::ALL {
            for addend in Addend::ALL {
                let (factor, addend) = black_box((factor, addend));
                whole!(self, "apply", |gte| gte.apply(factor, addend, &raw));
            }
        }
        Ok(())
    }

    /// A piece of an actor; what else the engine holds afterwards is left to the machine.
    fn compose(&mut self) -> Outcome {
        let turn = self.matrix();
        let place = Vector::new(0, -7, (self.next() >> 20) as i32);
        let t = [(); 3].map(|()| self.next() as i16 >> 4);
        let angles = [(); 3].map(|()| self.next() as u16);
        answer!(self, "compose", |gte| gte.compose(&turn, &place, t, angles));
        let same = (32..40).all(|register| self.chip.read(register) == self.model.read(register));
        if !same {
            return Err("compose leaves another RT or TR than the model");
        }
        Ok(())
    }

    /// Colours.
    fn colour(&mut self) -> Outcome {
        let [a, b, c] = [(); 3].map(|()| self.vector());
        let words = [(); 3].map(|()| self.next());
        whole!(self, "cue", |gte| gte.cue(words[0]));
        whole!(self, "cue3", |gte| gte.cue3(words));
        for shade in [Shade::Plain, Shade::Coloured, Shade::Cued] {
            let shade = black_box(shade);
            whole!(self, "begin_colour", |gte| gte
                .begin_colour(shade, &a, words[1]));
            whole!(self, "colour", |gte| gte.colour());
            whole!(self, "normal_colour", |gte| gte
                .normal_colour(shade, &b, words[2]));
            whole!(self, "begin_colour3", |gte| gte.begin_colour3(
                shade,
                [&a, &b, &c],
                words[1]
            ));
            whole!(self, "colours3", |gte| gte.colours3());
            whole!(self, "normal_colour3", |gte| {
                gte.normal_colour3(shade, [&b, &c, &a], words[2])
            });
            whole!(self, "store_colours3", |gte| {
                let mut to = [0; 3];
                let [a, b, c] = &mut to;
                gte.store_colours3([a, b, c]);
                to
            });
        }
        whole!(self, "normal_colour", |gte| gte.normal_colour(
            Shade::Cued,
            &b,
            words[2]
        ));
        whole!(self, "normal_colour3", |gte| {
            gte.normal_colour3(Shade::Coloured, [&b, &c, &a], words[2])
        });
        Ok(())
    }

    /// The register file.
    fn registers(&mut self) -> Outcome {
        // RTPS, MVMVA with the light matrix, NCDT, GPL.
        for word in [0x4A18_0001, 0x4A4A_6012, 0x4AF8_0416, 0x4BA8_003E] {
            whole!(self, "command", |gte| gte.command(word));
        }
        for register in 0..64 {
            let value = self.next();
            answer!(self, "write", |gte| gte.write(register, value));
            answer!(self, "read", |gte| gte.read(register));
        }
        if self.equal() {
            Ok(())
        } else {
            Err("write leaves other registers than the model")
        }
    }

    /// Commands that push a FIFO, as the last instruction of a call: most interrupts that come right behind a
    /// command come here.
    fn push(&mut self) -> Outcome {
        for _ in 0..20 {
            let (normal, colour) = (self.vector(), self.next());
            answer!(self, "begin_colour", |gte| gte.begin_colour(
                Shade::Plain,
                &normal,
                colour
            ));
            answer!(self, "colours3", |gte| gte.colours3());
        }
        Ok(())
    }

    fn all(&mut self) -> Outcome {
        self.load();
        self.set()?;
        self.project()?;
        self.multiply()?;
        self.compose()?;
        self.load();
        self.colour()?;
        self.push()?;
        self.registers()
    }
}

/// Each method while registers hold values.
pub(super) fn keeps_registers(chip: &mut Cop2) -> Outcome {
    let mut pair = Pair {
        chip,
        model: Software::new(),
        random: 0x0C0F_FEE1,
        interrupted: false,
    };
    (0..4).try_for_each(|_| pair.all())
}

/// A counter that the interrupt handler changes.
struct Count(UnsafeCell<u32>);

// SAFETY: one CPU; every access is one volatile word.
unsafe impl Sync for Count {}

impl Count {
    fn get(&self) -> u32 {
        // SAFETY: the cell is valid and no reference into it exists.
        unsafe { self.0.get().read_volatile() }
    }

    fn set(&self, value: u32) {
        // SAFETY: as in `get`.
        unsafe { self.0.get().write_volatile(value) };
    }
}

static FIRED: Count = Count(UnsafeCell::new(0));

fn count() {
    FIRED.set(FIRED.get() + 1);
}

/// How often an interrupt was made to look like one of a command.
static WOUND_BACK: Count = Count(UnsafeCell::new(0));

/// A console that is interrupted at a command executes it and lets EPC point at it. The emulator never takes an
/// interrupt at an instruction of the engine: it takes it at the first one behind that is none. So where that is
/// the one right behind a command, EPC is put back to the command, and what the handler finds is what it
/// would find on a console.
fn as_on_a_console(frame: &mut Frame) {
    // SAFETY: the interrupted instruction is one of the program's, and code of the program lies before it.
    let before = unsafe { (frame.epc.wrapping_sub(4) as *const u32).read_volatile() };
    if !frame.in_delay_slot() && Frame::is_gte_command(before) {
        frame.epc = frame.epc.wrapping_sub(4);
        WOUND_BACK.set(WOUND_BACK.get() + 1);
    }
}

/// The same, with an interrupt in nearly every call, some of them at commands: a handler that does not step
/// over these lets them run twice, and the screen, depth and colour FIFOs show it.
pub(super) fn stands_interrupts(chip: &mut Cop2) -> Outcome {
    let mut pair = Pair {
        chip,
        model: Software::new(),
        random: 0x0D0F_FEE1,
        interrupted: true,
    };
    let outcome = watched(|| (0..100).try_for_each(|_| pair.all()));
    outcome?;
    came(10_000, 20)
}

/// Do something with the handlers in place that see interrupts of root counter 2 as a console takes them.
pub(super) fn watched<R>(work: impl FnOnce() -> R) -> R {
    FIRED.set(0);
    WOUND_BACK.set(0);
    interrupt::set_handler(Source::Timer2, Some(count));
    interrupt::set_watch(Some(as_on_a_console));
    interrupt::mask(Source::Timer2, true);
    let result = work();
    interrupt::mask(Source::Timer2, false);
    interrupt::set_watch(None);
    interrupt::set_handler(Source::Timer2, None);
    io::root_counter(2).mode.write(0);
    result
}

/// Whether so many interrupts came, and so many of them right behind a command, since [`watched`] began.
pub(super) fn came(all: u32, behind: u32) -> Outcome {
    if FIRED.get() < all {
        return Err("the timer did not interrupt");
    }
    if WOUND_BACK.get() < behind {
        return Err("too few interrupts came right behind a command");
    }
    Ok(())
}

/// Let root counter 2 interrupt every so many cycles until it is told otherwise; 0: no more.
pub(super) fn interrupt_every(cycles: u16) {
    let counter = io::root_counter(2);
    counter.mode.write(0);
    if cycles != 0 {
        counter.target.write(cycles.into());
        counter.mode.write(0x0058);
    }
}
