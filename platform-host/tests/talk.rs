//! A conversation as it is seen: the font's page in VRAM, boxes and pickers through the software GPU.

use overworld_host::gpu::{Gpu, Picture};
use overworld_host::sample::font;
use overworld_runtime::gpu::DisplayList;
use overworld_runtime::gpu::layout::BORDER;
use overworld_runtime::model::tim::Tim;
use overworld_runtime::script::asm::{Name, assemble};
use overworld_runtime::script::context::Context;
use overworld_runtime::script::dialog::{Buttons, Conversation, Phase};
use overworld_runtime::script::font::Font;
use overworld_runtime::script::host::Absent;
use overworld_runtime::script::show::{push_box, push_page_hand, push_picker};
use overworld_runtime::script::text::{BOX_X, BOX_Y, NameKind, TextBox};
use overworld_runtime::script::{Compat, Vm};

const SCRIPT: &str = "
    .text \"\\xCF\\x04\\xC1\\x00\\xCF\\x00: Who is it?\"
    .text \"Shall I open the gate for you,\"
    .text \"or (just) watch, 24 hours a day?\"
    nop.25
    .text \"Quick, wild foxes jump by Zak!\"
    .pick yes, no
    .text \"Yes, please\"
    .text \"No\"
yes: nop.f
no: nop.f
";

fn names(_: NameKind, _: u8) -> &'static [u8] {
    b"Guard"
}

/// The picture of a conversation, on a ground of one colour.
fn picture(talk: &Conversation<'_>) -> Picture {
    let mut gpu = Gpu::field([96, 144, 80]);
    let file = font::tim().expect("a font");
    let tim = Tim::parse(&file).expect("a TIM");
    tim.upload(&mut gpu).expect("it fits");
    let mut words = vec![0; 4096];
    let mut list = DisplayList::new(&mut words, 2);
    list.begin(&mut gpu);
    if let Some(text) = talk.text() {
        // A question stands above its answers.
        let above = if talk.picker().is_some() { 32 } else { 0 };
        let at = (BOX_X, BOX_Y - above);
        if above == 0 {
            push_page_hand(&mut list, 1, text, at).expect("room");
        }
        push_box(&mut list, 1, &Font::OWN, text, at, names).expect("room");
    }
    if let Some(picker) = talk.picker() {
        push_picker(&mut list, 0, &Font::OWN, picker, names).expect("room");
    }
    list.draw(&mut gpu).expect("a list that ends");
    gpu.drawn()
}

/// Part of a picture, in the coordinates of the drawing: `#` letters, `+` their shadow, `.` neither.
fn look(picture: &Picture, (x, y): (usize, usize), (w, h): (usize, usize)) -> Vec<String> {
    let mark = |x, y| match picture.pixel(x, y + usize::from(BORDER)) {
        Some([r, g, b]) if r.max(g).max(b) > 200 => '#',
        Some([r, g, b]) if r.max(g) < 20 && b < 40 => '+',
        _ => '.',
    };
    (y..y + h)
        .map(|y| (x..x + w).map(|x| mark(x, y)).collect())
        .collect()
}

#[test]
fn conversations_are_seen() {
    let mut code = vec![0; 400];
    let mut labels = [Name::default(); 8];
    let len = assemble(SCRIPT, &mut code, &mut labels).expect("a good script");
    let mut vm = Vm::<1>::new(Compat::Retail);
    vm.contexts[0] = Context::new(7, &code[..len], 0);
    let mut talk = Conversation::begin(&mut vm, 0);
    let held = Buttons {
        held: true,
        ..Buttons::default()
    };
    let confirm = Buttons {
        confirm: true,
        ..held
    };
    let mut seen = Vec::new();
    for _ in 0..2 {
        while !talk.text().is_some_and(TextBox::is_full) {
            talk.tick(&mut vm, &mut Absent, held, 64);
        }
        seen.push(picture(&talk));
        talk.tick(&mut vm, &mut Absent, confirm, 64);
    }
    let seen = &seen[0];
    let name = [
        "...####.......................#.........#",
        "..#.+++#......................#+........#",
        "..#+....+.....................#+........#",
        "..#+.....#...#..###..#.##..####+........#",
        "..#+.###.#+..#+..++#.##.++#.++#+##.......",
        "..#+..+#+#+..#+.####+#++..#+..#+##+......",
        "..#+...#+#+..#+#.++#+#+...#+..#+.++......",
        "..#+...#+#+.##+#+..#+#+...#+..#+##.......",
        "...####.+.##.#+.####+#+....####+##+......",
        "....++++...++.+..++++.+.....++++.++......",
    ];
    assert_eq!(look(seen, (44, 148), (41, 10)), name);
    // The hand that waits, below the last row's end: it is that of a picker.
    let hand = [
        "..###.........",
        ".#####........",
        "###########...",
        "##########++..",
        "#######++++...",
        "#######+......",
        ".######+......",
        "..####++......",
        "...++++.......",
    ];
    assert_eq!(look(seen, (266, 177), (14, 9)), hand);
    // The name in palette 4, what follows in palette 0; five bits a component.
    let colours = [(47, 152), (84, 152)].map(|(x, y)| seen.pixel(x, y));
    assert_eq!(colours, [[255, 222, 90], [255; 3]].map(Some));
    // The panel darkens what is behind it twice, more so at its upper edge.
    let shades = [(200, 153), (200, 192)].map(|(x, y)| seen.pixel(x, y).expect("inside"));
    assert!(
        shades[0][2] < shades[1][2] && shades[1][1] < 144,
        "{shades:?}"
    );

    assert_eq!(talk.phase(), Phase::Picks);
    talk.tick(&mut vm, &mut Absent, Buttons { down: true, ..held }, 64);
    let seen = picture(&talk);
    let second = [
        "......................#....#......",
        "..###.................##...#+.....",
        ".#####................##+..#+.....",
        "###########...........#+#..#+.###.",
        "##########++..........#+#+.#+#.++#",
        "#######++++...........#+.#.#+#+..#",
        "#######+..............#+..##+#+..#",
        ".######+..............#+..##+#+..#",
        "..####++..............#+...#+.###.",
        "...++++................+....+..+++",
    ];
    assert_eq!(look(&seen, (32, 180), (34, 10)), second);
}
