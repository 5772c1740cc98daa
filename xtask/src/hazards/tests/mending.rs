//! HI/LO sequences are moved apart without a change of meaning.

use super::elf::NOTYPE;
use super::*;
use crate::hazards::repair::{Repair, repair};

const MFLO_T0: u32 = 0x0000_4012;
const MFHI_T1: u32 = 0x0000_4810;

/// A function, then spare room of the given number of words.
fn image(words: &[u32], room: usize) -> Vec<u8> {
    let all = [words, &vec![NOP; room]].concat();
    let end = TEXT + 4 * words.len() as u32;
    let mut elf = Elf::new(TEXT)
        .code(".text", TEXT, &all)
        .symbol("probe", TEXT, 4 * words.len() as u32, FUNC)
        .symbol("__repair_start", end, 0, NOTYPE);
    if room > 0 {
        elf = elf.symbol("__repair_end", end + 4 * room as u32, 0, NOTYPE);
    }
    elf.build()
}

/// Words executed from the start to the return, without `nop`s and the jumps in between.
fn executed(file: &[u8]) -> Vec<u32> {
    // The code is the first thing behind the 52 bytes of the header.
    let at = |address: u32| {
        let offset = 52 + (address - TEXT) as usize;
        u32::from_le_bytes(file[offset..offset + 4].try_into().unwrap())
    };
    let (mut address, mut words) = (TEXT, Vec::new());
    loop {
        assert!(words.len() < 100);
        let word = at(address);
        if word >> 26 == 2 {
            assert_eq!(at(address + 4), NOP);
            address = address & 0xF000_0000 | (word & 0x03FF_FFFF) << 2;
            continue;
        }
        if word != NOP {
            words.push(word);
        }
        if word == RETURN {
            return words;
        }
        address += 4;
    }
}

#[track_caller]
fn mended(words: &[u32], moved: usize) -> Repair {
    let before = image(words, 64);
    assert!(!scan(&before).unwrap().clean());
    let outcome = repair(&before).unwrap();
    assert_eq!((outcome.moved, outcome.left), (moved, 0));
    let report = scan(&outcome.elf).unwrap();
    assert!(report.clean(), "{report}");
    assert_eq!(executed(&outcome.elf), executed(&before));
    assert_eq!(outcome.elf.len(), before.len());
    outcome
}

#[test]
fn sequences_move_into_the_room() {
    let outcome = mended(&[MULTU, MFLO_T0, MULTU, MFHI_V0, RETURN, NOP], 1);
    // mflo, nop, nop, multu, j, nop
    assert_eq!(outcome.used, 6);
    // One instruction between.
    assert_eq!(
        mended(
            &[MULTU, MFLO_T0, addiu(V0, A0, 1), DIVU, MFHI_V0, RETURN, NOP],
            1
        )
        .used,
        6
    );
    // Two reads before one write.
    assert_eq!(
        mended(&[MULTU, MFLO_T0, MFHI_T1, MULTU, RETURN, NOP], 1).used,
        7
    );
    // A chain: two places of their own.
    mended(
        &[MULTU, MFLO_T0, MULTU, MFHI_T1, MULTU, MFLO_V0, RETURN, NOP],
        2,
    );
    // A saved and restored pair.
    mended(&[MULTU, MFLO_T0, MTLO_A0, MFLO_V0, RETURN, NOP], 1);
}

#[test]
fn what_a_branch_enters_stays() {
    // The branch lands on the multu: moving it would lose that way in.
    let words = [beq(A0, ZERO, 2), NOP, MFLO_T0, MULTU, MFHI_V0, RETURN, NOP];
    let before = image(&words, 64);
    let outcome = repair(&before).unwrap();
    assert_eq!((outcome.moved, outcome.left), (0, 1));
    assert_eq!(outcome.elf, before);
    // Landing on the read is no obstacle.
    mended(
        &[beq(A0, ZERO, 1), NOP, MFLO_T0, MULTU, MFHI_V0, RETURN, NOP],
        1,
    );
    // A read in a delay slot stays too.
    let slot = [
        jal(TEXT + 24),
        MFLO_T0,
        NOP,
        NOP,
        RETURN,
        NOP,
        MULTU,
        RETURN,
        NOP,
    ];
    assert_eq!(repair(&image(&slot, 64)).unwrap().left, 1);
}

#[test]
fn no_room_no_repair() {
    let words = [MULTU, MFLO_T0, MULTU, RETURN, NOP];
    let none = image(&words, 0);
    let outcome = repair(&none).unwrap();
    assert_eq!((outcome.moved, outcome.left, outcome.room), (0, 1, 0));
    let tight = repair(&image(&words, 5)).unwrap();
    assert_eq!((tight.moved, tight.left, tight.room), (0, 1, 5));
    let enough = repair(&image(&words, 6)).unwrap();
    assert_eq!((enough.moved, enough.used, enough.room), (1, 6, 6));
}

#[test]
fn a_sound_image_is_left_alone() {
    let words = [MULTU, MFLO_T0, NOP, NOP, MULTU, MFHI_V0, RETURN, NOP];
    let before = image(&words, 64);
    let outcome = repair(&before).unwrap();
    assert_eq!((outcome.moved, outcome.left, outcome.used), (0, 0, 0));
    assert_eq!(outcome.elf, before);
    assert!(repair(b"no ELF").is_err());
}
