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
                Some('*') => return Err(error(at, "`*` is a wildcard only after `=`; write a literal `*` as `\\2a`")),
                Some('(') => {
                    let message = "missing `)` before `(`; write a literal `(` as `\\28`";
                    return Err(error(at, message));
                }
                Some(_) => return Err(error(at, "invalid NUL character; write it as `\\00`")),
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
                let message = "expected two hexadecimal digits after `\\`; write a literal `\\` as `\\5c`";
                return Err(error(start..start + 1 + digits + wrong, message));
            };
            byte = byte * 16 + digit;
            digits += 1;
        }
        self.at += 3;
        Ok(byte)
    }
}
