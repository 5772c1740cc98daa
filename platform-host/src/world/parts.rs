//! What a world may bring along beside the members that every scene needs.

use overworld_runtime::anim::ff8::Dat;
use overworld_runtime::anim::legaia::Bank;
use overworld_runtime::disc::bundle::AssetType;
use overworld_runtime::field::map::Patch;
use overworld_runtime::field::stager::{self, Stager};
use overworld_runtime::model::tim::Tim;
use overworld_runtime::model::tmd::Tmd;
use overworld_runtime::platform::SECTOR;
use overworld_runtime::scene::creatures::{self, Creature};
use overworld_runtime::scene::man::Man;

use super::{Error, Member, World};
use crate::fault::{self, Fault};
use crate::ff8::{self, Trouble};

/// A member of the bundle that has no key of its own in the manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Other {
    /// Its type; none of TIM_LIST, TMD, MAN and MOVE.
    pub ty: AssetType,
    /// The file, decoded.
    pub file: Member,
}

impl World {
    /// Check what the optional keys name, each with the runtime's reader.
    ///
    /// # Errors
    /// [`Error::Part`].
    pub(super) fn check_parts(&self) -> Result<(), Error> {
        let check = |key, (name, data): &Member, reader: &dyn Fn(&[u8]) -> Result<(), Fault>| {
            reader(data).map_err(|fault| Error::Part {
                key,
                name: name.clone(),
                fault,
            })
        };
        if let Some(member) = &self.man {
            check("man", member, &man)?;
        }
        if let Some(member) = &self.patch {
            check("patch", member, &patch)?;
        }
        if let Some(member) = &self.stager {
            check("stager", member, &stager)?;
        }
        if let Some(member) = &self.creature {
            check("creature", member, &creature)?;
        }
        for Other { ty, file } in &self.others {
            check("members", file, &|data| other(*ty, data))?;
        }
        Ok(())
    }
}

fn man(data: &[u8]) -> Result<(), Fault> {
    match Man::parse(data) {
        Ok(_) => Ok(()),
        Err(error) => Err(fault::man(data, &error)),
    }
}

fn patch(data: &[u8]) -> Result<(), Fault> {
    match Patch::parse(data) {
        Ok(_) => Ok(()),
        Err(error) => Err(fault::patch(&error)),
    }
}

fn stager(data: &[u8]) -> Result<(), Fault> {
    if data.len() > stager::RESIDENT {
        return Err(Fault {
            name: "SizeLimit".to_owned(),
            offset: Some(stager::RESIDENT as u64),
            text: format!(
                "expected at most {} bytes, which is what the console keeps, found {}",
                stager::RESIDENT,
                data.len()
            ),
        });
    }
    match Stager::parse(data) {
        Ok(_) => Ok(()),
        Err(error) => Err(Fault::new(&error, None)),
    }
}

fn creature(data: &[u8]) -> Result<(), Fault> {
    // As the programs that show it, and then all that they will meet.
    let long = creatures::SECTORS * SECTOR;
    if data.len() > long {
        return Err(Fault {
            name: "SizeLimit".to_owned(),
            offset: Some(long as u64),
            text: format!("expected at most {long} bytes, found {}", data.len()),
        });
    }
    match Creature::new(data) {
        Ok(_) => {}
        Err(creatures::Error::Model(error)) => return Err(fault::ff8(data, &error)),
        Err(error) => return Err(Fault::new(&error, None)),
    }
    let survey = Dat::parse(data)
        .map_err(Trouble::from)
        .and_then(|dat| ff8::survey(&dat));
    match survey {
        Ok(_) => Ok(()),
        Err(Trouble::Model(error) | Trouble::Animation(_, error)) => Err(fault::ff8(data, &error)),
        Err(error) => Err(Fault::new(&error, None)),
    }
}

fn other(ty: AssetType, data: &[u8]) -> Result<(), Fault> {
    // Its stream would be empty, too, and its offset that of the next member.
    if data.is_empty() {
        return Err(Fault {
            name: "BadDescriptorOffset".to_owned(),
            offset: Some(0),
            text: format!("expected at least one byte of type {ty}, found none"),
        });
    }
    match ty {
        AssetType::Tim => {
            let palette = Tim::parse(data).and_then(|tim| tim.palette());
            palette.map(|_| ()).map_err(|error| fault::tim(&error))
        }
        AssetType::Tmd2 => match Tmd::parse(data) {
            Ok(_) => Ok(()),
            Err(error) => Err(fault::tmd(&error)),
        },
        AssetType::Move2 => match Bank::parse(data) {
            Ok(_) => Ok(()),
            Err(error) => Err(fault::bank(data, &error)),
        },
        // Those with keys are checked there; of the others no structure is known.
        AssetType::TimList
        | AssetType::Tmd
        | AssetType::Man
        | AssetType::Move
        | AssetType::Mes
        | AssetType::Anm
        | AssetType::Vdf
        | AssetType::Sin
        | AssetType::Flag0A
        | AssetType::Flag0F
        | AssetType::Flag14 => Ok(()),
    }
}
