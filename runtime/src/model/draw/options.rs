//! How a call draws: depths, banks of handlers, depth cue (TMD/TIM sheet, sections 3 and 7).

use super::Light;
use crate::gpu::packet;
use crate::gpu::{self, Blend, Depth};
use crate::gte::Geometry;

/// What holds for all that one call draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Factor of the depth of triangles, Q12: `555h >> k`.
    pub zsf3: i16,
    /// Factor of the depth of quads, Q12: `400h >> k`.
    pub zsf4: i16,
    /// Depths (in buckets) below this are not drawn.
    pub near: u16,
    /// The `k` of the two factors: how often a depth is halved to get a bucket.
    pub shift: u8,
    /// Draw both sides of every polygon.
    pub two_sided: bool,
    /// Colour operation and blending. All but [`Bank::Opaque`] cost time, and that one nothing.
    pub bank: Bank,
    /// Lamps for the kinds that have normals; without, these are drawn in the neutral colour. Costs time,
    /// and nothing without it.
    pub light: Option<Light>,
}

/// The banks of primitive handlers (TMD sheet, section 3): what becomes of the colours, and how those
/// semi-transparent polygons blend that do not say it themselves, the untextured ones.
///
/// Which polygons are semi-transparent is up to their groups' mode byte, and textured ones name their
/// blend in the page attribute (section 7): with a cue that moves nothing all banks draw the same but for
/// untextured semi-transparent polygons. What banks 2 and 3 do differently for the kinds 18 and 19 is
/// not known: they are drawn as in bank 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bank {
    /// Bank 0: the stored colours, unchanged.
    #[default]
    Opaque,
    /// Bank 1: cued; untextured semi-transparent polygons average with what is behind them.
    Half(Cue),
    /// Bank 2: cued; they are added to it.
    Additive(Cue),
    /// Bank 3: cued; they are subtracted from it.
    Subtractive(Cue),
}

impl Bank {
    /// Bits of a draw argument that choose banks 3 and 2.
    const SUBTRACTIVE: u32 = 0x2000_0000;
    const ADDITIVE: u32 = 0x0400_0000;

    /// The bank of a draw argument: with a fade, which the game tells from 0, bit 29 chooses bank 3, else
    /// bit 26 bank 2, else it is bank 1. Without one it is bank 0, whatever the bits.
    #[must_use]
    pub const fn of_argument(argument: u32, fade: Option<Cue>) -> Self {
        match fade {
            None => Self::Opaque,
            Some(cue) if argument & Self::SUBTRACTIVE != 0 => Self::Subtractive(cue),
            Some(cue) if argument & Self::ADDITIVE != 0 => Self::Additive(cue),
            Some(cue) => Self::Half(cue),
        }
    }

    /// Bank 1 with this cue, or bank 0 without one.
    #[must_use]
    pub const fn cued(cue: Option<Cue>) -> Self {
        Self::of_argument(0, cue)
    }

    /// Its colour operation.
    #[must_use]
    pub const fn cue(self) -> Option<Cue> {
        match self {
            Self::Opaque => None,
            Self::Half(cue) | Self::Additive(cue) | Self::Subtractive(cue) => Some(cue),
        }
    }

    /// How untextured semi-transparent polygons blend.
    #[must_use]
    pub const fn blend(self) -> Blend {
        match self {
            Self::Opaque | Self::Half(_) => Blend::Average,
            Self::Additive(_) => Blend::Add,
            Self::Subtractive(_) => Blend::Subtract,
        }
    }
}

/// Depth cue: all colours of a polygon move towards the far colour by the IR0 of its last corner (TMD
/// sheet, section 7; GTE sheet, 3.3). Lit kinds are left out: they have no colours, and their handlers are
/// the same in all banks (section 3, rows 8 to 11).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cue {
    /// The far colour, 8 bits a component.
    pub far: [u8; 3],
    /// DQA, Q8.
    pub dqa: i16,
    /// DQB, Q24.
    pub dqb: i32,
}

impl Cue {
    /// The same for the whole object: `amount` (Q12, at most 1000h) of the way, the fade of the
    /// game's banks 1 to 3.
    #[must_use]
    pub const fn fade(far: [u8; 3], amount: u16) -> Self {
        let amount = if amount > 0x1000 { 0x1000 } else { amount };
        Self {
            far,
            dqa: 0,
            dqb: (amount as i32) << 12,
        }
    }

    /// Nothing at depth `near` and before, all at depth `end` and beyond, on a screen at distance
    /// `h`; in between linear in 1 / depth, as the chip has it.
    ///
    /// `None` unless `near < end`, and when DQA would not fit 16 bits: `h` is too small, or the
    /// two are too close together.
    #[must_use]
    pub const fn between(far: [u8; 3], near: u16, end: u16, h: u16) -> Option<Self> {
        if near == 0 || near >= end || h == 0 {
            return None;
        }
        let (near, end, h) = (near as i64, end as i64, h as i64);
        // IR0 = (DQA (h << 16) / z + DQB) >> 12 is to be 0 at `near` and 1000h at `end`.
        let dqa = -256 * near * end / ((end - near) * h);
        // At the depth `end` the quotient is known best, for there all has to be reached.
        let dqb = (1 << 24) - dqa * (h << 16) / end;
        if dqa < i16::MIN as i64 || dqb > i32::MAX as i64 {
            return None;
        }
        Some(Self {
            far,
            dqa: dqa as i16,
            dqb: dqb as i32,
        })
    }
}

impl Options {
    /// Options for an ordering table of so many buckets: `k` is chosen so that the depths
    /// 0..=65535 fill it. 4096 buckets give `k` = 4.
    #[must_use]
    pub const fn for_buckets(buckets: usize) -> Self {
        let log2 = buckets.saturating_add(1).ilog2();
        let k = 16_u32.saturating_sub(log2);
        // Beyond 2^10 a factor would have no bits left.
        let k = if k > 10 { 10 } else { k };
        Self {
            zsf3: 0x555 >> k,
            zsf4: 0x400 >> k,
            near: 0x100 >> k,
            shift: k as u8,
            two_sided: false,
            bank: Bank::Opaque,
            light: None,
        }
    }

    /// As these, for the draw argument of an object: bit 27 makes it two-sided, and with a fade the bits 26
    /// and 29 choose the bank (sheet, sections 3 and 7).
    #[must_use]
    pub const fn with_argument(self, argument: u32, fade: Option<Cue>) -> Self {
        Self {
            two_sided: argument & 0x0800_0000 != 0,
            bank: Bank::of_argument(argument, fade),
            ..self
        }
    }

    /// The draw-mode word (E1h) for untextured semi-transparent polygons, which name no blend.
    #[must_use]
    pub const fn draw_mode(&self) -> u32 {
        let page = gpu::page(0, 0, self.bank.blend(), Depth::Four);
        let [word] = packet::draw_mode(page, true);
        word
    }

    /// What an engine has to know beforehand.
    pub(super) fn load<G: Geometry>(&self, gte: &mut G) {
        gte.set_average(self.zsf3, self.zsf4);
        if let Some(Cue { far, dqa, dqb }) = self.bank.cue() {
            gte.set_cue(far, dqa, dqb);
        }
        if let Some(light) = &self.light {
            light.load(gte);
        }
    }
}
