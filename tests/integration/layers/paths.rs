//! The paths that a file names, from `use` declarations and from code.

use super::lexer::Token;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// `use a::b;`
    Import,
    /// `pub use a::b;`
    Reexport,
    /// A path in code, such as `a::b()`.
    Code,
}

#[derive(Debug, Clone)]
pub struct NamedPath {
    pub line: usize,
    /// A path that ends with `*` or `self` ends before it.
    pub segments: Vec<String>,
    /// What the path is called in the file: its last segment, or what follows `as`.
    pub name: String,
    pub origin: Origin,
}

/// The paths of a file, and the words of its code that may refer to what it imports.
#[derive(Debug, Default)]
pub struct Paths {
    pub paths: Vec<NamedPath>,
    pub words: Vec<String>,
}

pub fn paths(tokens: &[Token]) -> Paths {
    let mut found = Paths::default();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let is_after = |text: &str| at > 0 && tokens[at - 1].is(text);
        if token.is("use") && tokens.get(at + 1).is_some_and(|next| !next.is("<")) {
            let is_public = is_after("pub") || is_after(")");
            let origin = if is_public { Origin::Reexport } else { Origin::Import };
            at = use_tree(tokens, at + 1, &[], origin, &mut found.paths);
        } else if token.is_word() && !is_after("::") && !is_after("$") && !is_after(".") && !is_after("fn") {
            at = code_path(tokens, at, &mut found);
        } else {
            at += 1;
        }
    }
    found
}

/// Reads a path in code; the position after it.
fn code_path(tokens: &[Token], start: usize, found: &mut Paths) -> usize {
    let mut segments = vec![tokens[start].text.clone()];
    let mut at = start + 1;
    while tokens.get(at).is_some_and(|next| next.is("::")) && tokens.get(at + 1).is_some_and(Token::is_word) {
        segments.push(tokens[at + 1].text.clone());
        at += 2;
    }
    found.words.push(segments[0].clone());
    if segments.len() > 1 {
        let name = segments.last().cloned().unwrap_or_default();
        found.paths.push(NamedPath { line: tokens[start].line, segments, name, origin: Origin::Code });
    }
    at
}

/// Reads one tree of a `use` declaration, its braces expanded; the position after it.
fn use_tree(tokens: &[Token], start: usize, prefix: &[String], origin: Origin, found: &mut Vec<NamedPath>) -> usize {
    let mut segments = prefix.to_vec();
    let mut at = start;
    let line = tokens.get(start).map_or(0, |token| token.line);
    while let Some(token) = tokens.get(at) {
        match token.text.as_str() {
            "::" => at += 1,
            "{" => return braces(tokens, at + 1, &segments, origin, found),
            "as" => {
                let name = tokens[at + 1].text.clone();
                found.push(NamedPath { line, segments, name, origin });
                return at + 2;
            }
            "*" => {
                found.push(NamedPath { line, segments, name: "*".to_owned(), origin });
                return at + 1;
            }
            "self" if !segments.is_empty() => at += 1,
            _ if token.is_word() => {
                segments.push(token.text.clone());
                at += 1;
            }
            _ => break,
        }
    }
    let name = segments.last().cloned().unwrap_or_default();
    found.push(NamedPath { line, segments, name, origin });
    at
}

fn braces(tokens: &[Token], start: usize, prefix: &[String], origin: Origin, found: &mut Vec<NamedPath>) -> usize {
    let mut at = start;
    while let Some(token) = tokens.get(at) {
        match token.text.as_str() {
            "}" => return at + 1,
            "," => at += 1,
            _ => at = use_tree(tokens, at, prefix, origin, found),
        }
    }
    at
}

#[test]
fn every_spelling_of_a_path_is_found() {
    let found = |text: &str| {
        let found = paths(&super::lexer::tokens(text)).paths;
        found.into_iter().map(|path| format!("{} = {}", path.name, path.segments.join("::"))).collect::<Vec<_>>()
    };
    assert_eq!(found("use crate::rules::Rule;"), ["Rule = crate::rules::Rule"]);
    assert_eq!(
        found("pub use crate::{\n    a,\n    b::{self, C as D, *},\n};\nfn f() { crate::c::run::<T>() }"),
        ["a = crate::a", "b = crate::b", "D = crate::b::C", "* = crate::b", "run = crate::c::run"]
    );
    assert_eq!(found("use super::super::a; self::b::c();"), ["a = super::super::a", "c = self::b::c"]);
    assert_eq!(found("// use crate::a;\n$crate::b; x.c::<T>()"), [""; 0]);
    assert_eq!(paths(&super::lexer::tokens("\n\nuse crate::a;")).paths[0].line, 3);
}
