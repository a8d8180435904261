//! Functions with their parameters (`about_Functions_Advanced_Parameters`), and whole files, with recovery after errors.

use super::cursor::{Comment, Parse, Parser, SyntaxError, is_name};
use super::{Attribute, Block, Expr, Function, Parameter, Statement, StatementKind};

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
            Err(error) => {
                let restart = restart(text, start);
                // An error behind that place is not the cause: the statement was not closed.
                let mut before = Parser::new(text.get(..restart).unwrap_or_default()).restarted(start);
                let is_behind = error.offset >= restart && restart < text.len();
                let cause = if is_behind { before.statement().err() } else { None };
                script.errors.push(cause.unwrap_or(error));
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

impl Parser<'_> {
    /// The content of a script block: parameters and statements.
    pub fn block_content(&mut self, closing: Option<char>) -> Parse<Block> {
        let (attributes, parameters) = self.block_start()?;
        Ok(Block { attributes, parameters, body: self.statements(closing)? })
    }

    /// The parameters at the beginning of a script block, and the attributes before them, such as `[CmdletBinding()]`.
    pub fn block_start(&mut self) -> Parse<(Vec<Attribute>, Vec<Parameter>)> {
        self.skip_separators()?;
        let start = self.at;
        let mut attributes = Vec::new();
        // An error here is found again where the text is read as an expression.
        while self.is_at("[") {
            let at = self.at;
            match self.attribute() {
                Ok(attribute) => attributes.push(attribute),
                Err(_) => {
                    self.at = at;
                    if self.skip_balanced().is_err() {
                        break;
                    }
                }
            }
            self.skip_separators()?;
        }
        if !self.eat_keyword("param") {
            self.at = start;
            return Ok((Vec::new(), Vec::new()));
        }
        if !self.is_next("(")? {
            return self.expected("`(` after `param`");
        }
        self.skip_lines()?;
        Ok((attributes, self.parameter_list()?))
    }

    /// `( parameter, … )`.
    fn parameter_list(&mut self) -> Parse<Vec<Parameter>> {
        self.list_of(|parser| parser.nested(Self::parameter))
    }

    fn parameter(&mut self) -> Parse<Parameter> {
        let mut attributes = Vec::new();
        while self.is_at("[") {
            attributes.push(self.attribute()?);
            self.skip_lines()?;
        }
        attributes.shrink_to_fit();
        let at = self.at;
        if !self.is_at("$") {
            return self.expected("a parameter");
        }
        // In the case in which it is written.
        let lower = self.variable()?;
        let written = self.text.get(at + 1..self.at).unwrap_or_default();
        let written = written.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(written);
        let name = if written.to_lowercase() == lower { written.to_owned() } else { lower };
        self.skip_lines()?;
        let default = if self.eat("=") {
            self.skip_lines()?;
            Some(self.single_expression()?)
        } else {
            None
        };
        Ok(Parameter { at, name, attributes, default })
    }

    pub fn attribute(&mut self) -> Parse<Attribute> {
        let at = self.at;
        self.require("[")?;
        self.skip_lines()?;
        let start = self.at;
        self.take_while(|letter| is_name(letter) || matches!(letter, '.' | '+' | '`'));
        let name = self.text.get(start..self.at).unwrap_or_default().to_owned();
        self.skip_lines()?;
        if !self.is_at("(") {
            self.at = at;
            return Ok(Attribute { at, name: self.type_name()?, arguments: None });
        }
        let arguments = self.list_of(Self::attribute_argument)?;
        self.skip_lines()?;
        self.require_closing("]", at)?;
        Ok(Attribute { at, name, arguments: Some(arguments) })
    }

    /// `Name`, `Name = value` or a value.
    fn attribute_argument(&mut self) -> Parse<(Option<String>, Option<Expr>)> {
        let is_word = self.peek().is_some_and(|letter| letter.is_alphabetic() || letter == '_');
        if !is_word {
            return Ok((None, Some(self.single_expression()?)));
        }
        let name = Some(self.take_while(is_name).to_owned());
        self.skip_lines()?;
        if !self.eat("=") {
            return Ok((name, None));
        }
        self.skip_lines()?;
        Ok((name, Some(self.single_expression()?)))
    }

    /// A function, whose keyword at this place was read.
    pub fn function(&mut self, at: usize) -> Parse<StatementKind> {
        self.skip_lines()?;
        let written = match self.word()? {
            Some(name) if !name.is_empty() => name,
            _ => return self.expected("the name of a function"),
        };
        let (scope, name) = written.split_once(':').unwrap_or(("", &written));
        self.skip_lines()?;
        let parameters = if self.is_at("(") { self.parameter_list()? } else { Vec::new() };
        self.skip_lines()?;
        let start = self.at;
        let mut block = self.script_block()?;
        if block.parameters.is_empty() {
            block.parameters = parameters;
        }
        // Nothing outside of the module sees it.
        if scope.eq_ignore_ascii_case("private") {
            return Ok(StatementKind::Other);
        }
        Ok(StatementKind::Function(Box::new(Function {
            name: name.to_owned(),
            span: at..self.at,
            body_span: start + 1..self.at - 1,
            block,
        })))
    }
}
