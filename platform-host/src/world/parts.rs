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
use crate::identify::count;

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

impl World {
    /// What keeps the creature from being seen, though all of its file is good: its texture is not among the world's.
    /// Empty without a creature, and for members that [`World::check`] refuses.
    #[must_use]
    pub fn unseen(&self) -> Option<String> {
        let (_, data) = self.creature.as_ref()?;
        let dat = Dat::parse(data).ok()?;
        let geometry = dat.geometry(dat.skeleton().ok()?.len()).ok()?;
        let tims: Vec<Tim<'_>> = self
            .textures
            .iter()
            .filter_map(|(_, data)| Tim::parse(data).ok())
            .collect();
        let blocks = || {
            let blocks = tims.iter().flat_map(|it| [Some(it.image), it.clut]);
            blocks.flatten()
        };
        let is_there = |[x, y]: [u16; 2]| {
            blocks().any(|it| {
                let inside = |at: u16, from: u16, size: u16| at.wrapping_sub(from) < size;
                inside(x, it.x, it.w) && inside(y, it.y, it.h)
            })
        };
        let (mut faces, mut bare, mut first) = (0, 0, None);
        for face in geometry.objects().flat_map(|it| it.faces()) {
            if face.hidden {
                continue;
            }
            faces += 1;
            let page = face.texture.page;
            let corner = [(page & 15) * 64, (page >> 4 & 1) * 256];
            // Texels of a 16-bit unit, as a power of two, and colours that a palette has.
            let (shift, colours) = [(2, 16), (1, 256), (0, 0), (0, 0)][usize::from(page >> 7 & 3)];
            let texels = face.texture.uv.iter().take(face.corners.into()).map(|uv| {
                let [u, v] = uv.to_le_bytes().map(u16::from);
                [corner[0] + (u >> shift), corner[1] + v]
            });
            let clut = face.texture.clut;
            let palette = [(clut & 63) * 16, clut >> 6 & 511];
            let palette = (colours > 0).then_some(palette);
            if let Some(missing) = texels.chain(palette).find(|it| !is_there(*it)) {
                bare += 1;
                first.get_or_insert(missing);
            }
        }
        let [x, y] = first?;
        Some(format!(
            "{bare} of {} take texels or colours from where none of \"textures\" lies, the first from {x}, {y} of VRAM",
            count(faces, "face")
        ))
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
