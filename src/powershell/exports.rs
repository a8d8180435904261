//! Which functions a module exports (`about_Module_Manifests`, `Export-ModuleMember`).

use globset::{GlobBuilder, GlobMatcher};

use super::note::Notes;
use super::outputs::{Bound, command_name};
use super::syntax::{Command, Element, ElementKind, Expr, ExprKind, Script, Statement, StatementKind, parse_block};

/// Names and patterns of functions.
#[derive(Debug, Default)]
pub(super) struct Exports {
    /// With the places where they are named.
    names: Vec<(usize, String, Option<GlobMatcher>)>,
}

impl Exports {
    fn new(names: Vec<(usize, String)>) -> Self {
        let matcher = |name: &str| {
            let mut glob = GlobBuilder::new(name);
            glob.case_insensitive(true).literal_separator(false).backslash_escape(false);
            glob.build().ok().map(|glob| glob.compile_matcher())
        };
        let is_pattern = |name: &str| name.contains(['*', '?', '[']);
        let names = names.into_iter().map(|(at, name)| {
            let matcher = is_pattern(&name).then(|| matcher(&name)).flatten();
            (at, name, matcher)
        });
        Self { names: names.collect() }
    }

    pub fn has(&self, function: &str) -> bool {
        self.names.iter().any(|(_, name, matcher)| match matcher {
            Some(matcher) => matcher.is_match(function),
            None => name.eq_ignore_ascii_case(function),
        })
    }

    /// Names, not patterns, that none of the functions has.
    pub fn missing<'e>(&'e self, functions: &[&str]) -> impl Iterator<Item = (usize, &'e str)> {
        let known: std::collections::HashSet<String> = functions.iter().map(|name| name.to_ascii_lowercase()).collect();
        let names = self.names.iter().filter(|(_, _, matcher)| matcher.is_none());
        names
            .filter(move |(_, name, _)| !known.contains(&name.to_ascii_lowercase()))
            .map(|(at, name, _)| (*at, name.as_str()))
    }
}

/// The functions in `FunctionsToExport` of a manifest; `None` without this key.
pub(super) fn manifest_exports(text: &str, notes: &mut Notes<'_>) -> Option<Exports> {
    let block = match parse_block(text) {
        Ok(block) => block,
        Err(error) => {
            notes.error(error.offset, error.message);
            return None;
        }
    };
    let entries = block.body.iter().find_map(|statement| match &only_expression(statement)?.kind {
        ExprKind::Hash(entries) => Some(entries),
        _ => None,
    })?;
    let is_wanted =
        |key: &Option<String>| key.as_ref().is_some_and(|key| key.eq_ignore_ascii_case("FunctionsToExport"));
    let entry = entries.iter().find(|entry| is_wanted(&entry.key))?;
    let Some(names) = only_expression(&entry.value).and_then(|value| strings(value, &[])) else {
        notes.add(entry.at, "`FunctionsToExport` is not a list of strings, all functions are taken");
        return None;
    };
    Some(Exports::new(names))
}

/// The functions in calls of `Export-ModuleMember`; `None` if they name no functions.
pub(super) fn module_exports(script: &Script, notes: &mut Notes<'_>) -> Option<Exports> {
    let mut found: Option<Vec<(usize, String)>> = None;
    let mut calls = Vec::new();
    exporting_calls(&script.statements, &mut calls);
    for (at, piped, command) in calls {
        let bound = Bound::new(command);
        let named = bound.named("function").or_else(|| bound.positional.first().copied());
        let value = match (named, piped) {
            (Some(named), _) => Some(named),
            (None, Piped::Value(value)) => Some(value),
            (None, Piped::Computed) => {
                notes.add(at, COMPUTED);
                return None;
            }
            (None, Piped::Nothing) => None,
        };
        let is_other = command.arguments.is_empty();
        let Some(value) = value else {
            if is_other {
                found.get_or_insert_default();
            }
            continue;
        };
        match strings(value, &script.statements) {
            Some(names) => found.get_or_insert_default().extend(names),
            None => {
                notes.add(at, COMPUTED);
                return None;
            }
        }
    }
    found.map(Exports::new)
}

const COMPUTED: &str = "the functions that `Export-ModuleMember` exports are computed, all functions are taken";

type Call<'s> = (usize, Piped<'s>, &'s Command);

/// What a command gets from the pipeline.
#[derive(Clone, Copy)]
enum Piped<'s> {
    Nothing,
    Value(&'s Expr),
    /// The output of another command.
    Computed,
}

fn exporting_calls<'s>(statements: &'s [Statement], found: &mut Vec<Call<'s>>) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Pipeline(elements) => {
                let Some(Element { at, kind: ElementKind::Command(command), .. }) = elements.last() else { continue };
                if command_name(command) == "export-modulemember" {
                    let piped = match elements.as_slice() {
                        [_] => Piped::Nothing,
                        [Element { kind: ElementKind::Expr(expr), .. }, _] => Piped::Value(expr),
                        _ => Piped::Computed,
                    };
                    found.push((*at, piped, command));
                }
            }
            StatementKind::Branches { blocks, .. } => blocks.iter().for_each(|block| exporting_calls(block, found)),
            StatementKind::Try { body, .. } | StatementKind::Loop { body, .. } | StatementKind::Block(body) => {
                exporting_calls(body, found);
            }
            _ => {}
        }
    }
}

fn only_expression(statement: &Statement) -> Option<&Expr> {
    match &statement.kind {
        StatementKind::Pipeline(elements) => match elements.as_slice() {
            [Element { kind: ElementKind::Expr(expr), .. }] => Some(expr),
            _ => None,
        },
        _ => None,
    }
}

/// Literal strings, also by way of a variable that is assigned at the top level.
fn strings(value: &Expr, statements: &[Statement]) -> Option<Vec<(usize, String)>> {
    let mut names = Vec::new();
    match &value.kind {
        ExprKind::Text(text) => names.push((value.at, text.clone())),
        ExprKind::List(items) => {
            for item in items {
                names.extend(strings(item, statements)?);
            }
        }
        ExprKind::Paren(inner) => names = strings(only_expression(inner)?, statements)?,
        ExprKind::Cast(_, operand) | ExprKind::UnaryComma(operand) => names = strings(operand, statements)?,
        ExprKind::Array(inner) => {
            for statement in inner {
                names.extend(strings(only_expression(statement)?, statements)?);
            }
        }
        ExprKind::Variable(name) if name == "null" => {}
        ExprKind::Variable(name) => {
            let assigned = statements.iter().rev().find_map(|statement| match &statement.kind {
                StatementKind::Assign { target, is_added: false, value } => match &target.kind {
                    ExprKind::Variable(other) if other == name => Some(value),
                    _ => None,
                },
                _ => None,
            });
            // Terminates, because the value itself has no variables.
            names = strings(only_expression(assigned?)?, &[])?;
        }
        _ => return None,
    }
    Some(names)
}
