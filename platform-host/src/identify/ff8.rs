//! Battle models (FF8 sheet, sections 1 to 4): skeleton, geometry and animations, read to their end.

use overworld_runtime::anim::ff8::{Animations, Dat, End, Error, Warning};
use overworld_runtime::bytes::u32_at;

use super::{Look, count};
use crate::ff8::{Note, section_bones, survey};

pub fn look(data: &[u8]) -> Look {
    let dat = Dat::parse(data).ok();
    let Some(dat) = dat.filter(|it| it.kind().is_animated()) else {
        return section(data);
    };
    let exact = dat.end() == End::Exact;
    match parts(&dat) {
        // One slip, which the readers tell and go on; more are something else.
        Ok((_, remarks)) if remarks.len() > 1 && exact => near(&remarks.join("; ")),
        Err(why) if exact => near(&why),
        Ok(([bones, objects, animations], remarks)) if remarks.len() <= 1 => {
            let said = |at: &str| remarks.iter().any(|it| it.starts_with(at));
            Look::Is(format!(
                "{} sections end {} the file's end: {} in tree order, {}{}, {} whose streams end in their section{}",
                dat.len(),
                if exact { "at" } else { "before" },
                count(bones, "bone"),
                count(objects, "object"),
                if said("VertexTotal") {
                    ""
                } else {
                    " whose vertices add up"
                },
                count(animations, "animation"),
                remarks
                    .iter()
                    .map(|it| format!("; {it}"))
                    .collect::<String>()
            ))
        }
        _ => section(data),
    }
}

fn near(why: &str) -> Look {
    Look::Near(format!(
        "its section table is that of a battle model, but {why}"
    ))
}

/// An animation section that stands alone.
fn section(data: &[u8]) -> Look {
    let bones = section_bones(data);
    let (Some(first), Ok(animations)) = (bones.first(), Animations::parse(data)) else {
        return cut(data);
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

/// A battle model that was cut: a table whose sections ascend right from its end on, to behind the file's.
fn cut(data: &[u8]) -> Look {
    let Err(error @ Error::EndOffsetMismatch { end, .. }) = Dat::parse(data) else {
        return Look::No;
    };
    let words = u32_at(data, 0).map_or(0, |it| it as usize);
    let table = 8 + 4 * words;
    let starts: Vec<u32> = (4..table - 4)
        .step_by(4)
        .filter_map(|at| u32_at(data, at))
        .collect();
    let fits = starts.first().is_some_and(|it| *it as usize == table)
        && starts.is_sorted()
        && starts.last().is_some_and(|it| *it < end);
    match fits {
        true => Look::Near(format!(
            "its section table is that of a battle model, but {error}"
        )),
        false => Look::No,
    }
}

/// Numbers of bones, objects and animations, and what is not as it should be.
fn parts(dat: &Dat<'_>) -> Result<([usize; 3], Vec<String>), String> {
    let (animations, notes) = survey(dat).map_err(|error| error.to_string())?;
    let told = |it: &&Note| {
        let total = matches!(it, Note::Geometry(Warning::VertexTotal { .. }));
        total || matches!(it, Note::Longer(_))
    };
    let mut remarks: Vec<String> = notes.iter().filter(told).map(Note::to_string).collect();
    if animations.is_empty() {
        remarks.push("it has no animation".to_owned());
    }
    let text = |error| format!("{error}");
    let bones = dat.skeleton().map_err(text)?.len();
    let objects = dat.geometry(bones).map_err(text)?.len();
    let counts = [bones.into(), objects as usize, animations.len()];
    Ok((counts, remarks))
}
