//! Boxes and pickers as packets (field VM sheet, 11.2). The frame around a panel and the icons in a text
//! are a platform's own.

use super::font::{Font, HAND, Layout, Mark, glyph};
use super::text::{BOX_WIDTH, BOX_X, Line, NameKind, Picker, ROW_HEIGHT, TextBox};
use super::textbox::Lines;
use crate::gpu::layout::WIDTH;
use crate::gpu::packet::{draw_mode, g4, rgb, xy};
use crate::gpu::{Blend, Depth, DisplayList, Full, Style, page};

/// Colour of a panel's upper corners.
pub const PANEL_TOP: u32 = rgb(0x18, 0x18, 0x28);
/// Colour of its lower corners.
pub const PANEL_BOTTOM: u32 = rgb(0x40, 0x40, 0xA0);
/// Palette of a picker's labels.
pub const LABELS: u8 = 7;
/// Pixels from a picker's left edge to its labels.
pub const LABEL_X: i16 = 16;
/// From a box's corner to its first row. Not published: chosen so that three rows stand inside.
pub const TEXT_AT: (i16, i16) = (8, -2);

/// Half of a panel: the same quad is drawn twice, each time taking half of what is behind it.
#[must_use]
pub const fn panel(x: i16, y: i16, width: i16, height: i16) -> [u32; 8] {
    let (right, bottom) = (x.wrapping_add(width), y.wrapping_add(height));
    g4(
        Style::SEMI_TRANSPARENT,
        [PANEL_TOP, PANEL_TOP, PANEL_BOTTOM, PANEL_BOTTOM],
        [xy(x, y), xy(right, y), xy(x, bottom), xy(right, bottom)],
    )
}

/// Put a panel behind what `bucket` holds, with the blend that it needs.
fn push_panel(
    list: &mut DisplayList<'_>,
    bucket: usize,
    x: i16,
    y: i16,
    height: i16,
) -> Result<(), Full> {
    let quad = panel(x, y, BOX_WIDTH, height);
    list.push(bucket, &quad)?;
    list.push(bucket, &quad)?;
    list.push(
        bucket,
        &draw_mode(page(0, 0, Blend::Average, Depth::Four), true),
    )
}

/// Put the glyphs of a text into `bucket`, the text's beginning at `(x, y)`, up to the first one to the right of the
/// picture: a line that is longer than that costs no more than what is seen of it.
///
/// # Errors
/// [`Full`]: the list holds those in front.
pub fn push_text<'n, F: Fn(NameKind, u8) -> &'n [u8]>(
    list: &mut DisplayList<'_>,
    bucket: usize,
    (x, y): (i16, i16),
    text: Layout<'_, '_, 'n, F>,
) -> Result<(), Full> {
    for placed in text {
        let at = (x.saturating_add(placed.x), y.saturating_add(placed.y));
        if i32::from(at.0) >= i32::from(WIDTH) {
            break;
        }
        if let Mark::Glyph(code) = placed.mark
            && let Some(packet) = glyph(code, at, placed.palette)
        {
            list.push(bucket, &packet)?;
        }
    }
    Ok(())
}

/// Put a box with what is shown of its rows into `bucket`, its corner at `at`; an empty one has no panel.
///
/// Where the game has it is not published. [`BOX_X`] and [`BOX_Y`](super::text::BOX_Y) are those of a picker, so a box that
/// shows the question to one is better put higher. Later packets of a bucket are drawn first: what was in
/// it stands in front of the box.
///
/// # Errors
/// [`Full`]: the list holds a part of the box.
pub fn push_box<'n, F: Fn(NameKind, u8) -> &'n [u8]>(
    list: &mut DisplayList<'_>,
    bucket: usize,
    font: &Font<'_>,
    text: &TextBox<'_>,
    at: (i16, i16),
    names: F,
) -> Result<(), Full> {
    push_lines(list, bucket, font, text.lines().copied(), at, names)?;
    if text.height() <= 0 {
        return Ok(());
    }
    push_panel(list, bucket, at.0, at.1, text.height())
}

/// Put the hand of our own font into `bucket` that says of a box at `at` that the button reads on: when all of the box is
/// shown. Put it there before the box, in front of which it stands; where a picker is open, that one has the hand.
///
/// # Errors
/// [`Full`]: the list has no room for it.
pub fn push_page_hand(
    list: &mut DisplayList<'_>,
    bucket: usize,
    text: &TextBox<'_>,
    at: (i16, i16),
) -> Result<(), Full> {
    let waits = text.is_full() && text.height() > 0;
    match glyph(HAND, text.hand(at), 0).filter(|_| waits) {
        Some(packet) => list.push(bucket, &packet),
        None => Ok(()),
    }
}

/// Put a box with these rows into `bucket`, as [`push_box`] does one with those of a conversation.
///
/// # Errors
/// [`Full`]: the list holds a part of the box.
pub fn push_rows<'n, F: Fn(NameKind, u8) -> &'n [u8]>(
    list: &mut DisplayList<'_>,
    bucket: usize,
    font: &Font<'_>,
    rows: &[&[u8]],
    (x, y): (i16, i16),
    names: F,
) -> Result<(), Full> {
    let lines = rows.iter().flat_map(|it| Lines::of(it));
    let height = push_lines(list, bucket, font, lines, (x, y), names)?;
    push_panel(list, bucket, x, y, height)
}

/// Put what is shown of lines into `bucket`, into a box whose corner is at `at`; the height of such a box.
fn push_lines<'l, 'n, F: Fn(NameKind, u8) -> &'n [u8]>(
    list: &mut DisplayList<'_>,
    bucket: usize,
    font: &Font<'_>,
    lines: impl Iterator<Item = Line<'l>>,
    at: (i16, i16),
    names: F,
) -> Result<i16, Full> {
    let x = at.0.saturating_add(TEXT_AT.0);
    let mut height = 0_i16;
    for line in lines {
        // The first line stands where it stands, whatever was above it once.
        if height != 0 {
            height = height.saturating_add(line.gap);
        } else {
            height = ROW_HEIGHT;
        }
        let y = at.1.saturating_add(TEXT_AT.1 + height - ROW_HEIGHT);
        let layout = font.lay_out(line.text, line.tokens, line.palette, &names);
        push_text(list, bucket, (x, y), layout)?;
    }
    Ok(height.saturating_sub(3))
}

/// Put a picker with its labels and the hand of our own font into `bucket`, as [`push_box`] does a box, where the
/// game has it.
///
/// # Errors
/// [`Full`]: the list holds a part of the picker.
pub fn push_picker<'n, F: Fn(NameKind, u8) -> &'n [u8]>(
    list: &mut DisplayList<'_>,
    bucket: usize,
    font: &Font<'_>,
    picker: &Picker<'_>,
    names: F,
) -> Result<(), Full> {
    push_picker_at(list, bucket, font, picker, picker.area().0, names)
}

/// [`push_picker`] with its upper edge somewhere else.
///
/// # Errors
/// [`Full`]: the list holds a part of the picker.
pub fn push_picker_at<'n, F: Fn(NameKind, u8) -> &'n [u8]>(
    list: &mut DisplayList<'_>,
    bucket: usize,
    font: &Font<'_>,
    picker: &Picker<'_>,
    y: i16,
    names: F,
) -> Result<(), Full> {
    let (top, height) = picker.area();
    let (hand_x, hand_y) = picker.hand();
    let hand = (hand_x, hand_y.saturating_add(y).saturating_sub(top));
    if let Some(packet) = glyph(HAND, hand, 0) {
        list.push(bucket, &packet)?;
    }
    let mut row = y;
    for label in picker.labels() {
        let layout = font.lay_out(label, u16::MAX, LABELS, &names);
        let layout = layout.on_one_line();
        push_text(list, bucket, (BOX_X + LABEL_X, row), layout)?;
        row = row.saturating_add(ROW_HEIGHT);
    }
    push_panel(list, bucket, BOX_X, y, height)
}
