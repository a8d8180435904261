//! Evaluates expressions, with their side effects.

use super::analysis::Analysis;
use super::bound::{Bound, command_name};
use super::emitted::WRITERS;
use super::value::{Class, Value};
use crate::powershell::syntax::{Block, Element, ElementKind, Entry, Expr, ExprKind, Statement, Step};
use crate::powershell::types::{is_table, value_type};

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
                    for argument in &command.arguments {
                        if let Some(argument) = &argument.value {
                            self.argument(argument);
                        }
                    }
                    let bound = Bound::new(command);
                    let name = command_name(command);
                    value = match name.as_str() {
                        "new-object" => self.new_object(&bound),
                        "add-member" => self.add_member(&bound, source, value),
                        "out-null" => Value::NOTHING,
                        name if WRITERS.contains(&name) => self.written(&bound, value),
                        _ => Value::UNKNOWN,
                    };
                }
            }
        }
        value
    }

    fn written(&mut self, bound: &Bound<'_>, piped: Value) -> Value {
        let arguments: Vec<&Expr> =
            bound.named("inputobject").into_iter().chain(bound.positional.iter().copied()).collect();
        if arguments.is_empty() {
            return piped;
        }
        let mut written = Value::NOTHING;
        for argument in arguments {
            let value = self.value(argument);
            self.join_values(&mut written, &value);
        }
        written
    }

    /// An argument may be a script block, which may run.
    fn argument(&mut self, argument: &Expr) {
        match &argument.kind {
            ExprKind::Text(_) | ExprKind::Number(_) | ExprKind::Expandable => {}
            _ => {
                self.value(argument);
            }
        }
    }

    /// Evaluates an expression, with its side effects.
    pub fn value(&mut self, expr: &Expr) -> Value {
        match &expr.kind {
            ExprKind::Variable(name) => match name.as_str() {
                "null" => Value::NOTHING,
                "true" | "false" => Value::SCALAR,
                name => {
                    let value = self.variables.get(name).cloned().unwrap_or(Value::UNKNOWN);
                    if self.spend(value.size()) { value } else { Value::UNKNOWN }
                }
            },
            ExprKind::Text(_) | ExprKind::Expandable | ExprKind::Number(_) | ExprKind::Type(_) => Value::SCALAR,
            ExprKind::Hash(entries) => self.table(entries),
            ExprKind::Paren(inner) => self.statement_value(inner),
            ExprKind::Array(statements) | ExprKind::Sub(statements) => self.items(statements),
            ExprKind::ScriptBlock(block) => self.script_block(block),
            ExprKind::Cast(name, operand) => {
                let value = self.value(operand);
                cast(name, value)
            }
            ExprKind::UnaryComma(operand) => self.value(operand),
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
            ExprKind::Operation { operands, is_sum } => {
                let mut sum = Value::NOTHING;
                for operand in operands {
                    let value = self.value(operand);
                    self.join_values(&mut sum, &value);
                }
                if *is_sum { sum } else { Value::SCALAR }
            }
            ExprKind::Access(base, steps) => self.access(base, steps),
            ExprKind::Splat => Value::UNKNOWN,
        }
    }

    fn table(&mut self, entries: &[Entry]) -> Value {
        let mut table = Value::of(Class::Table);
        for entry in entries {
            self.statement_value(&entry.value);
            if !self.spend(1 + table.keys.len() / 16) {
                break;
            }
            match &entry.key {
                Some(key) => table.add_key(entry.at, key),
                None => table.computed.push(entry.at),
            }
        }
        table
    }

    /// `@(…)` and `$(…)`: what the statements leave; an empty list, to which tables may be added.
    fn items(&mut self, statements: &[Statement]) -> Value {
        match statements {
            [] => Value::NOTHING,
            [one] => self.statement_value(one),
            several => self
                .collect(|analysis| {
                    analysis.block(several, true);
                })
                .value(),
        }
    }

    /// A script block may run, now or later.
    fn script_block(&mut self, block: &Block) -> Value {
        let before = self.fork();
        self.quietly(|analysis| {
            analysis.block(&block.body, false);
        });
        self.join(before);
        Value::SCALAR
    }

    fn access(&mut self, base: &Expr, steps: &[Step]) -> Value {
        for step in steps {
            match step {
                Step::Call(arguments) => {
                    for argument in arguments {
                        self.value(argument);
                    }
                }
                Step::Index(index) => {
                    self.value(index);
                }
                Step::Member(..) | Step::Change => {}
            }
        }
        match (&base.kind, steps) {
            (ExprKind::Variable(name), [Step::Member(Some(method), at), Step::Call(arguments)]) => {
                self.method(name, method, *at, arguments)
            }
            (ExprKind::Variable(name), [Step::Member(key, at), Step::Change]) => {
                self.set_key(name, key.as_deref(), *at);
                Value::NOTHING
            }
            (ExprKind::Variable(name), [Step::Member(Some(member), at), rest @ ..])
                if member.eq_ignore_ascii_case("psobject") && matches!(rest.last(), Some(Step::Call(_))) =>
            {
                self.set_key(name, None, *at);
                Value::NOTHING
            }
            (ExprKind::Type(name), [Step::Member(Some(method), _), Step::Call(arguments)]) if is_table(name) => {
                match method.to_ascii_lowercase().as_str() {
                    "new" if arguments.is_empty() => Value::of(Class::Table),
                    "new" | "synchronized" => arguments.first().map_or(Value::UNKNOWN, |table| self.value(table)),
                    _ => Value::UNKNOWN,
                }
            }
            (ExprKind::Variable(_) | ExprKind::Type(_), _) => Value::UNKNOWN,
            _ => {
                self.value(base);
                Value::UNKNOWN
            }
        }
    }

    /// A method of a variable.
    fn method(&mut self, variable: &str, method: &str, at: usize, arguments: &[Expr]) -> Value {
        match (method.to_ascii_lowercase().as_str(), arguments) {
            // A list has `Add` with one argument.
            ("add" | "set_item", [key, _]) => {
                match &key.kind {
                    ExprKind::Text(text) | ExprKind::Number(text) => self.set_key(variable, Some(text), key.at),
                    _ => self.set_key(variable, None, at),
                }
                Value::NOTHING
            }
            ("clone", []) => self.variables.get(variable).cloned().unwrap_or(Value::UNKNOWN),
            ("writeobject", [value, ..]) if variable == "pscmdlet" => self.value(value),
            _ => Value::UNKNOWN,
        }
    }

    /// `New-Object psobject -Property @{…}`
    fn new_object(&mut self, bound: &Bound<'_>) -> Value {
        let written = bound.named("typename").or_else(|| bound.positional.first().copied());
        let is_table = written.is_some_and(|written| matches!(&written.kind, ExprKind::Text(name) if is_table(name)));
        if !is_table {
            return Value::UNKNOWN;
        }
        match bound.named("property") {
            Some(property) => self.value(property),
            None if bound.positional.len() > 1 || bound.named("argumentlist").is_some() => Value::UNKNOWN,
            None => Value::of(Class::Table),
        }
    }

    /// `Add-Member`, on a variable or on what is piped to it.
    fn add_member(&mut self, bound: &Bound<'_>, source: Option<&Expr>, mut piped: Value) -> Value {
        let target = bound.named("inputobject").or(source);
        if let Some(members) = bound.named("notepropertymembers") {
            let members = self.value(members);
            piped.join(&members);
            if let Some(ExprKind::Variable(name)) = target.map(|target| &target.kind) {
                self.variables.entry(name.clone()).or_insert(Value::UNKNOWN).join(&members);
            }
            return piped;
        }
        let mut positional = bound.positional.iter().copied();
        let mut first = positional.next();
        let is_type = |value: &Expr| matches!(&value.kind, ExprKind::Text(text) if text.to_ascii_lowercase().ends_with("property"));
        if bound.named("membertype").is_none() && first.is_some_and(is_type) {
            first = positional.next();
        }
        let Some(key) = bound.named("name").or_else(|| bound.named("notepropertyname")).or(first) else { return piped };
        let text = match &key.kind {
            ExprKind::Text(text) => Some(text.as_str()),
            _ => None,
        };
        if let Some(ExprKind::Variable(name)) = target.map(|target| &target.kind) {
            self.set_key(name, text, key.at);
        }
        match text {
            Some(text) => piped.add_key(key.at, text),
            None => piped.computed.push(key.at),
        }
        piped
    }
}

fn cast(name: &str, value: Value) -> Value {
    if is_table(name) {
        return value;
    }
    // The value of a class has members that are not known here.
    if value_type(name).is_some() || name.eq_ignore_ascii_case("void") { Value::SCALAR } else { Value::UNKNOWN }
}
