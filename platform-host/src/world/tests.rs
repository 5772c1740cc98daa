use super::*;
use crate::sample;
use overworld_runtime::disc::bundle::Bundle;
use overworld_runtime::disc::pack::Pack;

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
    assert!(matches!(load(&["a.tim", "none"]), Err(Error::Io { .. })));
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
    assert!(
        check(|it| it.map.1.truncate(5))
            .contains("demo.MAP: Size: expected a map of 73728 bytes, found 5")
    );
    assert!(check(|it| it.textures[0].1[0] = 0).starts_with("owl.tim: BadTim"));
    assert!(check(|it| it.models[0].1[0] = 0).starts_with("owl.tmd: BadMagic"));
    assert!(check(|it| it.bank.1.truncate(100)).starts_with("owl.bank: "));
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
    assert!(mismatch.starts_with("owl.bank: "), "{mismatch}");
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
