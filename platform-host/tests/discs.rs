//! Discs: verified, extracted, and those that other programs made.

mod common;

use std::path::Path;

use common::{Place, foreign, json, text};
use overworld_host::image;
use overworld_host::sample;
use overworld_runtime::disc::sector::{self, RAW};
use serde_json::Value;

/// Wrap an image of bare user data into raw sectors.
fn raw(bare: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for (lba, data) in (0..).zip(bare.chunks(2048)) {
        let mut sector = [0; RAW];
        sector::build(lba, 8, data.try_into().unwrap(), &mut sector).unwrap();
        out.extend(sector);
    }
    out
}

/// Files as a game's disc has them: the sample's own, a deep folder, and more than a sector of
/// records.
fn tree(place: &Place) {
    let world = sample::world().unwrap();
    let files = [
        ("PROT.DAT".to_owned(), world.archive().unwrap()),
        ("CDNAME.TXT".to_owned(), b"#define demo 2\n".to_vec()),
        (
            "SYSTEM.CNF".to_owned(),
            b"BOOT = cdrom:\\SLUS_999.99;1\r\n".to_vec(),
        ),
        ("MOV/DEEP/A.STR".to_owned(), vec![0x5A; 5000]),
    ];
    let many = (0..70_u8).map(|it| (format!("XA/F{it}.DAT"), vec![it; 40 * usize::from(it)]));
    for (path, data) in files.into_iter().chain(many) {
        let path = place.path(&format!("tree/{path}"));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, data).unwrap();
    }
}

/// Every file below a folder: its path and bytes, in order.
fn content(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut out = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(here) = open.pop() {
        for entry in std::fs::read_dir(here).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap();
                let name = name.to_str().unwrap().replace('\\', "/");
                out.push((name, std::fs::read(&path).unwrap()));
            }
        }
    }
    out.sort();
    out
}

/// Have another program make an image of the tree; `None`, with a note, if it is not installed.
fn made_by(place: &Place, program: &str, arguments: &[&str]) -> Option<Vec<u8>> {
    let arguments = [arguments, &["-o", "other.iso", "tree"]].concat();
    foreign(place, program, &arguments)?;
    Some(std::fs::read(place.path("other.iso")).unwrap())
}

/// All that the tool does with an image that it did not make.
fn check_foreign(place: &Place, bare: &[u8]) {
    place.write("other.bin", &raw(bare));
    place.write("other.cue", image::cue_text("other.bin").as_bytes());
    let expected = content(&place.path("tree"));
    for name in ["other.iso", "other.bin", "other.cue"] {
        let report = place.document(&["disc", "verify", name]);
        assert_eq!(
            (&report["ok"], &report["problems"]),
            (&Value::Bool(true), &Value::from(vec![0; 0]))
        );
        assert_eq!(
            (report["files"].as_u64(), report["directories"].as_u64()),
            (Some(74), Some(4))
        );
        assert_eq!(
            (report["scenes"].as_u64(), report["members"].as_u64()),
            (Some(1), Some(3))
        );
        let listing = place.document(&["disc", "ls", name]);
        let mut paths: Vec<String> = listing["files"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["path"].as_str().unwrap()[1..].to_owned())
            .collect();
        paths.sort();
        let names: Vec<_> = expected.iter().map(|(name, _)| name.clone()).collect();
        assert_eq!(paths, names);
        let out = format!("out-{name}");
        place.document(&["disc", "extract", name, "-o", &out]);
        assert_eq!(content(&place.path(&out)), expected, "{name}");
        assert_eq!(
            place.document(&["identify", name])["files"][0]["kind"],
            "disc"
        );
        assert_eq!(
            place.document(&["disc", "info", name])["scenes"][0]["raw"],
            2
        );
    }
    // The world on it is the sample's.
    let there = place.document(&["run", "other.cue", "--frames", "2"]);
    let here = place.document(&["run", "--frames", "2"]);
    assert_eq!(there["hash"], here["hash"]);
}

#[test]
fn a_disc_that_genisoimage_made() {
    let place = Place::new();
    tree(&place);
    let arguments = ["-quiet", "-iso-level", "1", "-V", "OTHER"];
    if let Some(bare) = made_by(&place, "genisoimage", &arguments) {
        check_foreign(&place, &bare);
    }
}

#[test]
fn a_disc_that_xorriso_made() {
    let place = Place::new();
    tree(&place);
    if let Some(bare) = made_by(
        &place,
        "xorriso",
        &["-as", "mkisofs", "-quiet", "-iso-level", "2"],
    ) {
        check_foreign(&place, &bare);
    }
}

#[test]
fn a_name_without_an_extension_comes_out_without_its_dot() {
    let place = Place::new();
    std::fs::create_dir_all(place.path("tree/DIR")).unwrap();
    place.write("tree/README", b"read");
    place.write("tree/DIR/NOTES", b"notes");
    place.write("tree/DIR/A.B", b"ab");
    let Some(_) = made_by(&place, "genisoimage", &["-quiet", "-iso-level", "1"]) else {
        return;
    };
    // On the disc the dot is there.
    let listing = place.document(&["disc", "ls", "other.iso"]);
    assert_eq!(listing["files"][0]["path"], "/README.");
    place.document(&["disc", "extract", "other.iso", "-o", "out"]);
    assert_eq!(content(&place.path("out")), content(&place.path("tree")));
    // One file, by either name.
    for name in ["README", "/README."] {
        place.document(&["disc", "extract", "other.iso", name, "-o", "one"]);
        let one = content(&place.path("one"));
        assert_eq!(one, [("README".to_owned(), b"read".to_vec())]);
    }
}

#[test]
fn audio_tracks_may_follow_the_data() {
    let place = Place::new();
    let data = sample::image(None).unwrap();
    // The disc has no program, which is the only note.
    let unbootable = "/SYSTEM.CNF names /SLUS_999.99, which is not on the disc: a console cannot \
                      boot it";
    let sectors = data.len() / RAW;
    let audio: Vec<u8> = (0..10 * RAW).map(|it| (it * 7) as u8).collect();
    // One file for all tracks.
    place.write("all.bin", &[&data[..], &audio].concat());
    let time = |frames: usize| {
        format!(
            "{:02}:{:02}:{:02}",
            frames / 4500,
            frames / 75 % 60,
            frames % 75
        )
    };
    let sheet = format!(
        "FILE \"all.bin\" BINARY\r\n  TRACK 01 MODE2/2352\r\n    INDEX 01 00:00:00\r\n  TRACK 02 \
         AUDIO\r\n    INDEX 00 {}\r\n    INDEX 01 {}\r\n",
        time(sectors),
        time(sectors + 2)
    );
    place.write("all.cue", sheet.as_bytes());
    // A file for each.
    place.write("t1.bin", &data);
    place.write("t2.bin", &audio);
    let sheet = "FILE \"t1.bin\" BINARY\n  TRACK 01 MODE2/2352\n    INDEX 01 00:00:00\n\
                 FILE \"t2.bin\" BINARY\n  TRACK 02 AUDIO\n    INDEX 00 00:00:00\n    INDEX 01 00:00:02\n";
    place.write("each.cue", sheet.as_bytes());
    for name in ["all.cue", "each.cue"] {
        let info = place.document(&["disc", "info", name]);
        assert_eq!(
            (&info["tracks"], &info["sectors"]),
            (&Value::from(2), &Value::from(sectors))
        );
        let report = place.document(&["disc", "verify", name]);
        assert_eq!(report["notes"], Value::from(vec![unbootable]), "{name}");
        place.document(&["run", name, "--frames", "1"]);
    }
    // Without the sheet the audio is seen, and is no fault.
    let report = place.document(&["disc", "verify", "all.bin"]);
    assert_eq!(report["ok"], true);
    assert!(
        report["notes"][0]
            .as_str()
            .unwrap()
            .starts_with("10 sectors from 223 on")
    );
    place.write(
        "audio.cue",
        b"FILE \"t2.bin\" BINARY\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n",
    );
    let error = place.bad(&["disc", "info", "audio.cue"], 1);
    assert!(error.contains("audio.cue: BadTrackMode: line 2: expected a track of type MODE2/2352"));
}

#[test]
fn a_malformed_disc_has_status_one_and_all_its_problems() {
    let place = Place::new();
    let mut image = sample::image(None).unwrap();
    place.write("good.bin", &image);
    assert_eq!(place.document(&["disc", "verify", "good.bin"])["ok"], true);
    let table = place.fine(&["disc", "verify", "good.bin"]);
    assert!(
        table.contains("223 sectors: 223 of Form 1 and 0 of Form 2 are sound"),
        "{table}"
    );
    for lba in [100, 101, 102, 200] {
        image[lba * RAW + 1000] ^= 1;
    }
    place.write("bad.bin", &image);
    let output = place.overworld(["disc", "verify", "bad.bin", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report = json(&text(&output.stdout));
    let places: Vec<_> = report["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["lba"])
        .collect();
    assert_eq!(places, [100, 101, 102, 200]);
    let offset = 100 * RAW as u64 + 0x818;
    assert_eq!(report["problems"][0]["offset"], offset);
    assert_eq!(report["problems"][0]["name"], "BadEdc");
    assert!(
        text(&output.stderr).starts_with("overworld: bad.bin: 4 problems, the first: BadEdc at")
    );
    let output = place.overworld(["disc", "verify", "bad.bin"]);
    assert_eq!(output.status.code(), Some(1));
    let table = text(&output.stdout);
    assert!(
        table.starts_with("sectors 100 to 102: BadEdc at offset "),
        "{table}"
    );
    assert!(
        table
            .lines()
            .nth(1)
            .unwrap()
            .starts_with("sector 200: BadEdc at offset "),
        "{table}"
    );
    for (name, bytes) in [("empty", &[][..]), ("text", b"no disc")] {
        place.write(name, bytes);
        let error = place.bad(&["disc", "verify", name], 1);
        assert!(error.contains(&format!("{name}: NotRawImage: ")), "{error}");
    }
}

#[test]
fn extraction_is_whole_or_nothing() {
    let place = Place::new();
    let mut image = sample::image(None).unwrap();
    place.write("good.bin", &image);
    let document = place.document(&["disc", "extract", "good.bin", "-o", "out"]);
    assert_eq!(document["files"].as_array().unwrap().len(), 3);
    assert_eq!(document["files"][0]["path"], "/CDNAME.TXT");
    let world = sample::world().unwrap();
    assert_eq!(
        std::fs::read(place.path("out/PROT.DAT")).unwrap(),
        world.archive().unwrap()
    );
    place.fine(&["disc", "extract", "good.bin", "-o", "out"]);
    place.write("out/CDNAME.TXT", b"mine");
    let error = place.bad(&["disc", "extract", "good.bin", "-o", "out"], 1);
    assert!(
        error.contains("CDNAME.TXT: exists already with other content"),
        "{error}"
    );
    assert_eq!(
        std::fs::read(place.path("out/CDNAME.TXT")).unwrap(),
        b"mine"
    );
    place.fine(&["disc", "extract", "good.bin", "-o", "out", "--force"]);
    assert_eq!(
        std::fs::read(place.path("out/CDNAME.TXT")).unwrap(),
        b"#define demo 2\n"
    );
    place.fine(&["disc", "extract", "good.bin", "/SYSTEM.CNF", "-o", "one"]);
    assert_eq!(content(&place.path("one")).len(), 1);
    let error = place.bad(&["disc", "extract", "good.bin", "NONE", "-o", "two"], 1);
    assert!(
        error.contains("good.bin: NotFound: /NONE is not on the disc"),
        "{error}"
    );
    assert!(!place.path("two").exists());

    // A damaged sector in the last file: nothing comes out.
    image[72 * RAW + 100] ^= 1;
    place.write("bad.bin", &image);
    let error = place.bad(&["disc", "extract", "bad.bin", "-o", "three"], 1);
    assert!(
        error.contains("bad.bin: /SYSTEM.CNF: BadEdc at offset "),
        "{error}"
    );
    assert!(!place.path("three").exists());

    // A name that would leave the folder: "../A.TXT;1" has the length of "CDNAME.TXT".
    let mut image = sample::image(None).unwrap();
    let root: &mut [u8; RAW] = (&mut image[22 * RAW..23 * RAW]).try_into().unwrap();
    let at = 24 + 96 + 33;
    assert_eq!(&root[at..at + 10], b"CDNAME.TXT");
    root[at..at + 10].copy_from_slice(b"../../A.TX");
    sector::seal(root);
    place.write("trick.bin", &image);
    let error = place.bad(&["disc", "extract", "trick.bin", "-o", "a/b/c"], 1);
    assert!(error.contains("BadName: \"/../../A.TX\""), "{error}");
    assert!(!place.path("a/A.TX").exists() && !place.path("a").exists());
}

#[test]
fn worlds_are_checked() {
    let place = Place::new();
    place.fine(&["world", "new", "w"]);
    let report = place.document(&["world", "check", "w"]);
    assert_eq!(report["ok"], true);
    let kinds: Vec<_> = report["members"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["kind"])
        .collect();
    assert_eq!(kinds, ["tim", "tmd", "bank", "map"]);
    assert_eq!(report["sectors"], 223);
    let mut bank = std::fs::read(place.path("w/owl.bank")).unwrap();
    let at = u32::from_le_bytes(bank[4..8].try_into().unwrap()) as usize;
    bank[at + 4] = 0;
    place.write("w/owl.bank", &bank);
    let output = place.overworld(["world", "check", "w", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report = json(&text(&output.stdout));
    assert_eq!(
        (&report["ok"], &report["members"][2]["kind"]),
        (&Value::Bool(false), &Value::from("unknown"))
    );
    assert!(
        text(&output.stderr).contains("w/world.json: \"bank\": owl.bank: BadMarker: clip 1"),
        "{}",
        text(&output.stderr)
    );
    let error = place.bad(&["world", "check", "none"], 1);
    assert!(error.contains("none/world.json: No such file"), "{error}");
    // A map whose triggers do not chain.
    place.fine(&["world", "new", "v"]);
    let mut map = std::fs::read(place.path("v/demo.MAP")).unwrap();
    map[0x10000] = 1;
    place.write("v/demo.MAP", &map);
    let error = place.overworld(["world", "check", "v"]);
    assert!(text(&error.stderr).contains("demo.MAP: TriggerChain at offset 0x10002"));
}

/// A directory record without the XA part; `name` has an odd number of bytes.
fn record(name: &[u8], lba: u32, size: u32, directory: bool) -> Vec<u8> {
    let mut out = vec![0; 33];
    out[0] = 33 + name.len() as u8;
    out[2..6].copy_from_slice(&lba.to_le_bytes());
    out[10..14].copy_from_slice(&size.to_le_bytes());
    out[25] = u8::from(directory) << 1;
    out[32] = name.len() as u8;
    out.extend(name);
    out
}

#[test]
fn a_small_disc_does_not_fill_the_memory_with_paths() {
    let (levels, folders) = (15_u32, 13_u32);
    let mut sectors = vec![[0_u8; 2048]; 16];
    let mut descriptor = [0; 2048];
    descriptor[..6].copy_from_slice(b"\x01CD001");
    let end = 17 + levels + 1 + folders * 32;
    descriptor[80..84].copy_from_slice(&end.to_le_bytes());
    descriptor[156..190].copy_from_slice(&record(&[0], 17, 2048, true));
    sectors.push(descriptor);
    let mut put = |records: &[Vec<u8>]| {
        let mut sector = [0; 2048];
        let bytes = records.concat();
        sector[..bytes.len()].copy_from_slice(&bytes);
        sectors.push(sector);
    };
    // Folders of long names, each inside the one before; none shares a sector with another one.
    for level in 0..levels {
        put(&[record(&[b'A'; 201], 18 + level, 2048, true)]);
    }
    let first = 17 + levels + 1;
    let folder = |it| record(&[b'A' + it as u8], first + it * 32, 65536, true);
    put(&(0..folders).map(folder).collect::<Vec<_>>());
    for _ in 0..folders * 32 {
        put(&vec![record(b"F", 0, 0, false); 60]);
    }
    assert_eq!(sectors.len(), end as usize);
    let image = sectors.concat();
    assert!(image.len() < 1 << 20);
    let place = Place::new();
    place.write("long.iso", &image);
    for command in ["ls", "info"] {
        let error = place.bad(&["disc", command, "long.iso"], 1);
        assert!(
            error.contains("long.iso: DirTooLarge: ")
                && error.ends_with("all paths have more than 67108864 bytes\n"),
            "{}",
            &error[..error.len().min(500)]
        );
    }
    let mut drive = overworld_host::drive::ImageDrive::from_bytes(image).unwrap();
    let report = overworld_host::verify::verify(&mut drive, &mut |_, _| ());
    let too_large = |it: &&overworld_host::verify::Problem| it.name == "DirTooLarge";
    let found = report.problems.iter().find(too_large).unwrap();
    assert_eq!(found.text, "all paths have more than 67108864 bytes");
}

#[test]
fn an_archive_in_pieces_is_told_by_every_command() {
    let place = Place::new();
    let mut image = sample::image(None).unwrap();
    let root: &mut [u8; RAW] = (&mut image[22 * RAW..][..RAW]).try_into().unwrap();
    let name = root.windows(8).position(|it| it == b"PROT.DAT").unwrap();
    (root[name - 33 + 26], root[name - 33 + 27]) = (3, 2);
    sector::seal(root);
    place.write("a.bin", &image);
    let listing = place.fine(&["disc", "ls", "a.bin"]);
    let row = listing.lines().find(|it| it.starts_with("/PROT.DAT"));
    let end = "sector 24  Interleaved: units of 3 sectors with gaps of 2";
    assert!(row.unwrap().ends_with(end), "{listing}");
    let listing = place.document(&["disc", "ls", "a.bin"]);
    let told = |at: usize| listing["files"][at]["error"].as_str();
    let sentence = "Interleaved: expected the sectors behind 24 in one piece, found units of 3 with \
                    gaps of 2";
    assert_eq!((told(0), told(1)), (None, Some(sentence)));
    for (command, name) in [
        (&["disc", "info", "a.bin"][..], "a.bin: PROT.DAT: "),
        (
            &["disc", "extract", "a.bin", "-o", "out"],
            "a.bin: /PROT.DAT: ",
        ),
        (
            &["run", "a.bin", "--frames", "1"],
            "a.bin: cannot find PROT.DAT: the disc's file system is damaged: ",
        ),
    ] {
        let output = place.overworld(command);
        let wanted = format!("overworld: {name}{sentence}\n");
        assert_eq!(text(&output.stderr), wanted, "{command:?}");
        assert_eq!(output.status.code(), Some(1), "{command:?}");
    }
    let verified = place.overworld(["disc", "verify", "a.bin"]);
    assert!(text(&verified.stdout).contains(sentence), "{verified:?}");
    assert_eq!(verified.status.code(), Some(1));
    // What is whole can be had.
    place.fine(&["disc", "extract", "a.bin", "/SYSTEM.CNF", "-o", "out"]);
}

#[test]
fn a_small_image_does_not_fill_the_disk() {
    let (files, data) = (300_u32, 100_u32);
    let name = |it| format!("{it:05X}.A;1");
    let mut records = vec![record(&[0], 20, 0, true), record(&[1], 20, 0, true)];
    records.extend((0..files).map(|it| record(name(it).as_bytes(), 0, 2048 * data, false)));
    // As many records as fit into each sector.
    let mut sizes = vec![0];
    for record in &records {
        if sizes.last().unwrap() + record.len() > 2048 {
            sizes.push(0);
        }
        *sizes.last_mut().unwrap() += record.len();
    }
    let (root, length) = (20, sizes.len() as u32);
    let mut directory = vec![];
    for (index, mut record) in records.into_iter().enumerate() {
        let lba = if index < 2 { root } else { root + length };
        record[2..6].copy_from_slice(&lba.to_le_bytes());
        if index < 2 {
            record[10..14].copy_from_slice(&(length * 2048).to_le_bytes());
        }
        let end = directory.len() + record.len();
        if end.div_ceil(2048) > directory.len().div_ceil(2048).max(1) {
            directory.resize(directory.len().next_multiple_of(2048), 0);
        }
        directory.extend(record);
    }
    directory.resize(length as usize * 2048, 0);
    let mut descriptor = [0; 2048];
    descriptor[..6].copy_from_slice(b"\x01CD001");
    let end = root + length + data;
    descriptor[80..84].copy_from_slice(&end.to_le_bytes());
    descriptor[156..190].copy_from_slice(&record(&[0], root, length * 2048, true));
    let mut image = vec![0; 2048 * 16];
    image.extend(descriptor);
    image.resize(2048 * root as usize, 0);
    image.extend(directory);
    image.resize(2048 * end as usize, 7);
    let place = Place::new();
    place.write("small.iso", &image);
    let wanted = format!(
        "overworld: small.iso: SizeLimit: /00001.A and the files before it take more than the {end} \
         sectors of the image: their records share sectors; extract fewer of them at a time\n"
    );
    assert_eq!(
        place.bad(&["disc", "extract", "small.iso", "-o", "x"], 1),
        wanted
    );
    assert!(!place.path("x").exists());
    // One of them is as good as any.
    place.fine(&["disc", "extract", "small.iso", "/00123.A", "-o", "x"]);
    let found = std::fs::read(place.path("x/00123.A")).unwrap();
    assert!(found == vec![7; 2048 * data as usize]);
    let output = place.overworld(["disc", "verify", "small.iso"]);
    let wanted = format!(
        "/00001.A: SizeLimit: this file and those before it take more than the {end} sectors of the \
         image\n"
    );
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains(&wanted), "{said}");
    assert_eq!(said.matches("SizeLimit").count(), 1, "{said}");
}
