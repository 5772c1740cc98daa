//! Every form of every instruction: its name and the layout of its operands. Decoder, disassembler
//! and assembler read this one table.
//!
//! A layout has one letter an operand, in the order of the bytes behind opcode and target id:
//!
//! | Letter | Bytes | Operand |
//! |---|---|---|
//! | `*` | 1 | the sub-op; written as a number only where the form spans several |
//! | `b` `i` | 1 | unsigned byte; id of a context |
//! | `s` `w` | 2 | signed, unsigned |
//! | `m` `M` | 3 | unsigned, signed |
//! | `d` | 4 | unsigned |
//! | `j` | 2 | jump by rule R |
//! | `F` | 1 | system flag: this byte, with the opcode's low nibble above it |
//! | `D` | 1 + n | count and bytes |
//! | `N` | 1 + n | count and name |
//! | `K` | 2 + 4n | count, first clip, keyframes |
//! | `C` | 2k | one word for each bit of the camera mask in the two bytes behind the opcode |
//! | `P` | n + 1 | text up to a byte of at most `1E` |

use super::compat::prose;

/// The sub-op byte of a form that has none.
const NO_SUB: u8 = 0xFF;

/// One form of an instruction.
#[derive(Debug, PartialEq, Eq)]
pub struct Form {
    /// First opcode (bits 0..6); forms of the system bank span sixteen.
    pub opcode: u8,
    /// Last opcode.
    pub last: u8,
    /// First value of the sub-op byte.
    pub low: u8,
    /// Last value of the sub-op byte.
    pub high: u8,
    /// Offset of the sub-op byte from the first operand byte; `0xFF` when there is none.
    sub_at: u8,
    /// Operand bytes when their number is fixed; `0xFF` otherwise.
    fixed: u8,
    /// Mnemonic.
    pub name: &'static str,
    /// Operand letters.
    pub layout: &'static str,
}

impl Form {
    /// Offset of the sub-op byte from the first operand byte.
    #[must_use]
    pub const fn sub_at(&self) -> Option<usize> {
        match self.sub_at {
            NO_SUB => None,
            at => Some(at as usize),
        }
    }

    /// Operand bytes, when their number does not depend on the operands.
    #[must_use]
    pub const fn fixed(&self) -> Option<usize> {
        match self.fixed {
            0xFF => None,
            size => Some(size as usize),
        }
    }

    /// Whether the sub-op byte is written as an operand: the name alone does not tell it.
    #[must_use]
    pub const fn sub_is_operand(&self) -> bool {
        self.low != self.high
    }
}

/// Bytes of an operand letter; `None` for those that vary.
const fn width(letter: u8) -> Option<u8> {
    match letter {
        b'*' | b'b' | b'i' | b'F' => Some(1),
        b's' | b'w' | b'j' => Some(2),
        b'm' | b'M' => Some(3),
        b'd' => Some(4),
        _ => None,
    }
}

const fn build(
    opcode: u8,
    last: u8,
    low: u8,
    high: u8,
    name: &'static str,
    layout: &'static str,
) -> Form {
    let letters = layout.as_bytes();
    let (mut index, mut size, mut fixed, mut sub_at) = (0, 0, true, NO_SUB);
    while index < letters.len() {
        if letters[index] == b'*' {
            sub_at = size;
        }
        match width(letters[index]) {
            Some(width) => size += width,
            None => fixed = false,
        }
        index += 1;
    }
    Form {
        opcode,
        last,
        low,
        high,
        sub_at,
        fixed: if fixed { size } else { 0xFF },
        name,
        layout,
    }
}

const fn op(opcode: u8, name: &'static str, layout: &'static str) -> Form {
    build(opcode, opcode, 0, 0, name, layout)
}

const fn sub(opcode: u8, value: u8, name: &'static str, layout: &'static str) -> Form {
    build(opcode, opcode, value, value, name, layout)
}

const fn span(opcode: u8, low: u8, high: u8, name: &'static str, layout: &'static str) -> Form {
    build(opcode, opcode, low, high, name, layout)
}

const fn bank(opcode: u8, name: &'static str, layout: &'static str) -> Form {
    build(opcode, opcode + 0xF, 0, 0, name, layout)
}

/// One of two layouts: the second under a reading that is not adopted.
const fn either(other: bool, layouts: [&'static str; 2]) -> &'static str {
    layouts[other as usize]
}

/// All forms, ascending by opcode. Of two forms that cover a sub-op, the first counts.
pub static FORMS: &[Form] = &[
    op(0x21, "nop.f", ""),
    op(0x22, "exec_move", "b"),
    op(0x23, "move_to", "bb"),
    op(0x24, "nop.24", ""),
    op(0x25, "nop.25", ""),
    op(0x26, "jmp", "j"),
    op(0x2B, "lset", "b"),
    op(0x2C, "lclr", "b"),
    op(0x2D, "ltst", "b"),
    op(0x2E, "gset", "b"),
    op(0x2F, "gclr", "b"),
    op(0x30, "gtst", "b"),
    op(0x31, "cset", "b"),
    op(0x32, "cclr", "b"),
    op(0x33, "ctst", "b"),
    span(0x34, 0x00, 0x0F, "effect.color", "*bbbs"),
    span(0x34, 0x10, 0x1F, "effect.spawn", "*bbbssss"),
    span(
        0x34,
        0x20,
        0x2F,
        "effect.capture",
        either(prose::LONG_EFFECTS, ["*", "*b"]),
    ),
    span(
        0x34,
        0x30,
        0x3F,
        "effect.anim",
        either(prose::LONG_EFFECTS, ["*b", "*bb"]),
    ),
    sub(0x35, 1, "bgm.play", "s*"),
    sub(0x35, 2, "bgm.pause", "s*"),
    sub(0x35, 3, "bgm.stop", "s*"),
    sub(0x35, 4, "bgm.resume", "s*"),
    sub(0x35, 5, "bgm.release", "s*"),
    sub(0x35, 6, "bgm.mark", "s*"),
    sub(0x35, 7, "bgm.sound_set", "s*"),
    sub(0x35, 8, "bgm.volume", "s*"),
    sub(0x35, 9, "bgm.barrier", "s*"),
    sub(0x35, 10, "bgm.swap", "s*"),
    sub(0x35, 11, "bgm.arm", "s*"),
    span(0x35, 0, 0xFF, "bgm", "s*"),
    op(0x36, "sound", "ww"),
    op(0x37, "glide", "bb"),
    op(0x38, "face", "bb"),
    op(0x39, "give_item", "b"),
    op(0x3A, "add_money", "M"),
    op(0x3B, "set_item_count", "bb"),
    op(0x3C, "party_add", "b"),
    op(0x3D, "party_remove", "b"),
    span(0x3E, 0, 99, "interact", "*b"),
    sub(0x3E, 0xFF, "battle", "*b"),
    span(0x3E, 100, 254, "warp", "*bbbb"),
    op(0x3F, "scene_change", "sNbbb"),
    op(0x40, "data", "D"),
    op(0x41, "glide_half", "bb"),
    sub(0x42, 0, "jregion", "*bj"),
    sub(0x42, 1, "jpad", "*bj"),
    span(0x43, 0, 1, "actor.hop", "*bbb"),
    sub(0x43, 2, "actor.talk", "*iiiwb"),
    sub(0x43, 3, "zone.h", "*bbbbss"),
    sub(0x43, 4, "zone.depth", "*bbbbss"),
    sub(0x43, 5, "zone.pitch", "*bbbbss"),
    sub(0x43, 6, "zone.yaw", "*bbbbss"),
    sub(0x43, 7, "actor.face_slot", "*bdwwwws"),
    sub(0x43, 8, "actor.face_clear", "*"),
    sub(0x43, 9, "actor.position", "*wwww"),
    span(0x43, 0xA, 0xB, "actor.hop_wide", "*bbbbbbb"),
    sub(0x43, 0xC, "actor.emitter", "*bbb"),
    sub(0x43, 0xD, "actor.alloc3", "*bbbb"),
    sub(0x43, 0xE, "actor.retire", "*"),
    sub(0x43, 0xF, "actor.alloc0", "*bbbb"),
    sub(0x43, 0x10, "screen.sprite", "*ssssssssm"),
    sub(0x43, 0x11, "screen.mask", "*wwwww"),
    sub(0x43, 0x12, "screen.copy", "*ssssss"),
    sub(0x43, 0x13, "screen.image", "*ssssss"),
    sub(0x43, 0x14, "screen.panel", "*ssss"),
    sub(0x43, 0x15, "screen.letterbox", "*ssssss"),
    op(0x44, "spawn_record", "b"),
    span(0x45, 0x00, 0x3F, "cam.set", "*bwC"),
    span(0x45, 0x40, 0x7F, "cam.load", "*wwwwwwwww"),
    span(0x45, 0x80, 0xBF, "cam.save", "*"),
    span(0x45, 0xC0, 0xFF, "cam.apply", "*j"),
    sub(0x46, 0x24, "render.long", "*bbbb"),
    span(0x46, 0, 0xFF, "render.short", "*b"),
    op(0x47, "walk_to", "bbb"),
    op(0x48, "nop.48", ""),
    sub(0x49, 0x0, "menu.shop", "*bDP"),
    sub(0x49, 0x1, "menu.1", "*b"),
    sub(0x49, 0x2, "menu.2", "*bbbbb"),
    sub(0x49, 0x3, "menu.name", "*b"),
    sub(0x49, 0x4, "menu.4", "*bbbbb"),
    sub(0x49, 0x5, "menu.5", "*bbbbbbbbbbbb"),
    sub(0x49, 0x6, "menu.6", "*bbb"),
    sub(0x49, 0x7, "menu.7", "*b"),
    sub(0x49, 0x8, "menu.8", "*bbb"),
    sub(0x49, 0x9, "menu.9", "*bbb"),
    sub(0x49, 0xC, "menu.c", "*bbb"),
    sub(0x49, 0xD, "menu.d", "*bbb"),
    op(0x4A, "wait", "w"),
    op(0x4B, "animate", "K"),
    span(0x4C, 0x00, 0x0F, "party.leader", "*"),
    sub(0x4C, 0x10, "word.b7b0", "*mbb"),
    sub(0x4C, 0x11, "ctrl.11", "*bbbbb"),
    sub(0x4C, 0x12, "tint", "*bbbw"),
    sub(0x4C, 0x13, "tint2", "*bbbw"),
    sub(0x4C, 0x14, "ctrl.14", "*bbbbi"),
    span(0x4C, 0x15, 0x1F, "ctrl.15", "*bbbbb"),
    span(0x4C, 0x20, 0x2F, "party.view", "*"),
    sub(0x4C, 0x30, "input.lock", "*"),
    sub(0x4C, 0x31, "input.unlock", "*"),
    sub(0x4C, 0x32, "flags.zero", "*"),
    sub(0x4C, 0x33, "party.refresh", "*"),
    sub(0x4C, 0x34, "ctrl.34", "*"),
    sub(0x4C, 0x35, "local.20a", "*"),
    sub(0x4C, 0x36, "local.28a", "*"),
    sub(0x4C, 0x37, "copy_player", "*"),
    sub(0x4C, 0x38, "region.refresh", "*"),
    sub(0x4C, 0x39, "player.floor", "*"),
    sub(0x4C, 0x3A, "player.arrival", "*"),
    sub(0x4C, 0x3B, "ctrl.3b", "*"),
    sub(0x4C, 0x3C, "ctrl.3c", "*"),
    sub(0x4C, 0x3D, "region.refresh2", "*"),
    sub(0x4C, 0x3E, "cam.resync", "*"),
    sub(0x4C, 0x3F, "party.pose", "*"),
    sub(0x4C, 0x40, "ramp.scale", "*sw"),
    sub(0x4C, 0x41, "ramp.pace", "*sw"),
    sub(0x4C, 0x42, "ramp.y_mirror", "*sw"),
    sub(0x4C, 0x43, "ramp.f24", "*sw"),
    sub(0x4C, 0x44, "ramp.f28", "*sw"),
    sub(0x4C, 0x45, "ramp.render", "*bsssw"),
    sub(0x4C, 0x46, "ramp.b92c", "*sw"),
    sub(0x4C, 0x47, "ramp.b930", "*sw"),
    sub(0x4C, 0x48, "ramp.heading", "*sw"),
    sub(0x4C, 0x49, "ramp.scene_y", "*sw"),
    sub(0x4C, 0x4A, "ramp.bcd0", "*sw"),
    sub(0x4C, 0x4B, "ramp.bcd4", "*sw"),
    sub(0x4C, 0x4C, "ramp.bcd8", "*sw"),
    sub(0x4C, 0x4D, "ramp.audio", "*sw"),
    sub(0x4C, 0x50, "set_model", "*s"),
    sub(0x4C, 0x51, "seat", "*bbbb"),
    sub(0x4C, 0x52, "take_item", "*b"),
    sub(0x4C, 0x53, "dialog.wait", "*"),
    sub(0x4C, 0x54, "dialog.poll", "*"),
    sub(0x4C, 0x60, "vram.move", "*ssssss"),
    sub(0x4C, 0x61, "clut.fade", "*wwwwwww"),
    sub(0x4C, 0x70, "wall.clear", "*bbbb"),
    sub(0x4C, 0x71, "wall.fill", "*bbbb"),
    sub(0x4C, 0x72, "wall.clear_mask", "*bbbbb"),
    sub(0x4C, 0x73, "wall.set_mask", "*bbbbb"),
    sub(0x4C, 0x80, "crawl", "*b"),
    sub(0x4C, 0x81, "tint_ctrl", "*mww"),
    sub(0x4C, 0x82, "heal", "*b"),
    sub(0x4C, 0x83, "trigger.patch", "*bbbbb"),
    sub(0x4C, 0x84, "cam.shake", "*b"),
    sub(0x4C, 0x85, "turn_to", "*wi"),
    sub(0x4C, 0x86, "actor.place", "*ssssssi"),
    sub(0x4C, 0x87, "retire.5154", "*"),
    sub(0x4C, 0x88, "ctrl.88", "*sbb"),
    sub(0x4C, 0x89, "card.place", "*s"),
    sub(0x4C, 0x8A, "ctrl.8a", "*sssm"),
    sub(0x4C, 0x8B, "jtype_live", "*bj"),
    sub(0x4C, 0x8C, "jguard_clear", "*j"),
    sub(0x4C, 0x8D, "jcharacter", "*bbj"),
    sub(0x4C, 0x8E, "turn_to.8e", "*wi"),
    sub(0x4C, 0x8F, "turn_to.left", "*wi"),
    span(0x4C, 0x90, 0x92, "fade", "*bsss"),
    sub(0x4C, 0x9E, "floor.table", "*ssssssssssssssss"),
    sub(0x4C, 0x9F, "fade.cancel", "*"),
    sub(0x4C, 0xA0, "jctx", "*bj"),
    sub(0x4C, 0xA1, "jlocal", "*bj"),
    sub(0x4C, 0xA2, "jglobal", "*bj"),
    span(0x4C, 0xA3, 0xAF, "jnever", "*bs"),
    sub(0x4C, 0xC0, "clip.cancel", "*"),
    sub(0x4C, 0xC1, "trigger.refresh", "*"),
    sub(0x4C, 0xC2, "set_f42", "*b"),
    sub(0x4C, 0xC3, "reseat", "*"),
    sub(0x4C, 0xC4, "region.refresh_at", "*bb"),
    sub(0x4C, 0xC5, "wait_set", "*w"),
    sub(0x4C, 0xC6, "wait_clear", "*w"),
    sub(0x4C, 0xC7, "sfx", "*bb"),
    sub(0x4C, 0xC8, "tint_ctrl.flip", "*"),
    sub(0x4C, 0xC9, "bgm.wait", "*"),
    sub(0x4C, 0xCA, "slot.set", "*bs"),
    sub(0x4C, 0xCB, "slot.add", "*bs"),
    sub(0x4C, 0xCC, "slot.sub", "*bs"),
    sub(0x4C, 0xCD, "cam.wait", "*"),
    sub(0x4C, 0xCE, "set_b6ac", "*b"),
    sub(0x4C, 0xCF, "anchor", "*bb"),
    sub(0x4C, 0xD0, "ui.cue", "*ww"),
    sub(0x4C, 0xD1, "jcam_live", "*j"),
    sub(
        0x4C,
        0xD2,
        "restore",
        either(prose::BARE_RESTORE_AND_MODE, ["*i", "*"]),
    ),
    sub(0x4C, 0xD3, "timed_flags", "*wwdd"),
    sub(0x4C, 0xD4, "stp.set", "*ww"),
    sub(0x4C, 0xD5, "stp.clear", "*ww"),
    sub(
        0x4C,
        0xD6,
        "tint_ctrl.mode",
        either(prose::BARE_RESTORE_AND_MODE, ["*b", "*"]),
    ),
    sub(0x4C, 0xD7, "cam.cancel", "*"),
    sub(0x4C, 0xD8, "actor.spawn", "*bsww"),
    sub(0x4C, 0xD9, "mirror.set", "*s"),
    sub(0x4C, 0xDA, "mirror.clear", "*"),
    sub(0x4C, 0xDB, "ctrl.db", "*bbbbbbbbbbb"),
    sub(0x4C, 0xDC, "jsearch.write", "*bj"),
    sub(0x4C, 0xDD, "set_f58", "*b"),
    sub(0x4C, 0xDE, "jsearch", "*bj"),
    sub(0x4C, 0xDF, "scene_ctrl", "*b"),
    sub(0x4C, 0xE0, "dialog.lines", "*b"),
    sub(0x4C, 0xE1, "balloon", "*P"),
    sub(
        0x4C,
        0xE2,
        "fmv",
        either(prose::LONG_MOVIES_AND_BOXES, ["*sbb", "*sbbb"]),
    ),
    sub(0x4C, 0xE3, "copy_from", "*i"),
    sub(
        0x4C,
        0xE4,
        "bbox.world",
        either(prose::LONG_MOVIES_AND_BOXES, ["*bbbbj", "*bbbbjb"]),
    ),
    sub(0x4C, 0xE5, "add_coins", "*M"),
    sub(0x4C, 0xE6, "ctrl.e6", "*sss"),
    sub(0x4C, 0xE7, "cam.word", "*mw"),
    sub(0x4C, 0xE8, "crawl.ctrl", "*ssss"),
    sub(0x4C, 0xE9, "clear_b9c4", "*"),
    sub(0x4C, 0xEA, "game_over", "*"),
    sub(0x4C, 0xEB, "jabsent", "*ij"),
    sub(0x4C, 0xEC, "capture", "*"),
    sub(0x4C, 0xED, "set_ba66", "*b"),
    sub(0x4C, 0xEE, "clock.snapshot", "*"),
    span(0x4C, 0xF0, 0xFF, "ctrl.f", "*"),
    op(0x4D, "bbox", "bbbbj"),
    span(0x4E, 0x00, 0x0F, "if.hp", "b*wj"),
    span(0x4E, 0x10, 0x1F, "if.mp", "b*wj"),
    span(0x4E, 0x20, 0x2F, "if.level", "b*wj"),
    span(0x4E, 0x30, 0x3F, "if.gold16", "b*wj"),
    span(0x4E, 0x40, 0x4F, "if.rand", "b*wj"),
    span(0x4E, 0x50, 0x5F, "if.slot0", "b*wj"),
    span(0x4E, 0x60, 0x6F, "if.slot1", "b*wj"),
    span(0x4E, 0x70, 0x7F, "if.slot2", "b*wj"),
    span(0x4E, 0x80, 0x8F, "if.slot3", "b*wj"),
    span(0x4E, 0x90, 0x9F, "if.coins16", "b*wj"),
    span(0x4E, 0xA0, 0xAF, "if.gold", "b*wjw"),
    span(0x4E, 0xB0, 0xBF, "if.coins", "b*wjw"),
    span(0x4E, 0xC0, 0xFF, "if.never", "b*wj"),
    op(0x4F, "scene_reg", "bbb"),
    bank(0x50, "sset", "F"),
    bank(0x60, "sclr", "F"),
    bank(0x70, "stst", "Fj"),
];

/// No form.
const NONE: u8 = 0xFF;
/// Number of forms; indices fit into a byte beside [`NONE`].
const COUNT: usize = FORMS.len();
const _: () = assert!(COUNT < NONE as usize);

/// First form of each opcode.
static FIRST: [u8; 128] = {
    let mut table = [NONE; 128];
    let mut index = COUNT;
    while index > 0 {
        index -= 1;
        let mut opcode = FORMS[index].opcode;
        while opcode <= FORMS[index].last {
            table[opcode as usize] = index as u8;
            opcode += 1;
        }
    }
    table
};

/// Form of each sub-op of opcode `4C`, whose forms are too many to be looked through.
static MENU: [u8; 256] = {
    let mut table = [NONE; 256];
    let mut index = 0;
    while index < COUNT {
        if FORMS[index].opcode == 0x4C {
            let mut value = FORMS[index].low as usize;
            while value <= FORMS[index].high as usize {
                table[value] = index as u8;
                value += 1;
            }
        }
        index += 1;
    }
    table
};

/// The first form of `opcode` (bits 0..6).
#[inline]
pub(super) fn first(opcode: u8) -> Option<&'static Form> {
    let index = *FIRST.get(usize::from(opcode & 0x7F))?;
    FORMS.get(usize::from(index))
}

/// The form of `opcode` whose sub-op byte may be `value`.
#[inline]
pub(super) fn with_sub(opcode: u8, value: u8) -> Option<&'static Form> {
    if opcode == 0x4C {
        return FORMS.get(usize::from(*MENU.get(usize::from(value))?));
    }
    let index = *FIRST.get(usize::from(opcode & 0x7F))?;
    FORMS
        .get(usize::from(index)..)?
        .iter()
        .take_while(|form| form.opcode == opcode)
        .find(|form| (form.low..=form.high).contains(&value))
}

/// The form called `name`.
#[must_use]
pub fn named(name: &str) -> Option<&'static Form> {
    FORMS.iter().find(|form| form.name == name)
}
