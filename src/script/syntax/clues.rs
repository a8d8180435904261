//! Clues for sample values: what a script compares its inputs with, by what it splits them, and which keys it
//! reads from them.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument, ArrayExpressionElement, BinaryExpression, CallExpression, Expression, ObjectPropertyKind, RegExpLiteral,
    SwitchStatement,
};

use super::input_keys::{InputKey, Shape, input_keys, root_shape};
use super::members;
use super::pattern_sample::{PatternSample, sample};
use super::tree::{Tree, Write};
use crate::collections::HashSet;

/// What a script expects of the values that it gets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Clues {
    pub comparisons: Vec<Comparison>,
    /// The globals whose truthiness decides what it does.
    pub truthy: Vec<String>,
    /// What its regular expressions are tested on, and strings that they match.
    pub matching: Vec<Matching>,
    /// The strings by which it splits others.
    pub separators: Vec<String>,
    /// The keys that it reads.
    pub keys: Vec<InputKey>,
    /// What it expects `JSON.parse` to return; `None` if it never calls it.
    pub parsed: Option<Shape>,
}

impl Clues {
    pub(super) const NONE: Self = Self {
        comparisons: Vec::new(),
        truthy: Vec::new(),
        matching: Vec::new(),
        separators: Vec::new(),
        keys: Vec::new(),
        parsed: None,
    };
}

/// A comparison of an input with a constant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Comparison {
    pub input: Input,
    /// A number as it is written.
    pub constant: String,
}

/// A test of an input by a regular expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matching {
    pub input: Input,
    pub sample: PatternSample,
}

/// What a script compares.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Input {
    /// A global variable.
    Global(String),
    /// The value of a key, or of a variable that may stand for one.
    Key(String),
    Unknown,
}

/// A value is followed through this many expressions.
const MAX_DEPTH: usize = 8;

/// Comparisons that are collected: a key of any of many objects may be compared with all keys of each.
const MAX_COMPARISONS: usize = 100_000;

/// More clues of a kind do not help.
const MAX_CLUES: usize = 64;

pub(super) fn collect(tree: &Tree<'_, '_>) -> Clues {
    let mut clues = Collector { tree, found: Clues::default() };
    for node in tree.semantic.nodes().iter() {
        clues.node(node.kind());
    }
    let mut found = clues.found;
    found.parsed = root_shape(tree);
    found.keys = input_keys(tree);
    found.comparisons.sort_unstable();
    found.comparisons.dedup();
    found.comparisons.truncate(MAX_CLUES);
    found.truthy.sort_unstable();
    found.truthy.dedup();
    found.truthy.truncate(MAX_CLUES);
    found.separators.sort_unstable();
    found.separators.dedup();
    found.keys.truncate(MAX_CLUES);
    let tested = found.matching.iter().filter(|found| found.input != Input::Unknown);
    let tested: HashSet<PatternSample> = tested.map(|found| found.sample.clone()).collect();
    found.matching.retain(|found| found.input != Input::Unknown || !tested.contains(&found.sample));
    found.matching.truncate(MAX_CLUES);
    found
}

struct Collector<'c, 't, 'a> {
    tree: &'c Tree<'t, 'a>,
    found: Clues,
}

impl<'t, 'a: 't> Collector<'_, 't, 'a> {
    fn node(&mut self, kind: AstKind<'a>) {
        match kind {
            AstKind::BinaryExpression(binary) => self.binary(binary),
            AstKind::SwitchStatement(switch) => self.switch(switch),
            AstKind::CallExpression(call) => self.call(call),
            AstKind::RegExpLiteral(literal) => self.matching(literal, Input::Unknown),
            AstKind::IfStatement(branch) => self.truthiness(&branch.test),
            AstKind::ConditionalExpression(either) => self.truthiness(&either.test),
            AstKind::WhileStatement(repeat) => self.truthiness(&repeat.test),
            AstKind::LogicalExpression(logical) if !logical.operator.is_coalesce() => self.truthiness(&logical.left),
            AstKind::UnaryExpression(unary) if unary.operator.is_not() => self.truthiness(&unary.argument),
            AstKind::ComputedMemberExpression(member) => {
                let keys = self.object_keys(&member.object, MAX_DEPTH);
                let input = self.input(&member.expression, MAX_DEPTH);
                for key in keys {
                    self.compare(&input, key);
                }
            }
            _ => {}
        }
    }

    fn compare(&mut self, input: &Input, constant: String) {
        if self.found.comparisons.len() == MAX_COMPARISONS {
            return;
        }
        self.found.comparisons.push(Comparison { input: input.clone(), constant });
    }

    fn binary(&mut self, binary: &BinaryExpression<'a>) {
        if !binary.operator.is_equality() && !binary.operator.is_compare() {
            return;
        }
        let (other, constant) = match (constant(&binary.left), constant(&binary.right)) {
            (None, Some(found)) => (&binary.left, found),
            (Some(found), None) => (&binary.right, found),
            _ => return,
        };
        let input = self.input(other, MAX_DEPTH);
        match constant {
            Constant::Text(text) => self.compare(&input, text),
            Constant::Number(number) => {
                for number in [number - 1.0, number, number + 1.0] {
                    self.compare(&input, number.to_string());
                }
                // The length of a string, compared with 0.
                if number == 0.0 {
                    self.compare(&input, String::new());
                }
            }
        }
    }

    /// A test of an expression by itself: of a string, or of its length.
    fn truthiness(&mut self, expression: &Expression<'a>) {
        let is_string = match expression.without_parentheses() {
            Expression::Identifier(_) => true,
            Expression::StaticMemberExpression(member) => member.property.name == "length",
            Expression::CallExpression(call) => call.callee_name() == Some("trim"),
            // The right operand decides, too.
            Expression::LogicalExpression(logical) => return self.truthiness(&logical.right),
            _ => false,
        };
        if let Input::Global(name) = self.input(expression, MAX_DEPTH)
            && is_string
        {
            self.found.truthy.push(name);
        }
    }

    fn switch(&mut self, switch: &SwitchStatement<'a>) {
        let input = self.input(&switch.discriminant, MAX_DEPTH);
        for test in switch.cases.iter().filter_map(|case| case.test.as_ref()) {
            if let Some(constant) = constant(test) {
                self.compare(&input, constant.into_text());
            }
        }
    }

    fn call(&mut self, call: &CallExpression<'a>) {
        let Expression::StaticMemberExpression(member) = call.callee.without_parentheses() else { return };
        let Some(first) = call.arguments.first().and_then(Argument::as_expression) else { return };
        let name = member.property.name.as_str();
        if let Some(pattern) = self.pattern(&member.object).filter(|_| matches!(name, "test" | "exec")) {
            self.matching(pattern, self.input(first, MAX_DEPTH));
        } else if let Some(pattern) = self.pattern(first).filter(|_| matches!(name, "match" | "search" | "matchAll")) {
            self.matching(pattern, self.input(&member.object, MAX_DEPTH));
        }
        if matches!(name, "includes" | "indexOf" | "has" | "startsWith" | "endsWith") {
            let listed = self.elements(&member.object, MAX_DEPTH);
            if listed.is_empty() {
                let input = self.input(&member.object, MAX_DEPTH);
                if let Some(constant) = constant(first) {
                    self.compare(&input, constant.into_text());
                }
            } else {
                let input = self.input(first, MAX_DEPTH);
                for constant in listed {
                    self.compare(&input, constant);
                }
            }
        }
        if matches!(name, "split" | "indexOf" | "includes" | "lastIndexOf") {
            self.separators(first);
        }
    }

    fn matching(&mut self, pattern: &RegExpLiteral<'a>, input: Input) {
        let sample = pattern.regex.pattern.pattern.as_ref().and_then(|pattern| sample(pattern));
        self.found.matching.extend(sample.map(|sample| Matching { input, sample }));
    }

    /// A regular expression, or that of a variable that holds one.
    fn pattern<'e>(&self, expression: &'e Expression<'a>) -> Option<&'e RegExpLiteral<'a>>
    where
        't: 'e,
    {
        match expression.without_parentheses() {
            Expression::RegExpLiteral(literal) => Some(literal),
            Expression::Identifier(name) => match self.only_value(name)? {
                Expression::RegExpLiteral(literal) => Some(literal),
                _ => None,
            },
            _ => None,
        }
    }

    fn separators(&mut self, by: &Expression<'a>) {
        match by.without_parentheses() {
            Expression::StringLiteral(literal) if !literal.value.is_empty() && literal.value.len() <= 8 => {
                self.found.separators.push(literal.value.to_string());
            }
            Expression::RegExpLiteral(literal) => {
                let pattern = literal.regex.pattern.text.as_str();
                let punctuation = [";", ",", "|", "/", ":", "\\n", "\\t", "\\s"];
                let found = punctuation.into_iter().filter(|mark| pattern.contains(mark)).map(|mark| match mark {
                    "\\n" => "\n",
                    "\\t" => "\t",
                    "\\s" => " ",
                    mark => mark,
                });
                self.found.separators.extend(found.map(str::to_owned));
            }
            _ => {}
        }
    }

    /// What an expression is computed from.
    fn input(&self, expression: &Expression<'a>, depth: usize) -> Input {
        let Some(depth) = depth.checked_sub(1) else { return Input::Unknown };
        match expression.without_parentheses() {
            Expression::Identifier(name) => match self.tree.symbol(name) {
                None => Input::Global(name.name.to_string()),
                Some(symbol) => match self.tree.writes(symbol).as_deref() {
                    Some([Write::Set(value), ..]) => self.input(value, depth),
                    _ => Input::Key(name.name.to_string()),
                },
            },
            Expression::StaticMemberExpression(member) => {
                let name = member.property.name.as_str();
                if members::is_built_in(name) { self.input(&member.object, depth) } else { Input::Key(name.to_owned()) }
            }
            Expression::ComputedMemberExpression(member) => match member.static_property_name() {
                Some(name) => Input::Key(name.to_string()),
                None => Input::Unknown,
            },
            Expression::CallExpression(call) => match call.callee.without_parentheses() {
                Expression::StaticMemberExpression(member) if members::is_built_in(member.property.name.as_str()) => {
                    self.input(&member.object, depth)
                }
                _ => match call.arguments.first().and_then(Argument::as_expression) {
                    Some(first) => self.input(first, depth),
                    None => Input::Unknown,
                },
            },
            Expression::UnaryExpression(unary) => self.input(&unary.argument, depth),
            Expression::LogicalExpression(logical) => self.input(&logical.left, depth),
            Expression::ChainExpression(chain) => match chain.expression.as_member_expression() {
                Some(member) => match member.static_property_name() {
                    Some(name) if !members::is_built_in(name) => Input::Key(name.to_owned()),
                    _ => self.input(member.object(), depth),
                },
                None => Input::Unknown,
            },
            _ => Input::Unknown,
        }
    }

    /// The strings of an array literal, or of a variable that holds one.
    fn elements(&self, list: &Expression<'a>, depth: usize) -> Vec<String> {
        let Some(depth) = depth.checked_sub(1) else { return Vec::new() };
        match list.without_parentheses() {
            Expression::ArrayExpression(array) => {
                let elements = array.elements.iter().filter_map(ArrayExpressionElement::as_expression);
                elements.filter_map(constant).map(Constant::into_text).collect()
            }
            Expression::Identifier(name) => {
                let value = self.only_value(name);
                value.map_or_else(Vec::new, |value| self.elements(value, depth))
            }
            Expression::NewExpression(new) => {
                let first = new.arguments.first().and_then(Argument::as_expression);
                first.map_or_else(Vec::new, |first| self.elements(first, depth))
            }
            _ => Vec::new(),
        }
    }

    /// The keys of an object literal, or of a variable that holds one.
    fn object_keys(&self, object: &Expression<'a>, depth: usize) -> Vec<String> {
        let Some(depth) = depth.checked_sub(1) else { return Vec::new() };
        match object.without_parentheses() {
            Expression::ObjectExpression(object) => {
                let properties = object.properties.iter().filter_map(|property| match property {
                    ObjectPropertyKind::ObjectProperty(property) => property.key.static_name(),
                    ObjectPropertyKind::SpreadProperty(_) => None,
                });
                properties.map(std::borrow::Cow::into_owned).collect()
            }
            Expression::Identifier(name) => {
                let value = self.only_value(name);
                value.map_or_else(Vec::new, |value| self.object_keys(value, depth))
            }
            _ => Vec::new(),
        }
    }

    /// The value that a variable is declared with, if nothing else is assigned to it.
    fn only_value(&self, name: &oxc_ast::ast::IdentifierReference<'a>) -> Option<&'t Expression<'a>> {
        match *self.tree.writes(self.tree.symbol(name)?)? {
            [Write::Set(value)] => Some(value),
            _ => None,
        }
    }
}

enum Constant {
    Text(String),
    Number(f64),
}

impl Constant {
    fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Number(number) => number.to_string(),
        }
    }
}

fn constant(expression: &Expression<'_>) -> Option<Constant> {
    match expression.without_parentheses() {
        Expression::StringLiteral(literal) => Some(Constant::Text(literal.value.to_string())),
        Expression::TemplateLiteral(template) => template.single_quasi().map(|text| Constant::Text(text.to_string())),
        Expression::NumericLiteral(literal) => Some(Constant::Number(literal.value)),
        Expression::BooleanLiteral(literal) => Some(Constant::Text(literal.value.to_string())),
        _ => None,
    }
}
