//! The same disc on the emulated PlayStation and on the PC, whole and damaged.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use overworld_host::drive::ImageDrive;
use overworld_host::sample::town;
use overworld_host::world::World;
use overworld_host::{image, llama, play, sample};
use overworld_runtime::anim::legaia::{ClipSource, Pose, emit};
use overworld_runtime::bytes::u32_at;
use overworld_runtime::disc::iso;
use overworld_runtime::disc::sector::RAW;
use overworld_runtime::field::map;
use overworld_runtime::llama::Level;
use overworld_runtime::platform::SECTOR;
use overworld_runtime::scene::walk::{Play, TOUR, Walk, tour};
use overworld_runtime::scene::{self, MapRead, Memory, Which};
use overworld_tests::artefacts::{BOOT_ROM, DEMO, DISC_CUE, TOWN, TOWN_CUE};
use overworld_tests::emulator::Report;
use overworld_tests::mednafen::Mednafen;
use overworld_tests::verdict::Outcome;

use common::played::{Blind, asset_lines, budget, frames, number, passed, same_pictures};
use common::{TIME_OUT, images, installed, turn};

/// The lines of assets and the state hash after `ticks` ticks, as the PC has them.
fn on_the_pc(mut drive: ImageDrive, ticks: u32) -> Result<(Vec<String>, u32), String> {
    let mut sectors = vec![[0; SECTOR]; 3];
    let mut assets = vec![0; 1 << 20];
    let memory = Memory {
        sectors: &mut sectors,
        assets: &mut assets,
    };
    let mut scene = scene::load(&mut drive, &mut Blind, Which::Named(sample::SCENE), memory)
        .map_err(|error| error.to_string())?;
    let lines = scene.assets().iter().map(|asset| format!("@@{asset}"));
    let lines = lines
        .map(|line| line.replacen("@@asset", "@@ASSET", 1))
        .collect();
    for _ in 0..ticks {
        scene.tick();
    }
    Ok((lines, scene.state_hash()))
}

#[test]
fn the_console_and_the_pc_unpack_the_same_bytes_from_the_same_disc() {
    let _turn = turn();
    let Some([rom, cue]) = images([BOOT_ROM, DISC_CUE]) else {
        return;
    };
    let Some(report) = passed(&rom, &cue) else {
        return;
    };
    let (ticks, hash) = frames(&report).expect("a line of frames");
    assert!(ticks > 0);
    let (lines, expected) = on_the_pc(ImageDrive::open(&cue).unwrap(), ticks).unwrap();
    assert_eq!(asset_lines(&report), lines);
    assert_eq!(lines.len(), 3, "textures, meshes, motion: {lines:?}");
    assert_eq!(hash, expected, "state after {ticks} ticks");
    let budget = budget(&report);
    let phases: Vec<&str> = budget.iter().map(|(phase, ..)| phase.as_str()).collect();
    assert_eq!(
        phases,
        ["tick", "compose", "- pose, matrix", "check", "draw", "wait"]
    );
    for (phase, least, mean) in &budget {
        assert!(0 < *least && least <= mean, "{phase}: {least}, {mean}");
    }

    // And through the PC's own player, which draws.
    let mut drive = ImageDrive::open(&cue).unwrap();
    let assets = play::assets(&mut drive, sample::SCENE).unwrap();
    let of = |line: &str| line.rsplit(' ').next().map(str::to_owned);
    let found: Vec<_> = assets
        .iter()
        .map(|asset| format!("{:08X}", asset.crc32))
        .collect();
    let printed: Vec<_> = lines.iter().filter_map(|line| of(line)).collect();
    assert_eq!(found, printed);
}

/// The state hash of a scene after so many ticks of the tour on the PC, each of which is looked at.
fn toured(cue: &Path, name: &str, ticks: u32, mut each: impl FnMut(&Walk<'_>)) -> u32 {
    let mut drive = ImageDrive::open(cue).unwrap();
    let mut sectors = vec![[0; SECTOR]; 16];
    let memory = Memory {
        sectors: &mut sectors,
        assets: &mut vec![0; 1 << 20],
    };
    let scene = scene::load(&mut drive, &mut Blind, Which::Named(name), memory).unwrap();
    let mut read: Box<MapRead> = Box::new([[0; SECTOR]; _]);
    scene::read_map::<_, Blind>(&mut drive, name, &mut sectors, &mut read).unwrap();
    let mut copy = Box::new([0; map::SIZE]);
    let mut walk = Walk::new(&scene, &read, &mut copy).unwrap().unwrap();
    for frame in 0..ticks {
        walk.tick(tour(frame));
        each(&walk);
    }
    walk.state_hash()
}

/// The town by the tour: a talk, a gate that opens, a beat, the way out and in again. The same pad log gives the
/// same state on the console and on the PC.
#[test]
fn both_machines_walk_the_same_way() {
    let _turn = turn();
    let Some([rom, cue]) = images([BOOT_ROM, TOWN_CUE]) else {
        return;
    };
    let Some(report) = passed(&rom, &cue) else {
        return;
    };
    let (ticks, hash) = frames(&report).expect("a line of frames");
    let log: u32 = TOUR.iter().map(|&(_, frames)| u32::from(frames)).sum();
    assert!(log < ticks, "the tour has {log} frames");
    // A picture in each vertical blank, but where the scene is entered anew: one picture is late there, and the frames
    // that it has cost are caught up with as far as four at once go.
    let [pictures, vblanks] = ["pictures", "vblanks"].map(|it| number(&report, it).unwrap());
    assert!((ticks - 3..=ticks).contains(&pictures), "{report}");
    assert!((ticks..=ticks + 5).contains(&vblanks), "{report}");

    let mut left = false;
    let expected = toured(&cue, town::SCENE, ticks, |walk| {
        left = walk.world().vm.state.system.test(town::LEFT);
    });
    // The way has been gone.
    assert!(left);
    assert_eq!(hash, expected, "state after {ticks} frames");
}

/// The disc of the sample level, which the town's program walks on, in a folder of its own.
fn level_disc(program: &Path) -> (tempfile::TempDir, PathBuf, String) {
    let wad = llama::sample::wad();
    let (world, _) = llama::bridge::world(&Level::parse(&wad).unwrap(), "level").unwrap();
    let tree = world.tree(Some(&fs::read(program).unwrap())).unwrap();
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("level.bin"),
        image::build(&tree).unwrap(),
    )
    .unwrap();
    let cue = folder.path().join("level.cue");
    fs::write(&cue, sample::cue_text("level.bin")).unwrap();
    (folder, cue, world.scene)
}

/// Another game's level, turned into a world: the same way on both machines, over the same ground.
#[test]
fn both_machines_walk_the_same_level() {
    let _turn = turn();
    let Some([rom, program]) = images([BOOT_ROM, TOWN]) else {
        return;
    };
    let (_folder, cue, name) = level_disc(&program);
    let Some(report) = passed(&rom, &cue) else {
        return;
    };
    let (ticks, hash) = frames(&report).expect("a line of frames");
    let (mut cells, mut heights) = (BTreeSet::new(), BTreeSet::new());
    let expected = toured(&cue, &name, ticks, |walk| {
        let player = &walk.world().field.player;
        cells.insert([player.x >> 7, player.z >> 7]);
        heights.insert(player.y);
    });
    assert_eq!(hash, expected, "state after {ticks} frames");
    // Over several cells, and not all of them equally high.
    assert!(
        cells.len() > 5 && heights.len() > 1,
        "{cells:?} {heights:?}"
    );
}

#[test]
fn both_machines_draw_the_same_level() {
    let _turn = turn();
    let Some([rom, program]) = images([BOOT_ROM, TOWN]) else {
        return;
    };
    let (_folder, cue, name) = level_disc(&program);
    same_pictures(&rom, &cue, &name, LEVEL);
}

/// Frames of the recording in which the player walks to the left and, later, away from the viewer: who stands looks
/// much the same in the next frame.
const LEVEL: [u64; 2] = [310, 336];

/// The frames of the recording that are compared, counted from power-on: late enough for ROM, loading
/// and the first drawing, far enough apart for the model to have moved; in the first it faces the viewer.
/// Which frames of the PC they are depends on how long the load took.
const COMPARED: [u64; 2] = [200, 230];

#[test]
fn both_machines_draw_the_same_pictures_and_the_model_moves() {
    let _turn = turn();
    let Some([rom, cue]) = images([BOOT_ROM, DISC_CUE]) else {
        return;
    };
    same_pictures(&rom, &cue, sample::SCENE, COMPARED);
}

/// A disc in a folder of its own.
struct Disc {
    folder: tempfile::TempDir,
    image: Vec<u8>,
}

impl Disc {
    fn new(image: Vec<u8>) -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            image,
        }
    }

    /// The sample with its sources changed; nothing is checked on the way.
    fn of(change: impl FnOnce(&mut World)) -> Self {
        let mut world = sample::world().unwrap();
        change(&mut world);
        let archive = world.archive().unwrap();
        Self::new(image::build(&world.tree_of(archive, None).unwrap()).unwrap())
    }

    fn drive(&self) -> ImageDrive {
        ImageDrive::from_bytes(self.image.clone()).expect("a raw image")
    }

    /// The first sector of PROT.DAT.
    fn archive(&self) -> u32 {
        let mut scratch = [0; SECTOR];
        let extent = iso::find(&mut self.drive(), "PROT.DAT", &mut scratch);
        extent.unwrap().lba
    }

    /// The raw sector `offset` sectors after the start of PROT.DAT.
    fn archive_sector(&mut self, offset: u32) -> &mut [u8] {
        let at = (self.archive() + offset) as usize * RAW;
        &mut self.image[at..at + RAW]
    }

    fn cue(&self) -> PathBuf {
        let cue = self.folder.path().join("disc.cue");
        fs::write(self.folder.path().join("disc.bin"), &self.image).unwrap();
        fs::write(&cue, image::cue_text("disc.bin")).unwrap();
        cue
    }

    /// The demo, side-loaded, with this disc in the drive.
    fn run(&self, rom: &Path, exe: &Path) -> Report {
        Mednafen::new(rom)
            .exe(exe)
            .disc(self.cue())
            .time_out(TIME_OUT)
            .run(|_| {})
            .unwrap()
    }
}

/// The sample's bundle is raw entry 5: three sectors of table, four entries, 36 of them the map.
const BUNDLE: u32 = 3 + 1 + 1 + 36 + 1 + 1;

/// What the console must say about a damaged disc.
enum Says {
    /// Exactly what the PC says: the fault lies in the data.
    AsThePc(&'static str),
    /// This, of the sector so many sectors after the start of the bundle: the fault lies in the disc,
    /// and the console's drive has its own words.
    Sector(u32, &'static str),
}

fn check_damaged(name: &str, disc: &Disc, says: &Says) -> Option<()> {
    let _turn = turn();
    let on_pc = on_the_pc(disc.drive(), 0).expect_err("the PC must refuse the disc too");
    if let Says::AsThePc(part) = says {
        assert!(on_pc.contains(part), "{name}: expected {part}: {on_pc}");
    }
    let [rom, exe] = images([BOOT_ROM, DEMO])?;
    let report = installed(disc.run(&rom, &exe))?;
    assert_eq!(report.outcome, Outcome::Fail, "{name}: {report}");
    assert!(asset_lines(&report).is_empty(), "{name}: {report}");
    match says {
        Says::AsThePc(_) => assert_eq!(report.reason, on_pc, "{name}"),
        Says::Sector(offset, words) => {
            let bundle = disc.archive() + BUNDLE;
            let said = format!(
                "cannot read the scene's bundle at sector {bundle}: CD: sector {} {words}",
                bundle + offset
            );
            assert_eq!(report.reason, said, "{name}");
        }
    }
    Some(())
}

#[test]
fn the_undamaged_disc_loads() {
    // Else the tests below might fail for a reason of their own.
    let disc = Disc::of(|_| {});
    assert_eq!(on_the_pc(disc.drive(), 1).unwrap().0.len(), 3);
}

#[test]
fn prot_dat_missing() {
    let world = sample::world().unwrap();
    let mut tree = image::Tree::new();
    tree.file("CDNAME.TXT", b"#define demo 2\r\n".to_vec())
        .unwrap();
    tree.file("SYSTEM.CNF", b"BOOT = cdrom:\\SLUS_999.99;1\r\n".to_vec())
        .unwrap();
    tree.file("OTHER.DAT", world.archive().unwrap()).unwrap();
    let disc = Disc::new(image::build(&tree).unwrap());
    let says = Says::AsThePc("PROT.DAT is not on the disc");
    check_damaged("PROT.DAT missing", &disc, &says);
}

#[test]
fn scene_missing() {
    // The console plays the only scene that a disc has, so this one has two.
    let world = sample::world().unwrap();
    let mut tree = image::Tree::new();
    let names = b"#define harbour 2\r\n#define other 40\r\n";
    tree.file("CDNAME.TXT", names.to_vec()).unwrap();
    tree.file("SYSTEM.CNF", b"BOOT = cdrom:\\SLUS_999.99;1\r\n".to_vec())
        .unwrap();
    tree.file("PROT.DAT", world.archive().unwrap()).unwrap();
    let disc = Disc::new(image::build(&tree).unwrap());
    let says = Says::AsThePc("defines no scene \"demo\"");
    check_damaged("scene missing", &disc, &says);
}

#[test]
fn image_cut_short() {
    let mut disc = Disc::of(|_| {});
    // After the first sector of the bundle.
    let end = disc.archive() + BUNDLE + 1;
    disc.image.truncate(end as usize * RAW);
    let says = Says::Sector(
        1,
        "lies behind the end of the disc: is the image cut short?",
    );
    check_damaged("short image", &disc, &says);
}

#[test]
fn sector_of_another_mode() {
    let mut disc = Disc::of(|_| {});
    disc.archive_sector(BUNDLE)[15] = 1;
    let says = Says::Sector(0, "is of mode 1, expected mode 2");
    check_damaged("mode 1", &disc, &says);
}

#[test]
fn sector_of_form_2() {
    let mut disc = Disc::of(|_| {});
    let sector = disc.archive_sector(BUNDLE);
    sector[18] |= 0x20;
    sector[22] |= 0x20;
    let says = Says::Sector(0, "is of form 2, expected form 1 data");
    check_damaged("form 2", &disc, &says);
}

/// The archive with a changed bundle.
fn with_bundle(change: impl FnOnce(&mut Vec<u8>)) -> Disc {
    let world = sample::world().unwrap();
    let mut bundle = world.bundle().unwrap();
    change(&mut bundle);
    let archive = world.archive_of(&bundle).unwrap();
    Disc::new(image::build(&world.tree_of(archive, None).unwrap()).unwrap())
}

/// Byte offset of a descriptor: two words of head, two words each.
const fn descriptor(member: usize) -> usize {
    8 + 8 * member
}

#[test]
fn lzs_stream_that_ends_early() {
    let disc = with_bundle(|bundle| {
        // The second member begins after 20 bytes of the first one's stream.
        let first = u32_at(bundle, descriptor(0) + 4).unwrap();
        bundle[descriptor(1) + 4..descriptor(1) + 8].copy_from_slice(&(first + 20).to_le_bytes());
    });
    let says = Says::AsThePc("does not unpack: LZS");
    check_damaged("LZS ends early", &disc, &says);
}

#[test]
fn bundle_of_nonsense() {
    let disc = with_bundle(|bundle| bundle[..8].fill(0xFF));
    check_damaged("bundle", &disc, &Says::AsThePc("the scene's bundle"));
}

#[test]
fn clip_of_other_parts_than_the_model() {
    let disc = Disc::of(|world| {
        let poses = [Pose::default(); 4];
        let clip = ClipSource {
            parts: 4,
            frames: 1,
            blend: true,
            rate: 4,
            extra: 0,
            poses: &poses,
        };
        let mut bank = vec![0; 200];
        let len = emit(&[clip], &mut bank).unwrap();
        bank.truncate(len);
        world.bank.1 = bank;
    });
    let says = Says::AsThePc("clip 1 moves 4 parts but the model has 3 objects");
    check_damaged("parts", &disc, &says);
}

#[test]
fn mesh_of_nonsense() {
    // Its flags word: a mesh that is already in use.
    let disc = Disc::of(|world| world.models[0].1[4] = 0x41);
    check_damaged("mesh", &disc, &Says::AsThePc("mesh 0"));
}

#[test]
fn no_disc_at_all() {
    let _turn = turn();
    let Some([rom, exe]) = images([BOOT_ROM, DEMO]) else {
        return;
    };
    let run = Mednafen::new(rom).exe(exe).time_out(TIME_OUT);
    let Some(report) = installed(run.run(|_| {}).unwrap()) else {
        return;
    };
    assert_eq!(report.outcome, Outcome::Fail, "{report}");
    assert_eq!(
        report.reason,
        "cannot read the directory of the disc at sector 16: CD: the lid is open or there is no disc"
    );
    assert!(report.elapsed < TIME_OUT - Duration::from_secs(1));
}
