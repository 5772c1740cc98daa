//! `lzs`.

use super::common::{json, text};
use super::place;
use serde_json::json;

#[test]
fn lzs_streams_of_the_sheet() {
    let place = place();
    // V4: self-overlap at distance 3; V9: what follows is not consumed; V8: cut copy.
    let v4 = [0x07, 0x41, 0x42, 0x43, 0xEE, 0xF6];
    place.write("v4", &v4);
    let document = place.document(&["lzs", "decode", "v4", "--size", "12", "-o", "v4.out"]);
    assert_eq!(document, json!({ "produced": 12, "consumed": 6 }));
    assert_eq!(
        std::fs::read(place.path("v4.out")).unwrap(),
        b"ABCABCABCABC"
    );
    let v9 = b"\xFFABCDEFGH\xDE\xAD";
    let output = place.piped(&["lzs", "decode", "-", "--size", "8"], v9);
    assert_eq!(
        (output.status.code(), &output.stdout[..]),
        (Some(0), &b"ABCDEFGH"[..])
    );
    let output = place.piped(&["lzs", "decode", "-", "--size", "8", "--json"], v9);
    assert_eq!(
        json(&text(&output.stdout)),
        json!({ "produced": 8, "consumed": 9 })
    );
    let v8 = [0x01, 0x41, 0xEE, 0xFF];
    place.write("v8", &v8);
    let output = place.overworld(["lzs", "decode", "v8", "--size", "5", "-o", "-"]);
    assert_eq!(output.stdout, b"AAAAA");
    let strict = place.bad(
        &["lzs", "decode", "v8", "--size", "5", "--strict", "-o", "x"],
        1,
    );
    assert!(strict.contains("v8: SizeSplitsToken"), "{strict}");
    assert!(!place.path("x").exists());

    // E1 to E5.
    for (want, source, name) in [
        ("16", &[][..], "TruncatedControl"),
        ("8", &[0x00, 0xEE], "TruncatedBackref"),
        ("4", &[0x01], "TruncatedLiteral"),
        ("10", b"\xFFABCDEFGH", "TruncatedControl"),
        ("9", b"\xFFABCDEFGH\x00A", "TruncatedBackref"),
        ("0xFFFFFFFF", b"\xFFABCDEFGH", "TruncatedControl"),
    ] {
        place.write("e", source);
        let error = place.bad(&["lzs", "decode", "e", "--size", want, "-o", "x"], 1);
        let wanted = format!("overworld: e: {name} at offset {:#x}: ", source.len());
        assert!(error.starts_with(&wanted), "expected {wanted}: {error}");
        assert!(!place.path("x").exists(), "an output is whole or absent");
    }
}

#[test]
fn lzs_parses_get_shorter_and_decode_alike() {
    let place = place();
    let data = std::fs::read(place.path("owl.tmd")).unwrap();
    let size = data.len().to_string();
    let mut lengths = Vec::new();
    for parse in ["greedy", "lazy", "optimal"] {
        let document = place.document(&["lzs", "encode", "owl.tmd", "-o", parse, "--parse", parse]);
        assert_eq!(document["input"], data.len());
        let stream = std::fs::read(place.path(parse)).unwrap();
        assert_eq!(document["output"], stream.len());
        lengths.push(stream.len());
        let back = place.document(&["lzs", "decode", parse, "--size", &size, "-o", "back"]);
        assert_eq!(back["consumed"], stream.len());
        assert_eq!(std::fs::read(place.path("back")).unwrap(), data);
    }
    assert!(
        lengths[2] <= lengths[1] && lengths[2] <= lengths[0],
        "{lengths:?}"
    );
    // Optimal is the default; without -o nothing is written when the document is wanted.
    assert_eq!(
        place.document(&["lzs", "encode", "owl.tmd"])["output"],
        lengths[2]
    );
    let piped = place.piped(&["lzs", "encode", "-"], &data);
    assert_eq!(piped.stdout, std::fs::read(place.path("optimal")).unwrap());
    let empty = place.piped(&["lzs", "encode", "-", "--json"], b"");
    assert_eq!(
        json(&text(&empty.stdout)),
        json!({ "input": 0, "output": 0 })
    );
}
