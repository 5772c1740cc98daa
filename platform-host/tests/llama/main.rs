//! `overworld llama ...`

mod checked;
#[path = "../common/mod.rs"]
mod common;
mod documents;
mod fields;
mod made;

use common::Place;
use serde_json::{Value, json};

/// The whole level of the sheet's example E14, as a person would write it.
fn example() -> Value {
    let mut trak = vec![0_u8; 448];
    trak[0] = 2;
    trak[4 + 0x6C] = 2;
    let second = 4 + 0x84;
    for (at, value) in [(0x6C, 3), (0x6E, 1), (0x78, 1)] {
        trak[second + at] = value;
    }
    let trak: String = trak.iter().map(|byte| format!("{byte:02x}")).collect();
    let waypoint = |next: u32, ry: u32, x: u32, value: u32| json!({ "next": next, "angles": [0, ry, 0], "at": [x, 2048, 8192], "values": [value, 0] });
    json!({ "chunks": [
        { "tag": "INFO", "data": "01000000" },
        { "tag": "VERS", "data": "01000000" },
        { "tag": "WFPC", "data": "10002114" },
        { "tag": "TRAK", "data": trak },
        { "tag": "MAP ", "map": {
            "width": 2, "height": 2,
            "tiles": [
                { "at": [0.5, 0, -0.5], "model": 0, "colours": "0A141E010A141E01" },
                { "at": [1.5, 0, -0.5], "angle": 1024, "model": 1, "alternative": 1,
                  "colours": concat!("010203020405060107080900", "090909000909090009090900",
                      "3232320132323201", "3C3C3C003C3C3C00") },
                { "at": [0.5, 0.25, -1.5], "angle": 3072, "model": 0, "colours": "80C8FF0080C8FF00" },
            ],
            "pool": [4096, "0xFFFFF000"],
            "zones": [{ "cell": [4, 0, 7], "target": [18432, 6144, 30720], "flags": 8,
                "fog": [81920, 163840], "object_fog": [0, 0], "ambient": "0x404040",
                "backdrop": "0x804020", "music": 5 }],
            "waypoints": [waypoint(1, 0, 4096, 0), waypoint(1, 1024, 8192, 0), waypoint(0, 2048, 12288, 7)],
            "regions": [[1, 0], [2, "0xFFFF0000"]],
            "grid": [0, 1, 0, 1],
            "alternatives": [{ "at": [1, 0, 0], "normal": 1, "model": 0 }],
            "strats": [
                { "angles": [0, 1024, 0], "at": [2048, 1024, 2048], "code": "0x1234", "variables": 78,
                  "slots": 4, "type_flags": "0x248000", "extra": 1 },
                { "angles": [0, 0, 0], "at": [6144, 1024, 2048], "code": "0x2000", "parameters": 2,
                  "pool": 0, "variables": 5, "slots": 1, "type_flags": "0x8000", "extra": 0,
                  "waypoint": 0, "flags": 2 },
            ],
            "pool_extra": 10,
            "paths": [
                [{ "flags": 0, "points": [
                    { "at": [4096, 8192], "y": 12288, "type": 1, "angle": 0 },
                    { "at": [16384, 20480], "y": 24576, "type": 10, "angle": 512 },
                ]}],
                [],
            ],
            "particles": 300,
            "tail": 258,
        } },
    ] })
}

/// A place with that level as `level.wad`.
fn place() -> Place {
    let place = Place::new();
    place.write("in.json", example().to_string().as_bytes());
    place.fine(&["llama", "build", "in.json", "-o", "level.wad"]);
    place
}
