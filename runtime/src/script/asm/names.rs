//! The table of names: sorted as it grows, in the caller's memory.

use super::Name;
use super::error::ErrorKind;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pass {
    Names,
    Bytes,
}

impl Pass {
    /// A name of the table. As names come in, the table is sorted runs, of a power of two each: one for
    /// every 1 in the binary form of its length, the longest first. Behind the first pass it is one run.
    pub(super) fn find<'n, 's>(self, names: &'n [Name<'s>], word: &str) -> Option<&'n Name<'s>> {
        let mut rest = names;
        while let Some(log) = rest.len().checked_ilog2() {
            let len = match self {
                Self::Names => 1 << log,
                Self::Bytes => rest.len(),
            };
            let (run, behind) = rest.split_at_checked(len)?;
            if let Ok(at) = run.binary_search_by_key(&word, |it| it.name) {
                return run.get(at);
            }
            rest = behind;
        }
        None
    }
}

/// Count a name, and put it into the table in the first pass.
pub(super) fn define<'s>(
    names: &mut [Name<'s>],
    seen: &mut usize,
    pass: Pass,
    name: Name<'s>,
) -> Result<(), ErrorKind<'s>> {
    if pass == Pass::Names {
        let known = names.get(..*seen).unwrap_or_default();
        if pass.find(known, name.name).is_some() {
            return Err(ErrorKind::Duplicate(name.name));
        }
        let room = names.len();
        *names.get_mut(*seen).ok_or(ErrorKind::TooManyNames(room))? = name;
        // The last runs become one, as ones do when a binary number counts up.
        let end = *seen + 1;
        let start = end - (1 << end.trailing_zeros());
        if let Some(run) = names.get_mut(start..end) {
            run.sort_unstable_by_key(|it| it.name);
        }
    }
    *seen += 1;
    Ok(())
}
