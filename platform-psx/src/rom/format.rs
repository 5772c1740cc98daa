//! The formatter behind the BIOS call A0:3F, printf.

/// Where template, arguments and strings come from.
pub trait Source {
    /// The next argument.
    fn word(&mut self) -> u32;
    /// The byte at an address of the program.
    fn byte(&mut self, address: u32) -> u8;
}

/// Longest template and longest string that is followed: a pointer gone astray still ends.
const LIMIT: u32 = 0x1_0000;

/// A conversion's flags.
#[derive(Clone, Copy, Default)]
struct Field {
    left: bool,
    zeros: bool,
    plus: bool,
    space: bool,
    prefix: bool,
    width: u32,
    precision: Option<u32>,
    short: bool,
}

/// Write the template at `address` with its arguments to `out`; the number of bytes written.
///
/// Flags `- 0 + space #`, width and precision (digits or `*`), sizes `h l` and the conversions
/// `d i u o x X p c s %` are known; anything else is written as it stands.
pub fn format(source: &mut impl Source, address: u32, out: &mut impl FnMut(u8)) -> u32 {
    let mut count = 0;
    let mut put = |byte| {
        count += 1;
        out(byte);
    };
    let mut template = Template {
        source,
        at: address,
        left: LIMIT,
    };
    loop {
        match template.next() {
            0 => break,
            b'%' => conversion(&mut template, &mut put),
            byte => put(byte),
        }
    }
    count
}

/// What is left of a template.
struct Template<'a, S> {
    source: &'a mut S,
    at: u32,
    /// Bytes until it counts as ended.
    left: u32,
}

impl<S: Source> Template<'_, S> {
    /// The next byte, which stays; 0 at the end.
    fn peek(&mut self) -> u8 {
        if self.left == 0 {
            return 0;
        }
        self.source.byte(self.at)
    }

    /// Go on to the byte behind.
    fn skip(&mut self) {
        self.at = self.at.wrapping_add(1);
        self.left = self.left.saturating_sub(1);
    }

    /// The next byte, and on.
    fn next(&mut self) -> u8 {
        let byte = self.peek();
        self.skip();
        byte
    }
}

/// A number in the template: digits, or `*` for an argument.
fn number(template: &mut Template<'_, impl Source>) -> u32 {
    if template.peek() == b'*' {
        template.skip();
        return template.source.word();
    }
    let mut value: u32 = 0;
    loop {
        let digit = template.peek().wrapping_sub(b'0');
        if digit > 9 {
            return value;
        }
        value = value.wrapping_mul(10).wrapping_add(u32::from(digit));
        template.skip();
    }
}

/// One conversion, its `%` read already.
fn conversion(template: &mut Template<'_, impl Source>, put: &mut impl FnMut(u8)) {
    let (start, left) = (template.at, template.left);
    let mut field = Field::default();
    loop {
        match template.peek() {
            b'-' => field.left = true,
            b'0' => field.zeros = true,
            b'+' => field.plus = true,
            b' ' => field.space = true,
            b'#' => field.prefix = true,
            _ => break,
        }
        template.skip();
    }
    field.width = number(template);
    if field.width >> 31 != 0 {
        // A negative width from an argument.
        field.left = true;
        field.width = field.width.wrapping_neg();
    }
    field.width = field.width.min(LIMIT);
    if template.peek() == b'.' {
        template.skip();
        field.precision = Some(number(template)).filter(|precision| precision >> 31 == 0);
    }
    while matches!(template.peek(), b'h' | b'l') {
        field.short |= template.peek() == b'h';
        template.skip();
    }
    let kind = template.peek();
    let base = match kind {
        b'd' | b'i' | b'u' => 10,
        b'o' => 8,
        b'x' | b'X' | b'p' => 16,
        b'c' => {
            let byte = template.source.word() as u8;
            padded(field, 1, put, |put| put(byte));
            return template.skip();
        }
        b's' => {
            let source = &mut *template.source;
            let text = source.word();
            let limit = field.precision.unwrap_or(LIMIT).min(LIMIT);
            let mut length = 0;
            while length < limit && source.byte(text.wrapping_add(length)) != 0 {
                length += 1;
            }
            padded(field, length, put, |put| {
                (0..length).for_each(|offset| put(source.byte(text.wrapping_add(offset))));
            });
            return template.skip();
        }
        b'%' => {
            put(b'%');
            return template.skip();
        }
        _ => {
            // Unknown: the template as it stands. What follows is text again.
            put(b'%');
            (template.at, template.left) = (start, left);
            return;
        }
    };
    integer(field, kind, base, template.source.word(), put);
    template.skip();
}

fn integer(mut field: Field, kind: u8, base: u32, word: u32, put: &mut impl FnMut(u8)) {
    let signed = matches!(kind, b'd' | b'i');
    let word = match (field.short, signed) {
        (true, true) => i32::from(word as i16) as u32,
        (true, false) => word & 0xFFFF,
        (false, _) => word,
    };
    let negative = signed && word >> 31 != 0;
    let mut rest = if negative { word.wrapping_neg() } else { word };

    // Digits from the right; 11 octal ones are the most.
    let mut digits = [b'0'; 11];
    let mut first = digits.len();
    let letters: &[u8; 16] = if kind == b'X' {
        b"0123456789ABCDEF"
    } else {
        b"0123456789abcdef"
    };
    while rest != 0 {
        first -= 1;
        digits[first] = letters[(rest % base) as usize];
        rest /= base;
    }
    let least = field.precision.unwrap_or(1);
    let sign: &[u8] = match (kind, negative) {
        (_, true) => b"-",
        (b'd' | b'i', _) if field.plus => b"+",
        (b'd' | b'i', _) if field.space => b" ",
        (b'x', _) if field.prefix && word != 0 => b"0x",
        (b'X', _) if field.prefix && word != 0 => b"0X",
        (b'p', _) => b"0x",
        _ => b"",
    };
    let mut leading = least
        .min(LIMIT)
        .saturating_sub((digits.len() - first) as u32);
    if kind == b'o' && field.prefix && leading == 0 {
        // An octal number begins with a zero, which may be one of the precision's.
        leading = 1;
    }
    let length = sign.len() as u32 + leading + (digits.len() - first) as u32;
    if field.zeros && !field.left && field.precision.is_none() {
        // The zeros come between sign and digits.
        leading += field.width.saturating_sub(length);
        field.width = 0;
    }
    padded(field, length, put, |put| {
        sign.iter().for_each(|&byte| put(byte));
        (0..leading).for_each(|_| put(b'0'));
        digits[first..].iter().for_each(|&byte| put(byte));
    });
}

/// `text` of `length` bytes, with spaces up to the field's width.
fn padded<P: FnMut(u8)>(field: Field, length: u32, put: &mut P, text: impl FnOnce(&mut P)) {
    let spaces = field.width.saturating_sub(length);
    if !field.left {
        (0..spaces).for_each(|_| put(b' '));
    }
    text(put);
    if field.left {
        (0..spaces).for_each(|_| put(b' '));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::String;
    use std::vec::Vec;

    /// A program's memory: strings one after the other, each at its offset.
    #[derive(Default)]
    struct Program {
        memory: Vec<u8>,
        arguments: Vec<u32>,
        next: usize,
    }

    impl Program {
        fn string(&mut self, text: &str) -> u32 {
            let address = self.memory.len() as u32;
            self.memory.extend(text.bytes());
            self.memory.push(0);
            address
        }
    }

    impl Source for Program {
        fn word(&mut self) -> u32 {
            self.next += 1;
            self.arguments[self.next - 1]
        }
        fn byte(&mut self, address: u32) -> u8 {
            self.memory[address as usize]
        }
    }

    fn print(template: &str, arguments: &[u32]) -> String {
        let mut program = Program {
            arguments: arguments.to_vec(),
            ..Program::default()
        };
        let template = program.string(template);
        run(&mut program, template)
    }

    fn run(program: &mut Program, template: u32) -> String {
        let mut out = Vec::new();
        let count = format(program, template, &mut |byte| out.push(byte));
        assert_eq!(count as usize, out.len());
        assert_eq!(program.next, program.arguments.len(), "arguments used");
        String::from_utf8(out).unwrap()
    }

    // Expected texts are those of the C standard's printf.
    #[test]
    fn integers() {
        assert_eq!(
            print("%d %i %u", &[-5_i32 as u32, 7, u32::MAX]),
            "-5 7 4294967295"
        );
        assert_eq!(print("%d", &[i32::MIN as u32]), "-2147483648");
        assert_eq!(
            print("%x %X %o %p", &[0xBEEF, 0xBEEF, 8, 0x80010000]),
            "beef BEEF 10 0x80010000"
        );
        assert_eq!(
            print("[%5d|%-5d|%05d|%+d|% d]", &[42, 42, 42, 42, 42]),
            "[   42|42   |00042|+42| 42]"
        );
        assert_eq!(
            print(
                "%05d %08X %.3d %#x %#o",
                &[-42_i32 as u32, 0xBEEF, 7, 255, 8]
            ),
            "-0042 0000BEEF 007 0xff 010"
        );
        assert_eq!(print("%ld %hd %hu", &[1, 0xFFFF, 0x1_FFFF]), "1 -1 65535");
        assert_eq!(
            print("[%*d|%-*d|%*d]", &[4, 1, 4, 2, -4_i32 as u32, 3]),
            "[   1|2   |3   ]"
        );
        assert_eq!(print("%d [%.0d]", &[0, 0]), "0 []");
        assert_eq!(
            print("%#o %#.0o %#.4o %#.1o %#5o", &[0, 0, 8, 8, 8]),
            "0 0 0010 010   010"
        );
    }

    #[test]
    fn characters_strings_and_the_rest() {
        let mut program = Program::default();
        let word = program.string("sector");
        program.arguments = [word, word, word, word, u32::from(b'!')].to_vec();
        let template = program.string("%s|%8s|%-8s|%.3s|%3c|100%%");
        assert_eq!(
            run(&mut program, template),
            "sector|  sector|sector  |sec|  !|100%"
        );
        assert_eq!(print("%y %", &[]), "%y %");
    }

    /// Memory without a zero: what a pointer gone astray finds.
    struct Endless(&'static [u8]);

    impl Source for Endless {
        fn word(&mut self) -> u32 {
            0
        }
        fn byte(&mut self, address: u32) -> u8 {
            self.0[address as usize % self.0.len()]
        }
    }

    #[test]
    fn a_template_without_an_end_ends() {
        // Text, conversions that stand across the limit, flags, digits, sizes.
        for (memory, most) in [
            (&b"abc"[..], LIMIT),
            (b"%5d", LIMIT / 3 * 5 + 5),
            (b"0%d", LIMIT),
            (b"%y%y%", LIMIT),
            (b"%#0 -+", LIMIT),
            (b"0", LIMIT),
            (b"%.0", LIMIT),
            (b"lh%", LIMIT),
        ] {
            let mut count = 0;
            for start in 0..memory.len() as u32 {
                format(&mut Endless(memory), start, &mut |_| {
                    count += 1;
                    assert!(count <= most * (start + 1), "{memory:?}");
                });
            }
        }
    }
}
