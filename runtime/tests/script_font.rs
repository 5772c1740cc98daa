//! The font of dialogues, where glyphs stand, and what boxes and pickers are made of (field VM sheet, 11.1
//! and 11.2).

use overworld_runtime::gpu::DisplayList;
use overworld_runtime::platform::Screen;
use overworld_runtime::script::font::{Font, HAND, Mark, PAGE, PALETTES, Placed, cell, glyph};
use overworld_runtime::script::show::{push_box, push_page_hand, push_picker, push_rows};
use overworld_runtime::script::text::{BOX_X, BOX_Y, NameKind, Picker, TextBox};

/// Where boxes are put.
const HERE: (i16, i16) = (BOX_X, BOX_Y);

/// Cells of 16 by 16 texels, from 20h on, and the pen's way for the widths that the sheet names.
#[test]
fn cells_and_widths_are_the_sheets() {
    assert_eq!(cell(0x1F), None);
    assert_eq!(
        [0x20, 0x21, 0x2F].map(cell),
        [(0, 0), (16, 0), (240, 0)].map(Some)
    );
    assert_eq!(
        [0x30, 0x41, 0xFF].map(cell),
        [(0, 16), (16, 32), (240, 208)].map(Some)
    );
    let widths = [b' ', b'I', b'i', b'A', b'M', b'm', b'W'].map(|it| Font::OWN.advance(it) - 1);
    assert_eq!(widths, [4, 3, 3, 7, 8, 8, 9]);
    let padded = Font {
        padding: 2,
        ..Font::OWN
    };
    assert_eq!(padded.advance(b'A'), 10);
    assert_eq!((PAGE, PALETTES), ((896, 0), (96, 510)));
}

/// Names of a host: of character 3, whose name holds a name, and of the leader.
fn names(kind: NameKind, number: u8) -> &'static [u8] {
    match (kind, number) {
        (NameKind::Character, 3) => b"A\xC1\x03\xCF\x02I",
        (NameKind::Character, 99) => b"MM",
        _ => b"",
    }
}

fn marks(text: &'static [u8], tokens: u16) -> Vec<Placed> {
    Font::OWN.lay_out(text, tokens, 0, names).collect()
}

/// Glyphs, spaces, new lines, colours, names and icons, up to the tokens that are shown.
#[test]
fn texts_are_laid_out() {
    let at = |code, x, y, palette| Placed {
        mark: Mark::Glyph(code),
        x,
        y,
        palette,
    };
    // A is 7 wide, the space 4, I 3.
    let text = b"A I\x7CI\xCF\x05A\xC1\x63A\xCE\x07A\xC6\x01I";
    let icon = Placed {
        mark: Mark::Icon(7),
        x: 38,
        y: 14,
        palette: 5,
    };
    let expected = [
        at(b'A', 0, 0, 0),
        at(b'I', 13, 0, 0),
        at(b'I', 0, 14, 0),
        at(b'A', 4, 14, 5),
        at(b'M', 12, 14, 5),
        at(b'M', 21, 14, 5),
        at(b'A', 30, 14, 5),
        icon,
        at(b'A', 54, 14, 5),
        at(b'I', 62, 14, 5),
    ];
    assert_eq!(marks(text, u16::MAX), expected);
    // A name comes whole, with the token that names it.
    for (tokens, count) in [
        (0, 0),
        (1, 1),
        (2, 1),
        (3, 2),
        (5, 3),
        (7, 4),
        (8, 6),
        (9, 7),
    ] {
        assert_eq!(marks(text, tokens), expected[..count], "{tokens}");
    }
    assert_eq!(Font::OWN.width(text, names), 66);
    // A name within a name is left out, a colour within one stays.
    let expected = [at(b'A', 0, 0, 0), at(b'I', 8, 0, 2), at(b'I', 12, 0, 2)];
    assert_eq!(marks(b"\xC1\x03I", 9), expected);
    // Icons beyond the table do not move the pen; long texts do not go round.
    assert_eq!(Font::OWN.width(b"\xCE\x26I", names), 4);
    let long: &'static [u8] = vec![b'W'; 5000].leak();
    assert_eq!(Font::OWN.width(long, names), i16::MAX);
}

/// A textured quad of 14 by 15 pixels.
#[test]
fn glyphs_are_quads() {
    let packet = glyph(b'A', (5, -2), 7).expect("a cell");
    assert_eq!(
        packet,
        [
            0x2D80_8080,
            0xFFFE_0005,
            0x7F8D_2010,
            0xFFFE_0013,
            0x000E_201E,
            0x000D_0005,
            0x0000_2F10,
            0x000D_0013,
            0x0000_2F1E,
        ]
    );
    // Palette 7: (96 + 112) / 16 = 13, line 510.
    assert_eq!(packet[2] >> 16, 13 | 510 << 6);
    assert_eq!(glyph(0x1F, (0, 0), 0), None);
}

/// Keeps what is drawn, in order.
struct Drawn(Vec<Vec<u32>>);

impl Screen for Drawn {
    type Error = &'static str;
    fn bus_address(&self, _: &[u32]) -> u32 {
        0
    }
    fn upload(&mut self, _: u16, _: u16, _: u16, _: u16, _: &[u8]) -> Result<(), &'static str> {
        Err("not asked for")
    }
    fn draw(&mut self, list: &[u32], first: usize) -> Result<(), &'static str> {
        let mut at = first;
        loop {
            let tag = list[at];
            let length = (tag >> 24) as usize;
            if length != 0 {
                self.0.push(list[at + 1..][..length].to_vec());
            }
            if tag & 0x80_0000 != 0 {
                return Ok(());
            }
            at = (tag & 0xFF_FFFF) as usize / 4;
        }
    }
    fn present(&mut self) -> Result<(), &'static str> {
        Err("not asked for")
    }
}

fn drawn(push: impl Fn(&mut DisplayList<'_>)) -> Vec<Vec<u32>> {
    let mut words = [0; 400];
    let mut list = DisplayList::new(&mut words, 2);
    let mut screen = Drawn(Vec::new());
    list.begin(&mut screen);
    push(&mut list);
    list.draw(&mut screen).expect("a list that ends");
    screen.0
}

/// The panel is two equal quads under blend 0, drawn first; the rows stand in front of it.
#[test]
fn boxes_have_their_panel_behind() {
    let mut text = TextBox::new();
    assert!(drawn(|list| push_box(list, 1, &Font::OWN, &text, HERE, names).unwrap()).is_empty());
    text.push(b"AI");
    text.push(b"M");
    text.tick(true, 1);
    let seen = drawn(|list| push_box(list, 1, &Font::OWN, &text, HERE, names).unwrap());
    // (38, 148), 244 by 27.
    let quad = [
        0x3A28_1818,
        0x0094_0026,
        0x0028_1818,
        0x0094_011A,
        0x00A0_4040,
        0x00AF_0026,
        0x00A0_4040,
        0x00AF_011A,
    ];
    assert_eq!(seen[0], [0xE100_0200]);
    assert_eq!(seen[1..3], [quad, quad]);
    let glyphs = [
        glyph(b'M', (46, 161), 0),
        glyph(b'I', (54, 146), 0),
        glyph(b'A', (46, 146), 0),
    ];
    let glyphs: Vec<Vec<u32>> = glyphs.map(|it| it.unwrap().to_vec()).into();
    assert_eq!(seen[3..], glyphs);
    // What is not shown yet is not there.
    let mut slow = TextBox::new();
    slow.push(b"AI");
    slow.tick(false, 1);
    let seen = drawn(|list| push_box(list, 1, &Font::OWN, &slow, HERE, names).unwrap());
    assert_eq!(seen.len(), 4);
    // A list without room is told.
    let mut words = [0; 20];
    let mut list = DisplayList::new(&mut words, 2);
    list.begin(&mut Drawn(Vec::new()));
    assert!(push_box(&mut list, 1, &Font::OWN, &text, HERE, names).is_err());
}

/// Lines of a string and strings below them do not lie on each other, and what is to the right of the picture is not
/// drawn, however much it is.
#[test]
fn no_two_lines_lie_on_each_other() {
    let tops = |seen: &[Vec<u32>], from: usize| {
        let mut tops: Vec<u32> = seen[from..].iter().map(|it| it[1] >> 16).collect();
        tops.reverse();
        tops
    };
    let mut text = TextBox::new();
    assert!(text.push(b"A|A") && text.push(b"A"));
    text.tick(true, 1);
    let seen = drawn(|list| push_box(list, 1, &Font::OWN, &text, HERE, names).unwrap());
    assert_eq!(tops(&seen, 3), [146, 160, 175]);
    let rows: [&[u8]; 3] = [b"A", b"A|A", b"A"];
    let seen = drawn(|list| push_rows(list, 1, &Font::OWN, &rows, HERE, names).unwrap());
    assert_eq!(tops(&seen, 3), [146, 161, 175, 190]);
    // The panel behind them is as high.
    assert_eq!(seen[1][5] >> 16, 148 + 15 + 15 + 14 + 15 - 3);
    // An answer is one row.
    let code = b"\x27\x10\0\x20\0\x1FA|A\0\x1FA\0";
    let picker = Picker::read(code, 0).expect("a picker");
    let seen = drawn(|list| push_picker(list, 0, &Font::OWN, &picker, names).unwrap());
    assert_eq!(tops(&seen, 3), [163, 163, 163, 178]);

    let line = [b'A'; 6000];
    let mut text = TextBox::new();
    text.push(&line);
    text.tick(true, 1);
    let seen = drawn(|list| push_box(list, 1, &Font::OWN, &text, HERE, names).unwrap());
    // From 46 on, 8 pixels each.
    assert_eq!(seen.len() - 3, (320 - 46_usize).div_ceil(8));
}

/// Labels in palette 7, 16 pixels in; the hand 6 pixels to the left of the box.
#[test]
fn pickers_have_labels_and_a_hand() {
    let code = b"\x27\x10\0\x20\0\x1FA\0\x1FI\0";
    let mut picker = Picker::read(code, 0).expect("a picker");
    picker.step(true);
    let seen = drawn(|list| push_picker(list, 0, &Font::OWN, &picker, names).unwrap());
    // Two options: 15 pixels lower, 26 high.
    assert_eq!(
        (seen.len(), seen[1][1], seen[1][7]),
        (6, 0x00A3_0026, 0x00BD_011A)
    );
    let glyphs = [
        glyph(b'I', (54, 178), 7),
        glyph(b'A', (54, 163), 7),
        glyph(HAND, (32, 178), 0),
    ];
    let glyphs: Vec<Vec<u32>> = glyphs.map(|it| it.unwrap().to_vec()).into();
    assert_eq!(seen[3..], glyphs);
}

/// The page hand waits in a box that is shown whole (11.2): at X 266, 19 pixels above where a further row would begin,
/// wherever the box is.
#[test]
fn full_boxes_have_a_hand() {
    let mut text = TextBox::new();
    let hands = |text: &TextBox<'_>, at| drawn(|list| push_page_hand(list, 1, text, at).unwrap());
    assert!(hands(&text, HERE).is_empty());
    for (line, y) in [(&b"A"[..], -4), (b"I", 11), (b"M", 26)] {
        text.push(line);
        assert!(hands(&text, HERE).is_empty());
        text.tick(true, 1);
        for (at, x) in [(HERE, 266), ((0, -20), 228)] {
            let hand = glyph(HAND, (x, at.1 + y), 0).unwrap().to_vec();
            assert_eq!(hands(&text, at), [hand], "{at:?}");
        }
    }
    let mut words = [0; 4];
    let mut list = DisplayList::new(&mut words, 2);
    list.begin(&mut Drawn(Vec::new()));
    assert!(push_page_hand(&mut list, 1, &text, HERE).is_err());
}
