//! Records that are longer than a program counter tells apart.

use overworld_runtime::scene::man::{Man, Record};

use super::RECORD;

/// The records of a MAN that are longer than a program counter of 16 bits tells apart: a sentence each.
#[must_use]
pub fn long_records(man: &[u8]) -> Vec<String> {
    let Ok(man) = Man::parse(man) else {
        return Vec::new();
    };
    let records = man.records().flatten().filter_map(|record| {
        let (part, index) = match record {
            Record::Object(it) => ("objects", it.index),
            Record::Actor(it) => ("actors", it.index),
            Record::Beat(it) => ("beats", it.index),
        };
        let bytes = record.script().base.len();
        (bytes > RECORD).then(|| {
            format!("{part}[{index}]: {bytes} bytes, of which a script reaches the first {RECORD}")
        })
    });
    records.collect()
}

#[cfg(test)]
mod tests {
    use crate::sources::{Kind, build};

    use super::*;

    #[test]
    fn what_no_script_reaches_is_told() {
        let man = |code: usize| {
            let text = format!(r#"{{"objects": [{{"code": "{}"}}]}}"#, "21".repeat(code));
            build(Kind::Man, text.as_bytes()).unwrap().bytes
        };
        assert!(long_records(&man(65_000)).is_empty());
        let notes = long_records(&man(70_000));
        assert_eq!(notes.len(), 1);
        assert!(notes[0].starts_with("objects[0]: 7000"), "{notes:?}");
    }
}
