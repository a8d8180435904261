//! Statements: assignments, pipelines and words of the language.

use super::ast::{Element, ElementKind, ExprKind, Statement, StatementKind};
use super::cursor::{Parse, Parser, is_dash, is_name};

const ASSIGNMENTS: [&str; 7] = ["??=", "+=", "-=", "*=", "/=", "%=", "="];

impl Parser<'_> {
    /// Statements up to a closing bracket, which is left, or the end.
    pub fn statements(&mut self, closing: Option<char>) -> Parse<Vec<Statement>> {
        let mut statements = Vec::new();
        loop {
            self.skip_separators()?;
            match self.peek() {
                None => break,
                next if next == closing => break,
                Some(bracket @ ('}' | ')' | ']')) => return self.error(format!("unexpected `{bracket}`")),
                Some(_) => {}
            }
            let statement = self.statement()?;
            self.end_statement(&statement)?;
            statements.push(statement);
        }
        // Most lists are short, and a vector that grows begins with room for four.
        statements.shrink_to_fit();
        Ok(statements)
    }

    /// Two statements on one line need a `;` between them, unless the first ends with a brace.
    pub fn end_statement(&mut self, statement: &Statement) -> Parse<()> {
        self.skip_space()?;
        let needs_end = matches!(
            statement.kind,
            StatementKind::Pipeline(_) | StatementKind::Return(_) | StatementKind::Exit | StatementKind::Assign { .. }
        );
        match self.peek() {
            None | Some('\n' | '\r' | ';' | '}' | ')') => Ok(()),
            Some(_) if !needs_end || self.is_at_definition(statement) => Ok(()),
            Some(found) => self.error(format!("unexpected `{found}`, expected the end of the statement")),
        }
    }

    /// `[Flags()] enum`: the attribute was read as a statement.
    fn is_at_definition(&self, statement: &Statement) -> bool {
        let StatementKind::Pipeline(elements) = &statement.kind else { return false };
        let [Element { kind: ElementKind::Expr(expr), .. }] = elements.as_slice() else { return false };
        let rest = self.rest();
        let word: String = rest.chars().take_while(|letter| letter.is_alphabetic()).take(6).collect();
        matches!(expr.kind, ExprKind::Type(_)) && ["enum", "class"].iter().any(|known| word.eq_ignore_ascii_case(known))
    }

    pub fn statement(&mut self) -> Parse<Statement> {
        self.nested(Self::statement_here)
    }

    fn statement_here(&mut self) -> Parse<Statement> {
        let at = self.at;
        if self.is_at(":") {
            self.bump();
            self.take_while(is_name);
            self.skip_lines()?;
        }
        let start = self.at;
        let keyword = self.keyword();
        if let Some(kind) = self.compound(&keyword, at)? {
            return Ok(Statement { at, kind });
        }
        self.at = start;
        let kind = self.pipeline_or_assignment()?;
        Ok(Statement { at, kind })
    }

    /// The word that begins here, in lower case, if it can be one of the language.
    pub fn keyword(&mut self) -> String {
        let start = self.at;
        let word = self.take_while(is_name).to_ascii_lowercase();
        let is_whole = match self.peek() {
            None => true,
            Some(next) => {
                next.is_whitespace()
                    || matches!(next, '(' | '{' | '}' | ')' | ';' | '#' | '`' | '[' | '$' | '"' | '\'' | '@' | '|')
            }
        };
        if is_whole && self.at > start { word } else { String::new() }
    }

    /// Skips a word of the language if it is the next one.
    pub fn eat_keyword(&mut self, wanted: &str) -> bool {
        let start = self.at;
        let is_there = self.keyword() == wanted;
        if !is_there {
            self.at = start;
        }
        is_there
    }

    fn pipeline_or_assignment(&mut self) -> Parse<StatementKind> {
        let at = self.at;
        if !self.is_at_expression() {
            return self.pipeline(Vec::new());
        }
        let target = self.expression()?;
        self.skip_space()?;
        // `$i ++`
        if self.eat("++") || self.eat("--") {
            self.skip_space()?;
        }
        if let Some(operator) = ASSIGNMENTS.iter().find(|operator| self.is_at(operator)) {
            self.at += operator.len();
            self.skip_lines()?;
            let value = Box::new(self.statement()?);
            return Ok(StatementKind::Assign { target, is_added: *operator == "+=", value });
        }
        let is_redirected = self.redirections()?;
        self.pipeline(vec![Element { at, kind: ElementKind::Expr(target), is_redirected }])
    }

    fn redirections(&mut self) -> Parse<bool> {
        let mut is_redirected = false;
        loop {
            self.skip_space()?;
            if !self.is_at_redirection() {
                return Ok(is_redirected);
            }
            is_redirected |= self.redirection()?;
        }
    }

    /// The rest of a pipeline: commands, with `|`, `&&` and `||` between them.
    fn pipeline(&mut self, mut elements: Vec<Element>) -> Parse<StatementKind> {
        let mut is_command_next = elements.is_empty();
        loop {
            self.count()?;
            if is_command_next {
                let at = self.at;
                if elements.is_empty() && self.is_at_expression() {
                    let expr = self.expression()?;
                    let is_redirected = self.redirections()?;
                    elements.push(Element { at, kind: ElementKind::Expr(expr), is_redirected });
                } else {
                    let (command, is_redirected) = self.command()?;
                    elements.push(Element { at, kind: ElementKind::Command(command), is_redirected });
                }
            }
            is_command_next = true;
            self.skip_space()?;
            let end = self.at;
            // A line may begin with `|`.
            self.skip_lines()?;
            if self.is_at("||") || self.is_at("&&") {
                // In a chain of pipelines, the last one counts.
                self.at += 2;
                self.skip_lines()?;
                elements.clear();
            } else if self.eat("|") {
                self.skip_lines()?;
            } else {
                self.at = end;
                // A job in the background.
                if self.is_at("&") {
                    self.bump();
                }
                return Ok(StatementKind::Pipeline(elements));
            }
        }
    }

    /// Whether an expression begins here, not a command.
    fn is_at_expression(&mut self) -> bool {
        match self.peek() {
            Some('+' | '!' | ',') => true,
            Some(dash) if is_dash(dash) => true,
            Some(letter) if letter.is_ascii_digit() || letter == '.' => {
                let start = self.at;
                let is_number = self.number().is_some() && !matches!(self.peek(), Some('\\' | '/' | ':'));
                self.at = start;
                is_number
            }
            _ => self.is_at_value(),
        }
    }
}
