use super::manifest::Manifest;
use super::*;
use crate::{sample, vectors};
use overworld_runtime::disc::bundle::Bundle;
use overworld_runtime::disc::pack::Pack;
use overworld_runtime::field::stager;

#[test]
fn the_archive_has_the_shape_of_the_sheet() {
    let world = sample::world().unwrap();
    let archive = world.archive().unwrap();
    let word = |n: usize| u32::from_le_bytes(archive[4 * n..4 * n + 4].try_into().unwrap());
    // Disc sheet, section 8: two system entries, map 36, patch 1, stager 1, bundle.
    assert_eq!([0, 2, 3, 4, 5, 6, 7].map(word), [0, 3, 4, 5, 41, 42, 43]);
    let raw = word(1);
    let end = word(2 + raw as usize);
    assert_eq!(archive.len(), end as usize * 2048);
    assert!(end >= 5 + 40, "the scene loader's read stays inside");
    assert!(
        archive[4 * (3 + raw as usize)..6144]
            .iter()
            .all(|&byte| byte == 0)
    );
    assert_eq!(archive[43 * 2048..][..8], [3, 0, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn the_bundle_decodes_to_the_sources() {
    let world = sample::world().unwrap();
    let bytes = world.bundle().unwrap();
    let bundle = Bundle::parse(&bytes).unwrap();
    let decoded: Vec<Vec<u8>> = bundle
        .members()
        .map(|member| {
            let mut out = vec![0; member.size as usize];
            member.decode(&mut out).unwrap();
            out
        })
        .collect();
    assert_eq!(
        Pack::parse(&decoded[0]).unwrap().get(0).unwrap(),
        world.textures[0].1
    );
    assert_eq!(
        Pack::parse(&decoded[1]).unwrap().get(0).unwrap(),
        world.models[0].1
    );
    assert_eq!(decoded[2], world.bank.1);
    let types: Vec<u8> = bundle.members().map(|member| member.ty.byte()).collect();
    assert_eq!(types, [1, 2, 5]);
    assert!(
        bytes.len() * 4 < decoded.concat().len() * 3,
        "it got smaller"
    );
}

#[test]
fn a_saved_world_loads_again_and_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("new/world");
    let world = sample::world().unwrap();
    let files = world.save(&place, false).unwrap();
    assert_eq!(files.len(), 5);
    assert_eq!(World::load(&place).unwrap(), world);
    assert!(
        world.save(&place, false).is_ok(),
        "the same content is no conflict"
    );
    std::fs::write(place.join("owl.bank"), b"mine").unwrap();
    let error = world.save(&place, false).unwrap_err();
    assert!(
        matches!(&error, Error::NotEmpty { path } if path.ends_with("owl.bank")),
        "{error}"
    );
    assert_eq!(std::fs::read(place.join("owl.bank")).unwrap(), b"mine");
    world.save(&place, true).unwrap();
    assert_eq!(World::load(&place).unwrap(), world);
}

#[test]
fn a_list_is_not_read_past_what_a_member_may_have() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = sample::world().unwrap();
    world.save(folder.path(), false).unwrap();
    let path = folder.path().join(MANIFEST);
    let text = std::fs::read_to_string(&path).unwrap();
    let mut manifest: Manifest = serde_json::from_str(&text).unwrap();
    // Three of them and what a pack adds fill a member to its end.
    let fits = (input::MEMBER as usize - 4) / 3 - 4 - 2;
    std::fs::write(folder.path().join("a.tim"), vec![0; fits]).unwrap();
    let mut load = |names: &[&str]| {
        manifest.textures = names.iter().map(|it| (*it).to_owned()).collect();
        std::fs::write(&path, serde_json::to_vec(&manifest).unwrap()).unwrap();
        World::load(folder.path())
    };
    let loaded = load(&["a.tim"; 3]).unwrap();
    world.textures = loaded.textures;
    // What is loaded is what a bundle takes.
    let bodies: Vec<&[u8]> = world.textures.iter().map(|it| it.1.as_slice()).collect();
    let mut out = vec![0; input::MEMBER as usize];
    let length = pack::emit(&bodies, &mut out).unwrap();
    assert!(length + 4 > out.len(), "{length}");
    // The file behind the limit is not there: nobody looks for it.
    let mut names = vec!["a.tim"; 4];
    names.push("none");
    let error = load(&names).unwrap_err();
    assert!(
        error.to_string().ends_with(
            "world.json: SizeLimit: with \"a.tim\" the files of \"textures\" take more than \
             the 4194304 bytes that a member may have"
        ),
        "{error}"
    );
    assert!(matches!(
        load(&["a.tim", "none"]),
        Err(Error::Member {
            key: "textures",
            ..
        })
    ));
}

#[test]
fn bad_worlds_are_refused() {
    let good = sample::world().unwrap();
    let check = |harm: fn(&mut World)| {
        let mut world = good.clone();
        harm(&mut world);
        world.check().unwrap_err().to_string()
    };
    assert!(check(|it| it.scene = "Demo".to_owned()).starts_with("world.json: BadName"));
    assert!(check(|it| it.scene = "ninechars".to_owned()).starts_with("world.json: BadName"));
    // Each list has its own message, and it is about the list, not about what is made of it.
    for (harm, list) in [
        (
            (|it| it.textures.clear()) as fn(&mut World),
            "one TIM file in \"textures\"",
        ),
        (|it| it.models.clear(), "one TMD file in \"models\""),
    ] {
        let text = check(harm);
        assert!(
            text.starts_with("world.json: NoMembers: ") && text.contains(list),
            "{text}"
        );
    }
    assert!(check(|it| it.map.1.truncate(5)).starts_with(
        "world.json: \"map\": demo.MAP: Size: expected a map of 73728 bytes, found 5"
    ));
    assert!(
        check(|it| it.textures[0].1[0] = 0)
            .starts_with("world.json: \"textures\": owl.tim: BadTim")
    );
    assert!(
        check(|it| it.models[0].1[0] = 0).starts_with("world.json: \"models\": owl.tmd: BadMagic")
    );
    assert!(check(|it| it.bank.1.truncate(100)).starts_with("world.json: \"bank\": owl.bank: "));
    let mismatch = check(|it| {
        // The body alone: a mesh of one object.
        let tmd = tmd::Tmd::parse(&it.models[0].1).unwrap();
        let vertices: Vec<_> = tmd.object(1).unwrap().vertices().collect();
        let mut out = vec![0; 65536];
        let object = tmd::ObjectSource {
            vertices: &vertices,
            normals: &[],
            groups: &[],
        };
        let length = tmd::emit(&[object], &mut out).unwrap();
        it.models[0].1 = out[..length].to_vec();
    });
    assert!(
        mismatch.starts_with("world.json: \"bank\": owl.bank: "),
        "{mismatch}"
    );
    assert!(
        mismatch.contains('3') && mismatch.contains('1'),
        "{mismatch}"
    );
}

#[test]
fn the_boot_file_must_be_a_program() {
    let world = sample::world().unwrap();
    assert!(matches!(
        world.tree(Some(b"MZ")),
        Err(Error::Exe(psexe::Error::ShortHeader { found: 2 }))
    ));
}

/// The sample with everything that a world may bring along.
fn full() -> World {
    let file = |name: &str, data: Vec<u8>| (name.to_owned(), data);
    let mut world = sample::world().unwrap();
    world.man = Some(file("demo.man", vectors::man()));
    world.patch = Some(file("demo.PCH", vectors::patch()));
    let mut table = vec![0; 64];
    let records: [&[u8]; 2] = [&[0xFF, 0xFF, 0, 0, 1, 0], &[2, 0, 1, 0]];
    let length = stager::emit(&records, &mut table).unwrap();
    table.truncate(length);
    world.stager = Some(file("demo.stager", table));
    let texture = world.textures[0].1.clone();
    let mesh = world.models[0].1.clone();
    world.others = [
        (AssetType::Flag0A, "flag", vec![1]),
        (AssetType::Mes, "demo.mes", b"text".to_vec()),
        (AssetType::Move2, "two.bank", vectors::bank()),
        (AssetType::Anm, "demo.anm", vec![0; 4]),
        (AssetType::Tmd2, "one.tmd", mesh),
        (AssetType::Vdf, "demo.vdf", vec![9; 100]),
        (AssetType::Tim, "one.tim", texture),
        (AssetType::Sin, "demo.sin", (0..=255).collect()),
    ]
    .map(|(ty, name, data)| Other {
        ty,
        file: file(name, data),
    })
    .to_vec();
    world
}

#[test]
fn what_a_world_brings_along_is_on_the_disc() {
    let world = full();
    world.check().unwrap();
    let bytes = world.bundle().unwrap();
    let bundle = Bundle::parse(&bytes).unwrap();
    let types: Vec<u8> = bundle.members().map(|member| member.ty.byte()).collect();
    assert_eq!(types, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    let decoded = |ty| {
        let member = bundle.find(ty).unwrap();
        let mut out = vec![0; member.size as usize];
        member.decode(&mut out).unwrap();
        out
    };
    assert_eq!(decoded(AssetType::Man), vectors::man());
    for Other { ty, file } in &world.others {
        assert_eq!(decoded(*ty), file.1, "{ty}");
    }
    let archive = world.archive().unwrap();
    let patch = &archive[41 * 2048..42 * 2048];
    assert_eq!(patch, vectors::patch());
    let table = &world.stager.as_ref().unwrap().1;
    let stager = &archive[42 * 2048..43 * 2048];
    assert_eq!(&stager[..table.len()], table);
    assert!(stager[table.len()..].iter().all(|&byte| byte == 0));
    assert_eq!(&archive[43 * 2048..][..bytes.len()], bytes);
    // A longer table moves the bundle.
    let mut long = world.clone();
    long.stager.as_mut().unwrap().1.resize(stager::RESIDENT, 0);
    long.check().unwrap();
    let archive = long.archive().unwrap();
    assert_eq!(&archive[45 * 2048..][..bytes.len()], bytes);
}

#[test]
fn a_world_with_everything_loads_as_it_was_saved() {
    let folder = tempfile::tempdir().unwrap();
    let world = full();
    let files = world.save(folder.path(), false).unwrap();
    assert_eq!(files.len(), 5 + 3 + 8);
    assert_eq!(World::load(folder.path()).unwrap(), world);
    let keys: Vec<_> = world.parts().map(|(key, _)| key).collect();
    assert_eq!(keys[4..7], ["man", "patch", "stager"]);
    assert_eq!(keys[7..], ["members"; 8]);
}

#[test]
fn the_manifests_example_can_be_used() {
    let folder = tempfile::tempdir().unwrap();
    let world = sample::world().unwrap();
    world.save(folder.path(), false).unwrap();
    let path = folder.path().join(MANIFEST);
    let mut manifest: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let all = manifest.as_object_mut().unwrap();
    let serde_json::Value::Object(mut example) = all.remove("//").unwrap() else {
        panic!("the example is an object");
    };
    example.remove("about").unwrap();
    assert_eq!(example.len(), 5);
    all.extend(example);
    std::fs::write(&path, serde_json::to_vec(&manifest).unwrap()).unwrap();
    let mut full = full();
    full.creature = Some(("demo.dat".to_owned(), sample::toad::model().unwrap()));
    let mut expected = world;
    for (name, data) in full.members() {
        std::fs::write(folder.path().join(name), data).unwrap();
    }
    expected.man = full.man;
    expected.patch = full.patch;
    expected.stager = full.stager;
    expected.creature = full.creature;
    let is_mes = |it: &Other| it.ty == AssetType::Mes;
    expected.others = full.others.into_iter().filter(is_mes).collect();
    assert_eq!(World::load(folder.path()).unwrap(), expected);
}

#[test]
fn the_manifests_example_leaves_out_what_is_there() {
    let remark = |world: &World| {
        let folder = tempfile::tempdir().unwrap();
        world.save(folder.path(), false).unwrap();
        let text = std::fs::read(folder.path().join(MANIFEST)).unwrap();
        let mut manifest: serde_json::Value = serde_json::from_slice(&text).unwrap();
        let remark = manifest.as_object_mut().unwrap().remove("//");
        remark.map(|it| {
            let keys = it.as_object().unwrap().keys();
            keys.cloned().collect::<Vec<_>>()
        })
    };
    let town = remark(&sample::town().unwrap()).unwrap();
    assert_eq!(town, ["about", "creature", "members", "patch", "stager"]);
    assert_eq!(remark(&full()).unwrap(), ["about", "creature"]);
}

#[test]
fn types_of_members_have_names_and_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = sample::world().unwrap();
    let file = ("demo.mes".to_owned(), vec![1]);
    let ty = AssetType::Mes;
    world.others = vec![Other { ty, file }];
    world.save(folder.path(), false).unwrap();
    let path = folder.path().join(MANIFEST);
    let text = std::fs::read_to_string(&path).unwrap();
    let written = "\"type\": \"MES\",\n      \"file\": \"demo.mes\"";
    assert_eq!(text.matches(written).count(), 1, "{text}");
    let load = |ty: &str| {
        let text = text.replacen("\"type\": \"MES\"", &format!("\"type\": {ty}"), 1);
        std::fs::write(&path, text).unwrap();
        World::load(folder.path()).map(|world| world.others[0].ty)
    };
    for (ty, expected) in [
        ("\"mes\"", AssetType::Mes),
        ("4", AssetType::Mes),
        ("\"0x0A\"", AssetType::Flag0A),
        ("\"flag 14\"", AssetType::Flag14),
        ("20", AssetType::Flag14),
        ("0", AssetType::Tim),
    ] {
        assert_eq!(load(ty).unwrap(), expected, "{ty}");
    }
    for (ty, wanted) in [
        (
            "\"MAN\"",
            "a member of type MAN is named by the key \"man\"",
        ),
        ("1", "a member of type 1 is named by the key \"textures\""),
        (
            "\"0x05\"",
            "a member of type 0x05 is named by the key \"bank\"",
        ),
        ("\"MESS\"", "UnknownType: expected one of TIM, MES, ANM, "),
        ("12", "or its number, found \"12\""),
        ("260", "found \"260\""),
        ("-4", "or its number, found \"-4\""),
        ("[]", "expected the type's name or number, found a list"),
        ("\"0x+4\"", "or its number, found \"0x+4\""),
    ] {
        let error = load(ty).unwrap_err().to_string();
        assert!(
            error.contains("world.json: ") && error.contains(wanted) && error.contains("line "),
            "{ty}: {error}"
        );
    }
}

/// What serde derives would take the values of an object in order, and speak of Rust's types.
#[test]
fn objects_are_written_as_objects() {
    let folder = tempfile::tempdir().unwrap();
    sample::world().unwrap().save(folder.path(), false).unwrap();
    let path = folder.path().join(MANIFEST);
    let good: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let mut members = good.clone();
    members["members"] = serde_json::json!([["MES", "owl.tim"]]);
    let list = serde_json::json!(["demo", ["owl.tim"], ["owl.tmd"], "owl.bank", "demo.MAP"]);
    let mut nulls = list.clone();
    nulls.as_array_mut().unwrap().extend([
        serde_json::Value::Null,
        serde_json::Value::Null,
        serde_json::Value::Null,
        serde_json::json!([]),
    ]);
    for (manifest, found) in [
        (list, "expected an object, found a list"),
        (nulls, "expected an object, found a list"),
        (members, "members[0]: expected an object, found a list"),
        (
            serde_json::json!(5),
            "expected an object, found the number 5",
        ),
    ] {
        std::fs::write(&path, manifest.to_string()).unwrap();
        let error = World::load(folder.path()).err().unwrap().to_string();
        let wanted = format!("world.json: {found}");
        assert!(error.contains(&wanted), "{error}");
        assert!(error.contains("line 1"), "{error}");
    }
}

#[test]
fn what_the_readers_refuse_is_refused_with_key_and_file() {
    fn set(world: &mut World, ty: AssetType, data: Vec<u8>) {
        let other = world.others.iter_mut().find(|it| it.ty == ty);
        other.unwrap().file.1 = data;
    }
    for (harm, wanted) in [
        (
            (|it| it.man.as_mut().unwrap().1[0x23] = 0x80) as fn(&mut World),
            "\"man\": demo.man: NegativeCount at offset 0x22: ",
        ),
        (
            |it| it.man.as_mut().unwrap().1[0x37] = 9,
            "\"man\": demo.man: RecordHeaderOverrun at offset 0x37: ",
        ),
        (
            |it| it.patch.as_mut().unwrap().1[6] = 0,
            "\"patch\": demo.PCH: BadTriggerBlock at offset 0x6: ",
        ),
        (
            |it| it.patch.as_mut().unwrap().1.truncate(100),
            "\"patch\": demo.PCH: Size at offset 0x64: ",
        ),
        (
            |it| it.stager.as_mut().unwrap().1[2] = 7,
            "\"stager\": demo.stager: BadOffset: ",
        ),
        (
            |it| it.stager.as_mut().unwrap().1.clear(),
            "\"stager\": demo.stager: Truncated: ",
        ),
        (
            |it| it.stager.as_mut().unwrap().1.resize(6145, 0),
            "\"stager\": demo.stager: SizeLimit at offset 0x1800: expected at most 6144 bytes",
        ),
        (
            |it| set(it, AssetType::Tim, vec![0; 20]),
            "\"members\": one.tim: BadTim at offset 0x0: ",
        ),
        (
            |it| set(it, AssetType::Tmd2, vec![0; 20]),
            "\"members\": one.tmd: BadMagic at offset 0x0: ",
        ),
        (
            |it| set(it, AssetType::Move2, vec![0; 20]),
            "\"members\": two.bank: BadCount at offset 0x0: ",
        ),
        (
            |it| set(it, AssetType::Mes, vec![]),
            "\"members\": demo.mes: BadDescriptorOffset at offset 0x0: expected at least one byte \
             of type MES",
        ),
    ] {
        let mut world = full();
        harm(&mut world);
        let text = world.check().unwrap_err().to_string();
        let wanted = format!("world.json: {wanted}");
        assert!(text.starts_with(&wanted), "expected {wanted}: {text}");
        assert!(world.tree(None).is_err());
    }
    // More than a bundle has descriptors for, or bytes.
    let mut world = full();
    world.others = vec![world.others[1].clone(); 29];
    world.check().unwrap();
    let text = world.archive().unwrap_err().to_string();
    assert!(text.starts_with("BadDescriptorCount: "), "{text}");
    let mut world = full();
    let noise = |it: u32| (it.wrapping_mul(it).wrapping_mul(2_654_435_761) >> 24) as u8;
    set(
        &mut world,
        AssetType::Mes,
        (0..500_000).map(noise).collect(),
    );
    let text = world.archive().unwrap_err().to_string();
    assert!(text.starts_with("EntryTooLarge: "), "{text}");
}
