//! The rows of the field VM sheet, section 15: steps and slices under both readings, with the context, the shared
//! state and everything that the host hears.

use heapless::Vec;
use overworld_runtime::script::context::{Context, Place, flag};
use overworld_runtime::script::decode::decode;
use overworld_runtime::script::state::{Character, Resume, SystemFlags};
use overworld_runtime::script::task::Task;
use overworld_runtime::script::{Compat, Outcome, PLAYER, SYSTEM, SliceEnd, Vm};

use super::PLACES;
use super::host::{Heard, Recorder};
use super::words;
use crate::check::{Check, Reason, reason, same};

/// Number | bytes | pc | state | the port's result and effects | the console's, `=` as the port's.
const STEPS: &str = include_str!("../../tables/script_steps.txt");
/// Number | bytes | state | ends of slices and effects of the port | of the console, `=` as the port's.
const SLICES: &str = include_str!("../../tables/script_slices.txt");

/// Steps of the sheet, some with a second row.
const STEP_ROWS: u32 = 135;
const SLICE_ROWS: u32 = 11;
/// Bytes behind the first of all steps that can be cut, under each reading.
const CUTS: [u32; 2] = [451, 438];
/// Cells of a map's grid.
const GRID: usize = 0x4000;

fn bad(row: &str) -> Reason {
    reason(format_args!("not a row: {row}"))
}

/// The bytes of digits; nothing if they are none, or too many.
fn hex(text: &str) -> Option<Vec<u8, 24>> {
    text.split_ascii_whitespace()
        .map(|it| u8::from_str_radix(it, 16).ok())
        .collect()
}

/// What a row's machine is before it, to be compared with what it is then.
struct Before<'c> {
    context: Context<'c>,
    resume: Resume,
    system: SystemFlags,
}

/// Make the state that a row asks for: false if it asks for what nobody knows.
fn set_up<'c>(
    vm: &mut Vm<'c, PLACES>,
    host: &mut Recorder<'_>,
    (on, code): (usize, &'c [u8]),
    setup: &str,
) -> bool {
    for token in setup.split("; ") {
        let (key, value) = token.split_once('=').unwrap_or((token, "0"));
        let hex = u32::from_str_radix(value, 16).unwrap_or(0);
        let number = value.parse::<i32>().unwrap_or(0);
        let Some(target) = vm.contexts.get_mut(on) else {
            return false;
        };
        match key {
            "-" | "nobody" | "slot idle" | "id" => {}
            "flags" => target.flags = hex,
            "local" => target.local_flags = hex as u16,
            "heading" => target.heading = hex as u16,
            "tint" => target.tint_ctrl = hex,
            "halted" => target.flags = flag::HALT,
            "accum" => target.wait_accum = number as i16,
            "x" => target.x = number as i16,
            "y" => target.y = number as i16,
            "z" => target.z = number as i16,
            "acquire ok" => target.saved = Some(Place::new(code, 0)),
            "acquire fails" => host.acquires = false,
            "host busy" => host.busy = true,
            "region mask" => host.region = hex,
            "pad" => host.pad = hex as u16,
            "dt" => host.dt = number as u8,
            "rand" => host.rand = hex,
            "dialog busy" => host.dialog = true,
            "host: outside" => host.inside = false,
            "type live" => host.type_live = true,
            "blank grid" => host.fill = Some(0),
            "slot armed" => vm.state.resume = Resume::Armed,
            "slot done" => vm.state.resume = Resume::Done,
            "gold" => vm.state.gold = number,
            "coins" => vm.state.coins = number,
            "alt rule" => vm.state.global = 0x2_0000,
            "global bit 24" => vm.state.global = 0x100_0000,
            "HP" => {
                let [first, ..] = &mut vm.state.characters;
                *first = Character {
                    hp: 40,
                    max_hp: 100,
                    ..Character::default()
                };
            }
            other => {
                let number = other
                    .strip_prefix("flag ")
                    .and_then(|it| it.strip_suffix(" set"))
                    .and_then(|it| u16::from_str_radix(it, 16).ok());
                let Some(number) = number else {
                    return false;
                };
                vm.state.system.set(number);
            }
        }
    }
    true
}

/// Tell what the shared state shows.
fn shared(vm: &Vm<'_, PLACES>, before: &Before<'_>, heard: &mut Heard) {
    let state = &vm.state;
    words::shared(state, before.resume, |text| heard.add(text));
    if vm.counters.unresolved != 0 {
        heard.add(format_args!("unresolved"));
    }
    if state.system != before.system {
        // Flag 0E is set by `3E`, beside what the rows tell.
        let mut flags = (0..0x1000).filter(|&it| state.system.test(it) && it != 0x0E);
        match flags.next() {
            None if !state.system.test(0x0E) => heard.add(format_args!("no flags")),
            first => {
                for flag in first.into_iter().chain(flags) {
                    heard.add(format_args!("flag {flag:03X}"));
                }
            }
        }
    }
}

/// Compare what was heard with a row's effects.
fn effects(
    what: (&str, Compat),
    vm: &Vm<'_, PLACES>,
    (before, on): (&Before<'_>, usize),
    heard: &mut Heard,
    effects: &str,
) -> Check {
    let (name, compat) = what;
    if let Some(after) = vm.contexts.get(on) {
        words::difference(&before.context, after, |text| heard.add(text));
    }
    shared(vm, before, heard);
    for effect in effects.split("; ").filter(|it| *it != "-") {
        // On the console the machine knows by itself who can be acquired.
        if compat == Compat::Retail && effect.starts_with("acquire?") {
            continue;
        }
        same!(
            heard.take(effect),
            true,
            "{name} under {compat:?}: {effect}"
        );
    }
    same!(heard.left(), 0, "{name} under {compat:?}: effects too many");
    Ok(())
}

/// Give a row its machine: place 0 runs the script, an extended instruction works on place 1. The place that the row is
/// about.
fn prepare<'c>(
    vm: &mut Vm<'c, PLACES>,
    host: &mut Recorder<'_>,
    (name, code, pc, setup): (&str, &'c [u8], u16, &str),
) -> Result<usize, Reason> {
    let extended = code.get(usize::from(pc)).filter(|it| **it & 0x80 != 0);
    let on = usize::from(extended.is_some());
    {
        let [script, target, third, ..] = &mut vm.contexts;
        *script = Context::new(0x2A, code, pc);
        if let (Some(_), Some(&id)) = (extended, code.get(usize::from(pc) + 1)) {
            let there = !setup.contains("nobody");
            if there {
                let number = if id == PLAYER { 0x77 } else { id };
                *target = Context::new(number.into(), &[], 0);
            }
            if id == PLAYER {
                (vm.player, host.player) = (Some(1), Some(1));
            }
            vm.system = (id == SYSTEM && there).then_some(1);
        }
        if name == "V75" {
            *third = Context {
                x: 11,
                y: 22,
                z: 33,
                heading: 44,
                ..Context::new(0x2C, &[], 0)
            };
        }
    }
    let known = set_up(vm, host, (on, code), setup);
    same!(known, true, "{name}: state {setup}");
    Ok(on)
}

/// Run a step under a reading and compare.
#[inline(never)]
fn step(
    grid: &mut [u8],
    (name, code, pc, setup): (&str, &[u8], u16, &str),
    compat: Compat,
    (result, told): (&str, &str),
) -> Check {
    let mut vm = Vm::<PLACES>::new(compat);
    let mut host = Recorder::new(Some(grid));
    let on = prepare(&mut vm, &mut host, (name, code, pc, setup))?;
    let before = Before {
        context: vm.contexts.get(on).copied().unwrap_or(Context::EMPTY),
        resume: vm.state.resume,
        system: vm.state.system,
    };
    let outcome = vm.step(&mut host, 0);
    let now = super::context(&vm).pc;
    let (kind, to) = match outcome {
        Outcome::Advance(to) => ("advance", to),
        Outcome::Park => ("park", now),
        Outcome::ParkAt(to) => ("frame end", to),
        Outcome::Yield(to) => ("yield", to),
        Outcome::Text => ("text", now),
        Outcome::Fault(fault) => {
            same!((fault.script_id, fault.pc), (0x2A, pc), "{name}: the fault");
            (fault.kind.name(), now)
        }
    };
    let (words, number) = result.rsplit_once(' ').ok_or_else(|| bad(result))?;
    let words = words.strip_prefix("fault:").unwrap_or(words);
    let number = number.parse().map_err(|_| bad(result))?;
    same!(
        (kind, to, now),
        (words, number, number),
        "{name} under {compat:?}"
    );
    let mut heard = core::mem::take(&mut host.heard);
    effects((name, compat), &vm, (&before, on), &mut heard, told)
}

/// The cells of a row.
fn cells(row: &str) -> Vec<&str, 8> {
    row.split('|').take(8).map(str::trim).collect()
}

/// All steps.
#[inline(never)]
pub(super) fn steps<G>(_: &mut G) -> Check {
    let mut grid = [0; GRID];
    let mut rows = 0;
    for row in STEPS.lines() {
        let cells = cells(row);
        let [name, code, pc, setup, port, port_effects, retail @ ..] = &cells[..] else {
            return Err(bad(row));
        };
        let code = hex(code).ok_or_else(|| bad(row))?;
        let what = (*name, &code[..], pc.parse().map_err(|_| bad(row))?, *setup);
        if *port != "-" {
            step(&mut grid, what, Compat::Port, (port, port_effects))?;
        }
        let retail = match retail {
            ["="] => (*port, *port_effects),
            [result, effects] => (*result, *effects),
            _ => return Err(bad(row)),
        };
        step(&mut grid, what, Compat::Retail, retail)?;
        rows += 1;
    }
    same!(rows, STEP_ROWS, "rows");
    Ok(())
}

/// Steps of a row that the record cuts, at each byte behind the first; how many they are.
#[inline(never)]
fn cut_row(row: (&str, &[u8], u16, &str), compat: Compat) -> Result<u32, Reason> {
    let (name, code, pc, setup) = row;
    let from = usize::from(pc);
    // Packets may end with the record, and with the other reading so may the bytes of a `40`.
    let Some(length) = decode(code, from, compat)
        .ok()
        .filter(|it| !it.form.layout.ends_with('P') && (it.opcode, compat) != (0x40, Compat::Port))
        .map(|it| it.len)
    else {
        return Ok(0);
    };
    // None of them changes anything: one machine is enough.
    let mut vm = Vm::<PLACES>::new(compat);
    let mut host = Recorder::new(None);
    prepare(&mut vm, &mut host, (name, code, pc, setup))?;
    let state = vm.state;
    let mut cuts = 0;
    for end in from + 1..from + length {
        let [script, ..] = &mut vm.contexts;
        script.task = Task::new(code.get(..end).unwrap_or_default());
        // The one that runs, the target, and a third.
        let before = vm.contexts.first_chunk::<3>().copied();
        let outcome = vm.step(&mut host, 0);
        let kind = match outcome {
            Outcome::Fault(fault) if fault.pc == pc => fault.kind.name(),
            _ => "no fault",
        };
        cuts += 1;
        same!(kind, "Truncated", "{name} cut at {end} under {compat:?}");
        let same = vm.contexts.first_chunk() == before.as_ref() && vm.state == state;
        let done = (same, host.heard.left(), vm.counters.truncated);
        same!(
            done,
            (true, 0, cuts),
            "{name} cut at {end} under {compat:?}"
        );
    }
    Ok(cuts)
}

/// All steps, cut (section 13): truncated at the PC, and nothing is done.
#[inline(never)]
pub(super) fn cuts<G>(_: &mut G) -> Check {
    let mut cuts = [0; 2];
    for row in STEPS.lines() {
        let cells = cells(row);
        let [name, code, pc, setup, ..] = &cells[..] else {
            return Err(bad(row));
        };
        let code = hex(code).ok_or_else(|| bad(row))?;
        let what = (*name, &code[..], pc.parse().map_err(|_| bad(row))?, *setup);
        for (cuts, compat) in cuts.iter_mut().zip([Compat::Retail, Compat::Port]) {
            *cuts += cut_row(what, compat)?;
        }
    }
    same!(cuts, CUTS, "cuts");
    Ok(())
}

/// Run slices under a reading and compare.
#[inline(never)]
fn slice(
    grid: &mut [u8],
    (name, code, setup): (&str, &[u8], &str),
    compat: Compat,
    (ends, told): (&str, &str),
) -> Check {
    let mut vm = super::machine_under(code, compat);
    let mut host = Recorder::new(Some(grid));
    let known = set_up(&mut vm, &mut host, (0, code), setup);
    same!(known, true, "{name}: state {setup}");
    let before = Before {
        context: *super::context(&vm),
        resume: vm.state.resume,
        system: vm.state.system,
    };
    for (frame, end) in ends.split(", ").enumerate() {
        let kind = match vm.slice(&mut host, 0, 256) {
            SliceEnd::FrameEnd => "frame",
            SliceEnd::Parked => "parked",
            SliceEnd::Yielded => "yielded",
            SliceEnd::Text => "text",
            SliceEnd::Left => "left",
            SliceEnd::Halted => "halted",
            SliceEnd::Fault(fault) => {
                let place = (fault.script_id, fault.pc);
                same!(place, (5, super::context(&vm).pc), "{name}: the fault");
                fault.kind.name()
            }
        };
        let (words, number) = end.rsplit_once(' ').ok_or_else(|| bad(end))?;
        let words = words.strip_prefix("fault:").unwrap_or(words);
        let number = number.parse().map_err(|_| bad(end))?;
        same!(
            (kind, super::context(&vm).pc),
            (words, number),
            "{name} under {compat:?}, frame {frame}"
        );
    }
    let mut heard = core::mem::take(&mut host.heard);
    effects((name, compat), &vm, (&before, 0), &mut heard, told)
}

/// S1 to S10.
#[inline(never)]
pub(super) fn slices<G>(_: &mut G) -> Check {
    let mut grid = [0; GRID];
    let mut rows = 0;
    for row in SLICES.lines() {
        let cells = cells(row);
        let [name, code, setup, port, port_effects, retail @ ..] = &cells[..] else {
            return Err(bad(row));
        };
        let code = hex(code).ok_or_else(|| bad(row))?;
        let retail = match retail {
            ["="] => (*port, *port_effects),
            [ends, effects] => (*ends, *effects),
            _ => return Err(bad(row)),
        };
        let what = (*name, &code[..], *setup);
        slice(&mut grid, what, Compat::Port, (port, port_effects))?;
        slice(&mut grid, what, Compat::Retail, retail)?;
        rows += 1;
    }
    same!(rows, SLICE_ROWS, "rows");
    Ok(())
}

/// S8, cell by cell: the rows lie one further than encoded.
#[inline(never)]
pub(super) fn paint<G>(_: &mut G) -> Check {
    const CODE: &[u8] = &[
        0x4C, 0x70, 0x10, 0x10, 0x10, 0x10, 0x4C, 0x71, 0x11, 0x11, 0x11, 0x11, 0x21,
    ];
    for compat in [Compat::Retail, Compat::Port] {
        let mut grid = [0x5A; GRID];
        let mut vm = super::machine_under(CODE, compat);
        let mut host = Recorder::new(Some(&mut grid));
        host.fill = None;
        same!(vm.slice(&mut host, 0, 256), SliceEnd::FrameEnd, "S8");
        for (at, cell) in grid.iter().enumerate() {
            let expected = match (at % 128, at / 128) {
                (16, 17) => 0x0A,
                (17, 18) => 0xFA,
                _ => 0x5A,
            };
            same!(*cell, expected, "cell {at} under {compat:?}");
        }
    }
    Ok(())
}
