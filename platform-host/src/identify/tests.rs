use super::*;
use crate::image::{self, Tree};
use crate::{psexe, sample, vectors};
use overworld_runtime::bytes::crc32;
use overworld_runtime::disc::bundle::{AssetType, emit_decoded};
use overworld_runtime::disc::pack;
use overworld_runtime::lzs;
use proptest::prelude::*;

fn kind(data: &[u8]) -> Kind {
    bytes(data).kind
}

fn packed(data: &[u8]) -> Vec<u8> {
    let mut out = vec![0; lzs::bound(data.len())];
    let length = lzs::encode(data, &mut out, &mut lzs::Scratch::new()).unwrap();
    out.truncate(length);
    out
}

fn pack_of(bodies: &[&[u8]]) -> Vec<u8> {
    let mut out = vec![0; bodies.iter().map(|it| it.len() + 8).sum::<usize>() + 4];
    let length = pack::emit(bodies, &mut out).unwrap();
    out.truncate(length);
    out
}

#[test]
fn what_follows_a_picture_or_mesh_is_counted() {
    let world = sample::world().unwrap();
    for data in [&world.textures[0].1, &world.models[0].1] {
        let whole = bytes(data);
        assert!(!whole.evidence.contains("follow"), "{}", whole.evidence);
        for (more, words) in [(1, "; 1 byte follows"), (100_000, "; 100000 bytes follow")] {
            // No zeros, which could be a terminator or padding.
            let longer = [data.as_slice(), &vec![0x5A; more]].concat();
            let verdict = bytes(&longer);
            assert_eq!(verdict.kind, whole.kind);
            assert_eq!(verdict.evidence, format!("{}{words}", whole.evidence));
        }
    }
}

/// A program of one unit.
fn program() -> Vec<u8> {
    let header = psexe::Header {
        pc: 0x8001_0000,
        load: 0x8001_0000,
        sp_base: 0x801F_FFF0,
        region: "a test".to_owned(),
        ..psexe::Header::default()
    };
    psexe::emit(&header, &[1; 100]).unwrap()
}

fn boot_text() -> &'static [u8] {
    b"BOOT = cdrom:\\SLUS_999.99;1\r\nTCB = 4\r\nEVENT = 10\r\nSTACK = 801FFF00\r\n"
}

#[test]
fn what_a_console_boots_is_told_by_all_of_it() {
    let verdict = bytes(&program());
    assert_eq!(
        verdict.evidence,
        "\"PS-X EXE\": 0x800 bytes go to 80010000 and start at 80010000, the stack at 801FFFF0, \
         \"a test\""
    );
    // The magic alone, a header without its body, and a start outside of it.
    let near = |data: &[u8], wanted: &str| {
        let verdict = bytes(data);
        assert_eq!(verdict.kind, Kind::Unknown);
        assert!(verdict.evidence.contains(wanted), "{}", verdict.evidence);
    };
    near(b"PS-X EXE", "it begins like a PS-EXE, but ShortHeader: ");
    near(&program()[..2048], "SizeMismatch at offset 0x1c: ");
    let mut wild = program();
    wild[0x12] = 0x30;
    near(&wild, "BadPc at offset 0x10: ");

    let verdict = bytes(boot_text());
    assert_eq!(verdict.kind, Kind::SystemCnf);
    assert_eq!(
        verdict.evidence,
        "SYSTEM.CNF: it boots /SLUS_999.99 from a disc; nothing but BOOT, TCB, EVENT, STACK"
    );
    assert_eq!(kind(b"BOOT=cdrom:SLPS_000.01;1"), Kind::SystemCnf);
    for text in [
        "TCB = 4\nEVENT = 10\n",
        "BOOT = cdrom:\n",
        "BOOT = /boot/vmlinuz\n",
        "BOOT2 = cdrom0:\\SLUS_999.99;1\n",
        "BOOT = cdrom:\\A;1\nBOOT = cdrom:\\B;1\n",
        "BOOT = cdrom:\\A;1\nTCB = four\n",
        "BOOT = cdrom:\\A;1\nVMODE = NTSC\n",
        "BOOT = cdrom:\\A;1\n# a remark\n",
    ] {
        assert_eq!(kind(text.as_bytes()), Kind::Unknown, "{text}");
    }

    let names =
        b"#define init_data 0\r\n#define move_program_no 972\r\n#define a 990\r\n#define b 990\r\n";
    let verdict = bytes(names);
    assert_eq!(verdict.kind, Kind::CdName);
    assert_eq!(
        verdict.evidence,
        "CDNAME.TXT: 4 lines of a name and a raw index that does not descend, from \"init_data\" at \
         0 to 990"
    );
    for text in [
        "#define LIMIT 16\n",
        "#define demo 0x10\n",
        "#define demo +2\n",
        "#define demo 65536\n",
        "#define demo 3\n#define next 2\n",
        "#define demo 3 /* a header */\n",
        "#include \"a.h\"\n#define demo 3\n",
        "#define demo\n",
        "\n\n",
    ] {
        assert_eq!(kind(text.as_bytes()), Kind::Unknown, "{text}");
    }
    // As long as the game's buffer.
    let long = format!("#define demo 2\n{}", "\n".repeat(4096 - 15));
    assert_eq!(kind(long.as_bytes()), Kind::Unknown);
    assert_eq!(kind(&long.as_bytes()[..4095]), Kind::CdName);
}

/// One file of each kind.
fn all() -> Vec<(Kind, Vec<u8>)> {
    let world = sample::world().unwrap();
    let (tim, tmd) = (&world.textures[0].1, &world.models[0].1);
    let textures = pack_of(&[tim, tim]);
    let header = (1 << 24 | textures.len() as u32).to_le_bytes();
    let mut tree = Tree::new();
    tree.file("A", vec![1; 3000]).unwrap();
    let image = image::build(&tree).unwrap();
    let bare = image.chunks(2352).flat_map(|raw| raw[24..2072].to_vec());
    vec![
        (Kind::Bank, vectors::bank()),
        (Kind::Bank, world.bank.1.clone()),
        (Kind::Map, vectors::map()),
        (Kind::Map, world.map.1.clone()),
        (Kind::Map, vectors::patch()),
        (Kind::Bundle, vectors::bundle()),
        (Kind::Bundle, world.bundle().unwrap()),
        (Kind::Man, vectors::man()),
        (Kind::Tmd, tmd.clone()),
        (Kind::Tmd, pack_of(&[tmd, tmd, tmd])),
        (Kind::Tim, tim.clone()),
        (Kind::TimPack, textures.clone()),
        (Kind::TimPack, [&header[..], &textures].concat()),
        (Kind::Lzs, packed(tmd)),
        (Kind::Lzs, packed(&vectors::bank())),
        (Kind::Lzs, vectors::literal(&vectors::man())),
        (Kind::Prot, vectors::archive()),
        (Kind::Prot, world.archive().unwrap()),
        (Kind::Disc, bare.collect()),
        (Kind::Disc, image),
        (Kind::Disc, image::cue_text("a.bin").into_bytes()),
        (Kind::Wad, vectors::wad()),
        (Kind::Ff8, vectors::ff8()),
        (Kind::Exe, program()),
        (Kind::SystemCnf, boot_text().to_vec()),
        (Kind::CdName, b"#define demo 2\n".to_vec()),
    ]
}

#[test]
fn the_vectors_are_the_sheets() {
    assert_eq!(crc32(&vectors::bank()), 0x68C9_A8A7);
    assert_eq!(crc32(&vectors::man()), 0xD415_F2C7);
    assert_eq!(vectors::bundle().len(), 307);
    assert_eq!(crc32(&vectors::bundle()), 0x3CC1_E13E);
}

#[test]
fn each_kind_is_named_with_its_evidence() {
    for (expected, data) in all() {
        let verdict = bytes(&data);
        assert_eq!(verdict.kind, expected, "{}", verdict.evidence);
        assert!(verdict.evidence.len() > 20, "{}", verdict.evidence);
    }
    let evidence = |data: &[u8]| bytes(data).evidence;
    assert!(evidence(&vectors::bank()).starts_with("2 clips"));
    assert!(evidence(&vectors::man()).contains("from offset 0x58 to the empty one at 0xa4"));
    assert!(evidence(&vectors::map()).contains("chains 12 18 1E 24 to 2E (4 records)"));
    assert_eq!(
        evidence(&vectors::patch()),
        "a trigger patch of 2048 bytes: the trigger header chains 12 14 1A 1C to 1E (1 record), zeros \
         behind it"
    );
    assert!(evidence(&vectors::bundle()).contains("03 MAN (man), 05 MOVE (bank)"));
    assert!(evidence(&vectors::archive()).contains("6 raw entries that tile 53 of 53 sectors"));
    let stream = vectors::literal(&vectors::man());
    assert!(evidence(&stream).contains("188 of 188 bytes unpack to exactly 167 bytes of kind man"));
}

/// Whatever is cut off a file that ends where its structure says, it is not that kind any more,
/// and no other.
#[test]
fn a_file_that_is_cut_is_unknown() {
    for (expected, data) in all() {
        // A cue sheet is text, and packs of textures end in texels.
        if data.len() > 1 << 17 || data.is_ascii() {
            continue;
        }
        for length in [data.len() - 1, data.len() / 2, 40, 16, 4, 1, 0] {
            let verdict = bytes(&data[..length]);
            // What an LZS stream unpacks to may end in something that is not read.
            let same = verdict.kind == expected && matches!(expected, Kind::Lzs | Kind::Tmd);
            assert!(
                verdict.kind == Kind::Unknown || (same && length > 1000),
                "{expected} of {} bytes cut to {length}: {}",
                data.len(),
                verdict.evidence
            );
        }
    }
}

#[test]
fn what_comes_near_is_explained_not_guessed() {
    let near = |data: &[u8], what: &str| {
        let verdict = bytes(data);
        assert_eq!(verdict.kind, Kind::Unknown);
        assert!(verdict.evidence.contains(what), "{}", verdict.evidence);
    };
    let mut bank = vectors::bank();
    bank[40] ^= 1;
    near(
        &bank,
        "begins like a bank, but BadMarker at offset 0x28: clip 2",
    );
    let mut map = vectors::map();
    map[0x10006] += 1;
    near(&map, "length of a map, but TriggerChain at offset 0x10006");
    let mut tim = sample::world().unwrap().textures[0].1.clone();
    tim[8] += 1;
    near(&tim, "begins like a TIM, but BadTimBlock at offset 0x8");
    let mut tmd = sample::world().unwrap().models[0].1.clone();
    tmd[4] = 1;
    near(
        &tmd,
        "begins like a TMD, but AlreadyRelocated at offset 0x4",
    );
    let mut bundle = vectors::bundle();
    bundle[11] = 0x0C;
    near(
        &bundle,
        "begins like a bundle, but UnknownType at offset 0xb",
    );
    let bundle = vectors::bundle();
    near(
        &bundle[..300],
        "member 1 (MOVE) does not unpack: TruncatedLiteral",
    );
    let mut wad = vectors::wad();
    wad.pop();
    near(&wad, "begins like a WAD (INFO VERS MAP), but");
    let mut model = vectors::ff8();
    model[20] = 3;
    near(&model, "that of a battle model, but");
    let model = vectors::ff8();
    near(
        &model[..model.len() - 20],
        "that of a battle model, but EndOffsetMismatch: ",
    );
    let man = vectors::man();
    near(&man[..man.len() - 9], "it begins like a MAN, but ");
    near(
        &[&man[..], b"more"].concat(),
        "it reads as a MAN as far as offset ",
    );
    let image = image::build(&Tree::new()).unwrap();
    near(&image[..image.len() - 1], "NotRawImage: ");
    near(b"", "no structure of a known kind");
}

/// What the readers only warn of does not hide what a file is.
#[test]
fn slips_that_readers_tell_are_in_the_evidence() {
    let is = |data: &[u8], kind, what: &str| {
        let verdict = bytes(data);
        assert_eq!(verdict.kind, kind, "{}", verdict.evidence);
        assert!(verdict.evidence.contains(what), "{}", verdict.evidence);
    };
    let wad = vectors::wad();
    is(&wad, Kind::Wad, "lead exactly to END");
    is(
        &[&wad[..], b"abc"].concat(),
        Kind::Wad,
        "lead to END; 3 bytes behind it; the length in front is wrong",
    );
    let mut sized = wad.clone();
    let at = sized.len() - 4;
    sized[at] = 7;
    is(
        &sized,
        Kind::Wad,
        "exactly to END; END says that it has 7 bytes",
    );
    let model = vectors::ff8();
    is(&model, Kind::Ff8, "3 sections end at the file's end");
    let longer = [&model[..], b"xyz"].concat();
    is(&longer, Kind::Ff8, "before the file's end: ");
    is(&longer, Kind::Ff8, "; EndOffsetMismatch: 3 bytes follow");
    // Section 2 ends with its total, where section 3 starts.
    let start = u32::from_le_bytes(model[12..16].try_into().unwrap()) as usize;
    let total = start - 4;
    let mut wrong = model.clone();
    wrong[total] += 1;
    is(&wrong, Kind::Ff8, "; VertexTotal: expected ");
    // Two slips are something else.
    let both = [&wrong[..], b"xyz"].concat();
    assert_eq!(bytes(&both).kind, Kind::Unknown);
    // No animation: a table of none.
    let mut none = [&model[..start], &[0; 4]].concat();
    let end = (none.len() as u32).to_le_bytes();
    none[16..20].copy_from_slice(&end);
    is(
        &none,
        Kind::Ff8,
        "0 animations whose streams end in their section; it has no animation",
    );
}

/// A kingdom's bundle has seven members, a town's six; the bank lies in another slot. Nothing of
/// that may change what the bank is called.
#[test]
fn a_kingdoms_bank_is_a_towns_bank() {
    let world = sample::world().unwrap();
    let textures = pack_of(&[&world.textures[0].1]);
    let models = pack_of(&[&world.models[0].1]);
    let (man, bank) = (vectors::man(), vectors::bank());
    let rest = [0x21; 516];
    let kingdom: [(AssetType, &[u8]); 7] = [
        (AssetType::TimList, &textures),
        (AssetType::Tmd, &models),
        (AssetType::Man, &man),
        (AssetType::Mes, &rest),
        (AssetType::Move, &bank),
        (AssetType::Anm, &rest),
        (AssetType::Vdf, &rest),
    ];
    let town: [(AssetType, &[u8]); 6] = [
        (AssetType::Tmd, &models),
        (AssetType::Man, &man),
        (AssetType::Move, &bank),
        (AssetType::Anm, &[0; 4]),
        (AssetType::Vdf, &rest),
        (AssetType::Flag14, &[0; 4]),
    ];
    let build = |members: &[(AssetType, &[u8])]| {
        let mut out = vec![0; 1 << 17];
        let length = emit_decoded(members, &mut out, &mut lzs::Scratch::new()).unwrap();
        out.truncate(length);
        // As it lies in the archive: padded to whole sectors.
        out.resize(out.len().next_multiple_of(2048), 0);
        out
    };
    let mut banks = Vec::new();
    for (members, count, first) in [(&kingdom[..], 7, 0x40), (&town[..], 6, 0x38)] {
        let data = build(members);
        assert_eq!((data[0], data[12]), (count, first));
        let verdict = bytes(&data);
        assert_eq!(verdict.kind, Kind::Bundle, "{}", verdict.evidence);
        assert!(
            verdict.evidence.contains("05 MOVE (bank)"),
            "{}",
            verdict.evidence
        );
        let bundle = overworld_runtime::disc::bundle::Bundle::parse(&data).unwrap();
        let member = bundle.find(AssetType::Move).unwrap();
        let unpacked = unpack(&member);
        assert_eq!(unpacked.data, bank);
        banks.push(unpacked.verdict.unwrap());
    }
    assert_eq!(banks[0], banks[1]);
    assert_eq!(banks[0], bytes(&bank));
}

#[test]
fn zeros_and_noise_are_unknown() {
    for length in [
        1,
        16,
        61,
        64,
        84,
        167,
        2048,
        6144,
        16 * 2048 + 2048,
        0x12000 - 1,
        0x14000,
    ] {
        assert_eq!(kind(&vec![0; length]), Kind::Unknown, "{length}");
        assert_eq!(kind(&vec![0xFF; length]), Kind::Unknown, "{length}");
    }
    // Something else behind the chain.
    let mut patch = vectors::patch();
    patch[2047] = 1;
    assert_eq!(kind(&patch), Kind::Unknown);
    // A clean unpacking is no evidence: this stream is as good as any.
    assert_eq!(kind(&packed(&[7; 5000])), Kind::Unknown);
    assert_eq!(
        kind(&packed(b"text text text, text and no asset at all")),
        Kind::Unknown
    );
    // Neither is the end of an asset, nor one with a changed byte, packed well.
    let mut bank = vectors::bank();
    assert_eq!(kind(&packed(&bank[4..])), Kind::Unknown);
    bank[16] ^= 1;
    assert_eq!(kind(&packed(&bank)), Kind::Unknown);
}

#[test]
fn a_padded_stream_is_told_by_what_it_holds() {
    for data in [
        vectors::bank(),
        vectors::man(),
        sample::world().unwrap().textures[0].1.clone(),
    ] {
        let mut stream = packed(&data);
        let used = stream.len();
        stream.resize(used.next_multiple_of(2048), 0);
        let verdict = bytes(&stream);
        assert_eq!(verdict.kind, Kind::Lzs, "{}", verdict.evidence);
        let text = format!(
            "{used} of {} bytes unpack to exactly {}",
            stream.len(),
            data.len()
        );
        assert!(verdict.evidence.starts_with(&text), "{}", verdict.evidence);
        // With something else behind it, nothing is proven.
        stream[used] = 0x55;
        assert_eq!(kind(&stream), Kind::Unknown);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_bytes_are_unknown(data in prop::collection::vec(any::<u8>(), 0..4000)) {
        prop_assert_eq!(kind(&data), Kind::Unknown);
    }

    /// Sparse bytes, among which counts and offsets are small.
    #[test]
    fn sparse_bytes_never_panic(
        changes in prop::collection::vec((0_usize..200, 0_u8..40), 0..30),
        length in 0_usize..400,
    ) {
        let mut data = vec![0; length];
        for (at, value) in changes {
            if let Some(byte) = data.get_mut(at) {
                *byte = value;
            }
        }
        let _ = bytes(&data);
    }

    /// Damage anywhere in a file of any kind is survived.
    #[test]
    fn damaged_files_never_panic(
        which in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        value in any::<u8>(),
    ) {
        static ALL: std::sync::LazyLock<Vec<(Kind, Vec<u8>)>> = std::sync::LazyLock::new(all);
        let (_, mut data) = which.get(&ALL).clone();
        let at = at.index(data.len().min(4096));
        data[at] = value;
        let _ = bytes(&data);
    }
}

#[test]
fn a_stream_has_the_limits_of_a_file() {
    let image = sample::image(None).unwrap();
    let told = |data: &[u8], largest| stream(data, largest, 1 << 20);
    let bank = vectors::bank();
    assert_eq!(told(&bank, bank.len() as u64).unwrap(), bytes(&bank));
    // What is longer than is kept is told by its head and length.
    assert_eq!(told(&image, 100_000).unwrap().kind, Kind::Disc);
    let unknown = told(&bank, 83).unwrap();
    assert_eq!(unknown.kind, Kind::Unknown);
    assert!(unknown.evidence.starts_with("84 bytes, neither"));
    let error = stream(io::repeat(0), 1000, 1 << 20).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
    assert!(error.to_string().contains("1048576 bytes"), "{error}");
    assert!(stream(&[0; 2000][..], 1000, 1999).is_err());
    assert!(stream(&[0; 2000][..], 1000, 2000).is_ok());
}
