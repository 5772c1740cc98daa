//! `ff8`.

use super::common::{Place, json, text};
use super::vectors;
use serde_json::{Value, json};

pub fn place() -> Place {
    let place = Place::new();
    place.write("a12.dat", &vectors::ff8_model());
    place
}

/// Standard error of a call that fails because of its input.
pub fn refused(place: &Place, arguments: &[&str]) -> String {
    let output = place.overworld(arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    assert_eq!(text(&output.stdout), "");
    text(&output.stderr)
}

#[test]
fn ff8_info_lists_the_sheets_model() {
    let document = place().document(&["ff8", "info", "a12.dat"]);
    assert_eq!(document["kind"], "pose-only model");
    assert_eq!(
        document["sections"],
        json!([
            { "number": 1, "start": 0x14, "size": 112 },
            { "number": 2, "start": 0x84, "size": 68 },
            { "number": 3, "start": 0xC8, "size": 24 },
        ])
    );
    assert_eq!(
        (&document["bones"], &document["scale"]),
        (&json!(2), &json!(4096))
    );
    assert_eq!(
        document["skeleton"],
        json!([{ "parent": null, "length": 100 }, { "parent": 0, "length": 80 }])
    );
    assert_eq!(document["objects"], json!([{ "vertices": 3, "faces": 1 }]));
    assert_eq!(
        document["animations"],
        json!([{ "frames": 2, "bits": 94, "scaled": 1, "slow": true, "shortest": 94 }])
    );
    assert_eq!(document["notes"], json!([]));
}

#[test]
fn ff8_pose_shows_the_sheets_frames() {
    let place = place();
    let frame = |frame: &str| {
        place.document(&[
            "ff8",
            "pose",
            "a12.dat",
            "--animation",
            "0",
            "--frame",
            frame,
        ])
    };
    let first = frame("0");
    assert_eq!(
        (&first["root"], &first["mode"]),
        (&json!([0, 0, 0]), &json!(0))
    );
    assert_eq!(first["bones"][0]["rot"], json!([0, 1024, 0]));
    assert_eq!(first["bones"][0]["scale"], Value::Null);
    assert_eq!(
        first["bones"][0]["matrix"],
        json!([[0, 0, 4096], [0, 4096, 0], [-4096, 0, 0]])
    );
    let second = frame("1");
    assert_eq!(
        (&second["root"], &second["mode"]),
        (&json!([0, -1, 2]), &json!(1))
    );
    assert_eq!(second["bones"][0]["scale"], json!([1024, 1024, 1536]));
    assert_eq!(second["bones"][1]["rot"], json!([512, 0, 0]));
    assert_eq!(second["bones"][1]["at"], json!([150, -16, 32]));

    let error = refused(
        &place,
        &["ff8", "pose", "a12.dat", "--animation", "0", "--frame", "2"],
    );
    assert_eq!(
        error,
        "overworld: a12.dat: NoSuchFrame: expected a frame from 0 to 1, found 2\n"
    );
    let error = refused(
        &place,
        &["ff8", "pose", "a12.dat", "--animation", "7", "--frame", "0"],
    );
    assert!(
        error.contains(
            "a12.dat: NoSuchAnimation at offset 0xc8: expected an animation 0 to 0, found 7"
        ),
        "{error}"
    );
}

#[test]
fn ff8_dump_and_encode_give_the_model_back() {
    let place = place();
    let dump = place.fine(&["ff8", "dump", "a12.dat"]);
    place.write("a12.json", dump.as_bytes());
    let document = place.document(&["ff8", "encode", "a12.json", "-o", "again.dat"]);
    assert_eq!(
        document,
        json!({ "bones": 2, "animations": 1, "output": 224, "notes": [] })
    );
    let again = std::fs::read(place.path("again.dat")).unwrap();
    assert_eq!(again, vectors::ff8_model());

    // The section alone, and what people leave out.
    let section = [
        "ff8",
        "encode",
        "a12.json",
        "--section",
        "-o",
        "again.section",
    ];
    place.fine(&section);
    let section = std::fs::read(place.path("again.section")).unwrap();
    assert_eq!(section, vectors::ff8_model()[0xC8..]);
    let small = r#"{ "bones": [{}, { "parent": 0, "length": 7 }],
        "animations": [{ "frames": [{ "root": [1, -2, 3], "bones": [
            { "rot": [4096, -1, 8191] }, { "rot": [0, 0, 0], "scale": [1024, 512, 1024] }] }] }] }"#;
    place.write("small.json", small.as_bytes());
    place.fine(&["ff8", "encode", "small.json", "-o", "small.dat"]);
    let pose = place.document(&[
        "ff8",
        "pose",
        "small.dat",
        "--animation",
        "0",
        "--frame",
        "0",
    ]);
    assert_eq!(pose["bones"][0]["rot"], json!([0, -1, -1]));
    assert_eq!(pose["bones"][1]["scale"], json!([1024, 512, 1024]));
    let text = place.fine(&["ff8", "check", "small.dat"]);
    assert!(text.starts_with("good: 1 animation, 1 frame, "), "{text}");
    // It reads what it wrote, and the dump of that is the same.
    let first = json(&place.fine(&["ff8", "dump", "small.dat"]));
    place.write("first.json", first.to_string().as_bytes());
    place.fine(&["ff8", "encode", "first.json", "-o", "second.dat"]);
    let bytes = |name| std::fs::read(place.path(name)).unwrap();
    assert_eq!(bytes("second.dat"), bytes("small.dat"));
}

#[test]
fn ff8_encode_says_what_it_cannot_write() {
    let place = place();
    let refused = |source: &str| {
        place.write("in.json", source.as_bytes());
        let error = refused(&place, &["ff8", "encode", "in.json", "-o", "out.dat"]);
        assert!(!place.path("out.dat").exists());
        error
            .strip_prefix("overworld: in.json: ")
            .unwrap()
            .to_owned()
    };
    let frames = |frames: &str| {
        refused(&format!(
            r#"{{"bones":[{{}}],"animations":[{{"frames":[{frames}]}}]}}"#
        ))
    };
    assert_eq!(
        frames(""),
        "animation 0: FrameCountRange: expected 1 to 255 frames, found 0\n"
    );
    let frame = r#"{"root":[0,0,0],"bones":[{"rot":[0,0,0]}]}"#;
    assert_eq!(
        frames(&[frame; 256].join(",")),
        "animation 0: FrameCountRange: expected 1 to 255 frames, found 256\n"
    );
    assert_eq!(
        frames(r#"{"root":[0,0,0],"bones":[]}"#),
        "animation 0: BoneCountMismatch: frame 0: expected 1 bones, found 0\n"
    );
    assert_eq!(
        frames(r#"{"root":[0,0,0],"bones":[{"rot":[0,0,0],"scale":[1,-32768,1]}]}"#),
        "animation 0: ValueRange: frame 0, bone 0: expected scales of at least -31744, found -32768\n"
    );
    assert!(frames(r#"{"root":[0,0,40000],"bones":[]}"#).contains("40000"));
    assert_eq!(
        refused(r#"{"bones":[],"animations":[]}"#),
        "expected 1 to 255 bones, found 0\n"
    );
    assert!(refused(r#"{"bones":[{}],"animations":[],"bnes":1}"#).contains("bnes"));
    assert_eq!(
        refused(r#"{"bones":[{"parent":0}],"animations":[]}"#),
        "ParentOrder: bone 0 is the root, for nothing stands before it: expected no \"parent\", found 0\n"
    );
    assert_eq!(
        refused(r#"{"bones":[{},{"parent":0},{"parent":2}],"animations":[]}"#),
        "ParentOrder: bone 2: expected a \"parent\" below 2, or none for a root, found 2\n"
    );
    for geometry in ["1", "xy", "\u{e4}1"] {
        assert_eq!(
            refused(&format!(
                r#"{{"bones":[{{}}],"animations":[],"geometry":"{geometry}"}}"#
            )),
            "geometry: expected an even number of hexadecimal digits\n"
        );
    }
    assert_eq!(
        refused(r#"{"bones":[{}],"animations":[],"geometry":"01000000FF000000"}"#),
        "geometry: BadObject: object 0: expected a start behind the table and inside of the section's 8 bytes, found 255\n"
    );
}

#[test]
fn ff8_check_finds_what_is_wrong() {
    let place = place();
    let good = place.document(&["ff8", "check", "a12.dat"]);
    assert_eq!((&good["good"], &good["notes"]), (&json!(true), &json!([])));
    // The rows of A13, and what is only noted.
    let changed = |at: usize, byte: u8| {
        let mut file = vectors::ff8_model();
        file[at] = byte;
        place.write("bad.dat", &file);
    };
    let mut file = vectors::ff8_model();
    file.pop();
    place.write("bad.dat", &file);
    assert_eq!(
        refused(&place, &["ff8", "check", "bad.dat"]),
        "overworld: bad.dat: EndOffsetMismatch at offset 0x10: expected the end offset 223, the file's size, found 224\n"
    );
    changed(0x54, 1);
    assert!(refused(&place, &["ff8", "check", "bad.dat"]).contains("ParentOrder at offset 0x54: "));
    changed(0xCC, 0x18);
    assert!(
        refused(&place, &["ff8", "check", "bad.dat"]).contains("AnimationPointer at offset 0xcc: ")
    );
    changed(0xD0, 0xFF);
    assert!(refused(&place, &["ff8", "check", "bad.dat"]).contains(
        "EndOfStream at offset 0xe0: animation 0: the section ends inside frame 3, in its location"
    ));
    changed(0xD0, 0);
    let notes = place.document(&["ff8", "check", "bad.dat"])["notes"].clone();
    assert_eq!(notes, json!(["EmptyAnimation: animation 0 has no frames"]));
    changed(0xC4, 9);
    let notes = place.document(&["ff8", "info", "bad.dat"])["notes"].clone();
    assert_eq!(
        notes,
        json!(["VertexTotal: expected 3 at the end of the geometry, found 9"])
    );
    // What hangs over the end of the file, kinds without a model, and no model at all.
    let longer = [vectors::ff8_model(), vec![0; 5]].concat();
    place.write("bad.dat", &longer);
    let notes = place.document(&["ff8", "check", "bad.dat"])["notes"].clone();
    assert_eq!(notes.as_array().unwrap().len(), 1);
    let two = [2_u32, 16, 16, 16].map(u32::to_le_bytes).concat();
    place.write("bad.dat", &two);
    assert!(
        refused(&place, &["ff8", "check", "bad.dat"])
            .contains("NoAnimation at offset 0x0: files of 2 sections")
    );
    assert_eq!(place.document(&["ff8", "info", "bad.dat"])["bones"], 0);
}

/// Streams that are not in their shortest form, share bytes, or lie over each other.
#[test]
fn ff8_check_replays_foreign_streams() {
    let place = place();
    let model = |animations: &[u8]| {
        let whole = vectors::ff8_model();
        let mut file = whole[..0xC8].to_vec();
        file.extend(animations);
        let end = (file.len() as u32).to_le_bytes();
        file[16..20].copy_from_slice(&end);
        // One bone instead of two: the vertices of the other one are then nobody's.
        file[0x14] = 1;
        file[0x84..0x88].fill(0);
        file[0xC4..0xC8].fill(0);
        place.write("foreign.dat", &file);
    };
    // Row A7 with garbage in the bits behind its last one.
    let mut section = vec![1, 0, 0, 0, 8, 0, 0, 0];
    section.extend([0x01, 0x03, 0x00, 0x18, 0xA0, 0xDF, 0x01, 0x40, 0x03, 0xFE]);
    model(&section);
    let document = place.document(&["ff8", "check", "foreign.dat"]);
    assert_eq!(document["animations"][0]["bits"], 65);
    assert_eq!(document["animations"][0]["shortest"], 24);

    // One stream by two numbers, and a third one in the midst of it.
    let mut section = vec![3, 0, 0, 0, 16, 0, 0, 0, 16, 0, 0, 0, 18, 0, 0, 0];
    section.extend([2, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
    model(&section);
    let document = place.document(&["ff8", "check", "foreign.dat"]);
    assert_eq!(
        document["notes"],
        json!([
            "Overlap: the stream of animation 0 runs into the next one",
            "Overlap: the stream of animation 1 runs into the next one",
            "EmptyAnimation: animation 2 has no frames",
        ])
    );

    // A scale that wraps: there is no other form of it, and nothing is wrong.
    let mut section = vec![1, 0, 0, 0, 8, 0, 0, 0, 1, 0, 0x80];
    // Location and mode are 16 bits; three absent rotations, then the scale 7FFFh + 1024.
    section.extend([0b1111_1000, 0xFF, 0b0000_0111, 0, 0]);
    model(&section);
    let document = place.document(&["ff8", "check", "foreign.dat"]);
    assert_eq!(document["animations"][0]["scaled"], 1);
    assert_eq!(
        document["animations"][0]["bits"],
        document["animations"][0]["shortest"]
    );
    let pose = [
        "ff8",
        "pose",
        "foreign.dat",
        "--animation",
        "0",
        "--frame",
        "0",
    ];
    assert_eq!(place.document(&pose)["bones"][0]["scale"][0], -31745);

    // A small file that asks for much work is refused at once.
    let count = 2000_u32;
    let mut section = count.to_le_bytes().to_vec();
    for n in 0..count {
        section.extend((4 + 4 * count + n).to_le_bytes());
    }
    section.extend(vec![0xFF; 2000]);
    section.extend(vec![0; 3000]);
    model(&section);
    let error = refused(&place, &["ff8", "check", "foreign.dat"]);
    assert!(
        error.contains("Overlap: so many animations lie over each other"),
        "{error}"
    );
}

#[test]
fn ff8_sample_is_a_good_model_with_a_texture() {
    let place = Place::new();
    let sample = ["ff8", "sample", "-o", "toad.dat", "--texture", "toad.tim"];
    let document = place.document(&sample);
    let size = |name: &str| std::fs::metadata(place.path(name)).unwrap().len();
    assert_eq!(document["output"], size("toad.dat"));
    assert_eq!(document["texture"], size("toad.tim"));
    let check = place.document(&["ff8", "check", "toad.dat"]);
    assert_eq!(
        (&check["good"], &check["notes"]),
        (&json!(true), &json!([]))
    );
    assert!(
        place
            .fine(&["identify", "toad.tim"])
            .starts_with("toad.tim  tim  ")
    );
    // The document of it makes the same file.
    place.fine(&["ff8", "dump", "toad.dat", "-o", "toad.json"]);
    place.fine(&["ff8", "encode", "toad.json", "-o", "again.dat"]);
    let bytes = |name| std::fs::read(place.path(name)).unwrap();
    assert_eq!(bytes("again.dat"), bytes("toad.dat"));
    let error = place.bad(&["ff8", "sample", "-o", "x", "--texture", "./x"], 2);
    assert!(
        error.contains("two outputs would be this one file"),
        "{error}"
    );
    assert!(!place.path("x").exists());
}

#[test]
fn ff8_strip_draws_every_so_many_th_frame() {
    let place = Place::new();
    place.fine(&["ff8", "sample", "-o", "toad.dat", "--texture", "toad.tim"]);
    let strip = |more: &[&str]| {
        let arguments = [&["ff8", "strip", "toad.dat", "-o", "strip.png"], more].concat();
        place.document(&arguments)
    };
    let size = |frames: u32, width: u32, height: u32| json!({ "bones_drawn": false, "frames": frames, "width": width, "height": height });
    assert_eq!(strip(&[]), size(32, 2048, 256));
    assert_eq!(strip(&["--every", "10"]), size(4, 512, 128));
    let grey = std::fs::read(place.path("strip.png")).unwrap();
    assert!(grey.starts_with(b"\x89PNG"));
    let textured = ["--every", "10", "--texture", "toad.tim"];
    assert_eq!(strip(&textured), size(4, 512, 128));
    assert_ne!(std::fs::read(place.path("strip.png")).unwrap(), grey);
    assert_eq!(
        strip(&["--animation", "1", "--every", "255"]),
        size(1, 128, 128)
    );

    let refused = |more: &[&str], status| {
        place.bad(
            &[&["ff8", "strip", "toad.dat", "-o", "no.png"], more].concat(),
            status,
        )
    };
    assert!(refused(&["--every", "0"], 2).contains("expected at least 1"));
    let error = refused(&["--animation", "2"], 1);
    assert!(
        error.contains("toad.dat: NoSuchAnimation at offset 0x"),
        "{error}"
    );
    let error = refused(&["--texture", "toad.dat"], 1);
    assert!(
        error.contains("toad.dat: BadTim at offset 0x0: "),
        "{error}"
    );
    let over = place.bad(&["ff8", "strip", "toad.dat", "-o", "toad.dat"], 2);
    assert!(over.contains("is the input"), "{over}");
    let over = place.bad(
        &[
            "ff8",
            "strip",
            "toad.dat",
            "--texture",
            "toad.tim",
            "-o",
            "toad.tim",
        ],
        2,
    );
    assert!(over.contains("is the input"), "{over}");
    assert!(!place.path("no.png").exists());
}
