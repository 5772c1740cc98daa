//! The exception handler leaves the geometry engine alone (`docs/decisions.md`): its registers are
//! not saved, so whatever the handler did there would be seen by the program that it interrupts.
//!
//! All code that the handler reaches by branches, jumps, calls and proven tables is looked at. Where it
//! calls through a pointer (the handler of a device, a formatter) nothing can be proven; there the
//! machine itself watches, for the engine is switched off while the handler runs.

use super::checks::Checker;
use super::decode::Op;
use super::graph::{Graph, Step};
use super::{Kind, Report};
use std::collections::HashSet;

/// The handler's symbol.
const HANDLER: &str = "overworld_exception";

/// Everything that is executed from the handler on.
fn reached(graph: &Graph) -> HashSet<Step> {
    let start = graph
        .image
        .symbols
        .iter()
        .find(|symbol| symbol.function && symbol.name == HANDLER)
        .and_then(|symbol| graph.image.id_of(symbol.address));
    let mut pending: Vec<Step> = start
        .map(|id| Step { id, slot: false })
        .into_iter()
        .collect();
    let mut reached = HashSet::new();
    let mut next = Vec::new();
    while let Some(step) = pending.pop() {
        if !reached.insert(step) {
            continue;
        }
        // What a pointer leads to is not known; what comes back from it is.
        graph.successors(step, &mut next);
        pending.append(&mut next);
        let called = step.id.checked_sub(1).filter(|_| step.slot);
        let back = called.and_then(|call| {
            // A call at a function's very end does not come back: what follows is somebody else's.
            let own = graph.owner(call);
            graph
                .return_point(call)
                .filter(|&back| graph.owner(back) == own)
        });
        pending.extend(back.map(|id| Step { id, slot: false }));
    }
    reached
}

/// Find the GTE instructions in the handler's code, and count its instructions.
pub fn check(checker: &mut Checker<'_, '_, '_>) {
    let mut code: Vec<_> = reached(checker.graph).iter().map(|step| step.id).collect();
    code.sort_unstable();
    code.dedup();
    let Report { statistics, .. } = checker.report;
    statistics.handler = code.len();
    for id in code {
        let op = checker.inst(id).op;
        if matches!(
            op,
            Op::Gte | Op::Mfc2 | Op::Cfc2 | Op::Mtc2 | Op::Ctc2 | Op::Lwc2 | Op::Swc2
        ) {
            checker.add(
                Kind::GteInHandler,
                id,
                None,
                format!(
                    "the exception handler ({HANDLER}) reaches this instruction of the GTE, whose \
                     registers belong to the program that was interrupted"
                ),
            );
        }
    }
}
