//! What a step has changed, in the words of the sheet's rows: the battery's and those of the core's own tests, which
//! take this file as it is.

use core::fmt::Arguments;

use overworld_runtime::script::context::Context;
use overworld_runtime::script::state::{Resume, State, TimedFlags, Word};

/// Tell the fields in which a context differs.
pub fn difference(before: &Context<'_>, after: &Context<'_>, mut tell: impl FnMut(Arguments<'_>)) {
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
    for ((_, before), (name, after)) in fields(before).into_iter().zip(fields(after)) {
        if before != after {
            tell(format_args!("{name}: {after}"));
        }
    }
}

/// Tell what the state shows that all scripts share, but its flags; `resume` is where the resume slot was before.
pub fn shared(state: &State, resume: Resume, mut tell: impl FnMut(Arguments<'_>)) {
    if state.global & !0x0102_0000 != 0 {
        tell(format_args!("gflags={:08X}", state.global));
    }
    match (resume, state.resume) {
        (Resume::Done, Resume::Idle) => tell(format_args!("op49_clear")),
        (_, Resume::Armed) => tell(format_args!("slot armed")),
        (_, Resume::Done) => tell(format_args!("slot done")),
        (_, Resume::Idle) => {}
    }
    if state.ramps.len() == 1 {
        tell(format_args!("one ramp"));
    }
    if state.slot(2) != 0 {
        tell(format_args!("slot 2: {}", state.slot(2)));
    }
    if let Some(TimedFlags {
        expiry,
        below,
        remaining,
        threshold,
    }) = state.timed
    {
        tell(format_args!(
            "timed_flags(ab=0x{expiry:04X}{below:04X},dur={remaining},thr={threshold})"
        ));
    }
    if state.coins != 0 {
        tell(format_args!("coins: {}", state.coins));
    }
    if state.scene_reg != [0; 3] {
        let [a, b, c] = state.scene_reg;
        tell(format_args!("scene_reg({a},{b},{c})"));
    }
    if state.input_lock {
        tell(format_args!("input_lock"));
    }
    if state.word(Word::Ba66) != 0 {
        tell(format_args!("set_ba66({})", state.word(Word::Ba66)));
    }
    if state.word(Word::SceneY) != 0 {
        let y = state.word(Word::SceneY);
        tell(format_args!("sub9_player_rel({y},0)"));
    }
}
