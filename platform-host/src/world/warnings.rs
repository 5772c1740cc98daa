//! What a world's map and program allow and the game does not like.

use overworld_runtime::field::map::Map;
use overworld_runtime::field::map::trigger::Script;
use overworld_runtime::field::spawn::COLD;
use overworld_runtime::scene::man::{Man, Partition};

use super::World;
use crate::{fault, identify};

impl World {
    /// What the checked map allows and the game does not like (field sheet, section 3.9), a sentence for
    /// each kind of it; then where it does not fit the program. Empty for a map that [`World::check`] refuses.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let Ok(map) = Map::parse(&self.map.1) else {
            return Vec::new();
        };
        let mut notes = fault::findings(&map);
        let man = self.man.as_ref();
        if let Some(man) = man.and_then(|(_, data)| Man::parse_lenient(data).ok()) {
            notes.extend(without_beats(&map, &man));
            notes.extend(walled_seat(&map));
        }
        notes
    }
}

/// The walk-ons that name a beat which the program does not have.
fn without_beats(map: &Map<'_>, man: &Man<'_>) -> Vec<String> {
    let beats = man.count(Partition::Beat);
    let triggers = map.triggers();
    let lost = triggers
        .scripts()
        .filter(|it| it.gate == Script::WALK_ON && u16::from(it.record) >= beats);
    let note = |it: Script| {
        let [col, row] = it.tile;
        format!(
            "walking on tile ({col}, {row}) starts beat {}, which the program does not have: it has {}",
            it.record,
            identify::count(beats.into(), "beat"),
        )
    };
    lost.map(note).collect()
}

/// That a new game begins in a wall.
fn walled_seat(map: &Map<'_>) -> Option<String> {
    let at = i32::from(COLD);
    map.walls().at(at, at).then(|| {
        format!(
            "the seat of a new game, ({at}, {at}), is a wall: the player is seated elsewhere, unless a script opens it"
        )
    })
}
