//! The place in the text, whitespace, comments and balanced brackets, and errors.

/// Levels of brackets and operators. More are a syntax error.
const MAX_DEPTH: u32 = 200;
/// Stack for one level, in bytes, also without optimization.
const LEVEL_STACK: usize = 64 << 10;
const NEW_STACK: usize = 4 << 20;

/// Why source code is not PowerShell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// In bytes.
    pub offset: usize,
    pub message: String,
}

pub(super) type Parse<T> = Result<T, SyntaxError>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// Of its first character, `#` or `<#`.
    pub start: usize,
    pub end: usize,
    pub is_block: bool,
}

#[derive(Debug)]
pub(super) struct Parser<'t> {
    pub text: &'t str,
    pub at: usize,
    /// In the order of the text.
    pub comments: Vec<Comment>,
    depth: u32,
}

impl<'t> Parser<'t> {
    pub fn new(text: &'t str) -> Self {
        Self { text, at: 0, comments: Vec::new(), depth: 0 }
    }

    /// The same text from another place on.
    pub fn restarted(self, at: usize) -> Self {
        Self { at, depth: 0, ..self }
    }

    pub fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub fn peek_second(&self) -> Option<char> {
        self.rest().chars().nth(1)
    }

    pub fn is_at(&self, text: &str) -> bool {
        self.rest().starts_with(text)
    }

    pub fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    pub fn eat(&mut self, text: &str) -> bool {
        let is_there = self.is_at(text);
        if is_there {
            self.at += text.len();
        }
        is_there
    }

    /// The characters that are accepted, which are skipped.
    pub fn take_while(&mut self, is_accepted: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|letter| !is_accepted(letter)).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    pub fn error<T>(&self, message: impl Into<String>) -> Parse<T> {
        Self::error_at(self.at, message)
    }

    pub fn error_at<T>(offset: usize, message: impl Into<String>) -> Parse<T> {
        Err(SyntaxError { offset, message: message.into() })
    }

    /// An error that says what was found instead.
    pub fn expected<T>(&self, what: &str) -> Parse<T> {
        match self.peek() {
            None => self.error(format!("expected {what}, found the end of the file")),
            Some('\n' | '\r') => self.error(format!("expected {what}, found the end of the line")),
            Some(found) => self.error(format!("expected {what}, found `{found}`")),
        }
    }

    pub fn require(&mut self, text: &str) -> Parse<()> {
        if self.eat(text) { Ok(()) } else { self.expected(&format!("`{text}`")) }
    }

    /// Requires the bracket that closes the one at `start`.
    pub fn require_closing(&mut self, text: &str, start: usize) -> Parse<()> {
        if self.peek().is_none() {
            let opening = self.text.get(start..).unwrap_or_default();
            let length = opening.find(['{', '(', '[']).map_or(1, |bracket| bracket + 1);
            return Self::error_at(start, format!("unclosed `{}`", opening.get(..length).unwrap_or_default()));
        }
        self.require(text)
    }

    /// What is between these brackets.
    pub fn enclosed<T>(
        &mut self,
        [opening, closing]: [&str; 2],
        inside: impl FnOnce(&mut Self) -> Parse<T>,
    ) -> Parse<T> {
        let start = self.at;
        self.require(opening)?;
        self.skip_lines()?;
        let parsed = inside(self)?;
        self.skip_lines()?;
        self.require_closing(closing, start)?;
        Ok(parsed)
    }

    /// `( item, … )`.
    pub fn list_of<T>(&mut self, item: fn(&mut Self) -> Parse<T>) -> Parse<Vec<T>> {
        self.enclosed(["(", ")"], |parser| {
            let mut items = Vec::new();
            while !items.is_empty() || !matches!(parser.peek(), None | Some(')')) {
                items.push(item(parser)?);
                parser.skip_lines()?;
                if !parser.eat(",") {
                    break;
                }
                parser.skip_lines()?;
            }
            items.shrink_to_fit();
            Ok(items)
        })
    }

    /// Parses one level deeper.
    pub fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= MAX_DEPTH {
            return self.error(format!("nested deeper than {MAX_DEPTH} levels"));
        }
        self.depth += 1;
        let parsed = stacker::maybe_grow(LEVEL_STACK, NEW_STACK, || parse(self));
        self.depth -= 1;
        parsed
    }

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
                    closing.push(match bracket {
                        '{' => '}',
                        '(' => ')',
                        _ => ']',
                    });
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

    /// Skips whitespace and comments, but no line end that is not escaped.
    pub fn skip_space(&mut self) -> Parse<()> {
        loop {
            match self.peek() {
                Some('`') if matches!(self.peek_second(), Some('\n' | '\r')) => {
                    self.at += 1;
                    self.skip_line_end();
                }
                Some('#') => self.line_comment(),
                Some('<') if self.is_at("<#") => self.block_comment()?,
                Some(space) if is_space(space) => {
                    self.at += space.len_utf8();
                }
                _ => return Ok(()),
            }
        }
    }

    /// As [`Self::skip_space`], and line ends.
    pub fn skip_lines(&mut self) -> Parse<()> {
        loop {
            self.skip_space()?;
            if !self.skip_line_end() {
                return Ok(());
            }
        }
    }

    /// Whether a string is next, after whitespace and line ends.
    pub fn is_next(&mut self, text: &str) -> Parse<bool> {
        let start = self.at;
        self.skip_lines()?;
        let is_next = self.is_at(text);
        self.at = start;
        Ok(is_next)
    }

    /// As [`Self::skip_lines`], and semicolons.
    pub fn skip_separators(&mut self) -> Parse<()> {
        loop {
            self.skip_lines()?;
            if !self.eat(";") {
                return Ok(());
            }
        }
    }

    fn skip_line_end(&mut self) -> bool {
        self.eat("\r\n") || self.eat("\n") || self.eat("\r")
    }

    pub fn line_comment(&mut self) {
        let start = self.at;
        self.take_while(|letter| !matches!(letter, '\n' | '\r'));
        self.add_comment(start, false);
    }

    pub fn block_comment(&mut self) -> Parse<()> {
        let start = self.at;
        let Some(end) = self.rest().find("#>") else {
            return Self::error_at(start, "unclosed comment `<#`");
        };
        self.at += end + 2;
        self.add_comment(start, true);
        Ok(())
    }

    /// Text that is read again adds no comment twice.
    fn add_comment(&mut self, start: usize, is_block: bool) {
        let is_new = self.comments.last().is_none_or(|last| last.start < start);
        if is_new {
            self.comments.push(Comment { start, end: self.at, is_block });
        }
    }
}

/// Whitespace other than line ends.
pub(super) fn is_space(letter: char) -> bool {
    letter.is_whitespace() && !matches!(letter, '\n' | '\r')
}

/// A character of a name.
pub(super) fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// A dash: PowerShell takes typographic ones as well.
pub(super) const fn is_dash(letter: char) -> bool {
    matches!(letter, '-' | '\u{2013}' | '\u{2014}' | '\u{2015}')
}

pub(super) const fn is_single_quote(letter: char) -> bool {
    matches!(letter, '\'' | '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}')
}

pub(super) const fn is_double_quote(letter: char) -> bool {
    matches!(letter, '"' | '\u{201c}' | '\u{201d}' | '\u{201e}')
}
