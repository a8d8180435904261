//! RFC 4515 §3, `assertionvalue`: values with their escapes and wildcards.

use super::assertion::Assertion;
use super::cursor::{Cursor, Parsed, error};

impl Cursor<'_> {
    pub fn assertion(&mut self, open: usize) -> Parsed<Assertion> {
        let mut parts = self.value(open, false)?;
        Ok(Assertion::new(parts.pop().unwrap_or_default()))
    }

    /// `assertionvalue` up to its `)`, split at every `*`.
    pub fn value(&mut self, open: usize, stars: bool) -> Parsed<Vec<Vec<u8>>> {
        let mut parts = Vec::new();
        let mut part = Vec::new();
        loop {
            let run = self.until(&['\\', '*', '(', ')', '\0']);
            part.extend_from_slice(run.as_bytes());
            let at = self.at..self.at + 1;
            match self.peek() {
                Some(')') => {
                    parts.push(part);
                    return Ok(parts);
                }
                Some('\\') => part.push(self.escape(open)?),
                Some('*') if stars => {
                    self.at += 1;
                    parts.push(std::mem::take(&mut part));
                }
                Some('*') => {
                    let help = "write a literal `*` as `\\2a`; a wildcard is possible only after `=`";
                    return Err(error(at, "invalid wildcard `*`").with_help(help));
                }
                Some('(') => return Err(error(at, "missing `)` before `(`").with_help("write a literal `(` as `\\28`")),
                Some(_) => return Err(error(at, "invalid NUL character").with_help("write it as `\\00`")),
                None => return Err(self.missing_end(open)),
            }
        }
    }

    /// `escaped = ESC HEX HEX`
    fn escape(&mut self, open: usize) -> Parsed<u8> {
        let start = self.at;
        let mut characters = self.rest().chars().skip(1);
        let mut digits = 0;
        let mut byte = 0;
        while digits < 2 {
            let Some(character) = characters.next() else { return Err(self.missing_end(open)) };
            let Some(digit) = character.to_digit(16).and_then(|digit| u8::try_from(digit).ok()) else {
                let wrong = if character == ')' { 0 } else { character.len_utf8() };
                let found = error(start..start + 1 + digits + wrong, "expected two hexadecimal digits after `\\`");
                return Err(found.with_help("write a literal `\\` as `\\5c`"));
            };
            byte = byte * 16 + digit;
            digits += 1;
        }
        self.at += 3;
        Ok(byte)
    }
}
