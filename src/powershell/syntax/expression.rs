//! Expressions (`about_Operators`), whose precedence does not matter here but for the comma; variables, tables, brackets
//! and types, with members, elements and calls.

use super::cursor::{Parse, Parser, is_dash, is_double_quote, is_name, is_single_quote};
use super::{Block, Entry, Expr, ExprKind, Operator, Step};

impl Parser<'_> {
    /// An expression that may be a list with commas.
    pub fn expression(&mut self) -> Parse<Expr> {
        self.operation(true)
    }

    /// An expression in a list that is separated by commas.
    pub fn single_expression(&mut self) -> Parse<Expr> {
        self.operation(false)
    }

    fn operation(&mut self, has_commas: bool) -> Parse<Expr> {
        let at = self.at;
        let first = self.list(has_commas)?;
        let mut operands = vec![first];
        let mut operator = None;
        loop {
            self.skip_space()?;
            if self.is_at("?") && !self.is_at("??") {
                self.bump();
                self.skip_lines()?;
                operands.push(self.nested(|parser| parser.operation(has_commas))?);
                self.skip_lines()?;
                self.require(":")?;
                operator = None;
            } else {
                match self.binary_operator() {
                    None => break,
                    Some(next) => operator = next.filter(|_| operands.len() == 1 || operator == next),
                }
            }
            self.skip_lines()?;
            operands.push(self.list(has_commas)?);
        }
        if operands.len() > 1 {
            return Ok(Expr { at, kind: ExprKind::Operation { operands, operator } });
        }
        operands.pop().map_or_else(|| self.expected("a value"), Ok)
    }

    /// Skips a binary operator.
    #[expect(clippy::option_option, reason = "most operators do not matter")]
    fn binary_operator(&mut self) -> Option<Option<Operator>> {
        if self.is_at("++") || self.is_at("--") {
            return None;
        }
        for symbol in ["??", "..", "*", "/", "%", "+"] {
            let after = self.rest().get(symbol.len()..).unwrap_or_default();
            if self.is_at(symbol) && !after.starts_with('=') {
                self.at += symbol.len();
                return Some((symbol == "+").then_some(Operator::Sum));
            }
        }
        if !self.peek().is_some_and(is_dash) || self.peek_second() == Some('=') {
            return None;
        }
        self.bump();
        let word = self.take_while(char::is_alphabetic);
        Some(word.eq_ignore_ascii_case("f").then_some(Operator::Format))
    }

    /// Values with commas between them.
    fn list(&mut self, has_commas: bool) -> Parse<Expr> {
        if has_commas { self.comma_list(Self::unary) } else { self.unary() }
    }

    /// Items with commas between them; a single one is itself.
    pub(super) fn comma_list(&mut self, item: fn(&mut Self) -> Parse<Expr>) -> Parse<Expr> {
        let at = self.at;
        let first = item(self)?;
        let mut others = Vec::new();
        loop {
            let end = self.at;
            self.skip_space()?;
            if !self.eat(",") {
                self.at = end;
                break;
            }
            self.skip_lines()?;
            others.push(item(self)?);
        }
        if others.is_empty() {
            return Ok(first);
        }
        others.insert(0, first);
        Ok(Expr { at, kind: ExprKind::List(others) })
    }

    fn unary(&mut self) -> Parse<Expr> {
        self.nested(Self::unary_here)
    }

    fn unary_here(&mut self) -> Parse<Expr> {
        let at = self.at;
        let make = |kind: ExprKind| Ok(Expr { at, kind });
        match self.peek() {
            Some(',') => {
                self.bump();
                self.skip_lines()?;
                self.unary()
            }
            Some('!') => self.operand(1),
            Some('+') if self.is_at("++") => self.operand(2),
            Some('+') => self.operand(1),
            Some(dash) if is_dash(dash) => {
                if self.is_at("--") {
                    return self.operand(2);
                }
                self.bump();
                let is_word = !self.take_while(char::is_alphabetic).is_empty();
                self.skip_lines()?;
                let operand = Box::new(self.unary()?);
                make(if is_word { ExprKind::Unary(operand) } else { ExprKind::Negative(operand) })
            }
            Some('[') => self.cast_or_type(),
            _ => self.value(),
        }
    }

    fn operand(&mut self, length: usize) -> Parse<Expr> {
        let at = self.at;
        self.at += length;
        self.skip_lines()?;
        let operand = Box::new(self.unary()?);
        Ok(Expr { at, kind: ExprKind::Unary(operand) })
    }

    /// `[type]value`, or `[type]` and what is taken of it.
    fn cast_or_type(&mut self) -> Parse<Expr> {
        let at = self.at;
        let name = self.type_name()?;
        let end = self.at;
        self.skip_space()?;
        if self.is_at_value() || self.is_at_unary() {
            let operand = Box::new(self.unary()?);
            return Ok(Expr { at, kind: ExprKind::Cast(name, operand) });
        }
        self.at = end;
        if self.is_at("::") || self.is_at(".") && !self.is_at("..") {
            self.at = at;
            return self.value();
        }
        Ok(Expr { at, kind: ExprKind::Type(name) })
    }

    /// Whether a unary operator and its operand begin here, after a type.
    fn is_at_unary(&self) -> bool {
        let rest = self.rest();
        let operand = rest.strip_prefix(is_dash).unwrap_or_default();
        rest.starts_with('!') && !rest.starts_with("!=")
            || operand.starts_with(|first: char| matches!(first, '$' | '(') || first.is_ascii_digit())
            || ["not ", "bnot "].iter().any(|word| operand.starts_with(word))
    }

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
        match self.peek() {
            Some('$') if self.peek_second() == Some('(') => {
                self.enclosed(["$(", ")"], |parser| parser.statements(Some(')'))).map(ExprKind::Statements)
            }
            Some('$') => self.variable().map(ExprKind::Variable),
            Some('(') => self.enclosed(["(", ")"], Self::statement).map(|inner| ExprKind::Paren(Box::new(inner))),
            Some('{') => self.script_block().map(|block| ExprKind::ScriptBlock(Box::new(block))),
            Some('[') => self.type_name().map(ExprKind::Type),
            Some('@') => self.at_sign(),
            Some(quote) if is_single_quote(quote) || is_double_quote(quote) => self.quoted(),
            _ => match self.number() {
                Some(number) => Ok(ExprKind::Number(number)),
                None => self.expected("a value"),
            },
        }
    }

    fn at_sign(&mut self) -> Parse<ExprKind> {
        match self.peek_second() {
            Some('{') => self.nested(Self::table).map(ExprKind::Hash),
            Some('(') => self.enclosed(["@(", ")"], |parser| parser.statements(Some(')'))).map(ExprKind::Statements),
            _ if self.is_here_string() => {
                let text = self.here_string()?;
                Ok(text.map_or_else(|| ExprKind::Expandable(String::new()), ExprKind::Text))
            }
            Some(letter) if is_name(letter) => {
                self.bump();
                let name = self.take_while(|letter| is_name(letter) || letter == ':');
                Ok(ExprKind::Splat(name.to_lowercase()))
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
            let key = self.table_key()?;
            self.skip_space()?;
            self.require("=")?;
            self.skip_lines()?;
            let value = self.statement()?;
            self.end_statement(&value)?;
            entries.push(Entry { key, value });
        }
    }

    fn table_key(&mut self) -> Parse<Expr> {
        let at = self.at;
        if let Some(number) = self.number() {
            return Ok(Expr { at, kind: ExprKind::Text(number) });
        }
        if self.is_at_value() || self.is_at("-") {
            return self.single_expression();
        }
        let word = self.take_while(|letter| is_name(letter) || matches!(letter, '-' | '.' | '?'));
        if word.is_empty() {
            return self.expected("a key");
        }
        Ok(Expr { at, kind: ExprKind::Text(word.to_owned()) })
    }

    /// `{…}`.
    pub fn script_block(&mut self) -> Parse<Block> {
        self.nested(|parser| parser.enclosed(["{", "}"], |parser| parser.block_content(Some('}'))))
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
            if self.eat("::") || self.eat("?.") || self.is_at(".") && !self.is_at("..") && self.eat(".") {
                self.skip_lines()?;
                steps.push(Step::Member(self.member_name()?));
            // Also `.Method[type](…)`.
            } else if self.is_at("(") && matches!(*steps, [.., Step::Member(_)] | [.., Step::Member(_), Step::Index(_)])
            {
                steps.push(Step::Call(self.nested(|parser| parser.list_of(Self::single_expression))?));
            } else if self.is_at("{") && matches!(*steps, [.., Step::Member(_)]) {
                // `.ForEach{…}` and `.Where{…}`
                let at = self.at;
                let block = ExprKind::ScriptBlock(Box::new(self.script_block()?));
                steps.push(Step::Call(vec![Expr { at, kind: block }]));
            } else if (self.is_at("[") && !(of_type && steps.is_empty())) || self.is_at("?[") {
                self.eat("?");
                let index = self.enclosed(["[", "]"], |parser| parser.nested(Self::expression))?;
                steps.push(Step::Index(index));
            } else if self.eat("++") || self.eat("--") {
                steps.push(Step::Change);
            } else {
                return Ok(steps);
            }
        }
    }

    fn member_name(&mut self) -> Parse<Expr> {
        let at = self.at;
        let kind = match self.peek() {
            Some('$' | '(' | '{' | '@') => self.nested(Self::base)?,
            Some(quote) if is_single_quote(quote) || is_double_quote(quote) => self.quoted()?,
            _ => match self.take_while(is_name) {
                "" => return self.expected("the name of a member"),
                name => ExprKind::Text(name.to_owned()),
            },
        };
        Ok(Expr { at, kind })
    }

    /// A string in quotes.
    fn quoted(&mut self) -> Parse<ExprKind> {
        let start = self.at;
        let text = self.string()?;
        let written = || self.text.get(start..self.at).unwrap_or_default().to_owned();
        Ok(text.map_or_else(|| ExprKind::Expandable(written()), ExprKind::Text))
    }
}
