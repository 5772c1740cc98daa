//! Hand-made ELF files for tests: written byte by byte after the ELF specification, so that the
//! packer's reader is not tested with its own writer.

/// A segment of a hand-made ELF.
pub struct Segment {
    /// Address.
    pub address: u32,
    /// Where it is stored.
    pub stored: u32,
    /// Content.
    pub data: Vec<u8>,
    /// Length in memory.
    pub length: u32,
    /// Flags: 1 executable, 2 writable, 4 readable.
    pub flags: u32,
}

/// A section of a hand-made ELF; its bytes are those of the segment at the same address.
pub struct Section {
    /// Name.
    pub name: &'static str,
    /// 1 content, 8 zeroed memory.
    pub kind: u32,
    /// Flags: 1 writable, 2 loaded, 4 executable.
    pub flags: u32,
    /// Address.
    pub address: u32,
    /// Length.
    pub size: u32,
}

/// A hand-made ELF.
#[derive(Default)]
pub struct Elf {
    /// Entry.
    pub entry: u32,
    /// Machine; 8 is MIPS.
    pub machine: u16,
    /// Type; 2 is a linked program.
    pub kind: u16,
    /// Segments in the order of the file.
    pub segments: Vec<Segment>,
    /// Sections in the order of the file.
    pub sections: Vec<Section>,
    /// Name, address, size, and whether it is a function.
    pub symbols: Vec<(&'static str, u32, u32, bool)>,
}

impl Elf {
    /// A MIPS program without content.
    pub fn new(entry: u32) -> Self {
        Self {
            entry,
            machine: 8,
            kind: 2,
            ..Self::default()
        }
    }

    /// Add code at `address`.
    pub fn code(mut self, address: u32, data: &[u8]) -> Self {
        self.segments.push(Segment {
            address,
            stored: address,
            data: data.to_vec(),
            length: data.len() as u32,
            flags: 5,
        });
        self
    }

    /// Add data at `address`, followed by zeroed memory up to `length`.
    pub fn data(mut self, address: u32, data: &[u8], length: u32) -> Self {
        self.segments.push(Segment {
            address,
            stored: address,
            data: data.to_vec(),
            length,
            flags: 6,
        });
        self
    }

    /// Add an absolute symbol.
    pub fn symbol(mut self, name: &'static str, address: u32) -> Self {
        self.symbols.push((name, address, 0, false));
        self
    }

    /// The file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut content = Vec::new();
        let heads = 52 + 32 * self.segments.len() as u32;
        let mut segments = Vec::new();
        for segment in &self.segments {
            let offset = heads + content.len() as u32;
            content.extend_from_slice(&segment.data);
            content.resize(content.len().next_multiple_of(4), 0);
            let size = segment.data.len() as u32;
            words(
                &mut segments,
                &[
                    1,
                    offset,
                    segment.address,
                    segment.stored,
                    size,
                    segment.length,
                    segment.flags,
                    4,
                ],
            );
        }

        let mut strings = vec![0];
        let mut symbols = vec![0; 16];
        for (name, address, size, function) in &self.symbols {
            words(&mut symbols, &[text(&mut strings, name), *address, *size]);
            // Global; absolute, or a function of the first section.
            symbols.extend([0x10 + u8::from(*function) * 2, 0]);
            let index = if *function { 1 } else { 0xFFF1_u16 };
            symbols.extend(index.to_le_bytes());
        }

        let mut names = vec![0];
        let mut table = vec![0; 40];
        for section in &self.sections {
            let name = text(&mut names, section.name);
            let offset = self.place(section.address, heads);
            words(
                &mut table,
                &[
                    name,
                    section.kind,
                    section.flags,
                    section.address,
                    offset,
                    section.size,
                    0,
                    0,
                    4,
                    0,
                ],
            );
        }
        let count = self.sections.len() as u32;
        let tail = [
            (".symtab", 2, symbols, count + 2, 16),
            (".strtab", 3, strings, 0, 0),
        ];
        for (name, kind, bytes, link, entry) in tail {
            let name = text(&mut names, name);
            let offset = heads + content.len() as u32;
            words(
                &mut table,
                &[
                    name,
                    kind,
                    0,
                    0,
                    offset,
                    bytes.len() as u32,
                    link,
                    1,
                    4,
                    entry,
                ],
            );
            content.extend(bytes);
            content.resize(content.len().next_multiple_of(4), 0);
        }
        let name = text(&mut names, ".shstrtab");
        let offset = heads + content.len() as u32;
        words(
            &mut table,
            &[name, 3, 0, 0, offset, names.len() as u32, 0, 0, 1, 0],
        );
        content.extend(names);
        content.resize(content.len().next_multiple_of(4), 0);

        let mut file = b"\x7FELF\x01\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
        file.extend(self.kind.to_le_bytes());
        file.extend(self.machine.to_le_bytes());
        words(
            &mut file,
            &[1, self.entry, 52, heads + content.len() as u32, 0],
        );
        for half in [
            52,
            32,
            self.segments.len() as u16,
            40,
            count as u16 + 4,
            count as u16 + 3,
        ] {
            file.extend(half.to_le_bytes());
        }
        assert_eq!(file.len(), 52);
        file.extend(segments);
        file.extend(content);
        file.extend(table);
        file
    }

    /// Where the byte of an address stands in the file.
    fn place(&self, address: u32, heads: u32) -> u32 {
        let mut offset = heads;
        for segment in &self.segments {
            let inside = address.wrapping_sub(segment.address);
            if (inside as usize) < segment.data.len() {
                return offset + inside;
            }
            offset += (segment.data.len() as u32).next_multiple_of(4);
        }
        offset
    }
}

fn words(out: &mut Vec<u8>, words: &[u32]) {
    out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
}

fn text(strings: &mut Vec<u8>, name: &str) -> u32 {
    let at = strings.len() as u32;
    strings.extend_from_slice(name.as_bytes());
    strings.push(0);
    at
}
