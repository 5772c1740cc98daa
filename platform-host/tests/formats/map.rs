//! `map info`.

use super::{place, vectors};
use serde_json::json;

#[test]
fn maps_and_patches_are_listed() {
    let place = place();
    let document = place.document(&["map", "info", "test.MAP"]);
    let regions = document["regions"].as_array().unwrap();
    let region = |index: usize| {
        let it = &regions[index];
        (
            it["name"].as_str().unwrap(),
            it["offset"].as_u64().unwrap(),
            it["length"].as_u64().unwrap(),
        )
    };
    assert_eq!(region(1), ("collision", 0x4000, 0x4000));
    assert_eq!(region(3), ("triggers", 0x10000, 0x2000));
    assert_eq!(document["objects"].as_array().unwrap().len(), 1);
    let object = &document["objects"][0];
    assert_eq!(object["index"], 5);
    assert_eq!(object["offset"], json!([-64, 0, 56]));
    assert_eq!(
        (&object["mesh"], &object["flags"]),
        (&json!(9), &json!(0x16))
    );
    assert_eq!(object["cells"], json!([[38, 25]]));
    // The sheet's live record stands at (4864, 3208).
    assert_eq!(document["placed"][0]["position"], json!([4864, 3208]));
    let triggers = &document["triggers"];
    assert_eq!(triggers["teleports"][0]["destination"], json!([20, 22]));
    assert_eq!(
        triggers["scripts"],
        json!([{ "tile": [29, 91], "record": 3, "gate": 1 }])
    );
    assert_eq!(triggers["regions"][0]["corners"], json!([1, 9, 4, 2]));
    assert_eq!(
        document["elevations"],
        json!([{ "tile": [7, 8], "coarse": -2, "quads": 0x39 }])
    );
    assert_eq!(
        (&document["wall_tiles"], &document["wall_cells"]),
        (&json!(1), &json!(2))
    );
    assert_eq!(document["tiers"][2], 1);

    let patch = place.document(&["map", "info", "one.PCH"]);
    assert_eq!(patch["triggers"]["scripts"], triggers["scripts"]);
    assert_eq!(patch["retail_shaped"], true);
    let both = [vectors::map(), vectors::patch(), vec![0; 0x1800]].concat();
    place.write("read", &both);
    let document = place.document(&["map", "info", "read"]);
    assert_eq!(document["fallback"]["scripts"], triggers["scripts"]);
    assert_eq!(document["fallback"]["elevations"], json!([]));

    for (change, wanted) in [
        (
            (|it| it.truncate(100)) as fn(&mut Vec<u8>),
            "Size at offset 0x64: ",
        ),
        (|it| it[0x10000] = 0, "TriggerChain at offset 0x10000: "),
        (
            |it| it[0x10000..0x10012].fill(0),
            "ZeroHeaderOnField at offset 0xa0: ",
        ),
    ] {
        let mut map = vectors::map();
        change(&mut map);
        place.write("bad", &map);
        let error = place.bad(&["map", "info", "bad"], 1);
        assert!(
            error.contains(&format!("bad: {wanted}")),
            "{wanted}: {error}"
        );
    }
    let mut patch = vectors::patch();
    patch[6] = 0;
    place.write("bad", &patch);
    let error = place.bad(&["map", "info", "bad"], 1);
    assert!(
        error.contains("bad: BadTriggerBlock at offset 0x6: "),
        "{error}"
    );
}
