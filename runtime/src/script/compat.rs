//! The two readings of the sheet and every point on which they differ (section 14).

/// Which reading of the instruction set is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compat {
    /// What the sheet holds the console to do.
    #[default]
    Retail,
    /// What the reference port does.
    Port,
}

/// One question a row of section 14.
impl Compat {
    #[inline]
    const fn is_port(self) -> bool {
        matches!(self, Self::Port)
    }

    /// Opcodes `78..7F` are no tests.
    #[inline]
    pub(super) const fn high_tests_unknown(self) -> bool {
        self.is_port()
    }

    /// The jumps of `45 C0`, `4C A/8B/8C/8D/D1/DC/DE/EB` go to an absolute PC.
    #[inline]
    pub(super) const fn absolute_jumps(self) -> bool {
        self.is_port()
    }

    /// `4C E4` parks outside its box instead of jumping.
    #[inline]
    pub(super) const fn box_parks(self) -> bool {
        self.is_port()
    }

    /// `4C 43` without ticks and `4C 44` with ticks jump.
    #[inline]
    pub(super) const fn ramps_jump(self) -> bool {
        self.is_port()
    }

    /// `43` subs 0/1/A/B jump through a halfword that reaches into the next instruction, and advance
    /// where the acquire fails.
    #[inline]
    pub(super) const fn hops_jump(self) -> bool {
        self.is_port()
    }

    /// The host decides whether an actor can be acquired, not its state.
    #[inline]
    pub(super) const fn host_acquires(self) -> bool {
        self.is_port()
    }

    /// Where the count of a `49 00` lies behind the sub-op, and its packet one byte and the items on.
    #[inline]
    pub(super) const fn shop_count_at(self) -> usize {
        if self.is_port() { 1 } else { 2 }
    }

    /// `34 2n` that finds its actor ends the slice on its own PC.
    #[inline]
    pub(super) const fn captures_wait(self) -> bool {
        self.is_port()
    }

    /// `4C 30/31/37` end the slice, and so do `4C 45` with ticks and `4C 49` with ticks, the latter on
    /// its own PC.
    #[inline]
    pub(super) const fn soft_yields(self) -> bool {
        self.is_port()
    }

    /// `4C 53` ends the frame whether or not a dialogue is busy; `C5`/`C6` never wait; `CD` always does.
    #[inline]
    pub(super) const fn polls_blindly(self) -> bool {
        self.is_port()
    }

    /// `4C 87/9F/D7/D2/D6/EA` never advance.
    #[inline]
    pub(super) const fn one_shots_park(self) -> bool {
        self.is_port()
    }

    /// `4C 80` leaves the PC on its first page.
    #[inline]
    pub(super) const fn crawl_keeps_pages(self) -> bool {
        self.is_port()
    }

    /// The pace of `4C 41` is at least 1 instead of an arithmetic half.
    #[inline]
    pub(super) const fn pace_clamps(self) -> bool {
        self.is_port()
    }

    /// `4A` compares without sign, so a large operand never ends.
    #[inline]
    pub(super) const fn waits_are_unsigned(self) -> bool {
        self.is_port()
    }

    /// A slice may start on a halted context, and does not stop at its own hand-off.
    #[inline]
    pub(super) const fn halted_runs(self) -> bool {
        self.is_port()
    }

    /// The bytes of a `40` may reach past the record.
    #[inline]
    pub(super) const fn data_may_leave(self) -> bool {
        self.is_port()
    }

    /// A warp unlocks the context instead of the player.
    #[inline]
    pub(super) const fn warp_unlocks_self(self) -> bool {
        self.is_port()
    }

    /// `4C 51` leaves the context to the host.
    #[inline]
    pub(super) const fn host_seats(self) -> bool {
        self.is_port()
    }

    /// The music ops `35` 9 and 10 never park.
    #[inline]
    pub(super) const fn music_never_parks(self) -> bool {
        self.is_port()
    }

    /// The player is told by a flag of the actor, not by identity.
    #[inline]
    pub(super) const fn player_by_flag(self) -> bool {
        self.is_port()
    }
}

/// What prose or listings have and neither reading of [`Compat`] does (rows marked X in the sheets). The
/// sheets adopt the opposite of each; to try one, set it.
pub(super) mod prose {
    /// `D0..FF`: the low byte of the flag's number stands in the place of the target id (section 2).
    pub const FLAG_IN_ID: bool = false;

    /// `34 2n` and `34 3n` have one byte more (7.6).
    pub const LONG_EFFECTS: bool = false;

    /// `4C E2` has seven bytes, `4C E4` nine (menu-control sheet, section 1, length notes).
    pub const LONG_MOVIES_AND_BOXES: bool = false;

    /// `4C D2` and `4C D6` have no operand (the same notes).
    pub const BARE_RESTORE_AND_MODE: bool = false;

    /// `4C 53` goes on in the same frame when the dialogue is over (menu-control sheet, section 4).
    pub const DIALOG_GOES_ON: bool = false;

    /// `23` looks up the floor's height for actors alone that have one of the bits 20200 (section 4, flag word;
    /// 7.3 names no condition).
    pub const SEAT_HEIGHT_IS_GATED: bool = false;

    /// Whether `23` looks up the floor's height for an actor with these flags, if it is `gated`.
    pub const fn seat_has_height(flags: u32, gated: bool) -> bool {
        !gated || flags & 0x2_0200 != 0
    }

    /// `4C 2n` turns the player, too, by an eighth for each step of the view, while nothing is held (menu-control
    /// sheet, section 1, in brackets; neither the sense nor the pace is told).
    pub const VIEW_TURNS_PLAYER: bool = false;

    /// The player's heading behind a `4C 2n` that has led from one view to another: with the view, if it `turns`.
    pub const fn view_heading(heading: u16, [from, to]: [u8; 2], held: u16, turns: bool) -> u16 {
        if !turns || held != 0 {
            return heading;
        }
        let steps = (to as u16).wrapping_sub(from as u16) & 7;
        heading.wrapping_add(steps * 0x200) & 0xFFF
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        /// Both readings of each: the sheet's own is played.
        #[test]
        fn what_is_open_has_two_readings() {
            for flags in [0, 1, 0x200, 0x2_0000, 0x2_0200] {
                assert!(seat_has_height(flags, SEAT_HEIGHT_IS_GATED));
                assert_eq!(seat_has_height(flags, true), flags > 1, "{flags:X}");
            }
            let view = |views, held, turns| view_heading(0xE10, views, held, turns);
            assert_eq!(view([1, 3], 0, VIEW_TURNS_PLAYER), 0xE10);
            assert_eq!(view([1, 3], 0, true), 0x210);
            assert_eq!(view([3, 1], 0, true), 0xA10);
            assert_eq!(view([1, 3], 0x20, true), 0xE10);
        }
    }
}
