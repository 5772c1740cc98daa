mod gaps;
mod ground;
mod made;
mod shown;

use overworld_runtime::llama::{Level, Wad};

use super::document::{Content, Document};
use super::parts::Parts;
use super::{report, sample, types};
use crate::json::pretty;

/// The sample with another map.
fn edited(change: impl FnOnce(&mut Parts)) -> Vec<u8> {
    let data = sample::wad();
    let mut document = Document::of(&Wad::parse(&data).unwrap());
    let mut maps = document.chunks.iter_mut();
    let map = maps.find_map(|(_, content)| match content {
        Content::Map(parts) => Some(parts),
        Content::Bytes(_) => None,
    });
    let parts = map.unwrap();
    change(parts);
    parts.fixed = None;
    parts.models = None;
    document.bytes().unwrap()
}

/// A level whose types have other names, none of them longer.
fn renamed(mut data: Vec<u8>, names: &[(&str, &str)]) -> Vec<u8> {
    for (old, new) in names {
        let old = format!("{old}\0");
        let mut places = data.windows(old.len());
        let at = places.position(|it| it == old.as_bytes()).unwrap();
        let place = &mut data[at..at + old.len()];
        place.fill(0);
        place[..new.len()].copy_from_slice(new.as_bytes());
        assert!(new.len() < old.len());
    }
    data
}

#[test]
fn the_sample_has_no_fault() {
    let data = sample::wad();
    let report = report::check(&data);
    assert_eq!((report.errors, report.warnings), (vec![], vec![]));
    let level = Level::parse(&data).unwrap();
    assert_eq!(level.name(), Some(&b"Meadow"[..]));
    // Behind a header, two bones, eight vertices and ten faces, and a count of animations.
    let stpc = level.stpc.unwrap();
    let start = 4 + 0x8C + 2 * 2 + 8 * 24 + 10 * 28 + 4;
    assert_eq!((stpc.code(), stpc.animations()), ((start, true), 0));
    let models: Vec<_> = stpc.models().collect();
    assert_eq!((models.len(), models[0].bones), (1, sample::BONES));
    assert_eq!(models[0].counts.vertices, 8);
}

#[test]
fn documents_lose_nothing() {
    let mut data = sample::wad();
    for change in 0..4 {
        match change {
            1 => data[1] ^= 1,
            2 => data.extend(b"behind"),
            3 => {
                // A coordinate that is no number, and what is derived from it.
                let start = Level::parse(&data).unwrap().map_start;
                data[start + 12..start + 16].copy_from_slice(&0xFFC0_1234_u32.to_le_bytes());
                data[start + 20..start + 24].copy_from_slice(&0x8000_0000_u32.to_le_bytes());
            }
            _ => {}
        }
        let document = Document::of(&Wad::parse(&data).unwrap());
        assert!(
            document
                .chunks
                .iter()
                .any(|it| matches!(it.1, Content::Map(_)))
        );
        assert_eq!(document.bytes().unwrap(), data, "{change}");
        let text = document.to_json().to_string();
        let again = Document::from_json(&serde_json::from_str(&text).unwrap()).unwrap();
        assert_eq!(again.bytes().unwrap(), data, "{change}");
        // The text that is made piece by piece is that of the whole document.
        let whole = pretty(&crate::text::json(&text));
        assert!(document.to_text() == whole, "{change}");
        let again = document.through_text().unwrap();
        assert_eq!(again.bytes().unwrap(), data, "{change}");
    }
    // Whatever byte of the map is changed.
    let data = sample::wad();
    let level = Level::parse(&data).unwrap();
    let span = level.map_start..level.map_start + level.map.bytes().len();
    let mut maps = [0; 2];
    for at in span.step_by(1009) {
        let mut changed = data.clone();
        changed[at] ^= 0x81;
        let document = Document::of(&Wad::parse(&changed).unwrap());
        let mut contents = document.chunks.iter().map(|it| &it.1);
        maps[usize::from(contents.any(|it| matches!(it, Content::Map(_))))] += 1;
        let text = document.to_json().to_string();
        let again = Document::from_json(&serde_json::from_str(&text).unwrap()).unwrap();
        assert_eq!(again.bytes().unwrap(), changed, "{at:#x}");
    }
    // Most of them are still taken apart, and some are kept as they are stored.
    assert!(maps[0] > 10 && maps[1] > 80, "{maps:?}");
}

/// Lists and bytes that are longer than a piece, and a document with nothing in it.
#[test]
fn long_documents_go_through_text_in_pieces() {
    let mut data = edited(|parts| {
        // Those with an alternative have one each.
        let plain = parts.tiles.iter().take(1500).copied().collect::<Vec<_>>();
        let colours = vec![parts.colours[0].clone(); plain.len()];
        for _ in 0..12 {
            parts.tiles.extend(&plain);
            parts.colours.extend(colours.iter().cloned());
        }
        parts.pool = (0..40_000).collect();
    });
    let end = data.len() - 8;
    let long: Vec<u8> = (0..(5 << 19)).map(|at: u32| (at * 7 / 3) as u8).collect();
    data.splice(
        end..end,
        [&b"PCT "[..], &(5_u32 << 19).to_le_bytes(), &long].concat(),
    );
    let size = data.len() as u32 - 4;
    data[..4].copy_from_slice(&size.to_le_bytes());
    let document = Document::of(&Wad::parse(&data).unwrap());
    let is_map = |it: &(_, Content)| matches!(it.1, Content::Map(_));
    assert!(document.chunks.iter().any(is_map));
    let whole = pretty(&document.to_json().to_string());
    assert!(document.to_text() == whole);
    assert!(document.through_text().unwrap().bytes().unwrap() == data);
    let nothing = Document {
        stated: Some(7),
        chunks: Vec::new(),
        end: 3,
        after: vec![5; 300],
    };
    assert_eq!(nothing.to_text(), pretty(&nothing.to_json().to_string()));
    assert_eq!(nothing.clone().through_text().unwrap(), nothing);
}

#[test]
fn documents_that_are_none_say_where() {
    for (text, expected) in [
        ("[]", "the document: expected an object, found []"),
        ("{}", "chunks: expected an array, but it is missing"),
        (
            r#"{"chunks":[{"tag":"INFO"}]}"#,
            "chunks[0]: expected one of the keys data and map",
        ),
        (
            r#"{"chunks":[{"tag":"INFO","data":"0"}]}"#,
            "chunks[0].data: expected hexadecimal digits",
        ),
        (
            r#"{"chunks":[{"tag":"INF","data":""}]}"#,
            "chunks[0].tag: expected a tag of four",
        ),
        (r#"{"chunks":[],"size":5}"#, "no key \"size\""),
        (
            r#"{"chunks":[{"tag":"MAP ","map":{"width":-1,"height":1,"tiles":[]}}]}"#,
            "chunks[0].map.width: expected a whole number from 0 to 4294967295, found -1",
        ),
        (
            r#"{"chunks":[{"tag":"MAP ","map":{"width":1,"height":1,"tiles":[{"at":[1,2],"model":0,"colours":""}]}}]}"#,
            "chunks[0].map.tiles[0]: expected three coordinates",
        ),
        (
            r#"{"chunks":[{"tag":"INFO","data":""},{"tag":"END ","data":""}]}"#,
            "chunks[1].tag: expected another tag, for the end is written anyway, found \"END \"",
        ),
        (
            r#"{"chunks":[],"chunks":[{"tag":"INFO","data":""}]}"#,
            "the key \"chunks\" stands twice at line 1 column 21",
        ),
        (
            r#"{"chunks":[{"tag":"MAP ","map":{"width":1,"height":1,"tiles":[],"pool_extra":0,
                "fixed":[{"angles":[0,0,0],"at":[0,0,0],"att":1}]}}]}"#,
            "chunks[0].map.fixed[0]: expected no key \"att\"",
        ),
        (
            r#"{"chunks":[{"tag":"MAP ","map":{"width":1,"height":1,"tiles":[],"pool_extra":0,
                "paths":[[{"flags":0,"points":[],"point":1}]]}}]}"#,
            "chunks[0].map.paths[0][0]: expected no key \"point\"",
        ),
        (
            r#"{"chunks":[{"tag":"MAP ","map":{"width":1,"height":1,"tiles":[],"pool_extra":0,
                "paths":[[{"flags":0,"points":[{"at":[0,0],"type":0,"angle":0,"z":1}]}]]}}]}"#,
            "chunks[0].map.paths[0][0].points[0]: expected no key \"z\"",
        ),
    ] {
        let error = Document::parse(text.as_bytes()).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn differences_are_named() {
    let data = sample::wad();
    let level = Level::parse(&data).unwrap();
    let strats = level
        .map
        .span(overworld_runtime::llama::map::Block::Strats)
        .start;
    let mut changed = data.clone();
    let at = level.map_start + strats + 8 + 58 + 19;
    changed[at] ^= 1;
    let difference = report::difference(&data, &changed);
    assert_eq!(
        difference,
        Some((at, "block 12 (strats), record 1, code".to_owned()))
    );
    assert_eq!(report::difference(&data, &data), None);
    assert_eq!(report::difference(&data, &data[..100]).unwrap().0, 100);
}

#[test]
fn types_are_counted_and_named() {
    let data = sample::wad();
    let level = Level::parse(&data).unwrap();
    let rows = types::of(&level);
    let labels: Vec<_> = rows
        .iter()
        .map(|it| (it.label.as_str(), it.count))
        .collect();
    assert_eq!(
        labels,
        [
            ("CameraSide", 1),
            ("CheckPointHead(spawn)", 1),
            ("CheckPointPost", 1),
            ("Coin", 3),
            ("CutSceneTrigger", 1),
            ("Grapes", 1),
            ("LevelDoor", 1),
            ("Llama", 1),
            ("RubyIdol", 1),
        ]
    );
    assert!(rows[1].spawn && rows[1].name.as_deref() == Some("CheckPointHead"));
    assert_eq!(rows[7].ty.variables, 78);
    // In the second level two types have the same name.
    let again = renamed(data.clone(), &[("RubyIdol", "Coin")]);
    let again = types::of(&Level::parse(&again).unwrap());
    let code = |name: &str| rows.iter().find(|it| it.label == name).unwrap().ty.code;
    let table = types::table(&[rows.clone(), again]);
    let cell = |count, names: &[&str]| types::Cell {
        count,
        codes: names.iter().map(|name| code(name)).collect(),
    };
    assert_eq!(
        table["Coin"],
        [cell(3, &["Coin"]), cell(4, &["Coin", "RubyIdol"])]
    );
    assert_eq!(table["RubyIdol"], [cell(1, &["RubyIdol"]), cell(0, &[])]);
    // The head itself is never placed, but its name is in the code.
    let names: Vec<_> = level.stpc.unwrap().names().map(|it| it.1).collect();
    assert_eq!(names.len(), 9);
    assert!(names.contains(&"CheckPointHead"));
}
