//! From a linked ELF to what a PlayStation takes: a PS-EXE or a boot ROM.
//!
//! The linker writes ELF files only; this packer derives the images from their loadable
//! segments, whatever the order of the sections, and refuses what a loader would get wrong.

use std::fmt;
use std::ops::Range;

use object::LittleEndian;
use object::elf;
use object::read::elf::{ElfFile32, FileHeader, ProgramHeader};
use object::read::{Object, ObjectSymbol};
use overworld_host::psexe;

use crate::hazards;

/// First address that belongs to programs; the kernel lives below (HAL sheet, section 1.1).
pub const RAM_FIRST: u32 = 0x8001_0000;
/// End of main memory.
pub const RAM_END: u32 = 0x8020_0000;
/// Stack top when the program names none: the header's usual value (HAL sheet, section 1.1).
pub const STACK_TOP: u32 = 0x801F_FFF0;
/// Room for the stack when the program asks for none.
pub const STACK_SIZE: u32 = 0x1000;
/// Where the boot ROM stands, uncached; the CPU starts at its first word.
pub const ROM_FIRST: u32 = 0xBFC0_0000;
/// Bytes of the boot ROM.
pub const ROM_SIZE: usize = 512 * 1024;
/// Offset in the ROM that emulators overwrite with a jump to their program loader: the ROM
/// must have code there.
pub const ROM_HOOK: usize = 0x6990;
/// The text in the header, for people.
const REGION: &str = "Overworld: homebrew for the PlayStation";

/// Symbol of the linker script: the stack pointer at entry.
const SYMBOL_STACK_TOP: &str = "__stack_top";
/// Symbol of the linker script: bytes that the stack needs.
const SYMBOL_STACK_SIZE: &str = "__stack_size";
/// Symbol of the linker script: the global pointer at entry.
const SYMBOL_GP: &str = "_gp";

/// Why an ELF cannot be packed. Addresses are virtual.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// It is no ELF of a 32-bit little-endian MIPS.
    File(hazards::Error),
    /// Something in it is broken.
    Elf(String),
    /// It is an ELF, but not a linked one without dynamic parts.
    Kind(&'static str),
    /// It has nothing to load.
    Empty,
    /// A segment lies outside the memory it may use.
    Outside {
        /// Its addresses.
        segment: Range<u32>,
        /// What it may use.
        allowed: Range<u32>,
    },
    /// Two segments share addresses.
    Overlap {
        /// The lower one.
        first: Range<u32>,
        /// The other.
        second: Range<u32>,
    },
    /// The entry is no instruction of the program.
    Entry {
        /// The address.
        found: u32,
    },
    /// Program and stack share addresses.
    Stack {
        /// End of the program, its zeroed data and the file's padding included.
        end: u32,
        /// Lowest address the stack may need.
        bottom: u32,
        /// The stack pointer at entry.
        top: u32,
    },
    /// The ROM's entry is not its first word, where the CPU begins.
    Reset {
        /// The entry.
        found: u32,
    },
    /// The ROM has no code where emulators jump to their loader.
    Hook,
    /// The header would be wrong.
    Header(psexe::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Elf(why) => write!(f, "the ELF cannot be read: {why}"),
            Self::Kind(expected) => write!(f, "the ELF is of the wrong kind: expected {expected}"),
            Self::Empty => write!(f, "the ELF has no loadable content"),
            Self::Outside { segment, allowed } => write!(
                f,
                "the segment {:#010x}..{:#010x} leaves the memory it may use, {:#010x}..{:#010x}",
                segment.start, segment.end, allowed.start, allowed.end
            ),
            Self::Overlap { first, second } => write!(
                f,
                "the segments {:#010x}..{:#010x} and {:#010x}..{:#010x} overlap",
                first.start, first.end, second.start, second.end
            ),
            Self::Entry { found } => {
                write!(
                    f,
                    "the entry {found:#010x} is not an instruction inside the program's code"
                )
            }
            Self::Stack { end, bottom, top } => write!(
                f,
                "the program ends at {end:#010x}, the stack needs {bottom:#010x}..{top:#010x}"
            ),
            Self::Reset { found } => {
                write!(
                    f,
                    "the entry is {found:#010x}, but the CPU begins at {ROM_FIRST:#010x}"
                )
            }
            Self::Hook => write!(
                f,
                "there is no code at {:#010x}, where emulators start a program",
                ROM_FIRST + ROM_HOOK as u32
            ),
            Self::Header(error) => write!(f, "the header would be wrong: {error}"),
        }
    }
}

impl std::error::Error for Error {}

/// What an ELF becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A program for a loader.
    Exe,
    /// The boot ROM.
    Rom,
}

/// What kind of image this ELF wants to be: its entry says so.
///
/// # Errors
/// It is no ELF of a PlayStation.
pub fn kind(file: &[u8]) -> Result<Kind, Error> {
    let entry = Image::parse(file)?.entry;
    let rom = ROM_FIRST..ROM_FIRST + ROM_SIZE as u32;
    Ok(if rom.contains(&entry) {
        Kind::Rom
    } else {
        Kind::Exe
    })
}

/// One loadable segment.
struct Segment<'a> {
    /// Where the program finds it.
    address: u32,
    /// Where it is stored (a ROM keeps the start values of data that live in RAM).
    stored: u32,
    /// Its content.
    data: &'a [u8],
    /// Its length in memory; what `data` lacks is zero.
    length: u32,
    /// It holds code.
    code: bool,
}

impl Segment<'_> {
    fn range(&self) -> Result<Range<u32>, Error> {
        let end = self.address.checked_add(self.length);
        let end = end.ok_or(Error::Kind("segments inside the address space"))?;
        Ok(self.address..end)
    }
}

/// The parts of an ELF that matter here.
struct Image<'a> {
    entry: u32,
    segments: Vec<Segment<'a>>,
    file: ElfFile32<'a, LittleEndian>,
}

impl<'a> Image<'a> {
    fn parse(data: &'a [u8]) -> Result<Self, Error> {
        hazards::check_header(data).map_err(Error::File)?;
        let tables = |error| Error::File(hazards::Error::tables(error));
        let file = ElfFile32::<LittleEndian>::parse(data).map_err(tables)?;
        let header = file.elf_header();
        if header.e_type(LittleEndian) != elf::ET_EXEC {
            return Err(Error::Kind("a linked program at fixed addresses"));
        }
        let mut segments = Vec::new();
        for program in file.elf_program_headers() {
            match program.p_type(LittleEndian) {
                elf::PT_LOAD => {}
                elf::PT_DYNAMIC | elf::PT_INTERP => {
                    return Err(Error::Kind("a program without dynamic linking"));
                }
                _ => continue,
            }
            let content = program.data(LittleEndian, data).map_err(|()| {
                Error::Elf("a segment reaches past the end of the file".to_owned())
            })?;
            let length = program.p_memsz(LittleEndian);
            if content.len() > length as usize {
                return Err(Error::Elf(
                    "a segment is longer in the file than in memory".to_owned(),
                ));
            }
            if length == 0 {
                continue;
            }
            segments.push(Segment {
                address: program.p_vaddr(LittleEndian),
                stored: program.p_paddr(LittleEndian),
                data: content,
                length,
                code: (program.p_flags(LittleEndian) & elf::PF_X).0 != 0,
            });
        }
        segments.sort_by_key(|segment| segment.address);
        for segment in &segments {
            segment.range()?;
        }
        for pair in segments.windows(2) {
            if let [first, second] = pair
                && first.range()?.end > second.address
            {
                return Err(Error::Overlap {
                    first: first.range()?,
                    second: second.range()?,
                });
            }
        }
        Ok(Self {
            entry: header.e_entry(LittleEndian),
            segments,
            file,
        })
    }

    fn symbol(&self, name: &str) -> Option<u32> {
        let symbol = self
            .file
            .symbols()
            .find(|symbol| symbol.name() == Ok(name))?;
        (!symbol.is_undefined()).then(|| symbol.address() as u32)
    }

    /// Whether `address` is an instruction that comes from the file.
    fn is_code(&self, address: u32) -> bool {
        address.is_multiple_of(4)
            && self.segments.iter().any(|segment| {
                let inside = address.checked_sub(segment.address);
                segment.code && inside.is_some_and(|at| at as usize + 4 <= segment.data.len())
            })
    }
}

/// Pack a program into a PS-EXE.
///
/// The body reaches from the lowest to the highest byte of content; gaps are zero; zeroed data
/// past the body go into the header's fields 28h and 2Ch. Stack pointer and global pointer come from the
/// symbols `__stack_top` and `_gp`, room for the stack from `__stack_size`.
///
/// # Errors
/// See [`Error`].
pub fn exe(file: &[u8]) -> Result<Vec<u8>, Error> {
    let image = Image::parse(file)?;
    let allowed = RAM_FIRST..RAM_END;
    for segment in &image.segments {
        let range = segment.range()?;
        if range.start < allowed.start || range.end > allowed.end {
            return Err(Error::Outside {
                segment: range,
                allowed,
            });
        }
    }
    let (Some(first), Some(last)) = (image.segments.first(), image.segments.last()) else {
        return Err(Error::Empty);
    };
    // Zeroed data below other content become zeros of the body.
    let load = first.address & !3;
    let content = image
        .segments
        .iter()
        .filter(|segment| !segment.data.is_empty());
    let end = content
        .map(|segment| segment.address + segment.data.len() as u32)
        .max();
    let end = end.ok_or(Error::Empty)?;
    let mut body = vec![0; (end - load) as usize];
    for segment in &image.segments {
        let at = (segment.address - load) as usize;
        if let Some(place) = body.get_mut(at..at + segment.data.len()) {
            place.copy_from_slice(segment.data);
        }
    }
    if !image.is_code(image.entry) {
        return Err(Error::Entry { found: image.entry });
    }
    body.resize(body.len().next_multiple_of(psexe::UNIT), 0);
    let padded = load + body.len() as u32;
    // Zeroed data in the padding are zero already; the header speaks of the rest.
    let zeroed = last.range()?.end.next_multiple_of(4);
    let (bss_start, bss_size) = if zeroed > padded {
        (padded, zeroed - padded)
    } else {
        (0, 0)
    };

    let top = image.symbol(SYMBOL_STACK_TOP).unwrap_or(STACK_TOP);
    let size = image.symbol(SYMBOL_STACK_SIZE).unwrap_or(STACK_SIZE);
    let bottom = top.saturating_sub(size);
    let end = padded.max(zeroed);
    if end > bottom || top > RAM_END {
        return Err(Error::Stack { end, bottom, top });
    }
    let header = psexe::Header {
        pc: image.entry,
        gp: image.symbol(SYMBOL_GP).unwrap_or(0),
        load,
        size: body.len() as u32,
        bss_start,
        bss_size,
        sp_base: top,
        sp_offset: 0,
        region: REGION.to_owned(),
    };
    let packed = psexe::emit(&header, &body).map_err(Error::Header)?;
    // What was written is what a reader gets.
    match psexe::parse(&packed) {
        Ok((read, content)) if read == header && content == body => Ok(packed),
        Ok(_) => Err(Error::Header(psexe::Error::SizeMismatch {
            header: header.size,
            body: body.len(),
        })),
        Err(error) => Err(Error::Header(error)),
    }
}

/// Make the boot ROM: 512 KiB, what is not used is FFh as in an erased chip.
///
/// # Errors
/// See [`Error`].
pub fn rom(file: &[u8]) -> Result<Vec<u8>, Error> {
    let image = Image::parse(file)?;
    let allowed = ROM_FIRST..ROM_FIRST + ROM_SIZE as u32;
    let memory = RAM_FIRST & 0xE000_0000..RAM_END;
    let mut rom = vec![0xFF; ROM_SIZE];
    let mut content = Vec::new();
    for segment in &image.segments {
        let range = segment.range()?;
        let in_rom = range.start >= allowed.start && range.end <= allowed.end;
        let in_memory =
            range.start & !0x2000_0000 >= memory.start && range.end & !0x2000_0000 <= memory.end;
        if !in_rom && !in_memory {
            return Err(Error::Outside {
                segment: range,
                allowed,
            });
        }
        if segment.data.is_empty() {
            continue;
        }
        // Stored addresses may be physical; the ROM is at 1FC00000h there.
        let outside = || Error::Outside {
            segment: segment.stored..segment.stored.saturating_add(segment.data.len() as u32),
            allowed: allowed.clone(),
        };
        let at = (segment.stored & 0x1FFF_FFFF).checked_sub(ROM_FIRST & 0x1FFF_FFFF);
        let at = at.ok_or_else(outside)? as usize;
        let place = rom
            .get_mut(at..at + segment.data.len())
            .ok_or_else(outside)?;
        place.copy_from_slice(segment.data);
        content.push((at, segment));
    }
    if content.is_empty() {
        return Err(Error::Empty);
    }
    content.sort_by_key(|(at, _)| *at);
    for pair in content.windows(2) {
        if let [(first_at, first), (second_at, second)] = pair
            && first_at + first.data.len() > *second_at
        {
            let stored =
                |segment: &Segment<'_>| segment.stored..segment.stored + segment.data.len() as u32;
            return Err(Error::Overlap {
                first: stored(first),
                second: stored(second),
            });
        }
    }
    if image.entry != ROM_FIRST {
        return Err(Error::Reset { found: image.entry });
    }
    if !image.is_code(image.entry) {
        return Err(Error::Entry { found: image.entry });
    }
    if !image.is_code(ROM_FIRST + ROM_HOOK as u32) {
        return Err(Error::Hook);
    }
    Ok(rom)
}

#[cfg(test)]
mod tests;
