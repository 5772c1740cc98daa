//! LZS streams that prove themselves by what they unpack to.

use overworld_runtime::anim::legaia::Bank;
use overworld_runtime::bytes::u32_at;
use overworld_runtime::disc::bundle::MEMBER_LIMIT;
use overworld_runtime::field::map;
use overworld_runtime::lzs;
use overworld_runtime::model::tim::Tim;
use overworld_runtime::scene::man::Man;

use super::{Kind, plain};

/// The longest stream that is tried: a member of the largest size, stored literally.
const LONGEST: usize = MEMBER_LIMIT as usize / 8 * 9;

/// The evidence that this is a stream.
pub fn lzs(data: &[u8]) -> Option<String> {
    if data.len() < 4 || data.len() > LONGEST {
        return None;
    }
    let (payload, whole) = all(data)?;
    for size in sizes(&payload, whole) {
        let Some(payload) = payload.get(..size).filter(|it| !it.is_empty()) else {
            continue;
        };
        let inner = plain(payload);
        // What may be followed by anything proves less than the stream needs.
        let exact = match inner.kind {
            Kind::Bank => Bank::parse(payload).is_ok(),
            Kind::Tim => Tim::parse(payload).is_ok_and(|tim| tim.size() == size),
            Kind::Map | Kind::Man | Kind::Tmd | Kind::TimPack => true,
            _ => false,
        };
        if !exact {
            continue;
        }
        let mut out = vec![0; size];
        let Ok(used) = lzs::decode(data, &mut out) else {
            continue;
        };
        let rest = data.get(used..).unwrap_or_default();
        if rest.len() < 2048 && rest.iter().all(|&byte| byte == 0) {
            return Some(format!(
                "{used} of {} bytes unpack to exactly {size} bytes of kind {}: {}",
                data.len(),
                inner.kind,
                inner.evidence
            ));
        }
    }
    None
}

/// Unpack until the source ends, which any stream can be, since its size is not in it. Also whether
/// that is all there is: at most [`MEMBER_LIMIT`] bytes are unpacked.
fn all(data: &[u8]) -> Option<(Vec<u8>, bool)> {
    let (lzs::Error::TruncatedControl { out, .. }
    | lzs::Error::TruncatedLiteral { out, .. }
    | lzs::Error::TruncatedBackref { out, .. }) = lzs::measure(data, usize::MAX).err()?
    else {
        return None;
    };
    let limit = MEMBER_LIMIT as usize;
    let mut payload = vec![0; out.min(limit)];
    lzs::decode(data, &mut payload).ok()?;
    Some((payload, out <= limit))
}

/// Sizes that the payload's own structure asks for, the whole first.
fn sizes(payload: &[u8], whole: bool) -> Vec<usize> {
    let mut sizes = Vec::new();
    if whole {
        sizes.push(payload.len());
    }
    if payload.len() > map::SIZE {
        sizes.push(map::SIZE);
    }
    if let Ok(tim) = Tim::parse(payload) {
        sizes.push(tim.size());
    }
    if let Ok(man) = Man::parse_lenient(payload) {
        sizes.push(payload.len() - man.after_sections().len());
    }
    sizes.extend(bank_size(payload));
    sizes
}

/// Where the last clip of a bank ends by its own parts and frames.
fn bank_size(payload: &[u8]) -> Option<usize> {
    let bank = Bank::parse_lenient(payload).ok()?;
    let last = u32_at(payload, 4 * usize::from(bank.len()))? as usize;
    let clip = bank.clips().last()?;
    let poses = usize::from(clip.parts()) * usize::from(clip.frames());
    last.checked_add(16 + 8 * poses)
}
