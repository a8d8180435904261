//! Parameters and their attributes (`about_Functions_Advanced_Parameters`).

use super::ast::{Attribute, Block, Expr, Parameter};
use super::cursor::{Parse, Parser, is_name};

impl Parser<'_> {
    /// The content of a script block: parameters and statements.
    pub fn block_content(&mut self, closing: Option<char>) -> Parse<Block> {
        let parameters = self.block_start()?;
        Ok(Block { parameters, body: self.statements(closing)? })
    }

    /// The parameters at the beginning of a script block.
    pub fn block_start(&mut self) -> Parse<Vec<Parameter>> {
        self.skip_separators()?;
        let start = self.at;
        if self.skip_to_param()? {
            self.skip_lines()?;
            return self.parameter_list();
        }
        self.at = start;
        Ok(Vec::new())
    }

    /// Skips attributes such as `[CmdletBinding()]` and the word `param`, if it follows.
    fn skip_to_param(&mut self) -> Parse<bool> {
        while self.is_at("[") {
            // An error here is found again where the text is read as an expression.
            if self.skip_balanced().is_err() {
                return Ok(false);
            }
            self.skip_separators()?;
        }
        if !self.eat_keyword("param") {
            return Ok(false);
        }
        let end = self.at;
        self.skip_lines()?;
        let is_block = self.is_at("(");
        self.at = end;
        if is_block { Ok(true) } else { self.expected("`(` after `param`") }
    }

    /// `( parameter, … )`.
    pub fn parameter_list(&mut self) -> Parse<Vec<Parameter>> {
        let start = self.at;
        self.require("(")?;
        let mut parameters = Vec::new();
        loop {
            self.skip_lines()?;
            if matches!(self.peek(), None | Some(')')) && parameters.is_empty() {
                break;
            }
            parameters.push(self.nested(Self::parameter)?);
            self.skip_lines()?;
            if !self.eat(",") {
                break;
            }
        }
        self.require_closing(")", start)?;
        parameters.shrink_to_fit();
        Ok(parameters)
    }

    fn parameter(&mut self) -> Parse<Parameter> {
        // It is kept in the catalog as well.
        (0..3).try_for_each(|_| self.count())?;
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

    fn attribute(&mut self) -> Parse<Attribute> {
        self.count()?;
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
        let open = self.at;
        self.bump();
        let mut arguments = Vec::new();
        loop {
            self.skip_lines()?;
            if matches!(self.peek(), None | Some(')')) {
                break;
            }
            arguments.push(self.attribute_argument()?);
            self.skip_lines()?;
            if !self.eat(",") {
                break;
            }
        }
        self.require_closing(")", open)?;
        self.skip_lines()?;
        self.require_closing("]", at)?;
        Ok(Attribute { at, name, arguments: Some(arguments) })
    }

    /// `Name`, `Name = value` or a value.
    fn attribute_argument(&mut self) -> Parse<(Option<String>, Option<Expr>)> {
        self.count()?;
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
}
