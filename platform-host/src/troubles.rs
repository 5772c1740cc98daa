//! What went wrong in a walk and did not end it, in sentences.

use overworld_runtime::scene::walk::Troubles;

use crate::identify::count;

/// A note for each kind of trouble; none for a walk in which all was well.
#[must_use]
pub fn notes(troubles: &Troubles) -> Vec<String> {
    let Troubles {
        entered,
        moved,
        no_fights,
        fault,
        faults,
        missing,
        full,
        dropped,
    } = troubles;
    let mut notes = Vec::new();
    if let Some(fault) = entered.fault {
        notes.push(format!("a script of the entry went wrong: {fault}"));
    }
    let mut some = |number: u32, what: &str, why: &str| {
        if number > 0 {
            notes.push(format!("{} {why}", count(number as usize, what)));
        }
    };
    let unbound = u32::from(entered.objects.unbound);
    some(
        unbound,
        "object",
        "without a script: the record that a trigger names for it is missing or malformed",
    );
    let people = u32::from(entered.people.unbound);
    some(people, "malformed record", "of people: nobody stands there");
    let refused = [entered.objects, entered.people, entered.window].map(|it| u32::from(it.refused));
    let refused = refused.into_iter().sum();
    some(refused, "actor", "more than the field has room for");
    let malformed = u32::from(entered.scripts.malformed);
    some(malformed, "script", "missing or malformed at the entry");
    let refused = u32::from(entered.scripts.refused);
    some(
        refused,
        "script",
        "more than there is room for at the entry",
    );
    if let Some(at) = moved {
        notes.push(format!(
            "the seat of a new game is a wall: the player begins at ({}, {})",
            at.x, at.z
        ));
    }
    if *no_fights {
        notes.push("the program's encounters are malformed: there are no fights".to_owned());
    }
    if let Some(fault) = fault {
        notes.push(format!(
            "scripts went wrong in {}, first {fault}",
            count(*faults as usize, "frame")
        ));
    }
    let mut beats = |number: u32, why: &str| {
        if number > 0 {
            notes.push(format!(
                "{} did not start: {why}",
                count(number as usize, "beat")
            ));
        }
    };
    beats(
        *missing,
        "the program has no such record, or a malformed one",
    );
    beats(*full, "there was no room");
    if *dropped > 0 {
        notes.push(format!(
            "{} of scripts (sounds, zones of the camera and the like) for which there was no room",
            count(*dropped as usize, "wish")
        ));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use overworld_runtime::field::spawn::Swept;
    use overworld_runtime::field::units::Point;
    use overworld_runtime::scene::world::Entered;
    use overworld_runtime::script::{Fault, FaultKind};

    #[test]
    fn each_trouble_has_its_sentence() {
        assert_eq!(notes(&Troubles::default()), [""; 0]);
        let fault = Fault {
            kind: FaultKind::Budget(9),
            script_id: 3,
            pc: 5,
            in_stream: false,
        };
        let swept = |unbound, refused| Swept {
            unbound,
            refused,
            ..Swept::default()
        };
        let found = notes(&Troubles {
            entered: Entered {
                objects: swept(2, 1),
                people: swept(1, 2),
                fault: Some(fault),
                ..Entered::default()
            },
            moved: Some(Point::new(64, -1)),
            no_fights: true,
            fault: Some(fault),
            faults: 7,
            missing: 1,
            full: 2,
            dropped: 1,
        });
        let what = "Budget in script 03 at offset 0x0005: 9 steps did not end the slice";
        assert_eq!(
            found,
            [
                &format!("a script of the entry went wrong: {what}"),
                "2 objects without a script: the record that a trigger names for it is missing or malformed",
                "1 malformed record of people: nobody stands there",
                "3 actors more than the field has room for",
                "the seat of a new game is a wall: the player begins at (64, -1)",
                "the program's encounters are malformed: there are no fights",
                &format!("scripts went wrong in 7 frames, first {what}"),
                "1 beat did not start: the program has no such record, or a malformed one",
                "2 beats did not start: there was no room",
                "1 wish of scripts (sounds, zones of the camera and the like) for which there was no room",
            ]
        );
    }
}
