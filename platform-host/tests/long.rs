//! Long runs in little memory.

mod common;

#[cfg(target_os = "linux")]
mod linux {
    use std::process::Command;

    use overworld_host::sample;

    use crate::common::{Place, json, text};

    /// Each of these documents would take more than twice the memory that the process may have, if it were
    /// built before it is printed.
    #[test]
    fn a_long_document_is_not_held_in_memory() {
        let place = Place::new();
        place.write("bank", &sample::world().unwrap().bank.1);
        place.write("pads.json", br#"{"pads":[[4096,200000]]}"#);
        place.write("steps.json", br#"{"code":"2126FEFF","steps":200000}"#);
        place.write("slices.json", br#"{"code":"2126FEFF","slices":100000}"#);
        for (call, key, count) in [
            (
                "anm play bank --clip 1 --speed 16 --mode 0 --ticks 500000",
                "ticks",
                500_000,
            ),
            ("field run pads.json", "frames", 200_000),
            ("vm run steps.json", "steps", 200_000),
            ("vm run slices.json", "slices", 100_000),
        ] {
            let tool = env!("CARGO_BIN_EXE_overworld");
            let done = Command::new("sh")
                .args([
                    "-c",
                    &format!("ulimit -v 100000; exec '{tool}' --json {call}"),
                ])
                .current_dir(place.path(""))
                .output()
                .unwrap();
            assert_eq!(text(&done.stderr), "", "{call}");
            assert_eq!(done.status.code(), Some(0), "{call}");
            let printed = text(&done.stdout);
            let document = json(&printed);
            assert_eq!(document[key].as_array().unwrap().len(), count, "{call}");
            // As a document is printed at once, key by key.
            assert!(format!("{document}\n") == printed, "{call}");
        }
    }
}
