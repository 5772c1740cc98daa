//! Touch: links between actors, events and their life cycle (field sheet, sections 5.2, 11.2 and 11.4).

use super::actor::{Actor, ActorId, Partner, Pool, flag};
use super::walk::Touch;

/// Number of script ids that the touch mailbox takes.
pub const MAIL_IDS: usize = 0x8C;

/// The standing move of an actor that has none; its posts are dropped.
pub const NO_MOVE: u8 = 0x8C;

/// The touch mailbox: one slot for the script id of the actor that was touched last, and what the game
/// keeps for each id beside it.
#[derive(Clone, Debug)]
pub struct Mailbox {
    pub(super) slot: Option<u16>,
    /// A bit an id: its posts are dropped.
    pub(super) muted: [u32; MAIL_IDS.div_ceil(32)],
    /// The standing move of each id.
    pub(super) moves: [u8; MAIL_IDS],
}

impl Mailbox {
    /// Empty, everybody heard.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            slot: None,
            muted: [0; MAIL_IDS.div_ceil(32)],
            moves: [NO_MOVE; MAIL_IDS],
        }
    }

    /// Who was touched last.
    #[must_use]
    pub const fn read(&self) -> Option<u16> {
        self.slot
    }

    /// Take it out.
    pub const fn take(&mut self) -> Option<u16> {
        self.slot.take()
    }

    /// Set the standing move of a script id, byte 0 of its record in the game's table: op 17h of an
    /// ambient stream does it, and the start of a stream with [`NO_MOVE`]. With one the id is heard, and
    /// goes back to it at each post; without it the id is not heard. Ids from [`MAIL_IDS`] on have none.
    pub fn set_move(&mut self, script: u16, standing: u8) {
        if let Some(place) = self.moves.get_mut(usize::from(script)) {
            *place = standing;
            self.mute(script, standing == NO_MOVE);
        }
    }

    /// The standing move of a script id.
    #[must_use]
    pub fn standing(&self, script: u16) -> Option<u8> {
        let found = self.moves.get(usize::from(script)).copied();
        found.filter(|&it| it != NO_MOVE)
    }

    /// Drop the posts of a script id, or hear them again, whatever its standing move. An id whose record
    /// nobody has set is heard. Ids from [`MAIL_IDS`] on never are.
    pub fn mute(&mut self, script: u16, muted: bool) {
        if usize::from(script) < MAIL_IDS
            && let Some(word) = self.muted.get_mut(usize::from(script / 32))
        {
            let bit = 1 << (script % 32);
            *word = if muted { *word | bit } else { *word & !bit };
        }
    }

    fn post(&mut self, script: u16) {
        let word = self.muted.get(usize::from(script / 32));
        let heard = word.is_some_and(|word| word >> (script % 32) & 1 == 0);
        if heard && usize::from(script) < MAIL_IDS {
            self.slot = Some(script);
        }
    }
}

impl Default for Mailbox {
    fn default() -> Self {
        Self::new()
    }
}

/// What touching changes.
pub(super) struct Touching<'a> {
    pub(super) player: &'a mut Actor,
    pub(super) actors: &'a mut Pool,
    pub(super) mailbox: &'a mut Mailbox,
    /// The control block's counter of open touches.
    pub(super) engaged: &'a mut i16,
    /// The scene's half of the gates of section 11.1.
    pub(super) allowed: bool,
    /// The last one whose event was posted.
    pub(super) posted: Option<ActorId>,
}

impl Touching<'_> {
    /// What the step loop reports.
    pub(super) fn touch(&mut self, touch: Touch) {
        match touch {
            Touch::Hit(id) => self.link(id),
            Touch::Static => {
                if let Partner::Actor(id) = self.player.partner {
                    self.post(id);
                }
            }
        }
    }

    /// Link both, and put the touched one's id in the mailbox.
    pub(super) fn link(&mut self, id: ActorId) {
        if let Some(actor) = self.actors.get_mut(id) {
            actor.partner = Partner::Player;
            self.player.partner = Partner::Actor(id);
            self.mailbox.post(actor.script);
        }
    }

    /// Post an actor's event: it is engaged, and the player locked until it is dismissed as often as
    /// it was touched. One without a script has no event. Whether it was posted.
    pub(super) fn post(&mut self, id: ActorId) -> bool {
        if !self.allowed || self.player.has(flag::LOCKED) {
            return false;
        }
        let Some(actor) = self.actors.get_mut(id) else {
            return false;
        };
        if actor.script == Actor::NO_SCRIPT {
            return false;
        }
        self.player.flags |= flag::LOCKED;
        actor.flags |= flag::ENGAGED;
        actor.touches = actor.touches.saturating_add(1);
        *self.engaged = self.engaged.saturating_add(1);
        actor.saved_heading = actor.heading();
        self.posted = Some(id);
        self.stand();
        true
    }

    /// The motion-pause kick of a post: everybody of the moving class asks for its standing move again.
    fn stand(&mut self) {
        for (_, actor) in self.actors.iter_mut() {
            if actor.has(flag::MOVING)
                && let Some(standing) = self.mailbox.standing(actor.script)
            {
                actor.animation = standing.into();
                actor.standing = standing.into();
            }
        }
    }
}
