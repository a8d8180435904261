//! Which functions a module exports (`about_Module_Manifests`, `Export-ModuleMember`).

use std::borrow::Cow;

use super::note::Notes;
use super::outputs::{Bound, command_name};
use super::syntax::{
    Command, Element, ElementKind, Expr, ExprKind, Function, Script, Statement, StatementKind, parse_block,
};
use super::wildcard::fits;
use crate::collections::{HashMap, HashSet};

/// Characters of names and patterns that may be compared for one list of exports.
const MAX_STEPS: usize = 10_000_000;

const TOO_MANY_PATTERNS: &str = "too many or too long patterns of exported functions, all other functions are taken";

/// Names and patterns of functions.
#[derive(Debug, Default)]
pub(super) struct Exports {
    /// With the places where they are named.
    names: Vec<(usize, String)>,
    /// With the places where they are named.
    patterns: Vec<(usize, String)>,
    /// The names in lower case.
    known: HashSet<String>,
}

impl Exports {
    fn new(names: Vec<(usize, Cow<'_, str>)>) -> Self {
        let mut exports = Self::default();
        for (at, name) in names {
            if name.contains(['*', '?', '[']) {
                exports.patterns.push((at, name.into_owned()));
            } else {
                exports.known.insert(name.to_ascii_lowercase());
                exports.names.push((at, name.into_owned()));
            }
        }
        exports
    }

    /// Drops the functions that are not exported; none from where patterns exceed the limit of comparisons.
    pub fn retain(&self, functions: &mut Vec<&Function>, notes: &mut Notes<'_>) {
        let mut steps = MAX_STEPS;
        let mut exceeded = None;
        functions.retain(|function| {
            let mut fits_one = |(at, pattern): &(usize, String)| {
                fits(pattern, &function.name, &mut steps).unwrap_or_else(|| {
                    exceeded = Some(*at);
                    true
                })
            };
            self.known.contains(&function.name.to_ascii_lowercase()) || self.patterns.iter().any(&mut fits_one)
        });
        if let Some(at) = exceeded {
            notes.error(at, TOO_MANY_PATTERNS);
        }
    }

    /// Names, not patterns, that none of the functions has.
    pub fn missing<'e>(&'e self, functions: &[&str]) -> impl Iterator<Item = (usize, &'e str)> {
        let known: HashSet<String> = functions.iter().map(|name| name.to_ascii_lowercase()).collect();
        let names = self.names.iter().filter(move |(_, name)| !known.contains(&name.to_ascii_lowercase()));
        names.map(|(at, name)| (*at, name.as_str()))
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
    let mut names = Strings::default();
    if only_expression(&entry.value).and_then(|value| names.add(value)).is_none() {
        notes.add(entry.at, "`FunctionsToExport` is not a list of strings, all functions are taken");
        return None;
    }
    Some(Exports::new(names.found))
}

/// The functions in calls of `Export-ModuleMember`; `None` if they name no functions.
pub(super) fn module_exports(script: &Script, notes: &mut Notes<'_>) -> Option<Exports> {
    let mut calls = Vec::new();
    exporting_calls(&script.statements, &mut calls);
    let mut names = Strings::of(if calls.is_empty() { &[] } else { &script.statements });
    let mut has_names = false;
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
        let Some(value) = value else {
            has_names |= command.arguments.is_empty();
            continue;
        };
        has_names = true;
        if names.add(value).is_none() {
            notes.add(at, COMPUTED);
            return None;
        }
    }
    has_names.then(|| Exports::new(names.found))
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

/// Literal strings, also by way of variables that are assigned at the top level.
#[derive(Default)]
struct Strings<'s> {
    /// With their places.
    found: Vec<(usize, Cow<'s, str>)>,
    /// The last values of the variables that are not used yet.
    assigned: HashMap<&'s str, &'s Statement>,
    used: HashSet<&'s str>,
}

impl<'s> Strings<'s> {
    fn of(statements: &'s [Statement]) -> Self {
        let assigned = statements.iter().filter_map(|statement| match &statement.kind {
            StatementKind::Assign { target, is_added: false, value } => match &target.kind {
                ExprKind::Variable(name) => Some((name.as_str(), &**value)),
                _ => None,
            },
            _ => None,
        });
        Self { assigned: assigned.collect(), ..Self::default() }
    }

    /// Adds the strings of a value; `None` if it has others.
    fn add(&mut self, value: &'s Expr) -> Option<()> {
        match &value.kind {
            ExprKind::Text(text) => self.found.push((value.at, Cow::Borrowed(text))),
            ExprKind::List(items) => items.iter().try_for_each(|item| self.add(item))?,
            ExprKind::Paren(inner) => self.add(only_expression(inner)?)?,
            ExprKind::Cast(_, operand) | ExprKind::UnaryComma(operand) => self.add(operand)?,
            ExprKind::Array(inner) => inner.iter().try_for_each(|statement| self.add(only_expression(statement)?))?,
            ExprKind::Variable(name) if name == "null" || self.used.contains(name.as_str()) => {}
            ExprKind::Variable(name) => {
                let assigned = self.assigned.remove(name.as_str())?;
                // Terminates, because the value itself has no variables.
                let others = std::mem::take(&mut self.assigned);
                self.add(only_expression(assigned)?)?;
                self.assigned = others;
                self.used.insert(name);
            }
            _ => return None,
        }
        Some(())
    }
}
