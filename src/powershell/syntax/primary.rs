//! Primary expressions: variables, tables, brackets and types, with members, elements and calls.

use super::ast::{Block, Entry, Expr, ExprKind, Step};
use super::cursor::{Parse, Parser, is_double_quote, is_name, is_single_quote};

impl Parser<'_> {
    /// A variable that begins here with `$`, in lower case.
    pub fn variable(&mut self) -> Parse<String> {
        let start = self.at;
        self.bump();
        let name = match self.peek() {
            Some('{') => {
                self.bump();
                let name = self.take_while(|letter| letter != '}');
                if !self.eat("}") {
                    return Self::error_at(start, "unclosed `${`");
                }
                name
            }
            Some('$' | '^') => {
                self.bump();
                return Ok(String::new());
            }
            _ => {
                let name = self.at;
                self.take_while(|letter| is_name(letter) || letter == '?');
                // `$scope:name`, but `$name::Member`.
                let mut letters = self.rest().chars();
                if letters.next() == Some(':') && letters.next().is_some_and(is_name) {
                    self.bump();
                    self.take_while(|letter| is_name(letter) || letter == '?');
                }
                self.text.get(name..self.at).unwrap_or_default()
            }
        };
        if name.is_empty() {
            return Self::error_at(start, "expected the name of a variable after `$`");
        }
        let name = name.to_lowercase();
        let plain = name.strip_prefix("local:").or_else(|| name.strip_prefix("private:"));
        Ok(plain.map(str::to_owned).unwrap_or(name))
    }

    /// Whether a value of an expression begins here, other than a bare word.
    pub fn is_at_value(&self) -> bool {
        match self.peek() {
            Some('$' | '(' | '{' | '[') => true,
            Some('@') => self.peek_second().is_some_and(|next| {
                matches!(next, '{' | '(') || is_single_quote(next) || is_double_quote(next) || is_name(next)
            }),
            Some(letter) if is_single_quote(letter) || is_double_quote(letter) || letter.is_ascii_digit() => true,
            Some('.') => self.peek_second().is_some_and(|next| next.is_ascii_digit()),
            _ => false,
        }
    }

    /// A value with the steps behind it.
    pub fn value(&mut self) -> Parse<Expr> {
        let at = self.at;
        let kind = self.base()?;
        let steps = self.steps(matches!(kind, ExprKind::Type(_)))?;
        let base = Expr { at, kind };
        if steps.is_empty() {
            return Ok(base);
        }
        Ok(Expr { at, kind: ExprKind::Access(Box::new(base), steps) })
    }

    fn base(&mut self) -> Parse<ExprKind> {
        let start = self.at;
        match self.peek() {
            Some('$') if self.peek_second() == Some('(') => {
                self.at += 2;
                let body = self.statements(Some(')'))?;
                self.require_closing(")", start)?;
                Ok(ExprKind::Sub(body))
            }
            Some('$') => self.variable().map(ExprKind::Variable),
            Some('(') => {
                self.bump();
                self.skip_lines()?;
                let inner = self.statement()?;
                self.skip_lines()?;
                self.require_closing(")", start)?;
                Ok(ExprKind::Paren(Box::new(inner)))
            }
            Some('{') => self.script_block().map(|block| ExprKind::ScriptBlock(Box::new(block))),
            Some('[') => self.type_name().map(ExprKind::Type),
            Some('@') => self.at_sign(),
            Some(quote) if is_single_quote(quote) || is_double_quote(quote) => Ok(text(self.string()?)),
            _ => match self.number() {
                Some(number) => Ok(ExprKind::Number(number)),
                None => self.expected("a value"),
            },
        }
    }

    fn at_sign(&mut self) -> Parse<ExprKind> {
        let start = self.at;
        match self.peek_second() {
            Some('{') => self.nested(Self::table).map(ExprKind::Hash),
            Some('(') => {
                self.at += 2;
                let body = self.statements(Some(')'))?;
                self.require_closing(")", start)?;
                Ok(ExprKind::Array(body))
            }
            _ if self.is_here_string() => self.here_string().map(text),
            Some(letter) if is_name(letter) => {
                self.bump();
                self.take_while(|letter| is_name(letter) || letter == ':');
                Ok(ExprKind::Splat)
            }
            _ => {
                self.bump();
                self.expected("a table, an array or a here-string after `@`")
            }
        }
    }

    /// `@{…}`.
    fn table(&mut self) -> Parse<Vec<Entry>> {
        let start = self.at;
        self.at += 2;
        let mut entries = Vec::new();
        loop {
            self.skip_separators()?;
            if matches!(self.peek(), None | Some('}')) {
                self.require_closing("}", start)?;
                return Ok(entries);
            }
            let at = self.at;
            let key = self.table_key()?;
            self.skip_space()?;
            self.require("=")?;
            self.skip_lines()?;
            let value = self.statement()?;
            self.end_statement(&value)?;
            entries.push(Entry { at, key, value });
        }
    }

    /// A key as a string; `None` for a computed one.
    fn table_key(&mut self) -> Parse<Option<String>> {
        if let Some(number) = self.number() {
            return Ok(Some(number));
        }
        if self.is_at_value() || self.is_at("-") {
            let key = self.single_expression()?;
            return Ok(match key.kind {
                ExprKind::Text(text) => Some(text),
                _ => None,
            });
        }
        let word = self.take_while(|letter| is_name(letter) || matches!(letter, '-' | '.' | '?'));
        if word.is_empty() {
            return self.expected("a key");
        }
        Ok(Some(word.to_owned()))
    }

    /// `{…}`.
    pub fn script_block(&mut self) -> Parse<Block> {
        let start = self.at;
        self.require("{")?;
        let block = self.nested(|parser| parser.block_content(Some('}')))?;
        self.require_closing("}", start)?;
        Ok(block)
    }

    /// What is between the brackets of a type, without whitespace. Its arguments, if it is an attribute, are
    /// skipped.
    pub fn type_name(&mut self) -> Parse<String> {
        let start = self.at;
        self.skip_balanced()?;
        let inside = self.text.get(start + 1..self.at - 1).unwrap_or_default();
        Ok(inside.chars().filter(|letter| !letter.is_whitespace()).collect())
    }

    /// Members, elements and calls, which follow without a space.
    fn steps(&mut self, of_type: bool) -> Parse<Vec<Step>> {
        let mut steps: Vec<Step> = Vec::new();
        loop {
            if !steps.is_empty() {
                self.count()?;
            }
            let start = self.at;
            if self.eat("::") || self.eat("?.") || self.is_at(".") && !self.is_at("..") && self.eat(".") {
                self.skip_lines()?;
                let at = self.at;
                let name = self.member_name()?;
                steps.push(Step::Member(name, at));
            } else if self.is_at("(") && can_be_called(&steps) {
                steps.push(Step::Call(self.nested(Self::call_arguments)?));
            } else if self.is_at("{") && takes_block(&steps) {
                let at = self.at;
                let block = ExprKind::ScriptBlock(Box::new(self.script_block()?));
                steps.push(Step::Call(vec![Expr { at, kind: block }]));
            } else if (self.is_at("[") && !(of_type && steps.is_empty())) || self.is_at("?[") {
                self.eat("?");
                self.bump();
                self.skip_lines()?;
                let index = self.nested(Self::expression)?;
                self.skip_lines()?;
                self.require_closing("]", start)?;
                steps.push(Step::Index(index));
            } else if self.eat("++") || self.eat("--") {
                steps.push(Step::Change);
            } else {
                return Ok(steps);
            }
        }
    }

    /// `None` for a computed name.
    fn member_name(&mut self) -> Parse<Option<String>> {
        match self.peek() {
            Some('$' | '(' | '{' | '@') => {
                self.nested(|parser| match parser.peek() {
                    Some('$') if parser.peek_second() != Some('(') => parser.variable().map(drop),
                    _ => parser.base().map(drop),
                })?;
                Ok(None)
            }
            Some(quote) if is_single_quote(quote) || is_double_quote(quote) => self.string(),
            _ => {
                let name = self.take_while(is_name);
                if name.is_empty() { self.expected("the name of a member") } else { Ok(Some(name.to_owned())) }
            }
        }
    }

    fn call_arguments(&mut self) -> Parse<Vec<Expr>> {
        let start = self.at;
        self.require("(")?;
        let mut arguments = Vec::new();
        loop {
            self.skip_lines()?;
            if matches!(self.peek(), None | Some(')')) {
                break;
            }
            arguments.push(self.single_expression()?);
            self.skip_lines()?;
            if !self.eat(",") {
                break;
            }
        }
        self.require_closing(")", start)?;
        Ok(arguments)
    }
}

fn can_be_called(steps: &[Step]) -> bool {
    match steps {
        [.., Step::Member(..)] => true,
        // `.Method[type](…)`
        [.., Step::Member(..), Step::Index(_)] => true,
        _ => false,
    }
}

/// `.ForEach{…}` and `.Where{…}`
fn takes_block(steps: &[Step]) -> bool {
    matches!(steps.last(), Some(Step::Member(Some(name), _))
        if name.eq_ignore_ascii_case("foreach") || name.eq_ignore_ascii_case("where"))
}

fn text(text: Option<String>) -> ExprKind {
    text.map_or(ExprKind::Expandable, ExprKind::Text)
}
