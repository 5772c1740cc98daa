//! The archive and the containers inside it.

use overworld_runtime::disc::bundle::{self, AssetType, Bundle, MEMBER_LIMIT, Packed};
use overworld_runtime::disc::cdname::{self, Builder, MAX_NAME};
use overworld_runtime::disc::chunk::{self, Chunks};
use overworld_runtime::disc::pack::{self, Pack, standalone};
use overworld_runtime::disc::prot::{self, TOC_BYTES, TOC_SECTORS, Toc};
use overworld_runtime::lzs::{self, Scratch};

use super::{is_inside, take_u16};

/// `[u16 sectors of the archive]`, then the table, filled up with zeros.
///
/// Entries tile the archive without a gap; the table can be written again from their lengths.
pub fn prot(data: &[u8]) -> bool {
    let (sectors, data) = take_u16(data);
    if data.len() < TOC_BYTES {
        assert!(Toc::parse(data, sectors.into()).is_err(), "a short table");
    }
    let mut table = data.to_vec();
    table.resize(table.len().max(TOC_BYTES), 0);
    let Ok(toc) = Toc::parse(&table, sectors.into()) else {
        return false;
    };
    let entries: Vec<_> = toc.entries().collect();
    assert_eq!(entries.len(), toc.len() as usize);
    let mut next = TOC_SECTORS;
    for (raw, entry) in (0..).zip(&entries) {
        assert_eq!(entry.first, next, "no gap before {raw}");
        assert!(entry.sectors > 0);
        assert_eq!(toc.entry(raw), Ok(*entry));
        let extraction = prot::extraction_from_raw(raw);
        assert_eq!(extraction.map_or(raw, prot::raw_from_extraction), raw);
        next += entry.sectors;
    }
    assert_eq!(next, toc.archive_sectors());
    assert!(next <= u32::from(sectors));
    for raw in [toc.len(), u32::MAX] {
        assert_eq!(toc.entry(raw), Err(prot::Error::NoSuchEntry { raw }));
    }
    if let Some(less) = next.checked_sub(1) {
        assert!(Toc::parse(&table, less).is_err(), "the last entry must fit");
    }
    let lengths: Vec<u32> = entries.iter().map(|entry| entry.sectors).collect();
    let mut out = [0xEE; TOC_BYTES];
    assert_eq!(prot::emit(&lengths, &mut out), Ok(next));
    let words = 4..12 + 4 * entries.len();
    assert_eq!(out[words.clone()], table[words]);
    let again = Toc::parse(&out, next).expect("just written");
    assert!(again.entries().eq(entries));
    true
}

/// A name list.
///
/// Names are short and without blanks; lookup and cover agree with the list; the lines that the
/// strict builder accepts read back as they are.
pub fn cdname(data: &[u8]) -> bool {
    let defines: Vec<_> = cdname::defines(data).collect();
    assert!(defines.len() <= data.len() / b"#define a 0".len() + 1);
    let mut room = [0; cdname::FILE_LIMIT];
    let mut builder = Builder::new(&mut room);
    let mut built = Vec::new();
    for define in defines.iter().take(400) {
        assert!((1..=MAX_NAME).contains(&define.name.len()));
        assert!(!define.name.iter().any(u8::is_ascii_whitespace));
        assert!(define.raw <= 0xFFFF);
        assert!(is_inside(define.name, data));
        let cover = cdname::covering(data, define.raw).expect("at least itself");
        assert_eq!(cover.raw, define.raw);
        let Ok(name) = core::str::from_utf8(define.name) else {
            continue;
        };
        let last = defines.iter().rfind(|it| it.name == define.name);
        assert_eq!(cdname::lookup(data, name), last.map(|it| it.raw));
        if builder.define(name, define.raw).is_ok() {
            built.push(*define);
        }
    }
    let length = builder.finish();
    assert!(length < cdname::FILE_LIMIT);
    assert!(cdname::defines(&room[..length]).eq(built));
    !defines.is_empty()
}

/// A scene bundle.
///
/// Members lie inside behind the table; a size that no stream can fill is refused without the
/// memory; packed members can be written again, and unpacked ones be packed again.
pub fn bundle(data: &[u8]) -> bool {
    let Ok(bundle) = Bundle::parse(data) else {
        return false;
    };
    let table = 8 + 8 * bundle.len();
    let members: Vec<_> = bundle.members().collect();
    assert_eq!(members.len(), bundle.len());
    let mut decoded = Vec::new();
    for member in &members {
        assert!(is_inside(member.data, &data[table..]));
        assert!(!member.data.is_empty());
        assert!(member.size <= MEMBER_LIMIT);
        let first = bundle.find(member.ty).expect("at least itself");
        assert!(first.index <= member.index && first.ty == member.ty);
        assert_eq!(AssetType::from_byte(member.ty.byte()), Some(member.ty));
        let size = member.size as usize;
        if size > lzs::most(member.data.len()) {
            assert!(lzs::measure(member.data, size).is_err());
            continue;
        }
        // Short streams can fill megabytes: too much for each of many runs.
        if size > 1 << 16 {
            continue;
        }
        let mut out = vec![0; size];
        let outcome = member.decode(&mut out);
        assert_eq!(outcome.is_ok(), lzs::measure(member.data, size).is_ok());
        if outcome.is_ok() && size > 0 {
            decoded.push((member.ty, out));
        }
    }
    assert_eq!(bundle.member(bundle.len()), None);

    let packed: Vec<_> = members
        .iter()
        .map(|member| Packed {
            ty: member.ty,
            size: member.size,
            stream: member.data,
        })
        .collect();
    let total: usize = members.iter().map(|it| it.data.len() + 3).sum();
    let mut out = vec![0xEE; table + total];
    match bundle::emit(&packed, &mut out) {
        Ok(length) => {
            let again = Bundle::parse(&out[..length]).expect("just written");
            for (one, other) in members.iter().zip(again.members()) {
                assert_eq!((one.ty, one.size), (other.ty, other.size));
                let fill = other.data.strip_prefix(one.data).expect("the same stream");
                assert!(fill.len() < 4 && fill.iter().all(|&byte| byte == 0));
            }
            assert_eq!(again.len(), members.len());
        }
        Err(error) => assert!(matches!(error, bundle::Error::EntryTooLarge { .. })),
    }

    let total: usize = decoded.iter().map(|it| it.1.len()).sum();
    if !decoded.is_empty() && total <= 1 << 15 {
        let sources: Vec<_> = decoded.iter().map(|it| (it.0, it.1.as_slice())).collect();
        let room = 8 + sources.len() * 12 + lzs::bound(total) + sources.len();
        let mut out = vec![0; room];
        let length = bundle::emit_decoded(&sources, &mut out, &mut Scratch::new());
        let again = Bundle::parse(&out[..length.expect("fits")]).expect("just written");
        assert_eq!(again.len(), sources.len());
        for (member, (ty, bytes)) in again.members().zip(sources) {
            let mut back = vec![0; bytes.len()];
            assert_eq!(member.decode(&mut back), Ok(bytes.len()));
            assert_eq!((member.ty, back.as_slice()), (ty, bytes));
        }
    }
    true
}

/// A pack.
///
/// Members tile what follows the first offset and can be written again.
pub fn pack(data: &[u8]) -> bool {
    let Ok(pack) = Pack::parse(data) else {
        return false;
    };
    let bodies: Vec<_> = pack.iter().collect();
    assert_eq!(bodies.len(), pack.len());
    let table = 4 + 4 * pack.len();
    assert!(bodies.iter().all(|body| !body.is_empty()));
    assert!(bodies.iter().all(|body| is_inside(body, &data[table..])));
    let total: usize = bodies.iter().map(|body| body.len()).sum();
    let first = bodies.first().map_or(0, |body| body.as_ptr().addr());
    assert_eq!(first + total, data.as_ptr_range().end.addr(), "no gap");
    assert_eq!(pack.get(pack.len()), None);
    let mut out = vec![0xEE; table + total.next_multiple_of(4)];
    let length = pack::emit(&bodies, &mut out).expect("fits");
    let again = Pack::parse(&out[..length]).expect("just written");
    assert_eq!(again.len(), bodies.len());
    for (one, other) in bodies.iter().zip(again.iter()) {
        let fill = other.strip_prefix(*one).expect("the same body");
        assert!(fill.len() < 4 && fill.iter().all(|&byte| byte == 0));
    }
    true
}

/// A standalone pack.
///
/// It is the pack behind its header, no longer than the header says, and can be written again.
pub fn standalone(data: &[u8]) -> bool {
    let begins = standalone::is_standalone(data);
    assert_eq!(standalone::body(data).is_ok(), begins);
    let pack = match standalone::parse(data) {
        Ok(pack) => pack,
        Err(error) => {
            let header = matches!(error, pack::Error::BadHeader { .. });
            assert_eq!(header, !begins, "{error}");
            return false;
        }
    };
    let body = standalone::body(data).expect("it was parsed");
    assert!(is_inside(body, &data[standalone::HEADER..]));
    let plain = Pack::parse(body).expect("the same bytes");
    assert!(pack.iter().eq(plain.iter()));
    let bodies: Vec<_> = pack.iter().collect();
    for (index, body) in bodies.iter().enumerate() {
        let at = standalone::HEADER + pack.offset(index).expect("of a member");
        assert_eq!(data[at..at + body.len()], **body);
    }
    assert_eq!(pack.offset(pack.len()), None);
    let mut out = vec![0xEE; data.len() + 4];
    let length = standalone::emit(&bodies, &mut out).expect("fits");
    let again = standalone::parse(&out[..length]).expect("just written");
    assert_eq!(again.len(), bodies.len());
    for (one, other) in bodies.iter().zip(again.iter()) {
        let fill = other.strip_prefix(*one).expect("the same body");
        assert!(fill.len() < 4 && fill.iter().all(|&byte| byte == 0));
    }
    true
}

/// A stream of chunks.
///
/// The walk ends, once and for all, within the input; chunks of whole words can be written again.
pub fn chunk(data: &[u8]) -> bool {
    let mut walk = Chunks::new(data);
    let mut chunks = Vec::new();
    let mut whole = true;
    for chunk in walk.by_ref() {
        match chunk {
            Ok(chunk) => {
                assert!(!chunk.data.is_empty() && is_inside(chunk.data, data));
                chunks.push(chunk);
            }
            Err(error) => {
                whole = false;
                let chunk::Error::TruncatedChunk { offset } = error else {
                    panic!("{error:?}");
                };
                assert!(offset <= data.len());
            }
        }
    }
    assert!(walk.next().is_none(), "it stays at its end");
    assert!(chunks.len() <= data.len() / 4);
    chunks.retain(|chunk| chunk.data.len() & 3 == 0);
    let total: usize = chunks.iter().map(|it| it.data.len() + 4).sum();
    // Small sizes step by less than they show, so chunks may overlap.
    if total <= 1 << 20 {
        let mut out = vec![0; total + 4];
        assert_eq!(chunk::emit(&chunks, &mut out), Ok(total + 4));
        let again: Result<Vec<_>, _> = Chunks::new(&out).collect();
        assert_eq!(again.expect("just written"), chunks);
    }
    whole
}
