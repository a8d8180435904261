//! Statements with blocks (`about_Language_Keywords`).

use super::ast::{Expr, ExprKind, Function, Statement, StatementKind};
use super::cursor::{Parse, Parser, is_name};

impl Parser<'_> {
    /// The statement that a word begins, which was read; `None` if it is none of the language.
    pub fn compound(&mut self, keyword: &str, at: usize) -> Parse<Option<StatementKind>> {
        let is_done = match keyword {
            "" => return Ok(None),
            "if" => self.if_statement()?,
            "switch" => self.switch_statement()?,
            "try" => self.try_statement()?,
            "while" | "for" | "foreach" => self.loop_statement(keyword)?,
            "do" => self.do_statement()?,
            "function" | "filter" | "workflow" => self.function(at)?,
            "return" => StatementKind::Return(self.optional_value()?),
            "throw" | "exit" => {
                self.optional_value()?;
                StatementKind::Exit
            }
            "break" | "continue" => {
                self.take_while(|letter| !matches!(letter, '\n' | '\r' | ';' | '}' | ')' | '#'));
                StatementKind::Other
            }
            "trap" => {
                self.skip_lines()?;
                self.catch_types()?;
                let blocks = vec![self.braces()?];
                StatementKind::Branches { conditions: Vec::new(), blocks, is_complete: false }
            }
            "class" | "enum" | "configuration" | "data" => return self.definition(keyword),
            "using" => {
                self.take_while(|letter| !matches!(letter, '\n' | '\r' | ';'));
                StatementKind::Other
            }
            "begin" | "process" | "end" | "clean" | "dynamicparam" | "parallel" | "sequence" | "inlinescript" => {
                self.skip_lines()?;
                if !self.is_at("{") {
                    return Ok(None);
                }
                let body = self.braces()?;
                if keyword == "dynamicparam" { StatementKind::DynamicParam } else { StatementKind::Block(body) }
            }
            _ => return Ok(None),
        };
        Ok(Some(is_done))
    }

    /// `{ statements }`.
    fn braces(&mut self) -> Parse<Vec<Statement>> {
        self.skip_lines()?;
        let start = self.at;
        self.require("{")?;
        let body = self.statements(Some('}'))?;
        self.require_closing("}", start)?;
        Ok(body)
    }

    /// `( statement )`.
    fn condition(&mut self) -> Parse<Statement> {
        self.skip_lines()?;
        let start = self.at;
        self.require("(")?;
        self.skip_lines()?;
        let condition = self.statement()?;
        self.skip_lines()?;
        self.require_closing(")", start)?;
        Ok(condition)
    }

    fn optional_value(&mut self) -> Parse<Option<Box<Statement>>> {
        self.skip_space()?;
        match self.peek() {
            None | Some('\n' | '\r' | ';' | '}' | ')') => Ok(None),
            Some(_) => self.statement().map(Box::new).map(Some),
        }
    }

    fn if_statement(&mut self) -> Parse<StatementKind> {
        let mut conditions = vec![self.condition()?];
        let mut blocks = vec![self.braces()?];
        loop {
            let end = self.at;
            self.skip_lines()?;
            if self.eat_keyword("elseif") {
                conditions.push(self.condition()?);
                blocks.push(self.braces()?);
                continue;
            }
            let is_complete = self.eat_keyword("else");
            if is_complete {
                blocks.push(self.braces()?);
            } else {
                self.at = end;
            }
            return Ok(StatementKind::Branches { conditions, blocks, is_complete });
        }
    }

    fn switch_statement(&mut self) -> Parse<StatementKind> {
        let mut conditions = Vec::new();
        loop {
            self.skip_lines()?;
            if !self.is_at("-") {
                break;
            }
            self.bump();
            let option = self.take_while(is_name).to_ascii_lowercase();
            if "file".starts_with(&option) && !option.is_empty() {
                self.skip_lines()?;
                self.word()?;
            }
        }
        if self.is_at("(") {
            conditions.push(self.condition()?);
        }
        self.skip_lines()?;
        let start = self.at;
        self.require("{")?;
        let mut blocks = Vec::new();
        let mut is_complete = false;
        loop {
            self.skip_separators()?;
            if matches!(self.peek(), None | Some('}')) {
                self.require_closing("}", start)?;
                return Ok(StatementKind::Branches { conditions, blocks, is_complete });
            }
            is_complete |= self.switch_pattern()?;
            blocks.push(self.braces()?);
        }
    }

    /// Skips what a block of a `switch` is for; whether that is everything.
    fn switch_pattern(&mut self) -> Parse<bool> {
        if self.eat_keyword("default") {
            return Ok(true);
        }
        if self.is_at_value() && !self.peek().is_some_and(|letter| letter.is_ascii_digit()) || self.is_at("-") {
            self.expression()?;
        } else {
            let start = self.at;
            self.word()?;
            if self.at == start {
                return self.expected("a condition of `switch`");
            }
        }
        Ok(false)
    }

    fn try_statement(&mut self) -> Parse<StatementKind> {
        let body = self.braces()?;
        let mut handlers = Vec::new();
        loop {
            let end = self.at;
            self.skip_lines()?;
            if self.eat_keyword("catch") {
                self.catch_types()?;
                handlers.push(self.braces()?);
                continue;
            }
            if self.eat_keyword("finally") {
                return Ok(StatementKind::Try { body, handlers, last: self.braces()? });
            }
            if handlers.is_empty() {
                return self.expected("`catch` or `finally`");
            }
            self.at = end;
            return Ok(StatementKind::Try { body, handlers, last: Vec::new() });
        }
    }

    fn catch_types(&mut self) -> Parse<()> {
        loop {
            self.skip_lines()?;
            if !self.is_at("[") {
                return Ok(());
            }
            self.skip_balanced()?;
            self.skip_lines()?;
            self.eat(",");
        }
    }

    fn loop_statement(&mut self, keyword: &str) -> Parse<StatementKind> {
        self.skip_lines()?;
        // `foreach -parallel`
        while self.is_at("-") {
            self.word()?;
            self.skip_lines()?;
        }
        let start = self.at;
        let parts = match keyword {
            "while" => vec![self.condition()?],
            "for" => {
                self.require("(")?;
                let parts = self.statements(Some(')'))?;
                self.require_closing(")", start)?;
                parts
            }
            _ => {
                self.require("(")?;
                self.skip_lines()?;
                let (at, variable) = (self.at, self.variable()?);
                self.skip_lines()?;
                if !self.eat_keyword("in") {
                    return self.expected("`in`");
                }
                self.skip_lines()?;
                let value = Box::new(self.statement()?);
                self.skip_lines()?;
                self.require_closing(")", start)?;
                // Its items are not known, so the variable is assigned what is.
                let target = Expr { at, kind: ExprKind::Variable(variable) };
                vec![Statement { at, kind: StatementKind::Assign { target, is_added: false, value } }]
            }
        };
        Ok(StatementKind::Loop { parts, body: self.braces()? })
    }

    fn do_statement(&mut self) -> Parse<StatementKind> {
        let body = self.braces()?;
        self.skip_lines()?;
        if !self.eat_keyword("while") && !self.eat_keyword("until") {
            return self.expected("`while` or `until`");
        }
        let parts = vec![self.condition()?];
        Ok(StatementKind::Loop { parts, body })
    }

    fn function(&mut self, at: usize) -> Parse<StatementKind> {
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
        Ok(StatementKind::Function(Box::new(Function {
            name: name.to_owned(),
            span: at..self.at,
            body_span: start + 1..self.at - 1,
            block,
            is_private: scope.eq_ignore_ascii_case("private"),
        })))
    }

    /// Skips a class and the like.
    fn definition(&mut self, keyword: &str) -> Parse<Option<StatementKind>> {
        self.skip_lines()?;
        let header = self.take_while(|letter| !matches!(letter, '{' | '\n' | '\r' | ';' | '|' | '='));
        self.skip_lines()?;
        if !self.is_at("{") || (header.trim().is_empty() && keyword != "data") {
            return if keyword == "data" { Ok(None) } else { self.expected("the name and the body of a definition") };
        }
        self.skip_balanced()?;
        Ok(Some(StatementKind::Other))
    }
}
