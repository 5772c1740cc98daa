//! Text, boxes, pickers and conversations (field VM sheet, section 11).

#[path = "script/source.rs"]
mod source;

use overworld_runtime::script::context::{Context, flag};
use overworld_runtime::script::dialog::{Buttons, Conversation, Phase};
use overworld_runtime::script::host::*;
use overworld_runtime::script::text::{NameKind, Page, Picker, TextBox, Token, Tokens};
use overworld_runtime::script::{Compat, FaultKind, Vm};
use source::{asm, hex};

#[test]
fn text_is_made_of_tokens() {
    let text = hex("41 20 7C 5E 2D C1 63 C5 45 CE 03 CF 07 FF 02 C6 00 E1 C1");
    let expected = [
        Token::Glyph(0x41),
        Token::Space,
        Token::NewLine,
        Token::Icon(0),
        Token::Name(NameKind::Character, 99),
        Token::Name(NameKind::Art, 0x45),
        Token::Icon(3),
        Token::Colour(7),
        Token::Colour(2),
        Token::Pair(0xC6, 0),
        Token::Glyph(0xE1),
    ];
    assert_eq!(Tokens::new(text).collect::<Vec<_>>(), expected);
}

#[test]
fn boxes_and_pickers_have_the_sheets_measures() {
    let mut text = TextBox::new();
    for line in [&b"One"[..], b"T", b""] {
        assert!(text.has_room());
        text.push(line);
    }
    assert!(!text.has_room());
    assert_eq!(
        (text.height(), text.hand((38, 148))),
        (42, (266, 148 + 45 - 19))
    );
    text.tick(false, 1);
    assert_eq!(text.rows().map(|it| it.1).collect::<Vec<_>>(), [1, 0, 0]);
    text.tick(true, 1);
    assert!(text.is_full());
    // Scrolled: the oldest row leaves for the new one.
    text.turn(Page::Scroll);
    text.push(b"New");
    let rows: Vec<_> = text.rows().collect();
    assert_eq!(rows, [(&b"T"[..], u16::MAX), (b"", u16::MAX), (b"New", 0)]);
    assert!(!text.is_full());

    // Entries are relative to their own place.
    let code = hex("21 28 10 00 20 00 FE FF 24 1F 41 00 1F 42 00 1F 43 05");
    let mut picker = Picker::read(code, 1).expect("a picker");
    assert_eq!(picker.labels(), [b"A", b"B", b"C"]);
    assert_eq!(picker.area(), (148 + 7, 56 - 15));
    assert_eq!(picker.target(), 2 + 0x10);
    picker.step(false);
    assert_eq!(
        (picker.cursor, picker.target(), picker.hand()),
        (2, 4, (32, 155 + 30))
    );
    picker.step(true);
    assert_eq!(picker.cursor, 0);
    // 2A stops at the ends.
    let mut picker = Picker::read(hex("2A 01 00 02 00 1F 00 1F 00"), 0).expect("a picker");
    picker.step(false);
    assert_eq!(picker.cursor, 0);
    picker.step(true);
    picker.step(true);
    assert_eq!(picker.cursor, 1);
    assert!(Picker::read(hex("29 01 00 02 00 03 00 04"), 0).is_none());
}

/// One glyph a display frame (11.2): what draws nothing takes no time.
#[test]
fn letters_come_by_display_frames() {
    let line = hex("CF 02 41 20 42 7C 5E 2D FF 03 C1 01");
    let shown = |dt| {
        let mut text = TextBox::new();
        text.push(line);
        let mut seen = Vec::new();
        while !text.is_full() {
            text.tick(false, dt);
            let mut rows = text.rows().map(|it| it.1);
            seen.push([rows.next().unwrap(), rows.next().unwrap()]);
        }
        seen
    };
    // Colour, A and space; B; in the next line an icon and a colour; a name.
    assert_eq!(shown(1), [[3, 0], [4, 0], [4, 2], [4, 3]]);
    assert_eq!(shown(2), [[4, 0], [4, 3]]);
    assert_eq!(shown(3), [[4, 2], [4, 3]]);
    // A tick of two display frames shows a conversation's text in half the ticks.
    struct Slow;
    impl Queries for Slow {
        fn vsync_delta(&self) -> u8 {
            2
        }
    }
    impl Actors for Slow {}
    impl Camera for Slow {}
    impl Video for Slow {}
    impl Audio for Slow {}
    impl Texts for Slow {}
    impl Flow for Slow {}
    impl Items for Slow {}
    impl Walls for Slow {}
    let mut vm = Vm::<1>::new(Compat::Retail);
    vm.contexts[0] = Context::new(7, asm(".text \"abcdef\"\nnop.f"), 0);
    let mut talk = Conversation::begin(&mut vm, 0);
    let ticks = (0..99).find(|_| {
        talk.tick(&mut vm, &mut Slow, Buttons::default(), 16);
        talk.text().is_some_and(TextBox::is_full)
    });
    assert_eq!(ticks, Some(3));
}

/// What a frame of a text costs does not depend on how long the text is: this would take minutes.
#[test]
fn a_frame_reads_what_comes_in_it() {
    let line = [b'a'; 60_000];
    let mut text = TextBox::new();
    text.push(&line);
    let mut full = 0_u32;
    for _ in 0..200_000 {
        text.tick(false, 1);
        full += u32::from(text.is_full());
    }
    assert_eq!(full, 140_001);
    assert_eq!(text.rows().next(), Some((&line[..], 60_000)));
}

/// A new line within a string takes the room of a row: what would not fit beside it gets the next box, and a string
/// of more lines than a box waits with the others.
#[test]
fn lines_of_a_string_are_rows_of_the_box() {
    let mut text = TextBox::new();
    assert!(text.push(b"a|b"));
    assert!(!text.push(b"c|d"), "four lines");
    assert!(text.push(b"c") && !text.has_room() && !text.push(b""));
    // 15 pixels from string to string, 14 within one (11.1, 11.2).
    assert_eq!(
        text.lines().map(|it| it.gap).collect::<Vec<_>>(),
        [15, 14, 15]
    );
    assert_eq!(
        (text.height(), text.hand((38, 148)).1),
        (44 - 3, 148 + 44 - 19)
    );
    // An operand is no new line; a colour lasts beyond one.
    let mut text = TextBox::new();
    assert!(text.push(b"\xCF\x04a\xC1||b|c|d|"));
    assert!(text.has_more());
    text.tick(true, 1);
    let seen = |it: &TextBox<'_>| -> Vec<_> {
        it.lines()
            .map(|it| (it.text.to_vec(), it.tokens, it.palette))
            .collect()
    };
    let first = [
        (b"\xCF\x04a\xC1|".to_vec(), 3, 0),
        (b"b".to_vec(), 1, 4),
        (b"c".to_vec(), 1, 4),
    ];
    assert_eq!(seen(&text), first);
    assert!(text.is_full() && text.go_on() && !text.is_full());
    assert_eq!(seen(&text), [(b"d".to_vec(), 0, 4), (vec![], 0, 4)]);
    assert!(!text.has_more() && !text.go_on());

    // In a conversation: the button goes on to what is left of the string, then behind it.
    let mut vm = Vm::<1>::new(Compat::Retail);
    let code = asm(".text \"a|b|c|d\"\n.text \"e|f\"\n.text \"g|h\"\nnop.f");
    vm.contexts[0] = Context::new(7, code, 0);
    let mut talk = Conversation::begin(&mut vm, 0);
    let mut pages = Vec::new();
    while talk.phase() != Phase::Over {
        let full = talk.text().filter(|it| it.is_full());
        pages.extend(full.map(|it| it.rows().map(|it| it.0).collect::<Vec<_>>().join(&b'/')));
        let buttons = Buttons {
            confirm: full.is_some(),
            held: true,
            ..Buttons::default()
        };
        talk.tick(&mut vm, &mut Absent, buttons, 16);
    }
    assert_eq!(
        pages,
        [&b"a/b/c"[..], b"d", b"e/f", b"g/h"].map(<[u8]>::to_vec)
    );
}

const TALK: &str = "
    face 2, 0
    .text \"Hello\"
    .text \"you\"
    nop.25                   ; a new page
    .text \"Stay?\"
    .pick yes, no
    .text \"Yes\"
    .text \"No\"
yes: sset 0x101
    nop.f
no: sset 0x102
    nop.f
";

/// Talk through a script, choosing an option; the frames it took.
fn talk(down: bool) -> (Vm<'static, 2>, usize) {
    let mut vm = Vm::<2>::new(Compat::Retail);
    vm.contexts[0] = Context {
        flags: flag::MOVING,
        heading: 0x321,
        ..Context::new(7, asm(TALK), 0)
    };
    vm.contexts[1] = Context {
        z: 100,
        ..Context::new(1, &[], 0)
    };
    vm.player = Some(1);
    let mut talk = Conversation::begin(&mut vm, 0);
    assert_eq!(vm.contexts[1].flags, flag::LOCKED);
    let mut frames = 0;
    let mut pages = Vec::new();
    while talk.phase() != Phase::Over && frames < 200 {
        let full = talk.text().is_some_and(TextBox::is_full);
        let picks = talk.phase() == Phase::Picks;
        if full && !picks {
            let rows = talk
                .text()
                .expect("a box")
                .rows()
                .map(|it| it.0)
                .collect::<Vec<_>>();
            pages.push(rows.concat());
        }
        let moved = talk.picker().is_some_and(|it| it.cursor == 1) || !down;
        let buttons = Buttons {
            confirm: if picks { moved } else { full },
            down: picks && !moved,
            ..Buttons::default()
        };
        talk.tick(&mut vm, &mut Absent, buttons, 256);
        // The scheduler leaves the actor to its conversation.
        vm.frame(&mut Absent, 256, |id, _| panic!("{id} ran"));
        frames += 1;
    }
    assert_eq!(talk.fault(), None);
    assert_eq!(pages, [&b"Helloyou"[..], b"Stay?"]);
    (vm, frames)
}

#[test]
fn conversations_show_ask_and_release() {
    for (down, flags) in [(false, [true, false]), (true, [false, true])] {
        let (vm, frames) = talk(down);
        assert_eq!([0x101, 0x102].map(|it| vm.state.system.test(it)), flags);
        let actor = vm.contexts[0];
        assert_eq!(
            (actor.heading, actor.flags, actor.touch_count),
            (0x321, flag::MOVING, 0)
        );
        assert_eq!(vm.contexts[1].flags, 0);
        // One slice, eight glyphs, confirm; five glyphs, confirm; the picker; one slice.
        assert_eq!(frames, 1 + 8 + 1 + 5 + 1 + 1 + usize::from(down) + 1);
    }
}

/// From the first letter to the end there is a box in every tick, however its pages are turned; `24` keeps the rows,
/// which scroll (11.2).
#[test]
fn the_box_stays_while_its_pages_turn() {
    type Begin = fn(&mut Vm<'static, 1>) -> Conversation<'static>;
    let ways: [Begin; 3] = [
        |vm| Conversation::begin(vm, 0),
        |vm| Conversation::begin_by_contact(vm, 0),
        |vm| Conversation::overhear(vm, &Absent, 0),
    ];
    for (turn, rows) in [
        ("nop.24", &["b", "c", "d"][..]),
        ("nop.25", &["d"]),
        ("nop.48", &["d"]),
        (".byte 0x4C, 0xFF", &["d"]),
        (".byte 0x4C, 0xFE, 1", &["d"]),
        ("", &["d"]),
        // Bit 7 is ignored.
        (".byte 0xA4", &["b", "c", "d"]),
        (
            ".pick one, two\n.text \"1\"\n.text \"2\"\none: nop.f\ntwo:",
            &["d"],
        ),
    ] {
        let source = format!(
            ".text \"a\"\n.text \"b\"\n.text \"c\"\n{turn}\n.text \"d\"\nend: nop.f\nnop.f\njmp end"
        );
        for (way, begin) in ways.iter().enumerate() {
            let mut vm = Vm::<1>::new(Compat::Retail);
            vm.contexts[0] = Context::new(7, asm(&source), 0);
            let mut talk = begin(&mut vm);
            let mut seen = Vec::new();
            for _ in 0..40 {
                let full = talk.text().is_some_and(TextBox::is_full);
                let down = talk.picker().is_some_and(|it| it.cursor == 0);
                let buttons = Buttons {
                    confirm: full && !down,
                    down,
                    ..Buttons::default()
                };
                talk.tick(&mut vm, &mut Absent, buttons, 256);
                let rows = talk.text().map(|it| it.rows().map(|it| it.0).collect());
                seen.push(rows.unwrap_or_default());
                if talk.phase() == Phase::Over {
                    break;
                }
            }
            let what = format!("{turn}, way {way}");
            assert_eq!((talk.phase(), talk.fault()), (Phase::Over, None), "{what}");
            // Nothing is shown before the first box and behind the last.
            let shown: Vec<Vec<&[u8]>> = seen.into_iter().skip_while(Vec::is_empty).collect();
            let boxes = shown.iter().take_while(|it| !it.is_empty()).count();
            assert!(
                shown[boxes..].iter().all(Vec::is_empty),
                "{what}: {shown:?}"
            );
            let last: Vec<_> = rows.iter().map(|it| it.as_bytes()).collect();
            assert_eq!((boxes > 4, &shown[boxes - 1]), (true, &last), "{what}");
        }
    }
}

/// Text waits where its actor is parked by somebody else meanwhile.
#[test]
fn who_is_parked_does_not_read_on() {
    let mut vm = Vm::<1>::new(Compat::Retail);
    vm.contexts[0] = Context::new(7, asm(".text \"a\"\nnop.25\n.text \"b\"\nnop.f"), 0);
    let mut talk = Conversation::begin(&mut vm, 0);
    let all = Buttons {
        confirm: true,
        held: true,
        ..Buttons::default()
    };
    talk.tick(&mut vm, &mut Absent, all, 256);
    talk.tick(&mut vm, &mut Absent, all, 256);
    vm.contexts[0].flags |= flag::HALT;
    for _ in 0..3 {
        assert_eq!(talk.tick(&mut vm, &mut Absent, all, 256), Phase::Runs);
    }
    vm.contexts[0].flags &= !flag::HALT;
    assert_eq!(talk.tick(&mut vm, &mut Absent, all, 256), Phase::Shows);
}

/// Conversations of scripts that end in the middle, or never get anywhere.
/// The dialogue machine is part of the actor's turn: while global bit 10 is set, neither script nor text goes on (3.1).
#[test]
fn conversations_rest_while_actors_are_suppressed() {
    let code = asm("talk: wait 2\n.text \"Hello.\"\nsset 1\nnop.f\njmp talk");
    let mut vm = Vm::<1>::new(Compat::Retail);
    vm.contexts[0] = Context::new(1, code, 0);
    let mut talk = Conversation::begin(&mut vm, 0);
    let all = Buttons {
        confirm: true,
        held: true,
        ..Buttons::default()
    };
    let mut phases = Vec::new();
    while talk.phase() != Phase::Over {
        // One frame in three is played.
        for frame in 0..3 {
            vm.state.global = if frame == 0 { 0 } else { 0x400 };
            let before = (vm.contexts, format!("{talk:?}"));
            let phase = talk.tick(&mut vm, &mut Absent, all, 256);
            if frame == 0 {
                phases.push(phase);
            } else {
                assert_eq!((vm.contexts, format!("{talk:?}")), before);
            }
        }
        assert!(phases.len() < 20);
    }
    assert!(vm.state.system.test(1));
    // What the script does itself holds from its next slice on, and nobody but the host can clear it.
    let code = asm("talk: gset 10\nlset 1\nwait 2\ngclr 10\nnop.f\njmp talk");
    vm.contexts[0] = Context::new(1, code, 0);
    vm.state.global = 0;
    let mut talk = Conversation::begin(&mut vm, 0);
    for _ in 0..10 {
        assert_eq!(talk.tick(&mut vm, &mut Absent, all, 256), Phase::Runs);
    }
    assert_eq!(
        (vm.contexts[0].local_flags, vm.contexts[0].wait_accum),
        (2, 1)
    );
    vm.state.global = 0;
    assert_eq!(talk.tick(&mut vm, &mut Absent, all, 256), Phase::Over);
}

#[test]
fn conversations_survive_damaged_scripts() {
    for (code, fault) in [
        ("1F 41", Some("PcRange")),
        ("1F 41 00 27 01", Some("Truncated")),
        ("1F 41 00 27 F0 FF F0 FF", Some("PcRange")),
        ("00 00", Some("PcRange")),
        ("9F 05 21", None),
        ("27", Some("Unknown")),
        ("23 01", Some("Truncated")),
        ("1F 41 00 24 21", None),
        ("1F 41 00 4C FE 01 21", None),
        ("1F 41 00 CC FF A1 01 21", None),
    ] {
        let mut vm = Vm::<1>::new(Compat::Retail);
        vm.contexts[0] = Context::new(7, hex(code), 0);
        let mut talk = Conversation::begin(&mut vm, 0);
        let buttons = Buttons {
            confirm: true,
            held: true,
            ..Buttons::default()
        };
        for _ in 0..50 {
            talk.tick(&mut vm, &mut Absent, buttons, 256);
        }
        assert_eq!(talk.phase(), Phase::Over, "{code}");
        assert_eq!(talk.fault().map(|it| it.kind.name()), fault, "{code}");
    }
}

/// A slice that takes too long is told, and the conversation goes on.
#[test]
fn conversations_tell_of_long_slices() {
    let mut vm = Vm::<1>::new(Compat::Retail);
    let code = asm("lset 1\nlset 2\nlset 3\nlset 4\nnop.f");
    vm.contexts[0] = Context::new(7, code, 0);
    let mut talk = Conversation::begin(&mut vm, 0);
    assert!(vm.is_engaged(0));
    let phase = talk.tick(&mut vm, &mut Absent, Buttons::default(), 3);
    let fault = talk.fault().expect("a fault");
    assert_eq!(
        (phase, fault.kind, fault.pc),
        (Phase::Runs, FaultKind::Budget(3), 6)
    );
    assert_eq!(
        talk.tick(&mut vm, &mut Absent, Buttons::default(), 3),
        Phase::Over
    );
    assert!(!vm.is_engaged(0));
}

/// Control bytes up to the last address: the program counter goes no further.
#[test]
fn conversations_end_at_the_last_address() {
    for control in [0x24, 0x25, 0x48] {
        for len in [0x1_0000, 0x1_0004] {
            let mut code = vec![control; len];
            code[..3].copy_from_slice(&[0x1F, 0x41, 0]);
            let mut vm = Vm::<1>::new(Compat::Retail);
            vm.contexts[0] = Context::new(7, &code, 0);
            let mut talk = Conversation::begin(&mut vm, 0);
            let buttons = Buttons {
                confirm: true,
                held: true,
                ..Buttons::default()
            };
            for _ in 0..4 {
                talk.tick(&mut vm, &mut Absent, buttons, 256);
            }
            assert_eq!(talk.phase(), Phase::Over);
            let fault = talk.fault().expect("a fault");
            assert_eq!((fault.kind.name(), fault.pc), ("PcRange", 0xFFFF));
        }
    }
}

/// Field sheet, section 11.2: the button runs a script to its end; contact leaves it before the last
/// instruction, however long that one is, and the next contact goes on there.
#[test]
fn contact_stops_before_the_last_instruction() {
    let flags = |by_contact: bool, script: &str, touches: u8| {
        let mut vm = Vm::<1>::new(Compat::Retail);
        vm.contexts[0] = Context::new(7, asm(script), 0);
        for _ in 0..touches {
            let mut talk = match by_contact {
                true => Conversation::begin_by_contact(&mut vm, 0),
                false => Conversation::begin(&mut vm, 0),
            };
            for _ in 0..9 {
                talk.tick(&mut vm, &mut Absent, Buttons::default(), 16);
            }
            assert_eq!(talk.phase(), Phase::Over);
            assert_eq!(vm.contexts[0].touch_count, 0);
        }
        let place = vm.contexts[0].pc;
        ([0x100, 0x101].map(|it| vm.state.system.test(it)), place)
    };
    let short = "sset 0x100\nsset 0x101";
    assert_eq!(flags(false, short, 1), ([true, true], 4));
    assert_eq!(flags(true, short, 1), ([true, false], 2));
    assert_eq!(flags(true, short, 3), ([true, false], 2));
    // `21` ends a touch in both ways; what lies behind it comes with the next one.
    let two = "sset 0x100\nnop.f\nsset 0x101\nnop.f";
    assert_eq!(flags(true, two, 1), ([true, false], 3));
    assert_eq!(flags(true, two, 2), ([true, true], 5));
}
