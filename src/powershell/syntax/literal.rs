//! Strings (`about_Quoting_Rules`) and numbers (`about_Numeric_Literals`).

use super::cursor::{Parse, Parser, is_double_quote, is_name, is_single_quote, is_space};

/// Suffixes of numbers: types, and multiples, each 1024 times the one before it.
const TYPES: [&str; 10] = ["", "u", "l", "ul", "d", "n", "s", "us", "y", "uy"];
const MULTIPLES: [&str; 6] = ["", "kb", "mb", "gb", "tb", "pb"];

impl Parser<'_> {
    /// A string in quotes that begins here; `None` if it has variables.
    pub fn string(&mut self) -> Parse<Option<String>> {
        let start = self.at;
        let quote = if self.bump().is_some_and(is_single_quote) { is_single_quote } else { is_double_quote };
        let (mut text, mut is_static) = (String::new(), true);
        loop {
            text += self.take_while(|letter| !quote(letter) && (quote('\'') || !matches!(letter, '`' | '$')));
            match self.peek() {
                None => return Self::error_at(start, "unclosed string"),
                Some('`') => self.escape(&mut text),
                Some('$') => is_static &= self.dollar(&mut text)?,
                Some(letter) => {
                    self.bump();
                    if !self.peek().is_some_and(quote) {
                        return Ok(is_static.then_some(text));
                    }
                    self.bump();
                    text.push(letter);
                }
            }
        }
    }

    /// A character after a backtick.
    pub fn escape(&mut self, text: &mut String) {
        self.bump();
        let Some(letter) = self.bump() else { return };
        text.push(match letter {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            '0' => '\0',
            other => other,
        });
    }

    /// A `$` in a string. Returns whether it is only a character.
    pub fn dollar(&mut self, text: &mut String) -> Parse<bool> {
        match self.peek_second() {
            Some('(') => {
                self.bump();
                self.skip_balanced()?;
                Ok(false)
            }
            Some('{') => self.variable().map(|_| false),
            Some(letter) if is_name(letter) || matches!(letter, '$' | '?' | '^') => {
                self.bump();
                self.bump();
                Ok(false)
            }
            _ => {
                self.bump();
                text.push('$');
                Ok(true)
            }
        }
    }

    /// Whether a here-string begins here: `@'` or `@"` at the end of a line.
    pub fn is_here_string(&self) -> bool {
        let mut letters = self.rest().chars();
        letters.next() == Some('@')
            && letters.next().is_some_and(|quote| is_single_quote(quote) || is_double_quote(quote))
            && letters.find(|&letter| !is_space(letter)).is_none_or(|letter| matches!(letter, '\n' | '\r'))
    }

    /// Up to the quote and `@` at the beginning of a line.
    pub fn here_string(&mut self) -> Parse<Option<String>> {
        let start = self.at;
        self.bump();
        let quote = if self.bump().is_some_and(is_single_quote) { is_single_quote } else { is_double_quote };
        self.take_while(is_space);
        let inside = self.at;
        loop {
            self.take_while(|letter| letter != '\n');
            let end = self.at;
            if self.bump().is_none() {
                return Self::error_at(start, "unclosed here-string");
            }
            if self.peek().is_some_and(quote) && self.peek_second() == Some('@') {
                self.bump();
                self.bump();
                let text =
                    self.text.get(inside..end).unwrap_or_default().trim_matches(['\r', '\n']).replace("\r\n", "\n");
                return Ok((quote('\'') || !text.contains(['$', '`'])).then_some(text));
            }
        }
    }

    /// A number as decimal digits, unless what begins here is a word such as `7z`.
    pub fn number(&mut self) -> Option<String> {
        let start = self.at;
        let number = self.scan_number();
        if number.is_none() {
            self.at = start;
        }
        number
    }

    fn scan_number(&mut self) -> Option<String> {
        if self.eat("0x") || self.eat("0X") {
            let digits = self.take_while(|letter| letter.is_ascii_hexdigit());
            return u64::from_str_radix(digits, 16).ok().map(|number| number.to_string());
        }
        let start = self.at;
        self.take_while(|letter| letter.is_ascii_digit());
        let next = self.peek_second();
        // `1..5` is a range, and `1.ToString()` a call.
        if self.is_at(".") && next.is_none_or(|next| next != '.' && !(next.is_alphabetic() || next == '_')) {
            self.bump();
            self.take_while(|letter| letter.is_ascii_digit());
        }
        if self.eat("e") || self.eat("E") {
            self.take_while(|letter| letter.is_ascii_digit() || matches!(letter, '+' | '-'));
        }
        let digits = self.text.get(start..self.at)?;
        let number: f64 = digits.parse().ok()?;
        let suffix = self.take_while(is_name).to_ascii_lowercase();
        let exponent = (0..6).zip(MULTIPLES).rfind(|(_, multiple)| suffix.ends_with(multiple))?.0;
        let kind = suffix.get(..suffix.len() - 2 * usize::from(exponent > 0))?;
        let value = if exponent == 0 { digits.to_owned() } else { (number * 1024_f64.powi(exponent)).to_string() };
        TYPES.contains(&kind).then_some(value)
    }
}
