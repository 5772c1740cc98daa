//! The scripts of a MAN's document: digits, lines of the assembler's language, or a file beside the document.

use std::borrow::Cow;

use overworld_runtime::script::dis::{Labels, Style, disassemble};

use super::{ActorRow, BeatRow, ObjectRow};
use crate::fault::Fault;
use crate::number::Hex;
use crate::object::Object;
use crate::script::{Source, assembled};
use crate::sources::{File, Scripts};

/// What a record's row says of its script, of which one is there.
pub(super) struct Code {
    /// The bytes.
    pub(super) code: Option<Hex>,
    /// Lines of text.
    pub(super) text: Option<Vec<String>>,
    /// The name of a file with text, or with the bytes.
    pub(super) source: Option<String>,
}

impl Code {
    /// How a document says a script.
    pub(super) fn of(script: &[u8], scripts: Scripts) -> Self {
        let text = match scripts {
            Scripts::Digits => None,
            Scripts::Text => lines(script),
        };
        Self {
            code: text.is_none().then(|| Hex(script.to_vec())),
            text,
            source: None,
        }
    }
}

/// A script as text, if that gives the same bytes again: one of more than 65,536 bytes may have too many labels.
fn lines(script: &[u8]) -> Option<Vec<String>> {
    let mut text = String::new();
    let mut labels = Box::new(Labels::none());
    disassemble(script, 0, Style::default(), &mut labels, &mut text).ok()?;
    let same = assembled(&text).is_ok_and(|(code, _)| code == script);
    same.then(|| text.lines().map(str::to_owned).collect())
}

/// A row with a script.
pub(super) trait Row {
    /// Digits, lines, and the name of a file.
    fn script(&self) -> (Option<&Hex>, Option<&[String]>, Option<&str>);
}

macro_rules! rows {
    ($($row:ident)*) => {
        $(impl Row for $row {
            fn script(&self) -> (Option<&Hex>, Option<&[String]>, Option<&str>) {
                (self.code.as_ref(), self.text.as_deref(), self.source.as_deref())
            }
        })*
    };
}

rows! { ObjectRow ActorRow BeatRow }

fn bad(text: String) -> Fault {
    Fault {
        name: "BadScript".to_owned(),
        offset: None,
        text,
    }
}

/// The bytes of all scripts of a list.
pub(super) fn assemble<'r, R: Row>(
    list: &str,
    rows: &'r [Object<R>],
    file: File<'_>,
) -> Result<Vec<Cow<'r, [u8]>>, Fault> {
    let rows = rows.iter().enumerate();
    let scripts = rows.map(|(index, Object(row))| match row.script() {
        (Some(Hex(code)), None, None) => Ok(Cow::Borrowed(code.as_slice())),
        (None, Some(lines), None) => match assembled(&lines.join("\n")) {
            Ok((code, _)) => Ok(Cow::Owned(code)),
            Err(error) => Err(bad(format!("{list}[{index}].text: {error}"))),
        },
        (None, None, Some(name)) => {
            let source = file(name).and_then(|data| {
                Source::read(&data).map_err(|error| format!("{name}: {error}"))
            });
            let source = source.map_err(|error| bad(format!("{list}[{index}].source: {error}")))?;
            Ok(Cow::Owned(source.code))
        }
        (None, None, None) => Err(bad(format!(
            "{list}[{index}]: expected a script: \"code\" with its digits, \"text\" with its lines, or \"source\" with \
             the name of a file"
        ))),
        _ => Err(bad(format!(
            "{list}[{index}]: expected one of \"code\", \"text\" and \"source\", found more"
        ))),
    });
    scripts.collect()
}
