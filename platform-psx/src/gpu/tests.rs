//! The driver over a GPU that writes down what it is told.

use super::*;
use std::collections::VecDeque;
use std::vec::Vec;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Event {
    Gp0(u32),
    Gp1(u32),
    Dma(Vec<u32>),
    List(usize),
}

/// Ready unless told otherwise; every look at the clock takes one line.
struct Fake {
    events: Vec<Event>,
    clock: u16,
    data: u32,
    status: VecDeque<u32>,
    ready: u32,
    frame: bool,
    dma: bool,
}

const READY: u32 = READY_COMMAND | READY_BLOCK | READY_SEND;
const BASE: u32 = 0x0012_3400;

impl Fake {
    fn new() -> Self {
        Self {
            events: Vec::new(),
            clock: 65_000,
            data: 0x0001_0000,
            status: VecDeque::new(),
            ready: READY,
            frame: true,
            dma: true,
        }
    }
}

impl Port for Fake {
    fn gp0(&mut self, word: u32) {
        self.events.push(Event::Gp0(word));
    }
    fn gp1(&mut self, word: u32) {
        self.events.push(Event::Gp1(word));
    }
    fn status(&mut self) -> u32 {
        self.status.pop_front().unwrap_or(self.ready)
    }
    fn data(&mut self) -> u32 {
        self.data = self.data.wrapping_add(0x0002_0002);
        self.data
    }
    fn lines(&mut self) -> u16 {
        self.clock = self.clock.wrapping_add(1);
        self.clock
    }
    fn vblanks(&mut self) -> u32 {
        if self.frame {
            u32::from(self.clock) / 263
        } else {
            7
        }
    }
    fn address(&self, _: &[u32]) -> u32 {
        BASE
    }
    fn send(&mut self, words: &[u32], blocks: Blocks, _: u32) -> bool {
        assert_eq!(words.len(), blocks.words());
        self.events.push(Event::Dma(words.to_vec()));
        self.dma
    }
    fn execute(&mut self, _: &[u32], first: usize, _: u32, meanwhile: &mut dyn FnMut()) -> bool {
        self.events.push(Event::List(first));
        meanwhile();
        self.dma
    }
    fn clear_table(&mut self, table: &mut [u32]) -> bool {
        if self.dma {
            platform::clear_table(table, BASE);
        }
        self.dma
    }
}

fn display() -> Display<Fake> {
    let mut display = Display::new(Fake::new()).unwrap();
    display.port().events.clear();
    display
}

/// The words at an address that is a multiple of four, as bytes.
fn bytes(words: &[u32]) -> &[u8] {
    // SAFETY: a `u32` is four bytes, each of which may hold anything.
    unsafe { words.align_to::<u8>().1 }
}

#[test]
fn a_texture_goes_by_dma_in_blocks_and_its_rest_by_hand() {
    let mut display = display();
    // 5 by 7 pixels: 35 halfwords, 17.5 words: one block, one word, and a padded halfword.
    let words: Vec<u32> = (0..18).map(|n| 0x0001_0000 * (2 * n + 1) + 2 * n).collect();
    let pixels = &bytes(&words)[..70];
    display.upload(640, 256, 5, 7, pixels).unwrap();
    assert_eq!(
        display.port().events,
        [
            Event::Gp0(0xA000_0000),
            Event::Gp0(256 << 16 | 640),
            Event::Gp0(7 << 16 | 5),
            Event::Dma(words[..16].to_vec()),
            Event::Gp0(0x0021_0020),
            Event::Gp0(0x0000_0022),
            Event::Gp0(0x0100_0000),
        ]
    );
}

#[test]
fn pixels_at_an_odd_address_arrive_all_the_same() {
    let mut display = display();
    let words: Vec<u32> = (0..18).collect();
    let pixels = &bytes(&words)[1..69];
    display.upload(0, 480, 34, 1, pixels).unwrap();
    let sent: Vec<u8> = display.port().events[3..20]
        .iter()
        .flat_map(|event| match event {
            Event::Gp0(word) => word.to_le_bytes(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(sent, pixels);
    assert_eq!(display.port().events[20..], [Event::Gp0(0x0100_0000)]);
}

#[test]
fn an_odd_number_of_pixels_comes_back() {
    let mut display = display();
    let mut pixels = [0; 15];
    display.download(640, 256, 5, 3, &mut pixels).unwrap();
    assert_eq!(pixels, core::array::from_fn(|n| n as u16 + 2));
    assert_eq!(
        display.port().events,
        [
            Event::Gp1(0x0400_0003),
            Event::Gp0(0xC000_0000),
            Event::Gp0(256 << 16 | 640),
            Event::Gp0(3 << 16 | 5),
            Event::Gp1(0x0400_0002),
        ]
    );
    assert_eq!(
        display.download(1020, 0, 5, 3, &mut pixels),
        Err(Error::Rectangle {
            x: 1020,
            y: 0,
            w: 5,
            h: 3
        })
    );
    display.port().ready = READY_COMMAND | READY_BLOCK;
    assert_eq!(
        display.download(0, 0, 5, 3, &mut pixels),
        Err(Error::Timeout(Phase::Download))
    );
}

#[test]
fn rectangles_outside_vram_and_wrong_lengths_are_refused_before_anything_is_sent() {
    let mut display = display();
    for (x, y, w, h) in [
        (0, 0, 0, 1),
        (0, 0, 1, 0),
        (1023, 0, 2, 1),
        (0, 511, 1, 2),
        (u16::MAX, 0, 2, 1),
        (0, u16::MAX, 1, 2),
    ] {
        assert_eq!(
            display.upload(x, y, w, h, &[0; 4]),
            Err(Error::Rectangle { x, y, w, h })
        );
    }
    assert_eq!(
        display.upload(1022, 510, 2, 2, &[0; 7]),
        Err(Error::PixelBytes {
            expected: 8,
            found: 7
        })
    );
    assert_eq!(display.port().events, []);
    assert_eq!(display.upload(1022, 510, 2, 2, &[0; 8]), Ok(()));
}

/// TMD/TIM sheet, section 7: 320 by 224 are drawn, four lines below the top of each of the two buffers
/// at lines 0 and 240, and 228 lines are shown.
#[test]
fn the_screen_is_set_up_as_the_field_has_it() {
    let mut display = Display::new(Fake::new()).unwrap();
    let events = &display.port().events;
    let window: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::Gp1(word) if word >> 24 == 7 => Some((word & 0x3FF, word >> 10 & 0x3FF)),
            _ => None,
        })
        .collect();
    // 228 lines about line 88h of an NTSC picture.
    assert_eq!(window, [(0x88 - 114, 0x88 + 114)]);
    // The first picture is shown, at line 0, and the draw area is the second one's.
    for expected in [
        Event::Gp1(0x0500_0000),
        Event::Gp0(0xE300_0000 | 244 << 10),
        Event::Gp0(0xE400_0000 | 319 | 467 << 10),
        Event::Gp0(0xE500_0000 | 244 << 11),
    ] {
        assert!(events.contains(&expected), "{expected:?}");
    }
    // All of both is black, the lines above the draw areas too.
    for line in [0, 240] {
        let fill = [0x0200_0000, line << 16, 240 << 16 | 320].map(Event::Gp0);
        assert!(events.windows(3).any(|three| three == fill), "{line}");
    }
}

#[test]
fn present_flips_the_pictures_and_clears_the_new_back_buffer() {
    let mut display = display();
    display.set_background(0x10, 0x20, 0x30);
    let first = [
        Event::Gp1(0x0500_0000 | 240 << 10),
        Event::Gp0(0xE300_0000 | 4 << 10),
        Event::Gp0(0xE400_0000 | 319 | 227 << 10),
        Event::Gp0(0xE500_0000 | 4 << 11),
        Event::Gp0(0x0230_2010),
        Event::Gp0(4 << 16),
        Event::Gp0(224 << 16 | 320),
    ];
    let second = [
        Event::Gp1(0x0500_0000),
        Event::Gp0(0xE300_0000 | 244 << 10),
        Event::Gp0(0xE400_0000 | 319 | 467 << 10),
        Event::Gp0(0xE500_0000 | 244 << 11),
        Event::Gp0(0x0230_2010),
        Event::Gp0(244 << 16),
        Event::Gp0(224 << 16 | 320),
    ];
    for expected in [&first, &second, &first] {
        display.port().events.clear();
        display.present().unwrap();
        assert_eq!(display.port().events, expected);
    }
}

#[test]
fn a_missing_vertical_blank_is_an_error_after_three_fields() {
    let mut display = display();
    display.port().frame = false;
    let before = display.port().clock;
    assert_eq!(display.present(), Err(Error::NoVblank));
    let waited = display.port().clock.wrapping_sub(before);
    assert!((900..1000).contains(&waited), "{waited} lines");
}

#[test]
fn a_gpu_that_never_gets_ready_is_an_error_and_its_queue_is_emptied() {
    let mut display = display();
    display.port().ready = READY_BLOCK;
    assert_eq!(
        display.upload(0, 0, 2, 1, &[0; 4]),
        Err(Error::Timeout(Phase::Command))
    );
    display.port().ready = READY_COMMAND;
    assert_eq!(
        display.draw(&[platform::LIST_END], 0),
        Err(Error::Timeout(Phase::Command))
    );
    assert_eq!(display.present(), Err(Error::Timeout(Phase::Draw)));
    let emptied = [
        Event::Gp1(0x0100_0000),
        Event::Gp1(0x0400_0000),
        Event::Gp1(0x0400_0002),
    ];
    assert_eq!(
        display.port().events,
        [emptied.clone(), emptied.clone(), emptied].concat()
    );
    display.port().ready = READY;
    assert_eq!(display.present(), Ok(()));
}

#[test]
fn a_moment_of_readiness_between_two_primitives_is_not_the_end() {
    let mut display = display();
    display.port().status = [READY, READY, 0, READY, READY, READY, 0, 0, READY].into();
    display.draw(&[platform::LIST_END], 0).unwrap();
    assert_eq!(display.port().status.len(), 0);
}

#[test]
fn dma_that_does_not_end_is_an_error() {
    let mut display = display();
    display.port().dma = false;
    assert_eq!(
        display.draw(&[platform::LIST_END], 0),
        Err(Error::Timeout(Phase::List))
    );
    let words = [0; 16];
    assert_eq!(
        display.upload(0, 0, 32, 1, bytes(&words)),
        Err(Error::Timeout(Phase::Upload))
    );
}

#[test]
fn a_table_is_cleared_by_dma_or_else_by_hand() {
    let mut display = display();
    let expected = [platform::LIST_END, BASE, BASE + 4];
    let mut table = [1; 3];
    display.clear_table(&mut table, BASE);
    assert_eq!(table, expected);
    display.port().dma = false;
    let mut table = [1; 3];
    display.clear_table(&mut table, BASE);
    assert_eq!(table, expected);
    let mut table = [1; 3];
    display.clear_table(&mut table, 0);
    assert_eq!(table, [platform::LIST_END, 0, 4]);
}

fn link(index: u32) -> u32 {
    BASE + 4 * index
}

#[test]
fn a_list_is_followed_to_its_end() {
    // Table of two, one packet of two words at 2, one of one word at 5, bucket 1 -> 5 -> 2.
    let list = [
        platform::LIST_END,
        link(5),
        link(0) | 2 << 24,
        0x1111_1111,
        0x2222_2222,
        link(2) | 1 << 24,
        0x3333_3333,
    ];
    assert_eq!(list::check(&list, BASE, 1), Ok(4));
    assert_eq!(list::check(&list, BASE, 0), Ok(1));
    let mut display = display();
    display.draw(&list, 1).unwrap();
    assert_eq!(display.port().events, [Event::List(1)]);
}

#[test]
fn the_cpu_has_something_else_to_do_while_a_list_is_drawn() {
    let list = [platform::LIST_END];
    let (mut display, mut calls) = (display(), 0);
    let done = display.execute_while(&list, 0, 10, &mut || calls += 1);
    assert_eq!((done, calls), (Ok(()), 1));
    // A list that cannot be started is not waited for.
    let done = display.execute_while(&list, 1, 10, &mut || calls += 1);
    assert!(done.is_err() && calls == 1);
    assert_eq!(display.port().events, [Event::List(0)]);
}

/// Empty entries, one behind the other: down to the end mark, and not out of the list.
#[test]
fn a_table_without_packets_is_followed_to_its_end() {
    let mut list: Vec<u32> = (0..100).map(|n| link(n).wrapping_sub(4)).collect();
    list[0] = platform::LIST_END;
    assert_eq!(list::check(&list, BASE, 99), Ok(100));
    // An end that is none; a circle of empty entries and one packet; a link into the middle of a word.
    list[0] = link(0).wrapping_sub(4);
    let out = ListError::Outside {
        at: 0,
        link: link(0) - 4,
    };
    assert_eq!(list::check(&list, BASE, 99), Err(out));
    list[0] = link(99);
    assert_eq!(list::check(&list, BASE, 99), Err(ListError::Endless));
    list[0] = platform::LIST_END;
    list[50] = link(49) + 2;
    assert!(matches!(
        list::check(&list, BASE, 99),
        Err(ListError::Outside { at: 50, .. })
    ));
}

#[test]
fn lists_that_must_not_run_are_refused() {
    let outside = |at, link| Err(Error::List(ListError::Outside { at, link }));
    let mut display = display();
    // To itself, to each other.
    assert_eq!(
        display.draw(&[link(0)], 0),
        Err(Error::List(ListError::Endless))
    );
    assert_eq!(
        display.draw(&[link(1), link(0)], 0),
        Err(Error::List(ListError::Endless))
    );
    // Before the list, behind it, between two words, another end mark.
    for wrong in [BASE - 4, link(2), BASE + 2, 0x0080_0000, 0] {
        assert_eq!(display.draw(&[link(1), wrong], 0), outside(1, wrong));
    }
    // A packet over the end; an empty list; a start behind the end.
    assert_eq!(
        display.draw(&[platform::LIST_END | 1 << 24], 0),
        outside(0, platform::LIST_END)
    );
    assert_eq!(display.draw(&[], 0), outside(0, platform::LIST_END));
    assert_eq!(display.draw(&[0], 1), outside(1, platform::LIST_END));
    assert_eq!(
        display.draw(&[platform::LIST_END | 17 << 24; 20], 0),
        Err(Error::List(ListError::TooLong { at: 0, words: 17 }))
    );
    assert_eq!(display.port().events, []);
    assert_eq!(
        display.draw(&[platform::LIST_END | 16 << 24; 17], 0),
        Ok(())
    );
}
