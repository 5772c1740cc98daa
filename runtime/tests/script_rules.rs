//! Rules of instructions that take more than a row to see (field VM sheet, sections 7 and 13).

#[path = "script/host.rs"]
mod host;
#[path = "script/source.rs"]
mod source;

use host::Recorder;
use overworld_runtime::script::context::{Context, Place, flag};
use overworld_runtime::script::{Compat, Outcome, Vm};
use source::{asm, hex};

/// 7.16: who is parked is acquired all the same while the scene is busy.
#[test]
fn a_busy_scene_acquires_who_is_parked() {
    let code = asm("face 2, 5\nsset 0x201");
    for (busy, outcome) in [(false, Outcome::Park), (true, Outcome::Yield(3))] {
        let mut vm = Vm::<1>::new(Compat::Retail);
        vm.contexts[0] = Context {
            flags: flag::HALT,
            saved: Some(Place::new(code, 3)),
            wait_accum: 9,
            ..Context::new(1, code, 0)
        };
        let mut host = Recorder {
            scene_busy: busy,
            ..Recorder::default()
        };
        assert_eq!(vm.step(&mut host, 0), outcome, "{busy}");
        let it = &vm.contexts[0];
        let place = it.saved.map(|it| it.pc());
        let expected = if busy { (0, Some(0)) } else { (9, Some(3)) };
        assert_eq!(
            (it.wait_accum, place, it.flags),
            (expected.0, expected.1, flag::HALT)
        );
    }
}

/// 7.6 and section 13: a `40` that the record cuts is no payload of the `34 1n` before it, and is truncated itself;
/// for nobody, too, `34 1n` is as long as it is.
#[test]
fn a_cut_block_is_no_payload() {
    const SPAWN: &str = "34 10 01 02 03 04 00 05 00 06 00 07 00";
    for (block, payload, next) in [
        ("40 02 AA BB", "Some([170, 187])", 17),
        ("40 00", "Some([])", 15),
        ("40 05 AA", "None", 13),
        ("40", "None", 13),
    ] {
        let code = hex(&format!("{SPAWN} {block}"));
        let mut vm = Vm::<1>::new(Compat::Retail);
        vm.contexts[0] = Context::new(1, code, 0);
        let mut host = Recorder {
            all: true,
            ..Recorder::default()
        };
        assert_eq!(vm.step(&mut host, 0), Outcome::Advance(next), "{block}");
        let [effect] = &host.heard[..] else {
            panic!("{:?}", host.heard);
        };
        assert!(
            effect.ends_with(&format!("payload: {payload} }}")),
            "{effect}"
        );
        if payload == "None" {
            for _ in 0..2 {
                let Outcome::Fault(fault) = vm.step(&mut host, 0) else {
                    panic!("{block}");
                };
                assert_eq!((fault.kind.name(), fault.pc), ("Truncated", 13));
            }
            assert_eq!(vm.contexts[0].stopped(), None);
        }
        let code = hex(&format!(
            "B4 99 {} {block}",
            SPAWN.trim_start_matches("34 ")
        ));
        vm.contexts[0] = Context::new(1, code, 0);
        assert_eq!(vm.step(&mut host, 0), Outcome::Advance(next + 1), "{block}");
    }
}
