//! Images of our builder, read by programs that share no line with it (pitfall P12).

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};

use common::{Place, foreign, foreign_where, text};
use overworld_host::image::{self, Tree};
use overworld_runtime::disc::sector::RAW;

/// Numbers of files around one sector of records (31 of them with names of this length, and what
/// other builders are known to stumble over), and several sectors.
const COUNTS: [usize; 6] = [0, 1, 31, 32, 33, 200];

/// Bytes that are different in every file and at every place.
fn noise(length: usize, seed: usize) -> Vec<u8> {
    let mut state = (seed as u32).wrapping_mul(2_654_435_761) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as u8
    };
    (0..length).map(|_| next()).collect()
}

/// Files with names of twelve characters, the longest there are, and sizes around a sector's.
fn files(count: usize, folder: &str) -> Vec<(String, Vec<u8>)> {
    (0..count)
        .map(|number| {
            let name = format!("FILE{number:04}.D{:02}", number % 100);
            assert_eq!(name.len(), 12);
            let size = [0, 1, 2047, 2048, 2049, 5000, 12_345][number % 7];
            (format!("{folder}{name}"), noise(size, number + 1))
        })
        .collect()
}

/// Write the image of these files as programs of the PC take it: without what surrounds the user
/// data of each sector.
fn write(place: &Place, files: &[(String, Vec<u8>)]) {
    let mut tree = Tree::new();
    for (path, data) in files {
        tree.file(path, data.clone()).unwrap();
    }
    let image = image::build(&tree).unwrap();
    let bare: Vec<u8> = image
        .chunks(RAW)
        .flat_map(|raw| raw[24..24 + 2048].to_vec())
        .collect();
    place.write("ours.iso", &bare);
}

/// Compare the image with what isoinfo finds in it; false if there is no isoinfo.
fn isoinfo_agrees(place: &Place, files: &[(String, Vec<u8>)]) -> bool {
    write(place, files);
    let Some(listing) = foreign(place, "isoinfo", &["-i", "ours.iso", "-f"]) else {
        return false;
    };
    let listing = text(&listing);
    // Folders are listed, too, without a version.
    let found: Vec<&str> = listing.lines().filter(|it| it.ends_with(";1")).collect();
    let paths: Vec<String> = files.iter().map(|(path, _)| format!("/{path};1")).collect();
    assert_eq!(found, paths);
    for ((path, expected), name) in files.iter().zip(&paths) {
        let data = foreign(place, "isoinfo", &["-i", "ours.iso", "-x", name]).unwrap();
        assert!(data == *expected, "{path} of {} files", files.len());
    }
    true
}

#[test]
fn isoinfo_reads_every_byte_of_any_number_of_files() {
    let place = Place::new();
    for count in COUNTS {
        // In the root, and in a folder with a sector of its own.
        for folder in ["", "DIR/DEEP/"] {
            if !isoinfo_agrees(&place, &files(count, folder)) {
                return;
            }
        }
    }
}

#[test]
fn isoinfo_finds_the_volume_as_it_was_meant() {
    let place = Place::new();
    write(&place, &files(33, ""));
    let Some(said) = foreign(&place, "isoinfo", &["-d", "-i", "ours.iso"]) else {
        return;
    };
    let said = text(&said);
    let sectors = std::fs::metadata(place.path("ours.iso")).unwrap().len() / 2048;
    for line in [
        "CD-ROM is in ISO 9660 format".to_owned(),
        "System id: PLAYSTATION".to_owned(),
        "Volume id: PLAYSTATION".to_owned(),
        "Logical block size is: 2048".to_owned(),
        format!("Volume size is: {sectors}"),
    ] {
        assert!(
            said.lines().any(|it| it.trim_end() == line),
            "{line}: {said}"
        );
    }
}

#[test]
fn xorriso_lists_and_extracts_the_same_files() {
    let place = Place::new();
    for count in COUNTS {
        let files = files(count, "DIR/");
        write(&place, &files);
        let out = format!("out{count}");
        std::fs::create_dir(place.path(&out)).unwrap();
        let calls = [
            "-report_about",
            "WARNING",
            "-indev",
            "ours.iso",
            "-osirrox",
            "on",
            "-extract",
            "/",
            &out,
        ];
        if foreign(&place, "xorriso", &calls).is_none() {
            return;
        }
        let folder = place.path(&out).join("DIR");
        let mut found: Vec<_> = std::fs::read_dir(&folder)
            .into_iter()
            .flatten()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        found.sort();
        let names: Vec<_> = files
            .iter()
            .map(|(path, _)| &path["DIR/".len()..])
            .collect();
        assert_eq!(found, names);
        for (name, (_, expected)) in names.iter().zip(&files) {
            let data = std::fs::read(folder.join(name)).unwrap();
            assert!(data == *expected, "{name} of {count} files");
        }
    }
}

#[test]
fn a_missing_program_is_a_failure_only_where_it_is_required() {
    let place = Place::new();
    let call = |required| foreign_where(&place, "no-such-program-of-discs", &[], required);
    assert_eq!(call(false), None);
    let failure = catch_unwind(AssertUnwindSafe(|| call(true))).unwrap_err();
    let text = failure.downcast_ref::<String>().unwrap();
    assert!(
        text.starts_with("no-such-program-of-discs: ") && text.contains("OVERWORLD_REQUIRE_ISO"),
        "{text}"
    );
}
