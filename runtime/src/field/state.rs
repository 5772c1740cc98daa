//! The state of a field, and one frame of it (field sheet, sections 2, 7 and 9.3).

use super::actor::{Actor, ActorId, Gait, Partner, Pool, flag};
use super::contact::Contacts;
use super::ground::Ground;
use super::hop::Hop;
use super::input::{Control, Events, Input, Settings};
use super::precise::Remainder;
use super::touch::Mailbox;
use super::vertical::HOP_MODE;

/// The field: the player, the actors, and what is between them.
#[derive(Clone, Debug)]
pub struct Field {
    /// The player.
    pub player: Actor,
    /// Everybody else.
    pub actors: Pool,
    /// What a player and the host set up.
    pub settings: Settings,
    /// What scripts and dialogs set.
    pub control: Control,
    /// Who was touched last.
    pub mailbox: Mailbox,
    pub(super) contacts: Contacts,
    pub(super) delta: [i16; 2],
    pub(super) mask: u16,
    /// What the last frame's pad asked of the player's legs.
    pub(super) pace: Gait,
    pub(super) hop: Option<Hop>,
    /// Open touches; the player is locked until all are dismissed.
    pub(super) engaged: i16,
    /// The formation of the fight that is due or on, which locks the player, too.
    pub(super) fight: Option<u16>,
    pub(super) walked: u16,
    pub(super) remainder: Remainder,
}

impl Field {
    /// A field with this player and nobody else.
    #[must_use]
    pub const fn new(player: Actor) -> Self {
        Self {
            player,
            actors: Pool::new(),
            settings: Settings::NEW,
            control: Control::NONE,
            mailbox: Mailbox::new(),
            contacts: Contacts::new(),
            delta: [0; 2],
            mask: 0,
            pace: Gait::Idle,
            hop: None,
            engaged: 0,
            fight: None,
            walked: 0,
            remainder: Remainder::ZERO,
        }
    }

    /// -8, 0 or 8 along X and Z: which way the player moved in the last frame.
    #[must_use]
    pub const fn delta(&self) -> [i16; 2] {
        self.delta
    }

    /// The directions of the last frame, turned by the camera and resolved against walls; 0 in a
    /// frame without input.
    #[must_use]
    pub const fn mask(&self) -> u16 {
        self.mask
    }

    /// Whether a hop is in progress.
    #[must_use]
    pub const fn is_hopping(&self) -> bool {
        self.hop.is_some()
    }

    /// Touches that are not yet dismissed.
    #[must_use]
    pub const fn engaged(&self) -> i16 {
        self.engaged
    }

    /// What precise movement has left over.
    #[must_use]
    pub const fn remainder(&self) -> Remainder {
        self.remainder
    }

    /// One frame: locomotion, then the vertical controller, then the actors' heights; who asks to be torn
    /// down leaves. A frame spans [`Input::scalar`] vertical blanks; two of one cover the same ground as one of two where
    /// nothing is in the way and the travel budget is even. An odd one moves a unit more each time
    /// (section 7.4).
    pub fn frame(&mut self, ground: &Ground<'_>, input: &Input) -> Events {
        let mut events = Events::default();
        let input = Input {
            scalar: input.scalar.max(1),
            ..*input
        };
        self.walk(ground, &input, &mut events);
        // A hop that has begun is ended whatever the setting: it holds the player locked.
        if self.settings.terrain || self.hop.is_some() {
            self.follow(ground, input.scalar, &mut events);
        }
        if self.settle_actors(ground, input.scalar) {
            self.tear_down();
        }
        events
    }

    /// Remove those whose script asks for it (section 1.2).
    #[cold]
    fn tear_down(&mut self) {
        let asks = |(id, actor): (ActorId, &Actor)| actor.has(flag::TEAR_DOWN).then_some(id);
        loop {
            let asking = self.actors.iter().find_map(asks);
            let Some(id) = asking else {
                break;
            };
            self.free(id);
        }
    }

    /// Free the player, unless something still holds it: a touch, a hop, a fight.
    pub(super) fn release_player(&mut self) {
        if self.engaged == 0 && self.hop.is_none() && self.fight.is_none() {
            self.player.flags &= !flag::LOCKED;
        }
    }

    /// The player without the hop that it is on, as another scene takes it over: what a hop sets is cleared, but
    /// for the lock, which may be another's.
    pub(crate) const fn grounded_player(&self) -> Actor {
        let mut player = self.player;
        if self.hop.is_some() {
            player.flags &= !flag::AIRBORNE;
            player.mode &= !HOP_MODE;
        }
        player
    }

    /// Remove everybody but the player, as [`Field::free`] does it, and end what they and the player were
    /// about: hop, fight, touches, the mailbox with what each actor has set in it, what walking has
    /// gathered. Settings, and what scripts have set but for a talk, stay.
    pub fn clear(&mut self) {
        let engaged = |(_, actor): (ActorId, &Actor)| actor.has(flag::ENGAGED);
        let talked = self.engaged != 0 || self.actors.iter().any(engaged);
        if talked || self.hop.is_some() || self.fight.is_some() {
            self.player.flags &= !flag::LOCKED;
        }
        self.player = self.grounded_player();
        self.hop = None;
        self.player.partner = Partner::None;
        self.player.gait = Gait::Idle;
        self.player.seen = None;
        self.actors.clear();
        self.contacts = Contacts::new();
        self.mailbox = Mailbox::new();
        self.control.talking = false;
        (self.engaged, self.fight) = (0, None);
        (self.delta, self.mask, self.pace) = ([0; 2], 0, Gait::Idle);
        (self.walked, self.remainder) = (0, Remainder::ZERO);
    }
}
