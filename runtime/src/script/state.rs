//! State that scripts share: flag banks, party, slots, ramps (section 12, group A).

/// The system bank: 4096 story flags, most significant bit first (section 5). Numbers have 12 bits under both
/// readings (decision 68), although the port hands all 16 of an extended one on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SystemFlags(pub [u8; 512]);

impl SystemFlags {
    /// The lock that `3E` sets (field VM sheet, 7.12 and section 5).
    pub const INTERACT: u16 = 0x0E;

    const fn place(index: u16) -> (usize, u8) {
        let index = index & 0xFFF;
        ((index >> 3) as usize, 0x80 >> (index & 7))
    }

    /// Set flag `index` (its low 12 bits).
    #[inline]
    pub fn set(&mut self, index: u16) {
        let (at, mask) = Self::place(index);
        if let Some(byte) = self.0.get_mut(at) {
            *byte |= mask;
        }
    }

    /// Clear flag `index` (its low 12 bits).
    #[inline]
    pub fn clear(&mut self, index: u16) {
        let (at, mask) = Self::place(index);
        if let Some(byte) = self.0.get_mut(at) {
            *byte &= !mask;
        }
    }

    /// Whether flag `index` (its low 12 bits) is set.
    #[inline]
    #[must_use]
    pub fn test(&self, index: u16) -> bool {
        let (at, mask) = Self::place(index);
        self.0.get(at).is_some_and(|byte| byte & mask != 0)
    }
}

/// One character's numbers that scripts test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Character {
    /// Current HP.
    pub hp: u16,
    /// Maximum HP.
    pub max_hp: u16,
    /// Current MP.
    pub mp: u16,
    /// Maximum MP.
    pub max_mp: u16,
    /// Level.
    pub level: u16,
}

/// The slot that `49` opens menus through (7.20).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Resume {
    /// Nothing is open.
    #[default]
    Idle,
    /// A menu is open.
    Armed,
    /// The menu has been left.
    Done,
}

/// Largest purse of gold and coins.
pub const PURSE: i32 = 9_999_999;

/// Which value a ramp writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A field of the context in this place of the pool.
    Context(u8, Field),
    /// A word of [`State::words`].
    Word(Word),
}

/// Context fields that ramps write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields of Context of these names")]
pub enum Field {
    Scale,
    Pace,
    YMirror,
    F24,
    F28,
    Heading,
    Tint,
    FaceLerp,
}

/// Named words of no further meaning to the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    missing_docs,
    reason = "retail addresses, or the instruction that writes them"
)]
pub enum Word {
    B92C,
    B930,
    Bcac,
    SceneY,
    Bcd0,
    Bcd4,
    Bcd8,
    B910,
    B7B0,
    B6ac,
    Ba66,
    SceneCtrl,
    CardY,
    Lines,
    Picker,
    /// `4C 13`: the second colour, red lowest.
    Tint2,
    /// `4C 88`.
    A88,
    /// `4C 88`.
    B88,
    /// `4C 88`.
    C88,
    /// `4C 8A`.
    A8a,
    /// `4C 8A`.
    B8a,
    /// `4C 8A`.
    C8a,
    /// `4C 8A`.
    D8a,
    /// `4C EE`: [`State::clock`] when it was last taken.
    Clock,
}

/// Number of [`Word`]s.
const WORDS: usize = 24;

/// One linear change (motion sheet, section 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ramp {
    pub(super) target: Target,
    pub(super) start: i32,
    pub(super) end: i32,
    pub(super) total: u16,
    pub(super) remaining: u16,
}

impl Ramp {
    /// The value with `left` display frames to go.
    fn value(&self, left: u16) -> i32 {
        if left == 0 {
            return self.end;
        }
        // A packed colour: each of its three bytes has a way of its own.
        if let Target::Context(_, Field::Tint) | Target::Word(Word::Tint2) = self.target {
            let byte = |at: u32| {
                let [start, end] = [self.start, self.end].map(|it| it >> at & 0xFF);
                Self::between(start, end, left, self.total) << at
            };
            return byte(0) | byte(8) | byte(16);
        }
        Self::between(self.start, self.end, left, self.total)
    }

    /// `end + (start - end) * left / total`, toward zero.
    fn between(start: i32, end: i32, left: u16, total: u16) -> i32 {
        let part = (i64::from(start) - i64::from(end)) * i64::from(left);
        end.wrapping_add(part.checked_div(i64::from(total)).unwrap_or(0) as i32)
    }
}

/// Usable slots of the ramp pool.
pub const RAMPS: usize = 63;

/// The linear changes under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ramps {
    pub(super) slots: [Option<Ramp>; RAMPS],
    /// Places in use never lie behind this.
    used: usize,
    /// Ramps dropped because the pool was full.
    pub dropped: u32,
}

impl Ramps {
    /// None.
    pub const EMPTY: Self = Self {
        slots: [None; RAMPS],
        used: 0,
        dropped: 0,
    };

    /// Install a change over `ticks` display frames; dropped and counted when the pool is full.
    pub fn install(&mut self, target: Target, start: i32, end: i32, ticks: u16) {
        let free = self
            .slots
            .iter_mut()
            .enumerate()
            .find(|(_, slot)| slot.is_none());
        match free {
            Some((index, slot)) => {
                let (total, remaining) = (ticks, ticks);
                *slot = Some(Ramp {
                    target,
                    start,
                    end,
                    total,
                    remaining,
                });
                self.used = self.used.max(index + 1);
            }
            None => self.dropped = self.dropped.saturating_add(1),
        }
    }

    /// Let `dt` display frames pass for the change in slot `index`: what it writes, and where. At its end
    /// the slot becomes free.
    pub(super) fn advance(&mut self, index: usize, dt: u16) -> Option<(Target, i32)> {
        let slot = self.slots.get_mut(index)?;
        let ramp = slot.as_mut()?;
        ramp.remaining = ramp.remaining.saturating_sub(dt);
        let written = (ramp.target, ramp.value(ramp.remaining));
        if ramp.remaining == 0 {
            *slot = None;
        }
        Some(written)
    }

    /// Drop the change in slot `index`.
    pub(super) fn free(&mut self, index: usize) {
        if let Some(slot) = self.slots.get_mut(index) {
            *slot = None;
        }
    }

    /// No slot from this one on is in use.
    #[inline]
    pub(super) const fn used(&self) -> usize {
        self.used
    }

    /// Forget free slots at the end.
    #[inline]
    pub(super) fn trim(&mut self) {
        while let Some(last) = self.used.checked_sub(1) {
            if self.slots.get(last).is_some_and(Option::is_some) {
                break;
            }
            self.used = last;
        }
    }

    /// Drop the changes of a context's fields.
    pub(super) fn forget(&mut self, context: u8) {
        for slot in self.slots.iter_mut().take(self.used) {
            if slot.is_some_and(|it| matches!(it.target, Target::Context(id, _) if id == context)) {
                *slot = None;
            }
        }
        self.trim();
    }

    /// Number of changes under way.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.iter().flatten().count()
    }

    /// Whether nothing is under way.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A pair of flags that follow a clock (`4C D3`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimedFlags {
    /// Set when the time is over.
    pub expiry: u16,
    /// Set when less than the threshold is left.
    pub below: u16,
    /// Display frames left.
    pub remaining: u32,
    /// Threshold in display frames.
    pub threshold: u32,
}

/// What scripts share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// The global bank.
    pub global: u32,
    /// The system bank.
    pub system: SystemFlags,
    /// The slot table.
    pub slots: [i16; 64],
    /// Gold.
    pub gold: i32,
    /// Coins.
    pub coins: i32,
    /// Members of the party, ascending.
    pub members: [u8; 4],
    /// Number of members.
    pub member_count: u8,
    /// Leader of the party.
    pub leader: u8,
    /// View index of the party.
    pub view: u8,
    /// The characters.
    pub characters: [Character; 8],
    /// The menu slot.
    pub resume: Resume,
    /// Whether field input is locked.
    pub input_lock: bool,
    /// Scene registers of `4F`.
    pub scene_reg: [u16; 3],
    /// Floor heights by tier.
    pub floor: [i16; 16],
    /// Named words, see [`State::word`].
    pub(super) words: [i32; WORDS],
    /// Linear changes under way.
    pub ramps: Ramps,
    /// The timed flags.
    pub timed: Option<TimedFlags>,
    /// Display frames that have passed; wraps after two years.
    pub clock: u32,
}

impl State {
    /// Everything zero.
    pub const EMPTY: Self = Self {
        global: 0,
        system: SystemFlags([0; 512]),
        slots: [0; 64],
        gold: 0,
        coins: 0,
        members: [0; 4],
        member_count: 0,
        leader: 0,
        view: 0,
        characters: [Character {
            hp: 0,
            max_hp: 0,
            mp: 0,
            max_mp: 0,
            level: 0,
        }; 8],
        resume: Resume::Idle,
        input_lock: false,
        scene_reg: [0; 3],
        floor: [0; 16],
        words: [0; WORDS],
        ramps: Ramps::EMPTY,
        timed: None,
        clock: 0,
    };

    /// A named word.
    #[must_use]
    pub fn word(&self, word: Word) -> i32 {
        self.words.get(word as usize).copied().unwrap_or(0)
    }

    /// Write a named word.
    pub fn set_word(&mut self, word: Word, value: i32) {
        if let Some(place) = self.words.get_mut(word as usize) {
            *place = value;
        }
    }

    /// A slot; 0 for those that do not exist.
    #[must_use]
    pub fn slot(&self, index: u8) -> i16 {
        self.slots.get(usize::from(index)).copied().unwrap_or(0)
    }

    /// Write a slot; those that do not exist are ignored.
    pub fn set_slot(&mut self, index: u8, value: i16) {
        if let Some(slot) = self.slots.get_mut(usize::from(index)) {
            *slot = value;
        }
    }

    /// Whether `character` is a member.
    #[must_use]
    pub fn has_member(&self, character: u8) -> bool {
        self.party().contains(&character)
    }

    /// The members.
    #[must_use]
    pub fn party(&self) -> &[u8] {
        self.members
            .get(..usize::from(self.member_count))
            .unwrap_or_default()
    }

    /// Insert a member in order; a full party and a member stay as they are.
    pub fn add_member(&mut self, character: u8) {
        let count = usize::from(self.member_count);
        if count >= self.members.len() || self.has_member(character) {
            return;
        }
        if let Some(place) = self.members.get_mut(count) {
            *place = character;
        }
        self.member_count += 1;
        if let Some(party) = self.members.get_mut(..=count) {
            party.sort_unstable();
        }
        if count == 0 {
            self.leader = character;
        }
    }

    /// Take a member out; the first of the others leads in its place.
    pub fn remove_member(&mut self, character: u8) {
        let Some(index) = self.party().iter().position(|&it| it == character) else {
            return;
        };
        let count = usize::from(self.member_count);
        if let Some(rest) = self.members.get_mut(index..count) {
            rest.rotate_left(1);
        }
        self.member_count -= 1;
        if self.leader == character {
            self.leader = self.party().first().copied().unwrap_or(0);
        }
    }

    /// Let `dt` display frames pass for the timed flags.
    pub(super) fn tick_timed(&mut self, dt: u16) {
        if let Some(timed) = &mut self.timed {
            timed.remaining = timed.remaining.saturating_sub(u32::from(dt));
            let TimedFlags {
                expiry,
                below,
                remaining,
                threshold,
            } = *timed;
            if remaining < threshold {
                self.system.set(below);
            }
            if remaining == 0 {
                self.system.set(expiry);
                self.timed = None;
            }
        }
    }
}

impl Default for State {
    fn default() -> Self {
        Self::EMPTY
    }
}

/// Stride of the wall grid in bytes: one byte a tile.
pub const GRID_STRIDE: usize = 0x80;

/// A rectangle of the wall grid and what happens to it (menu-control sheet, section 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paint {
    /// `0` clears, `1` fills, `2` clears `mask`, `3` sets `mask`.
    pub kind: u8,
    /// First and last column.
    pub columns: (u8, u8),
    /// First and last row as encoded; the rows painted lie one further.
    pub rows: (u8, u8),
    /// Wall bits of kinds 2 and 3, low nibble.
    pub mask: u8,
}

impl Paint {
    /// Paint it into `grid`, clipped to the grid. The low nibbles are never touched.
    pub fn apply(&self, grid: &mut [u8]) {
        let (first, last) = (usize::from(self.columns.0), usize::from(self.columns.1));
        let last = last.min(GRID_STRIDE - 1);
        if last < first || self.rows.1 < self.rows.0 {
            return;
        }
        let mask = self.mask << 4;
        let (keep, set) = match self.kind {
            0 => (0x0F, 0),
            1 => (0xFF, 0xF0),
            2 => (!mask, 0),
            _ => (0xFF, mask),
        };
        let rows = usize::from(self.rows.1 - self.rows.0) + 1;
        let lines = grid
            .chunks_mut(GRID_STRIDE)
            .skip(usize::from(self.rows.0) + 1);
        for line in lines.take(rows) {
            let end = (last + 1).min(line.len());
            for cell in line.get_mut(first..end).unwrap_or_default() {
                *cell = *cell & keep | set;
            }
        }
    }
}
