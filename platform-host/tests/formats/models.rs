//! `tmd` and `tim`.

use super::common::text;
use super::{place, vectors};
use overworld_runtime::bytes::crc32;
use serde_json::json;

#[test]
fn meshes_and_textures_are_described() {
    let place = place();
    let mesh = place.document(&["tmd", "info", "owl.tmd"]);
    let objects = mesh["objects"].as_array().unwrap();
    assert_eq!(objects.len(), 3);
    for object in objects {
        let sum: u64 = object["groups"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["count"].as_u64().unwrap())
            .sum();
        assert_eq!(object["primitives"], sum);
    }
    let group = &objects[0]["groups"][0];
    assert_eq!(group["kind"], group["flags"].as_u64().unwrap() >> 1);
    place.write("bad", &[2, 0, 0, 0x80, 1, 0, 0, 0, 1, 0, 0, 0]);
    let error = place.bad(&["tmd", "info", "bad"], 1);
    assert!(
        error.contains("bad: AlreadyRelocated at offset 0x4: "),
        "{error}"
    );

    // A pack keeps the slot of what is no mesh.
    let tmd = std::fs::read(place.path("owl.tmd")).unwrap();
    let mut pack = Vec::new();
    for word in [3, 4, 5, 5 + tmd.len() as u32 / 4] {
        pack.extend(word.to_le_bytes());
    }
    pack.extend(b"none");
    pack.extend(&tmd);
    let last = pack.len();
    pack.extend(&tmd);
    place.write("meshes", &pack);
    let document = place.document(&["tmd", "info", "meshes"]);
    assert_eq!(document["meshes"], json!([null, mesh, mesh]));
    let said = place.fine(&["tmd", "info", "meshes"]);
    assert!(said.contains("mesh 0 at offset 0x10: no TMD\n"), "{said}");
    pack[last + 4] = 1;
    place.write("meshes", &pack);
    // What comes before it was told.
    let output = place.overworld(["tmd", "info", "meshes"]);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    let expected = format!(
        "meshes: member 2: AlreadyRelocated at offset {:#x}: ",
        last + 4
    );
    assert!(error.contains(&expected), "{error}");

    let texture = place.document(&["tim", "info", "owl.tim"]);
    assert_eq!(
        (&texture["bits"], &texture["palettes"]),
        (&json!(4), &json!(1))
    );
    let (width, height) = (
        texture["width"].as_u64().unwrap(),
        texture["height"].as_u64().unwrap(),
    );
    place.fine(&["tim", "png", "owl.tim", "-o", "owl.png"]);
    let file = std::fs::File::open(place.path("owl.png")).unwrap();
    let mut reader = png::Decoder::new(std::io::BufReader::new(file))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!(
        (u64::from(info.width), u64::from(info.height)),
        (width, height)
    );
    assert_eq!(info.color_type, png::ColorType::Rgba);
    // The first texel, looked up by hand.
    let tim = std::fs::read(place.path("owl.tim")).unwrap();
    let index = usize::from(tim[20 + 32 + 12] & 15);
    let cell = u16::from_le_bytes([tim[20 + 2 * index], tim[21 + 2 * index]]);
    let eight = |shift: u16| {
        let five = (cell >> shift & 31) as u8;
        five << 3 | five >> 2
    };
    assert_eq!(pixels[..3], [eight(0), eight(5), eight(10)]);
    let error = place.bad(
        &["tim", "png", "owl.tim", "--palette", "1", "-o", "x.png"],
        1,
    );
    assert!(
        error.contains("NoSuchPalette: expected 0 to 0, found 1"),
        "{error}"
    );
    place.write("bad", &[0x10, 0, 0, 0, 9, 0, 0, 0, 11, 0, 0, 0]);
    let error = place.bad(&["tim", "info", "bad"], 1);
    assert!(
        error.contains("bad: BadTimBlock at offset 0x8: "),
        "{error}"
    );

    // A pack of two, standalone and bare.
    let words = tim.len().div_ceil(4);
    let mut pack = Vec::new();
    for word in [2, 3, 3 + words as u32] {
        pack.extend(word.to_le_bytes());
    }
    pack.extend(&tim);
    pack.extend(&tim);
    place.write("pack", &pack);
    let header = (1 << 24 | pack.len() as u32).to_le_bytes();
    place.write("standalone", &[&header[..], &pack].concat());
    for name in ["pack", "standalone"] {
        let document = place.document(&["tim", "info", name]);
        assert_eq!(document["members"], json!([texture, texture]), "{name}");
        place.fine(&["tim", "png", name, "--member", "1", "-o", "two.png"]);
        let one = std::fs::read(place.path("owl.png")).unwrap();
        assert_eq!(std::fs::read(place.path("two.png")).unwrap(), one);
        let kind = place.document(&["identify", name])["files"][0]["kind"].clone();
        assert_eq!(kind, "timpack");
        // An offset that does not ascend is told as such, not as a wrong magic word.
        let mut broken = std::fs::read(place.path(name)).unwrap();
        let at = broken.len() - pack.len() + 8;
        broken[at..at + 4].copy_from_slice(&3u32.to_le_bytes());
        place.write("broken", &broken);
        for command in [&["tim", "info", "broken"][..], &["tmd", "info", "broken"]] {
            let error = place.bad(command, 1);
            let expected = format!("broken: BadPack at offset {at:#x}: member 1 starts ");
            assert!(error.contains(&expected), "{error}");
        }
        let evidence = place.document(&["identify", "broken"])["files"][0].clone();
        assert_eq!(evidence["kind"], "unknown");
        assert!(evidence.to_string().contains("BadPack"), "{evidence}");
    }
    // Sixteen members: the count is a TIM's magic word.
    let mut sixteen = Vec::new();
    for word in (16..17).chain((0..16).map(|n| 17 + n * words as u32)) {
        sixteen.extend(u32::to_le_bytes(word));
    }
    (0..16).for_each(|_| sixteen.extend(&tim));
    place.write("sixteen", &sixteen);
    let document = place.document(&["tim", "info", "sixteen"]);
    assert_eq!(document["members"], json!(vec![texture; 16]));
    assert_eq!(crc32(&vectors::bundle()), 0x3CC1_E13E);
}
