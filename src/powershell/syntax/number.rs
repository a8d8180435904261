//! Numbers, with the suffixes of PowerShell (`about_Numeric_Literals`).

use super::cursor::{Parser, is_name};

/// Suffixes of types, longest first, and of multiples.
const TYPES: [&str; 9] = ["ul", "us", "uy", "u", "l", "d", "n", "s", "y"];
const MULTIPLES: [(&str, u32); 5] = [("kb", 10), ("mb", 20), ("gb", 30), ("tb", 40), ("pb", 50)];

impl Parser<'_> {
    /// A number as decimal digits, unless what begins here is a word such as `7z`.
    pub fn number(&mut self) -> Option<String> {
        let start = self.at;
        let number = self.scan_number().filter(|_| !self.peek().is_some_and(is_name));
        if number.is_none() {
            self.at = start;
        }
        number
    }

    fn scan_number(&mut self) -> Option<String> {
        for (prefixes, base) in [(["0x", "0X"], 16), (["0b", "0B"], 2)] {
            if prefixes.iter().any(|prefix| self.is_at(prefix)) {
                let start = self.at;
                self.at += 2;
                let digits = self.take_while(|letter| letter.is_digit(base));
                if let Ok(value) = u64::from_str_radix(digits, base) {
                    let bits = self.suffix()?;
                    return value.checked_shl(bits).map(|value| value.to_string());
                }
                self.at = start;
            }
        }
        let start = self.at;
        self.take_while(|letter| letter.is_ascii_digit());
        let after_point = self.peek_second();
        // `1..5` is a range, and `1.ToString()` a call.
        if self.is_at(".") && after_point.is_none_or(|next| next != '.' && !(next.is_alphabetic() || next == '_')) {
            self.at += 1;
            self.take_while(|letter| letter.is_ascii_digit());
        }
        let has_digit = self.text.get(start..self.at)?.contains(|letter: char| letter.is_ascii_digit());
        if !has_digit {
            return None;
        }
        let mantissa = self.at;
        if matches!(self.peek(), Some('e' | 'E')) {
            self.at += 1;
            if matches!(self.peek(), Some('+' | '-')) {
                self.at += 1;
            }
            if self.take_while(|letter| letter.is_ascii_digit()).is_empty() {
                self.at = mantissa;
            }
        }
        let digits = self.text.get(start..self.at)?;
        let bits = self.suffix()?;
        if bits == 0 {
            return Some(digits.to_owned());
        }
        let factor = 2_f64.powi(i32::try_from(bits).ok()?);
        digits.parse::<f64>().ok().map(|value| (value * factor).to_string())
    }

    /// Skips a suffix; the bits by which it shifts.
    fn suffix(&mut self) -> Option<u32> {
        let letters: String = self.rest().chars().take_while(char::is_ascii_alphabetic).take(5).collect();
        let lower = letters.to_ascii_lowercase();
        let after_type = TYPES.iter().find_map(|suffix| lower.strip_prefix(suffix));
        for (rest, taken) in [(Some(lower.as_str()), 0), (after_type, lower.len() - after_type.map_or(0, str::len))] {
            let Some(rest) = rest else { continue };
            if rest.is_empty() {
                self.at += taken;
                return Some(0);
            }
            if let Some((suffix, bits)) = MULTIPLES.iter().find(|(suffix, _)| *suffix == rest) {
                self.at += taken + suffix.len();
                return Some(*bits);
            }
        }
        None
    }
}
