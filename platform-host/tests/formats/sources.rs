//! `dump` and `build` of scripts, maps, patches and stager tables.

use super::common::{json, text};
use super::{place, vectors};
use serde_json::json;

#[test]
fn files_are_dumped_and_built_again() {
    let place = place();
    place.write("a.stager", &[1, 0, 4, 0, 7, 0, 0, 0, 1, 0]);
    for (group, name, what, info) in [
        ("man", "test.man", "4 records", "records"),
        ("map", "one.PCH", "1 trigger", "triggers"),
        ("map", "test.MAP", "4 triggers", "triggers"),
        ("stager", "a.stager", "1 record", "records"),
    ] {
        let bytes = std::fs::read(place.path(name)).unwrap();
        // To standard output and from standard input.
        let document = place.fine(&[group, "dump", name]);
        assert!(json(&document).is_object());
        let built = place.piped(&[group, "build", "-"], document.as_bytes());
        assert_eq!(
            (built.status.code(), text(&built.stderr)),
            (Some(0), String::new())
        );
        assert_eq!(built.stdout, bytes);
        // By files, with words and with a document.
        let said = place.fine(&[group, "dump", name, "-o", "a.json"]);
        assert_eq!(said, format!("wrote a.json: {what}\n"));
        let length = document.len();
        assert_eq!(
            std::fs::read(place.path("a.json")).unwrap(),
            document.as_bytes()
        );
        assert_eq!(
            place.document(&[group, "dump", name, "-o", "a.json"]),
            json!({ "input": bytes.len(), "output": length, "same": true })
        );
        let said = place.fine(&[group, "build", "a.json", "-o", "again"]);
        assert_eq!(
            said,
            format!("wrote again: {what} in {} bytes\n", bytes.len())
        );
        assert_eq!(std::fs::read(place.path("again")).unwrap(), bytes);
        assert_eq!(
            place.document(&[group, "build", "a.json", "-o", "again"]),
            json!({ "input": length, "output": bytes.len() })
        );
        assert!(
            place
                .document(&[group, "info", "again"])
                .get(info)
                .is_some()
        );
        // Never in place.
        for call in [
            [group, "dump", name, "-o", name],
            [group, "build", "a.json", "-o", "a.json"],
        ] {
            let error = place.bad(&call, 2);
            assert!(error.contains("nothing is overwritten in place"), "{error}");
        }
    }
}

#[test]
fn what_makes_no_file_leaves_none() {
    let place = place();
    place.write(
        "a.json",
        b"{ \"actors\": [{ \"tile\": [1, 2],\n \"code\": \"\" }] }",
    );
    let error = place.bad(&["man", "build", "a.json", "-o", "out"], 1);
    assert!(
        error.starts_with("overworld: a.json: EmptyScript: "),
        "{error}"
    );
    place.write("a.json", b"{ \"kind\": \"map\",\n \"walls\": 1 }");
    let error = place.bad(&["map", "build", "a.json", "-o", "out"], 1);
    assert!(
        error.contains("unknown field `walls`") && error.contains("line 2"),
        "{error}"
    );
    assert!(!place.path("out").exists());
    // A dump that bytes alone can say.
    let mut map = vectors::map();
    map[0x1_1000] = 1;
    place.write("odd.MAP", &map);
    let output = place.overworld(["map", "dump", "odd.MAP", "-o", "a.json", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(json(&text(&output.stdout))["same"], false);
    assert!(
        text(&output.stderr).contains("odd.MAP: note: "),
        "{}",
        text(&output.stderr)
    );
    assert!(text(&output.stderr).contains("from offset 0x11000 on"));
}

#[test]
fn a_stager_table_is_listed() {
    let place = place();
    place.write(
        "a.stager",
        &[2, 0, 6, 0, 12, 0, 0xFF, 0xFF, 0, 0x80, 3, 0, 7, 0, 0, 0],
    );
    assert_eq!(
        place.fine(&["stager", "info", "a.stager"]),
        "2 records, 16 bytes, of which the game keeps 16\n\
         record   0 at 0x0006: no model, flags 8000, 1 word\n\
         record   1 at 0x000c: model 7, flags 0000, 0 words\n"
    );
    let document = place.document(&["stager", "info", "a.stager"]);
    assert_eq!(
        document["records"][0],
        json!({ "start": 6, "model": null, "flags": 0x8000, "words": [3] })
    );
    place.write("a.stager", &[1, 0, 6, 0]);
    let error = place.bad(&["stager", "info", "a.stager"], 1);
    assert!(error.contains("a.stager: BadOffset: "), "{error}");
}
