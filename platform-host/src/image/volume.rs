//! ISO9660: where everything goes, and the bytes of descriptors, path tables and directories.

use std::collections::BTreeMap;

use overworld_runtime::disc::sector::SUBMODE_LAST;

use super::{Error, Node, SECTOR, SYSTEM_AREA, TAIL};

/// Submode of the volume descriptor: data, end of record.
const SUBMODE_RECORD: u8 = 0x09;

/// The one date on the disc, 2000-01-01 00:00:00 UTC: years since 1900, month, day, hour, minute,
/// second, zone.
const DATE: [u8; 7] = [100, 1, 1, 0, 0, 0, 0];

/// The same date in a volume descriptor.
const LONG_DATE: &[u8; 17] = b"2000010100000000\0";

/// No date in a volume descriptor.
const NO_DATE: &[u8; 17] = b"0000000000000000\0";

/// XA attributes: everybody may read and execute, Form 1 data.
const XA_FILE: u16 = 0x0D55;

/// The same for a directory.
const XA_DIRECTORY: u16 = 0x8D55;

/// First sector after descriptor and terminator.
const PATH_TABLES: u32 = SYSTEM_AREA + 2;

/// A directory in path-table order.
struct Directory<'a> {
    name: &'a str,
    /// Index of its parent; the root's is itself.
    parent: usize,
    children: &'a BTreeMap<String, Node>,
    lba: u32,
    bytes: u32,
}

/// A file's place.
struct File<'a> {
    data: &'a [u8],
    lba: u32,
}

/// A finished layout: everything from sector 16 on, but the blank tail.
pub struct Layout<'a> {
    descriptor: Vec<u8>,
    terminator: Vec<u8>,
    tables: [Vec<u8>; 2],
    directories: Vec<Vec<u8>>,
    files: Vec<File<'a>>,
    sectors: u32,
}

impl<'a> Layout<'a> {
    pub fn new(root: &'a BTreeMap<String, Node>) -> Result<Self, Error> {
        let mut directories = walk(root)?;
        let table_bytes: usize = directories
            .iter()
            .map(|it| 8 + even(name_bytes(it.name).len()))
            .sum();
        let table_sectors = sectors(table_bytes);
        // Two tables, each twice.
        let mut next = u64::from(PATH_TABLES) + 4 * table_sectors;
        for directory in &mut directories {
            directory.lba = clamp(next);
            directory.bytes = clamp(directory_sectors(directory.children) * SECTOR as u64);
            next += u64::from(directory.bytes) / SECTOR as u64;
        }
        let mut files = Vec::new();
        for directory in &directories {
            for node in directory.children.values() {
                if let Node::File(data) = node {
                    files.push(File {
                        data,
                        lba: clamp(next),
                    });
                    next += sectors(data.len());
                }
            }
        }
        next += u64::from(TAIL);
        let count = u32::try_from(next).map_err(|_| Error::TooLarge { sectors: next })?;

        let mut file = 0;
        let mut bodies = Vec::with_capacity(directories.len());
        for number in 0..directories.len() {
            bodies.push(directory_body(&directories, number, &files, &mut file));
        }
        let root = directories
            .first()
            .map_or((0, 0), |root| (root.lba, root.bytes));
        let places = Places {
            volume: count,
            table_bytes: clamp(table_bytes as u64),
            table_sectors: clamp(table_sectors),
            root,
        };
        Ok(Self {
            descriptor: descriptor(&places),
            terminator: b"\xFFCD001\x01".to_vec(),
            tables: [
                path_table(&directories, u32::to_le_bytes, u16::to_le_bytes),
                path_table(&directories, u32::to_be_bytes, u16::to_be_bytes),
            ],
            directories: bodies,
            files,
            sectors: count,
        })
    }

    /// Sectors of the whole image, system area and tail included.
    pub fn sectors(&self) -> u32 {
        self.sectors
    }

    /// The extents from sector 16 on, in order, each with the submode of its last sector.
    pub fn extents(&self) -> impl Iterator<Item = (&[u8], u8)> {
        let [little, big] = &self.tables;
        let head = [&self.descriptor, &self.terminator, little, little, big, big];
        let submodes = [
            SUBMODE_RECORD,
            SUBMODE_LAST,
            SUBMODE_LAST,
            SUBMODE_LAST,
            SUBMODE_LAST,
            SUBMODE_LAST,
        ];
        let head = head.into_iter().map(Vec::as_slice).zip(submodes);
        let directories = self
            .directories
            .iter()
            .map(|body| (body.as_slice(), SUBMODE_LAST));
        let files = self.files.iter().map(|file| (file.data, SUBMODE_LAST));
        head.chain(directories).chain(files)
    }
}

/// All directories, level by level, in each level by parent and name: the path table's order.
fn walk(root: &BTreeMap<String, Node>) -> Result<Vec<Directory<'_>>, Error> {
    let mut all = vec![Directory {
        name: "",
        parent: 0,
        children: root,
        lba: 0,
        bytes: 0,
    }];
    let mut at = 0;
    while let Some(children) = all.get(at).map(|directory| directory.children) {
        for (name, node) in children {
            if let Node::Directory(children) = node {
                all.push(Directory {
                    name,
                    parent: at,
                    children,
                    lba: 0,
                    bytes: 0,
                });
            }
        }
        at += 1;
    }
    if all.len() > usize::from(u16::MAX) {
        return Err(Error::TooManyDirectories);
    }
    Ok(all)
}

fn even(length: usize) -> usize {
    length.next_multiple_of(2)
}

fn sectors(bytes: usize) -> u64 {
    bytes.div_ceil(SECTOR) as u64
}

/// Numbers past 32 bits end in [`Error::TooLarge`] before anybody sees the cut value.
fn clamp(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// The root's name is one zero byte.
fn name_bytes(name: &str) -> &[u8] {
    if name.is_empty() {
        &[0]
    } else {
        name.as_bytes()
    }
}

/// Bytes of a directory record: fixed part, name padded so that the record stays even, XA part.
fn record_bytes(name: usize) -> usize {
    33 + name + usize::from(name.is_multiple_of(2)) + 14
}

fn full_name(name: &str, node: &Node) -> Vec<u8> {
    match node {
        Node::File(_) => [name.as_bytes(), b";1"].concat(),
        Node::Directory(_) => name.as_bytes().to_vec(),
    }
}

/// Sectors that a directory takes, since no record crosses a sector's end.
fn directory_sectors(children: &BTreeMap<String, Node>) -> u64 {
    let mut used = 2 * record_bytes(1);
    let mut full = 0;
    for (name, node) in children {
        let bytes = record_bytes(full_name(name, node).len());
        if used + bytes > SECTOR {
            full += 1;
            used = 0;
        }
        used += bytes;
    }
    full + 1
}

/// `file` counts the files of all directories so far: [`Layout::new`] placed them in this order.
fn directory_body(
    all: &[Directory<'_>],
    number: usize,
    files: &[File<'_>],
    file: &mut usize,
) -> Vec<u8> {
    let own = &all[number];
    let parent = &all[own.parent];
    let mut body = Vec::with_capacity(own.bytes as usize);
    body.extend(record(&[0], own.lba, own.bytes, true, true));
    body.extend(record(&[1], parent.lba, parent.bytes, true, true));
    for (name, node) in own.children {
        let bytes = full_name(name, node);
        let entry = match node {
            Node::File(data) => {
                let lba = files[*file].lba;
                *file += 1;
                record(&bytes, lba, clamp(data.len() as u64), false, true)
            }
            Node::Directory(_) => {
                let child = all
                    .iter()
                    .find(|it| it.parent == number && it.name == name.as_str());
                let (lba, size) = child.map_or((0, 0), |child| (child.lba, child.bytes));
                record(&bytes, lba, size, true, true)
            }
        };
        let room = SECTOR - body.len() % SECTOR;
        if entry.len() > room {
            body.resize(body.len() + room, 0);
        }
        body.extend(entry);
    }
    body.resize(body.len().next_multiple_of(SECTOR), 0);
    body
}

fn record(name: &[u8], lba: u32, size: u32, directory: bool, xa: bool) -> Vec<u8> {
    let mut out = vec![0, 0];
    out.extend(both32(lba));
    out.extend(both32(size));
    out.extend(DATE);
    out.extend([if directory { 2 } else { 0 }, 0, 0]);
    out.extend(both16(1));
    out.push(name.len() as u8);
    out.extend(name);
    if name.len().is_multiple_of(2) {
        out.push(0);
    }
    if xa {
        // Group, user, attributes, signature, file number.
        out.extend([0; 4]);
        out.extend(if directory { XA_DIRECTORY } else { XA_FILE }.to_be_bytes());
        out.extend(b"XA");
        out.extend([0; 6]);
    }
    out[0] = out.len() as u8;
    out
}

fn path_table(
    all: &[Directory<'_>],
    long: fn(u32) -> [u8; 4],
    short: fn(u16) -> [u8; 2],
) -> Vec<u8> {
    let mut table = Vec::new();
    for directory in all {
        let name = name_bytes(directory.name);
        table.extend([name.len() as u8, 0]);
        table.extend(long(directory.lba));
        // `walk` refuses more than 65,535 of them.
        table.extend(short(directory.parent as u16 + 1));
        table.extend(name);
        table.resize(even(table.len()), 0);
    }
    table
}

struct Places {
    volume: u32,
    table_bytes: u32,
    table_sectors: u32,
    root: (u32, u32),
}

fn descriptor(places: &Places) -> Vec<u8> {
    let mut out = vec![0; SECTOR];
    let mut put = |at: usize, bytes: &[u8]| out[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, &[1]);
    put(1, b"CD001");
    put(6, &[1]);
    put(8, &padded::<32>("PLAYSTATION"));
    put(40, &padded::<32>("PLAYSTATION"));
    put(80, &both32(places.volume));
    put(120, &both16(1));
    put(124, &both16(1));
    put(128, &both16(SECTOR as u16));
    put(132, &both32(places.table_bytes));
    let table = |number: u32| PATH_TABLES + number * places.table_sectors;
    put(140, &table(0).to_le_bytes());
    put(144, &table(1).to_le_bytes());
    put(148, &table(2).to_be_bytes());
    put(152, &table(3).to_be_bytes());
    put(
        156,
        &record(&[0], places.root.0, places.root.1, true, false),
    );
    for at in [190, 318, 446] {
        put(at, &[b' '; 128]);
    }
    put(574, &padded::<128>("PLAYSTATION"));
    for at in [702, 739, 776] {
        put(at, &[b' '; 37]);
    }
    put(813, LONG_DATE);
    put(830, LONG_DATE);
    put(847, NO_DATE);
    put(864, LONG_DATE);
    put(881, &[1]);
    put(1024, b"CD-XA001");
    out
}

fn padded<const N: usize>(text: &str) -> [u8; N] {
    let mut out = [b' '; N];
    out[..text.len()].copy_from_slice(text.as_bytes());
    out
}

/// A number in both byte orders.
fn both32(value: u32) -> [u8; 8] {
    let (a, b) = (value.to_le_bytes(), value.to_be_bytes());
    [a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]]
}

fn both16(value: u16) -> [u8; 4] {
    let (a, b) = (value.to_le_bytes(), value.to_be_bytes());
    [a[0], a[1], b[0], b[1]]
}
