//! Stager tables (disc sheet, section 6).

use overworld_runtime::field::stager::{self, Record, Stager};
use serde::{Deserialize, Serialize};

use super::{Built, Error, read, too_many, write, written};
use crate::fault::Fault;
use crate::identify::count;
use crate::number::Number;
use crate::object::Object;

/// The document.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Document {
    records: Vec<Object<Row>>,
    /// Bytes of the file: zeros fill it up behind the last record.
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<Number<u32>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    /// -1 for a node that only moves others.
    model: Number<i16>,
    #[serde(default)]
    flags: Number<u16>,
    #[serde(default)]
    words: Vec<Number<u16>>,
}

fn row(record: &Record<'_>, last: bool) -> Row {
    let mut words: Vec<_> = record.words().map(Number).collect();
    // The last record reaches to the end of its sector.
    while last && words.last() == Some(&Number(0)) {
        words.pop();
    }
    Row {
        model: Number(record.model().unwrap_or(-1)),
        flags: Number(record.flags()),
        words,
    }
}

fn what(table: &Stager<'_>) -> String {
    count(table.len().into(), "record")
}

/// Text and contents of a table's document.
pub(super) fn dump(data: &[u8]) -> Result<(String, String), Fault> {
    let table = Stager::parse(data).map_err(|error| Fault::new(&error, None))?;
    let rows = (1..).zip(table.records());
    let rows = rows.map(|(number, it)| Object(row(&it, number == table.len())));
    let document = Document {
        records: rows.collect(),
        size: u32::try_from(data.len()).ok().map(Number),
    };
    Ok((write(&document), what(&table)))
}

/// The table of a document.
pub(super) fn build(text: &[u8]) -> Result<Built, Error> {
    let document: Document = read(text)?;
    let records = document.records.iter().map(|Object(it)| {
        let head = [it.model.0.to_le_bytes(), it.flags.0.to_le_bytes()];
        let words = it.words.iter().map(|it| it.0.to_le_bytes());
        head.into_iter().chain(words).flatten().collect()
    });
    let records: Vec<Vec<u8>> = records.collect();
    let records: Vec<&[u8]> = records.iter().map(Vec::as_slice).collect();
    let most = 2 + records.iter().map(|it| 2 + it.len()).sum::<usize>();
    let mut bytes = written(most, |out| stager::emit(&records, out))?;
    if let Some(Number(size)) = document.size {
        let size = size as usize;
        if size < bytes.len() || size > LARGEST {
            return Err(Error::Content(if size > LARGEST {
                too_many("size", size, LARGEST)
            } else {
                Fault {
                    name: "OutputTooSmall".to_owned(),
                    offset: None,
                    text: format!("\"size\": expected at least {}, found {size}", bytes.len()),
                }
            }));
        }
        bytes.resize(size, 0);
    }
    let table = Stager::parse(&bytes).map_err(|error| Fault::new(&error, None))?;
    let what = what(&table);
    Ok(Built { bytes, what })
}

/// The largest size that a document may ask for: what a member of a world may have.
const LARGEST: usize = crate::input::MEMBER as usize;
