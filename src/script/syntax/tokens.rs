//! The tokens of a script, as far as they show how it is nested (ECMA-262, Lexical Grammar and Additional Syntax).

use super::position::is_line_terminator;

/// A token, without its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    /// A word and its length in bytes.
    Word(Word, usize),
    /// A string, number or regular expression, and how deep its own parser may recurse.
    Literal(usize),
    /// A template, up to its end or its first substitution.
    Template,
    /// `(`, `[`, `{`, or `$` for `${`.
    Open(u8),
    /// `)`, `]`, `}`, or `$` for the `}` of a substitution.
    Close(u8),
    /// `++` or `--`, or two signs.
    Update,
    /// One byte of any other punctuator.
    Punctuator(u8),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    /// `if`, `for`, `with`: parentheses follow, then a statement.
    Head,
    /// As `if`, or the end of `do`.
    While,
    /// It continues a statement: `else`, `catch`, `finally`, `in`, `instanceof`, `of`.
    Continuing,
    /// `do`, `case`, `default`
    Statement,
    Keyword,
    /// A keyword only in some places.
    Contextual,
    /// A name or a value.
    Operand,
}

/// Whether a script has more tokens; each byte of a punctuator or of a regular expression counts as one. What follows the
/// first token that is not valid does not count, because the parser does not read it.
pub(super) fn has_more_tokens(script: &str, limit: usize) -> bool {
    let mut tokens = Tokens::new(script);
    let mut count = 0;
    while count <= limit {
        match tokens.next_token() {
            Some(Token::Literal(depth)) => count += depth.max(1),
            Some(_) => count += 1,
            None => return false,
        }
    }
    true
}

/// What the token before shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Previous {
    Start,
    Operand,
    Return,
    Keyword,
    Head,
    Contextual,
    /// `)` of a call, parameters or a value.
    Group,
    /// `)` after `if`, `for`, `while` or `with`.
    HeadGroup,
    /// `)` after a contextual keyword: `for await (…)`, `await (…)`.
    MaybeHeadGroup,
    Brace,
    /// `++` or `--`
    Update,
    Punctuator(u8),
}

pub(super) struct Tokens<'s> {
    script: &'s str,
    at: usize,
    previous: Previous,
    starts_line: bool,
    is_ambiguous: bool,
    /// For each open bracket, what it was opened after; `None` for a substitution of a template.
    open: Vec<Option<Previous>>,
}

impl<'s> Tokens<'s> {
    pub fn new(script: &'s str) -> Self {
        let mut tokens =
            Self { script, at: 0, previous: Previous::Start, starts_line: true, is_ambiguous: false, open: Vec::new() };
        if script.starts_with("#!") {
            tokens.skip_line();
        }
        tokens
    }

    /// What the last token shows.
    pub const fn previous(&self) -> Previous {
        self.previous
    }

    /// Whether there was a line terminator before the last token.
    pub const fn starts_line(&self) -> bool {
        self.starts_line
    }

    /// Whether `/` was met where it may be a division or a regular expression, which end at different places.
    pub const fn is_ambiguous(&self) -> bool {
        self.is_ambiguous
    }

    /// The next token; `None` at the end, and where no token can be.
    pub fn next_token(&mut self) -> Option<Token> {
        self.skip_blanks();
        let first = self.peek(0)?;
        if is_word(first) {
            return Some(self.word());
        }
        self.at += 1;
        match first {
            b'\'' | b'"' => self.string(first),
            b'`' => self.template(),
            b'/' => self.slash(),
            b'(' | b'[' | b'{' => {
                self.open.push(Some(self.previous));
                self.previous = Previous::Punctuator(first);
                Some(Token::Open(first))
            }
            b')' | b']' | b'}' => self.close(first),
            b'+' | b'-' if self.peek(0) == Some(first) => {
                self.at += 1;
                self.previous = Previous::Update;
                Some(Token::Update)
            }
            other => {
                self.previous = Previous::Punctuator(other);
                Some(Token::Punctuator(other))
            }
        }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.script.as_bytes().get(self.at + ahead).copied()
    }

    fn rest(&self) -> &'s str {
        self.script.get(self.at..).unwrap_or_default()
    }

    fn skip_line(&mut self) {
        let rest = self.rest();
        self.at += rest.find(is_line_terminator).unwrap_or(rest.len());
    }

    /// Skips blanks and comments.
    fn skip_blanks(&mut self) {
        self.starts_line = self.previous == Previous::Start;
        loop {
            let rest = self.rest();
            let Some(first) = rest.chars().next() else { return };
            if is_line_terminator(first) {
                self.starts_line = true;
                self.at += first.len_utf8();
            } else if first.is_whitespace() || first == '\u{feff}' {
                self.at += first.len_utf8();
            } else if rest.starts_with("//") || rest.starts_with("<!--") || self.starts_line && rest.starts_with("-->")
            {
                self.skip_line();
            } else if let Some(comment) = rest.strip_prefix("/*") {
                let length = comment.find("*/").unwrap_or(comment.len());
                self.starts_line |= comment.get(..length).is_some_and(|text| text.contains(is_line_terminator));
                self.at += (length + 4).min(rest.len());
            } else {
                return;
            }
        }
    }

    fn word(&mut self) -> Token {
        let start = self.at;
        while let Some(byte) = self.peek(0) {
            if !byte.is_ascii() {
                let next = self.rest().chars().next().unwrap_or_default();
                if next.is_whitespace() || next == '\u{feff}' || is_line_terminator(next) {
                    break;
                }
                self.at += next.len_utf8();
            } else if self.rest().starts_with("\\u{") {
                let digits = self.rest().bytes().skip(3).take_while(u8::is_ascii_hexdigit).count();
                self.at += 3 + digits + usize::from(self.peek(3 + digits) == Some(b'}'));
            } else if is_word(byte) {
                self.at += 1;
            } else {
                break;
            }
        }
        let text = self.script.get(start..self.at).unwrap_or_default();
        // `a.if` is a property.
        let word = if self.previous == Previous::Punctuator(b'.') { Word::Operand } else { kind(text) };
        self.previous = match word {
            Word::Operand => Previous::Operand,
            Word::Head | Word::While => Previous::Head,
            _ if text == "of" => Previous::Contextual,
            Word::Keyword if text == "return" => Previous::Return,
            Word::Continuing | Word::Statement | Word::Keyword => Previous::Keyword,
            Word::Contextual => Previous::Contextual,
        };
        Token::Word(word, text.len())
    }

    fn string(&mut self, quote: u8) -> Option<Token> {
        loop {
            let byte = self.peek(0)?;
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'\n' | b'\r' => return None,
                _ if byte == quote => break,
                _ => {}
            }
        }
        self.previous = Previous::Operand;
        Some(Token::Literal(0))
    }

    /// The text of a template, up to its end or past the `${` of a substitution.
    fn template(&mut self) -> Option<Token> {
        loop {
            let byte = self.peek(0)?;
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'`' => break,
                b'$' if self.peek(0) == Some(b'{') => {
                    self.at += 1;
                    self.open.push(None);
                    self.previous = Previous::Punctuator(b'(');
                    return Some(Token::Open(b'$'));
                }
                _ => {}
            }
        }
        self.previous = Previous::Operand;
        Some(Token::Template)
    }

    fn close(&mut self, bracket: u8) -> Option<Token> {
        let opened_after = self.open.pop()?;
        let Some(before) = opened_after else {
            if bracket != b'}' {
                return None;
            }
            return Some(match self.template()? {
                // The next substitution takes the place of this one.
                Token::Open(_) => Token::Punctuator(b','),
                _ => Token::Close(b'$'),
            });
        };
        self.previous = match (bracket, before) {
            (b')', Previous::Head) => Previous::HeadGroup,
            (b')', Previous::Contextual) => Previous::MaybeHeadGroup,
            (b')', _) => Previous::Group,
            (b']', _) => Previous::Operand,
            _ => Previous::Brace,
        };
        Some(Token::Close(bracket))
    }

    fn slash(&mut self) -> Option<Token> {
        match self.previous {
            Previous::Operand | Previous::Group => {}
            Previous::Start
            | Previous::Return
            | Previous::Keyword
            | Previous::Head
            | Previous::HeadGroup
            | Previous::Punctuator(_) => return self.regular_expression(),
            Previous::Contextual | Previous::MaybeHeadGroup | Previous::Brace | Previous::Update => {
                self.is_ambiguous |= self.may_hide_brackets();
            }
        }
        self.previous = Previous::Punctuator(b'/');
        Some(Token::Punctuator(b'/'))
    }

    /// Whether a regular expression may begin here that has in it what would be counted otherwise.
    fn may_hide_brackets(&self) -> bool {
        let rest = self.rest();
        let end = rest.find(|next| next == '/' || is_line_terminator(next)).unwrap_or(rest.len());
        let (body, after) = rest.split_at_checked(end).unwrap_or_default();
        after.starts_with('/') && body.contains(['\'', '"', '`', '(', ')', '[', ']', '{', '}', '\\'])
    }

    fn regular_expression(&mut self) -> Option<Token> {
        let start = self.at;
        let mut is_in_class = false;
        loop {
            let next = self.rest().chars().next().filter(|next| !is_line_terminator(*next))?;
            self.at += next.len_utf8();
            match next {
                '\\' => self.at += self.rest().chars().next()?.len_utf8(),
                '[' => is_in_class = true,
                ']' => is_in_class = false,
                '/' if !is_in_class => break,
                _ => {}
            }
        }
        self.previous = Previous::Operand;
        Some(Token::Literal(self.at - start))
    }
}

/// Whether a byte is a part of a name, keyword or number.
const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#' | b'@' | b'\\') || !byte.is_ascii()
}

fn kind(word: &str) -> Word {
    match word {
        "if" | "for" | "with" => Word::Head,
        "while" => Word::While,
        "else" | "catch" | "finally" | "in" | "instanceof" | "of" => Word::Continuing,
        "do" | "case" | "default" => Word::Statement,
        "break" | "class" | "const" | "continue" | "debugger" | "delete" | "enum" | "export" | "extends"
        | "function" | "import" | "new" | "return" | "switch" | "throw" | "try" | "typeof" | "var" | "void" => {
            Word::Keyword
        }
        "async" | "await" | "get" | "let" | "set" | "static" | "using" | "yield" => Word::Contextual,
        _ => Word::Operand,
    }
}
