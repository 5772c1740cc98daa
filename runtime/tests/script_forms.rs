//! Every form of every instruction: its bytes, where the sheets' lengths lead it, and what it does (field VM
//! sheet, sections 6 and 7; menu-control sheet, section 1). Rows hold under the retail reading.

#[path = "script/host.rs"]
mod host;
#[path = "script/rows.rs"]
mod rows;

use host::Recorder;
use overworld_runtime::script::context::{Context, Place, flag};
use overworld_runtime::script::host::Search;
use overworld_runtime::script::state::{Character, Resume, Word};
use overworld_runtime::script::table::FORMS;
use overworld_runtime::script::{Compat, Vm};
use rows::{difference, hex, outcome_text};

/// Bytes | state | outcome | effects.
const ROWS: &str = include_str!("script/forms.txt");

const WORDS: [Word; 24] = [
    Word::B92C,
    Word::B930,
    Word::Bcac,
    Word::SceneY,
    Word::Bcd0,
    Word::Bcd4,
    Word::Bcd8,
    Word::B910,
    Word::B7B0,
    Word::B6ac,
    Word::Ba66,
    Word::SceneCtrl,
    Word::CardY,
    Word::Lines,
    Word::Picker,
    Word::Tint2,
    Word::A88,
    Word::B88,
    Word::C88,
    Word::A8a,
    Word::B8a,
    Word::C8a,
    Word::D8a,
    Word::Clock,
];

/// The state that scripts share, as far as it is not zero.
fn shared(vm: &Vm<'_, 3>) -> Vec<String> {
    let state = &vm.state;
    let mut seen = Vec::new();
    let numbers = [
        ("global", i64::from(state.global)),
        ("gold", state.gold.into()),
        ("coins", state.coins.into()),
        ("leader", state.leader.into()),
        ("view", state.view.into()),
        ("ramps", state.ramps.len() as i64),
        ("slot 0", state.slot(0).into()),
        ("slot 2", state.slot(2).into()),
        ("input_lock", state.input_lock.into()),
    ];
    for (name, value) in numbers.into_iter().filter(|it| it.1 != 0) {
        seen.push(format!("{name}: {value}"));
    }
    for word in WORDS.into_iter().filter(|&it| state.word(it) != 0) {
        seen.push(format!("{word:?}: {}", state.word(word)));
    }
    if state.member_count != 0 {
        seen.push(format!("party: {:?}", state.party()));
    }
    if state.scene_reg != [0; 3] {
        seen.push(format!("scene_reg: {:?}", state.scene_reg));
    }
    if state.floor != [0; 16] {
        seen.push(format!("floor: {:?}", state.floor));
    }
    if let Some(timed) = state.timed {
        seen.push(format!("{timed:?}"));
    }
    if state.resume != Resume::Idle {
        seen.push(format!("{:?}", state.resume));
    }
    let points = state.characters[0];
    if points != Character::default() {
        seen.push(format!("HP {} MP {}", points.hp, points.mp));
    }
    seen.extend(
        (0..0x1000)
            .filter(|&it| state.system.test(it))
            .map(|it| format!("flag {it:03X}")),
    );
    seen
}

/// Outcome and effects of a row.
fn run(code: &[u8], setup: &str) -> (String, String) {
    let mut vm = Vm::<3>::new(Compat::Retail);
    let mut host = Recorder {
        id: 0x2A,
        player: Some(1),
        ..Recorder::default()
    };
    let saved = Some(Place { code, pc: 0 });
    vm.contexts[0] = Context {
        saved,
        ..Context::new(0x2A, code, 0)
    };
    vm.contexts[1] = Context {
        x: 100,
        y: -20,
        z: 300,
        heading: 0x600,
        ..Context::new(0x77, &[], 0)
    };
    vm.contexts[2] = Context {
        x: 11,
        y: 22,
        z: 33,
        heading: 0x44,
        ..Context::new(0x46, &[], 0)
    };
    vm.player = Some(1);
    let mut extended = Vec::new();
    for token in setup.split("; ") {
        let context = &mut vm.contexts[0];
        let (key, value) = token.split_once('=').unwrap_or((token, "0"));
        let hex = u32::from_str_radix(value, 16).unwrap_or(0);
        let number = value.parse::<i32>().unwrap_or(0);
        match key {
            "-" | "idle" => {}
            "on player" => extended = [&[code[0] | 0x80, 0xF8], &code[1..]].concat(),
            "never parked" => context.saved = None,
            "local" => context.local_flags = hex as u16,
            "flags" => context.flags = hex,
            "mirror" => context.flags = flag::MIRROR,
            "tint" => context.tint_ctrl = hex,
            "heading" => context.heading = number as u16,
            "face" => (context.face, context.face_lerp) = (5, 6),
            "f68" => context.f68 = number as i16,
            "move" => context.move_id = number as i16,
            "x" => context.x = number as i16,
            "y" => context.y = number as i16,
            "z" => context.z = number as i16,
            "global" => vm.state.global = hex,
            "gold" => vm.state.gold = number,
            "coins" => vm.state.coins = number,
            "clock" => vm.state.clock = number as u32,
            "slot" => [0, 2].into_iter().for_each(|it| vm.state.set_slot(it, 7)),
            "armed" => vm.state.resume = Resume::Armed,
            "done" => vm.state.resume = Resume::Done,
            "HP" => {
                vm.state.characters[0] = Character {
                    hp: 50,
                    max_hp: 100,
                    mp: 8,
                    max_mp: 16,
                    level: 8,
                };
            }
            "region" => host.region = hex,
            "pad" => host.pad = hex as u16,
            "rand" => host.rand = hex,
            "busy" => host.busy = true,
            "dialog" => host.dialog = true,
            "camera" => host.camera = true,
            "unsettled" => host.settled = false,
            "type" => host.type_live = true,
            "outside" => host.inside = false,
            "found" => host.found = true,
            "marker" => host.search = Search::Found,
            "another" => host.search = Search::Other,
            "floor" => host.floor = Some(-99),
            "blank grid" => host.grid.fill(0),
            token => match token.split_once(' ') {
                Some(("member", id)) => {
                    vm.state.add_member(id.parse().expect("a member"));
                    vm.state.characters[0].max_hp = 9;
                }
                Some(("flag", rest)) => {
                    let number = rest.strip_suffix(" set").expect("a flag");
                    vm.state
                        .system
                        .set(u16::from_str_radix(number, 16).expect("a flag"));
                }
                _ => panic!("no state {token}"),
            },
        }
    }
    if !extended.is_empty() {
        let code: &'static [u8] = extended.leak();
        vm.contexts[0].code = code;
        return finish(vm, host);
    }
    finish(vm, host)
}

fn finish(mut vm: Vm<'_, 3>, mut host: Recorder) -> (String, String) {
    let before = vm.contexts;
    let was = shared(&vm);
    let outcome = vm.step(&mut host, 0);
    let outcome = outcome_text(outcome, vm.contexts[0].pc);
    let mut seen = Vec::new();
    for (name, (before, after)) in ["", "player ", "46 "]
        .into_iter()
        .zip(before.iter().zip(&vm.contexts))
    {
        let changed = difference(before, after).into_iter();
        seen.extend(changed.map(|it| format!("{name}{it}")));
    }
    let now = shared(&vm);
    seen.extend(
        was.iter()
            .filter(|it| !now.contains(it))
            .map(|it| format!("no {it}")),
    );
    seen.extend(now.into_iter().filter(|it| !was.contains(it)));
    seen.extend(host.heard);
    if seen.is_empty() {
        seen.push("-".into());
    }
    (outcome, seen.join("; "))
}

#[test]
fn every_form_does_what_the_sheets_say() {
    let mut met = vec![false; FORMS.len()];
    let mut wrong = Vec::new();
    for row in ROWS.lines() {
        let cells: Vec<&str> = row.split(" | ").collect();
        let [code, setup, outcome, effects] = cells[..] else {
            panic!("{row}");
        };
        let code = hex(code);
        let (seen, did) = run(&code, setup);
        if (seen.as_str(), did.as_str()) != (outcome, effects) {
            wrong.push(format!("{} | {seen} | {did}", cells[..2].join(" | ")));
        }
        // The first form that covers the sub-op.
        let form = FORMS.iter().position(|it| {
            let sub = it.sub_at().and_then(|at| code.get(1 + at));
            (it.opcode..=it.last).contains(&code[0])
                && sub.is_none_or(|sub| (it.low..=it.high).contains(sub))
        });
        if let Some(form) = form {
            met[form] = true;
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    // Only music sub-ops differ in nothing but their number.
    let missed = FORMS
        .iter()
        .zip(met)
        .filter(|(form, met)| !met && form.opcode != 0x35);
    let missed: Vec<_> = missed.map(|(form, _)| form.name).collect();
    assert_eq!(missed, [""; 0]);
}
