//! Random programs on two small machines: one whose loads arrive one instruction late, as on the
//! console, and one whose loads arrive at once, as who wrote the program means it. Where the two do
//! different things, the scanner must have seen why.

use super::*;

/// Words of the first function, and of the second, which the first may call.
const LENGTHS: [u32; 2] = [20, 8];
/// Words that are executed at the most.
const STEPS: usize = 300;
/// Where a return from the first function goes.
const OUT: u32 = 0x8000_1000;
/// Registers that the programs use.
const REGISTERS: [u32; 6] = [V0, V1, A0, A1, T0, S0];
const RA: u32 = 31;

/// Numbers without an order (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) as u32 % limit
    }

    fn register(&mut self) -> u32 {
        REGISTERS[self.below(REGISTERS.len() as u32) as usize]
    }

    /// Anything but a transfer.
    fn plain(&mut self) -> u32 {
        let (a, b, c) = (self.register(), self.register(), self.register());
        match self.below(8) {
            0 | 1 => lw(a, self.below(64) * 4, b),
            2 => i(32 + self.below(2), b, a, self.below(64) * 2),
            // lwl, lwr
            3 => i(34 + 4 * self.below(2), b, a, self.below(64)),
            4 => sw(a, self.below(64) * 4, b),
            5 => addiu(a, b, self.below(0x1_0000)),
            6 => addu(a, b, c),
            _ => NOP,
        }
    }

    /// A function of `length` words at word `first`.
    fn function(&mut self, first: u32, length: u32, callee: Option<u32>) -> Vec<u32> {
        let mut words = Vec::new();
        while words.len() as u32 + 4 < length {
            let at = words.len() as u32;
            let to = self.below(length - 2);
            let over = to as i16 - at as i16 - 1;
            let (a, b) = (self.register(), self.register());
            let transfer = match (self.below(12), callee) {
                (0, _) => beq(a, b, over),
                (1, _) => bne(a, b, over),
                // bltz, bgez
                (2, _) => i(1, a, self.below(2), over as u32),
                (3, _) => j(TEXT + 4 * (first + to)),
                (4, Some(callee)) => jal(TEXT + 4 * callee),
                _ => {
                    words.push(self.plain());
                    continue;
                }
            };
            // No branch ends up in a slot: that is a hazard of its own, and undefined.
            words.extend([transfer, self.plain()]);
        }
        words.resize(length as usize - 2, NOP);
        words.extend([RETURN, self.plain()]);
        words
    }
}

/// What a machine did: the places of its instructions, and its stores.
type Trace = Vec<(u32, u32)>;

/// A word of a memory that nobody writes.
fn memory(address: u32) -> u32 {
    (address & !3).wrapping_mul(0x9E37_79B9) ^ 0x5A5A_0000
}

/// Run the words; loads arrive late or at once.
fn run(words: &[u32], late: bool) -> Trace {
    let mut registers = [0u32; 32];
    for register in REGISTERS {
        registers[register as usize] = register.wrapping_mul(0x0101_1335);
    }
    registers[RA as usize] = OUT;
    let mut trace = Trace::new();
    let (mut pc, mut next) = (TEXT, TEXT + 4);
    let mut arriving: Option<(u32, u32)> = None;
    while trace.len() < STEPS {
        let Some(&word) = words.get((pc.wrapping_sub(TEXT) / 4) as usize) else {
            // The caller: it reads nothing at once that is in a temporary register.
            break;
        };
        let [rs, rt, rd] = [21, 16, 11].map(|shift| word >> shift & 31);
        let offset = (word as u16 as i16 as i32) as u32;
        let (a, b) = (registers[rs as usize], registers[rt as usize]);
        let target = pc.wrapping_add(4).wrapping_add(offset << 2);
        let (mut after, mut written, mut load) = (next.wrapping_add(4), None, None);
        let address = a.wrapping_add(offset);
        let mut stored = 0;
        match (word >> 26, word & 63) {
            (0, 33) => written = Some((rd, a.wrapping_add(b))),
            // The first function would have kept its return address over its calls.
            (0, 8) if pc < TEXT + 4 * LENGTHS[0] => after = OUT,
            (0, 8) => after = a,
            (0, _) => {}
            (1, _) if (rt == 0) == ((a as i32) < 0) => after = target,
            (4, _) if a == b => after = target,
            (5, _) if a != b => after = target,
            (1 | 4 | 5, _) => {}
            (2, _) => after = TEXT & 0xF000_0000 | (word & 0x03FF_FFFF) << 2,
            (3, _) => {
                after = TEXT & 0xF000_0000 | (word & 0x03FF_FFFF) << 2;
                written = Some((RA, pc.wrapping_add(8)));
            }
            (9, _) => written = Some((rt, address)),
            (43, _) => stored = b ^ address.rotate_left(7),
            (op @ (34 | 38), _) => {
                // The CPU forwards what is on its way to the register.
                let old = arriving.map_or(b, |(to, value)| if to == rt { value } else { b });
                let mask = u32::MAX << (8 * (address & 3));
                let mask = if op == 34 { mask } else { !mask };
                load = Some((rt, old & mask | memory(address) & !mask));
            }
            (32..=37, _) => load = Some((rt, memory(address).rotate_right(address & 3))),
            _ => panic!("{word:08X} is none of the words that are made here"),
        }
        trace.push((pc, stored));
        let before = arriving.take();
        if let Some((register, value)) = before {
            registers[register as usize] = value;
        }
        if let Some((register, value)) = written {
            registers[register as usize] = value;
        }
        match load {
            Some(load) if late => arriving = Some(load),
            Some((register, value)) => registers[register as usize] = value,
            None => {}
        }
        (pc, next) = (next, after);
    }
    trace
}

#[test]
fn whatever_a_late_load_changes_is_found() {
    let mut random = Random(0x0123_4567_89AB_CDEF);
    let (mut changed, mut found) = (0, 0);
    for round in 0..4_000 {
        let mut words = random.function(0, LENGTHS[0], Some(LENGTHS[0]));
        words.extend(random.function(LENGTHS[0], LENGTHS[1], None));
        let elf = Elf::new(TEXT)
            .code(".text", TEXT, &words)
            .symbol("caller", TEXT, 4 * LENGTHS[0], FUNC)
            .symbol("callee", TEXT + 4 * LENGTHS[0], 4 * LENGTHS[1], FUNC);
        let report = scan(&elf.build()).unwrap();
        let differ = run(&words, true) != run(&words, false);
        changed += usize::from(differ);
        found += usize::from(!report.clean());
        assert!(
            !differ || !report.clean(),
            "round {round}: {words:08X?}\n{report}"
        );
    }
    // The rest has hazards on ways that these runs did not take.
    assert!(changed > 100 && found < 4_000, "{changed} {found}");
}
