//! Evaluates expressions and commands, with their side effects.

use super::tables::{Class, Held, KeyName, Value};
use super::{Analysis, Piece, WRITERS};
use crate::powershell::syntax::{
    Bound, Command, Element, ElementKind, Entry, Expr, ExprKind, Operator, Step, command_name,
};
use crate::powershell::types::{is_table, value_type};

/// Verbs of commands that take tables as settings, and return something else.
const ACTIONS: [&str; 30] = [
    "clear", "connect", "convertfrom", "disable", "disconnect", "enable", "export", "find", "foreach", "get", "import",
    "install", "invoke", "measure", "out", "publish", "register", "remove", "restart", "search", "send", "set",
    "start", "stop", "test", "unregister", "wait", "where", "write", "group",
];
/// Commands that return text.
const TEXT: [&str; 6] =
    ["convertto-json", "convertto-csv", "convertto-xml", "convertto-html", "convertto-securestring", "format-table"];

impl Analysis {
    pub fn pipeline_value(&mut self, elements: &[Element]) -> Value {
        let mut value = Value::NOTHING;
        let mut source = None;
        for element in elements {
            match &element.kind {
                ElementKind::Expr(expr) => {
                    value = self.value(expr);
                    source = Some(expr);
                }
                ElementKind::Command(command) => {
                    if let Some(Piece::KeyOf(table)) = source.and_then(|source| self.pieces(source).pop()) {
                        self.assign_text("_", vec![Piece::KeyOf(table)]);
                    }
                    // An argument may be a script block, which may run.
                    let arguments = command.arguments.iter().filter_map(|argument| argument.value.as_ref());
                    let passed: Vec<Value> = arguments.map(|argument| self.value(argument)).collect();
                    let bound = Bound::new(command);
                    let name = command_name(command);
                    value = match name.as_str() {
                        "new-object" => self.new_object(&bound),
                        "add-member" => self.add_member(&bound, source, value),
                        "out-null" => Value::NOTHING,
                        name if WRITERS.contains(&name) => self.written(&bound, value),
                        name => self.helped(command, name, value, &passed),
                    };
                }
            }
        }
        value
    }

    /// What a command makes of the tables that it gets: with the prefix among its arguments, it places that before each
    /// key. One that may be a helper keeps the keys, perhaps with others.
    fn helped(&mut self, command: &Command, name: &str, piped: Value, passed: &[Value]) -> Value {
        let arguments: Vec<&Expr> = command.arguments.iter().filter_map(|argument| argument.value.as_ref()).collect();
        let splatted: Vec<Held> = arguments.iter().flat_map(|argument| self.splatted(argument)).collect();
        let is_prefixed =
            splatted.iter().any(|held| held.is_prefix) || arguments.iter().any(|argument| self.is_prefix(argument));
        let verb = name.split('-').next().unwrap_or_default();
        let is_helper = is_prefixed || name.contains('-') && !ACTIONS.contains(&verb) && !TEXT.contains(&name);
        let splatted = splatted.iter().map(|held| held.value);
        let given: Vec<Value> = std::iter::once(piped).chain(passed.iter().copied()).chain(splatted).collect();
        let tables: Vec<usize> = given.iter().filter_map(|value| value.table).filter(|_| is_helper).collect();
        let is_known = !tables.is_empty() && given.iter().all(|value| value.table.is_none() || !value.is_open());
        let class = match (is_prefixed, is_known) {
            (true, true) => Class::Table,
            (true, false) => Class::Prefixed,
            (false, _) => Class::Unknown,
        };
        Value { class, table: (!tables.is_empty()).then(|| self.tables.copy(&tables, is_prefixed)) }
    }

    /// The arguments that `@name` stands for.
    fn splatted(&mut self, argument: &Expr) -> Vec<Held> {
        match &argument.kind {
            ExprKind::Splat(name) if name == "psboundparameters" => {
                vec![Held { value: Value::UNKNOWN, is_prefix: self.has_prefix }]
            }
            ExprKind::Splat(name) => {
                let table = self.variables.get(name).and_then(|value| value.table);
                table.map(|table| self.tables.held(table)).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    fn written(&mut self, bound: &Bound<'_>, piped: Value) -> Value {
        let arguments = bound.named("inputobject").into_iter().chain(bound.positional.iter().copied());
        let values: Vec<Value> = arguments.map(|argument| self.value(argument)).collect();
        values.into_iter().reduce(|one, other| self.tables.join(one, other)).unwrap_or(piped)
    }

    /// Evaluates an expression, with its side effects.
    pub fn value(&mut self, expr: &Expr) -> Value {
        match &expr.kind {
            ExprKind::Variable(name) => match name.as_str() {
                "null" => Value::NOTHING,
                "true" | "false" => Value::SCALAR,
                name => self.variables.get(name).copied().unwrap_or(Value::UNKNOWN),
            },
            ExprKind::Text(_)
            | ExprKind::Expandable(_)
            | ExprKind::Splat(_)
            | ExprKind::Number(_)
            | ExprKind::Type(_) => Value::SCALAR,
            ExprKind::Hash(entries) => self.table(entries),
            ExprKind::Paren(inner) => self.statement_value(inner),
            // What the statements leave; an empty list, to which tables may be added.
            ExprKind::Statements(statements) => match statements.as_slice() {
                [one] => self.statement_value(one),
                statements => self.left_by(statements),
            },
            // A script block may run, now or later.
            ExprKind::ScriptBlock(block) => {
                self.conditions += 1;
                self.quietly(|analysis| analysis.block(&block.body, false));
                self.conditions -= 1;
                Value::SCALAR
            }
            ExprKind::Cast(name, operand) => {
                let value = self.value(operand);
                match value_type(name) {
                    _ if is_table(name) => value,
                    _ if matches!(name.to_ascii_lowercase().as_str(), "void" | "system.void") => Value::NOTHING,
                    Some(_) => Value::SCALAR,
                    // The value of a class has members that are not known here.
                    None => Value::UNKNOWN,
                }
            }
            ExprKind::Negative(operand) | ExprKind::Unary(operand) => {
                self.value(operand);
                Value::SCALAR
            }
            ExprKind::List(items) => {
                for item in items {
                    self.value(item);
                }
                Value::UNKNOWN
            }
            ExprKind::Operation { operands, operator } => {
                let mut sum = Value::NOTHING;
                for operand in operands {
                    let value = self.value(operand);
                    let is_sum = *operator == Some(Operator::Sum);
                    sum = if is_sum { self.tables.join(sum, value) } else { Value::SCALAR };
                }
                sum
            }
            ExprKind::Access(base, steps) => self.access(base, steps),
        }
    }

    fn table(&mut self, entries: &[Entry]) -> Value {
        let table = self.tables.create();
        for entry in entries {
            let value = self.statement_value(&entry.value);
            let is_prefix = self.pieces_of_statement(&entry.value) == [Piece::Prefix];
            self.tables.hold(table, Held { value, is_prefix });
            self.tables.add_key(table, self.key(&entry.key), entry.key.at);
        }
        Value { class: Class::Table, table: Some(table) }
    }

    fn access(&mut self, base: &Expr, steps: &[Step]) -> Value {
        let mut passed = Vec::new();
        for step in steps {
            match step {
                Step::Call(arguments) => passed = arguments.iter().map(|argument| self.value(argument)).collect(),
                Step::Index(index) => {
                    self.value(index);
                }
                Step::Member(_) | Step::Change => {}
            }
        }
        match (&base.kind, steps) {
            (
                ExprKind::Variable(name),
                [Step::Member(Expr { at, kind: ExprKind::Text(method) }), Step::Call(arguments)],
            ) => {
                match (method.to_ascii_lowercase().as_str(), arguments.as_slice()) {
                    // A list has `Add` with one argument.
                    ("add", [key, held]) => {
                        let at = if self.key(key).name == KeyName::Computed { *at } else { key.at };
                        self.set_key(name, self.key(key), at);
                        let value = passed.pop().unwrap_or_default();
                        self.hold(name, Held { value, is_prefix: self.is_prefix(held) });
                        Value::NOTHING
                    }
                    ("clone", []) => self.value(base),
                    _ => Value::UNKNOWN,
                }
            }
            (ExprKind::Variable(name), [Step::Member(key), Step::Change]) => {
                self.set_key(name, self.key(key), key.at);
                Value::NOTHING
            }
            (
                ExprKind::Type(name),
                [Step::Member(Expr { kind: ExprKind::Text(method), .. }), Step::Call(arguments)],
            ) if is_table(name) && method.eq_ignore_ascii_case("new") && arguments.is_empty() => self.table(&[]),
            // `$count++`
            (_, [.., Step::Change]) => Value::NOTHING,
            (ExprKind::Variable(_) | ExprKind::Type(_), _) => Value::UNKNOWN,
            _ => {
                self.value(base);
                Value::UNKNOWN
            }
        }
    }

    /// `Add-Member`, on a variable or on what is piped to it.
    fn add_member(&mut self, bound: &Bound<'_>, source: Option<&Expr>, piped: Value) -> Value {
        let target = bound.named("inputobject").or(source).map(|target| &target.kind);
        if let Some(members) = bound.named("notepropertymembers") {
            let members = self.value(members);
            if let Some(ExprKind::Variable(variable)) = target {
                self.assign_value(variable, members, true);
            }
            return self.tables.join(piped, members);
        }
        let is_type = |value: &&Expr| matches!(&value.kind, ExprKind::Text(text) if text.ends_with("Property"));
        let positional = bound.positional.iter().copied().find(|value| !is_type(value));
        let name = bound.named("name").or_else(|| bound.named("notepropertyname")).or(positional);
        let Some(name) = name else { return piped };
        let key = self.key(name);
        match target {
            Some(ExprKind::Variable(variable)) => self.set_key(variable, key, name.at),
            _ => {
                if let Some(table) = piped.table {
                    self.tables.add_key(table, key, name.at);
                }
            }
        }
        piped
    }

    /// `New-Object psobject -Property @{…}`
    fn new_object(&mut self, bound: &Bound<'_>) -> Value {
        let written = bound.named("typename").or_else(|| bound.positional.first().copied());
        let is_table = written.is_some_and(|written| matches!(&written.kind, ExprKind::Text(name) if is_table(name)));
        match bound.named("property") {
            _ if !is_table => Value::UNKNOWN,
            Some(property) => self.value(property),
            None if bound.positional.len() > 1 || bound.named("argumentlist").is_some() => Value::UNKNOWN,
            None => self.table(&[]),
        }
    }
}
