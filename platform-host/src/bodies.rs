//! Packs of textures or meshes: as a bundle's member holds them, or standalone as an archive entry
//! of its own (TMD/TIM sheet, section 5).

use overworld_runtime::bytes::u32_at;
use overworld_runtime::disc::pack::{Pack, standalone};

use crate::fault::{self, Fault};

/// One body of a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Body<'a> {
    /// Where it begins, in bytes from the start of the file.
    pub offset: usize,
    /// Its bytes, with the zeros that fill the last word.
    pub data: &'a [u8],
}

/// A pack that was read.
#[derive(Clone, Debug)]
pub struct Bodies<'a> {
    /// Bytes of the pack when it is standalone.
    pub standalone: Option<usize>,
    /// At least one, in order.
    pub list: Vec<Body<'a>>,
}

/// Read a file as a pack of either form; `None` when it does not even begin like one.
///
/// That the offsets are good proves little: whoever asks looks at the bodies, too.
#[must_use]
pub fn read(file: &[u8]) -> Option<Result<Bodies<'_>, Fault>> {
    let (data, skip) = match standalone::body(file) {
        Ok(body) => (body, standalone::HEADER),
        Err(_) => (file, 0),
    };
    let pack = match Pack::parse(data) {
        Ok(pack) => pack,
        Err(error) => {
            let fault = fault::pack(data, &error).moved(skip);
            return begins_like_one(data).then_some(Err(fault));
        }
    };
    let list = pack.iter().enumerate().map(|(index, data)| Body {
        offset: pack.offset(index).unwrap_or(0) + skip,
        data,
    });
    Some(Ok(Bodies {
        standalone: (skip > 0).then_some(data.len()),
        list: list.collect(),
    }))
}

/// Whether the first offset points right behind the table, as it does in every pack that is known.
fn begins_like_one(data: &[u8]) -> bool {
    let count = u32_at(data, 0).filter(|&count| count > 0);
    let first = count.and_then(|count| count.checked_add(1));
    first.is_some() && u32_at(data, 4) == first
}

#[cfg(test)]
mod tests {
    use super::*;
    use overworld_runtime::disc::pack;

    fn written(standalone: bool) -> Vec<u8> {
        let mut out = vec![0; 64];
        let bodies: [&[u8]; 2] = [b"AB", b"CDEFG"];
        let length = if standalone {
            standalone::emit(&bodies, &mut out)
        } else {
            pack::emit(&bodies, &mut out)
        };
        out.truncate(length.unwrap());
        out
    }

    #[test]
    fn offsets_count_from_the_start_of_the_file() {
        for standalone in [false, true] {
            let mut file = written(standalone);
            let bodies = read(&file).unwrap().unwrap();
            for body in &bodies.list {
                assert_eq!(file[body.offset..][..body.data.len()], *body.data);
            }
            let lengths: Vec<_> = bodies.list.iter().map(|it| it.data.len()).collect();
            assert_eq!(lengths, [4, 8]);
            assert_eq!(bodies.standalone, standalone.then_some(24));
            // The rest of the sector is no part of a standalone pack.
            file.resize(2048, 0);
            let last = read(&file).unwrap().unwrap().list[1].data.len();
            assert_eq!(last, if standalone { 8 } else { 2048 - 16 });
        }
    }

    #[test]
    fn a_broken_pack_is_told_at_its_place() {
        for (standalone, offset) in [(false, 8), (true, 12)] {
            let mut file = written(standalone);
            // The second member begins where the first does.
            file[offset] = 3;
            let fault = read(&file).unwrap().unwrap_err();
            assert_eq!(
                (fault.name.as_str(), fault.offset),
                ("BadPack", Some(offset as u64))
            );
            // Without a first offset behind the table it is anything.
            file[offset - 4] = 9;
            assert!(read(&file).is_none());
        }
        for other in [
            &b""[..],
            &[0; 16],
            &[0x10, 0, 0, 0, 8, 0, 0, 0],
            b"PNG pict",
        ] {
            assert!(read(other).is_none(), "{other:?}");
        }
    }
}
