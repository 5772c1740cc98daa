//! The worked examples of the disc sheet, and what it refuses: sectors, archive, names, containers.

use core::marker::PhantomData;

use overworld_runtime::bytes::crc32;
use overworld_runtime::disc::block::{Block, Part, music, overlay};
use overworld_runtime::disc::bundle::{self, AssetType, Bundle, Packed, Table};
use overworld_runtime::disc::cdname::{self, Builder};
use overworld_runtime::disc::chunk::{self, Chunk, Chunks};
use overworld_runtime::disc::pack::{self, Pack, standalone};
use overworld_runtime::disc::prot::{self, Entry, Toc};
use overworld_runtime::disc::sector::{self, Raw};
use overworld_runtime::lzs;

use crate::anim::BANK;
use crate::check::{Check, List, bytes, reason, same, same_hex};
use crate::containers::{MAN, broken};

pub(crate) struct Tests<G>(PhantomData<G>);

impl<G: 'static> Tests<G> {
    pub(crate) const ALL: List<G> = &[
        ("disc/sectors", sectors),
        ("disc/sector-refusals", sector_refusals),
        ("disc/toc", toc),
        ("disc/names", names),
        ("disc/block", block),
        ("disc/bundle", bundle),
        ("disc/bundle-refusals", bundle_refusals),
        ("disc/packs", packs),
        ("disc/chunks", chunks),
    ];
}

/// `N` bytes at `at`; zeros where there are none.
fn part<const N: usize>(data: &[u8], at: usize) -> [u8; N] {
    let found = data.get(at..).and_then(<[u8]>::first_chunk);
    found.copied().unwrap_or([0; N])
}

/// Put `change` over the bytes at `at`.
pub(crate) fn put(data: &mut [u8], at: usize, change: &[u8]) -> Check {
    let place = data.get_mut(at..).and_then(|it| it.get_mut(..change.len()));
    place
        .ok_or_else(|| reason(format_args!("{at:#X} is past the example")))?
        .copy_from_slice(change);
    Ok(())
}

/// Block, submode, factors of the user bytes, address, EDC, P, Q, last four, CRC-32.
type Sector = (
    u32,
    u8,
    [usize; 2],
    [u8; 3],
    [u8; 4],
    [u8; 4],
    [u8; 4],
    [u8; 4],
    u32,
);

fn built(lba: u32, submode: u8, [a, b]: [usize; 2], raw: &mut Raw) -> Check {
    let data = core::array::from_fn(|i| (a * i + b * (i >> 8)) as u8);
    sector::build(lba, submode, &data, raw).map_err(broken)?;
    same!(sector::check(raw), Ok(&data), "sector {lba} read back");
    Ok(())
}

fn sectors<G>(_: &mut G) -> Check {
    static SECTORS: [Sector; 3] = include!("../tables/sectors.rs");
    let mut raw = [0xEE; sector::RAW];
    for (lba, submode, factors, address, edc, p, q, last, crc) in SECTORS {
        built(lba, submode, factors, &mut raw)?;
        same_hex!(part(&raw, sector::ADDRESS_AT), address, "{lba}: address");
        same_hex!(part(&raw, sector::EDC_AT), edc, "{lba}: EDC");
        same_hex!(part(&raw, sector::P_AT), p, "{lba}: P");
        same_hex!(part(&raw, sector::Q_AT), q, "{lba}: Q");
        same_hex!(part(&raw, sector::RAW - 4), last, "{lba}: last");
        same_hex!(crc32(&raw), crc, "{lba}: crc32");
    }
    // Moved, only its address differs.
    let address = sector::address(16).unwrap_or_default();
    put(&mut raw, sector::ADDRESS_AT, &address)?;
    same!(sector::check(&raw).is_ok(), true, "moved");
    Ok(())
}

/// A sector's damage, and the error of each.
const DAMAGE: [(usize, u8, sector::Error); 7] = [
    (0, 1, sector::Error::NotRawImage),
    (
        sector::ADDRESS_AT + 2,
        0x0A,
        sector::Error::BadAddress {
            found: [0, 2, 0x1C],
        },
    ),
    (
        sector::MODE_AT,
        3,
        sector::Error::BadSectorMode { lba: 16, mode: 1 },
    ),
    (
        sector::SUBHEADER_AT + 2,
        0x20,
        sector::Error::UnexpectedForm2 { lba: 16 },
    ),
    (sector::DATA_AT, 1, sector::Error::BadEdc { lba: 16 }),
    (sector::P_AT, 1, sector::Error::BadEcc { lba: 16 }),
    (sector::Q_AT, 1, sector::Error::BadEcc { lba: 16 }),
];

fn sector_refusals<G>(_: &mut G) -> Check {
    let mut raw = [0; sector::RAW];
    built(16, 0x09, [1, 0], &mut raw)?;
    for (at, bits, error) in DAMAGE {
        let [good] = part(&raw, at);
        put(&mut raw, at, &[good ^ bits])?;
        same!(sector::check(&raw), Err(error), "byte {at:#X} damaged");
        put(&mut raw, at, &[good])?;
    }
    Ok(())
}

/// Words of a table, sectors of the archive, why it is refused.
type BadToc = (&'static [u32], u32, prot::Error);

fn toc<G>(_: &mut G) -> Check {
    use prot::Error;
    static REFUSED: [BadToc; 9] = include!("../tables/bad_tocs.rs");
    let mut table = [0xEE; prot::TOC_BYTES];
    let fill = |table: &mut [u8], words: &[u32]| {
        table.fill(0);
        for (place, word) in table.chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
    };
    same!(prot::emit(&[1, 1, 36, 1, 1, 10], &mut table), Ok(53), "end");
    for (at, word) in [0, 6, 3, 4, 5, 41, 42, 43, 53, 0].into_iter().enumerate() {
        let found = u32::from_le_bytes(part(&table, 4 * at));
        same!(found, word, "word {at}");
    }
    let toc = Toc::parse(&table, 53).map_err(broken)?;
    let entry = |first, sectors| Ok(Entry { first, sectors });
    same!(toc.entry(2), entry(5, 36), "the map");
    same!(toc.entry(5), entry(43, 10), "the bundle");
    same!(prot::extraction_from_raw(5), Some(3), "the bundle's number");
    let none = Err(Error::NoSuchEntry { raw: 6 });
    same!(toc.entry(6), none, "entry 6 of 6");
    for (words, sectors, error) in &REFUSED {
        fill(&mut table, words);
        let found = Toc::parse(&table, *sectors).err();
        same!(found, Some(*error), "{words:?} of {sectors}");
    }
    let cut = table.get(1..).unwrap_or_default();
    let short = Error::BadToc {
        offset: 0,
        found: prot::TOC_BYTES as u32 - 1,
    };
    same!(Toc::parse(cut, 53).err(), Some(short), "a byte less");
    Ok(())
}

fn names<G>(_: &mut G) -> Check {
    const TEXT: &[u8] = b"\r\n; comment\n#define boot 0\n  #define  town01   5 \r\n\
        #define far 990\n#define farther 990\n#define bad x1\n#define minus -3\n#define none\n\
        #define twelve_bytes 40\n#define big 65536\n";
    for (name, raw) in [
        ("boot", Some(0)),
        ("town01", Some(5)),
        ("far", Some(990)),
        ("bad", None),
        ("minus", None),
        ("none", None),
        ("twelve_bytes", None),
        ("big", None),
    ] {
        same!(cdname::lookup(TEXT, name), raw, "{name}");
    }
    let cover = cdname::covering(TEXT, 1000).map(|it| it.name);
    same!(cover, Some(&b"farther"[..]), "the later of two");
    let mut out = [0; 64];
    let mut builder = Builder::new(&mut out);
    same!(builder.define("demo", 2), Ok(()), "a good line");
    let bad_name = Err(cdname::Error::BadName { line: 2 });
    for name in ["", "Upper", "twelve_bytes", "with blank", "demo"] {
        same!(builder.define(name, 9), bad_name, "{name:?}");
    }
    same!(builder.define("big", 65_536), bad_name, "17 bits");
    let order = Err(cdname::Error::NotAscending { line: 2 });
    same!(builder.define("two", 2), order, "not above");
    same!(builder.define("two", 3), Ok(()), "another good line");
    let length = builder.finish();
    let text = out.get(..length).unwrap_or_default();
    bytes(
        format_args!("text"),
        text,
        b"#define demo 2\n#define two 3\n",
    )
}

fn block<G>(_: &mut G) -> Check {
    let find = |text, name| {
        let block = Block::find(text, name);
        block.ok_or_else(|| reason(format_args!("no block {name}")))
    };
    // The worked archive; bases and bundles of the game, in extraction numbers.
    let block = find(b"#define demo 2\n", "demo")?.within(6);
    let parts = Part::ALL.map(|part| block.part(part));
    same!(parts, [Some(2), Some(3), Some(4), Some(5)], "the parts");
    same!(block.later(), 6..6, "behind them");
    for (base, number) in [(85, 86), (244, 245), (391, 392)] {
        let raw = Block::new(base, base + 7).part(Part::Bundle);
        let found = raw.and_then(prot::extraction_from_raw);
        same!(found, Some(number), "the bundle of {base}");
    }
    const TWO: &[u8] = b"#define near 5\n#define far 8\n";
    let near = find(TWO, "near")?;
    same!((near.base(), near.end()), (5, 8), "up to the next name");
    same!(near.part(Part::Stager), Some(7), "its last entry");
    same!(near.part(Part::Bundle), None, "the next name's entry");
    same!(find(TWO, "far")?.end(), u32::MAX, "without a next name");
    same!(music(3, 1999), Some(2008), "music");
    same!(music(3, 2000), None, "music of another kind");
    same!(overlay(0x60), Some(0x3E1), "overlay");
    Ok(())
}

/// Bytes of the sheet's bundle.
const BUNDLE: usize = 307;

/// The MAN sheet's and the ANM sheet's example, each packed as literals alone.
fn worked_bundle(out: &mut [u8; BUNDLE]) -> Check {
    let (mut man, mut bank) = ([0; lzs::bound(167)], [0; lzs::bound(84)]);
    let man_len = lzs::encode_literal(&MAN, &mut man).map_err(broken)?;
    let bank_len = lzs::encode_literal(&BANK, &mut bank).map_err(broken)?;
    let members = [
        Packed {
            ty: AssetType::Man,
            size: 167,
            stream: man.get(..man_len).unwrap_or_default(),
        },
        Packed {
            ty: AssetType::Move,
            size: 84,
            stream: bank.get(..bank_len).unwrap_or_default(),
        },
    ];
    same!(bundle::emit(&members, out), Ok(BUNDLE), "length");
    Ok(())
}

fn bundle<G>(_: &mut G) -> Check {
    const HEAD: [u8; 24] = [
        0x02, 0, 0, 0, 0, 0, 0, 0, 0xA7, 0, 0, 0x03, 0x18, 0, 0, 0, 0x54, 0, 0, 0x05, 0xD4, 0, 0, 0,
    ];
    let mut out = [0xEE; BUNDLE];
    worked_bundle(&mut out)?;
    bytes(format_args!("head"), &part::<24>(&out, 0), &HEAD)?;
    same_hex!(crc32(&out), 0x3CC1_E13E, "crc32");
    let bundle = Bundle::parse(&out).map_err(broken)?;
    same!(
        bundle.find(AssetType::Tmd),
        None,
        "a type that is not there"
    );
    let mut back = [0; 167];
    for (ty, expected) in [(AssetType::Man, &MAN[..]), (AssetType::Move, &BANK)] {
        let member = bundle
            .find(ty)
            .ok_or_else(|| reason(format_args!("no {ty}")))?;
        let length = member.decode(&mut back).map_err(broken)?;
        bytes(
            format_args!("{ty}"),
            back.get(..length).unwrap_or_default(),
            expected,
        )?;
    }
    let short = back.get_mut(..166).unwrap_or_default();
    let refused = Err(lzs::Error::OutputTooSmall {
        want: 167,
        room: 166,
    });
    let man = bundle.member(0).map(|it| it.decode(short));
    same!(man, Some(refused), "with a byte less");
    Ok(())
}

/// Where the bundle is changed, to what, and the error that it makes.
type BadBundle = (usize, &'static [u8], bundle::Error);

fn bundle_refusals<G>(_: &mut G) -> Check {
    use bundle::Error;
    static REFUSED: [BadBundle; 15] = include!("../tables/bad_bundles.rs");
    let mut good = [0; BUNDLE];
    worked_bundle(&mut good)?;
    for (at, change, error) in &REFUSED {
        let mut data = good;
        put(&mut data, *at, change)?;
        let found = Bundle::parse(&data).err();
        same!(found, Some(*error), "{change:02X?} at {at:#X}");
    }
    let table = good.get(..23).unwrap_or_default();
    let short = Some(Error::BadDescriptorCount { count: 2 });
    same!(Bundle::parse(table).err(), short, "a table past the end");
    // Pointer-shaped, though the entry claims to be that long.
    put(&mut good, 20, &[0, 0, 0, 1])?;
    let pointer = Some(Error::BadDescriptorOffset { index: 1 });
    same!(Table::parse(&good, 1 << 25).err(), pointer, "16 MiB");
    put(&mut good, 20, &[0xFF, 0xFF, 0xFF, 0])?;
    same!(Table::parse(&good, 1 << 25).err(), None, "a byte below");
    // More than its stream holds, up to where the next one begins.
    worked_bundle(&mut good)?;
    put(&mut good, 8, &[0xC8])?;
    let long = Bundle::parse(&good).map_err(broken)?.member(0);
    let truncated = lzs::Error::TruncatedBackref {
        out: 167,
        want: 200,
    };
    let found = long.map(|it| it.decode(&mut [0; 200]));
    same!(found, Some(Err(truncated)), "a longer member");
    Ok(())
}

fn packs<G>(_: &mut G) -> Check {
    static REFUSED: [(&[u32], u32); 10] = include!("../tables/bad_packs.rs");
    let bodies: [&[u8]; 2] = [b"ABCDE", b"QR"];
    let mut out = [0xEE; 28];
    same!(standalone::emit(&bodies, &mut out), Ok(28), "length");
    let expected = b"\x18\0\0\x01\x02\0\0\0\x03\0\0\0\x05\0\0\0ABCDE\0\0\0QR\0\0";
    bytes(format_args!("standalone pack"), &out, expected)?;
    let (header, inner) = out.split_at_mut_checked(4).unwrap_or_default();
    let header = u32::from_le_bytes(part(header, 0));
    for (what, pack) in [
        ("of a bundle", Pack::parse(inner).map_err(broken)?),
        ("alone", standalone::parse(expected).map_err(broken)?),
    ] {
        same!(pack.get(0), Some(&b"ABCDE\0\0\0"[..]), "first, {what}");
        same!(pack.get(1), Some(&b"QR\0\0"[..]), "second, {what}");
        same!((pack.get(2), pack.offset(1)), (None, Some(20)), "{what}");
    }
    let none = pack::Error::BadHeader { found: 2 };
    same!(standalone::parse(inner).err(), Some(none), "no header");
    same_hex!(header, 0x0100_0018, "the header");
    for (words, index) in REFUSED {
        inner.fill(0);
        for (place, word) in inner.chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        let data = inner.get(..4 * words.len()).unwrap_or_default();
        let bad = Some(pack::Error::BadPack { index });
        same!(Pack::parse(data).err(), bad, "{words:?}");
    }
    Ok(())
}

fn chunks<G>(_: &mut G) -> Check {
    static REFUSED: [(&[u8], usize); 5] = include!("../tables/bad_chunks.rs");
    let both = [
        Chunk {
            ty: 1,
            data: b"ABCD",
        },
        Chunk {
            ty: 5,
            data: b"EFGHIJKL",
        },
    ];
    let mut out = [0xEE; 24];
    same!(chunk::emit(&both, &mut out), Ok(24), "length");
    bytes(
        format_args!("chunks"),
        &out,
        b"\x04\0\0\x01ABCD\x08\0\0\x05EFGHIJKL\0\0\0\0",
    )?;
    same!(Chunks::new(&out).eq(both.map(Ok)), true, "read back");
    // An odd size: the next header lies at the size rounded down.
    let odd = Chunks::new(b"\x05\0\0\x01ABCD\0\0\0\0").next();
    let five = Chunk {
        ty: 1,
        data: b"ABCD\0",
    };
    same!(odd, Some(Ok(five)), "an odd size");
    for (data, offset) in REFUSED {
        let bad = Some(Err(chunk::Error::TruncatedChunk { offset }));
        same!(Chunks::new(data).last(), bad, "{data:02X?}");
    }
    let [first, _] = both;
    let uneven = Chunk {
        data: b"ABC",
        ..first
    };
    let found = chunk::emit(&[first, uneven], &mut out);
    same!(found, Err(chunk::Error::BadSize { offset: 8 }), "uneven");
    Ok(())
}
