//! A battle model beside a scene's: read from behind the bundle, played, hashed, drawn.

use super::disc::*;
use overworld_runtime::anim::ff8::{
    self, Face, FrameSource, GroupSource, ObjectSource, SkeletonSource, Texture, emit_animations,
    emit_geometry, emit_skeleton, encode,
};
use overworld_runtime::bytes::crc32;
use overworld_runtime::disc::prot;
use overworld_runtime::gpu::DisplayList;
use overworld_runtime::gte::software::Gte;
use overworld_runtime::platform::{SECTOR, Screen};
use overworld_runtime::scene::creatures::{
    BONES, Creature, Creatures, Error, FRAME_TICKS, Room, SECTORS, VERTICES,
};
use overworld_runtime::scene::read_further;
use overworld_runtime::scene::walk::Play;

/// A model of a chain of bones with so many vertices on the last one, in animations of so many frames; in each frame
/// the root is one further down and the first bone one wider.
fn model(bones: usize, vertices: usize, animations: &[u8]) -> Vec<u8> {
    let mut out = vec![0; 1 << 17];
    let chain: Vec<_> = (0..bones)
        .map(|it| (it.checked_sub(1).map(|it| it as u8), 10))
        .collect();
    let skeleton = SkeletonSource {
        scale: 4096,
        bones: &chain,
    };
    let length = emit_skeleton(&skeleton, &mut out).unwrap();
    let skeleton = out[..length].to_vec();

    let places: Vec<[i16; 3]> = (0..vertices as i16)
        .map(|it| [100 * (it % 3), -50 * (it % 5), 10])
        .collect();
    let group = [GroupSource {
        bone: bones as u8 - 1,
        vertices: &places,
    }];
    let texture = Texture {
        clut: 7,
        page: 11,
        uv: [1, 2, 3, 0],
    };
    let face = |vertices| Face {
        vertices,
        corners: 3,
        bias: 0,
        hidden: false,
        texture,
        colour: None,
    };
    // One of them is seen from any side.
    let faces = [face([0, 1, 2, 0]), face([0, 2, 1, 0])];
    let object = ObjectSource {
        groups: &group,
        faces: &faces,
    };
    let length = emit_geometry(&[object], bones as u8, &mut out).unwrap();
    let geometry = out[..length].to_vec();

    let rotation = vec![[0; 3]; bones];
    let length = emit_animations(animations.len() as u32, &mut out, |number, place| {
        let frames = animations[number as usize];
        if frames == 0 {
            place[0] = 0;
            return Ok(1);
        }
        let scales: Vec<Vec<[i16; 3]>> = (0..frames)
            .map(|frame| {
                let mut scales = vec![[1024; 3]; bones];
                scales[0][0] += i16::from(frame);
                scales
            })
            .collect();
        let frames: Vec<_> = (0..)
            .zip(&scales)
            .map(|(frame, scale)| FrameSource {
                root: [0, 100 * number as i16 + frame, 0],
                rotation: &rotation,
                scale: Some(scale),
            })
            .collect();
        encode(&frames, bones as u8, place)
    })
    .unwrap();
    let animations = out[..length].to_vec();
    let length = ff8::emit(&[&skeleton, &geometry, &animations], &mut out).unwrap();
    out.truncate(length);
    out
}

/// The archive with an entry behind the bundle, and one behind that.
fn archive(bundle: &[u8], further: &[u8]) -> Vec<u8> {
    let [one, two] = [bundle, further].map(|it| it.len().div_ceil(SECTOR).max(2));
    let sizes = [1, 1, 36, 1, 1, one as u32, two as u32, 1];
    let mut archive = vec![0; prot::TOC_BYTES];
    prot::emit(&sizes, &mut archive).unwrap();
    archive.resize((3 + 40) * SECTOR, 0);
    archive.extend(bundle);
    archive.resize((3 + 40 + one) * SECTOR, 0);
    archive.extend(further);
    archive.resize((3 + 40 + one + two + 1) * SECTOR, 0xEE);
    archive
}

#[test]
fn frames_last_four_ticks_and_animations_take_turns() {
    let file = model(3, 5, &[2, 0, 1]);
    let mut creature = Creature::new(&file).unwrap();
    let mut seen = vec![(creature.animation(), creature.pose().root[1])];
    for _ in 0..24 {
        creature.tick();
        seen.push((creature.animation(), creature.pose().root[1]));
    }
    // Number 1 has no frames: its turn shows where animations start.
    let turns = [(0, 0), (0, 1), (1, 0), (2, 200), (0, 0), (0, 1), (1, 0)];
    assert_eq!(FRAME_TICKS, 4);
    let expected: Vec<_> = turns.iter().flat_map(|it| [*it; 4]).take(25).collect();
    assert_eq!(seen, expected);
    // The first frame's scales are not those of the second.
    assert_eq!(creature.pose().scale[0][0], 1024);
}

#[test]
fn what_cannot_be_shown_is_refused() {
    let refused = |file: &[u8]| Creature::new(file).err();
    assert!(Creature::new(&model(BONES, VERTICES, &[1])).is_ok());
    let many = ff8::Error::TooManyBones {
        bones: BONES + 1,
        room: BONES,
    };
    assert_eq!(
        refused(&model(BONES + 1, 3, &[1])),
        Some(Error::Model(many))
    );
    let vertices = VERTICES + 1;
    let many = Error::TooManyVertices { vertices };
    assert_eq!(refused(&model(1, vertices, &[1])), Some(many));
    assert_eq!(
        many.to_string(),
        "TooManyVertices: expected objects of at most 512 vertices, found 513"
    );
    let none = ff8::Error::NoSuchAnimation {
        animation: 0,
        count: 0,
    };
    assert_eq!(refused(&model(1, 3, &[])), Some(Error::Model(none)));
    let none = ff8::Error::BadSectionCount { count: 0 };
    assert_eq!(refused(&[0; 64]), Some(Error::Model(none)));
}

#[test]
fn a_stream_that_ends_early_gives_way_to_the_next() {
    let mut file = model(2, 3, &[1, 1]);
    let dat = ff8::Dat::parse(&file).unwrap();
    let at = dat.start(3).unwrap() + dat.animations().unwrap().get(1).unwrap().start();
    // More frames than there are bits.
    file[at] = 200;
    let mut creature = Creature::new(&file).unwrap();
    let mut turns = 0;
    for _ in 0..4000 {
        let before = creature.animation();
        creature.tick();
        turns += u32::from(before == 1 && creature.animation() == 0);
    }
    assert!(turns > 3, "{turns}");
}

#[test]
fn it_is_read_from_behind_the_bundle() {
    let source = Source::new();
    let file = model(2, 5, &[3]);
    let archive = archive(&source.bundle(), &file);
    let mut sectors = vec![[0; SECTOR]; 3];
    let mut out = vec![[0; SECTOR]; SECTORS];
    let mut read = |source: &Source, archive: &[u8], room: usize| {
        let mut disc = source.disc_with(archive);
        let found = read_further::<_, Recorder>(&mut disc, "demo", &mut sectors, &mut out[..room]);
        found.map(|it| it.map(<[u8]>::to_vec))
    };
    let found = read(&source, &archive, SECTORS).unwrap().unwrap();
    assert_eq!(
        found.len(),
        file.len().next_multiple_of(SECTOR).max(2 * SECTOR)
    );
    assert_eq!(found[..file.len()], file);
    // What fills the last sector is not the file's.
    let summary = Creature::new(&found).unwrap().summary();
    assert_eq!(
        (summary.size as usize, summary.crc32),
        (file.len(), crc32(&file))
    );
    assert_eq!(
        summary.to_string(),
        format!(
            "creature bones 2 animations 1 size {} crc {:08X}",
            file.len(),
            crc32(&file)
        )
    );

    // No room for all of it; the next name begins there; the archive ends there.
    assert_eq!(read(&source, &archive, 1), Ok(None));
    let mut named = Source::new();
    named.names.extend(b"#define more 6\n");
    assert_eq!(read(&named, &archive, SECTORS), Ok(None));
    let short = Source::archive(&source.bundle());
    assert_eq!(read(&source, &short, SECTORS), Ok(None));
    // A disc that cannot be read is no disc without a creature.
    let mut disc = source.disc_with(&archive);
    let place = ARCHIVE + 3 + 40 + source.bundle().len().div_ceil(SECTOR).max(2) as u32;
    disc.unreadable = Some(place);
    let error = read_further::<_, Recorder>(&mut disc, "demo", &mut sectors, &mut out);
    assert_eq!(
        error.unwrap_err().to_string(),
        format!(
            "cannot read the entry behind the scene's bundle at sector {place}: sector {place} is Form 2"
        )
    );
}

#[test]
fn both_are_drawn_side_by_side_and_hashed() {
    let source = Source::new();
    let file = model(2, 5, &[3]);
    let mut assets = vec![0; 65_536];
    let scene = load_from(&mut source.disc(), &mut Recorder::default(), &mut assets).unwrap();
    let alone = scene.clone();
    let mut room = Box::new(Room::NEW);
    let mut gte = Gte::new();
    let creature = Creature::new(&file).unwrap();
    let mut pair = Creatures::new(scene, creature, &mut room, &mut gte);
    assert!(pair.scene().cue().is_none() && alone.cue().is_some());

    let mut words = vec![0; 16_384];
    let mut list = DisplayList::new(&mut words, 1024);
    let mut hashes = std::collections::HashSet::new();
    let mut alone = alone;
    for _ in 0..12 {
        pair.tick(0);
        alone.tick();
        assert_ne!(pair.state_hash(), alone.state_hash());
        hashes.insert(pair.state_hash());
        assert_eq!(pair.scene().state_hash(), alone.state_hash());
    }
    assert_eq!(hashes.len(), 12);

    let mut screen = Recorder::default();
    list.begin(&mut screen);
    let stats = pair.compose(&mut gte, &mut list).unwrap();
    screen.draw(list.words(), list.head()).unwrap();
    let packets = &screen.lists[0];
    // Draw mode first, then both models' polygons.
    assert_eq!(packets[0].len(), 1);
    assert_eq!(packets.len(), stats.drawn as usize + 1);
    let x = |packet: &[u32]| packet[1] as i16;
    let of_creature = |packet: &&Vec<u32>| packet.len() == 7 && packet[2] >> 16 == 7;
    let (right, left): (Vec<_>, Vec<_>) = packets[1..].iter().partition(of_creature);
    assert_eq!(right.len(), 1);
    assert!(!left.is_empty());
    for packet in &left {
        assert!(x(packet) < x(right[0]), "{packet:?}");
    }
    for packet in packets[1..].iter() {
        assert!((0..320).contains(&x(packet)), "{packet:?}");
    }

    // A list without room says so.
    let mut words = vec![0; 1024 + 4];
    let mut list = DisplayList::new(&mut words, 1024);
    list.begin(&mut screen);
    assert!(pair.compose(&mut gte, &mut list).is_err());
}
