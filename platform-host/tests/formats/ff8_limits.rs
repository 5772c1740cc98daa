//! `ff8`: what stands at the ends of ranges, and how much is too much.

use super::common::{Place, json, text};
use super::ff8::{place, refused};
use super::vectors;
use serde_json::json;

/// What can be read and should be mended all the same: a file longer than it says, two roots, too many frames for
/// SLOW.
#[test]
fn ff8_notes_of_the_file_the_skeleton_and_the_calls() {
    let place = place();
    let mut file = vectors::ff8_model();
    let notes = |file: &[u8]| {
        place.write("in.dat", file);
        place.document(&["ff8", "check", "in.dat"])["notes"].clone()
    };
    assert_eq!(notes(&file), json!([]));
    // The second bone without a parent.
    file[0x14 + 16 + 48..][..2].fill(0xFF);
    let roots = "MultipleRoots: expected one bone without a parent, found 2";
    assert_eq!(notes(&file), json!([roots]));
    let longer = notes(&[&file[..], &[0; 5]].concat());
    let [first, second] = longer.as_array().unwrap().as_slice() else {
        panic!("{longer}");
    };
    assert!(first.as_str().unwrap().contains('5'), "{first}");
    assert_eq!(second, roots);
    // Two bones that do nothing: 22 bits a frame.
    for (frames, told) in [(128_u8, false), (129, true)] {
        let mut section = vec![1, 0, 0, 0, 8, 0, 0, 0, frames];
        section.resize(9 + (22 * usize::from(frames)).div_ceil(8), 0);
        let mut file = vectors::ff8_model()[..0xC8].to_vec();
        file.extend(section);
        let end = (file.len() as u32).to_le_bytes();
        file[16..20].copy_from_slice(&end);
        let notes = notes(&file);
        let slow = notes.as_array().unwrap().iter().filter(|it| {
            let text = it.as_str().unwrap();
            text.starts_with("SlowLimit: animation 0 has 129 frames")
        });
        assert_eq!(slow.count(), usize::from(told), "{notes}");
        assert_eq!(
            notes.as_array().unwrap().len(),
            usize::from(told),
            "{notes}"
        );
    }
}

/// A dump is what `encode` reads, whatever stands in the file: animations that frames cannot say are streams.
#[test]
fn ff8_encode_reads_every_dump() {
    let place = place();
    let whole = vectors::ff8_model();
    // The file with another section 3 behind its two bones.
    let model = |animations: &[u8]| {
        let mut file = whole[..0xC8].to_vec();
        file.extend(animations);
        let end = (file.len() as u32).to_le_bytes();
        file[16..20].copy_from_slice(&end);
        place.write("in.dat", &file);
    };
    let poses = |file: &str, animation: &str| {
        let frame = ["--animation", animation, "--frame", "0"];
        place.document(&[&["ff8", "pose", file][..], &frame].concat())
    };
    // No frames; a scale of 7FFFh + 1024 and garbage in the spare bits; a frame as others.
    let mut section = vec![3, 0, 0, 0, 16, 0, 0, 0, 17, 0, 0, 0, 24, 0, 0, 0];
    section.push(0);
    section.extend([1, 0, 0x80, 0b1111_1000, 0xFF, 0b0000_0111, 0xF0]);
    section.extend([1, 4, 0, 0, 0, 0]);
    model(&section);
    let dump = json(&place.fine(&["ff8", "dump", "in.dat"]));
    assert_eq!(dump["animations"][0], json!({ "stream": "00" }));
    assert_eq!(dump["animations"][1], json!({ "stream": "010080F8FF07F0" }));
    assert!(dump["animations"][2]["frames"].is_array());
    place.fine(&["ff8", "dump", "in.dat", "-o", "in.json"]);
    place.fine(&["ff8", "encode", "in.json", "-o", "out.dat"]);
    for animation in ["1", "2"] {
        assert_eq!(poses("out.dat", animation), poses("in.dat", animation));
    }
    assert_eq!(poses("out.dat", "1")["bones"][0]["scale"][0], -31745);
    let check = |file| place.document(&["ff8", "check", file])["notes"].clone();
    let notes = json!([
        "EmptyAnimation: animation 0 has no frames",
        "ValueRange: animation 1: expected scales of at most 32767, found one that wraps to -31745",
    ]);
    assert_eq!((check("in.dat"), check("out.dat")), (notes.clone(), notes));
    let again = json(&place.fine(&["ff8", "dump", "out.dat"]));
    assert_eq!(again, dump);

    // Every number that a scale's field can hold.
    for value in [
        0x8000_u16, 0x83FF, 0xFFFF, 1, 0x7BFF, 0x7C00, 0x7FFE, 0x7FFF,
    ] {
        let mut section = vec![1, 0, 0, 0, 8, 0, 0, 0];
        // Location and mode, and three absent rotations; then the field and absent ones.
        let bits = 0x8000_u64 | 1 << 19 | u64::from(value) << 20;
        section.push(1);
        section.extend(bits.to_le_bytes());
        model(&section);
        place.fine(&["ff8", "dump", "in.dat", "-o", "in.json"]);
        place.fine(&["ff8", "encode", "in.json", "-o", "out.dat"]);
        assert_eq!(poses("out.dat", "0"), poses("in.dat", "0"), "{value:#x}");
    }

    // More animations than 16 bits count.
    let count = 0x1_0001_u32;
    let mut section = count.to_le_bytes().to_vec();
    (0..count).for_each(|_| section.extend((4 + 4 * count).to_le_bytes()));
    section.extend([1, 0, 0, 0, 0]);
    model(&section);
    place.fine(&["ff8", "dump", "in.dat", "-o", "in.json"]);
    let made = place.document(&["ff8", "encode", "in.json", "-o", "out.dat"]);
    assert_eq!(made["animations"], count);

    // Streams by hand.
    let refused = |animation: &str| {
        let source = format!(r#"{{"bones":[{{}}],"animations":[{animation}]}}"#);
        place.write("bad.json", source.as_bytes());
        let error = refused(&place, &["ff8", "encode", "bad.json", "-o", "none.dat"]);
        assert!(!place.path("none.dat").exists());
        error
    };
    for (animation, expected) in [
        (
            r#"{"stream":"0"}"#,
            "animation 0: stream: expected an even number",
        ),
        (r#"{"stream":""}"#, "expected a frame count, found no byte"),
        (
            r#"{"stream":"0000"}"#,
            "expected the 1 bytes of 0 frames, found 2",
        ),
        (
            r#"{"stream":"010000"}"#,
            "EndOfStream: the section ends inside frame 0, in bone 0",
        ),
        (
            r#"{"stream":"00","frames":[{"root":[0,0,0],"bones":[]}]}"#,
            "expected frames or a stream, found both",
        ),
        ("{}", "FrameCountRange: expected 1 to 255 frames, found 0"),
    ] {
        let error = refused(animation);
        assert!(error.contains(expected), "{animation}: {error}");
    }
}

#[test]
fn ff8_errors_tell_where_what_was_expected_and_found() {
    let place = place();
    for (at, bytes, expected) in [
        // Once 4 + 4 * FFFFFFFFh behind the section's start.
        (
            0x84,
            &[0xFF; 4][..],
            "BadObject at offset 0x84: a table of 4294967295 objects: expected 17179869184 bytes, found 68",
        ),
        (
            0x88,
            &[0xFF; 4],
            "BadObject at offset 0x88: object 0: expected a start behind the table and inside of the section's 68 \
             bytes, found 4294967295",
        ),
        (
            0x90,
            &[99],
            "BadObject at offset 0x8e: object 0: expected 598 bytes of vertices, found 58 up to the section's end",
        ),
        (
            0x9E,
            &[2],
            "BadBoneRef at offset 0x9e: object 0: expected vertices of a bone below 2, found bone 2",
        ),
        (
            0xB6,
            &[9],
            "BadVertexRef at offset 0xb6: object 0, face 0: expected a vertex below 3, found 9",
        ),
        (
            8,
            &[0xFF],
            "BadSectionTable at offset 0x8: section 2: expected a start from 0x14 to 0xe0, found 0xff",
        ),
        (
            0xCC,
            &[24],
            "AnimationPointer at offset 0xcc: animation 0: expected a start from 8 to 23 in its section, found 24",
        ),
    ] {
        let mut file = vectors::ff8_model();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        place.write("bad.dat", &file);
        let error = refused(&place, &["ff8", "check", "bad.dat"]);
        assert_eq!(error, format!("overworld: bad.dat: {expected}\n"));
        // The same for programs.
        let output = place.overworld(["ff8", "check", "bad.dat", "--json"]);
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(text(&output.stderr), error);
        let document = json(&text(&output.stdout));
        assert_eq!(
            (&document["good"], &document["notes"]),
            (&json!(false), &json!([]))
        );
        let fault = &document["errors"][0];
        let name = expected.split(' ').next().unwrap();
        assert_eq!(fault["name"], name);
        let offset = fault["offset"].as_u64().unwrap();
        let sentence = fault["text"].as_str().unwrap();
        assert_eq!(
            expected,
            format!("{name} at offset {offset:#x}: {sentence}")
        );
    }
    assert_eq!(
        place.document(&["ff8", "check", "a12.dat"])["errors"],
        json!([])
    );
}

/// A model whose faces would be drawn for minutes is told as that.
#[test]
fn a_strip_of_too_many_faces_says_so() {
    use overworld_host::ff8::{Source, SourceBone, SourceFrame, SourcePose};
    use overworld_runtime::anim::ff8::{Face, GroupSource, ObjectSource, emit_geometry};
    let face = Face::plain([0; 4], 3);
    let group = GroupSource {
        bone: 0,
        vertices: &[[0; 3]],
    };
    let object = ObjectSource {
        groups: &[group],
        faces: &[face; 4097],
    };
    let mut geometry = vec![0; 1 << 17];
    let length = emit_geometry(&[object], 1, &mut geometry).unwrap();
    let hex = geometry[..length].iter().map(|it| format!("{it:02X}"));
    let still = SourceFrame {
        root: [0; 3],
        mode: 0,
        bones: vec![SourcePose::default()],
    };
    let source = Source {
        scale: 4096,
        bones: vec![SourceBone::default()],
        animations: vec![vec![still; 129].into()],
        geometry: Some(hex.collect()),
        flag: 0,
        header: None,
    };
    let place = Place::new();
    place.write("many.dat", &source.model().unwrap());
    let error = refused(&place, &["ff8", "strip", "many.dat", "-o", "out.png"]);
    assert_eq!(
        error,
        "overworld: many.dat: TooMuch: expected at most 524288 faces in all frames together, found 528513; --every \
         draws fewer\n"
    );
    assert!(!place.path("out.png").exists());
    let fewer = [
        "ff8", "strip", "many.dat", "--every", "128", "-o", "out.png",
    ];
    assert_eq!(place.document(&fewer)["frames"], 2);
}

/// Frames that together are more numbers than are kept at once are told as that: here many animations of one stream.
#[test]
fn a_dump_of_too_many_frames_says_so() {
    use overworld_host::ff8::{Source, SourceBone, SourceFrame, SourcePose};
    use overworld_runtime::anim::ff8::{Dat, emit};
    let place = Place::new();
    let bone = SourcePose::default();
    let still = SourceFrame {
        root: [0; 3],
        mode: 0,
        bones: vec![bone; 255],
    };
    let bones = (0..255_u16).map(|bone| SourceBone {
        parent: bone.checked_sub(1).map(|it| it as u8),
        length: 1,
        ..SourceBone::default()
    });
    let source = Source {
        scale: 4096,
        bones: bones.collect(),
        animations: vec![vec![still; 255].into()],
        geometry: None,
        flag: 0,
        header: None,
    };
    let made = source.model().unwrap();
    let dat = Dat::parse(&made).unwrap();
    let [skeleton, geometry, one] = [1, 2, 3].map(|it| dat.section(it).unwrap());
    let mut animations = 44_u32.to_le_bytes().to_vec();
    (0..44).for_each(|_| animations.extend(180_u32.to_le_bytes()));
    animations.extend(&one[8..]);
    let mut out = vec![0; made.len() + 200];
    let length = emit(&[skeleton, geometry, &animations], &mut out).unwrap();
    place.write("many.dat", &out[..length]);
    place.fine(&["ff8", "check", "many.dat"]);
    for command in ["dump", "gltf"] {
        let error = refused(&place, &["ff8", command, "many.dat", "-o", "out"]);
        let said =
            "TooMuch: expected at most 16777216 numbers in all frames together, found 17166600";
        assert!(error.contains(said), "{error}");
    }
    // One of them fits.
    let one = ["ff8", "gltf", "many.dat", "--animation", "43", "-o", "out"];
    assert_eq!(place.document(&one)["animations"], 1);
}
