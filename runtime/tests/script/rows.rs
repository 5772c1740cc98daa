//! What tables of scripts and their results are made of.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use overworld_runtime::script::Outcome;
use overworld_runtime::script::context::Context;

/// The bytes of digits.
pub fn hex(text: &str) -> Vec<u8> {
    let digits = |it| u8::from_str_radix(it, 16).expect("hexadecimal");
    text.split_whitespace().map(digits).collect()
}

/// A step's outcome in the words of the rows; the PC is `now`.
pub fn outcome_text(outcome: Outcome, now: u16) -> String {
    match outcome {
        Outcome::Advance(to) => format!("advance {to}"),
        Outcome::Park => format!("park {now}"),
        Outcome::ParkAt(to) => format!("frame end {to}"),
        Outcome::Yield(to) => format!("yield {to}"),
        Outcome::Text => format!("text {now}"),
        Outcome::Fault(fault) => format!("fault:{} {now}", fault.kind.name()),
    }
}

/// The fields in which a context differs, in the words of the sheet.
pub fn difference(before: &Context<'_>, after: &Context<'_>) -> Vec<String> {
    let fields = |it: &Context<'_>| {
        [
            ("move_substate", i64::from(it.move_substate)),
            ("move_id", it.move_id.into()),
            ("f5e", it.f5e.into()),
            ("world_x", it.x.into()),
            ("world_y", it.y.into()),
            ("world_z", it.z.into()),
            ("grid_x", it.grid_x.into()),
            ("grid_z", it.grid_z.into()),
            ("flags", it.flags.into()),
            ("local_flags", it.local_flags.into()),
            ("heading", it.heading.into()),
            ("saved_heading", it.saved_heading.into()),
            ("wait_accum", it.wait_accum.into()),
            ("anim_count", it.anim_count.into()),
            ("scale", it.scale.into()),
            ("f6a", it.f6a.into()),
            ("f24", it.f24.into()),
            ("f28", it.f28.into()),
            ("f42", it.f42.into()),
            ("f58", it.f58.into()),
            ("model", it.model.into()),
            ("tint_ctrl", it.tint_ctrl.into()),
            ("tint_amt", it.tint_amt.into()),
            ("y_mirror", it.y_mirror.into()),
            ("face", it.face.into()),
            ("face_lerp", it.face_lerp.into()),
            ("f68", it.f68.into()),
        ]
    };
    let pairs = fields(before).into_iter().zip(fields(after));
    let changed = pairs.filter(|(before, after)| before != after);
    changed
        .map(|(_, (name, value))| format!("{name}: {value}"))
        .collect()
}
