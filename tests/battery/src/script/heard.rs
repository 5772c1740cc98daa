//! What a host hears, in the words of the sheet's vectors. The core's own tests read this file, too.

use core::fmt;

use overworld_runtime::script::host::*;

/// What the words say of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// All that it tells.
    All,
    /// A part of it: the port, which the vectors come from, tells no more.
    Part,
    /// Nothing: the port reports it only when its pools say so, or not at all.
    Nothing,
    /// There are no words for it.
    Unknown,
}

/// Where words go.
pub type Say<'s> = &'s mut dyn FnMut(fmt::Arguments<'_>);

/// `[11, 22]` in hexadecimal.
struct Bytes<'a>(&'a [u8]);

impl fmt::Display for Bytes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (n, byte) in self.0.iter().enumerate() {
            write!(f, "{}{byte:02X}", if n == 0 { "" } else { ", " })?;
        }
        f.write_str("]")
    }
}

/// Pairs of the slots that a mask gives and their words.
struct Slots<'a>(u16, &'a [u8]);

impl fmt::Display for Slots<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slots = (0..10).filter(|slot| self.0 >> (9 - slot) & 1 != 0);
        f.write_str("[")?;
        for (n, (slot, word)) in slots.zip(self.1.as_chunks().0).enumerate() {
            let comma = if n == 0 { "" } else { ", " };
            write!(f, "{comma}({slot}, {})", i16::from_le_bytes(*word))?;
        }
        f.write_str("]")
    }
}

/// A gate that was asked for.
pub fn acquire(opcode: u8, say: Say<'_>) {
    say(format_args!("acquire?(0x{opcode:X})"));
}

/// A dialogue that was asked about.
pub fn dialog_busy(argument: u8, say: Say<'_>) {
    let kind = if argument == 1 { "wait" } else { "poll" };
    say(format_args!("dialog_{kind}"));
}

/// Of an actor, which may be the player.
pub fn actor(event: &ActorEvent<'_>, player: bool, say: Say<'_>) -> Told {
    match *event {
        ActorEvent::ExecMove(id) => say(format_args!("exec_move({id})")),
        ActorEvent::MoveTo { x, z } => say(format_args!("move_to({x},{z},player={player})")),
        ActorEvent::Seat { x, z, facing, clip } => say(format_args!(
            "npc_run({x},{z},b3=0x{facing:X},move={clip},player={player})"
        )),
        ActorEvent::Animate { base, keyframes } => {
            let (n, list) = (keyframes.len() / 4, Bytes(keyframes));
            say(format_args!("animate(n={n},base={base},{list})"));
        }
        ActorEvent::Tween {
            to: [x, y, z],
            ticks,
        } => say(format_args!("tween({x},{y},{z},t={ticks})")),
        ActorEvent::SetModel(_) | ActorEvent::Effect { .. } | ActorEvent::Hop { .. } => {
            return Told::Nothing;
        }
        _ => return Told::Unknown,
    }
    Told::All
}

/// Of the camera.
pub fn camera(event: &CameraEvent<'_>, say: Say<'_>) -> Told {
    match *event {
        CameraEvent::Configure {
            mask,
            values,
            apply,
            curve,
        } => say(format_args!(
            "cam_configure({},apply={apply},mode={curve})",
            Slots(mask, values)
        )),
        CameraEvent::Load(_) => {
            say(format_args!("cam_load"));
            return Told::Part;
        }
        CameraEvent::Save => say(format_args!("cam_save")),
        CameraEvent::Apply => say(format_args!("cam_apply")),
        CameraEvent::ZoneRamp {
            axis,
            tiles: [a, b, c, d],
            start,
            end,
        } => say(format_args!(
            "zone_ramp(sub={axis},[{a}, {b}, {c}, {d}],{start},{end})"
        )),
        CameraEvent::Shake(it) => say(format_args!("shake({it})")),
        _ => return Told::Unknown,
    }
    Told::All
}

/// Of the picture.
pub fn video(event: &VideoEvent<'_>, say: Say<'_>) -> Told {
    match *event {
        VideoEvent::Tint {
            second,
            colour: [r, g, b],
            ticks,
        } => {
            let [low, high] = ticks.to_le_bytes();
            let number = 0x12 + u8::from(second);
            let list = [r, g, b, low, high];
            say(format_args!("menu1(0x{number:02X},{})", Bytes(&list)));
        }
        VideoEvent::RenderLong([a, b, c, d]) => {
            say(format_args!("render_long({a},{b},{c},{d})"));
        }
        VideoEvent::RenderShort([a, b, c, d]) => say(format_args!(
            "render_short(0x{a:X},0x{b:X},0x{c:X},0x{d:X})"
        )),
        VideoEvent::CancelFades => say(format_args!("fade_cancel")),
        VideoEvent::EffectColor { .. } | VideoEvent::RenderBlock(_) => return Told::Nothing,
        _ => return Told::Unknown,
    }
    Told::All
}

/// Of sounds.
pub fn audio(event: &AudioEvent, say: Say<'_>) -> Told {
    match *event {
        AudioEvent::Bgm { id, sub } => say(format_args!("bgm({id},{sub})")),
        AudioEvent::Sound { selector, argument } => {
            say(format_args!("sound_cue(0x{selector:04X},0x{argument:04X})"));
        }
        AudioEvent::Anchor { x, z } => say(format_args!("pos_bcast({x},{z})")),
        AudioEvent::Sfx { .. } => return Told::Unknown,
    }
    Told::All
}

/// Of texts; balloons are shown with an id.
pub fn text(event: &TextEvent<'_>, id: u16, say: Say<'_>) -> Told {
    match *event {
        TextEvent::MenuOpen { sub, .. } => say(format_args!("op49_arm(sub={sub},pc=0,f90=0)")),
        TextEvent::Balloon(packet) => {
            say(format_args!("balloon({},id=0x{id:X})", Bytes(packet)));
            return Told::All;
        }
        TextEvent::Crawl { count, pages } => {
            let tail = pages.len() + 1;
            say(format_args!("roller({count} pages, tail {tail} bytes)"));
        }
        TextEvent::Control { .. } => return Told::Unknown,
    }
    Told::Part
}

/// Of the ways out of a scene.
pub fn flow(event: &FlowEvent<'_>, say: Say<'_>) -> Told {
    match *event {
        FlowEvent::SpawnRecord(id) => say(format_args!("spawn_record(0x{id:X})")),
        FlowEvent::SceneChange {
            name,
            entry: [x, z],
            direction,
            ..
        } => {
            say(format_args!(
                "scene_change({name},0x{x:X},0x{z:X},{direction})"
            ));
            return Told::Part;
        }
        FlowEvent::MinigameWarp(id) => say(format_args!("minigame_door_warp({id})")),
        FlowEvent::Interact(a, b) => say(format_args!("field_interact(0x{a:X},0x{b:X})")),
        FlowEvent::Fmv(id) => say(format_args!("fmv({id})")),
        _ => return Told::Unknown,
    }
    Told::All
}

/// Of the bag and the purse.
pub fn item(event: &ItemEvent, say: Say<'_>) -> Told {
    match *event {
        ItemEvent::Give(id) => say(format_args!("give_item(0x{id:X})")),
        ItemEvent::SetCount { slot, count } => {
            say(format_args!("set_item_count(0x{slot:X},{count})"));
        }
        ItemEvent::Money(it) => say(format_args!("add_money({it})")),
        ItemEvent::Coins(it) => say(format_args!("add_coins({it})")),
        ItemEvent::Healed(slot) => say(format_args!("heal({slot})")),
        _ => return Told::Unknown,
    }
    Told::All
}
