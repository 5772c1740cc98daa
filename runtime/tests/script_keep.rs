//! What hosts keep beside the machine: the arc of a hop, the save block.

use overworld_runtime::script::State;
use overworld_runtime::script::arc::Arc;
use overworld_runtime::script::save::{self, SIZE, SaveError};
use overworld_runtime::script::state::Character;

/// Over the control point (motion sheet, 2.3), and the end is the target.
#[test]
fn arcs_fly_over_their_top() {
    let mut arc = Arc::new([0, 0, 100], [400, 0, -100], 50, 4);
    // Control Y = 0 + 2 * (0 - 50 - 0) = -100: half way the curve is at half of it.
    let seen = [0; 4].map(|_| arc.tick(1));
    assert_eq!(
        seen,
        [
            ([100, -38, 50], false),
            ([200, -50, 0], false),
            ([300, -38, -50], false),
            ([400, 0, -100], true),
        ]
    );
    // Ends of different heights: the top is above the higher one, -64.
    let mut arc = Arc::new([0, 0, 0], [0, -64, 0], 16, 2);
    assert_eq!(arc.tick(1).0[1], (-32 - 2 * 48) / 2 - 16);
    assert_eq!(arc.tick(1), ([0, -64, 0], true));
    // The middle is rounded down (field sheet, 9.4): a control Y of -2 + 2 * (-3 + 2) and not of -5.
    let mut arc = Arc::new([0, -3, 0], [0; 3], 0, 16);
    assert_eq!(arc.tick(8), ([0, -3, 0], false));
    // And so it is along X and Z, where an odd sum is to be seen: 3 * t / 4096 would be 1 and -2.
    let mut arc = Arc::new([0; 3], [3, 0, -3], 0, 0xFFF);
    assert_eq!((1..=12).map(|_| arc.tick(125).0).last(), Some([0, 0, -2]));
    // A tick of two display frames; no frames at all; the longest; the farthest.
    let mut arc = Arc::new([0, 0, 0], [400, 0, 0], 50, 4);
    assert_eq!(arc.tick(2).0[0], 200);
    assert_eq!(Arc::new([1; 3], [2; 3], 0, 0).tick(1), ([2; 3], true));
    let mut arc = Arc::new([i16::MIN; 3], [i16::MAX; 3], i16::MAX, u16::MAX);
    let frames = (1..70_000).find(|_| arc.tick(1).1);
    assert_eq!(frames, Some(0x1000));
}

fn remembered() -> State {
    let mut state = State::EMPTY;
    [0, 0x225, 0xFFF]
        .into_iter()
        .for_each(|it| state.system.set(it));
    (state.gold, state.coins) = (9_999_999, 17);
    // The second of three leads, and the view is its own.
    for member in [5, 7, 2, 1] {
        state.add_member(member);
    }
    state.remove_member(2);
    (state.leader, state.view) = (5, 3);
    for (n, it) in state.characters.iter_mut().enumerate() {
        let n = n as u16;
        *it = Character {
            hp: 10 + n,
            max_hp: 20 + n,
            mp: 30 + n,
            max_mp: 40 + n,
            level: 50 + n,
        };
    }
    state
}

/// 5.1: what is written lies where the sheet says, and comes back.
#[test]
fn saves_come_back() {
    let state = remembered();
    let block = save::write(&state, 7);
    assert_eq!((block.len(), &block[..4]), (0x2000, &b"SC\x11\x01"[..]));
    // Flag 225: byte 44 of the bank, mask 04.
    assert_eq!(
        (block[0x1618], block[0x1618 + 0x44], block[0x1817]),
        (0x80, 0x04, 0x01)
    );
    assert_eq!(block[0x45C..0x460], 9_999_999_u32.to_le_bytes());
    // Character 1: maximum and current HP.
    assert_eq!(block[0x5C8 + 0x414 + 0x104..][..4], [21, 0, 11, 0]);
    let words = block
        .chunks_exact(4)
        .map(|it| u32::from_le_bytes(it.try_into().unwrap()));
    let words: Vec<u32> = words.collect();
    let sum = words[..2047]
        .iter()
        .fold(0_u32, |sum, it| sum.wrapping_add(*it));
    assert_eq!(words[2047], sum);
    let mut back = State::EMPTY;
    back.members = [9; 4];
    back.slots[3] = 5;
    assert_eq!(save::read(&block, &mut back), Ok(7));
    let mut expected = state;
    expected.slots[3] = 5;
    assert_eq!(back, expected);
    assert_eq!(back.party(), [1, 5, 7]);
    // A party of more than there are places for, by somebody else's hand.
    let mut other = block;
    other[0x1F94] = 200;
    let sum = u32::from_le_bytes(other[0x1FFC..].try_into().unwrap());
    other[0x1FFC..].copy_from_slice(&(sum + 197).to_le_bytes());
    assert_eq!(save::read(&other, &mut back), Ok(7));
    assert_eq!(back.party().len(), 4);
}

/// A torn or damaged block is told, changes nothing, and the other generation is taken.
#[test]
fn damaged_saves_lose_nothing() {
    let state = remembered();
    let (old, new) = (save::write(&state, u32::MAX), save::write(&state, 0));
    assert_eq!(save::newer([&old, &new]), Some(1));
    assert_eq!(save::newer([&new, &old]), Some(0));
    for at in (0..SIZE).step_by(97).chain([SIZE - 1]) {
        let mut torn = new;
        torn[at] ^= 0x10;
        let mut back = State::EMPTY;
        assert!(save::read(&torn, &mut back).is_err(), "{at}");
        assert_eq!(back, State::EMPTY);
        assert_eq!(save::newer([&old, &torn]), Some(0));
        assert_eq!(save::newer([&torn, &torn]), None);
    }
    // Half of it is still the old one.
    let mut torn = old;
    torn[0x1000..].copy_from_slice(&new[0x1000..]);
    torn[0x45C] ^= 1;
    assert!(matches!(save::check(&torn), Err(SaveError::Sum { .. })));
    assert_eq!(save::check(&new[1..]), Err(SaveError::Size(SIZE - 1)));
    assert_eq!(save::check(&[0; SIZE]), Err(SaveError::Magic));
    assert_eq!(
        save::check(&[0; SIZE]).unwrap_err().to_string(),
        "a save begins with SC"
    );
}
