//! An upper bound of how deeply a script is nested, in time and memory proportional to its length.
//!
//! The parser recurses with the nesting, and not every nesting has brackets (`a=>a=>a`, `a+a+a`). So each
//! punctuator counts, and each keyword, until the brackets around it close or the statement ends. Where the
//! tokens do not show that, they count on: the bound is never too small.

use super::tokens::{Previous, Token, Tokens, Word};

/// What opened a pair of brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Opener {
    /// `{` of statements or of a class, or one that may be.
    Block,
    /// `{` of an object literal or pattern.
    Object,
    /// `(`, or `${` in a template.
    Group,
    /// `[`
    Index,
}

/// The tokens directly between a pair of brackets.
struct Level {
    opener: Opener,
    /// What counts since the last point at which nothing was left open.
    weight: usize,
    /// The part of it that a comma does not end: `if (a)`, `do`, labels.
    prefix: usize,
}

/// The bound, in bytes of punctuators and keywords that may be open at one place. `None` when the tokens are
/// ambiguous: `/` may begin a regular expression.
///
/// What follows the first syntax error is not counted, because the parser does not read it. Nor is what follows when
/// the bound is over the limit.
pub(super) fn bound(script: &str, limit: usize) -> Option<usize> {
    let mut nesting = Nesting { levels: Vec::new(), total: 0, max: 0, is_after_semicolon: false };
    nesting.open(Opener::Block);
    let mut tokens = Tokens::new(script);
    while nesting.max <= limit {
        let previous = tokens.previous();
        let Some(token) = tokens.next_token() else { break };
        let is_followed = nesting.token(&token, previous, tokens.starts_line());
        if !is_followed {
            break;
        }
    }
    (!tokens.is_ambiguous()).then_some(nesting.max)
}

struct Nesting {
    levels: Vec<Level>,
    /// The weights of all levels.
    total: usize,
    max: usize,
    /// Whether a statement has ended with `;`, unless `else` or `while` follows.
    is_after_semicolon: bool,
}

impl Nesting {
    fn open(&mut self, opener: Opener) {
        self.levels.push(Level { opener, weight: 0, prefix: 0 });
    }

    fn opener(&self) -> Opener {
        self.levels.last().map_or(Opener::Block, |level| level.opener)
    }

    fn add(&mut self, weight: usize) {
        if let Some(level) = self.levels.last_mut() {
            level.weight += weight;
        }
        self.total += weight;
        self.max = self.max.max(self.total);
    }

    fn add_prefix(&mut self, weight: usize) {
        self.add(weight);
        if let Some(level) = self.levels.last_mut() {
            level.prefix += weight;
        }
    }

    /// Forgets what has ended at this level: all but the prefix.
    fn end_expression(&mut self) {
        if let Some(level) = self.levels.last_mut() {
            self.total -= level.weight - level.prefix;
            level.weight = level.prefix;
        }
    }

    fn end_statement(&mut self) {
        if let Some(level) = self.levels.last_mut() {
            level.prefix = 0;
        }
        self.end_expression();
    }

    /// Whether the closing bracket fits: otherwise it is a syntax error.
    fn close(&mut self, openers: &[Opener]) -> bool {
        let Some(level) = self.levels.pop() else { return false };
        self.total -= level.weight;
        openers.contains(&level.opener) && !self.levels.is_empty()
    }

    /// Counts a token. False at a syntax error.
    fn token(&mut self, token: &Token, previous: Previous, starts_line: bool) -> bool {
        let is_continued = matches!(token, Token::Word(Word::Continuing | Word::While, _));
        if std::mem::take(&mut self.is_after_semicolon) {
            if is_continued { self.end_expression() } else { self.end_statement() }
        }
        match *token {
            Token::Word(word, length) => {
                if self.opener() == Opener::Block && ends_statement(previous, starts_line) {
                    if is_continued { self.end_expression() } else { self.end_statement() }
                }
                match word {
                    Word::Head | Word::While | Word::Continuing | Word::Statement => self.add_prefix(length),
                    Word::Keyword | Word::Contextual => self.add(length),
                    Word::Operand => {}
                }
            }
            Token::Template => self.add(1),
            Token::Update => self.add(2),
            Token::Literal(depth) => {
                self.max = self.max.max(self.total + depth);
            }
            Token::Open(bracket) => {
                self.add(1);
                self.open(match bracket {
                    b'(' | b'$' => Opener::Group,
                    b'[' => Opener::Index,
                    _ if self.is_object(previous, starts_line) => Opener::Object,
                    _ => Opener::Block,
                });
            }
            Token::Close(b')' | b'$') => return self.close(&[Opener::Group]),
            Token::Close(b']') => return self.close(&[Opener::Index]),
            Token::Close(_) => return self.close(&[Opener::Block, Opener::Object]),
            Token::Punctuator(b';') if self.opener() == Opener::Block => self.is_after_semicolon = true,
            Token::Punctuator(b';' | b',') => self.end_expression(),
            Token::Punctuator(b':') if self.opener() == Opener::Block => self.add_prefix(1),
            Token::Punctuator(_) => self.add(1),
        }
        true
    }

    /// Whether `{` definitely begins an object literal or pattern.
    fn is_object(&self, previous: Previous, starts_line: bool) -> bool {
        match previous {
            Previous::Return => !starts_line,
            Previous::Punctuator(b':') => self.opener() != Opener::Block,
            Previous::Punctuator(byte) => b"=([,?&|!~*%^<.".contains(&byte),
            _ => false,
        }
    }
}

/// Whether a word after this token begins another statement, unless it continues the one before. Otherwise the
/// script would have a syntax error between them.
fn ends_statement(previous: Previous, starts_line: bool) -> bool {
    match previous {
        Previous::Brace => true,
        Previous::Operand | Previous::Group => starts_line,
        _ => false,
    }
}
