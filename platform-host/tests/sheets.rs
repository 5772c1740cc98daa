//! Cue sheets and the files they name.

mod common;

use common::{Place, text};
use overworld_host::{image, sample};

fn sheet(file: &str, start: &str) -> Vec<u8> {
    format!("FILE \"{file}\" BINARY\n  TRACK 01 MODE2/2352\n    INDEX 01 {start}\n").into_bytes()
}

#[test]
fn a_track_that_begins_past_its_file() {
    let place = Place::new();
    place.write("a.bin", &sample::image(None).unwrap());
    // The image has 223 sectors: 2 seconds and 73 frames.
    for (start, sector) in [("00:02:73", 223), ("99:00:00", 445_500)] {
        place.write("a.cue", &sheet("a.bin", start));
        let wanted = format!(
            "overworld: a.cue: BadIndex: INDEX 01 of the first track is {start}, sector {sector} of \
             a.bin, which ends after 223 sectors (524496 bytes)\n"
        );
        assert_eq!(place.bad(&["disc", "info", "a.cue"], 1), wanted);
    }
    // An empty file is called empty.
    place.write("a.bin", b"");
    let error = place.bad(&["disc", "info", "a.cue"], 1);
    assert!(
        error.contains("a.bin: NotRawImage: the file is empty"),
        "{error}"
    );
}

#[test]
fn an_index_that_does_not_fit_the_addresses_is_named() {
    let place = Place::new();
    let image = sample::image(None).unwrap();
    place.write("a.bin", &image);
    place.write("a.cue", &sheet("a.bin", "00:01:00"));
    for call in [
        &["disc", "info", "a.cue"][..],
        &["disc", "verify", "a.cue"],
        &["run", "a.cue", "--frames", "1"],
    ] {
        assert_eq!(
            place.bad(call, 1),
            "overworld: a.cue: WrongAddress: INDEX 01 of the first track is 00:01:00, sector 75 of \
             a.bin, which carries the address of sector 75, expected that of sector 0: the sheet's \
             index is wrong, or sectors are missing\n"
        );
    }
    // A pregap in the file is what the index is for.
    let gap = vec![0; 150 * 2352];
    place.write("a.bin", &[&gap[..], &image].concat());
    place.write("a.cue", &sheet("a.bin", "00:02:00"));
    assert_eq!(place.document(&["disc", "verify", "a.cue"])["ok"], true);
    // One damaged address is a matter for `disc verify`.
    let mut image = image;
    image[14] ^= 1;
    place.write("a.bin", &[&gap[..], &image].concat());
    place.document(&["disc", "info", "a.cue"]);
}

#[test]
fn a_second_track_past_the_end() {
    let place = Place::new();
    place.write("a.bin", &sample::image(None).unwrap());
    for first in ["", "    INDEX 00 00:02:00\n"] {
        let mut cue = sheet("a.bin", "00:00:00");
        cue.extend(format!("  TRACK 02 AUDIO\n{first}    INDEX 01 00:02:73\n").bytes());
        place.write("a.cue", &cue);
        assert_eq!(
            place.bad(&["disc", "info", "a.cue"], 1),
            "overworld: a.cue: BadIndex: INDEX 01 of the second track is 00:02:73, sector 223 of \
             a.bin, which ends after 223 sectors (524496 bytes)\n"
        );
    }
    let mut cue = sheet("a.bin", "00:00:00");
    cue.extend(b"  TRACK 02 AUDIO\n    INDEX 01 00:02:72\n");
    place.write("a.cue", &cue);
    assert_eq!(place.document(&["disc", "info", "a.cue"])["sectors"], 222);
}

#[test]
fn a_second_track_before_the_first() {
    let place = Place::new();
    place.write("a.bin", &sample::image(None).unwrap());
    let mut cue = sheet("a.bin", "00:00:10");
    cue.extend(b"  TRACK 02 AUDIO\n    INDEX 01 00:00:05\n");
    place.write("a.cue", &cue);
    let error = place.bad(&["disc", "info", "a.cue"], 1);
    assert!(
        error.contains("a.cue: BadOrder: line 5: the second track begins at 00:00:05"),
        "{error}"
    );
}

#[cfg(unix)]
#[test]
fn what_keeps_a_file_from_being_opened_is_told() {
    let place = Place::new();
    place.write("file", b"");
    let long = "x".repeat(300);
    // A folder that may not be looked into cannot be made by everybody who runs tests: other
    // reasons go the same way.
    for (name, reason) in [
        ("file/a.bin", "Not a directory"),
        (long.as_str(), "File name too long"),
    ] {
        place.write("a.cue", &sheet(name, "00:00:00"));
        let error = place.bad(&["disc", "info", "a.cue"], 1);
        let wanted = format!("a.cue: the sheet names {name}, which cannot be opened: {reason}");
        assert!(error.contains(&wanted), "{error}");
        assert!(!error.contains("does not exist"), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_looked_into() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    std::fs::create_dir(place.path("closed")).unwrap();
    place.write("closed/a.bin", &sample::image(None).unwrap());
    place.write("a.cue", &sheet("closed/a.bin", "00:00:00"));
    let mode = |mode| {
        let mode = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(place.path("closed"), mode).unwrap();
    };
    mode(0o000);
    let output = place.overworld(["disc", "info", "a.cue"]);
    mode(0o755);
    if output.status.success() {
        eprintln!("skipped: this user may look into any folder");
        return;
    }
    let error = text(&output.stderr);
    assert!(
        error.contains("cannot be opened: Permission denied"),
        "{error}"
    );
}

#[test]
fn lines_may_end_with_cr_alone() {
    let place = Place::new();
    place.write("a.bin", &sample::image(None).unwrap());
    let cue = image::cue_text("a.bin").replace("\r\n", "\r");
    assert!(!cue.contains('\n'));
    place.write("a.cue", cue.as_bytes());
    assert_eq!(place.document(&["disc", "info", "a.cue"])["sectors"], 223);
    let found = place.document(&["identify", "a.cue"]);
    assert_eq!(found["files"][0]["kind"], "disc");
}

#[cfg(unix)]
#[test]
fn a_sheet_behind_a_link_finds_its_file() {
    use std::os::unix::fs::symlink;
    let place = Place::new();
    std::fs::create_dir_all(place.path("far/away")).unwrap();
    let image = sample::image(None).unwrap();
    place.write("far/away/a.bin", &image);
    place.write("far/away/a.cue", &sheet("a.bin", "00:00:00"));
    symlink(place.path("far/away/a.cue"), place.path("near.cue")).unwrap();
    symlink(place.path("near.cue"), place.path("nearer.cue")).unwrap();
    for name in ["near.cue", "nearer.cue"] {
        assert_eq!(place.document(&["disc", "info", name])["sectors"], 223);
    }
    // One beside the link is taken first.
    place.write("a.bin", &image[..20 * 2352]);
    let error = place.bad(&["disc", "info", "near.cue"], 1);
    assert!(error.contains("ends after 20 sectors"), "{error}");
    // If there is none at all, the message is about the place that a person sees.
    std::fs::remove_file(place.path("a.bin")).unwrap();
    std::fs::remove_file(place.path("far/away/a.bin")).unwrap();
    let error = place.bad(&["disc", "info", "near.cue"], 1);
    assert!(
        error.contains("near.cue: MissingBin: the sheet names a.bin, which does not exist"),
        "{error}"
    );
}
