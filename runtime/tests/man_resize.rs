//! Resizing a script with its jumps (MAN sheet, section 4): what moves, what is refused, and that every
//! jump still leads to what it led to.

use overworld_runtime::scene::man::{
    ActorSource, Error, Man, ObjectSource, ResizeError, Source, emit, encounter, resize, splice,
};
use overworld_runtime::script::dis::{Item, Labels, Line, lines};
use proptest::prelude::*;

/// Bytes in front of the script: no label, the clip.
const PC0: usize = 2;

/// A MAN whose record 1 is this script; another one stands on either side.
fn man(script: &[u8]) -> Vec<u8> {
    let object = |script| ObjectSource {
        label: &[],
        animation: 0,
        script,
    };
    let none = encounter::Source {
        strides: encounter::STRIDES,
        formations: &[],
        conditions: &[],
        regions: &[],
    };
    let mut fights = [0; 16];
    let fights_len = encounter::emit(&none, &mut fights).unwrap();
    let source = Source {
        objects: &[object(&[0x21]), object(script)],
        actors: &[ActorSource {
            label: &[],
            model: 0,
            animation: 0,
            tile: [0x7F, 0x7F],
            script: &[0x21, 0x26, 0xFE, 0xFF],
        }],
        encounters: &fights[..fights_len],
        motion: &[0],
        name: b"",
        cameras: &[0],
        ..Source::default()
    };
    let mut out = vec![0; script.len() + 512];
    let length = emit(&source, &mut out).unwrap();
    out.truncate(length);
    out
}

/// Replace these bytes of the script, counted from the start of the record; the new script.
fn edited(
    script: &[u8],
    range: std::ops::Range<usize>,
    with: &[u8],
) -> Result<Vec<u8>, ResizeError> {
    let data = man(script);
    let man = Man::parse(&data).unwrap();
    let mut out = vec![0xEE; data.len() + with.len()];
    let mut labels = Box::new(Labels::none());
    let length = resize(&man, 1, range, with, &mut labels, &mut out)?;
    let edited = Man::parse(&out[..length]).unwrap();
    for other in [0, 2] {
        let base = |man: &Man<'_>| man.record(other).unwrap().script().base.to_vec();
        assert_eq!(base(&edited), base(&man), "record {other}");
    }
    Ok(edited.record(1).unwrap().script().code().to_vec())
}

fn hex(text: &str) -> Vec<u8> {
    let bytes = text.split_whitespace();
    bytes
        .map(|it| u8::from_str_radix(it, 16).unwrap())
        .collect()
}

/// A three-byte insertion behind the first instruction of each script.
#[test]
fn displacements_cross_the_edit() {
    // All jumps of the sheet's list that are known to be relative, plain and extended, first forward
    // over the insertion to the last instruction, then backward from behind it to the first.
    for (what, jump, at) in [
        ("26", "26", 1),
        ("42", "42 00 05", 3),
        ("4D", "4D 01 02 03 04", 5),
        ("4E", "4E 00 10 05 00", 5),
        ("4E, gold", "4E 00 A0 05 00", 5),
        ("7x", "72 25", 2),
        ("extended 26", "A6 F8", 2),
        ("extended 7x", "F2 F8 25", 3),
    ] {
        let tail: &[u8] = if what == "4E, gold" {
            &[0x22, 0x11]
        } else {
            &[]
        };
        let script = |displacement: i16, head: &[u8], inserted: &[u8], foot: &[u8]| {
            let bytes = displacement.to_le_bytes();
            [head, &hex(jump), &bytes, tail, inserted, foot].concat()
        };
        let length = at + 2 + tail.len();
        // Forward: the jump, then nop, then the target.
        let forward = (length - at + 1) as i16;
        let old = script(forward, &[], &[], &[0x25, 0x21]);
        let new = script(forward + 3, &[], &[0x24; 3], &[0x25, 0x21]);
        let place = PC0 + length;
        assert_eq!(
            edited(&old, place..place, &[0x24; 3]),
            Ok(new.clone()),
            "{what}"
        );
        // And taken away again.
        assert_eq!(edited(&new, place..place + 3, &[]), Ok(old), "{what}");
        // Backward: the target, then the jump behind it.
        let backward = -((at + 2) as i16);
        let old = script(backward, &[0x25, 0x24], &[], &[0x21]);
        let new = script(backward - 3, &[0x25, 0x24, 0x48, 0x48, 0x48], &[], &[0x21]);
        let place = PC0 + 2;
        assert_eq!(
            edited(&old, place..place, &[0x48; 3]),
            Ok(new.clone()),
            "{what}"
        );
        assert_eq!(edited(&new, place..place + 3, &[]), Ok(old), "{what}");
    }
}

#[test]
fn what_does_not_cross_stays() {
    // Two loops, before and behind the insertion.
    let old = hex("21 26 FE FF 25 21 26 FE FF");
    let new = hex("21 26 FE FF 24 24 25 21 26 FE FF");
    assert_eq!(edited(&old, 6..6, &[0x24; 2]), Ok(new));
    // A jump to the place of an insertion leads to what stood there; to the start of what is replaced,
    // to the replacement.
    let old = hex("26 02 00 25 21");
    assert_eq!(edited(&old, 5..5, &[0x24]), Ok(hex("26 03 00 24 25 21")));
    assert_eq!(edited(&old, 5..6, &[0x24; 2]), Ok(hex("26 02 00 24 24 21")));
    // The options of a picker: each counts from its own place.
    let old = hex("27 05 00 04 00 24 21 25");
    let new = hex("27 08 00 07 00 24 48 48 48 21 25");
    assert_eq!(edited(&old, 8..8, &[0x48; 3]), Ok(new.clone()));
    assert_eq!(edited(&new, 8..11, &[]), Ok(old));
}

#[test]
fn what_is_refused() {
    let insert = |script: &str, at: usize| edited(&hex(script), PC0 + at..PC0 + at, &[0x24; 2]);
    // Within an instruction, within a text.
    assert_eq!(
        insert("21 26 02 00 21", 2),
        Err(ResizeError::SplitsLine { at: 3 })
    );
    assert_eq!(
        insert("1F 41 42 00 21", 2),
        Err(ResizeError::SplitsLine { at: 2 })
    );
    // `45 C0` and a jump of 4C, across the edit; not across it they may stay.
    for jump in ["45 C0 03 00", "4C 8C 03 00"] {
        let crossing = format!("{jump} 25 21");
        assert_eq!(
            insert(&crossing, 4),
            Err(ResizeError::AbsoluteJump { pc: 2 }),
            "{jump}"
        );
        let before = format!("{jump} 25 21 21");
        assert!(insert(&before, 6).is_ok(), "{jump}");
    }
    // As an address of its own, 6 is behind the edit; as a displacement it stays.
    let both = "24 21 48 45 C0 FC FF 21";
    assert!(insert(both, 8).is_ok());
    assert_eq!(
        insert("21 21 21 21 45 C0 06 00 21 21 21", 0),
        Err(ResizeError::AbsoluteJump { pc: 6 })
    );
    // The form of 4E that was once read as absolute, and one that was not.
    for (sub, refused) in [("40", true), ("80", true), ("30", false), ("90", false)] {
        let found = insert(&format!("4E 00 {sub} 05 00 03 00 25 21"), 7);
        let error = Err(ResizeError::AbsoluteJump { pc: 2 });
        assert_eq!(found == error, refused, "{sub}: {found:?}");
    }
    // Into what is replaced, into the middle of an instruction across the edit.
    assert_eq!(
        edited(&hex("26 04 00 25 25 25 21"), 5..8, &[0x24]),
        Err(ResizeError::LostTarget { pc: 2, target: 7 })
    );
    assert_eq!(
        insert("26 04 00 25 23 25 21 21", 3),
        Err(ResizeError::LostTarget { pc: 2, target: 7 })
    );
    // A replacement that would swallow what follows.
    assert_eq!(
        edited(&hex("21 21 21"), 3..3, &[0x24, 0x26, 0x01]),
        Err(ResizeError::BadReplacement { at: 4 })
    );
    // The container's own refusals.
    assert_eq!(
        edited(&hex("21 21"), 1..2, &[]),
        Err(ResizeError::Edit(Error::EditOutOfRange { flat: 1 }))
    );
    let long = vec![0x21; 0x1_0000 - PC0];
    assert!(edited(&long, 3..4, &[0x24]).is_ok());
    assert_eq!(
        edited(&long, 3..3, &[0x24]),
        Err(ResizeError::TooLong { len: 0x1_0001 })
    );
    for error in [
        ResizeError::TooLong { len: 70_000 },
        ResizeError::AbsoluteJump { pc: 5 },
        ResizeError::Edit(Error::BadName),
    ] {
        assert!(!error.to_string().is_empty());
    }
}

/// An instruction: its bytes, where its displacement stands, and the line to which it leads.
#[derive(Clone, Debug)]
struct Op {
    bytes: Vec<u8>,
    jump: Option<(usize, usize)>,
}

fn op() -> impl Strategy<Value = Op> {
    let plain = prop_oneof![
        Just(vec![0x21]),
        Just(vec![0x24]),
        any::<[u8; 2]>().prop_map(|[a, b]| vec![0x23, a, b]),
        any::<u8>().prop_map(|a| vec![0xA2, 0xF8, a]),
        prop::collection::vec(0x20..0x7F_u8, 0..9)
            .prop_map(|text| [&[0x1F], &text[..], &[0]].concat()),
    ];
    let plain = plain.prop_map(|bytes| Op { bytes, jump: None });
    let jumps = [
        ("26 00 00", 1),
        ("42 01 07 00 00", 3),
        ("4D 01 02 03 04 00 00", 5),
        ("4E 01 20 05 00 00 00", 5),
        ("4E 01 B0 05 00 00 00 07 00", 5),
        ("75 33 00 00", 2),
        ("A6 F8 00 00", 2),
    ];
    let jump = (0..jumps.len(), 0..1000_usize).prop_map(move |(kind, to)| Op {
        bytes: hex(jumps[kind].0),
        jump: Some((jumps[kind].1, to)),
    });
    prop_oneof![2 => plain, 1 => jump]
}

/// The script, and where its lines begin; counted from the start of the record.
fn assemble(ops: &[Op]) -> (Vec<u8>, Vec<usize>) {
    let mut starts = vec![PC0];
    for op in ops {
        starts.push(starts.last().unwrap() + op.bytes.len());
    }
    let mut script = Vec::new();
    for (op, start) in ops.iter().zip(&starts) {
        let mut bytes = op.bytes.clone();
        if let Some((at, to)) = op.jump {
            let target = starts[to % ops.len()];
            let displacement = target.wrapping_sub(start + at) as u16;
            bytes[at..at + 2].copy_from_slice(&displacement.to_le_bytes());
        }
        script.extend(bytes);
    }
    (script, starts)
}

/// The lines of a script with its jumps taken out, and where each jump leads, as the number of a line.
fn walk(script: &[u8]) -> (Vec<Vec<u8>>, Vec<(usize, usize)>) {
    let base = [&[0; PC0][..], script].concat();
    let all: Vec<Line<'_>> = lines(&base, PC0).skip(PC0).collect();
    let mut jumps = Vec::new();
    let mut bytes = Vec::new();
    for (number, line) in all.iter().enumerate() {
        let mut own = line.bytes.to_vec();
        for (at, target) in line.jumps() {
            own[at - line.at..][..2].fill(0);
            let to = all.iter().position(|it| it.at == usize::from(target));
            jumps.push((number, to.expect("a line")));
        }
        assert!(!matches!(line.item, Item::Byte(_)));
        bytes.push(own);
    }
    (bytes, jumps)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// The same instructions on either side of the edit, and every jump to the same one of them.
    #[test]
    fn jumps_lead_to_the_same_instructions(
        ops in prop::collection::vec(op(), 2..24),
        cut in (0..1000_usize, 0..4_usize),
        with in prop::collection::vec(prop_oneof![Just(0x21_u8), Just(0x24), Just(0x48)], 0..20),
    ) {
        let (script, starts) = assemble(&ops);
        let first = cut.0 % ops.len();
        let last = (first + cut.1).min(ops.len());
        let range = starts[first]..starts[last];
        let (old_lines, old_jumps) = walk(&script);
        prop_assert_eq!(old_lines.len(), ops.len());
        let kept = |line: usize| !(first..last).contains(&line);
        // Of the kept jumps, those that lead into what is replaced, but not to its start.
        let lost = old_jumps.iter().any(|&(line, to)| kept(line) && first < to && to < last);
        match edited(&script, range, &with) {
            Ok(new) => {
                prop_assert!(!lost);
                let moved = |line: usize| {
                    if line >= last { line - last + first + with.len() } else { line }
                };
                let (new_lines, new_jumps) = walk_kept(&new);
                for line in (0..ops.len()).filter(|&line| kept(line)) {
                    prop_assert_eq!(&new_lines[moved(line)], &old_lines[line]);
                }
                let expected: Vec<_> = old_jumps
                    .iter()
                    .filter(|it| kept(it.0))
                    .map(|&(line, to)| (moved(line), moved(to)))
                    .collect();
                prop_assert_eq!(new_jumps, expected);
            }
            Err(ResizeError::Edit(Error::EmptyScript { .. })) => {
                prop_assert!(with.is_empty() && first == 0 && last == ops.len());
            }
            Err(error) => {
                let is_lost = matches!(error, ResizeError::LostTarget { .. });
                prop_assert!(lost && is_lost, "{:?}", error);
            }
        }
    }

    /// Any bytes are edited or refused; what comes out has the length of a mere splice.
    #[test]
    fn hostile_scripts(
        script in prop::collection::vec(any::<u8>(), 1..60),
        cut in any::<(u8, u8)>(),
        with in prop::collection::vec(any::<u8>(), 0..9),
    ) {
        let start = PC0 + usize::from(cut.0) % (script.len() + 1);
        let end = start + usize::from(cut.1) % (PC0 + script.len() - start + 1);
        let data = man(&script);
        let man = Man::parse(&data).unwrap();
        let mut labels = Box::new(Labels::none());
        let (mut one, mut other) = (vec![0; data.len() + 9], vec![0; data.len() + 9]);
        let resized = resize(&man, 1, start..end, &with, &mut labels, &mut one);
        let spliced = splice(&man, 1, start..end, &with, &mut other);
        match resized {
            Ok(length) => prop_assert_eq!(Ok(length), spliced),
            Err(ResizeError::Edit(error)) => prop_assert_eq!(Err(error), spliced),
            Err(_) => prop_assert!(spliced.is_ok()),
        }
    }
}

/// [`walk`]; a jump to the end of the script leads to the line behind the last one.
fn walk_kept(script: &[u8]) -> (Vec<Vec<u8>>, Vec<(usize, usize)>) {
    let ended = [script, &[0x21]].concat();
    let (mut lines, jumps) = walk(&ended);
    lines.pop();
    (lines, jumps)
}
