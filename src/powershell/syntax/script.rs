//! Parses a whole file, with recovery after errors.

use super::ast::{Block, Statement};
use super::cursor::{Comment, Parse, Parser, SyntaxError};

/// Syntax errors after which the rest of a file is not read.
const MAX_ERRORS: usize = 20;

/// The keywords at which parsing resumes after an error, in lower case.
const RESTARTS: [&str; 3] = ["function ", "filter ", "export-modulemember "];

#[derive(Debug, Default)]
pub struct Script {
    pub statements: Vec<Statement>,
    /// In the order of the text.
    pub comments: Vec<Comment>,
    pub errors: Vec<SyntaxError>,
}

/// Parses a file. After an error, parsing resumes at the next function outside of the faulty one.
pub fn parse(text: &str) -> Script {
    let mut script = Script::default();
    let mut parser = Parser::new(text);
    parser.eat("\u{feff}");
    let mut start = parser.at;
    let mut begun = parser.block_start().map(drop);
    while script.errors.len() < MAX_ERRORS {
        match begun.and_then(|()| next(&mut parser, &mut start)) {
            Ok(Some(statement)) => script.statements.push(statement),
            Ok(None) => break,
            Err(error) if parser.is_full() => {
                script.errors.push(error);
                break;
            }
            Err(error) => {
                let restart = restart(text, start);
                script.errors.push(first_error(text, start, restart, error));
                start = restart;
                parser = parser.restarted(start);
            }
        }
        begun = Ok(());
    }
    script.comments = parser.comments;
    script.comments.sort_by_key(|comment| comment.start);
    script.comments.dedup_by_key(|comment| comment.start);
    script.errors.sort_by_key(|error| error.offset);
    script.errors.dedup_by_key(|error| error.offset);
    script
}

/// An error behind the place of resumption is not the cause: the statement was not closed.
fn first_error(text: &str, start: usize, restart: usize, error: SyntaxError) -> SyntaxError {
    if error.offset < restart || restart == text.len() {
        return error;
    }
    let mut parser = Parser::new(text.get(..restart).unwrap_or_default()).restarted(start);
    parser.statement().err().unwrap_or(error)
}

/// The next statement; `start` becomes its place.
fn next(parser: &mut Parser<'_>, start: &mut usize) -> Parse<Option<Statement>> {
    *start = parser.at;
    parser.skip_separators()?;
    *start = parser.at;
    match parser.peek() {
        None => Ok(None),
        Some(bracket @ ('}' | ')' | ']')) => parser.error(format!("unexpected `{bracket}`")),
        Some(_) => {
            let statement = parser.statement()?;
            parser.end_statement(&statement)?;
            Ok(Some(statement))
        }
    }
}

/// The beginning of the next line that is not indented more than the statement at `start` and begins with what can
/// be read; the end of the text if there is none.
fn restart(text: &str, start: usize) -> usize {
    let line = text.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    let max_indent = start - line;
    let mut at = line;
    for line in text.get(line..).unwrap_or_default().split_inclusive('\n') {
        let content = line.trim_start();
        let indent = line.len() - content.len();
        let head: String = content.chars().take(20).collect::<String>().to_ascii_lowercase();
        if at + indent > start && indent <= max_indent && RESTARTS.iter().any(|word| head.starts_with(word)) {
            return at;
        }
        at += line.len();
    }
    text.len()
}

/// The statements of a file that is one value, such as a manifest.
pub fn parse_block(text: &str) -> Parse<Block> {
    let mut parser = Parser::new(text);
    parser.eat("\u{feff}");
    parser.block_content(None)
}
