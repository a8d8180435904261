//! Strings (`about_Quoting_Rules`).

use super::cursor::{Parse, Parser, is_double_quote, is_name, is_single_quote, is_space};

/// The text of a string; `None` if it has variables.
pub(super) type StringText = Option<String>;

impl Parser<'_> {
    /// A string in quotes that begins here.
    pub fn string(&mut self) -> Parse<StringText> {
        match self.peek() {
            Some(quote) if is_single_quote(quote) => self.single_quoted().map(Some),
            _ => self.double_quoted(),
        }
    }

    fn single_quoted(&mut self) -> Parse<String> {
        let start = self.at;
        self.bump();
        let mut text = String::new();
        loop {
            text += self.take_while(|letter| !is_single_quote(letter));
            let Some(quote) = self.bump() else { return Self::error_at(start, "unclosed string") };
            if !self.peek().is_some_and(is_single_quote) {
                return Ok(text);
            }
            self.bump();
            text.push(quote);
        }
    }

    fn double_quoted(&mut self) -> Parse<StringText> {
        let start = self.at;
        self.bump();
        let mut text = String::new();
        let mut is_static = true;
        loop {
            text += self.take_while(|letter| !is_double_quote(letter) && !matches!(letter, '`' | '$'));
            match self.peek() {
                None => return Self::error_at(start, "unclosed string"),
                Some('`') => self.escape(&mut text),
                Some('$') => is_static &= self.dollar(&mut text)?,
                Some(quote) => {
                    self.bump();
                    if !self.peek().is_some_and(is_double_quote) {
                        return Ok(is_static.then_some(text));
                    }
                    self.bump();
                    text.push(quote);
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
            'a' => '\u{7}',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'v' => '\u{b}',
            'e' => '\u{1b}',
            'u' if self.is_at("{") => {
                self.bump();
                let digits = self.take_while(|letter| letter.is_ascii_hexdigit());
                self.eat("}");
                u32::from_str_radix(digits, 16).ok().and_then(char::from_u32).unwrap_or('\u{fffd}')
            }
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

    pub fn here_string(&mut self) -> Parse<StringText> {
        let start = self.at;
        self.bump();
        let is_literal = self.bump().is_some_and(is_single_quote);
        let is_quote = |letter: char| if is_literal { is_single_quote(letter) } else { is_double_quote(letter) };
        self.take_while(is_space);
        let mut text = String::new();
        let mut is_static = true;
        loop {
            let length = match self.peek() {
                Some('\r') if self.is_at("\r\n") => 2,
                _ => 1,
            };
            let line = self.at + length;
            let end = self.text.get(line..).unwrap_or_default();
            if end.is_empty() {
                return Self::error_at(start, "unclosed here-string");
            }
            if let Some(quote) = end.chars().next().filter(|&quote| is_quote(quote))
                && end.get(quote.len_utf8()..).is_some_and(|end| end.starts_with('@'))
            {
                self.at = line + quote.len_utf8() + 1;
                let text = text.strip_prefix('\n').unwrap_or(&text).to_owned();
                return Ok(is_static.then_some(text));
            }
            self.at = line;
            text.push('\n');
            is_static &= self.here_line(is_literal, &mut text)?;
        }
    }

    /// The rest of a line of a here-string; more lines if they are in a `$(…)`.
    fn here_line(&mut self, is_literal: bool, text: &mut String) -> Parse<bool> {
        let mut is_static = true;
        loop {
            *text += self
                .take_while(|letter| !matches!(letter, '\n' | '\r') && (is_literal || !matches!(letter, '`' | '$')));
            match self.peek() {
                Some('`') if !matches!(self.peek_second(), Some('\n' | '\r')) => self.escape(text),
                Some('`') => {
                    self.bump();
                }
                Some('$') => is_static &= self.dollar(text)?,
                _ => return Ok(is_static),
            }
        }
    }
}
