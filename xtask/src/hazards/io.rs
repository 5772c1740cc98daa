//! Width rules of the console's I/O registers (HAL sheet, sections 1.1 and 1.2).

use super::decode::Access;

/// A judgement about one access at a known address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Certainly wrong.
    Fault(&'static str),
    /// Works, but should be looked at.
    Doubt(&'static str),
}

/// Physical address behind KUSEG, KSEG0 and KSEG1; KSEG2 is its own.
pub fn physical(address: u32) -> u32 {
    if address < 0xC000_0000 {
        address & 0x1FFF_FFFF
    } else {
        address
    }
}

/// Does the address lie in KSEG1 (no cache, no write queue)?
pub fn uncached(address: u32) -> bool {
    (0xA000_0000..0xC000_0000).contains(&address)
}

const WHOLE_WORD: &str = "takes the whole 32-bit register whatever the width of the store";

/// Name of the device at a physical address in the register pages.
pub fn device(physical: u32) -> Option<&'static str> {
    Some(match physical {
        0x1F80_1000..=0x1F80_1023 | 0x1F80_1060..=0x1F80_1063 => "memory control",
        0x1F80_1040..=0x1F80_104F => "the pad and card port",
        0x1F80_1050..=0x1F80_105F => "the serial port",
        0x1F80_1070..=0x1F80_1077 => "the interrupt controller",
        0x1F80_1080..=0x1F80_10FF => "DMA",
        0x1F80_1100..=0x1F80_112F => "a timer",
        0x1F80_1800..=0x1F80_1803 => "the CD-ROM controller",
        0x1F80_1810..=0x1F80_1817 => "the GPU",
        0x1F80_1820..=0x1F80_1827 => "the MDEC",
        0x1F80_1C00..=0x1F80_1FFF => "the SPU",
        0xFFFE_0130..=0xFFFE_0133 => "cache control",
        0x1F80_1000..=0x1F80_1FFF => "an address without a register",
        _ => return None,
    })
}

/// Judges an access at a known, aligned address by the width rules.
pub fn judge_width(physical: u32, access: Access) -> Option<Verdict> {
    use Verdict::{Doubt, Fault};
    if !access.store {
        // Loads of any width are documented; only stores change the machine.
        return None;
    }
    device(physical)?;
    if access.partial {
        return Some(Fault("swl and swr store parts of a word"));
    }
    let width = access.width;
    match physical {
        // 16-bit counters in 32-bit cells: a 16-bit store to the cell is right.
        0x1F80_1100..=0x1F80_112F => match width {
            1 => Some(Fault("a timer register has 16 bits")),
            2 if physical & 3 != 0 => Some(Fault("the upper half of a timer is no register")),
            _ => None,
        },
        0x1F80_1000..=0x1F80_1023
        | 0x1F80_1060..=0x1F80_1063
        | 0x1F80_1070..=0x1F80_1077
        | 0x1F80_1080..=0x1F80_10FF
        | 0xFFFE_0130..=0xFFFE_0133 => (width != 4).then_some(Fault(WHOLE_WORD)),
        0x1F80_1810..=0x1F80_1817 | 0x1F80_1820..=0x1F80_1827 => {
            (width != 4).then_some(Fault("knows 32-bit accesses only"))
        }
        0x1F80_1800..=0x1F80_1803 => (width != 1).then_some(Fault("knows 8-bit stores only")),
        0x1F80_1040..=0x1F80_105F => match physical & 0xF {
            0 => (width == 4).then_some(Doubt("the data register takes a byte")),
            1..=3 => Some(Fault(
                "only the first byte of the data register is a register",
            )),
            4..=7 => Some(Doubt("the status register is read-only")),
            _ => (width != 2).then_some(Fault("its registers from +8 on are 16 bits wide")),
        },
        0x1F80_1C00..=0x1F80_1FFF => match width {
            4 => Some(Fault("32-bit stores to it are unreliable")),
            1 if physical & 1 != 0 => Some(Fault("it ignores 8-bit stores to odd addresses")),
            1 => Some(Fault("an 8-bit store writes 16 bits of it")),
            _ => None,
        },
        _ => Some(Doubt("no register is known there")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store(width: u32) -> Access {
        Access {
            width,
            store: true,
            partial: false,
        }
    }

    #[test]
    fn widths_that_are_right() {
        for (address, width) in [
            (0x1F80_1070, 4),
            (0x1F80_10A8, 4),
            (0x1F80_1100, 2),
            (0x1F80_1104, 4),
            (0x1F80_1040, 1),
            (0x1F80_104A, 2),
            (0x1F80_105E, 2),
            (0x1F80_1801, 1),
            (0x1F80_1810, 4),
            (0x1F80_1DAA, 2),
            (0x1F80_1060, 4),
            (0xFFFE_0130, 4),
            // Not registers of this table: RAM, scratchpad, expansion.
            (0x0001_0000, 1),
            (0x1F80_0000, 1),
            (0x1F80_2041, 1),
        ] {
            assert_eq!(judge_width(address, store(width)), None, "{address:08X}");
        }
    }

    #[test]
    fn widths_that_are_wrong() {
        for (address, width) in [
            (0x1F80_1070, 2),
            (0x1F80_1074, 1),
            (0x1F80_10F4, 1),
            (0x1F80_1000, 2),
            (0x1F80_1100, 1),
            (0x1F80_1102, 2),
            (0x1F80_1048, 4),
            (0x1F80_104A, 1),
            (0x1F80_105C, 4),
            (0x1F80_1800, 4),
            (0x1F80_1802, 2),
            (0x1F80_1810, 2),
            (0x1F80_1814, 1),
            (0x1F80_1D88, 4),
            (0x1F80_1DAB, 1),
            (0x1F80_1DAA, 1),
            (0xFFFE_0130, 2),
        ] {
            assert!(
                matches!(judge_width(address, store(width)), Some(Verdict::Fault(_))),
                "{address:08X}/{width}"
            );
        }
    }

    #[test]
    fn segments() {
        assert_eq!(physical(0xBF80_1070), 0x1F80_1070);
        assert_eq!(physical(0x9F80_1070), 0x1F80_1070);
        assert_eq!(physical(0xFFFE_0130), 0xFFFE_0130);
        assert!(uncached(0xBF80_0000) && !uncached(0x9F80_0000) && !uncached(0xFFFE_0130));
    }
}
