//! The small valid inputs that the seeds begin with, made by the writers.

use overworld_runtime::anim::ff8::{self, FrameSource};
use overworld_runtime::anim::legaia::{self, ClipSource, Pose};
use overworld_runtime::bytes::Writer;
use overworld_runtime::disc::bundle::{self, AssetType};
use overworld_runtime::disc::cdname::Builder;
use overworld_runtime::disc::chunk::{self, Chunk};
use overworld_runtime::disc::iso::{self, Extent, PathRecord, Volume};
use overworld_runtime::disc::{pack, prot, sector};
use overworld_runtime::field::map::{Object, flag, patch, trigger};
use overworld_runtime::field::stager;
use overworld_runtime::fixed::SVector;
use overworld_runtime::gpu::Style;
use overworld_runtime::lzs::{self, Scratch};
use overworld_runtime::model::tim::{self, Tim};
use overworld_runtime::model::tmd::{self, GroupSource, Kind, ObjectSource, Primitive};
use overworld_runtime::platform::SECTOR;
use overworld_runtime::scene::man::{
    self, ActorSource, BeatSource, CameraRegion, FlagList, Location, Locations,
    ObjectSource as ManObject, camera, encounter, motion,
};
use overworld_runtime::script;

use super::Choices;

/// A sample: target, name, content.
pub type Sample = (&'static str, &'static str, Vec<u8>);

/// All samples of the core's targets. Those whose names begin with `ok` are taken by the reader.
#[must_use]
pub fn all() -> Vec<Sample> {
    let mut samples = Vec::new();
    lzs(&mut samples);
    disc(&mut samples);
    containers(&mut samples);
    samples.push(("bank", "ok-two-clips", with_seed(3, &bank())));
    samples.push(("bank", "ok-one-pose", with_seed(0, &still())));
    samples.push(("tmd", "ok-all-kinds", with_seed(5, &mesh(&Kind::ALL))));
    battle(&mut samples);
    let few = [Kind::G4, Kind::Ft3];
    samples.push(("tmd", "ok-two-kinds", with_seed(9, &mesh(&few))));
    samples.push((
        "tim",
        "ok-four-bit",
        texture(tim::Mode::Four, Some((16, 1))),
    ));
    samples.push((
        "tim",
        "ok-two-palettes",
        texture(tim::Mode::Eight, Some((8, 2))),
    ));
    samples.push(("tim", "ok-direct", texture(tim::Mode::Sixteen, None)));
    field(&mut samples);
    samples.push(("man", "ok-town", with_seed(7, &program(true))));
    samples.push(("man", "ok-empty", with_seed(1, &program(false))));
    scripts(&mut samples);
    super::llama::samples(&mut samples);
    samples
}

/// Streams and a whole battle model.
fn battle(samples: &mut Vec<Sample>) {
    let rotation = [
        [[100, -30, 5], [0, 2000, 0]],
        [[101, 4000, -2048], [1, 2, 3]],
    ];
    let scale = [[1024, 512, 2048], [1024; 3]];
    let frame = |number: usize, scaled: bool| FrameSource {
        root: [number as i16 * 300, -7, 40],
        rotation: &rotation[number % 2],
        scale: scaled.then_some(&scale[..]),
    };
    let frames = [
        frame(0, false),
        frame(1, true),
        frame(2, false),
        frame(3, true),
    ];
    let mut stream = vec![0; 256];
    let length = ff8::encode(&frames, 2, &mut stream).expect("fits");
    stream.truncate(length);
    for (name, speed) in [("ok-normal", 0), ("ok-fast", 1), ("ok-slow", 2)] {
        samples.push(("ff8_stream", name, [&[2, speed], &stream[..]].concat()));
    }
    let cut = &stream[..stream.len() - 2];
    samples.push(("ff8_stream", "bad-cut", [&[2, 0], cut].concat()));

    let mut skeleton = vec![0; 16 + 2 * 48];
    let bones = [(None, 100), (Some(0), 80)];
    let source = ff8::SkeletonSource {
        scale: 200,
        bones: &bones,
    };
    ff8::emit_skeleton(&source, &mut skeleton).expect("fits");
    // One object: two vertices of the first bone, one of the second, a triangle and a coloured one.
    let mut mesh = vec![1, 0, 0, 0, 8, 0, 0, 0, 2, 0];
    mesh.extend([0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 40, 0, 0, 0, 0, 0]);
    mesh.extend([1, 0, 1, 0, 0, 0, 0xD8, 0xFF, 0, 0]);
    mesh.extend([1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    let face = [0, 0x80, 1, 0, 2, 0, 0, 31, 0, 0, 0, 0, 31, 0, 0, 0];
    mesh.extend(face);
    mesh.extend(face);
    mesh.extend([0x40, 0x80, 0x40, 0x24, 3, 0, 0, 0]);
    let mut section = vec![0; 512];
    let length = ff8::emit_animations(2, &mut section, |_, out| ff8::encode(&frames, 2, out));
    section.truncate(length.expect("fits"));
    let mut file = vec![0; 1024];
    let length = ff8::emit(&[&skeleton, &mesh, &section], &mut file).expect("fits");
    samples.push((
        "ff8_model",
        "ok-three-sections",
        with_seed(3, &file[..length]),
    ));
    let empty: [&[u8]; 11] = [
        &skeleton,
        &mesh,
        &section,
        &[],
        &[],
        &[],
        &[],
        &[],
        &[],
        &[],
        &[],
    ];
    let length = ff8::emit(&empty, &mut file).expect("fits");
    samples.push(("ff8_model", "ok-monster", with_seed(8, &file[..length])));
    let length = ff8::emit(&empty[..2], &mut file).expect("fits");
    samples.push(("ff8_model", "bad-kind", with_seed(1, &file[..length])));
}

/// A script with one instruction of most kinds; it ends each frame and never leaves its record.
const SCRIPT: &str = "
    nop.25
    stst 0x225, seen
    wall.set_mask 1, 2, 3, 4, 5
    move_to@0x46 12, 13
    if.gold 0, 1, 500, seen, 0
    ramp.scale 2048, 8
    nop.f
seen: sset 0x225
    balloon \"Hi\\xC1\\x05!\"
    spawn_record 9
    actor.talk 1, 2, 3, 4, 5
    cam.set 2, 1, 600, 1, -1
    bbox@player 1, 2, 30, 40, idle
    wait 2
idle: nop.f
    jmp idle
";

/// A conversation with a picker.
const TALK: &str = "
    .text \"One|line\"
    .text \"Two\"
    nop.24
    .text \"Three?\"
    .pick yes, no
    .text \"Yes\"
    .text \"No\"
yes: nop.f
no: nop.f
idle: nop.f
    jmp idle
";

fn scripts(samples: &mut Vec<Sample>) {
    for (name, seed, source) in [
        ("ok-frame", 2, SCRIPT),
        ("ok-seen", 6, SCRIPT),
        ("talk", 0, TALK),
    ] {
        let mut names = [script::asm::Name::default(); 8];
        let mut code = vec![0; 1024];
        let length = script::asm::assemble(source, &mut code, &mut names).expect("a good script");
        code.truncate(length);
        samples.push(("script", name, [&[seed, 0, 0, 0], &code[..]].concat()));
        // The same in a world that is under way: flags, banks, slots, parked contexts in a ring.
        if name != "ok-frame" {
            let state = [&[seed, 0x7B, 0, 0], &code[..]].concat();
            samples.push((
                "script",
                if seed == 6 {
                    "under-way"
                } else {
                    "talk-under-way"
                },
                state,
            ));
        }
        samples.push(("script_text", name.trim_start_matches("ok-"), code));
    }
    samples.push(("script", "bad-cut", vec![0, 0, 0, 0, 0x45, 0x02]));
    samples.push(("script_text", "ok-source", SCRIPT.into()));
    samples.push(("script_text", "bad-source", b"frob 1".to_vec()));
}

/// Bytes from a writer that fills a slice.
fn written<E: core::fmt::Debug>(
    room: usize,
    emit: impl FnOnce(&mut [u8]) -> Result<usize, E>,
) -> Vec<u8> {
    let mut out = vec![0; room];
    let length = emit(&mut out).expect("a sample that can be written");
    out.truncate(length);
    out
}

/// A leading seed byte.
fn with_seed(seed: u8, bytes: &[u8]) -> Vec<u8> {
    [&[seed], bytes].concat()
}

/// A leading little-endian `u16`.
fn with_word(word: u16, bytes: &[u8]) -> Vec<u8> {
    [&word.to_le_bytes(), bytes].concat()
}

/// Text with repetitions, then zeros.
fn text() -> Vec<u8> {
    let mut text = b"the door opens, the door closes, the lamp is lit. ".repeat(5);
    text.extend_from_slice(&[0; 40]);
    text
}

fn packed(data: &[u8]) -> Vec<u8> {
    written(lzs::bound(data.len()), |out| {
        lzs::encode(data, out, &mut Scratch::new())
    })
}

fn lzs(samples: &mut Vec<Sample>) {
    let text = text();
    let stream = packed(&text);
    let want = text.len() as u16;
    samples.push((
        "lzs_decode",
        "ok-text",
        with_word(want, &with_seed(1, &stream)),
    ));
    // A match that is cut by the wanted size, and bytes behind the stream.
    let longer = [stream.as_slice(), b"tail"].concat();
    let cut = with_word(want - 5, &with_seed(2, &longer));
    samples.push(("lzs_decode", "ok-cut-match", cut));
    let literals = written(lzs::bound(20), |out| lzs::encode_literal(&text[..20], out));
    let literal = with_word(20, &with_seed(4, &literals));
    samples.push(("lzs_decode", "ok-literals", literal));
    let short = with_word(want, &with_seed(6, &stream[..stream.len() - 1]));
    samples.push(("lzs_decode", "bad-short", short));
    samples.push(("lzs_encode", "ok-text", text.clone()));
    let runs: Vec<u8> = (0..300_u16).map(|n| (n / 37) as u8).collect();
    samples.push(("lzs_encode", "ok-runs", runs));
    let mut choices = Choices::new(77);
    let noise: Vec<u8> = (0..200).map(|_| choices.below(256) as u8).collect();
    samples.push(("lzs_encode", "ok-noise", noise));
    let members = [
        (AssetType::Mes, text.as_slice()),
        (AssetType::Sin, &text[7..90]),
    ];
    samples.push(("lzs_section", "ok-two", bundle_of(&members)));
}

fn bundle_of(members: &[(AssetType, &[u8])]) -> Vec<u8> {
    let total: usize = members.iter().map(|it| it.1.len()).sum();
    written(64 + 16 * members.len() + lzs::bound(total), |out| {
        bundle::emit_decoded(members, out, &mut Scratch::new())
    })
}

fn disc(samples: &mut Vec<Sample>) {
    let mut data = [0; SECTOR];
    for (place, byte) in data.iter_mut().zip(text()) {
        *place = byte;
    }
    let mut raw = [0; sector::RAW];
    sector::build(1234, sector::SUBMODE_DATA, &data, &mut raw).expect("a good block");
    samples.push(("sector", "ok-form-1", with_seed(1, &raw)));
    let mut form2 = [0; sector::FORM2];
    form2[..SECTOR].copy_from_slice(&data);
    sector::build_form2(99, 0, &form2, &mut raw).expect("a good block");
    samples.push(("sector", "ok-form-2", with_seed(2, &raw)));
    // Shapes: `iso::walk` tells what the first byte means.
    samples.push(("iso", "ok-root-file", volume("PROT.DAT", 256)));
    samples.push(("iso", "ok-in-directory", volume("DIR/A.BIN;1", 256)));
    samples.push(("iso", "ok-whole-sectors", volume("DIR/A.BIN", SECTOR)));
    let sectors = [1, 1, 36, 1, 1, 5];
    let mut table = [0; prot::TOC_BYTES];
    let length = prot::emit(&sectors, &mut table).expect("a good table");
    let words = 12 + 4 * sectors.len();
    samples.push((
        "prot",
        "ok-one-scene",
        with_word(length as u16, &table[..words]),
    ));
    let mut names = [0; 200];
    let mut builder = Builder::new(&mut names);
    for (name, raw) in [("init", 0), ("demo", 2), ("town01", 9), ("edstati3", 1100)] {
        builder.define(name, raw).expect("a good name");
    }
    let length = builder.finish();
    samples.push(("cdname", "ok-built", names[..length].to_vec()));
    let loose = b"// names\r\n #define  a1\t7 // x\r\n#define toolongname12 3\n#define a1 8\n#define b 70000\n";
    samples.push(("cdname", "ok-loose", loose.to_vec()));
}

/// A volume with a file in the root and one in a directory, each sector cut to `step` bytes.
fn volume(path: &str, step: usize) -> Vec<u8> {
    let root = Extent {
        lba: 18,
        size: 2048,
    };
    let directory = Extent {
        lba: 19,
        size: 2048,
    };
    let mut sectors = [[0; SECTOR]; 5];
    let volume = Volume {
        system: "PLAYSTATION",
        name: "SAMPLE",
        blocks: 24,
        path_table_le: 20,
        path_table_be: 20,
        path_table_size: 24,
        root,
    };
    volume.emit(&mut sectors[0]).expect("fits");
    iso::terminator(&mut sectors[1]).expect("fits");
    let file = |lba, size| Extent { lba, size };
    let mut out = Writer::new(&mut sectors[2]);
    iso::record(&mut out, &[0], root, true).expect("fits");
    iso::record(&mut out, &[1], root, true).expect("fits");
    iso::record(&mut out, b"DIR", directory, true).expect("fits");
    iso::record(&mut out, b"PROT.DAT;1", file(21, 3000), false).expect("fits");
    let mut out = Writer::new(&mut sectors[3]);
    iso::record(&mut out, &[0], directory, true).expect("fits");
    iso::record(&mut out, &[1], root, true).expect("fits");
    iso::record(&mut out, b"A.BIN;1", file(23, 5), false).expect("fits");
    let mut out = Writer::new(&mut sectors[4]);
    for (name, lba, parent) in [(&[0][..], root.lba, 1), (b"DIR", directory.lba, 1)] {
        let record = PathRecord { name, lba, parent };
        iso::path_record(&mut out, record, false).expect("fits");
    }
    let whole = if step == SECTOR { 0x80 } else { 0 };
    let mut bytes = vec![whole | path.len() as u8];
    bytes.extend_from_slice(path.as_bytes());
    for sector in &sectors {
        bytes.extend_from_slice(&sector[..step]);
    }
    bytes
}

fn containers(samples: &mut Vec<Sample>) {
    let text = text();
    let picture = texture(tim::Mode::Four, Some((16, 1)));
    let pictures = written(400, |out| pack::emit(&[&picture, &picture[..24]], out));
    let clips = bank();
    let members = [
        (AssetType::TimList, pictures.as_slice()),
        (AssetType::Move, clips.as_slice()),
        (AssetType::Mes, text.as_slice()),
    ];
    samples.push(("bundle", "ok-three", bundle_of(&members)));
    samples.push(("bundle", "ok-one", bundle_of(&members[2..])));
    let entry = written(400, |out| {
        pack::standalone::emit(&[&picture, &picture[..24]], out)
    });
    // As it lies in the archive, but for the length of the last sector.
    let padded = [&entry[..], &[0; 20]].concat();
    samples.push(("standalone", "ok-padded", padded));
    // Another type.
    let mut other = entry.clone();
    other[3] = 2;
    samples.push(("standalone", "ok-two", entry));
    samples.push(("standalone", "bad-type", other));
    samples.push(("pack", "ok-two", pictures));
    samples.push((
        "pack",
        "ok-one",
        written(32, |out| pack::emit(&[b"abcde"], out)),
    ));
    let chunks = [
        Chunk {
            ty: 1,
            data: &text[..24],
        },
        Chunk {
            ty: 0x0F,
            data: &text[100..104],
        },
    ];
    samples.push((
        "chunk",
        "ok-two",
        written(64, |out| chunk::emit(&chunks, out)),
    ));
    // A size that is no multiple of 4: the next header lies inside the chunk.
    let overlap = [6, 0, 0, 2, b'a', b'b', b'c', b'd', 2, 0, 0, 1, 0, 0, 0, 0];
    samples.push(("chunk", "ok-overlap", overlap.to_vec()));
}

fn pose(n: u16) -> Pose {
    let t = n as i16;
    Pose {
        t: [t * 7 - 20, 3 - t * 5, t],
        r: [n * 48 % 4096, n * 16 % 4096, 4080],
    }
}

fn bank() -> Vec<u8> {
    let poses: Vec<Pose> = (0..12).map(pose).collect();
    let clip = |frames: u16, blend, rate| ClipSource {
        parts: 3,
        frames,
        blend,
        rate,
        extra: 0,
        poses: &poses[..3 * usize::from(frames)],
    };
    let clips = [clip(4, true, 2), clip(2, false, 0)];
    written(400, |out| legaia::emit(&clips, out))
}

fn still() -> Vec<u8> {
    let clip = ClipSource {
        parts: 1,
        frames: 1,
        blend: false,
        rate: 1,
        extra: 4,
        poses: &[pose(1)],
    };
    written(64, |out| legaia::emit(&[clip], out))
}

/// A mesh of three objects; the first has a primitive of each kind.
fn mesh(kinds: &[Kind]) -> Vec<u8> {
    let vertices = [
        SVector::new(-100, -100, 0),
        SVector::new(100, -100, 20),
        SVector::new(-100, 100, -20),
        SVector::new(100, 100, 0),
    ];
    let normals = [SVector::new(0, 0, -4096), SVector::new(4096, 0, 0)];
    let primitive = |kind: Kind| {
        let layout = kind.layout();
        let mut it = Primitive::default();
        for (n, place) in (0..).zip(&mut it.vertices[..layout.corners]) {
            *place = n;
        }
        for (n, place) in (0..).zip(&mut it.normals[..layout.normal_count]) {
            *place = n % 2;
        }
        for (n, place) in (1..).zip(&mut it.colours[..layout.colours]) {
            *place = 0x0020_4060 + 0x10 * n;
        }
        if layout.texture.is_some() {
            for (n, place) in (0..).zip(&mut it.uv[..layout.corners]) {
                *place = 0x1000 * n + 4;
            }
            it.clut = 0x7800;
            it.page = 0x000A;
        }
        [it]
    };
    let primitives: Vec<_> = kinds.iter().map(|&kind| primitive(kind)).collect();
    let groups: Vec<_> = kinds
        .iter()
        .zip(&primitives)
        .map(|(&kind, primitives)| GroupSource {
            kind,
            style: Style::from_command(kind as u8 & 3),
            primitives,
        })
        .collect();
    let first = ObjectSource {
        vertices: &vertices,
        normals: &normals,
        groups: &groups,
    };
    let second = ObjectSource {
        vertices: &vertices[..1],
        normals: &[],
        groups: &[],
    };
    written(2048, |out| tmd::emit(&[first, second, second], out))
}

fn texture(mode: tim::Mode, palette: Option<(u16, u16)>) -> Vec<u8> {
    let colours: Vec<u8> = (0..32_u16)
        .flat_map(|n| (n * 0x421).to_le_bytes())
        .collect();
    let pixels: Vec<u8> = (0..32_u16).map(|n| (n * 17 % 251) as u8).collect();
    let clut = palette.map(|(w, h)| tim::Block {
        x: 0,
        y: 480,
        w,
        h,
        data: &colours[..2 * usize::from(w) * usize::from(h)],
    });
    let image = tim::Block {
        x: 640,
        y: 0,
        w: 4,
        h: 4,
        data: &pixels,
    };
    written(256, |out| Tim { mode, clut, image }.emit(out))
}

fn field(samples: &mut Vec<Sample>) {
    let teleports = [trigger::Teleport {
        tile: [5, 6],
        destination: [41, 42],
    }];
    let scripts = [
        trigger::Script {
            tile: [3, 4],
            record: 1,
            gate: trigger::Script::WALK_ON,
        },
        trigger::Script {
            tile: [7, 7],
            record: 0,
            gate: trigger::Script::BIND,
        },
    ];
    let elevations = [trigger::Elevation {
        tile: [9, 9],
        coarse: -2,
        quads: 0b01_10_11_00,
    }];
    let regions = [trigger::Region {
        corners: [1, 9, 5, 2],
        ty: 1,
        extra: [0; 3],
    }];
    let source = trigger::Source {
        teleports: &teleports,
        scripts: &scripts,
        elevations: &elevations,
        regions: &regions,
    };
    let block = written(256, |out| trigger::emit(&source, out));
    let none = written(64, |out| trigger::emit(&trigger::Source::default(), out));
    samples.push(("triggers", "ok-all-kinds", with_seed(1, &block)));
    samples.push(("triggers", "ok-none", with_seed(2, &none)));

    let object = Object {
        offset: [16, -8, 40],
        anchor: [0, 1],
        mesh: 3,
        flags: flag::PLACED | flag::DRAWN | flag::GROUND,
        palette: 5,
        ..Object::default()
    };
    // Record 1, a wall, and the cell at (7, 7) that places the object.
    let mut changes = Vec::new();
    let mut change = |offset: usize, bytes: &[u8]| {
        changes.extend_from_slice(&((offset / 2) as u16).to_le_bytes());
        changes.push(bytes.len() as u8);
        changes.extend_from_slice(bytes);
    };
    change(Object::BYTES, &object.to_bytes());
    change(0x4000 + 3 * 128, &[0xF0, 0x31, 0x02]);
    change(0x8000 + 2 * (7 * 128 + 7), &[1, 0x04]);
    let mut file = with_word(changes.len() as u16, &changes);
    file.extend_from_slice(&block);
    // Two people, a thing with a script, four stretches of the pad; terrain and triggers on.
    let mut walk = vec![0x42, 0x40, 0x0A, 0x40, 0x0A, 0x00, 0x10, 3];
    for (x, z, flags) in [
        (2700_i16, 2624_i16, 2_u16),
        (2500, 2700, 2),
        (2624, 2900, 0),
    ] {
        walk.extend(x.to_le_bytes());
        walk.extend(z.to_le_bytes());
        walk.extend(flags.to_le_bytes());
    }
    walk.push(4);
    for (held, frames, rest) in [
        (0x1000_u16, 20, 2),
        (0x2000, 9, 1),
        (0xC020, 12, 0x12),
        (0, 3, 0),
    ] {
        walk.extend(held.to_le_bytes());
        walk.extend([frames, rest]);
    }
    walk.extend(&file);
    samples.push(("walk", "ok-small", walk));
    // Three stretches of the pad in the town of the target `man`; scalar 1.
    let man = program(true);
    let mut world = vec![0x02, 0x40, 0x0A, 0x40, 0x0A, 3];
    for (held, frames) in [(0x1000_u16, 40), (0x2020, 30), (0xC000, 20)] {
        world.extend(held.to_le_bytes());
        world.push(frames);
    }
    world.extend(with_word(man.len() as u16, &man));
    world.extend(&file);
    // Entered again after the first stretch; taken over by another world, with little room for scripts.
    for (name, switches) in [("ok-again", 0x42), ("ok-carried", 0x8E)] {
        let mut again = world.clone();
        again[0] = switches;
        samples.push(("world", name, again));
    }
    samples.push(("world", "ok-town", world));
    samples.push(("map", "ok-small", file));
    samples.push(("map", "ok-triggers-only", with_word(0, &none)));

    let patch = written(patch::SIZE, |out| patch::emit(&scripts[..1], out));
    samples.push(("patch", "ok-one", patch[..32].to_vec()));
    samples.push(("patch", "ok-absent", Vec::new()));
    let records: [&[u8]; 2] = [&[2, 0, 1, 0, 0x10, 0, 7, 0], &[0xFF, 0xFF, 0, 0]];
    samples.push((
        "stager",
        "ok-two",
        written(64, |out| stager::emit(&records, out)),
    ));
}

/// A MAN, with everything or with next to nothing.
fn program(full: bool) -> Vec<u8> {
    let monsters = [1, 2, 2];
    let formations = [encounter::Formation {
        scripted: 0,
        reserved: [0; 2],
        monsters: &monsters,
    }];
    let conditions = [
        encounter::Condition {
            flag: 0x123,
            owned: 1,
        },
        encounter::Condition {
            flag: encounter::ALWAYS,
            owned: 1,
        },
    ];
    let region = encounter::Region {
        min: [0, 0],
        max: [127, 127],
        rate: 30,
        count: 1,
        backdrop: 4,
        ..encounter::Region::default()
    };
    let regions = [region; 2];
    let none = encounter::Source {
        strides: encounter::STRIDES,
        formations: &[],
        conditions: &[],
        regions: &[],
    };
    let all = encounter::Source {
        formations: &formations,
        conditions: &conditions,
        regions: &regions,
        ..none
    };
    let encounters = if full { &all } else { &none };
    let encounters = written(128, |out| encounter::emit(encounters, out));
    let code: [(u16, &[u8]); 2] = [(0x045, &[1, 2, 3]), (motion::DEFAULT, &[9, 0])];
    let stream = written(64, |out| motion::emit_stream(&code, out));
    let moved = motion::MotionSource {
        pairs: &[[2, 1], [motion::PLAYER, 0]],
        stream: &stream,
    };
    let moved = if full { &[moved][..] } else { &[] };
    let motion = written(128, |out| motion::emit(moved, out));
    let region = CameraRegion {
        kind: 1,
        min: [1, 2],
        max: [30, 40],
        preset: [3; 13],
    };
    let cameras = if full { &[region][..] } else { &[] };
    let cameras = written(64, |out| camera::emit(cameras, out));
    let mut name = [0; 24];
    name[..6].copy_from_slice(b"Harbor");
    let place = Location {
        region: 1,
        at: [20, 30],
        flag: 0x321,
        name,
    };
    let after = written(64, |out| Locations::emit(&[place], out));
    let c1 = [0x10_u16, 0x11];
    let objects = [ManObject {
        label: &[0x82, 0xA0],
        animation: 2,
        script: &[0x21],
    }];
    let actors = [
        ActorSource {
            label: &[],
            model: 0,
            animation: 0,
            tile: [0, 0],
            script: &[0x24, 0x05, 0x21],
        },
        ActorSource {
            label: &[0x82, 0xA0, 0x82, 0xA2],
            model: 0xF1,
            animation: 1,
            tile: [0x8A, 20],
            script: &[0x26, 0x00, 0x00],
        },
    ];
    let beats = [BeatSource {
        label: &[],
        c0: &[7],
        c1: FlagList::from(&c1[..]),
        c2: FlagList::from(&c1[..1]),
        script: &[0x26, 0xFD, 0xFF],
    }];
    let source = man::Source {
        flags: 0x0500,
        floor: core::array::from_fn(|n| n as i16 * 16),
        encounters: &encounters,
        motion: &motion,
        name: b"Harbor",
        cameras: &cameras,
        ..man::Source::default()
    };
    let source = if full {
        man::Source {
            objects: &objects,
            actors: &actors,
            beats: &beats,
            open: &[1, 2],
            after: &after,
            ..source
        }
    } else {
        source
    };
    written(1024, |out| man::emit(&source, out))
}
