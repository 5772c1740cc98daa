//! Whatever keeps a scene from the screen has its own error.

use super::disc::*;
use overworld_runtime::anim::legaia::{self};
use overworld_runtime::disc::block::Part;
use overworld_runtime::disc::bundle::{self, AssetType};
use overworld_runtime::disc::{pack, prot};
use overworld_runtime::gpu::{DisplayList, Full};
use overworld_runtime::gte::software::Gte;
use overworld_runtime::lzs;
use overworld_runtime::model::draw;
use overworld_runtime::model::tim::{self};
use overworld_runtime::model::tmd::{self};
use overworld_runtime::platform::SECTOR;
use overworld_runtime::scene::{DrawError, LoadError, Memory, Name, Which, load, read_map};

#[test]
fn the_drive_fails() {
    let mut disc = Source::new().disc();
    disc.sectors.truncate(10);
    let what = "the directory of the disc";
    let error = DiscError::Short { lba: 16 };
    assert_eq!(
        failure(&mut disc),
        LoadError::Drive {
            what,
            lba: 16,
            error
        }
    );

    // Each run in turn: the root directory, the table of names, the table of contents, the bundle.
    let directory = what;
    let table = "the table of contents of PROT.DAT";
    for (what, lba, bad) in [
        (directory, ROOT, ROOT),
        ("CDNAME.TXT", NAMES, NAMES),
        (table, ARCHIVE, ARCHIVE + 2),
        ("the scene's bundle", ARCHIVE + 43, ARCHIVE + 44),
    ] {
        let mut disc = Source::new().disc();
        disc.unreadable = Some(bad);
        let error = DiscError::Form2 { lba: bad };
        assert_eq!(failure(&mut disc), LoadError::Drive { what, lba, error });
    }
    // An image that ends inside the bundle.
    let mut disc = Source::new().disc();
    disc.sectors.truncate(ARCHIVE as usize + 44);
    let text = failure(&mut disc).to_string();
    assert_eq!(
        text,
        "cannot read the scene's bundle at sector 66: the image ends before sector 67"
    );
}

#[test]
fn files_and_names_are_missing() {
    for name in ["PROT.DAT", "CDNAME.TXT"] {
        let mut disc = Source {
            missing: name,
            ..Source::new()
        }
        .disc();
        assert_eq!(failure(&mut disc), LoadError::FileMissing { name });
    }
    let mut disc = Source::new().disc();
    disc.sectors[16] = [0; SECTOR];
    assert!(matches!(
        failure(&mut disc),
        LoadError::Volume {
            name: "PROT.DAT",
            ..
        }
    ));

    let mut disc = Source {
        names: b"#define town 2\n".to_vec(),
        ..Source::new()
    }
    .disc();
    let error = failure(&mut disc);
    assert_eq!(
        error,
        LoadError::NoSuchScene {
            name: Name::new("demo")
        }
    );
    assert_eq!(error.to_string(), "CDNAME.TXT defines no scene \"demo\"");

    let mut names = b"#define demo 2\n".to_vec();
    names.resize(4096, b'\n');
    let mut disc = Source {
        names,
        ..Source::new()
    }
    .disc();
    assert_eq!(
        failure(&mut disc),
        LoadError::NameTableTooLong { size: 4096 }
    );

    // The bundle would be raw entry 6 of 6.
    let mut disc = Source {
        names: b"#define demo 3\n".to_vec(),
        ..Source::new()
    }
    .disc();
    assert_eq!(
        failure(&mut disc),
        LoadError::Toc(prot::Error::NoSuchEntry { raw: 6 })
    );

    // The entry exists, but it is the next name's.
    let mut disc = Source {
        names: b"#define demo 2\n#define next 5\n".to_vec(),
        ..Source::new()
    }
    .disc();
    let error = failure(&mut disc);
    assert_eq!(
        error,
        LoadError::NoPart {
            name: Name::new("demo"),
            part: Part::Bundle,
            base: 2,
            end: 5,
        }
    );
    assert_eq!(
        error.to_string(),
        "\"demo\" is no scene: raw entries 2 to 4 end before its bundle, which would be entry 5"
    );
}

#[test]
fn a_map_is_read_or_its_own_fault_is_told() {
    let mut out = [[0; SECTOR]; 40];
    let mut read = |source: Source| {
        let mut sectors = vec![[0; SECTOR]; 3];
        read_map::<_, Recorder>(&mut source.disc(), "demo", &mut sectors, &mut out)
    };
    // The archive ends 8 sectors behind the map's 40.
    assert_eq!(read(Source::new()), Ok(()));
    // A name that is too short for a bundle has a map all the same.
    let names = b"#define demo 2\n#define next 5\n".to_vec();
    let short = Source {
        names,
        ..Source::new()
    };
    assert_eq!(read(short), Ok(()));
    // A map that is not in the archive.
    let names = b"#define demo 6\n".to_vec();
    let none = Source {
        names,
        ..Source::new()
    };
    let error = read(none).unwrap_err();
    assert_eq!(error, LoadError::Toc(prot::Error::NoSuchEntry { raw: 6 }));
    assert!(!error.to_string().contains("bundle"), "{error}");
}

#[test]
fn the_table_of_contents_is_not_tiled() {
    let source = Source::new();
    let mut archive = Source::archive(&source.bundle());
    // Raw entry 3 starts where raw entry 2 does.
    archive.copy_within(4 * 4..4 * 5, 4 * 5);
    let error = failure(&mut source.disc_with(&archive));
    assert_eq!(error, LoadError::Toc(prot::Error::TocNotTiled { raw: 2 }));
    // The archive is shorter than its table says.
    let mut archive = Source::archive(&source.bundle());
    archive.truncate(archive.len() - SECTOR);
    let error = failure(&mut source.disc_with(&archive));
    assert_eq!(error, LoadError::Toc(prot::Error::TocNotTiled { raw: 5 }));
}

#[test]
fn the_bundle_is_damaged() {
    let source = Source::new();
    let with = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bundle = source.bundle();
        change(&mut bundle);
        failure(&mut source.disc_with(&Source::archive(&bundle)))
    };
    let raw = 5;
    let error = bundle::Error::BadDescriptorCount { count: 0 };
    assert_eq!(with(&|b| b[0] = 0), LoadError::Bundle { raw, error });
    let error = bundle::Error::UnknownType { index: 1, ty: 0x13 };
    assert_eq!(with(&|b| b[19] = 0x13), LoadError::Bundle { raw, error });

    // Member 1 announces more bytes than its stream has before member 2 begins.
    let error = with(&|b| b[17] += 1);
    assert!(
        matches!(
            error,
            LoadError::Member {
                index: 1,
                ty: AssetType::Tmd,
                ..
            }
        ),
        "{error:?}"
    );
    assert!(
        error
            .to_string()
            .starts_with("bundle member 1 (TMD) does not unpack: "),
        "{error}"
    );
}

#[test]
fn members_are_damaged_or_missing() {
    let with = |change: &dyn Fn(&mut Source)| {
        let mut source = Source::new();
        change(&mut source);
        failure(&mut source.disc())
    };
    let error = with(&|s| s.members[0].1[0] = 0);
    assert!(matches!(
        error,
        LoadError::Pack {
            index: 0,
            ty: AssetType::TimList,
            ..
        }
    ));

    let mut bad = texture();
    bad[4] = 0x1F;
    let error = with(&|s| s.members[0].1 = pack(&[&texture(), &bad]));
    let inner = tim::Error::BadTim {
        offset: 4,
        found: 0x1F,
    };
    assert_eq!(
        error,
        LoadError::Texture {
            index: 0,
            number: 1,
            error: inner
        }
    );

    // A mesh by its magic word, already in use.
    let mut used = mesh(3);
    used[4] = 1;
    let error = with(&|s| s.members[1].1 = pack(&[&mesh(3), &used]));
    let inner = tmd::Error::AlreadyRelocated { flags: 1 };
    assert_eq!(
        error,
        LoadError::Mesh {
            index: 1,
            number: 1,
            error: inner
        }
    );

    let error = with(&|s| s.members[2].1[0] = 0);
    let inner = legaia::Error::BadCount { count: 0 };
    assert_eq!(
        error,
        LoadError::Bank {
            index: 2,
            error: inner
        }
    );

    let error = with(&|s| _ = s.members.remove(1));
    assert_eq!(error, LoadError::AssetMissing { ty: AssetType::Tmd });
    // A pack without a mesh, and a placeholder.
    for none in [pack(&[b"none"]), vec![0; 4]] {
        let error = with(&|s| s.members[1].1 = none.clone());
        assert_eq!(error, LoadError::AssetMissing { ty: AssetType::Tmd });
    }
    let error = with(&|s| _ = s.members.pop());
    assert_eq!(
        error,
        LoadError::AssetMissing {
            ty: AssetType::Move
        }
    );

    let error = with(&|s| s.members[2].1 = clips(2));
    assert_eq!(
        error,
        LoadError::PartMismatch {
            clip: 1,
            parts: 2,
            objects: 3
        }
    );
}

#[test]
fn memory_is_too_small() {
    let mut source = Source::new();
    source.members.push((AssetType::Vdf, vec![7; 5001]));
    let needed = source
        .members
        .iter()
        .map(|(_, data)| data.len().next_multiple_of(4))
        .sum();
    let mut screen = Recorder::default();
    let mut assets = vec![0; needed];
    assert!(load_from(&mut source.disc(), &mut screen, &mut assets).is_ok());
    let available = needed - 1;
    let error = load_from(&mut source.disc(), &mut screen, &mut assets[1..]).map(|_| ());
    assert_eq!(error, Err(LoadError::AssetsTooSmall { needed, available }));

    // Memory off the word boundary: its beginning stays unused, so that the mesh can be drawn.
    let mut assets = vec![0; needed + 8];
    let begin = assets.as_ptr().align_offset(4) + 1;
    let error = load_from(
        &mut source.disc(),
        &mut screen,
        &mut assets[begin..][..needed + 2],
    )
    .map(|_| ());
    let (available, needed) = (needed + 2, needed + 3);
    assert_eq!(error, Err(LoadError::AssetsTooSmall { needed, available }));
    let mut scene = load_from(
        &mut source.disc(),
        &mut screen,
        &mut assets[begin..][..needed],
    )
    .unwrap();
    let mut words = vec![0; 8192];
    let mut list = DisplayList::new(&mut words, 64);
    list.begin(&mut screen);
    assert!(scene.compose(&mut Gte::new(), &mut list).unwrap().total() > 0);
    let mut assets = vec![0; needed];

    let packed = source.bundle().len().div_ceil(SECTOR) as u32;
    assert!(packed > 3);
    for available in 0..packed as usize {
        let mut sectors = vec![[0; SECTOR]; available];
        let memory = Memory {
            sectors: &mut sectors,
            assets: &mut assets,
        };
        let error = load(
            &mut source.disc(),
            &mut screen,
            Which::Named("demo"),
            memory,
        )
        .map(|_| ());
        let (what, needed) = match available {
            0 => ("the directory", 3),
            1 | 2 => ("the table of contents of PROT.DAT", 3),
            // The bundle is never there as a whole.
            _ => {
                assert_eq!(error, Ok(()), "{available}");
                continue;
            }
        };
        assert_eq!(
            error,
            Err(LoadError::StagingTooSmall {
                what,
                needed,
                available
            })
        );
    }
}

#[test]
fn the_screen_refuses() {
    let mut assets = vec![0; 65_536];
    let mut screen = Recorder {
        refuse: true,
        ..Recorder::default()
    };
    let error = load_from(&mut Source::new().disc(), &mut screen, &mut assets).map(|_| ());
    assert_eq!(
        error,
        Err(LoadError::Upload {
            index: 0,
            number: 0,
            error: "the GPU is busy"
        })
    );

    screen.refuse = false;
    let mut scene = load_from(&mut Source::new().disc(), &mut screen, &mut assets).unwrap();
    let mut words = [0; 64 + 9];
    let mut list = DisplayList::new(&mut words, 64);
    let error = scene.draw(&mut Gte::new(), &mut screen, &mut list);
    let full = Full {
        needed: 10,
        free: 9,
    };
    assert_eq!(error, Err(DrawError::Model(draw::Error::Full(full))));
    assert!(
        screen.lists.is_empty(),
        "a list that is not complete is not drawn"
    );

    screen.refuse = true;
    let mut words = [0; 1024];
    let mut list = DisplayList::new(&mut words, 64);
    let error = scene.draw(&mut Gte::new(), &mut screen, &mut list);
    assert_eq!(error, Err(DrawError::Screen("the GPU is busy")));
}

#[test]
fn every_failure_has_its_own_sentence() {
    let (what, index, ty) = ("the bundle", 3, AssetType::TimList);
    let errors: [Failure; 18] = [
        LoadError::Drive {
            what,
            lba: 5,
            error: DiscError::NoRun,
        },
        LoadError::FileMissing { name: "PROT.DAT" },
        LoadError::Volume {
            name: "PROT.DAT",
            error: overworld_runtime::disc::iso::Error::NoVolume,
        },
        LoadError::NameTableTooLong { size: 5000 },
        LoadError::NoSuchScene {
            name: Name::new("a name that is much too long"),
        },
        LoadError::Toc(prot::Error::NoSuchEntry { raw: 9 }),
        LoadError::StagingTooSmall {
            what,
            needed: 10,
            available: 3,
        },
        LoadError::BundleTooLong {
            raw: 5,
            sectors: 900,
            most: 256,
        },
        LoadError::Bundle {
            raw: 5,
            error: bundle::Error::BadDescriptorCount { count: 0 },
        },
        LoadError::AssetsTooSmall {
            needed: 100,
            available: 50,
        },
        LoadError::Member {
            index,
            ty,
            error: lzs::Error::TruncatedControl { out: 1, want: 2 },
        },
        LoadError::Pack {
            index,
            ty,
            error: pack::Error::BadPack { index: 1 },
        },
        LoadError::Texture {
            index,
            number: 0,
            error: tim::Error::BadTim {
                offset: 0,
                found: 1,
            },
        },
        LoadError::Upload {
            index,
            number: 0,
            error: "busy",
        },
        LoadError::Mesh {
            index,
            number: 0,
            error: tmd::Error::AbsolutePointers,
        },
        LoadError::Bank {
            index,
            error: legaia::Error::BadCount { count: 0 },
        },
        LoadError::AssetMissing { ty },
        LoadError::PartMismatch {
            clip: 1,
            parts: 2,
            objects: 3,
        },
    ];
    let mut sentences: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(
        sentences[4],
        "CDNAME.TXT defines no scene \"a name that is m\""
    );
    assert_eq!(
        sentences[9],
        "the asset memory is too small: 100 bytes needed, 50 available"
    );
    assert!(sentences.iter().all(|s| s.len() > 20 && !s.contains('\n')));
    sentences.sort();
    sentences.dedup();
    assert_eq!(sentences.len(), 18);
}

#[test]
fn names_are_cut_at_character_boundaries() {
    assert_eq!(Name::new("").as_str(), "");
    assert_eq!(Name::new("demo").as_str(), "demo");
    assert_eq!(Name::new("0123456789abcdefg").as_str(), "0123456789abcdef");
    assert_eq!(
        Name::new("0123456789abcde\u{e9}").as_str(),
        "0123456789abcde"
    );
}
