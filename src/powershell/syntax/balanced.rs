//! Skips balanced brackets: bodies of classes, and code in strings.

use super::cursor::{Parse, Parser, is_double_quote, is_name, is_single_quote};

impl Parser<'_> {
    /// Skips from an opening bracket to the one that closes it.
    pub fn skip_balanced(&mut self) -> Parse<()> {
        self.nested(Self::skip_brackets)
    }

    fn skip_brackets(&mut self) -> Parse<()> {
        let start = self.at;
        let mut closing = Vec::new();
        loop {
            match self.peek() {
                None => return self.require_closing("", start),
                Some(quote) if is_single_quote(quote) || is_double_quote(quote) => {
                    self.string()?;
                }
                Some('@') if self.is_here_string() => {
                    self.here_string()?;
                }
                Some('<') if self.is_at("<#") => self.block_comment()?,
                Some('#') => self.line_comment(),
                Some('$') if self.peek_second() == Some('{') => {
                    self.variable()?;
                }
                Some('`') => {
                    self.bump();
                    self.bump();
                }
                Some(bracket @ ('{' | '(' | '[')) => {
                    closing.push(closing_of(bracket));
                    self.bump();
                }
                Some(bracket @ ('}' | ')' | ']')) => {
                    if closing.pop() != Some(bracket) {
                        return self.error(format!("unexpected `{bracket}`"));
                    }
                    self.bump();
                    if closing.is_empty() {
                        return Ok(());
                    }
                }
                Some(letter) if is_name(letter) => {
                    // A `#` inside of a word begins no comment.
                    self.take_while(|letter| is_name(letter) || letter == '#');
                }
                Some(_) => {
                    self.bump();
                }
            }
        }
    }
}

const fn closing_of(bracket: char) -> char {
    match bracket {
        '{' => '}',
        '(' => ')',
        _ => ']',
    }
}
