//! The disassembler and the assembler of scripts against each other.

use overworld_runtime::script::asm::{Error, ErrorKind, Name, assemble};
use overworld_runtime::script::dis::{Labels, Line, Style, disassemble, lines};
use overworld_runtime::script::table::FORMS;
use proptest::prelude::*;

fn dis_at(code: &[u8], pc0: usize, offsets: bool) -> String {
    let mut out = String::new();
    thread_local!(static LABELS: std::cell::RefCell<Labels> = const { std::cell::RefCell::new(Labels::none()) });
    LABELS
        .with_borrow_mut(|labels| disassemble(code, pc0, Style { offsets }, labels, &mut out))
        .expect("strings do not fail");
    out
}

fn dis(code: &[u8]) -> String {
    dis_at(code, 0, false)
}

fn asm(source: &str) -> Result<Vec<u8>, Error<'_>> {
    let mut out = vec![0xAA; source.len() + 16];
    let mut names = vec![Name::default(); source.lines().count() + 1];
    let len = assemble(source, &mut out, &mut names)?;
    out.truncate(len);
    Ok(out)
}

#[track_caller]
fn round_trip(code: &[u8]) {
    let text = dis(code);
    let back = asm(&text).unwrap_or_else(|error| panic!("{code:02X?}\n{text}\n{error}"));
    assert_eq!(back, code, "\n{text}");
    assert_eq!(dis(&back), text);
}

fn hex(text: &str) -> Vec<u8> {
    let digits = |it| u8::from_str_radix(it, 16).expect("hexadecimal");
    text.split_whitespace().map(digits).collect()
}

#[test]
fn every_program_of_one_and_two_bytes_comes_back() {
    round_trip(&[]);
    for a in 0..=255 {
        round_trip(&[a]);
        for b in 0..=255 {
            round_trip(&[a, b]);
        }
    }
}

/// Every opcode with every sub-op, plain and extended, whole and cut at each byte.
#[test]
fn every_form_comes_back_whole_and_cut() {
    for opcode in 0x20..=0xFF {
        for sub in 0..=255u8 {
            let mut code = vec![opcode];
            // The extended form differs by one byte: a sample of it will do.
            if opcode & 0x80 != 0 && sub % 17 != 0 {
                continue;
            }
            if opcode & 0x80 != 0 {
                code.push(0x46);
            }
            // The second operand byte is a sub-op of 4E, the third one of 35.
            code.extend([sub, sub ^ 1, sub, 2, 0x41, 0xC1, 0, 0x22, 0x5C]);
            code.extend((0..40u8).map(|it| it.wrapping_mul(37)));
            round_trip(&code);
        }
    }
    for form in FORMS {
        for (extended, sub) in [
            (false, form.low),
            (false, form.high),
            (true, form.low),
            (true, form.high),
        ] {
            let mut code = vec![form.opcode | if extended { 0x80 } else { 0 }];
            code.extend(extended.then_some(0x46));
            let operands = code.len();
            code.extend((0..80u8).map(|it| it % 7 + 1));
            if let Some(at) = form.sub_at() {
                code[operands + at] = sub;
            }
            let first = Line::read(&code, 0).expect("bytes").bytes.len();
            for len in 1..=first {
                round_trip(&code[..len]);
            }
        }
    }
    let code =
        hex("C9 46 00 00 02 AA BB 41 C1 00 42 07 4C E1 48 C5 00 00 45 02 01 58 02 34 12 78 56 21");
    for len in 0..code.len() {
        round_trip(&code[..len]);
    }
}

/// No two forms share a name, and every form is met by some bytes.
#[test]
fn names_tell_forms_apart() {
    for (index, form) in FORMS.iter().enumerate() {
        assert!(
            FORMS[..index].iter().all(|it| it.name != form.name),
            "{}",
            form.name
        );
        let mut code = vec![form.opcode, 0, 0, 0];
        code.resize(80, 0);
        if let Some(at) = form.sub_at() {
            code[1 + at] = form.low;
            if form.name == "bgm" {
                code[1 + at] = 200;
            }
        }
        let text = Line::read(&code, 0).expect("bytes").to_string();
        let name = text.split_whitespace().next().expect("a word");
        assert_eq!(name, form.name);
    }
}

#[test]
fn known_text() {
    let rows = [
        ("21", "nop.f"),
        ("A3 F8 7F 7F", "move_to@player 127, 127"),
        ("52 25", "sset 0x225"),
        ("E0 46 25", "sclr@0x46 0x025"),
        ("CC 52 E3 FB", "copy_from@0x52 system"),
        ("3A FF FF FF", "add_money -1"),
        (
            "3F 03 00 06 74 6F 77 6E 30 31 1D 5B 04",
            "scene_change 3, \"town01\", 29, 91, 4",
        ),
        (
            "45 02 01 58 02 34 12 78 56",
            "cam.set 2, 1, 600, 4660, 22136",
        ),
        ("4B 01 03 11 22 33 44", "animate 3, 17, 34, 51, 68"),
        ("40 03 AA BB CC", "data [0xAA, 0xBB, 0xCC]"),
        ("4C E1 48 69 C1 05 21 00", "balloon \"Hi\\xC1\\x05!\""),
        ("4C E1 48 69", "balloon \"Hi\", none"),
        (
            "49 00 00 03 22 34 59 42 79 00",
            "menu.shop 0, [0x22, 0x34, 0x59], \"By\"",
        ),
        (
            "4E 00 A1 10 27 10 00 01 00",
            "if.gold 0, 1, 10000, 0x0015, 1",
        ),
        ("1F 41 22 5C 00", ".text \"A\\\"\\\\\""),
        ("1F 41 05", ".text \"A\", 0x05"),
        ("1F 41", ".text \"A\", none"),
        ("3E FF 04", "battle 4"),
        ("3E 67 00 00 00 00", "warp 3, 0, 0, 0, 0"),
        ("27", ".byte 0x27"),
        (
            "29 01 00 00 00 FE FF 00 80",
            ".pick 0x0002, 0x0003, 0x0003, 0x8007",
        ),
        ("2A 01 00 00 00", ".pick.clamp 0x0002, 0x0003"),
    ];
    for (code, text) in rows {
        let code = hex(code);
        assert_eq!(Line::read(&code, 0).expect("bytes").to_string(), text);
        assert_eq!(asm(text).expect("good text"), code, "{text}");
    }
}

#[test]
fn labels_stand_where_lines_begin() {
    let code = hex("21 21 26 FE FF 26 02 00 26 00 00");
    let text =
        "    nop.f\nL0001:\n    nop.f\n    jmp L0001\n    jmp L0008\nL0008:\n    jmp 0x0009\n";
    assert_eq!(dis(&code), text);
    round_trip(&code);
    let offsets = "    .byte 0x21  ; 0000: 21\nL0001:\n    nop.f  ; 0001: 21\n    jmp L0001  ; 0002: 26 FE FF\n";
    assert_eq!(dis_at(&code[..5], 1, true), offsets);
    assert_eq!(asm(offsets).expect("comments are no text"), code[..5]);
}

/// Rule R: 0xFFFE is "minus two", from the displacement's low byte.
#[test]
fn labels_are_encoded_by_rule_r() {
    let source = ".equ door 0x225\nagain: nop.f ; a frame\nstst door, again\nbbox@player 1, 2, 3, 4, done\n\
                  seat 1,2,0,0\ndone: jmp done";
    let code = asm(source).expect("good text");
    assert_eq!(
        code,
        hex("21 72 25 FD FF CD F8 01 02 03 04 08 00 4C 51 01 02 00 00 26 FF FF")
    );
}

/// Constants may follow the lists that their bits measure, and a text without an end the labels behind it.
#[test]
fn names_may_come_late() {
    let code = asm("cam.set high, low, 600, 4660, 22136\n.equ high 2\n.equ low 1").expect("good");
    assert_eq!(code, hex("45 02 01 58 02 34 12 78 56"));
    let late = asm("cam.set 0, low, 600\n.equ low 1").expect_err("no value");
    let (expected, found) = (1, 0);
    assert_eq!(
        (late.line, late.kind),
        (1, ErrorKind::Count { expected, found })
    );
    let code = asm("bgm.play 5, sub\n.equ sub 1");
    let plain = asm("bgm.play 5, 1");
    assert_eq!(code.ok(), plain.ok());
    let code = asm("jmp end\n.text \"a\", none ; open\nend:\n.equ x 1\n").expect("good");
    assert_eq!(code, hex("26 04 00 1F 61"));
}

/// Jumps reach across the 64 KiB boundary by numbers only.
#[test]
fn records_longer_than_a_program_counter_come_back() {
    let mut code = vec![0x21; 0x1_0002];
    code.extend(hex("26 05 00 21 26 F0 FF 26 01 80"));
    code[0] = 0x26;
    code[1] = 0xFE;
    code[2] = 0xFF;
    round_trip(&code);
}

#[test]
fn errors_name_line_and_column() {
    let rows: &[(&str, u32, u32, ErrorKind<'_>)] = &[
        ("nop.f\n  frob 1", 2, 3, ErrorKind::UnknownMnemonic("frob")),
        ("jmp away", 1, 5, ErrorKind::UnknownName("away")),
        ("a: nop.f\na: nop.f", 2, 1, ErrorKind::Duplicate("a")),
        (
            "lset 256",
            1,
            6,
            ErrorKind::Range {
                value: 256,
                low: -128,
                high: 255,
            },
        ),
        // Too large for any number is too large.
        (
            "nop.f\n\tlset 99999999999999999999",
            2,
            7,
            ErrorKind::Range {
                value: i64::MAX,
                low: -128,
                high: 255,
            },
        ),
        (
            "sset 0x1000",
            1,
            6,
            ErrorKind::Range {
                value: 4096,
                low: 0,
                high: 4095,
            },
        ),
        (
            "jmp 65536",
            1,
            5,
            ErrorKind::Range {
                value: 65536,
                low: 0,
                high: 65535,
            },
        ),
        (
            "move_to 1",
            1,
            10,
            ErrorKind::Expected("a comma and one more operand"),
        ),
        (
            "move_to 1, 2, 3",
            1,
            13,
            ErrorKind::Expected("the end of the line"),
        ),
        (
            "cam.set 0, 1, 0",
            1,
            16,
            ErrorKind::Count {
                expected: 1,
                found: 0,
            },
        ),
        (
            "animate 1, 2",
            1,
            9,
            ErrorKind::Count {
                expected: 4,
                found: 1,
            },
        ),
        (".text \"a\", none\nnop.f", 2, 1, ErrorKind::BehindOpenText),
        (
            "balloon \"a\", none\n.byte 0",
            2,
            1,
            ErrorKind::BehindOpenText,
        ),
        (".text \"a\\x05b\"", 1, 9, ErrorKind::EndsText(5)),
        (
            "\n balloon \"\\\\\\xC1\\x05 \\\"\\x1e\"",
            2,
            24,
            ErrorKind::EndsText(0x1E),
        ),
        (".text \"a\\xC1\"", 1, 9, ErrorKind::OpenEscape(0xC1)),
        (
            ".text \"\\xC1\\x00\\xCF\", 5",
            1,
            16,
            ErrorKind::OpenEscape(0xCF),
        ),
        (".text \"a", 1, 9, ErrorKind::Expected("a closing quote")),
        (
            ".text \"\u{e9}\"",
            1,
            8,
            ErrorKind::Expected("ASCII or \\xNN"),
        ),
        ("render.short 0x24, 1", 1, 1, ErrorKind::NoInstruction),
        ("bgm 5, 1", 1, 1, ErrorKind::OtherForm("bgm.play")),
        (
            "3: nop.f",
            1,
            1,
            ErrorKind::Expected("a name of letters, digits and underscores"),
        ),
        ("nop.f@", 1, 7, ErrorKind::Expected("a number or a name")),
        (
            "\"",
            1,
            1,
            ErrorKind::Expected("an instruction, a directive or a label"),
        ),
        (
            "data [1 2]",
            1,
            9,
            ErrorKind::Expected("a comma or a closing bracket"),
        ),
    ];
    for &(source, line, column, kind) in rows {
        assert_eq!(asm(source), Err(Error { line, column, kind }), "{source}");
    }
    let mut out = [0; 2];
    let mut names = [Name::default(); 1];
    let full = assemble("jmp 0", &mut out, &mut names).expect_err("three bytes");
    assert_eq!(full.kind, ErrorKind::OutputFull(2));
    let full = assemble("a:\nb:", &mut out, &mut names).expect_err("two names");
    assert_eq!((full.line, full.kind), (2, ErrorKind::TooManyNames(1)));
}

/// So many names that a search through all of them for each would take minutes.
#[test]
fn many_names_are_quick_and_keep_their_order() {
    use std::fmt::Write;
    // Neither sorted nor sorted backwards; modulo a prime, so that none comes twice.
    const COUNT: usize = 65_521;
    const LINES: usize = COUNT.div_ceil(1000);
    let name = |at: usize| format!("n{}", at * 7_919 % COUNT);
    let mut source = String::new();
    for at in 0..COUNT {
        let _ = writeln!(source, ".equ {}, {}", name(at), at % 251);
        // Known already, and yet to come.
        if at % 1000 == 0 {
            let _ = writeln!(source, ".byte {}, {}", name(at / 2), name(COUNT - 1 - at));
        }
    }
    let mut out = [0; 1000];
    let mut names = vec![Name::default(); COUNT];
    assert_eq!(assemble(&source, &mut out, &mut names), Ok(2 * LINES));
    for (at, pair) in out[..2 * LINES].chunks(2).enumerate() {
        let at = at * 1000;
        let wanted = [at / 2 % 251, (COUNT - 1 - at) % 251];
        assert_eq!(pair, wanted.map(|it| it as u8), "{at}");
    }
    for (at, it) in names.iter().enumerate() {
        assert_eq!((it.name, it.value), (&*name(at), at as i64 % 251), "{at}");
    }
    // Whichever is given again, of however many.
    for at in [0, 4096, COUNT - 1] {
        let again = format!("{source}{}:", name(at));
        let mut names = vec![Name::default(); COUNT + 1];
        let error = assemble(&again, &mut out, &mut names).expect_err("given twice");
        assert_eq!(error.kind, ErrorKind::Duplicate(&name(at)));
        assert_eq!(error.line as usize, COUNT + LINES + 1);
    }
}

/// A label on every byte: the first that lies too far ends the reading.
#[test]
fn labels_end_where_a_program_counter_does() {
    let source: String = (0..200_000).map(|at| format!("l{at}: .byte 1\n")).collect();
    let mut out = vec![0; source.len()];
    let mut names = vec![Name::default(); 65_536];
    let error = assemble(&source, &mut out, &mut names).expect_err("too far");
    let (line, column, kind) = (65_537, 1, ErrorKind::TooFar);
    assert_eq!(error, Error { line, column, kind });
}

proptest! {
    #[test]
    fn any_bytes_come_back(code in proptest::collection::vec(any::<u8>(), 0..300), pc0 in 0..40_usize) {
        let text = dis_at(&code, pc0, true);
        let back = asm(&text);
        prop_assert_eq!(back.as_deref(), Ok(&code[..]), "{}", text);
        prop_assert_eq!(dis_at(&code, pc0, true), text);
        let total: usize = lines(&code, pc0).map(|it| it.bytes.len()).sum();
        prop_assert_eq!(total, code.len());
    }

    /// Whatever assembles is stable from then on.
    #[test]
    fn any_text_is_refused_or_stable(lines in proptest::collection::vec(line(), 0..6)) {
        let source = lines.concat();
        if let Ok(code) = asm(&source) {
            let text = dis(&code);
            let back = asm(&text);
            prop_assert_eq!(back.as_deref(), Ok(&code[..]));
        }
    }
}

/// A name of a form or a directive, perhaps a target, and as many operands as come; most of the lines are
/// refused, and enough are not.
fn line() -> impl Strategy<Value = String> {
    let forms = FORMS.iter().map(|it| {
        let letters = it.layout.bytes();
        let count = letters.filter(|&it| it != b'*').count();
        (it.name, count + usize::from(it.sub_is_operand()))
    });
    let directives = [".byte", ".text", ".pick", ".pick.clamp", ".equ x", "x:"];
    let names: Vec<_> = forms.chain(directives.map(|it| (it, 2))).collect();
    let operand = || {
        prop_oneof![
            8 => (0..8_i32).prop_map(|it| it.to_string()),
            2 => (-70_000..70_000_i32).prop_map(|it| it.to_string()),
            1 => "(x|none|system|0x[0-9a-f]{1,4})",
            1 => "\"[ -!#-~]{0,6}\"",
            1 => "\\[[0-9]{0,2}(, [0-9]{1,2}){0,3}\\]",
            1 => "[-0-9a-z\"\\[\\],\\\\ ]{0,8}",
        ]
    };
    let target =
        prop_oneof![4 => Just(""), 1 => Just("@player"), 1 => Just("@0x46"), 1 => Just("@x")];
    let more = prop_oneof![6 => Just(0), 1 => 1..4_usize];
    (proptest::sample::select(names), target, more)
        .prop_flat_map(move |((name, count), target, more)| {
            let operands = proptest::collection::vec(operand(), count + more);
            (Just(name), Just(target), operands)
        })
        .prop_map(|(name, target, operands)| format!("{name}{target} {}\n", operands.join(", ")))
}

/// The lines drawn there do get through the assembler.
#[test]
fn drawn_lines_often_assemble() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut good = 0;
    for _ in 0..2000 {
        let tree = line().new_tree(&mut runner).expect("a line");
        good += usize::from(asm(&tree.current()).is_ok());
    }
    assert!(good > 100, "{good} of 2000");
}
