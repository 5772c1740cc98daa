//! Round trips, and containers that are damaged.

use overworld_runtime::disc::bundle::{self, AssetType, Bundle};
use overworld_runtime::disc::chunk::{self, Chunk, Chunks};
use overworld_runtime::disc::pack::{self, Pack, standalone};
use overworld_runtime::disc::prot::{self, Toc};
use overworld_runtime::disc::{cdname, sector};
use overworld_runtime::lzs::Scratch;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn tables_of_contents_round_trip(sizes in prop::collection::vec(1u32..500, 1..200)) {
        let mut out = vec![0xEE; 6144];
        let end = prot::emit(&sizes, &mut out).unwrap();
        prop_assert_eq!(end, 3 + sizes.iter().sum::<u32>());
        let toc = Toc::parse(&out, end).unwrap();
        prop_assert_eq!(toc.entries().map(|e| e.sectors).collect::<Vec<_>>(), sizes);
        prop_assert_eq!(toc.archive_sectors(), end);
    }

    #[test]
    fn packs_round_trip(
        bodies in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..30), 1..20),
    ) {
        let slices: Vec<&[u8]> = bodies.iter().map(|body| &body[..]).collect();
        let mut out = vec![0xEE; 1024];
        let len = pack::emit(&slices, &mut out).unwrap();
        let pack = Pack::parse(&out[..len]).unwrap();
        prop_assert_eq!(pack.len(), bodies.len());
        for (found, body) in pack.iter().zip(&bodies) {
            prop_assert_eq!(&found[..body.len()], &body[..]);
            prop_assert!(found.len() - body.len() < 4);
            prop_assert!(found[body.len()..].iter().all(|&byte| byte == 0));
        }
    }

    #[test]
    fn chunks_round_trip(
        chunks in prop::collection::vec(
            (any::<u8>(), prop::collection::vec(any::<[u8; 4]>(), 1..20)),
            0..12,
        ),
        behind in prop::collection::vec(any::<u8>(), 0..9),
    ) {
        let sources: Vec<Chunk<'_>> = chunks
            .iter()
            .map(|(ty, words)| Chunk { ty: *ty, data: words.as_flattened() })
            .collect();
        let mut out = vec![0xEE; 2048];
        let len = chunk::emit(&sources, &mut out).unwrap();
        let size: usize = sources.iter().map(|it| 4 + it.data.len()).sum();
        prop_assert_eq!(len, size + 4);
        out.truncate(len);
        // What follows the terminator does not count.
        out.extend(&behind);
        let found: Result<Vec<_>, _> = Chunks::new(&out).collect();
        prop_assert_eq!(found.unwrap(), sources);
        // Cut anywhere before it, the end is missed.
        for end in 0..len {
            prop_assert!(Chunks::new(&out[..end]).any(|it| it.is_err()), "{}", end);
        }
    }

    #[test]
    fn name_lists_round_trip(
        lines in prop::collection::btree_map(0u32..=0xFFFF, "[a-z0-9_]{1,11}", 0..40),
    ) {
        let mut out = [0xEE; 2048];
        let mut builder = cdname::Builder::new(&mut out);
        let mut kept: Vec<(&str, u32)> = Vec::new();
        for (&raw, name) in &lines {
            let twice = kept.iter().any(|it| it.0 == name);
            prop_assert_eq!(builder.define(name, raw).is_ok(), !twice, "{}", name);
            if !twice {
                kept.push((name, raw));
            }
        }
        let len = builder.finish();
        let text = &out[..len];
        let found: Vec<_> = cdname::defines(text)
            .map(|it| (std::str::from_utf8(it.name).unwrap(), it.raw))
            .collect();
        prop_assert_eq!(&found, &kept);
        for &(name, raw) in &kept {
            prop_assert_eq!(cdname::lookup(text, name), Some(raw));
            prop_assert_eq!(cdname::covering(text, raw).map(|it| it.raw), Some(raw));
        }
        // What the game's own reader needs: every line begins with '#', the last one is ended.
        let lines: Vec<_> = text.split_inclusive(|&byte| byte == b'\n').collect();
        prop_assert_eq!(lines.len(), kept.len());
        prop_assert!(lines.iter().all(|it| it[0] == b'#' && it.ends_with(b"\n")));
    }

    #[test]
    fn sectors_round_trip(
        lba in 0u32..449_850,
        submode in any::<u8>(),
        seed in any::<u64>(),
        damage in (0x010usize..sector::RAW, 0u8..8),
    ) {
        let mut state = seed | 1;
        let mut noise = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 56) as u8
        };
        let (at, bit) = damage;
        let mut raw = [0xEE; sector::RAW];
        let data: [u8; 2048] = std::array::from_fn(|_| noise());
        let form1 = submode & !sector::SUBMODE_FORM2;
        sector::build(lba, form1, &data, &mut raw).unwrap();
        prop_assert_eq!(sector::check(&raw), Ok(&data));
        prop_assert_eq!(sector::data(&raw), Ok((lba, &data)));
        prop_assert_eq!(sector::inspect(&raw), Ok((lba, sector::Contents::Form1(&data))));
        prop_assert_eq!(&raw[0x010..0x018], [0, 0, form1, 0, 0, 0, form1, 0]);
        let mut sealed = raw;
        sector::seal(&mut sealed);
        prop_assert_eq!(sealed, raw);
        raw[at] ^= 1 << bit;
        prop_assert!(sector::check(&raw).is_err(), "{:#x}", at);

        let data: [u8; sector::FORM2] = std::array::from_fn(|_| noise());
        let form2 = submode | sector::SUBMODE_FORM2;
        sector::build_form2(lba, submode, &data, &mut raw).unwrap();
        prop_assert_eq!(sector::inspect(&raw), Ok((lba, sector::Contents::Form2(&data))));
        prop_assert_eq!(sector::check(&raw), Err(sector::Error::UnexpectedForm2 { lba }));
        prop_assert_eq!(&raw[0x010..0x018], [0, 0, form2, 0, 0, 0, form2, 0]);
        raw[at] ^= 1 << bit;
        // The bit of the form itself makes another kind of sector of it.
        prop_assert!(!matches!(
            sector::inspect(&raw),
            Ok((_, sector::Contents::Form1(_)))
        ));
        prop_assert_ne!(
            sector::inspect(&raw),
            Ok((lba, sector::Contents::Form2(&data)))
        );
    }

    #[test]
    fn standalone_packs_round_trip(
        bodies in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..30), 1..20),
        behind in 0usize..100,
    ) {
        let slices: Vec<&[u8]> = bodies.iter().map(|body| &body[..]).collect();
        let mut out = vec![0; 2048];
        let len = standalone::emit(&slices, &mut out).unwrap();
        let pack = standalone::parse(&out[..len + behind]).unwrap();
        prop_assert_eq!(pack.len(), bodies.len());
        for (index, body) in bodies.iter().enumerate() {
            let at = standalone::HEADER + pack.offset(index).unwrap();
            prop_assert_eq!(&out[at..at + body.len()], &body[..]);
            let found = pack.get(index).unwrap();
            prop_assert_eq!(found.len(), body.len().next_multiple_of(4));
            prop_assert!(found[body.len()..].iter().all(|&byte| byte == 0));
        }
    }

    #[test]
    fn bundles_round_trip(
        members in prop::collection::vec(
            (0usize..14, prop::collection::vec(0u8..4, 1..300)),
            1..33,
        ),
    ) {
        let sources: Vec<(AssetType, &[u8])> = members
            .iter()
            .map(|(ty, data)| (AssetType::ALL[*ty], &data[..]))
            .collect();
        let mut out = vec![0xEE; 0x4000];
        let len = bundle::emit_decoded(&sources, &mut out, &mut Scratch::new()).unwrap();
        let bundle = Bundle::parse(&out[..len]).unwrap();
        prop_assert_eq!(bundle.len(), members.len());
        for (member, (ty, data)) in bundle.members().zip(&sources) {
            prop_assert_eq!(member.ty, *ty);
            let mut decoded = vec![0; data.len()];
            prop_assert_eq!(member.decode(&mut decoded), Ok(data.len()));
            prop_assert_eq!(&decoded[..], *data);
        }
    }

    /// Any bytes are read or refused, never a panic.
    #[test]
    fn hostile_containers(mut data in prop::collection::vec(any::<u8>(), 0..400), count in 0u8..40) {
        for leading in [None, Some(count)] {
            if let (Some(count), true) = (leading, data.len() >= 4) {
                data[..4].copy_from_slice(&[count, 0, 0, 0]);
            }
            if let Ok(bundle) = Bundle::parse(&data) {
                prop_assert_eq!(bundle.members().count(), bundle.len());
            }
            if let Ok(pack) = Pack::parse(&data) {
                prop_assert_eq!(pack.iter().count(), pack.len());
            }
            if let Ok(pack) = standalone::parse(&data) {
                prop_assert_eq!(pack.iter().count(), pack.len());
            }
            prop_assert!(Chunks::new(&data).count() <= data.len() / 4 + 1);
            let _ = cdname::lookup(&data, "demo");
            let _ = cdname::covering(&data, 3);
            let _ = Toc::parse(&data, 99).is_ok();
        }
    }
}
