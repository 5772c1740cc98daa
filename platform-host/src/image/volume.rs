//! ISO9660: where everything goes. The bytes of descriptors, path tables and directory records
//! come from [`overworld_runtime::disc::iso`].

use std::collections::BTreeMap;

use overworld_runtime::bytes::{Full, Writer};
use overworld_runtime::disc::iso::{self, Extent, PathRecord, Volume};
use overworld_runtime::disc::sector::SUBMODE_LAST;

use super::{Error, Node, SECTOR, SYSTEM_AREA, TAIL};

/// Submode of the volume descriptor: data, end of record.
const SUBMODE_RECORD: u8 = 0x09;

/// First sector after descriptor and terminator.
const PATH_TABLES: u32 = SYSTEM_AREA + 2;

/// What the console expects as system, volume and application identifier.
const SYSTEM: &str = "PLAYSTATION";

/// A directory in path-table order.
struct Directory<'a> {
    name: &'a str,
    /// Index of its parent; the root's is itself.
    parent: usize,
    children: &'a BTreeMap<String, Node>,
    extent: Extent,
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
        let table_bytes: usize = (0..directories.len())
            .map(|number| path_entry(&directories, number).len())
            .sum();
        let table_sectors = sectors(table_bytes);
        // Two tables, each twice.
        let mut next = u64::from(PATH_TABLES) + 4 * table_sectors;
        for number in 0..directories.len() {
            let own = directory_sectors(directories[number].children);
            let size = own * SECTOR as u64;
            if size > u64::from(iso::DIRECTORY_LIMIT) {
                return Err(Error::DirTooLarge {
                    path: path(&directories, number),
                    size,
                });
            }
            let directory = &mut directories[number];
            directory.extent = Extent {
                lba: clamp(next),
                size: clamp(own * SECTOR as u64),
            };
            next += own;
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
        let volume = Volume {
            system: SYSTEM,
            name: SYSTEM,
            blocks: count,
            path_table_le: PATH_TABLES,
            path_table_be: PATH_TABLES + 2 * clamp(table_sectors),
            path_table_size: clamp(table_bytes as u64),
            root: directories
                .first()
                .map_or(Extent { lba: 0, size: 0 }, |root| root.extent),
        };
        Ok(Self {
            descriptor: sector(|out| volume.emit(out)),
            terminator: sector(iso::terminator),
            tables: [false, true].map(|big_endian| {
                written(table_bytes, |out| {
                    (0..directories.len()).try_for_each(|number| {
                        iso::path_record(out, path_entry(&directories, number), big_endian)
                    })
                })
            }),
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
    let nowhere = Extent { lba: 0, size: 0 };
    let mut all = vec![Directory {
        name: "",
        parent: 0,
        children: root,
        extent: nowhere,
    }];
    let mut at = 0;
    while let Some(children) = all.get(at).map(|directory| directory.children) {
        for (name, node) in children {
            if let Node::Directory(children) = node {
                all.push(Directory {
                    name,
                    parent: at,
                    children,
                    extent: nowhere,
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

/// A directory's path; empty for the root.
fn path(all: &[Directory<'_>], mut number: usize) -> String {
    let mut names = Vec::new();
    while number != 0 {
        names.insert(0, all[number].name);
        number = all[number].parent;
    }
    names.join("/")
}

fn sectors(bytes: usize) -> u64 {
    bytes.div_ceil(SECTOR) as u64
}

/// Numbers past 32 bits end in [`Error::TooLarge`] before anybody sees the cut value.
fn clamp(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// What `write` writes into `length` bytes. Every caller has measured what it writes with the
/// functions that the writers themselves use, so nothing is left out.
fn written(length: usize, write: impl FnOnce(&mut Writer<'_>) -> Result<(), Full>) -> Vec<u8> {
    let mut out = vec![0; length];
    let result = write(&mut Writer::new(&mut out));
    debug_assert_eq!(result, Ok(()));
    out
}

fn sector(write: impl FnOnce(&mut [u8; SECTOR]) -> Result<(), Full>) -> Vec<u8> {
    let mut out = [0; SECTOR];
    let result = write(&mut out);
    debug_assert_eq!(result, Ok(()));
    out.to_vec()
}

/// The path table's record of a directory; the root's name is one zero byte.
fn path_entry<'a>(all: &[Directory<'a>], number: usize) -> PathRecord<'a> {
    let directory = &all[number];
    let name = directory.name.as_bytes();
    PathRecord {
        name: if name.is_empty() { &[0] } else { name },
        lba: directory.extent.lba,
        // `walk` refuses more than 65,535 of them.
        parent: directory.parent as u16 + 1,
    }
}

fn full_name(name: &str, node: &Node) -> Vec<u8> {
    match node {
        Node::File(_) => [name.as_bytes(), b";1"].concat(),
        Node::Directory(_) => name.as_bytes().to_vec(),
    }
}

/// Sectors that a directory takes, since no record crosses a sector's end.
fn directory_sectors(children: &BTreeMap<String, Node>) -> u64 {
    let mut used = 2 * iso::record_len(1);
    let mut full = 0;
    for (name, node) in children {
        let bytes = iso::record_len(full_name(name, node).len());
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
    let length = directory_sectors(own.children) as usize * SECTOR;
    written(length, |out| {
        iso::record(out, &[0], own.extent, true)?;
        iso::record(out, &[1], all[own.parent].extent, true)?;
        for (name, node) in own.children {
            let bytes = full_name(name, node);
            if SECTOR - out.position() % SECTOR < iso::record_len(bytes.len()) {
                out.align(SECTOR)?;
            }
            match node {
                Node::File(data) => {
                    let extent = Extent {
                        lba: files[*file].lba,
                        size: clamp(data.len() as u64),
                    };
                    *file += 1;
                    iso::record(out, &bytes, extent, false)?;
                }
                Node::Directory(_) => {
                    let child = all
                        .iter()
                        .find(|it| it.parent == number && it.name == name.as_str());
                    let extent = child.map_or(own.extent, |child| child.extent);
                    iso::record(out, &bytes, extent, true)?;
                }
            }
        }
        Ok(())
    })
}
