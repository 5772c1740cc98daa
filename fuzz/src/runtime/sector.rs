//! Raw sectors.

use overworld_runtime::disc::sector::{
    self, Contents, EDC_AT, Error, FORM2_EDC_AT, MODE_AT, RAW, Raw, SUBHEADER_AT, SYNC,
};

use super::{Choices, take_u8};

/// `[u8 seed]`, then a raw sector, cut or filled up with zeros.
///
/// Sealing repairs everything but the header; a sector that passes stays as it is when sealed, and
/// fails with any one bit flipped; what is built passes and gives back block and data.
pub fn check(data: &[u8]) -> bool {
    let (seed, data) = take_u8(data);
    let mut raw: Raw = [0; RAW];
    let length = data.len().min(RAW);
    raw[..length].copy_from_slice(&data[..length]);
    let accepted = sector::check(&raw).is_ok();
    let seen = sector::inspect(&raw);
    match (sector::data(&raw), seen) {
        (Ok((lba, found)), Ok((other, Contents::Form1(same)))) => {
            assert_eq!((lba, found), (other, same));
            assert!(accepted);
        }
        (Ok((lba, _)), Err(Error::BadEdc { lba: at } | Error::BadEcc { lba: at })) => {
            assert_eq!(lba, at);
            assert!(!accepted);
        }
        (Err(Error::UnexpectedForm2 { lba }), Ok((other, Contents::Form2(_)))) => {
            assert_eq!(lba, other);
        }
        (Err(Error::UnexpectedForm2 { lba }), Err(Error::BadEdc { lba: at })) => {
            assert_eq!(lba, at);
        }
        (Err(one), Err(other)) => assert_eq!(one, other),
        (one, other) => panic!("data: {one:?}, inspect: {other:?}"),
    }
    if accepted {
        let mut again = raw;
        sector::seal(&mut again);
        assert_eq!(again, raw, "EDC and ECC were right");
    }

    // Give it a good header: then sealing is enough.
    let mut choices = Choices::new(seed.into());
    let lba = choices.below(449_850) as u32;
    raw[..12].copy_from_slice(&SYNC);
    let address = sector::address(lba).expect("below the last block");
    assert_eq!(sector::block(address), Some(lba));
    raw[12..15].copy_from_slice(&address);
    raw[MODE_AT] = 2;
    raw[SUBHEADER_AT + 2] &= !sector::SUBMODE_FORM2;
    sector::seal(&mut raw);
    let body = *sector::check(&raw).expect("sealed");
    assert_eq!(sector::data(&raw).map(|(lba, _)| lba), Ok(lba));
    for _ in 0..3 {
        let at = SUBHEADER_AT + choices.below(RAW - SUBHEADER_AT);
        let mut damaged = raw;
        damaged[at] ^= 1 << choices.below(8);
        let found = sector::check(&damaged);
        match found {
            Err(Error::BadEdc { .. }) => assert!(at < EDC_AT + 4),
            Err(Error::BadEcc { .. }) => assert!(at >= EDC_AT + 4),
            Err(Error::UnexpectedForm2 { .. }) => assert_eq!(at, SUBHEADER_AT + 2),
            other => panic!("a flipped bit at {at} gave {other:?}"),
        }
    }

    let mut built = [0xEE; RAW];
    sector::build(lba, sector::SUBMODE_LAST, &body, &mut built).expect("a good block");
    assert_eq!(sector::check(&built), Ok(&body));
    let form2 = raw[..sector::FORM2].first_chunk().expect("as long");
    sector::build_form2(lba, 0, form2, &mut built).expect("a good block");
    assert_eq!(sector::inspect(&built), Ok((lba, Contents::Form2(form2))));
    assert_eq!(sector::check(&built), Err(Error::UnexpectedForm2 { lba }));
    let at = SUBHEADER_AT + 8 + choices.below(FORM2_EDC_AT - SUBHEADER_AT - 8);
    built[at] ^= 1 << choices.below(8);
    assert_eq!(sector::inspect(&built), Err(Error::BadEdc { lba }));
    accepted || matches!(seen_kind(data), Some(true))
}

/// Whether the input is a whole good sector of Form 2.
fn seen_kind(data: &[u8]) -> Option<bool> {
    let raw: &Raw = data.first_chunk()?;
    Some(matches!(sector::inspect(raw), Ok((_, Contents::Form2(_)))))
}
