//! What is found in a level, of each name as much as somebody reads.

use std::mem::{Discriminant, discriminant};

use crate::fault::Fault;

/// Findings of one name that a report holds at most: a small file can have a million of them.
pub const MOST: usize = 100;

/// Findings of one name that a report does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct More {
    /// The name.
    pub name: String,
    /// How many.
    pub count: usize,
}

/// Findings, of each name as many as a report holds.
pub(super) struct Findings<T> {
    held: Vec<Fault>,
    /// Of each kind the name, and how many there are.
    counts: Vec<(Discriminant<T>, String, usize)>,
}

impl<T> Findings<T> {
    pub(super) const fn new() -> Self {
        Self {
            held: Vec::new(),
            counts: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, finding: &T, fault: impl FnOnce() -> Fault) {
        let kind = discriminant(finding);
        match self.counts.iter_mut().find(|it| it.0 == kind) {
            Some((_, _, count)) => {
                *count += 1;
                if *count <= MOST {
                    self.held.push(fault());
                }
            }
            None => {
                let fault = fault();
                self.counts.push((kind, fault.name.clone(), 1));
                self.held.push(fault);
            }
        }
    }

    /// Those that are held, and the others.
    pub(super) fn finish(self) -> (Vec<Fault>, Vec<More>) {
        let more = self.counts.into_iter().filter(|it| it.2 > MOST);
        let more = more.map(|(_, name, count)| More {
            name,
            count: count - MOST,
        });
        (self.held, more.collect())
    }
}
