//! `tmd` and `tim`.

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
    }
    assert_eq!(crc32(&vectors::bundle()), 0x3CC1_E13E);
}
