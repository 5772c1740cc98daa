//! The container: a table of sections (FF8 sheet, section 1).

use super::{Animations, Error, Geometry, Skeleton};
use crate::bytes::{Writer, u32_at};

/// The most sections a file may have; the game's have up to 11.
pub const MAX_SECTIONS: u32 = 64;

/// What a file holds, told by its number of sections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// 3 sections: skeleton, geometry, animation, and no more. Not of the game.
    PoseOnly,
    /// 7 sections: a character's body.
    Character,
    /// 8 sections: a weapon.
    Weapon,
    /// 10 sections: a character without a weapon.
    Body,
    /// 11 sections: a monster.
    Monster,
    /// 5 sections: a weapon without skeleton and animation.
    ReducedWeapon,
    /// 2 sections: statistics and behaviour.
    Statistics,
    /// Any other number.
    Unknown,
}

impl Kind {
    /// The kind of files with so many sections.
    #[must_use]
    pub const fn of(sections: u8) -> Self {
        match sections {
            2 => Self::Statistics,
            3 => Self::PoseOnly,
            5 => Self::ReducedWeapon,
            7 => Self::Character,
            8 => Self::Weapon,
            10 => Self::Body,
            11 => Self::Monster,
            _ => Self::Unknown,
        }
    }

    /// Whether sections 1 to 3 are skeleton, geometry and animation.
    #[must_use]
    pub const fn is_animated(self) -> bool {
        matches!(
            self,
            Self::PoseOnly | Self::Character | Self::Weapon | Self::Body | Self::Monster
        )
    }

    /// A name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PoseOnly => "pose-only model",
            Self::Character => "character",
            Self::Weapon => "weapon",
            Self::Body => "character without a weapon",
            Self::Monster => "monster",
            Self::ReducedWeapon => "reduced weapon",
            Self::Statistics => "statistics without a model",
            Self::Unknown => "file of an unknown kind",
        }
    }
}

/// Where a file ends by its own table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Where the data ends.
    Exact,
    /// So many bytes before that: a warning (section 12).
    Longer(usize),
}

/// A file whose section table is known to be good.
#[derive(Clone, Copy, Debug)]
pub struct Dat<'a> {
    data: &'a [u8],
    sections: u8,
}

impl<'a> Dat<'a> {
    /// Read the section table.
    ///
    /// Sections may be empty; starts need not be multiples of four.
    ///
    /// # Errors
    /// [`Error::Truncated`], [`Error::BadSectionCount`], [`Error::BadSectionTable`],
    /// [`Error::EndOffsetMismatch`] when the table promises more than there is.
    pub fn parse(data: &'a [u8]) -> Result<Self, Error> {
        let len = data.len();
        let count = u32_at(data, 0).ok_or(Error::Truncated { need: 4, len })?;
        if count == 0 || count > MAX_SECTIONS {
            return Err(Error::BadSectionCount { count });
        }
        let sections = count as u8;
        let table = 8 + 4 * usize::from(sections);
        if len < table {
            return Err(Error::Truncated { need: table, len });
        }
        let dat = Self { data, sections };
        let end = dat.offset(sections);
        if end as usize > len {
            return Err(Error::EndOffsetMismatch { end, len });
        }
        let mut floor = table as u32;
        for section in 0..sections {
            let offset = dat.offset(section);
            if offset < floor || offset > end {
                let section = section + 1;
                return Err(Error::BadSectionTable { section, offset });
            }
            floor = offset;
        }
        // Without sections there would be no end.
        if end < floor {
            return Err(Error::EndOffsetMismatch { end, len });
        }
        Ok(dat)
    }

    /// An offset of the table, which has one more than there are sections.
    fn offset(&self, index: u8) -> u32 {
        u32_at(self.data, 4 + 4 * usize::from(index)).unwrap_or(0)
    }

    /// Number of sections, 1 to [`MAX_SECTIONS`].
    #[must_use]
    pub const fn len(&self) -> u8 {
        self.sections
    }

    /// Never true: a file without sections does not parse.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.sections == 0
    }

    /// What it holds.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        Kind::of(self.sections)
    }

    /// Whether bytes follow behind its end.
    #[must_use]
    pub fn end(&self) -> End {
        match self.data.len() - self.offset(self.sections) as usize {
            0 => End::Exact,
            more => End::Longer(more),
        }
    }

    /// What follows behind its end; nothing in a proper file.
    #[must_use]
    pub fn after(&self) -> &'a [u8] {
        let end = self.offset(self.sections) as usize;
        self.data.get(end..).unwrap_or_default()
    }

    /// Where a section starts in the file; it is counted from 1, as in the sheet.
    #[must_use]
    pub fn start(&self, section: u8) -> Option<usize> {
        let index = section.checked_sub(1).filter(|it| *it < self.sections)?;
        Some(self.offset(index) as usize)
    }

    /// The bytes of a section; it is counted from 1, as in the sheet.
    #[must_use]
    pub fn section(&self, section: u8) -> Option<&'a [u8]> {
        let start = self.start(section)?;
        self.data.get(start..self.offset(section) as usize)
    }

    /// A section of an animated model.
    fn of_model(&self, section: u8) -> Result<&'a [u8], Error> {
        let none = Error::NoAnimation {
            sections: self.sections,
        };
        if !self.kind().is_animated() {
            return Err(none);
        }
        self.section(section).ok_or(none)
    }

    /// Section 1 of an animated model.
    ///
    /// # Errors
    /// [`Error::NoAnimation`], and those of [`Skeleton::parse`].
    pub fn skeleton(&self) -> Result<Skeleton<'a>, Error> {
        Skeleton::parse(self.of_model(1)?)
    }

    /// Section 2 of an animated model.
    ///
    /// # Errors
    /// [`Error::NoAnimation`], and those of [`Geometry::parse`].
    pub fn geometry(&self, bones: u8) -> Result<Geometry<'a>, Error> {
        Geometry::parse(self.of_model(2)?, bones)
    }

    /// Section 3 of an animated model.
    ///
    /// # Errors
    /// [`Error::NoAnimation`], and those of [`Animations::parse`].
    pub fn animations(&self) -> Result<Animations<'a>, Error> {
        Animations::parse(self.of_model(3)?)
    }
}

/// Write a file of these sections, each one from a multiple of four on; its length.
///
/// # Errors
/// [`Error::BadSectionCount`]; [`Error::OutputTooSmall`].
pub fn emit(sections: &[&[u8]], out: &mut [u8]) -> Result<usize, Error> {
    let room = out.len();
    let full = |_| Error::OutputTooSmall { room };
    let count = sections.len() as u32;
    if sections.is_empty() || sections.len() > MAX_SECTIONS as usize {
        return Err(Error::BadSectionCount { count });
    }
    let mut out = Writer::new(out);
    out.u32(count).map_err(full)?;
    out.zeros(4 * sections.len() + 4).map_err(full)?;
    for (index, section) in sections.iter().enumerate() {
        let start = out.position() as u32;
        out.patch_u32(4 + 4 * index, start).map_err(full)?;
        out.bytes(section).map_err(full)?;
        out.align(4).map_err(full)?;
    }
    let end = out.position() as u32;
    out.patch_u32(4 + 4 * sections.len(), end).map_err(full)?;
    Ok(out.finish())
}
