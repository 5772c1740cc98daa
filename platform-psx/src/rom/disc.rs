//! Booting from a disc: SYSTEM.CNF, the program it names, its body into memory.

use super::config::{Config, Path};
use super::{config, exe};
use core::fmt;
use overworld_runtime::disc::iso;
use overworld_runtime::platform::{Drive, SECTOR, Sector};

/// Main memory as the loader sees it.
pub trait Memory {
    /// `size` bytes at `address` (KSEG0), if programs may have them.
    fn area(&mut self, address: u32, size: u32) -> Option<&mut [u8]>;
}

/// How to start a loaded program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// First instruction.
    pub pc: u32,
    /// Global pointer.
    pub gp: u32,
    /// Stack pointer.
    pub sp: u32,
}

/// What is booted without a SYSTEM.CNF.
const DEFAULT_PROGRAM: &[u8] = b"PSX.EXE";
/// The stack pointer when neither SYSTEM.CNF nor the program gives one.
const DEFAULT_STACK: u32 = 0x801F_FF00;

/// Why a disc does not boot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error<E> {
    /// A file could not be looked up.
    Lookup(iso::Error<E>),
    /// A sector could not be read.
    Drive(E),
    /// SYSTEM.CNF says nothing useful.
    Config(config::Error),
    /// SYSTEM.CNF is empty or longer than a sector.
    ConfigSize {
        /// Its size in bytes.
        size: u32,
    },
    /// The program is not on the disc.
    NoProgram(Path),
    /// The program is not one.
    Program(Path, exe::Error),
}

impl<E: fmt::Display> fmt::Display for Error<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lookup(error) => error.fmt(f),
            Self::Drive(error) => error.fmt(f),
            Self::Config(error) => write!(f, "SYSTEM.CNF: {error}"),
            Self::ConfigSize { size } => {
                write!(f, "SYSTEM.CNF: has {size} bytes, expected 1 to {SECTOR}")
            }
            Self::NoProgram(path) => write!(f, "{path}: not on the disc"),
            Self::Program(path, error) => write!(f, "{path}: {error}"),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> core::error::Error for Error<E> {}

/// Read SYSTEM.CNF; without one, the program is PSX.EXE.
fn configuration<D: Drive>(drive: &mut D, scratch: &mut Sector) -> Result<Config, Error<D::Error>> {
    let extent = match iso::find(drive, "SYSTEM.CNF", scratch) {
        Ok(extent) => extent,
        Err(iso::Error::NotFound { .. }) => {
            let boot = Path::new(DEFAULT_PROGRAM).ok_or(Error::Config(config::Error::NoBoot))?;
            return Ok(Config { boot, stack: None });
        }
        Err(error) => return Err(Error::Lookup(error)),
    };
    let text_size = usize::try_from(extent.size).unwrap_or(usize::MAX);
    if text_size == 0 || text_size > SECTOR {
        return Err(Error::ConfigSize { size: extent.size });
    }
    drive
        .read(extent.lba, core::slice::from_mut(scratch))
        .map_err(Error::Drive)?;
    let text = scratch.get(..text_size).unwrap_or_default();
    Config::parse(text).map_err(Error::Config)
}

/// Load what the disc boots; `note` hears what is found on the way.
///
/// The body goes sector by sector straight to its address.
///
/// # Errors
/// See [`Error`].
pub fn load<D: Drive>(
    drive: &mut D,
    memory: &mut impl Memory,
    scratch: &mut Sector,
    note: &mut dyn FnMut(fmt::Arguments<'_>),
) -> Result<Start, Error<D::Error>> {
    let Config { boot, stack } = configuration(drive, scratch)?;
    note(format_args!("boot {boot}"));
    let upper = boot.to_upper();
    let mut found = iso::find(drive, boot.as_str(), scratch);
    if upper != boot && matches!(found, Err(iso::Error::NotFound { .. })) {
        // Names on a disc are in capitals; who writes SYSTEM.CNF may not have held the shift key.
        found = iso::find(drive, upper.as_str(), scratch);
    }
    let extent = match found {
        Ok(extent) => extent,
        Err(iso::Error::NotFound { .. }) => return Err(Error::NoProgram(boot)),
        Err(error) => return Err(Error::Lookup(error)),
    };
    drive
        .read(extent.lba, core::slice::from_mut(scratch))
        .map_err(Error::Drive)?;
    let header =
        exe::Header::parse(scratch, extent.size).map_err(|error| Error::Program(boot, error))?;
    // SYSTEM.CNF's stack pointer goes before the program's, which is of no matter then.
    let stack = match stack {
        Some(stack) => Some(stack),
        None => header
            .check_stack()
            .map_err(|error| Error::Program(boot, error))?,
    };
    note(format_args!(
        "load {} bytes to {:08X}, entry {:08X}",
        header.size, header.load, header.pc
    ));

    let body = memory.area(header.load, header.size).ok_or(Error::Program(
        boot,
        exe::Error::BadLoad {
            load: header.load,
            size: header.size,
        },
    ))?;
    drive
        .start(extent.lba + 1, header.size / SECTOR as u32)
        .map_err(Error::Drive)?;
    // The header makes the size a multiple of a sector: nothing is left over.
    let (sectors, _) = body.as_chunks_mut::<SECTOR>();
    for sector in sectors {
        drive.sector(sector).map_err(Error::Drive)?;
    }
    drive.stop().map_err(Error::Drive)?;

    let (start, size) = header.bss;
    if size != 0 {
        let bad_bss = Error::Program(boot, exe::Error::BadBss { start, size });
        memory.area(start, size).ok_or(bad_bss)?.fill(0);
    }
    Ok(Start {
        pc: header.pc,
        gp: header.gp,
        sp: stack.unwrap_or(DEFAULT_STACK),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use overworld_runtime::bytes::Writer;
    use overworld_runtime::disc::iso::{Extent, Volume, record};
    use std::string::{String, ToString};
    use std::vec;
    use std::vec::Vec;

    /// A drive over sectors in memory; `broken` cannot be read.
    struct Disc {
        sectors: Vec<Sector>,
        next: usize,
        broken: Option<usize>,
    }

    impl Drive for Disc {
        type Error = String;

        fn start(&mut self, lba: u32, _sectors: u32) -> Result<(), String> {
            self.next = lba as usize;
            Ok(())
        }

        fn sector(&mut self, out: &mut Sector) -> Result<(), String> {
            if self.broken == Some(self.next) {
                return Err(std::format!("sector {} is broken", self.next));
            }
            let sector = self.sectors.get(self.next).ok_or("past the end")?;
            *out = *sector;
            self.next += 1;
            Ok(())
        }

        fn stop(&mut self) -> Result<(), String> {
            Ok(())
        }
    }

    /// A disc with these files in its root; the first lies at sector 23.
    fn disc(files: &[(&str, &[u8])]) -> Disc {
        let mut sectors = vec![[0; SECTOR]; 23];
        let mut directory = [0; SECTOR];
        let mut records = Writer::new(&mut directory);
        let root = Extent {
            lba: 22,
            size: SECTOR as u32,
        };
        record(&mut records, &[0], root, true).unwrap();
        record(&mut records, &[1], root, true).unwrap();
        for (name, data) in files {
            let lba = sectors.len() as u32;
            let name = std::format!("{name};1");
            let extent = Extent {
                lba,
                size: data.len() as u32,
            };
            record(&mut records, name.as_bytes(), extent, false).unwrap();
            sectors.extend(data.chunks(SECTOR).map(|part| {
                let mut sector = [0; SECTOR];
                sector[..part.len()].copy_from_slice(part);
                sector
            }));
        }
        sectors[22] = directory;
        let volume = Volume {
            system: "PLAYSTATION",
            name: "TEST",
            blocks: sectors.len() as u32,
            path_table_le: 18,
            path_table_be: 20,
            path_table_size: 10,
            root,
        };
        volume.emit(&mut sectors[16]).unwrap();
        Disc {
            sectors,
            next: 0,
            broken: None,
        }
    }

    /// Main memory, filled with what a program must not count on.
    struct Ram(Vec<u8>);

    impl Memory for Ram {
        fn area(&mut self, address: u32, size: u32) -> Option<&mut [u8]> {
            let start = address.checked_sub(0x8000_0000)? as usize;
            self.0.get_mut(start..start.checked_add(size as usize)?)
        }
    }

    /// A program of two sectors whose body is bytes 1, 2, 3 ...; `bss` is address and size.
    fn program(bss: (u32, u32), stack: u32) -> Vec<u8> {
        let mut file = vec![0; 3 * SECTOR];
        file[..8].copy_from_slice(b"PS-X EXE");
        let fields = [
            (0x10, 0x8001_0800),
            (0x14, 0x1234_5678),
            (0x18, 0x8001_0000),
            (0x1C, 0x1000),
            (0x28, bss.0),
            (0x2C, bss.1),
            (0x30, stack),
        ];
        for (offset, value) in fields {
            file[offset..offset + 4].copy_from_slice(&u32::to_le_bytes(value));
        }
        for (index, byte) in file[SECTOR..].iter_mut().enumerate() {
            *byte = (index % 251) as u8 + 1;
        }
        file
    }

    fn boot(disc: &mut Disc) -> (Result<Start, Error<String>>, Ram, Vec<String>) {
        let mut ram = Ram(vec![0xA5; 0x20_0000]);
        let mut notes = Vec::new();
        let result = load(disc, &mut ram, &mut [0; SECTOR], &mut |note| {
            notes.push(note.to_string());
        });
        (result, ram, notes)
    }

    #[test]
    fn the_program_lands_at_its_address_and_nothing_else_changes() {
        let file = program((0x8001_1000, 0x123), 0x801F_FFF0);
        let text = b"BOOT = cdrom:\\SLUS_999.99;1\r\nTCB = 4\r\nSTACK = 801FF000\r\n";
        let (start, ram, notes) = boot(&mut disc(&[("SYSTEM.CNF", text), ("SLUS_999.99", &file)]));
        let start = start.unwrap();
        assert_eq!(
            start,
            Start {
                pc: 0x8001_0800,
                gp: 0x1234_5678,
                sp: 0x801F_F000
            }
        );
        assert_eq!(ram.0[0x1_0000..0x1_1000], file[SECTOR..]);
        assert!(ram.0[..0x1_0000].iter().all(|&byte| byte == 0xA5));
        assert!(ram.0[0x1_1000..0x1_1123].iter().all(|&byte| byte == 0));
        assert!(ram.0[0x1_1123..].iter().all(|&byte| byte == 0xA5));
        assert_eq!(notes.len(), 2);
        assert_eq!(notes[0], "boot SLUS_999.99;1");
    }

    #[test]
    fn without_system_cnf_psx_exe_boots_with_its_own_stack_or_the_usual_one() {
        let (start, ..) = boot(&mut disc(&[("PSX.EXE", &program((0, 0), 0x801F_FFF0))]));
        assert_eq!(start.unwrap().sp, 0x801F_FFF0);
        let (start, ..) = boot(&mut disc(&[("PSX.EXE", &program((0, 0), 0))]));
        assert_eq!(start.unwrap().sp, 0x801F_FF00);
    }

    #[test]
    fn the_program_is_found_in_capitals_too() {
        let file = program((0, 0), 0);
        let text = b"boot=cdrom:\\slus_999.99\n";
        let mut capitals = disc(&[("SYSTEM.CNF", text), ("SLUS_999.99", &file)]);
        assert!(boot(&mut capitals).0.is_ok());
        // What is spelt as on the disc goes before.
        let other = program((0, 0), 0x801F_0000);
        let files: [(&str, &[u8]); 3] = [
            ("SYSTEM.CNF", text),
            ("SLUS_999.99", &file),
            ("slus_999.99", &other),
        ];
        assert_eq!(boot(&mut disc(&files)).0.unwrap().sp, 0x801F_0000);
        // And a message repeats what SYSTEM.CNF says.
        let error = boot(&mut disc(&[("SYSTEM.CNF", text)])).0.unwrap_err();
        assert_eq!(error.to_string(), "slus_999.99: not on the disc");
    }

    #[test]
    fn a_stack_of_system_cnf_goes_before_the_programs() {
        let text = b"BOOT = cdrom:\\A.EXE;1\r\nSTACK = 801FF000\r\n";
        let bad = program((0, 0), 0xBFC0_8000);
        let (start, ..) = boot(&mut disc(&[("SYSTEM.CNF", text), ("A.EXE", &bad)]));
        assert_eq!(start.unwrap().sp, 0x801F_F000);
    }

    #[test]
    fn each_fault_of_a_disc_has_its_message() {
        let file = program((0, 0), 0);
        let message = |files: &[(&str, &[u8])]| {
            let (result, ram, _) = boot(&mut disc(files));
            assert!(ram.0.iter().all(|&byte| byte == 0xA5), "nothing was loaded");
            result.unwrap_err().to_string()
        };
        assert_eq!(
            message(&[("SYSTEM.CNF", b"TCB = 4\r\n")]),
            "SYSTEM.CNF: no BOOT line"
        );
        assert_eq!(
            message(&[("SYSTEM.CNF", b"")]),
            "SYSTEM.CNF: has 0 bytes, expected 1 to 2048"
        );
        assert_eq!(
            message(&[("SYSTEM.CNF", b"BOOT=cdrom:\\A.EXE;1"), ("B.EXE", &file)]),
            "A.EXE;1: not on the disc"
        );
        assert_eq!(message(&[("B.EXE", &file)]), "PSX.EXE: not on the disc");
        assert_eq!(
            message(&[("PSX.EXE", &file[..SECTOR * 2])]),
            "PSX.EXE: header and body need 6144 bytes, the file has 4096"
        );
        assert_eq!(
            message(&[("PSX.EXE", &program((0, 0), 0xBFC0_8000))]),
            "PSX.EXE: stack pointer BFC08000 at 30h and 34h: expected a multiple of 4 above 80010000, up to 80200000"
        );
        let text = b"BOOT = cdrom:\\PSX.EXE;1\r\nSTACK = 80300000\r\n";
        assert_eq!(
            message(&[("SYSTEM.CNF", text), ("PSX.EXE", &file)]),
            "SYSTEM.CNF: line 2: STACK is 80300000, expected a multiple of 4 above 80010000, up to 80200000"
        );
        assert_eq!(
            message(&[("PSX.EXE", &[0x7F; 4096])]),
            "PSX.EXE: not a PS-EXE: it does not begin with \"PS-X EXE\""
        );
        let mut empty = disc(&[]);
        empty.sectors[16] = [0; SECTOR];
        assert_eq!(
            boot(&mut empty).0.unwrap_err().to_string(),
            "NoVolume: no ISO9660 volume at sector 16"
        );
    }

    #[test]
    fn a_sector_that_cannot_be_read_ends_the_boot() {
        for broken in [16, 22, 23, 24, 25] {
            let mut disc = disc(&[("PSX.EXE", &program((0, 0), 0))]);
            disc.broken = Some(broken);
            let message = boot(&mut disc).0.unwrap_err().to_string();
            assert_eq!(message, std::format!("sector {broken} is broken"));
        }
    }
}
