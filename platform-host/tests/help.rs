//! The help of every level, and wrong command lines.

mod common;

use common::Place;

const COMMANDS: &[&[&str]] = &[
    &[],
    &["run"],
    &["disc"],
    &["disc", "build"],
    &["disc", "ls"],
    &["disc", "info"],
    &["disc", "extract"],
    &["disc", "verify"],
    &["world"],
    &["world", "new"],
    &["world", "check"],
    &["identify"],
    &["lzs"],
    &["lzs", "decode"],
    &["lzs", "encode"],
    &["anm"],
    &["anm", "info"],
    &["anm", "pose"],
    &["anm", "play"],
    &["ff8"],
    &["ff8", "info"],
    &["ff8", "pose"],
    &["ff8", "dump"],
    &["ff8", "encode"],
    &["ff8", "gltf"],
    &["ff8", "check"],
    &["ff8", "strip"],
    &["ff8", "sample"],
    &["bundle"],
    &["bundle", "info"],
    &["bundle", "extract"],
    &["map"],
    &["map", "info"],
    &["map", "probe"],
    &["map", "dump"],
    &["map", "build"],
    &["field"],
    &["field", "run"],
    &["man", "info"],
    &["man", "dump"],
    &["man", "build"],
    &["stager"],
    &["stager", "info"],
    &["stager", "dump"],
    &["stager", "build"],
    &["tmd", "info"],
    &["tim"],
    &["tim", "info"],
    &["tim", "png"],
    &["tim", "font"],
    &["vm", "disasm"],
    &["vm", "asm"],
    &["vm", "run"],
    &["motion", "run"],
    &["llama"],
    &["llama", "info"],
    &["llama", "check"],
    &["llama", "roundtrip"],
    &["llama", "dump"],
    &["llama", "build"],
    &["llama", "types"],
    &["llama", "testlevel"],
    &["llama", "sample"],
    &["llama", "picture"],
    &["llama", "field"],
    &["llama", "world"],
    &["gte", "check"],
];

#[test]
fn every_level_has_help() {
    let place = Place::new();
    for &command in COMMANDS {
        let help = place.fine(&[command, &["--help"]].concat());
        let usage = help.lines().find(|it| it.starts_with("Usage: overworld"));
        let usage = usage.unwrap_or_else(|| panic!("{command:?}: {help}"));
        assert!(usage.contains(&command.join(" ")), "{usage}");
        // A sentence first, every option and command explained, lines that fit a terminal.
        assert!(help.lines().next().unwrap().len() > 10, "{help}");
        for line in help.lines() {
            assert!(line.chars().count() <= 120, "{command:?}: {line}");
        }
        // Short help explains beside the option, long help below it.
        let short = place.fine(&[command, &["-h"]].concat());
        for line in short.lines().filter(|it| it.trim_start().starts_with('-')) {
            let explained = line.trim_start().split_once("  ");
            assert!(
                explained.is_some_and(|(_, it)| it.trim().len() > 3),
                "{line}"
            );
        }
        assert!(help.contains("--json"), "{command:?}");
    }
}

#[test]
fn wrong_command_lines_have_status_two() {
    let place = Place::new();
    for arguments in [
        &["disc", "extract", "x.cue"][..],
        &["disc", "verify"],
        &["lzs", "decode", "x"],
        &["lzs", "decode", "x", "--size", "-1"],
        &["lzs", "encode", "x", "--parse", "best"],
        &["anm", "play", "x", "--clip", "1"],
        &["anm", "info"],
        &["bundle"],
        &["tim", "png"],
        &["gte", "check"],
        &["world", "check"],
    ] {
        let error = place.bad(arguments, 2);
        assert!(error.contains("--help"), "{error}");
    }
}
