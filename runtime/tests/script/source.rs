//! Scripts of tests, from the assembler's language and from digits.

use overworld_runtime::script::asm::{Name, assemble};

/// The bytes of a text.
pub fn asm(source: &str) -> &'static [u8] {
    let mut out = vec![0; source.len() + 16];
    let mut names = vec![Name::default(); 64];
    let len = assemble(source, &mut out, &mut names).unwrap_or_else(|error| panic!("{error}"));
    out.truncate(len);
    out.leak()
}

/// The bytes of digits.
pub fn hex(text: &str) -> &'static [u8] {
    let digits = |it| u8::from_str_radix(it, 16).expect("hexadecimal");
    text.split_whitespace()
        .map(digits)
        .collect::<Vec<_>>()
        .leak()
}
