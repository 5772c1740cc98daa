//! The linked program as the scanner sees it: runs of words with addresses, names, and the data
//! that tables are read from.

use super::Error;
use super::decode::Inst;
use super::io::physical;
use object::Endianness;
use object::elf;
use object::read::elf::{FileHeader, SectionHeader, Sym};
use std::collections::BTreeSet;

type Header = elf::FileHeader32<Endianness>;

/// More code than this in one image is refused: the console has 2 MiB of RAM and 512 KiB of ROM.
pub const CODE_LIMIT: usize = 16 << 20;

/// Physical addresses of the console's ROM.
const ROM_ADDRESSES: std::ops::Range<u32> = 0x1FC0_0000..0x1FC8_0000;

/// Symbols around the spare room for [`repair`](super::repair).
const ROOM: [&[u8]; 2] = [b"__repair_start", b"__repair_end"];

/// Place of an instruction: index into [`Image::insts`], across all code sections.
pub type Id = usize;

/// One executable section.
#[derive(Debug)]
pub struct Region {
    /// Name of the section.
    pub name: String,
    /// Address of the first word.
    pub address: u32,
    /// Index of the first word.
    pub first: Id,
    /// Number of words.
    pub len: usize,
    /// Offset of the first word in the file, in bytes.
    pub offset: usize,
    /// Does any function symbol lie in it?
    pub functions: bool,
    /// A data section that is here for the functions in it; the rest of it is data.
    pub data: bool,
    /// Can the program change it and is meant to (data sections)?
    writable: bool,
}

/// An executable section as it comes out of the file.
struct Code<'a> {
    name: String,
    address: u32,
    bytes: &'a [u8],
    offset: usize,
    data: bool,
    writable: bool,
}

/// A section with contents that is not code.
#[derive(Debug)]
struct Data<'a> {
    address: u32,
    bytes: &'a [u8],
    writable: bool,
}

/// A named place in the code.
#[derive(Debug)]
pub struct Symbol {
    /// Where.
    pub address: u32,
    /// Length in bytes; zero if the symbol does not say.
    pub size: u32,
    /// Name, demangled.
    pub name: String,
    /// A function (not merely a label).
    pub function: bool,
}

/// The image.
#[derive(Debug)]
pub struct Image<'a> {
    /// Decoded words of all code sections, one section after the other.
    pub insts: Vec<Inst>,
    /// Code sections, by address.
    pub regions: Vec<Region>,
    /// Functions and labels in the code, by address.
    pub symbols: Vec<Symbol>,
    /// Starts and ends of functions, sorted, as indices. Ends are exclusive.
    pub functions: Vec<(Id, Id)>,
    /// Words that the symbol table calls an object.
    pub is_data: Vec<bool>,
    /// Entry point, if it lies in the code.
    pub entry: Option<Id>,
    /// Addresses of the spare room's start and end, as the symbols give them.
    pub room: [Option<u32>; 2],
    /// Sentences about the file itself.
    pub remarks: Vec<(u32, String)>,
    data: Vec<Data<'a>>,
}

fn broken(what: &str) -> impl FnOnce(object::read::Error) -> Error {
    move |error| Error::Elf {
        what: what.to_string(),
        reason: error.to_string(),
    }
}

impl<'a> Image<'a> {
    /// Reads a linked little-endian MIPS ELF file.
    pub fn parse(file: &'a [u8]) -> Result<Self, Error> {
        super::header::check(file)?;
        let header = Header::parse(file).map_err(broken("the file header"))?;
        let endian = Endianness::Little;
        if header.e_type(endian) == elf::ET_REL {
            return Err(Error::NotLinked);
        }
        let sections = header
            .sections(endian, file)
            .map_err(broken("the section table"))?;

        let mut image = Image {
            insts: Vec::new(),
            regions: Vec::new(),
            symbols: Vec::new(),
            functions: Vec::new(),
            is_data: Vec::new(),
            entry: None,
            room: [None; 2],
            remarks: Vec::new(),
            data: Vec::new(),
        };
        let arch = header.e_flags(endian).0 >> 28;
        if arch != 0 {
            image.remarks.push((
                0,
                format!("the ELF header's flags say architecture {arch:X}h, where MIPS I is 0"),
            ));
        }

        let table = sections
            .symbols(endian, file, elf::SHT_SYMTAB)
            .map_err(broken("the symbol table"))?;
        // Functions may stand in a section for data: code that is meant to be fast, or copied.
        let with_functions: BTreeSet<usize> = table
            .iter()
            .filter(|symbol| symbol.st_type() == elf::STT_FUNC)
            .map(|symbol| usize::from(symbol.st_shndx(endian).0))
            .collect();

        let mut code: Vec<Code<'a>> = Vec::new();
        for (index, section) in sections.enumerate() {
            let flags = section.sh_flags(endian).0;
            let executable = flags & elf::SHF_EXECINSTR.0 != 0;
            if flags & elf::SHF_ALLOC.0 == 0 {
                continue;
            }
            let name = match sections.section_name(endian, section) {
                Ok(name) => String::from_utf8_lossy(name).into_owned(),
                Err(_) => format!("section {}", index.0),
            };
            let address = section.sh_addr(endian);
            // A linker that merges sections may call ROM writable.
            let writable =
                flags & elf::SHF_WRITE.0 != 0 && !ROM_ADDRESSES.contains(&physical(address));
            if section.sh_type(endian) == elf::SHT_NOBITS {
                if executable && section.sh_size(endian) != 0 {
                    image.remarks.push((
                        address,
                        format!("section {name} is for code, but the file has no contents for it"),
                    ));
                }
                continue;
            }
            let bytes = section.data(endian, file).map_err(|error| Error::Section {
                name: name.clone(),
                offset: section.sh_offset(endian),
                size: section.sh_size(endian),
                file: file.len(),
                reason: error.to_string(),
            })?;
            if u64::from(address) + bytes.len() as u64 > 1 << 32 {
                return Err(Error::Address { name, address });
            }
            let data = !executable;
            if data {
                image.data.push(Data {
                    address,
                    bytes,
                    writable,
                });
            }
            let functions = with_functions.contains(&index.0);
            if !bytes.is_empty() && (executable || functions) {
                code.push(Code {
                    name,
                    address,
                    bytes,
                    offset: section.sh_offset(endian) as usize,
                    data,
                    writable: data && writable,
                });
            }
        }
        image.add_code(code)?;
        let entry = header.e_entry(endian);
        image.entry = image.id_of(entry);
        if image.entry.is_none() {
            image.remarks.push((
                entry,
                format!("the entry point {entry:08X} lies in no section that has code"),
            ));
        }
        image.add_symbols(endian, &table);
        image.mark_nameless();
        Ok(image)
    }

    fn add_code(&mut self, mut code: Vec<Code<'a>>) -> Result<(), Error> {
        code.sort_by_key(|section| section.address);
        let total: usize = code.iter().map(|section| section.bytes.len()).sum();
        if code.is_empty() {
            return Err(Error::NoCode);
        }
        if total > CODE_LIMIT {
            return Err(Error::TooMuchCode {
                bytes: total,
                limit: CODE_LIMIT,
            });
        }
        let mut end = 0u64;
        for section in code {
            let Code {
                name,
                address,
                bytes,
                offset,
                data,
                writable,
            } = section;
            if address & 3 != 0 {
                return Err(Error::Address { name, address });
            }
            if u64::from(address) < end {
                return Err(Error::Overlap { name, address });
            }
            end = u64::from(address) + bytes.len() as u64;
            let (words, rest) = bytes.as_chunks::<4>();
            if rest.iter().any(|&byte| byte != 0) {
                self.remarks.push((
                    address,
                    format!(
                        "the last {} bytes of {name} are no whole word and were not looked at",
                        rest.len()
                    ),
                ));
            }
            self.regions.push(Region {
                name,
                address,
                first: self.insts.len(),
                len: words.len(),
                offset,
                functions: false,
                data,
                writable,
            });
            self.insts.extend(
                words
                    .iter()
                    .map(|&word| Inst::decode(u32::from_le_bytes(word))),
            );
        }
        self.is_data = vec![false; self.insts.len()];
        Ok(())
    }

    fn add_symbols(
        &mut self,
        endian: Endianness,
        table: &object::read::elf::SymbolTable<'a, Header>,
    ) {
        let mut objects = Vec::new();
        for symbol in table.iter() {
            if symbol.is_undefined(endian) {
                continue;
            }
            let raw = symbol.name(endian, table.strings()).unwrap_or(b"");
            if let Some(end) = ROOM.iter().position(|&name| name == raw) {
                self.room[end] = Some(symbol.st_value(endian));
            }
            let kind = symbol.st_type();
            let function = kind == elf::STT_FUNC;
            if symbol.st_shndx(endian) == elf::SHN_ABS && !function {
                continue;
            }
            if !function && kind != elf::STT_NOTYPE && kind != elf::STT_OBJECT {
                continue;
            }
            let address = symbol.st_value(endian);
            let Some(id) = self.exact(address & !3) else {
                continue;
            };
            let size = symbol.st_size(endian);
            if kind == elf::STT_OBJECT {
                objects.push((
                    id,
                    match size {
                        0 => 0,
                        _ => size.saturating_add(address & 3),
                    },
                ));
            }
            let raw = String::from_utf8_lossy(raw);
            if function && address & 3 != 0 {
                self.remarks.push((
                    address,
                    format!("the function {raw} begins at an odd address: not scanned by its name"),
                ));
            }
            if raw.is_empty() && !function {
                continue;
            }
            self.symbols.push(Symbol {
                address,
                size,
                name: format!("{:#}", rustc_demangle::demangle(&raw)),
                function,
            });
        }
        // At one address a function comes last: the look-up takes the last one that is not behind.
        self.symbols
            .sort_by_key(|symbol| (symbol.address, symbol.function, symbol.size));
        self.mark_objects(&objects);
        self.find_functions();
    }

    /// In a data section only the functions are code. A section without function symbols is noted:
    /// all of it counts as code.
    fn mark_nameless(&mut self) {
        for &(first, _) in &self.functions {
            let after = self.regions.partition_point(|region| region.first <= first);
            self.regions[after - 1].functions = true;
        }
        let labelled: Vec<bool> = (self.regions.iter())
            .map(|region| {
                let end = region.first + region.len;
                self.first_label(region.first, end).is_some()
            })
            .collect();
        if self.functions.is_empty() {
            self.remarks.push((
                self.regions.first().map_or(0, |region| region.address),
                "the file has no function symbols, so code cannot be told from data: every word of \
                 the executable sections was judged as code"
                    .into(),
            ));
        }
        for (region, labelled) in self.regions.iter().zip(labelled) {
            if !region.functions && !labelled && !region.data && !self.functions.is_empty() {
                self.remarks.push((
                    region.address,
                    format!(
                        "section {} has no symbols: every word of it was judged as code",
                        region.name
                    ),
                ));
            }
            if !region.data {
                continue;
            }
            let end = region.first + region.len;
            let mut inside = vec![true; region.len];
            for &(first, last) in &self.functions {
                if (region.first..end).contains(&first) {
                    inside[first - region.first..last - region.first].fill(false);
                }
            }
            for (id, data) in (region.first..end).zip(inside) {
                self.is_data[id] |= data;
            }
            if region.functions {
                self.remarks.push((
                    region.address,
                    format!(
                        "section {} is not executable but has functions: they were judged as code",
                        region.name
                    ),
                ));
            }
        }
    }

    fn mark_objects(&mut self, objects: &[(Id, u32)]) {
        let mut starts: Vec<u32> = self.symbols.iter().map(|symbol| symbol.address).collect();
        starts.dedup();
        // Where the two contradict each other, a function is worth more.
        let functions: Vec<Id> = self
            .symbols
            .iter()
            .filter(|symbol| symbol.function)
            .filter_map(|symbol| self.exact(symbol.address))
            .collect();
        for &(id, size) in objects {
            let region_end = self.region_end(id);
            let end = if size > 0 {
                id + (size as usize).div_ceil(4)
            } else {
                // No size: up to the next name.
                let address = self.address_of(id);
                starts
                    .get(starts.partition_point(|&start| start <= address))
                    .and_then(|&next| self.exact(next & !3))
                    .unwrap_or(region_end)
            };
            let mut end = end.clamp(id, region_end);
            let after = functions.partition_point(|&start| start < id);
            if let Some(&start) = functions.get(after)
                && start < end
            {
                self.remarks.push((
                    self.address_of(start),
                    "the symbols call this place a function and a part of an object: it was judged \
                     as code"
                        .into(),
                ));
                end = start;
            }
            self.is_data[id..end].fill(true);
        }
    }

    fn find_functions(&mut self) {
        let mut found: Vec<(Id, u32)> = self
            .symbols
            .iter()
            .filter(|symbol| symbol.function && symbol.address & 3 == 0)
            .filter_map(|symbol| Some((self.exact(symbol.address)?, symbol.size)))
            .collect();
        found.sort_unstable();
        let mut functions: Vec<(Id, Id)> = Vec::new();
        let mut starts = found.iter().map(|&(id, _)| id).collect::<Vec<_>>();
        starts.dedup();
        for (id, size) in found {
            let end = match size {
                0 => *starts
                    .get(starts.partition_point(|&start| start <= id))
                    .unwrap_or(&usize::MAX),
                _ => id + (size as usize).div_ceil(4),
            };
            let end = end.min(self.region_end(id));
            match functions.last_mut() {
                Some(last) if last.0 == id => last.1 = last.1.max(end),
                _ => functions.push((id, end)),
            }
        }
        self.functions = functions;
    }

    /// The section that a word lies in.
    pub fn region(&self, id: Id) -> &Region {
        let after = self.regions.partition_point(|region| region.first <= id);
        &self.regions[after.saturating_sub(1)]
    }

    /// Index one past the last word of the section that `id` lies in.
    pub fn region_end(&self, id: Id) -> Id {
        let region = self.region(id);
        region.first + region.len
    }

    /// The word at the next address: in the same section, or in one that follows without a gap.
    pub fn next(&self, id: Id) -> Option<Id> {
        if id + 1 < self.region_end(id) {
            return Some(id + 1);
        }
        let next = self.exact(self.address_of(id).checked_add(4)?)?;
        // Sections are sorted by address.
        (next == id + 1).then_some(next)
    }

    /// Address of a word.
    pub fn address_of(&self, id: Id) -> u32 {
        let region = self.region(id);
        region
            .address
            .wrapping_add(((id - region.first) as u32) << 2)
    }

    fn exact(&self, address: u32) -> Option<Id> {
        let after = self
            .regions
            .partition_point(|region| region.address <= address);
        let region = self.regions.get(after.checked_sub(1)?)?;
        let offset = address.wrapping_sub(region.address);
        (offset & 3 == 0 && ((offset >> 2) as usize) < region.len)
            .then(|| region.first + (offset >> 2) as usize)
    }

    /// The word at an address, also through another of the three views of physical memory
    /// (code linked for 80010000h that is called at A0010000h).
    pub fn id_of(&self, address: u32) -> Option<Id> {
        self.exact(address).or_else(|| {
            let wanted = physical(address);
            let region = self.regions.iter().find(|region| {
                let offset = wanted.wrapping_sub(physical(region.address));
                offset & 3 == 0 && ((offset >> 2) as usize) < region.len
            })?;
            let offset = wanted.wrapping_sub(physical(region.address));
            Some(region.first + (offset >> 2) as usize)
        })
    }

    /// The function (start, end) that a word lies in.
    pub fn function_of(&self, id: Id) -> Option<(Id, Id)> {
        let after = self.functions.partition_point(|&(start, _)| start <= id);
        let function = *self.functions.get(after.checked_sub(1)?)?;
        (id < function.1).then_some(function)
    }

    /// Name of the nearest symbol at or before an address in the same section, and the distance.
    pub fn name_of(&self, id: Id) -> Option<(&str, u32)> {
        let address = self.address_of(id);
        let mut after = self
            .symbols
            .partition_point(|symbol| symbol.address <= address);
        let nearest = self.symbols.get(after.checked_sub(1)?)?;
        // A label inside of a function gives way to the function that covers the place.
        let mut best = nearest;
        for _ in 0..64 {
            let Some(symbol) = after.checked_sub(1).and_then(|i| self.symbols.get(i)) else {
                break;
            };
            if symbol.function && address - symbol.address < symbol.size {
                best = symbol;
                break;
            }
            after -= 1;
        }
        (best.address >= self.region(id).address)
            .then(|| (best.name.as_str(), address - best.address))
    }

    /// The first word with a symbol in this run of words.
    pub fn first_label(&self, first: Id, end: Id) -> Option<Id> {
        if first >= end {
            return None;
        }
        let start = self.address_of(first);
        let after = self
            .symbols
            .partition_point(|symbol| symbol.address < start);
        let offset = self.symbols.get(after)?.address - start;
        let label = first + (offset >> 2) as usize;
        (label < end).then_some(label)
    }

    /// All aligned words of the sections that are not code.
    pub fn data_words(&self) -> impl Iterator<Item = u32> {
        self.data.iter().flat_map(|data| {
            let skipped = (data.address.wrapping_neg() & 3) as usize;
            let (words, _) = data.bytes.get(skipped..).unwrap_or(&[]).as_chunks::<4>();
            words.iter().map(|&word| u32::from_le_bytes(word))
        })
    }

    /// Reads a word of data or code; with `constant`, only from sections that cannot be written.
    pub fn word(&self, address: u32, constant: bool) -> Option<u32> {
        if address & 3 != 0 {
            return None;
        }
        if let Some(id) = self.exact(address) {
            let kept = !(constant && self.region(id).writable);
            return kept.then_some(self.insts[id].word);
        }
        self.data
            .iter()
            .filter(|data| !(constant && data.writable))
            .find_map(|data| {
                let offset = address.checked_sub(data.address)? as usize;
                let bytes = data.bytes.get(offset..)?.first_chunk::<4>()?;
                Some(u32::from_le_bytes(*bytes))
            })
    }

    /// Does the address lie in anything that the image contains?
    pub fn holds(&self, address: u32) -> bool {
        self.id_of(address & !3).is_some()
            || self
                .data
                .iter()
                .any(|data| (address.wrapping_sub(data.address) as usize) < data.bytes.len())
    }
}
