//! A hand-made ELF file: header, section contents, symbols, section table. Byte by byte, so that
//! the reader under test and the writer share nothing.

/// Symbol types of the ELF format.
pub const NOTYPE: u8 = 0;
pub const OBJECT: u8 = 1;
pub const FUNC: u8 = 2;

const ALLOC: u32 = 2;
const WRITE: u32 = 1;
const EXEC: u32 = 4;

/// Section types: with and without contents.
const PROGBITS: u32 = 1;
const NOBITS: u32 = 8;

struct Section {
    name: String,
    kind: u32,
    flags: u32,
    address: u32,
    bytes: Vec<u8>,
}

/// The file in the making.
pub struct Elf {
    sections: Vec<Section>,
    symbols: Vec<(String, u32, u32, u8, u16)>,
    entry: u32,
    flags: u32,
}

impl Elf {
    pub fn new(entry: u32) -> Self {
        Elf {
            sections: Vec::new(),
            symbols: Vec::new(),
            entry,
            flags: 0,
        }
    }

    /// Code section at an address.
    pub fn code(mut self, name: &str, address: u32, words: &[u32]) -> Self {
        self.push(name, ALLOC | EXEC, address, words);
        self
    }

    /// Read-only data.
    pub fn constants(mut self, name: &str, address: u32, words: &[u32]) -> Self {
        self.push(name, ALLOC, address, words);
        self
    }

    /// Writable data.
    pub fn variables(mut self, name: &str, address: u32, words: &[u32]) -> Self {
        self.push(name, ALLOC | WRITE, address, words);
        self
    }

    fn push(&mut self, name: &str, flags: u32, address: u32, words: &[u32]) {
        self.sections.push(Section {
            name: name.into(),
            kind: PROGBITS,
            flags,
            address,
            bytes: words.iter().flat_map(|word| word.to_le_bytes()).collect(),
        });
    }

    /// Executable section that is also writable and has no contents in the file.
    pub fn empty_code(mut self, name: &str, address: u32) -> Self {
        self.push(name, ALLOC | EXEC | WRITE, address, &[0]);
        self.sections.last_mut().unwrap().kind = NOBITS;
        self
    }

    /// Symbol in the section that was added last.
    pub fn symbol(mut self, name: &str, address: u32, size: u32, kind: u8) -> Self {
        let section = self.sections.len() as u16;
        self.symbols
            .push((name.into(), address, size, kind, section));
        self
    }

    /// Flags of the file header.
    pub fn flags(mut self, flags: u32) -> Self {
        self.flags = flags;
        self
    }

    /// Writes the file. Section 0 is null, then the sections, then .symtab, .strtab, .shstrtab.
    pub fn build(&self) -> Vec<u8> {
        let mut strings = vec![0u8];
        let mut symbols = vec![0u8; 16];
        for (name, address, size, kind, section) in &self.symbols {
            let at = strings.len() as u32;
            strings.extend(name.bytes().chain([0]));
            symbols.extend(at.to_le_bytes());
            symbols.extend(address.to_le_bytes());
            symbols.extend(size.to_le_bytes());
            symbols.extend([1 << 4 | kind, 0]);
            symbols.extend(section.to_le_bytes());
        }
        let count = self.sections.len() as u32;
        let mut headers: Vec<[u32; 10]> = vec![[0; 10]];
        let mut names = vec![0u8];
        let mut body = vec![0u8; 52];
        let mut add = |name: &str, kind, flags, address, bytes: &[u8], link, info, entry| {
            let offset = body.len() as u32;
            body.extend(bytes);
            body.resize(body.len().next_multiple_of(4), 0);
            let at = names.len() as u32;
            names.extend(name.bytes().chain([0]));
            let size = bytes.len() as u32;
            headers.push([at, kind, flags, address, offset, size, link, info, 4, entry]);
        };
        for section in &self.sections {
            add(
                &section.name,
                section.kind,
                section.flags,
                section.address,
                &section.bytes,
                0,
                0,
                0,
            );
        }
        add(".symtab", 2, 0, 0, &symbols, count + 2, 1, 16);
        add(".strtab", 3, 0, 0, &strings, 0, 0, 0);
        // The names of the sections contain their own section's name.
        let at = names.len() as u32;
        names.extend(b".shstrtab\0");
        let offset = body.len() as u32;
        headers.push([at, 3, 0, 0, offset, names.len() as u32, 0, 0, 1, 0]);
        body.extend(&names);
        body.resize(body.len().next_multiple_of(4), 0);
        let table = body.len() as u32;
        for header in &headers {
            body.extend(header.iter().flat_map(|field| field.to_le_bytes()));
        }
        let mut head = vec![0x7F, b'E', b'L', b'F', 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        head.extend(2u16.to_le_bytes()); // executable
        head.extend(8u16.to_le_bytes()); // MIPS
        head.extend(1u32.to_le_bytes());
        head.extend(self.entry.to_le_bytes());
        head.extend(0u32.to_le_bytes());
        head.extend(table.to_le_bytes());
        head.extend(self.flags.to_le_bytes());
        head.extend(52u16.to_le_bytes());
        head.extend([32, 0, 0, 0, 40, 0]);
        head.extend((headers.len() as u16).to_le_bytes());
        head.extend((headers.len() as u16 - 1).to_le_bytes());
        body[..52].copy_from_slice(&head);
        body
    }
}
