//! What a console image costs: its sections, its largest symbols, and how its hot functions
//! share the instruction cache (HAL sheet, section 1.3).

use std::collections::BTreeMap;
use std::fmt;

use object::read::elf::{ElfFile32, FileHeader as _, SectionHeader as _};
use object::{LittleEndian, Object, ObjectSection, ObjectSymbol, SectionKind, SymbolKind, elf};

use crate::hazards;

/// Bytes of the instruction cache.
pub const CACHE: u64 = 4096;
/// Bytes of one of its lines.
pub const LINE: u64 = 16;
/// Number of its lines; it is direct-mapped.
pub const LINES: u64 = CACHE / LINE;

/// The functions whose place in the cache matters: they run thousands of times a frame, or for every
/// sector while a scene is read. A function counts when its demangled name contains one of these texts;
/// formatters never do. What the compiler has put into its callers (poses, the sectors' way into the
/// kernel, the GTE) counts with them. Each text must name something in the demo; a test sees to it.
pub const HOT: [&str; 6] = [
    "lzs::kernel",
    "scene::unpack",
    "model::draw",
    "runtime::gpu::list",
    "stage::Makers>::picture",
    "memmove",
];

/// How many letters must be put in, left out or changed until `name` contains `text`; upper and
/// lower case are one.
fn distance(text: &str, name: &str) -> usize {
    let lower = |text: &str| -> Vec<char> { text.chars().flat_map(char::to_lowercase).collect() };
    let text = lower(text);
    // The cost of the first letters of `text` where the match ends at the present letter of `name`;
    // it may begin anywhere, so none of them costs nothing.
    let mut costs: Vec<usize> = (0..=text.len()).collect();
    let mut best = text.len();
    for letter in lower(name) {
        let mut diagonal = costs[0];
        for (index, wanted) in text.iter().enumerate() {
            let change = diagonal + usize::from(*wanted != letter);
            diagonal = costs[index + 1];
            costs[index + 1] = change.min(costs[index] + 1).min(diagonal + 1);
        }
        best = best.min(costs[text.len()]);
    }
    best
}

/// A named piece of code or data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Demangled, without the hash.
    pub name: String,
    /// First address.
    pub address: u64,
    /// Bytes.
    pub size: u64,
    /// It is code.
    pub code: bool,
}

impl Symbol {
    /// The name for a table: what generic types of iterators are called fills lines.
    fn short(&self) -> String {
        const LONGEST: usize = 100;
        if self.name.chars().count() <= LONGEST {
            return self.name.clone();
        }
        let start: String = self.name.chars().take(LONGEST - 3).collect();
        format!("{start}...")
    }

    /// The cache lines that its code occupies, by set.
    fn sets(&self) -> impl Iterator<Item = u64> {
        let lines = self.address / LINE..(self.address + self.size).div_ceil(LINE);
        lines.map(|line| line % LINES)
    }

    /// Number of cache lines.
    pub fn lines(&self) -> u64 {
        (self.address + self.size).div_ceil(LINE) - self.address / LINE
    }
}

/// The size report of one image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Code.
    pub text: u64,
    /// Constants.
    pub rodata: u64,
    /// Data with start values.
    pub data: u64,
    /// Zeroed data.
    pub bss: u64,
    /// All symbols with a size, the largest first.
    pub symbols: Vec<Symbol>,
    /// The hot functions, in the order of their addresses.
    pub hot: Vec<Symbol>,
    /// It is a program of the console, which alone has this cache: only there functions are hot.
    pub console: bool,
}

impl Report {
    /// Measure an ELF. `hot` are parts of the names of functions.
    ///
    /// # Errors
    /// It is no ELF of a 32-bit little-endian machine.
    pub fn of(file: &[u8], hot: &[&str]) -> Result<Self, hazards::Error> {
        hazards::check_any_header(file)?;
        let file = ElfFile32::<LittleEndian>::parse(file).map_err(hazards::Error::tables)?;
        let mut report = Self::default();
        for section in file.sections() {
            let header = section.elf_section_header();
            let flags = header.sh_flags(LittleEndian).0;
            if flags & elf::SHF_ALLOC.0 == 0 {
                continue;
            }
            let size = section.size();
            // The flags decide: a linker script may have renamed or merged anything.
            if section.kind() == SectionKind::UninitializedData
                || header.sh_type(LittleEndian) == elf::SHT_NOBITS
            {
                report.bss += size;
            } else if flags & elf::SHF_EXECINSTR.0 != 0 {
                report.text += size;
            } else if flags & elf::SHF_WRITE.0 != 0 {
                report.data += size;
            } else {
                report.rodata += size;
            }
        }
        // Several names for one place (aliases of memcpy) count once.
        let mut places = BTreeMap::new();
        for symbol in file
            .symbols()
            .filter(|symbol| symbol.size() > 0 && !symbol.is_undefined())
        {
            let Ok(name) = symbol.name() else { continue };
            places
                .entry((symbol.address(), symbol.size()))
                .or_insert_with(|| Symbol {
                    name: format!("{:#}", rustc_demangle::demangle(name)),
                    address: symbol.address(),
                    size: symbol.size(),
                    code: symbol.kind() == SymbolKind::Text,
                });
        }
        report.symbols = places.into_values().collect();
        report.console = file.elf_header().e_machine(LittleEndian) == elf::EM_MIPS;
        if report.console {
            let is_hot = |symbol: &&Symbol| hot.iter().any(|part| symbol.name.contains(part));
            report.hot = report.candidates().filter(is_hot).cloned().collect();
        }
        report
            .symbols
            .sort_by(|a, b| b.size.cmp(&a.size).then(a.address.cmp(&b.address)));
        Ok(report)
    }

    /// The functions that may be hot.
    fn candidates(&self) -> impl Iterator<Item = &Symbol> {
        let functions = self.symbols.iter().filter(|symbol| symbol.code);
        functions.filter(|symbol| !symbol.name.contains("core::fmt::"))
    }

    /// The names of functions that come nearest to a text that none contains, the nearest first;
    /// few, or none when nothing is near.
    pub fn near(&self, text: &str) -> Vec<&str> {
        const MOST: usize = 5;
        // Beyond a third of wrong letters a likeness is chance.
        let limit = (text.chars().count() / 3).max(1);
        let mut near: Vec<(usize, &str)> = self
            .candidates()
            .map(|symbol| (distance(text, &symbol.name), symbol.name.as_str()))
            .filter(|(distance, _)| *distance <= limit)
            .collect();
        near.sort_by_key(|(distance, name)| (*distance, name.len(), *name));
        near.dedup();
        near.into_iter().map(|(_, name)| name).take(MOST).collect()
    }

    /// Bytes that a loader brings into memory.
    pub fn loaded(&self) -> u64 {
        self.text + self.rodata + self.data
    }

    /// The pairs of hot functions that throw each other out of the cache, with the number of
    /// shared lines; the worst first.
    pub fn conflicts(&self) -> Vec<(&Symbol, &Symbol, usize)> {
        let mut conflicts = Vec::new();
        for (index, first) in self.hot.iter().enumerate() {
            for second in self.hot.iter().skip(index + 1) {
                let sets: std::collections::BTreeSet<u64> = first.sets().collect();
                let other: std::collections::BTreeSet<u64> = second.sets().collect();
                // A line that both occupy together, where one ends and the other begins, is no conflict.
                let (end, begin) = (first.address + first.size, second.address);
                let joined = usize::from(
                    begin < end.next_multiple_of(LINE) && begin / LINE == (end - 1) / LINE,
                );
                let shared = sets.intersection(&other).count().saturating_sub(joined);
                if shared > 0 {
                    conflicts.push((first, second, shared));
                }
            }
        }
        conflicts.sort_by_key(|(_, _, shared)| std::cmp::Reverse(*shared));
        conflicts
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "  text {}, constants {}, data {}, zeroed {} bytes; {} in the file, {} in memory",
            self.text,
            self.rodata,
            self.data,
            self.bss,
            self.loaded(),
            self.loaded() + self.bss
        )?;
        writeln!(f, "  largest symbols:")?;
        for symbol in self.symbols.iter().take(10) {
            let kind = if symbol.code { "code" } else { "data" };
            writeln!(
                f,
                "    {:>7} {kind} {:08x} {}",
                symbol.size,
                symbol.address,
                symbol.short()
            )?;
        }
        if self.hot.is_empty() {
            return Ok(());
        }
        let lines: u64 = self.hot.iter().map(Symbol::lines).sum();
        writeln!(
            f,
            "  hot functions in the instruction cache (4 KiB, {LINES} lines of {LINE} bytes): {lines} lines, {} %",
            lines * 100 / LINES
        )?;
        for symbol in &self.hot {
            writeln!(
                f,
                "    {:>6} bytes {:>3} lines {:>3} % {:08x} {}",
                symbol.size,
                symbol.lines(),
                symbol.lines() * 100 / LINES,
                symbol.address,
                symbol.short()
            )?;
        }
        let conflicts = self.conflicts();
        for (first, second, shared) in conflicts.iter().take(5) {
            writeln!(
                f,
                "    {shared:>3} lines shared by {} and {}",
                first.short(),
                second.short()
            )?;
        }
        if conflicts.len() > 5 {
            writeln!(
                f,
                "    and {} more pairs that share lines",
                conflicts.len() - 5
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handmade::{Elf, Section};
    use overworld_tests::artefacts;

    fn sample() -> Elf {
        let mut elf = Elf::new(0x8001_0000).code(0x8001_0000, &[0; 0x40]).data(
            0x8001_0040,
            &[1; 0x24],
            0x124,
        );
        let section = |name, kind, flags, address, size| Section {
            name,
            kind,
            flags,
            address,
            size,
        };
        elf.sections = vec![
            section(".text", 1, 2 | 4, 0x8001_0000, 0x40),
            section(".rodata", 1, 2, 0x8001_0040, 0x10),
            section(".data", 1, 2 | 1, 0x8001_0050, 0x14),
            section(".bss", 8, 2 | 1, 0x8001_0064, 0x100),
            section(".debug_info", 1, 0, 0, 0x10),
        ];
        elf.symbols = vec![
            (
                "_ZN9overworld3lzs6decode17h0123456789abcdefE",
                0x8001_0000,
                0x18,
                true,
            ),
            ("memcpy", 0x8001_1008, 0x20, true),
            ("bcopy", 0x8001_1008, 0x20, true),
            ("TABLE", 0x8001_0050, 0x14, false),
            ("__bss_start", 0x8001_0064, 0, false),
        ];
        elf
    }

    #[test]
    fn what_cannot_be_measured_is_said_plainly() {
        let says = |file: &[u8], words: &[&str]| {
            let error = Report::of(file, &[]).unwrap_err().to_string();
            for word in words {
                assert!(error.contains(word), "{word}: {error}");
            }
        };
        says(b"", &["expected an ELF file", "an empty file"]);
        says(b"#!/bin/sh", &["expected an ELF", "found 23 21 2F 62"]);
        says(b"PS-X EXE\0\0", &["PS-EXE", "expected the ELF"]);
        let whole = sample().bytes();
        says(&whole[..40], &["52 bytes", "found a file of 40 bytes"]);
        let cut = whole.len() - 1;
        says(
            &whole[..cut],
            &[
                "section table",
                "expected its 9 entries",
                &format!("{cut} bytes"),
            ],
        );
        let with = |at: usize, value: u8| {
            let mut file = whole.clone();
            file[at] = value;
            file
        };
        says(&with(4, 2), &["expected 32-bit (1)", "found 64-bit (2)"]);
        says(&with(5, 2), &["expected little-endian, found big-endian"]);
        says(&with(30, 0x7F), &["segment table", "found them at 0x7F"]);
        says(
            &with(46, 41),
            &["section table", "expected entries of 40 bytes, found 41"],
        );
        // Firmware is measured as well.
        assert!(Report::of(&with(18, 40), &[]).is_ok());
        // No cut of any length is measured, and each is explained.
        for length in 0..whole.len() {
            says(&whole[..length], &["expected", "found"]);
        }
    }

    #[test]
    fn sections_are_counted_by_what_they_are() {
        let report = Report::of(&sample().bytes(), &[]).unwrap();
        assert_eq!(
            (report.text, report.rodata, report.data, report.bss),
            (0x40, 0x10, 0x14, 0x100)
        );
        assert_eq!(report.loaded(), 0x64);
    }

    #[test]
    fn names_that_come_near_are_found() {
        assert_eq!(distance("decode", "overworld::lzs::decode"), 0);
        assert_eq!(distance("LZS::Decode", "overworld::lzs::decode"), 0);
        assert_eq!(distance("lsz::decode", "overworld::lzs::decode"), 2);
        assert_eq!(distance("decoder", "overworld::lzs::decode"), 1);
        assert_eq!(distance("abc", ""), 3);
        let report = Report::of(&sample().bytes(), &["nothing"]).unwrap();
        assert!(report.console && report.hot.is_empty());
        assert_eq!(report.near("lsz::decode"), ["overworld::lzs::decode"]);
        assert_eq!(report.near("Memcpy"), ["memcpy"]);
        assert_eq!(report.near("TABLE"), [""; 0], "data is not hot");
        assert_eq!(report.near("console::play"), [""; 0]);
    }

    #[test]
    fn symbols_are_demangled_once_a_place_and_sorted() {
        let report = Report::of(&sample().bytes(), &[]).unwrap();
        let list: Vec<(&str, u64, bool)> = report
            .symbols
            .iter()
            .map(|symbol| (symbol.name.as_str(), symbol.size, symbol.code))
            .collect();
        assert_eq!(
            list,
            [
                ("memcpy", 0x20, true),
                ("overworld::lzs::decode", 0x18, true),
                ("TABLE", 0x14, false)
            ]
        );
    }

    #[test]
    fn cache_lines_and_conflicts_are_counted() {
        let report = Report::of(&sample().bytes(), &["lzs::decode", "memcpy", "absent"]).unwrap();
        let [decode, copy] = &report.hot[..] else {
            panic!("{:?}", report.hot)
        };
        // 80010000h..80010018h: lines 0 and 1. 80011008h..80011028h: 8 bytes of line 0, line 1, half of line 2.
        assert_eq!((decode.lines(), copy.lines()), (2, 3));
        assert_eq!(copy.sets().collect::<Vec<_>>(), [0, 1, 2]);
        let conflicts = report.conflicts();
        assert_eq!(conflicts.len(), 1);
        assert_eq!(conflicts[0].2, 2, "sets 0 and 1");
        let text = report.to_string();
        assert!(text.contains("hot functions"), "{text}");
        assert!(
            text.contains("2 lines shared by overworld::lzs::decode and memcpy"),
            "{text}"
        );
    }

    /// A linked program; where it is not built, the test is skipped with a word, as those of emulators are.
    fn linked(name: &str) -> Option<Vec<u8>> {
        let [path] = artefacts::images([name])?;
        Some(std::fs::read(path).unwrap())
    }

    /// A text that names nothing would leave the code that it meant out of the report in silence.
    #[test]
    fn every_hot_text_names_code_of_the_demo() {
        let Some(demo) = linked("demo.elf") else {
            return;
        };
        for text in HOT {
            let report = Report::of(&demo, &[text]).unwrap();
            assert!(!report.hot.is_empty(), "{text}: {:?}", report.near(text));
        }
    }

    /// `psexe.ld` names them by their mangled names, which may change: what a frame of scripts runs for most
    /// contexts lies within one length of the instruction cache.
    #[test]
    fn the_scripts_frame_lies_together() {
        for program in ["town.elf", "battery.elf"] {
            let Some(image) = linked(program) else {
                continue;
            };
            let report = Report::of(&image, &[]).unwrap();
            let named = |parts: &[&str]| -> Vec<&Symbol> {
                let all = |it: &&Symbol| parts.iter().all(|part| it.name.contains(part));
                let found: Vec<_> = report.candidates().filter(all).collect();
                assert!(!found.is_empty(), "{program} has no {parts:?}");
                found
            };
            // The battery has one more for a host that writes all down, whose cost nobody counts.
            let mut loops = named(&["script::vm::Vm<", ">>::frame::<"]);
            loops.retain(|it| !it.name.contains("host::Recorder"));
            assert!(!loops.is_empty(), "{program}");
            let steps = ["script::walk::stride", "script::ambient::first"];
            let steps = steps.map(|name| named(&[name])[0]);
            for frame in loops {
                let together = steps.iter().chain([&frame]);
                let start = together.clone().map(|it| it.address).min().unwrap();
                let end = together.map(|it| it.address + it.size).max().unwrap();
                let room = end - start;
                assert!(
                    room <= CACHE,
                    "{program}: {} and its steps take {room}",
                    frame.name
                );
            }
        }
    }

    /// The same of what floor, walls and models of a picture are drawn by. The loops over the rows of floor and walls,
    /// which stand in front of theirs, are not counted.
    #[test]
    fn the_loops_of_a_picture_lie_together() {
        let Some(town) = linked("town.elf") else {
            return;
        };
        let report = Report::of(&town, &[]).unwrap();
        let groups: [&[&str]; 3] = [
            &[
                "tiles::Edge>::project::<",
                "ground::Ground>::profile",
                "world::tiles::squares",
            ],
            &[
                "world::walls::draw::<",
                "Cop2>>::side",
                "walls::Blocks>::hides",
                "walls::Blocks>::corner",
                "world::walls::quarter",
            ],
            &[
                "model::draw::object_loaded::<",
                "draw::table::batch::<",
                "draw::table::rest::<",
            ],
        ];
        for group in groups {
            let found = group.iter().map(|name| {
                let mut found = report.candidates().filter(|it| it.name.contains(name));
                found.next().unwrap_or_else(|| panic!("no {name}"))
            });
            let found: Vec<&Symbol> = found.collect();
            let start = found.iter().map(|it| it.address).min().unwrap();
            let end = found.iter().map(|it| it.address + it.size).max().unwrap();
            assert!(end - start <= CACHE, "{group:?} take {}", end - start);
        }
    }

    /// What nobody writes must not be counted as variables: the ROM has none with a start value but the
    /// table of addresses, whose section is marked as writable.
    #[test]
    fn the_roms_constants_are_counted_as_constants() {
        let Some(rom) = linked("bootrom.elf") else {
            return;
        };
        let report = Report::of(&rom, &[]).unwrap();
        assert!(report.data <= 16 && report.rodata > 4000, "{report}");
    }

    #[test]
    fn neighbours_on_one_line_are_no_conflict() {
        let mut elf = sample();
        elf.symbols = vec![
            ("first", 0x8001_0000, 0x18, true),
            ("second", 0x8001_0018, 0x18, true),
        ];
        let report = Report::of(&elf.bytes(), &["first", "second"]).unwrap();
        assert!(
            report.conflicts().is_empty(),
            "they share line 1 at the same address"
        );
        // A cache's length further they do throw each other out.
        elf.symbols[1].1 = 0x8001_1018;
        let report = Report::of(&elf.bytes(), &["first", "second"]).unwrap();
        assert_eq!(report.conflicts()[0].2, 1);
    }
}
