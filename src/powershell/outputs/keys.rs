//! The keys of tables: names, with or without the prefix of the outputs, or computed ones.

use super::tables::{Key, KeyName};
use super::{Analysis, PREFIX, Piece};
use crate::powershell::syntax::{ElementKind, Expr, ExprKind, Operator, Statement, StatementKind, Step};

impl Analysis {
    pub fn key(&self, expr: &Expr) -> Key {
        let pieces = self.pieces(expr);
        let (is_prefixed, rest) = match pieces.split_first() {
            Some((Piece::Prefix, rest)) => (true, rest),
            _ => (false, pieces.as_slice()),
        };
        let text = |piece: &Piece| if let Piece::Text(text) = piece { Some(text.clone()) } else { None };
        let name = match rest {
            [Piece::KeyOf(table)] => KeyName::Of(*table),
            _ => rest.iter().map(text).collect::<Option<String>>().map_or(KeyName::Computed, KeyName::Known),
        };
        Key { name, is_prefixed }
    }

    /// Whether an expression is the prefix alone.
    pub fn is_prefix(&self, expr: &Expr) -> bool {
        self.pieces(expr) == [Piece::Prefix]
    }

    pub fn pieces(&self, expr: &Expr) -> Vec<Piece> {
        match &expr.kind {
            ExprKind::Text(text) | ExprKind::Number(text) => vec![Piece::Text(text.clone())],
            ExprKind::Expandable(written) => self.pieces_of_string(written),
            ExprKind::Variable(name) => self.pieces_of_variable(name),
            ExprKind::Cast(_, operand) => self.pieces(operand),
            ExprKind::Paren(statement) => self.pieces_of_statement(statement),
            ExprKind::Statements(statements) => match statements.as_slice() {
                [statement] => self.pieces_of_statement(statement),
                _ => vec![Piece::Computed],
            },
            ExprKind::Operation { operands, operator: Some(Operator::Sum) } => {
                operands.iter().flat_map(|operand| self.pieces(operand)).collect()
            }
            ExprKind::Operation { operands, operator: Some(Operator::Format) } => self.pieces_of_format(operands),
            ExprKind::Access(base, steps) => match &base.kind {
                ExprKind::Variable(name) => self.pieces_of_member(name, steps),
                _ => vec![Piece::Computed],
            },
            _ => vec![Piece::Computed],
        }
    }

    /// `$PSBoundParameters.Prefix`, the keys of a table, or the key of an entry.
    fn pieces_of_member(&self, variable: &str, steps: &[Step]) -> Vec<Piece> {
        let names: Option<Vec<String>> = steps
            .iter()
            .filter(|step| !matches!(step, Step::Call(arguments) if arguments.is_empty()))
            .map(|step| match step {
                Step::Member(Expr { kind: ExprKind::Text(name), .. })
                | Step::Index(Expr { kind: ExprKind::Text(name), .. }) => Some(name.to_lowercase()),
                _ => None,
            })
            .collect();
        let names = names.unwrap_or_default();
        let table = self.variables.get(variable).and_then(|value| value.table);
        match (names.iter().map(String::as_str).collect::<Vec<_>>().as_slice(), table) {
            ([name], _) if variable == "psboundparameters" => self.pieces_of_variable(name),
            (["keys" | "getenumerator"] | ["psobject", "properties"], Some(table)) => vec![Piece::KeyOf(table)],
            (["key" | "name"], _) => match self.texts.get(variable).map(Vec::as_slice) {
                Some([Piece::KeyOf(table)]) => vec![Piece::KeyOf(*table)],
                _ => vec![Piece::Computed],
            },
            _ => vec![Piece::Computed],
        }
    }

    /// Notes the string that a variable is assigned.
    pub fn assign_text(&mut self, variable: &str, pieces: Vec<Piece>) {
        let is_certain = self.conditions == 0;
        let is_known = !pieces.contains(&Piece::Computed);
        let is_key = matches!(pieces.as_slice(), [Piece::KeyOf(_)]);
        if variable == PREFIX && self.has_prefix {
            // It may be changed, but stays the prefix.
            if is_certain && is_known && pieces.first() == Some(&Piece::Prefix) {
                self.texts.insert(variable.to_owned(), pieces);
            }
            return;
        }
        let is_only = is_certain || is_key || !self.texts.contains_key(variable);
        self.texts.insert(variable.to_owned(), if is_known && is_only { pieces } else { vec![Piece::Computed] });
    }

    fn pieces_of_variable(&self, name: &str) -> Vec<Piece> {
        match self.texts.get(name) {
            Some(pieces) => pieces.clone(),
            None if name == PREFIX && self.has_prefix => vec![Piece::Prefix],
            None => vec![Piece::Computed],
        }
    }

    pub fn pieces_of_statement(&self, statement: &Statement) -> Vec<Piece> {
        match &statement.kind {
            StatementKind::Pipeline(elements) => match elements.as_slice() {
                [element] => match &element.kind {
                    ElementKind::Expr(expr) => self.pieces(expr),
                    ElementKind::Command(_) => vec![Piece::Computed],
                },
                _ => vec![Piece::Computed],
            },
            _ => vec![Piece::Computed],
        }
    }

    /// `'{0}Id' -f $Prefix`
    fn pieces_of_format(&self, operands: &[Expr]) -> Vec<Piece> {
        let [format, values] = operands else { return vec![Piece::Computed] };
        let values =
            if let ExprKind::List(values) = &values.kind { values.as_slice() } else { std::slice::from_ref(values) };
        let ExprKind::Text(format) = &format.kind else { return vec![Piece::Computed] };
        let mut pieces = Vec::new();
        let mut rest = format.as_str();
        while let Some((text, after)) = rest.split_once('{') {
            push_text(&mut pieces, text);
            let Some((number, after)) = after.split_once('}') else { return vec![Piece::Computed] };
            match number.parse::<usize>().ok().and_then(|number| values.get(number)) {
                Some(value) => pieces.extend(self.pieces(value)),
                None => pieces.push(Piece::Computed),
            }
            rest = after;
        }
        push_text(&mut pieces, rest);
        pieces
    }

    /// Of a string in double quotes: text, variables and `$(…)`.
    fn pieces_of_string(&self, written: &str) -> Vec<Piece> {
        let mut quotes = written.chars();
        let (Some(_), Some(_)) = (quotes.next(), quotes.next_back()) else { return vec![Piece::Computed] };
        let mut pieces = Vec::new();
        let mut rest = quotes.as_str();
        while let Some(at) = rest.find(['$', '`']) {
            let (text, after) = rest.split_at(at);
            push_text(&mut pieces, text);
            let (sign, after) = after.split_at(1);
            if sign == "`" {
                let length = after.chars().next().map_or(0, char::len_utf8);
                let (escaped, after) = after.split_at(length);
                push_text(&mut pieces, escaped);
                rest = after;
                continue;
            }
            let Some((inside, after)) = variable_name(after) else { return vec![Piece::Computed] };
            pieces.extend(match inside.split_once('.') {
                Some((variable, member)) => {
                    let member = Expr { at: 0, kind: ExprKind::Text(member.to_owned()) };
                    self.pieces_of_member(&variable.to_lowercase(), &[Step::Member(member)])
                }
                None => self.pieces_of_variable(&inside.to_lowercase()),
            });
            rest = after;
        }
        push_text(&mut pieces, rest);
        pieces
    }
}

/// The name of a variable after `$`, and the text after it: `Name`, `{Name}`, `($Name)` or `($Name.Member)`, otherwise
/// a name that no variable has.
fn variable_name(text: &str) -> Option<(&str, &str)> {
    if let Some(braced) = text.strip_prefix('{') {
        return braced.split_once('}');
    }
    if let Some(inside) = text.strip_prefix('(') {
        let mut depth = 1_usize;
        let end = inside.find(|letter| {
            depth = if letter == '(' { depth + 1 } else { depth - usize::from(letter == ')') };
            depth == 0
        })?;
        let (inside, after) = (inside.get(..end)?, inside.get(end + 1..)?);
        let name = inside.trim().strip_prefix('$').unwrap_or_default();
        let is_name = name.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '.'));
        return Some((if is_name { name } else { "" }, after));
    }
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(text.len());
    let (name, after) = text.split_at(end);
    // `$scope:name`
    let is_scope = after.strip_prefix(':').is_some_and(|after| after.starts_with(char::is_alphanumeric));
    (!name.is_empty() && !is_scope).then_some((name, after))
}

fn push_text(pieces: &mut Vec<Piece>, text: &str) {
    match pieces.last_mut() {
        _ if text.is_empty() => {}
        Some(Piece::Text(before)) => before.push_str(text),
        _ => pieces.push(Piece::Text(text.to_owned())),
    }
}
