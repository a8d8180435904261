//! The effects of statements on variables, and the values that they leave.

use super::analysis::{Analysis, Left, UNKNOWN_VALUE, Variables};
use super::value::{Class, Value};
use crate::powershell::syntax::{Element, ElementKind, Expr, ExprKind, Statement, StatementKind, Step};

/// Stack for one level of statements, in bytes, also without optimization.
const LEVEL_STACK: usize = 128 << 10;
const NEW_STACK: usize = 4 << 20;

impl Analysis {
    /// Runs a block. `is_tail`: its last statement is the last one of the function. Returns whether the end of the
    /// block is reached.
    pub fn block(&mut self, statements: &[Statement], is_tail: bool) -> bool {
        let last = statements.len().saturating_sub(1);
        statements.iter().enumerate().all(|(index, statement)| {
            self.spend(1)
                && stacker::maybe_grow(LEVEL_STACK, NEW_STACK, || self.statement(statement, is_tail && index == last))
        })
    }

    fn statement(&mut self, statement: &Statement, is_tail: bool) -> bool {
        match &statement.kind {
            StatementKind::Assign { .. } => {
                self.statement_value(statement);
            }
            StatementKind::Pipeline(elements) => self.pipeline(elements, is_tail),
            StatementKind::Branches { conditions, blocks, is_complete } => {
                self.quietly(|analysis| {
                    analysis.block(conditions, false);
                });
                return self.branches(blocks, *is_complete, is_tail);
            }
            StatementKind::Try { body, handlers, last } => {
                let is_reached = self.try_statement(body, handlers, is_tail && last.is_empty());
                return self.block(last, is_tail) && is_reached;
            }
            StatementKind::Loop { parts, body } => {
                self.quietly(|analysis| {
                    analysis.block(parts, false);
                });
                let before = self.fork();
                self.block(body, is_tail);
                self.join(before);
            }
            StatementKind::Block(body) => return self.block(body, is_tail),
            StatementKind::Return(value) => {
                if let Some(value) = value {
                    self.returned(value);
                }
                return false;
            }
            StatementKind::Exit => return false,
            StatementKind::Function(_) | StatementKind::DynamicParam | StatementKind::Other => {}
        }
        true
    }

    fn branches(&mut self, blocks: &[Vec<Statement>], is_complete: bool, is_tail: bool) -> bool {
        let before = self.fork();
        let mut after: Vec<Variables> = Vec::new();
        for block in blocks {
            self.variables.clone_from(&before);
            self.spend(before.len());
            if self.block(block, is_tail) {
                after.push(std::mem::take(&mut self.variables));
            }
        }
        if !is_complete || blocks.is_empty() {
            after.push(before);
        }
        let is_reached = !after.is_empty();
        self.variables = after.pop().unwrap_or_default();
        for variables in after {
            self.join(variables);
        }
        is_reached
    }

    /// A handler may begin with the state before or after the body.
    fn try_statement(&mut self, body: &[Statement], handlers: &[Vec<Statement>], is_tail: bool) -> bool {
        let before = self.fork();
        let is_reached = self.block(body, is_tail);
        let after = is_reached.then(|| self.fork());
        self.join(before);
        let is_handled = self.branches(handlers, true, is_tail);
        match (after, is_handled) {
            (Some(after), true) => self.join(after),
            (Some(after), false) => self.variables = after,
            (None, _) => {}
        }
        is_reached || is_handled
    }

    /// The value of a statement: of an assignment, or the value that a pipeline or block leaves.
    pub fn statement_value(&mut self, statement: &Statement) -> Value {
        match &statement.kind {
            StatementKind::Assign { target, is_added, value } => {
                let source = source(value);
                let value = self.statement_value(value);
                self.assign(target, &value, *is_added);
                self.alias(target, source.filter(|_| value.class == Class::Table && !is_added));
                value
            }
            StatementKind::Pipeline(elements) => self.pipeline_value(elements),
            _ => self
                .collect(|analysis| {
                    analysis.block(std::slice::from_ref(statement), true);
                })
                .value(),
        }
    }

    /// `return` and its value.
    fn returned(&mut self, statement: &Statement) {
        let value = self.statement_value(statement);
        let is_ignored = self.left.is_none();
        let returned = &mut self.returned;
        // In a script block, `return` leaves that.
        if is_ignored {
            return;
        }
        emit(returned, statement.at, &value);
    }

    /// A pipeline whose value is left.
    fn pipeline(&mut self, elements: &[Element], is_tail: bool) {
        let Some(last) = elements.last() else { return };
        let value = self.pipeline_value(elements);
        let Some(left) = self.left.as_mut().filter(|_| !last.is_redirected) else { return };
        match super::emitted::kind(elements) {
            super::emitted::Emitted::Value => emit_left(left, last.at, &value),
            super::emitted::Emitted::Written => emit(left, last.at, &value),
            super::emitted::Emitted::Command if value.class == Class::Table => emit(left, last.at, &value),
            super::emitted::Emitted::Command => {
                if is_tail {
                    left.last_commands.push(last.at);
                }
            }
            super::emitted::Emitted::Nothing => {}
        }
    }

    fn assign(&mut self, target: &Expr, value: &Value, is_added: bool) {
        match &target.kind {
            ExprKind::Variable(name) => {
                self.spend(value.size());
                let assigned = if is_added {
                    // Without a value it is `$null`.
                    let mut known = self.variables.remove(name).unwrap_or(Value::NOTHING);
                    self.join_values(&mut known, value);
                    known
                } else {
                    value.clone()
                };
                self.variables.insert(name.clone(), assigned);
            }
            ExprKind::Cast(_, target) => self.assign(target, value, is_added),
            ExprKind::List(targets) => {
                for target in targets {
                    self.assign(target, &Value::UNKNOWN, false);
                }
            }
            ExprKind::Access(base, steps) => {
                let ExprKind::Variable(name) = &base.kind else { return };
                match steps.as_slice() {
                    [Step::Member(key, at)] => self.set_key(name, key.as_deref(), *at),
                    [Step::Index(index)] => match &index.kind {
                        ExprKind::Text(key) => self.set_key(name, Some(key), index.at),
                        // The place in a list.
                        ExprKind::Number(_) => {}
                        _ => self.set_key(name, None, index.at),
                    },
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// A variable now holds the table of another one, or one of its own.
    fn alias(&mut self, target: &Expr, source: Option<&str>) {
        let ExprKind::Variable(name) = &target.kind else { return };
        self.aliases.separate(name);
        if let Some(source) = source.filter(|source| source != name) {
            self.aliases.join(name, source);
        }
    }

    /// A variable gets a key, which is computed if it is `None`, and so does each that holds the same table.
    pub fn set_key(&mut self, variable: &str, key: Option<&str>, at: usize) {
        for holder in self.aliases.of(variable) {
            if self.is_exhausted() {
                return;
            }
            self.set_own_key(&holder, key, at);
        }
    }

    fn set_own_key(&mut self, variable: &str, key: Option<&str>, at: usize) {
        let value = self.variables.entry(variable.to_owned()).or_insert(Value::UNKNOWN);
        match key {
            Some(key) => value.add_key(at, key),
            None if !value.computed.contains(&at) => value.computed.push(at),
            None => {}
        }
        // A key is copied, too.
        let cost = 4 + value.size() / 16;
        self.spend(cost);
    }
}

/// The variable whose value is assigned to another one: `$b`, also in `$a = $b = @{}`.
fn source(value: &Statement) -> Option<&str> {
    let expr = match &value.kind {
        StatementKind::Pipeline(elements) => match elements.as_slice() {
            [Element { kind: ElementKind::Expr(expr), .. }] => expr,
            _ => return None,
        },
        StatementKind::Assign { target, .. } => target,
        _ => return None,
    };
    match &expr.kind {
        ExprKind::Variable(name) => Some(name),
        _ => None,
    }
}

/// A value that is returned: a value that is not a table may have any keys.
fn emit(left: &mut Left, at: usize, value: &Value) {
    left.add(value);
    if matches!(value.class, Class::Unknown | Class::Scalar) {
        left.open.push((at, UNKNOWN_VALUE));
    }
}

/// A value that stands as a statement; strings and numbers are not outputs.
fn emit_left(left: &mut Left, at: usize, value: &Value) {
    left.add(value);
    match value.class {
        Class::Unknown => left.open.push((at, UNKNOWN_VALUE)),
        Class::Scalar => left.has_scalar = true,
        Class::Table | Class::Nothing => {}
    }
}
