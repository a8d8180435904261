//! What a function returns: the keys of its tables. The statements are analyzed once, in the order of the text; where
//! one may not run, the variables that it assigns keep their earlier values besides.

mod keys;
mod tables;
mod values;

use super::syntax::{
    Branch, Element, ElementKind, Expr, ExprKind, Function, Statement, StatementKind, Step, command_name,
};
use crate::catalog::{Catalog, Output};
use crate::common::collections::HashMap;
use tables::{Class, Held, Key, KnownKey, Tables, Value};

/// The outputs of a function.
#[derive(Debug, Default)]
pub(super) struct Outputs {
    /// In the order of the text, each once.
    pub named: Vec<Output>,
    /// Why there may be others, with the place.
    pub open: Vec<(usize, &'static str)>,
    /// Whether all of those begin with the prefix; `None` if the function takes no prefix, or there are none.
    pub open_prefixed: Option<bool>,
}

const COMPUTED_KEY: &str = "a key is computed";
const UNKNOWN_VALUE: &str = "it returns a value whose keys are not known";

/// Stack for one level of statements, in bytes, also without optimization.
const LEVEL_STACK: usize = 128 << 10;
const NEW_STACK: usize = 4 << 20;

const WRITERS: [&str; 3] = ["write-output", "write", "echo"];

pub(super) fn outputs(function: &Function) -> Outputs {
    let parameters = function.block.parameters.iter().map(|parameter| parameter.name.to_lowercase());
    let mut analysis = Analysis {
        has_prefix: parameters.clone().any(|name| name == PREFIX),
        variables: parameters.map(|name| (name, Value::UNKNOWN)).collect(),
        left: Some(Left::default()),
        ..Analysis::default()
    };
    analysis.block(&function.block.body, true);
    let left = analysis.left.take().unwrap_or_default();
    let mut open = analysis.returned.open;
    open.extend(left.open);
    let all = analysis.tables.join(left.value, analysis.returned.value);
    let mut keys = all.table.map(|table| analysis.tables.take(table)).unwrap_or_default();
    open.extend(keys.computed.iter().map(|&(at, is_prefixed)| Open { at, reason: COMPUTED_KEY, is_prefixed }));
    if keys.known.is_empty() && open.is_empty() {
        for (unknown, value) in left.last_commands {
            open.push(unknown);
            if let Some(table) = value.table {
                keys.extend(analysis.tables.take(table));
            }
        }
    }
    let open_prefixed = (analysis.has_prefix && !open.is_empty()).then(|| open.iter().all(|open| open.is_prefixed));
    let mut open: Vec<(usize, &'static str)> = open.into_iter().map(|open| (open.at, open.reason)).collect();
    open.sort_unstable();
    open.dedup();
    let mut keys: Vec<(String, KnownKey)> = keys.known.into_iter().collect();
    let common = &Catalog::built_in().common_outputs;
    keys.retain(|(name, _)| !name.is_empty() && !common.iter().any(|common| common.eq_ignore_ascii_case(name)));
    keys.sort_by_key(|(_, key)| key.at);
    let named = keys
        .into_iter()
        .map(|(name, key)| Output { prefixed: analysis.has_prefix.then_some(key.is_prefixed), ..Output::named(name) });
    Outputs { named: named.collect(), open, open_prefixed }
}

/// A place where what is returned is not known.
#[derive(Debug, Clone, Copy)]
struct Open {
    at: usize,
    reason: &'static str,
    /// Whether the names begin with the prefix.
    is_prefixed: bool,
}

impl Open {
    fn of(at: usize, value: Value) -> Self {
        Self { at, reason: UNKNOWN_VALUE, is_prefixed: value.class == Class::Prefixed }
    }
}

/// The parameter with the prefix, in lower case.
const PREFIX: &str = "prefix";

/// A part of a string.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    /// The value of the parameter with the prefix.
    Prefix,
    /// Any key of a table.
    KeyOf(usize),
    Computed,
}

/// The values left on the pipeline.
#[derive(Debug, Default)]
struct Left {
    /// Any of them.
    value: Value,
    open: Vec<Open>,
    /// The commands of which the result is left if nothing else is.
    last_commands: Vec<(Open, Value)>,
}

#[derive(Debug, Default)]
struct Analysis {
    variables: HashMap<String, Value>,
    /// The strings in variables that are assigned nothing else.
    texts: HashMap<String, Vec<Piece>>,
    /// Whether the function takes a prefix for its outputs.
    has_prefix: bool,
    tables: Tables,
    /// The values of `return`.
    returned: Left,
    /// The values left by the statements of the current block; `None` if they do not reach the caller.
    left: Option<Left>,
    /// How many of the blocks around may not run.
    conditions: usize,
}

impl Analysis {
    /// `is_tail`: the last statement is the last one of the function.
    fn block(&mut self, statements: &[Statement], is_tail: bool) {
        let last = statements.len().saturating_sub(1);
        for (index, statement) in statements.iter().enumerate() {
            stacker::maybe_grow(LEVEL_STACK, NEW_STACK, || self.statement(statement, is_tail && index == last));
        }
    }

    /// Statements whose values do not reach the caller.
    fn quietly(&mut self, run: impl FnOnce(&mut Self)) {
        let outer = self.left.take();
        run(self);
        self.left = outer;
    }

    fn statement(&mut self, statement: &Statement, is_tail: bool) {
        match &statement.kind {
            StatementKind::Assign { .. } => {
                self.statement_value(statement);
            }
            StatementKind::Pipeline(elements) => self.pipeline(elements, is_tail),
            StatementKind::Blocks { conditions, blocks } => {
                self.quietly(|analysis| analysis.block(conditions, false));
                for Branch { body, is_certain } in blocks {
                    self.conditions += usize::from(!is_certain);
                    self.block(body, is_tail);
                    self.conditions -= usize::from(!is_certain);
                }
            }
            StatementKind::Return(Some(value)) => {
                let at = value.at;
                let value = self.statement_value(value);
                // In a script block, `return` leaves that.
                if self.left.is_some() {
                    self.returned.value = self.tables.join(self.returned.value, value);
                    if value.is_open() || value.class == Class::Scalar {
                        self.returned.open.push(Open::of(at, value));
                    }
                }
            }
            StatementKind::Return(None)
            | StatementKind::Enum(_)
            | StatementKind::Function(_)
            | StatementKind::DynamicParam
            | StatementKind::Other => {}
        }
    }

    /// The value of a statement: of an assignment, or the value that a pipeline or block leaves.
    fn statement_value(&mut self, statement: &Statement) -> Value {
        match &statement.kind {
            StatementKind::Assign { target, is_added, value: statement } => {
                let value = self.statement_value(statement);
                self.assign(target, value, *is_added);
                match &target.kind {
                    ExprKind::Variable(name) => {
                        let pieces =
                            if *is_added { vec![Piece::Computed] } else { self.pieces_of_statement(statement) };
                        self.assign_text(name, pieces);
                    }
                    ExprKind::Access(base, _) => {
                        if let ExprKind::Variable(name) = &base.kind {
                            let is_prefix = self.pieces_of_statement(statement) == [Piece::Prefix];
                            self.hold(name, Held { value, is_prefix });
                        }
                    }
                    _ => {}
                }
                value
            }
            StatementKind::Pipeline(elements) => self.pipeline_value(elements),
            _ => self.left_by(std::slice::from_ref(statement)),
        }
    }

    /// The value that statements leave.
    fn left_by(&mut self, statements: &[Statement]) -> Value {
        let outer = self.left.replace(Left::default());
        self.block(statements, true);
        let left = std::mem::replace(&mut self.left, outer).unwrap_or_default();
        if left.value.class >= Class::Table {
            return left.value;
        }
        left.last_commands.into_iter().fold(left.value, |known, (_, value)| self.tables.join(known, value))
    }

    /// A pipeline whose value is left.
    fn pipeline(&mut self, elements: &[Element], is_tail: bool) {
        let value = self.pipeline_value(elements);
        let Some(last) = elements.last().filter(|last| !last.is_redirected) else { return };
        let emitted = emitted(&last.kind);
        let Some(left) = self.left.as_mut() else { return };
        match emitted {
            Emitted::Nothing => return,
            Emitted::Command if value.class != Class::Table => {
                if is_tail {
                    left.last_commands.push((Open::of(last.at, value), value));
                }
                return;
            }
            Emitted::Written if value.class == Class::Scalar => left.open.push(Open::of(last.at, value)),
            _ if value.is_open() => left.open.push(Open::of(last.at, value)),
            _ => {}
        }
        left.value = self.tables.join(left.value, value);
    }

    fn assign(&mut self, target: &Expr, value: Value, is_added: bool) {
        match &target.kind {
            ExprKind::Variable(name) => self.assign_value(name, value, is_added),
            ExprKind::Cast(_, target) => self.assign(target, value, is_added),
            ExprKind::List(targets) => targets.iter().for_each(|target| self.assign(target, Value::UNKNOWN, false)),
            ExprKind::Access(base, steps) => {
                let ExprKind::Variable(name) = &base.kind else { return };
                match steps.as_slice() {
                    // The place in a list.
                    [Step::Index(Expr { kind: ExprKind::Number(_), .. })] => {}
                    [Step::Member(key) | Step::Index(key)] => self.set_key(name, self.key(key), key.at),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    fn assign_value(&mut self, variable: &str, value: Value, is_added: bool) {
        let value = match self.variables.get(variable) {
            Some(known) if is_added || self.conditions > 0 => self.tables.join(*known, value),
            _ => value,
        };
        self.variables.insert(variable.to_owned(), value);
    }

    /// An entry of the table of a variable gets a value.
    fn hold(&mut self, variable: &str, held: Held) {
        if let Some(table) = self.variables.get(variable).and_then(|value| value.table) {
            self.tables.hold(table, held);
        }
    }

    /// The table of a variable gets a key.
    fn set_key(&mut self, variable: &str, key: Key, at: usize) {
        let value = self.variables.entry(variable.to_owned()).or_insert(Value::UNKNOWN);
        let table = *value.table.get_or_insert_with(|| self.tables.create());
        self.tables.add_key(table, key, at);
    }
}

/// What the last element of a pipeline leaves.
enum Emitted {
    /// The value of an expression.
    Value,
    /// What `Write-Output` gets.
    Written,
    /// What a command or method returns, which may be anything or nothing.
    Command,
    Nothing,
}

fn emitted(last: &ElementKind) -> Emitted {
    let command = match last {
        ElementKind::Command(command) => command_name(command),
        ElementKind::Expr(Expr { kind: ExprKind::Access(_, steps), .. }) if matches!(**steps, [.., Step::Call(_)]) => {
            return Emitted::Command;
        }
        ElementKind::Expr(_) => return Emitted::Value,
    };
    if WRITERS.contains(&command.as_str()) {
        Emitted::Written
    } else if command.starts_with("write-") || command.starts_with("out-") || command == "set-content" {
        Emitted::Nothing
    } else {
        Emitted::Command
    }
}
