//! Battle models (FF8 sheet, sections 1 to 4): skeleton, geometry and animations, read to their end.

use overworld_runtime::anim::ff8::{Animations, Dat, End, Warning};

use super::{Look, count};
use crate::ff8::{Note, section_bones, survey};

pub fn look(data: &[u8]) -> Look {
    let dat = Dat::parse(data).ok();
    let Some(dat) = dat.filter(|it| it.end() == End::Exact && it.kind().is_animated()) else {
        return section(data);
    };
    match parts(&dat) {
        Ok([bones, objects, animations]) => Look::Is(format!(
            "{} sections end at the file's end: {} in tree order, {} whose vertices add up, {} whose \
             streams end in their section",
            dat.len(),
            count(bones, "bone"),
            count(objects, "object"),
            count(animations, "animation")
        )),
        Err(why) => Look::Near(format!(
            "its section table is that of a battle model, but {why}"
        )),
    }
}

/// An animation section that stands alone.
fn section(data: &[u8]) -> Look {
    let bones = section_bones(data);
    let (Some(first), Ok(animations)) = (bones.first(), Animations::parse(data)) else {
        return Look::No;
    };
    let bones = match &bones[..] {
        [_] => count(usize::from(*first), "bone"),
        all => format!("{first} or others of {} numbers of bones", all.len()),
    };
    Look::Is(format!(
        "an animation section alone, without a model: {} of {bones} whose streams follow one another to the end; \
         `ff8 info --section {first}` lists them",
        count(animations.len() as usize, "animation")
    ))
}

/// Numbers of bones, objects and animations.
fn parts(dat: &Dat<'_>) -> Result<[usize; 3], String> {
    let (animations, notes) = survey(dat).map_err(|error| error.to_string())?;
    let total = |it: &&Note| matches!(it, Note::Geometry(Warning::VertexTotal { .. }));
    if let Some(note) = notes.iter().find(total) {
        return Err(note.to_string());
    }
    if animations.is_empty() {
        return Err("it has no animation".to_owned());
    }
    let text = |error| format!("{error}");
    let bones = dat.skeleton().map_err(text)?.len();
    let objects = dat.geometry(bones).map_err(text)?.len();
    Ok([bones.into(), objects as usize, animations.len()])
}
