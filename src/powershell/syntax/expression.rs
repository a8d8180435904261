//! Expressions (`about_Operators`). Their precedence does not matter here, but that of the comma.

use super::ast::{Expr, ExprKind};
use super::cursor::{Parse, Parser, is_dash, is_name};

/// Binary operators that are words, without `c` and `i` for case.
const WORDS: [&str; 28] = [
    "eq",
    "ne",
    "gt",
    "ge",
    "lt",
    "le",
    "like",
    "notlike",
    "match",
    "notmatch",
    "contains",
    "notcontains",
    "in",
    "notin",
    "replace",
    "split",
    "join",
    "is",
    "isnot",
    "as",
    "and",
    "or",
    "xor",
    "band",
    "bor",
    "bxor",
    "shl",
    "shr",
];
const UNARY_WORDS: [&str; 6] = ["not", "bnot", "split", "join", "csplit", "isplit"];

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
        let mut is_sum = true;
        loop {
            self.skip_space()?;
            if self.is_at("?") && !self.is_at("??") {
                self.bump();
                self.skip_lines()?;
                operands.push(self.nested(|parser| parser.operation(has_commas))?);
                self.skip_lines()?;
                self.require(":")?;
                is_sum = false;
            } else {
                match self.binary_operator()? {
                    None => break,
                    Some(is_plus) => is_sum &= is_plus,
                }
            }
            self.skip_lines()?;
            operands.push(self.list(has_commas)?);
        }
        if operands.len() > 1 {
            return Ok(Expr { at, kind: ExprKind::Operation { operands, is_sum } });
        }
        operands.pop().map_or_else(|| self.expected("a value"), Ok)
    }

    /// Skips a binary operator; whether it is `+`.
    fn binary_operator(&mut self) -> Parse<Option<bool>> {
        if self.is_at("++") || self.is_at("--") {
            return Ok(None);
        }
        for symbol in ["??", "..", "*", "/", "%", "+"] {
            let after = self.rest().get(symbol.len()..).unwrap_or_default();
            if self.is_at(symbol) && !after.starts_with('=') {
                self.at += symbol.len();
                return Ok(Some(symbol == "+"));
            }
        }
        if !self.peek().is_some_and(is_dash) || self.peek_second() == Some('=') {
            return Ok(None);
        }
        let start = self.at;
        self.bump();
        let word = self.take_while(char::is_alphabetic).to_ascii_lowercase();
        let without_case = word.strip_prefix(['c', 'i']).unwrap_or(&word);
        if word.is_empty() || word == "f" || WORDS.contains(&word.as_str()) || WORDS.contains(&without_case) {
            return Ok(Some(false));
        }
        Self::error_at(start, format!("unknown operator `-{word}`"))
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
                make(ExprKind::UnaryComma(Box::new(self.unary()?)))
            }
            Some('!') => self.operand(1),
            Some('+') if self.is_at("++") => self.operand(2),
            Some('+') => self.operand(1),
            Some(dash) if is_dash(dash) => {
                if self.is_at("--") {
                    return self.operand(2);
                }
                self.bump();
                let word = self.take_while(char::is_alphabetic).to_ascii_lowercase();
                if !word.is_empty() && !UNARY_WORDS.contains(&word.as_str()) {
                    return Self::error_at(at, format!("unknown operator `-{word}`"));
                }
                self.skip_space()?;
                let operand = Box::new(self.unary()?);
                make(if word.is_empty() { ExprKind::Negative(operand) } else { ExprKind::Unary(operand) })
            }
            Some('[') => self.cast_or_type(),
            _ => self.value(),
        }
    }

    fn operand(&mut self, length: usize) -> Parse<Expr> {
        let at = self.at;
        self.at += length;
        self.skip_space()?;
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
        match self.peek() {
            Some('!') => !self.is_at("!="),
            Some(dash) if is_dash(dash) => {
                let rest = self.rest().get(dash.len_utf8()..).unwrap_or_default();
                let word: String = rest.chars().take_while(|&letter| is_name(letter)).collect();
                match word.to_ascii_lowercase().as_str() {
                    "" => rest.starts_with(['$', '(']),
                    "not" | "bnot" => true,
                    word => word.starts_with(|first: char| first.is_ascii_digit()),
                }
            }
            _ => false,
        }
    }
}
