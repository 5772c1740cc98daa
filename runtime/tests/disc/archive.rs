//! The archive's table of contents and its list of names.

use overworld_runtime::disc::cdname;
use overworld_runtime::disc::prot::{self, Entry, Toc};

/// A table of these words, padded to three sectors.
fn table(words: &[u32]) -> Vec<u8> {
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.resize(6144, 0);
    bytes
}

const WORKED: [u32; 9] = [0, 6, 3, 4, 5, 41, 42, 43, 53];

#[test]
fn the_sheets_table_of_contents() {
    let bytes = table(&WORKED);
    let toc = Toc::parse(&bytes, 53).unwrap();
    assert_eq!(toc.len(), 6);
    assert_eq!(toc.archive_sectors(), 53);
    let entry = |first, sectors| Entry { first, sectors };
    assert_eq!(toc.entry(2), Ok(entry(5, 36)));
    assert_eq!(toc.entry(5), Ok(entry(43, 10)));
    assert_eq!(
        toc.entries().collect::<Vec<_>>(),
        [
            entry(3, 1),
            entry(4, 1),
            entry(5, 36),
            entry(41, 1),
            entry(42, 1),
            entry(43, 10)
        ]
    );
    assert_eq!(toc.entry(6), Err(prot::Error::NoSuchEntry { raw: 6 }));
    assert_eq!(
        toc.entry(u32::MAX),
        Err(prot::Error::NoSuchEntry { raw: u32::MAX })
    );
    assert_eq!(prot::extraction_from_raw(5), Some(3));
    assert_eq!(prot::extraction_from_raw(1), None);
    assert_eq!(prot::raw_from_extraction(0), 2);

    let mut out = vec![0xEE; 6150];
    assert_eq!(prot::emit(&[1, 1, 36, 1, 1, 10], &mut out), Ok(53));
    assert_eq!(out[..6144], bytes);
    assert_eq!(out[6144..], [0xEE; 6]);
}

#[test]
fn bad_tables_of_contents() {
    use prot::Error;
    let refused: [(&[u32], u32, Error); 9] = include!("../../../tests/battery/tables/bad_tocs.rs");
    for (words, sectors, error) in refused {
        let found = Toc::parse(&table(words), sectors).map(|toc| toc.len());
        assert_eq!(found, Err(error), "{words:?}");
    }
    let bytes = table(&WORKED);
    assert_eq!(
        Toc::parse(&bytes[..6143], 53).map(|toc| toc.len()),
        Err(Error::BadToc {
            offset: 0,
            found: 6143
        })
    );

    let mut out = vec![0; 6144];
    assert_eq!(
        prot::emit(&[], &mut out).unwrap_err(),
        prot::Error::BadToc {
            offset: 4,
            found: 0
        }
    );
    assert_eq!(
        prot::emit(&vec![1; 1534], &mut out).unwrap_err(),
        prot::Error::BadToc {
            offset: 4,
            found: 1534
        }
    );
    assert_eq!(
        prot::emit(&[1, 0], &mut out),
        Err(prot::Error::TocNotTiled { raw: 1 })
    );
    assert_eq!(
        prot::emit(&[1, u32::MAX], &mut out),
        Err(prot::Error::TocNotTiled { raw: 1 })
    );
    assert_eq!(
        prot::emit(&[1], &mut out[..6143]),
        Err(prot::Error::OutputTooSmall { room: 6143 })
    );
    // The fullest table.
    assert_eq!(prot::emit(&vec![1; 1533], &mut out), Ok(1536));
    assert_eq!(Toc::parse(&out, 1536).unwrap().len(), 1533);
}

#[test]
fn names_are_read_tolerantly() {
    let text = b"\r\n; comment\n#define boot 0\n  #define  town01   5 \r\n#define town0c 12\n\
        #define far 990\n#define farther 990\n#define bad x1\n#define minus -3\n#define none\n\
        #define twelve_bytes 40\n#define big 65536\n#define huge 99999999999999999999\n\
        #defines no 1\n#define last 1200";
    assert_eq!(cdname::lookup(text, "boot"), Some(0));
    assert_eq!(cdname::lookup(text, "town01"), Some(5));
    assert_eq!(cdname::lookup(text, "last"), Some(1200));
    for absent in [
        "bad",
        "minus",
        "none",
        "twelve_bytes",
        "big",
        "huge",
        "no",
        "",
        "town",
        "far ",
    ] {
        assert_eq!(cdname::lookup(text, absent), None, "{absent}");
    }
    let name = |raw| cdname::covering(text, raw).map(|d| std::str::from_utf8(d.name).unwrap());
    assert_eq!(name(0), Some("boot"));
    assert_eq!(name(4), Some("boot"));
    assert_eq!(name(11), Some("town01"));
    assert_eq!(name(989), Some("town0c"));
    // Declared twice: the later one counts.
    assert_eq!(name(990), Some("farther"));
    assert_eq!(name(u32::MAX), Some("last"));
    assert_eq!(cdname::covering(b"#define a 3\n", 2), None);
    assert_eq!(cdname::lookup(b"#define a 1\n#define a 2", "a"), Some(2));
}

#[test]
fn the_builder_writes_what_retail_reads() {
    let mut out = [0; 64];
    let mut builder = cdname::Builder::new(&mut out);
    builder.define("demo", 2).unwrap();
    builder.define("a_name_of11", 1533).unwrap();
    builder.define("z", 65_535).unwrap();
    let len = builder.finish();
    assert_eq!(
        out[..len],
        *b"#define demo 2\n#define a_name_of11 1533\n#define z 65535\n"
    );
    assert_eq!(cdname::lookup(&out[..len], "a_name_of11"), Some(1533));
}

#[test]
fn the_builder_refuses_what_retail_would_spoil() {
    let mut out = [0; 4096];
    let mut builder = cdname::Builder::new(&mut out);
    builder.define("one", 1).unwrap();
    for name in [
        "",
        "Upper",
        "twelve_bytes",
        "with blank",
        "dash-ed",
        "\u{e9}",
    ] {
        assert_eq!(
            builder.define(name, 9),
            Err(cdname::Error::BadName { line: 2 }),
            "{name}"
        );
    }
    assert_eq!(
        builder.define("one", 9),
        Err(cdname::Error::BadName { line: 2 })
    );
    assert_eq!(
        builder.define("two", 65_536),
        Err(cdname::Error::BadName { line: 2 })
    );
    assert_eq!(
        builder.define("two", 1),
        Err(cdname::Error::NotAscending { line: 2 })
    );
    builder.define("two", 2).unwrap();
    assert_eq!(builder.finish(), 28);

    // The file stays below 4096 bytes whatever the slice holds: 25 bytes a line here.
    let mut out = vec![0; 8192];
    let mut builder = cdname::Builder::new(&mut out);
    let mut line = 0;
    let refused = loop {
        line += 1;
        if let Err(error) = builder.define(&format!("scene_{line:05}"), 1000 + line) {
            break error;
        }
    };
    let len = builder.finish();
    assert_eq!(refused, cdname::Error::TooLarge { line });
    assert_eq!(len, 4095 / 25 * 25);
    let mut small = [0; 10];
    assert_eq!(
        cdname::Builder::new(&mut small).define("demo", 2),
        Err(cdname::Error::TooLarge { line: 1 })
    );
}
