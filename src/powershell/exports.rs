//! Which functions a module exports (`about_Module_Manifests`, `Export-ModuleMember`): those that literal strings name, also by way of variables.

use globset::{GlobBuilder, GlobSet};

use super::notes::Notes;
use super::syntax::{
    Bound, Command, Element, ElementKind, Expr, ExprKind, Function, Script, Statement, StatementKind, command_name,
    parse_block,
};
use crate::common::collections::{HashMap, HashSet};

/// Names and patterns of functions.
#[derive(Debug, Default)]
pub(super) struct Exports {
    /// In lower case.
    names: HashSet<String>,
    patterns: GlobSet,
}

impl Exports {
    /// `None` if there are too many patterns.
    fn new(named: &[&str]) -> Option<Self> {
        let (patterns, names): (Vec<&str>, Vec<&str>) = named.iter().partition(|name| name.contains(['*', '?', '[']));
        let compiled =
            patterns.iter().filter_map(|pattern| GlobBuilder::new(pattern).case_insensitive(true).build().ok());
        Some(Self {
            names: names.iter().map(|name| name.to_ascii_lowercase()).collect(),
            patterns: GlobSet::new(compiled).ok()?,
        })
    }

    pub fn has(&self, function: &Function) -> bool {
        self.names.contains(&function.name.to_ascii_lowercase()) || self.patterns.is_match(&function.name)
    }
}

/// The functions in `FunctionsToExport` of a manifest; `None` without this key.
pub(super) fn manifest_exports(text: &str, notes: &mut Notes<'_>) -> Option<Exports> {
    let block = match parse_block(text) {
        Ok(block) => block,
        Err(error) => {
            notes.push(error.offset, error.message, true);
            return None;
        }
    };
    let entries = block.body.iter().find_map(|statement| match &only_expression(statement)?.kind {
        ExprKind::Hash(entries) => Some(entries),
        _ => None,
    })?;
    let is_wanted =
        |key: &Expr| matches!(&key.kind, ExprKind::Text(key) if key.eq_ignore_ascii_case("FunctionsToExport"));
    let entry = entries.iter().find(|entry| is_wanted(&entry.key))?;
    let mut names = Vec::new();
    let is_literal =
        only_expression(&entry.value).is_some_and(|value| add_strings(value, &Assigned::default(), &mut names));
    let exports = if is_literal { Exports::new(&names) } else { None };
    if exports.is_none() {
        notes.add(entry.key.at, "`FunctionsToExport` is not a list of strings, all functions are taken");
    }
    exports
}

/// The functions in calls of `Export-ModuleMember`; `None` if they name no functions.
pub(super) fn module_exports(script: &Script, notes: &mut Notes<'_>) -> Option<Exports> {
    let mut calls = Vec::new();
    exporting_calls(&script.statements, &mut calls);
    let assignments = script.statements.iter().filter_map(|statement| match &statement.kind {
        StatementKind::Assign { target: Expr { kind: ExprKind::Variable(name), .. }, is_added: false, value } => {
            Some((name.as_str(), only_expression(value)?))
        }
        _ => None,
    });
    let assigned: Assigned<'_> = assignments.collect();
    let mut names = Vec::new();
    let mut has_names = false;
    let mut computed = None;
    for (at, is_piped, command) in calls {
        let bound = Bound::new(command);
        let named = bound.named("function").or_else(|| bound.positional.first().copied());
        has_names |= named.is_some() || command.arguments.is_empty();
        let is_literal = named.map_or(!is_piped, |named| add_strings(named, &assigned, &mut names));
        computed = computed.or((!is_literal).then_some(at));
    }
    let exports = if has_names && computed.is_none() { Exports::new(&names) } else { None };
    if let Some(at) = computed.or_else(|| (has_names && exports.is_none()).then_some(0)) {
        notes.add(at, "the functions that `Export-ModuleMember` exports are computed, all functions are taken");
    }
    exports
}

/// The calls, with their places, and whether something is piped to them.
fn exporting_calls<'s>(statements: &'s [Statement], found: &mut Vec<(usize, bool, &'s Command)>) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Pipeline(elements) => match elements.last() {
                Some(Element { at, kind: ElementKind::Command(command), .. })
                    if command_name(command) == "export-modulemember" =>
                {
                    found.push((*at, elements.len() > 1, command));
                }
                _ => {}
            },
            StatementKind::Blocks { blocks, .. } => blocks.iter().for_each(|block| exporting_calls(&block.body, found)),
            _ => {}
        }
    }
}

fn only_expression(statement: &Statement) -> Option<&Expr> {
    let StatementKind::Pipeline(elements) = &statement.kind else { return None };
    match elements.as_slice() {
        [Element { kind: ElementKind::Expr(expr), .. }] => Some(expr),
        _ => None,
    }
}

/// The last values that are assigned to variables at the top level.
type Assigned<'s> = HashMap<&'s str, &'s Expr>;

/// Adds the literal strings of a value, which may be in variables; `false` if it has others.
fn add_strings<'s>(value: &'s Expr, assigned: &Assigned<'s>, found: &mut Vec<&'s str>) -> bool {
    let mut of_statement =
        |statement| only_expression(statement).is_some_and(|value| add_strings(value, assigned, found));
    match &value.kind {
        ExprKind::Text(text) => found.push(text),
        ExprKind::List(items) => return items.iter().all(|item| add_strings(item, assigned, found)),
        ExprKind::Paren(inner) => return of_statement(inner),
        ExprKind::Statements(statements) => return statements.iter().all(of_statement),
        ExprKind::Cast(_, operand) => return add_strings(operand, assigned, found),
        ExprKind::Variable(name) if name == "null" => {}
        // The value of a variable has no variables.
        ExprKind::Variable(name) => match assigned.get(name.as_str()) {
            Some(value) => return add_strings(value, &Assigned::default(), found),
            None => return false,
        },
        _ => return false,
    }
    true
}
