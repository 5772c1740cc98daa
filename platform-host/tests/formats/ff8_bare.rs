//! `ff8`: animation sections that stand alone, and models without faces.

use super::common::{Place, json, text};
use super::ff8::{place, refused};
use super::vectors;
use serde_json::{Value, json};

/// What `ff8 encode --section` writes, `ff8 info --section` and `identify` read.
#[test]
fn a_section_alone_is_read() {
    let place = place();
    place.write(
        "a12.json",
        place.fine(&["ff8", "dump", "a12.dat"]).as_bytes(),
    );
    place.fine(&["ff8", "encode", "a12.json", "--section", "-o", "one.bin"]);
    let document = place.document(&["ff8", "info", "one.bin", "--section", "2"]);
    assert_eq!(
        document,
        json!({
            "kind": "animation section", "sections": [], "bones": 2, "notes": [],
            "animations": [{ "frames": 2, "bits": 94, "scaled": 1, "slow": true, "shortest": 94 }],
        })
    );
    let text = place.fine(&["ff8", "info", "one.bin", "--section", "2"]);
    assert!(
        text.starts_with(
            "animation section, 1 animation of 2 bones, 24 bytes\nanimation   0    2 frames"
        ),
        "{text}"
    );
    let found = place.document(&["identify", "one.bin"])["files"][0].clone();
    let evidence = "an animation section alone, without a model: 1 animation of 2 bones whose streams follow one \
                    another to the end; `ff8 info --section 2` lists them";
    assert_eq!(
        (&found["kind"], &found["evidence"]),
        (&json!("ff8"), &json!(evidence))
    );
    // As a model it is none; what it is, is said.
    for command in ["info", "check", "dump"] {
        let error = refused(&place, &["ff8", command, "one.bin"]);
        let said = "; but it is an animation section alone, which ff8 info --section 2 reads\n";
        assert!(error.ends_with(said), "{error}");
    }
    // What stands behind its end is told, but for the zeros that fill it up.
    let whole = std::fs::read(place.path("one.bin")).unwrap();
    // Behind the table, the frame count and 94 bits.
    let end = 8 + 1 + 94_usize.div_ceil(8);
    for (more, note) in [
        (&[0, 0][..], None),
        (
            &[7; 11],
            Some(format!(
                "Unread: {} bytes from offset {end:#x} on ",
                24 - end + 11
            )),
        ),
        (
            &[0; 9],
            Some(format!(
                "Unread: {} bytes from offset {end:#x} on ",
                24 - end + 9
            )),
        ),
    ] {
        place.write("more.bin", &[&whole[..], more].concat());
        let document = place.document(&["ff8", "info", "more.bin", "--section", "2"]);
        let notes = document["notes"].as_array().unwrap();
        let notes: Vec<&str> = notes.iter().filter_map(Value::as_str).collect();
        let text = place.fine(&["ff8", "info", "more.bin", "--section", "2"]);
        match note {
            None => assert!(notes.is_empty(), "{notes:?}"),
            Some(note) => {
                assert!(
                    notes.len() == 1 && notes[0].starts_with(&note),
                    "{note}: {notes:?}"
                );
                assert!(text.contains(&note), "{text}");
            }
        }
    }
    // Too many bones for the stream.
    let error = refused(&place, &["ff8", "info", "one.bin", "--section", "9"]);
    assert_eq!(
        error,
        "overworld: one.bin: animation 0: EndOfStream: the section ends inside frame 1, in bone 4 (as a section of 9 \
         bones)\n"
    );
    let error = refused(&place, &["ff8", "info", "a12.json", "--section", "2"]);
    assert!(error.contains("(as a section of 2 bones)"), "{error}");
    let error = refused(&place, &["ff8", "info", "a12.dat", "--section", "2"]);
    assert!(error.contains("a whole model"), "{error}");
    for bones in ["0", "256"] {
        place.bad(&["ff8", "info", "one.bin", "--section", bones], 2);
    }
}

/// Of a section with a byte more, less, or changed at its end nothing is claimed.
#[test]
fn what_is_no_section_alone() {
    use overworld_host::ff8::section_bones;
    let section = vectors::ff8_model()[0xC8..].to_vec();
    assert_eq!(section_bones(&section), [2]);
    for length in 0..section.len() {
        assert_eq!(section_bones(&section[..length]), [0_u8; 0], "{length}");
    }
    let longer = |more: usize| [section.clone(), vec![0; more]].concat();
    // More bones that do not move are zeros, too: not of two bones.
    assert!(!section_bones(&longer(4)).contains(&2));
    assert_eq!(section_bones(&longer(64)), [0_u8; 0]);
    let mut changed = section.clone();
    *changed.last_mut().unwrap() = 1;
    assert_eq!(section_bones(&changed), [0_u8; 0]);
    // Without any frame it could be of any number of bones, and is of none.
    assert_eq!(
        section_bones(&[1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0]),
        [0_u8; 0]
    );
}

/// The sheet's model without its face, or with one that is hidden.
fn bare(hidden: bool) -> Place {
    let place = place();
    let mut model = vectors::ff8_model();
    if hidden {
        // The page of the only face.
        model[0xB4 + 15] = 0x02;
        place.write("bare.dat", &model);
        return place;
    }
    let mut document = json(&place.fine(&["ff8", "dump", "a12.dat"]));
    document.as_object_mut().unwrap().remove("geometry");
    place.write("bare.json", document.to_string().as_bytes());
    place.fine(&["ff8", "encode", "bare.json", "-o", "bare.dat"]);
    place
}

/// Whose faces are not to be seen shows its bones, and the tool says so.
#[test]
fn a_model_without_faces_shows_its_bones() {
    for hidden in [false, true] {
        let place = bare(hidden);
        let note = "overworld: bare.dat: note: the model shows no faces; its bones are drawn\n";
        let strip = ["ff8", "strip", "bare.dat", "-o", "bare.png"];
        let output = place.overworld(strip);
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(text(&output.stderr), note);
        let gltf = place.overworld(["ff8", "gltf", "bare.dat", "-o", "bare.glb"]);
        assert_eq!(
            (gltf.status.code(), text(&gltf.stderr)),
            (Some(0), note.to_owned())
        );
        let told = |call: &[&str]| -> Value { place.document(call)["bones_drawn"].clone() };
        assert_eq!(told(&strip), true);
        let made = place.document(&["ff8", "gltf", "bare.dat", "-o", "bare.glb"]);
        // Two bones of eight triangles each.
        assert_eq!(
            (&made["triangles"], &made["bones_drawn"]),
            (&json!(16), &json!(true))
        );
        // Something is to be seen in each frame, in front of the background.
        let picture = shown(&place);
        let (width, height) = (picture.width, picture.height);
        assert_eq!((width, height), (256, 128));
        for cell in 0..2 {
            let pixels = (0..128).flat_map(|y| (0..128).map(move |x| (128 * cell + x, y)));
            let seen = pixels.filter(|&(x, y)| picture.pixel(x, y) != picture.pixel(0, 0));
            assert!(seen.count() > 200, "{cell}");
        }
        let mut whole = strip;
        whole[2] = "a12.dat";
        assert_eq!(told(&whole), false);
    }
}

/// The picture of the bones of the model there.
fn shown(place: &Place) -> overworld_host::gpu::Picture {
    use overworld_host::{ff8, strip};
    use overworld_runtime::anim::ff8::{Dat, Geometry};
    let data = std::fs::read(place.path("bare.dat")).unwrap();
    let dat = Dat::parse(&data).unwrap();
    let skeleton = dat.skeleton().unwrap();
    let bones = ff8::bones::geometry(&skeleton).unwrap();
    let mesh = Geometry::parse(&bones, skeleton.len()).unwrap();
    let animation = dat.animations().unwrap().get(0).unwrap();
    let poses = ff8::poses(&animation, skeleton.len()).unwrap();
    strip::strip(&skeleton, &mesh, &poses, None).unwrap()
}

/// Bones of all lengths are good geometry: none, negative, the longest, and as many as there can be.
#[test]
fn bones_of_all_lengths() {
    use overworld_host::ff8::bones::{geometry, shows};
    use overworld_runtime::anim::ff8::{Geometry, Skeleton, SkeletonSource, emit_skeleton};
    for length in [0, 1, -1, 7, i16::MAX, i16::MIN] {
        for count in [1_u8, 2, 255] {
            let bones: Vec<_> = (0..count)
                .map(|bone| (bone.checked_sub(1), length))
                .collect();
            let source = SkeletonSource {
                scale: 4096,
                bones: &bones,
            };
            let mut data = vec![0; 16 + 48 * bones.len()];
            emit_skeleton(&source, &mut data).unwrap();
            let drawn = geometry(&Skeleton::parse(&data).unwrap()).unwrap();
            let drawn = Geometry::parse(&drawn, count).unwrap();
            assert!(shows(&drawn));
            let faces: usize = drawn.objects().map(|it| it.faces().count()).sum();
            assert_eq!(faces, 8 * usize::from(count));
            let mut warnings = 0;
            drawn.warnings(|_| warnings += 1);
            assert_eq!(warnings, 0);
        }
    }
}
