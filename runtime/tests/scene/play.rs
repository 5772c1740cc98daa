//! A good scene: loaded, ticked, drawn.

use super::disc::*;
use overworld_runtime::anim::legaia::Bank;
use overworld_runtime::bytes::{Crc32, crc32};
use overworld_runtime::disc::bundle::AssetType;
use overworld_runtime::gpu::DisplayList;
use overworld_runtime::gte::software::Gte;
use overworld_runtime::model::tmd::Tmd;
use overworld_runtime::scene::{BACKGROUND, LoadError, Name, Which};

#[test]
fn a_scene_is_loaded() {
    let source = Source::new();
    let mut screen = Recorder::default();
    let mut assets = vec![0; 65_536];
    let scene = load_from(&mut source.disc(), &mut screen, &mut assets).unwrap();

    let lines: Vec<String> = scene.assets().iter().map(ToString::to_string).collect();
    let expected: Vec<String> = source
        .members
        .iter()
        .zip(["01", "02", "05"])
        .enumerate()
        .map(|(n, ((_, data), ty))| {
            format!(
                "asset {n} type {ty} size {} crc {:08X}",
                data.len(),
                crc32(data)
            )
        })
        .collect();
    assert_eq!(lines, expected);

    let palette = crc32(&(0..32).collect::<Vec<u8>>());
    let pixels = crc32(&(0..=255).collect::<Vec<u8>>());
    let one = [(0, 500, 16, 1, palette), (640, 0, 8, 16, pixels)];
    assert_eq!(screen.uploads, [one, one].concat());
    assert_eq!((scene.model().len(), scene.bank().len()), (3, 2));

    // The members lie one after the other at multiples of four.
    let mut at = 0;
    for (_, data) in &source.members {
        assert_eq!(assets[at..][..data.len()], data[..]);
        at += data.len().next_multiple_of(4);
    }
}

/// What is no mesh keeps its slot (disc sheet, section 7).
#[test]
fn slots_count_what_is_no_mesh() {
    let mut source = Source::new();
    let (first, second) = (mesh(3), mesh(2));
    source.members[1].1 = pack(&[b"none", &first, &[0xEE; 40], &second]);
    let mut screen = Recorder::default();
    let mut assets = vec![0; 65_536];
    let scene = load_from(&mut source.disc(), &mut screen, &mut assets).unwrap();
    assert_eq!(scene.model().len(), 3);
    let objects: Vec<_> = (0..6)
        .map(|slot| scene.mesh(slot).map(|it| it.len()))
        .collect();
    assert_eq!(objects, [None, Some(3), None, Some(2), None, None]);
    assert_eq!(scene.slots(), 4);
}

/// What `disc verify` takes in lenient mode, the loader takes (TMD/TIM sheet, section 6; ANM sheet,
/// "Clip"), and placeholders are nothing.
#[test]
fn meshes_and_banks_are_read_leniently() {
    let mut source = Source::new();
    let mut counts = mesh(3);
    // Object 0 announces a primitive more than it has.
    counts[12 + 20] += 1;
    source.members[1].1 = pack(&[&counts]);
    // A tail that the clock never reaches.
    source.members[2].1.extend([1, 2, 3, 4]);
    source.members.insert(0, (AssetType::TimList, vec![0; 4]));
    source.members.push((AssetType::Move, vec![0; 8]));
    assert!(Tmd::parse(&counts).is_err());
    assert!(Bank::parse(&source.members[3].1).is_err());
    let mut screen = Recorder::default();
    let mut assets = vec![0; 65_536];
    let mut scene = load_from(&mut source.disc(), &mut screen, &mut assets).unwrap();
    assert_eq!((scene.model().len(), scene.bank().len()), (3, 2));
    assert_eq!(scene.assets().len(), 5);
    let mut words = vec![0; 2048];
    let mut list = DisplayList::new(&mut words, 512);
    let stats = scene.draw(&mut Gte::new(), &mut screen, &mut list).unwrap();
    assert_eq!(stats.total(), 18);
}

#[test]
fn nothing_is_read_twice() {
    let mut disc = Source::new().disc();
    let mut assets = vec![0; 65_536];
    load_from(&mut disc, &mut Recorder::default(), &mut assets).unwrap();
    // Descriptor, root directory, table of names, table of contents, bundle.
    assert_eq!(disc.runs, [16, ROOT, NAMES, ARCHIVE, ARCHIVE + 43]);
}

#[test]
fn a_frame_is_drawn() {
    let mut screen = Recorder::default();
    let mut assets = vec![0; 65_536];
    let mut scene = load_from(&mut Source::new().disc(), &mut screen, &mut assets).unwrap();
    let mut words = vec![0; 2048];
    let mut list = DisplayList::new(&mut words, 512);
    let mut gte = Gte::new();
    let mut pictures = vec![];
    for _ in 0..40 {
        let stats = scene.draw(&mut gte, &mut screen, &mut list).unwrap();
        // Three cubes: of each at least one face and at most three look at the viewer.
        assert_eq!(stats.total(), 18);
        assert!((3..=9).contains(&stats.drawn), "{stats:?}");
        let packets = screen.lists.pop().unwrap();
        assert_eq!(packets.len() as u32, stats.drawn + 1);
        assert_eq!(packets[0], [0xE100_0200], "the draw mode comes first");
        for quad in &packets[1..] {
            assert_eq!((quad.len(), quad[0] >> 24), (9, 0x2C));
            assert_eq!((quad[2] >> 16, quad[4] >> 16), (0x7D00, 0x000A));
            for xy in [quad[1], quad[3], quad[5], quad[7]] {
                assert!((0..320).contains(&(xy as i16)) && (0..240).contains(&(xy >> 16)));
            }
        }
        pictures.push(packets);
        scene.tick();
    }
    // The model turns and moves: no two pictures are alike.
    pictures.sort();
    pictures.dedup();
    assert_eq!(pictures.len(), 40);
    // Drawing again gives the same picture, and the state does not notice.
    let hash = scene.state_hash();
    for _ in 0..2 {
        scene.draw(&mut gte, &mut screen, &mut list).unwrap();
    }
    assert_eq!(screen.lists[0], screen.lists[1]);
    assert_eq!(scene.state_hash(), hash);
}

/// ANM sheet, "Part-count gate": party meshes ship 12 objects and are capped to 10 at load, which is
/// what makes 10-part clips valid.
#[test]
fn a_party_mesh_of_12_objects_is_driven_by_clips_of_10_parts() {
    let load = |objects, parts| -> Result<_, Failure> {
        let mut source = Source::new();
        source.members[1].1 = pack(&[&mesh(objects)]);
        source.members[2].1 = clips(parts);
        let mut screen = Recorder::default();
        let mut assets = vec![0; 65_536];
        let mut scene = load_from(&mut source.disc(), &mut screen, &mut assets)?;
        let mut words = vec![0; 4096];
        let mut list = DisplayList::new(&mut words, 512);
        let stats = scene.draw(&mut Gte::new(), &mut screen, &mut list).unwrap();
        Ok((scene.model().len(), stats.total()))
    };
    assert_eq!(load(12, 10), Ok((10, 6 * 10)), "templates are not drawn");
    // Models of 12 objects with clips for all of them are ordinary ones.
    assert_eq!(load(12, 12), Ok((12, 6 * 12)));
    assert_eq!(load(10, 10), Ok((10, 6 * 10)));
    for (objects, parts) in [(12, 9), (11, 10), (13, 10), (12, 11)] {
        let clip = 1;
        assert_eq!(
            load(objects, parts),
            Err(LoadError::PartMismatch {
                clip,
                parts,
                objects
            })
        );
    }
}

/// What is played is depth-cued: all colours move towards the background, farther ones more.
#[test]
fn the_model_fades_into_the_background_with_its_depth() {
    let mut screen = Recorder::default();
    let mut assets = vec![0; 65_536];
    let mut scene = load_from(&mut Source::new().disc(), &mut screen, &mut assets).unwrap();
    let mut words = vec![0; 2048];
    let mut list = DisplayList::new(&mut words, 512);
    let mut gte = Gte::new();
    let cue = scene.cue();
    assert_eq!(cue.map(|cue| cue.far), Some(BACKGROUND));
    let hash = scene.state_hash();
    for heading in 0..8 {
        scene.set_cue(None);
        scene.draw(&mut gte, &mut screen, &mut list).unwrap();
        scene.set_cue(cue);
        scene.draw(&mut gte, &mut screen, &mut list).unwrap();
        let [cued, plain] = [screen.lists.pop().unwrap(), screen.lists.pop().unwrap()];
        assert_eq!(plain.len(), cued.len());
        // The way of each quad from 80h to the background, in 255ths, the farthest quad first.
        let ways: Vec<i32> = (plain[1..].iter().zip(&cued[1..]))
            .map(|(plain, cued)| {
                assert_eq!((plain[0], &plain[1..]), (0x2C80_8080, &cued[1..]));
                let [r, g, b, code] = cued[0].to_le_bytes();
                assert_eq!(code, 0x2C);
                let ways = [(r, 0), (g, 1), (b, 2)].map(|(colour, n)| {
                    let far = i32::from(BACKGROUND[n]);
                    255 * (128 - i32::from(colour)) / (128 - far)
                });
                let [least, most] = [ways.iter().min().unwrap(), ways.iter().max().unwrap()];
                assert!(most - least < 10 && (0..200).contains(least), "{ways:?}");
                *least
            })
            .collect();
        assert!(ways.iter().any(|&way| way > 40), "{heading}: {ways:?}");
        let (first, last) = (ways[0], ways[ways.len() - 1]);
        assert!(first > last, "{heading}: {ways:?}");
        for _ in 0..64 {
            scene.tick();
        }
    }
    assert_ne!(scene.state_hash(), hash);
    let hash = scene.state_hash();
    scene.set_cue(None);
    assert_eq!(scene.state_hash(), hash, "the world does not notice");
}

#[test]
fn the_model_fills_the_picture_but_stays_inside() {
    let mut screen = Recorder::default();
    let mut assets = vec![0; 65_536];
    let mut scene = load_from(&mut Source::new().disc(), &mut screen, &mut assets).unwrap();
    let mut words = vec![0; 2048];
    let mut list = DisplayList::new(&mut words, 512);
    scene.draw(&mut Gte::new(), &mut screen, &mut list).unwrap();
    let heights: Vec<u32> = screen.lists[0][1..]
        .iter()
        .flat_map(|quad| [quad[1] >> 16, quad[3] >> 16, quad[5] >> 16, quad[7] >> 16])
        .collect();
    let (top, bottom) = (heights.iter().min().unwrap(), heights.iter().max().unwrap());
    assert!(
        (15..80).contains(top) && (160..225).contains(bottom),
        "{top}..{bottom}"
    );
}

#[test]
fn the_clock_and_the_hash() {
    let mut assets = vec![0; 65_536];
    let mut screen = Recorder::default();
    let mut scene = load_from(&mut Source::new().disc(), &mut screen, &mut assets).unwrap();
    let start = scene.state_hash();
    scene.tick();
    // Speed 8, rate 2: eight sixteenths of a frame a tick.
    assert_eq!((scene.playback().number, scene.playback().cursor), (1, 8));

    // The dump of the documentation, put together here.
    let mut dump = vec![];
    dump.extend(1u32.to_le_bytes());
    dump.extend(8u16.to_le_bytes());
    for word in [1i16, 1, 8, 8] {
        dump.extend(word.to_le_bytes());
    }
    dump.extend(0x0015u16.to_le_bytes());
    // Half-way from pose n to pose n + 3: x 4 n + 6, y -n - 1.5 rounded down, rz 16 n + 24.
    for n in 0..3i16 {
        for word in [4 * n + 6, -n - 2, 0, 0, 0, 16 * n + 24] {
            dump.extend(word.to_le_bytes());
        }
    }
    for (_, data) in Source::new().members {
        dump.extend(crc32(&data).to_le_bytes());
    }
    let mut crc = Crc32::new();
    crc.update(&dump);
    assert_eq!(scene.state_hash(), crc.finish());
    assert_ne!(scene.state_hash(), start);

    // Every 150 ticks the clip changes, and after the last the first one is back.
    let mut numbers = vec![];
    for _ in 1..600 {
        scene.tick();
        numbers.push(scene.playback().number);
    }
    assert_eq!(scene.ticks(), 600);
    let at = |tick: usize| numbers[tick - 2];
    assert_eq!([149, 150, 299, 300, 449, 450].map(at), [1, 2, 2, 1, 1, 2]);
}

/// The name table decides which scene is loaded; its bundle stands three entries further on.
#[test]
fn a_disc_with_one_scene_needs_no_name() {
    let mut assets = vec![0; 65_536];
    let mut load = |names: &str, which| {
        let mut source = Source::new();
        source.names = names.as_bytes().to_vec();
        load_which(
            &mut source.disc(),
            &mut Recorder::default(),
            which,
            &mut assets,
        )
        .map(|scene| scene.name())
    };
    let demo = String::from_utf8(Source::new().names).unwrap();
    let index = demo.split_whitespace().last().unwrap();
    let line = |name: &str| format!("#define {name} {index}\r\n");

    let found = load(&line("harbour"), Which::OnlyOr("demo")).unwrap();
    assert_eq!(found.as_str(), "harbour");
    assert_eq!(
        load(&line("harbour"), Which::Named("demo")),
        Err(LoadError::NoSuchScene {
            name: Name::new("demo")
        })
    );
    // The same name twice is still one scene, the later line counts.
    let twice = format!("#define harbour 1\r\n{}", line("harbour"));
    assert!(load(&twice, Which::OnlyOr("demo")).is_ok());
    // Of several, the one that is named; none of that name, or none at all, is an error.
    let several = format!("#define a 1\r\n{}", line("demo"));
    assert_eq!(
        load(&several, Which::OnlyOr("demo")).unwrap().as_str(),
        "demo"
    );
    for names in [format!("#define a 1\r\n{}", line("b")), String::new()] {
        assert_eq!(
            load(&names, Which::OnlyOr("demo")),
            Err(LoadError::NoSuchScene {
                name: Name::new("demo")
            })
        );
    }
}
