//! Hints for sample values: what a script compares its inputs with, by what it splits them, and which keys it
//! reads from them.

use oxc_ast::AstKind;
use oxc_ast::ast::{Argument, ArrayExpressionElement, BinaryExpression, CallExpression, Expression, SwitchStatement};
use oxc_syntax::operator::{BinaryOperator, UnaryOperator};

use super::built_ins;
use super::input_keys::{InputKey, Shape, input_keys, root_shape};
use super::tree::Tree;
use super::value_sources::{Constant, Input, MAX_DEPTH, Values, constant, text_of_length};
use crate::common::collections::HashSet;
use crate::script::pattern::pattern_samples;

/// The expectations of a script for its values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InputHints {
    pub comparisons: Vec<Comparison>,
    /// The globals whose truthiness decides what it does.
    pub truthy: Vec<String>,
    /// What its regular expressions are tested on, and strings that they match.
    pub matching: Vec<Matching>,
    /// The names of globals and keys that it reads as dates or as numbers.
    pub read_as: Vec<(String, ReadAs)>,
    /// The strings by which it splits others.
    pub separators: Vec<String>,
    /// Lengths that it compares others with.
    pub lengths: Vec<usize>,
    /// The keys that it reads.
    pub keys: Vec<InputKey>,
    /// What it expects `JSON.parse` to return; `None` if it never calls it.
    pub parsed: Option<Shape>,
    /// Whether it does more than put its inputs into literals and strings: what it does may depend on their values.
    pub computes: bool,
}

/// How a script reads a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReadAs {
    /// `new Date(text)`
    Date,
    /// `Number(text)`
    Number,
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
    /// Strings that the expression is likely to match.
    pub samples: Vec<String>,
}

/// Comparisons that are collected: a key of any of many objects may be compared with all keys of each.
const MAX_COMPARISONS: usize = 100_000;

/// Comparisons with what is not known, for which the whole script is searched for values.
const MAX_SEARCHES: usize = 16;

/// Dates before and after most others.
const PAST: &str = "2001-02-03";
const FUTURE: &str = "2099-06-07";

/// More hints of a kind do not help.
const MAX_HINTS: usize = 64;

/// Regular expressions for which strings are made, how many for each, and their bytes.
const MAX_PATTERNS: usize = 16;
const MAX_SAMPLES: usize = 2;
const MAX_SAMPLE: usize = 100;

pub(super) fn collect(tree: &Tree<'_, '_>) -> InputHints {
    let mut hints = Collector { values: Values { tree }, found: InputHints::default(), searches: 0 };
    for node in tree.semantic.nodes().iter() {
        hints.node(node.kind());
    }
    let mut found = hints.found;
    found.computes = tree.semantic.nodes().iter().any(|node| computes(node.kind()));
    found.parsed = root_shape(tree);
    found.keys = input_keys(tree);
    found.comparisons.sort_unstable();
    found.comparisons.dedup();
    found.comparisons.truncate(MAX_HINTS);
    found.truthy.sort_unstable();
    found.truthy.dedup();
    found.truthy.truncate(MAX_HINTS);
    found.read_as.sort_unstable();
    found.read_as.dedup_by(|a, b| a.0 == b.0);
    found.read_as.truncate(MAX_HINTS);
    found.separators.sort_unstable();
    found.separators.dedup();
    found.lengths.sort_unstable();
    found.lengths.dedup();
    found.lengths.truncate(MAX_HINTS);
    found.keys.truncate(MAX_HINTS);
    let tested = found.matching.iter().filter(|found| found.input != Input::Unknown);
    let tested: HashSet<Vec<String>> = tested.map(|found| found.samples.clone()).collect();
    found.matching.retain(|found| found.input != Input::Unknown || !tested.contains(&found.samples));
    found
}

/// Whether a node is more than a literal, a name, an assignment, or a call of `JSON.stringify`.
fn computes(kind: AstKind<'_>) -> bool {
    match kind {
        AstKind::CallExpression(call) => call.callee_name() != Some("stringify"),
        AstKind::AssignmentExpression(assignment) => !assignment.operator.is_assign(),
        AstKind::BinaryExpression(binary) => binary.operator != BinaryOperator::Addition,
        AstKind::Program(_)
        | AstKind::Directive(_)
        | AstKind::ExpressionStatement(_)
        | AstKind::EmptyStatement(_)
        | AstKind::VariableDeclaration(_)
        | AstKind::VariableDeclarator(_)
        | AstKind::BindingIdentifier(_)
        | AstKind::IdentifierName(_)
        | AstKind::IdentifierReference(_)
        | AstKind::StaticMemberExpression(_)
        | AstKind::ParenthesizedExpression(_)
        | AstKind::ArrayExpression(_)
        | AstKind::ObjectExpression(_)
        | AstKind::ObjectProperty(_)
        | AstKind::TemplateLiteral(_)
        | AstKind::TemplateElement(_)
        | AstKind::StringLiteral(_)
        | AstKind::NumericLiteral(_)
        | AstKind::BooleanLiteral(_)
        | AstKind::NullLiteral(_) => false,
        _ => true,
    }
}

struct Collector<'c, 't, 'a> {
    values: Values<'c, 't, 'a>,
    found: InputHints,
    /// How often the script was searched for values.
    searches: usize,
}

impl<'t, 'a: 't> Collector<'_, 't, 'a> {
    fn node(&mut self, kind: AstKind<'a>) {
        match kind {
            AstKind::BinaryExpression(binary) => self.binary(binary),
            AstKind::SwitchStatement(switch) => self.switch(switch),
            AstKind::CallExpression(call) => {
                self.reading(&call.callee, call.arguments.first());
                self.pattern(&call.callee, call.arguments.first());
                self.call(call);
            }
            AstKind::NewExpression(new) => {
                if new.arguments.len() == 1 {
                    self.reading(&new.callee, new.arguments.first());
                }
                self.pattern(&new.callee, new.arguments.first());
            }
            AstKind::RegExpLiteral(literal) => {
                self.matching(Some(literal.regex.pattern.text.to_string()), Input::Unknown);
            }
            AstKind::UnaryExpression(unary) if unary.operator == UnaryOperator::UnaryPlus => {
                self.reads_as(&unary.argument, ReadAs::Number);
            }
            AstKind::IfStatement(branch) => self.truthiness(&branch.test),
            AstKind::ConditionalExpression(either) => self.truthiness(&either.test),
            AstKind::WhileStatement(repeat) => self.truthiness(&repeat.test),
            AstKind::LogicalExpression(logical) if !logical.operator.is_coalesce() => self.truthiness(&logical.left),
            AstKind::UnaryExpression(unary) if unary.operator.is_not() => self.truthiness(&unary.argument),
            AstKind::ComputedMemberExpression(member) => {
                let keys = self.values.keys(&member.object, MAX_DEPTH);
                let input = self.values.input(&member.expression, MAX_DEPTH);
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
        if binary.operator.is_in() {
            let input = self.values.input(&binary.left, MAX_DEPTH);
            for key in self.values.keys(&binary.right, MAX_DEPTH) {
                self.compare(&input, key);
            }
        }
        if !binary.operator.is_equality() && !binary.operator.is_compare() {
            return;
        }
        let (other, constant) = match (self.values.constant(&binary.left), self.values.constant(&binary.right)) {
            (None, Some(found)) => (&binary.left, found),
            (Some(found), None) => (&binary.right, found),
            (None, None) if binary.operator.is_equality() => return self.possible_values(&binary.left, &binary.right),
            _ => return,
        };
        let input = self.values.input(other, MAX_DEPTH);
        match constant {
            Constant::Text(text) => {
                if binary.operator.is_compare() {
                    self.compare(&input, format!("{text}z"));
                }
                self.compare(&input, text);
            }
            Constant::Number(number) => {
                let is_length = matches!(other.without_parentheses(), Expression::StaticMemberExpression(member) if member.property.name == "length");
                for number in [number - 1.0, number, number + 1.0] {
                    match text_of_length(number).filter(|_| is_length) {
                        Some(text) => {
                            self.found.lengths.push(text.len());
                            self.compare(&input, text);
                        }
                        None => self.compare(&input, number.to_string()),
                    }
                }
            }
        }
    }

    /// A comparison of an input with something that is not known: it may have the value of that key in an object of the
    /// script, or that of an element of a list, or of an argument of a function.
    fn possible_values(&mut self, left: &Expression<'a>, right: &Expression<'a>) {
        let (left, right) = (self.values.input(left, MAX_DEPTH), self.values.input(right, MAX_DEPTH));
        let ((Input::Key(name), input @ Input::Global(_)) | (input @ Input::Global(_), Input::Key(name))) =
            (left, right)
        else {
            return;
        };
        if self.searches == MAX_SEARCHES {
            return;
        }
        self.searches += 1;
        for node in self.values.tree.semantic.nodes().iter() {
            let values: Vec<&Expression<'a>> = match node.kind() {
                AstKind::ObjectProperty(property) if property.key.static_name().is_some_and(|key| key == name) => {
                    vec![&property.value]
                }
                AstKind::ArrayExpression(array) => {
                    array.elements.iter().filter_map(ArrayExpressionElement::as_expression).collect()
                }
                AstKind::CallExpression(call) => call.arguments.iter().filter_map(Argument::as_expression).collect(),
                _ => continue,
            };
            for constant in values.into_iter().filter_map(constant) {
                self.compare(&input, constant.into_text());
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
        if let Input::Global(name) = self.values.input(expression, MAX_DEPTH)
            && is_string
        {
            self.found.truthy.push(name);
        }
    }

    fn switch(&mut self, switch: &SwitchStatement<'a>) {
        let input = self.values.input(&switch.discriminant, MAX_DEPTH);
        for test in switch.cases.iter().filter_map(|case| case.test.as_ref()) {
            if let Some(constant) = self.values.constant(test) {
                self.compare(&input, constant.into_text());
            }
        }
    }

    /// A call that reads its argument as a date or as a number.
    fn reading(&mut self, callee: &Expression<'a>, first: Option<&Argument<'a>>) {
        let Some(first) = first.and_then(Argument::as_expression) else { return };
        let (object, name) = match callee.without_parentheses() {
            Expression::StaticMemberExpression(member) => {
                (self.values.tree.global(&member.object), member.property.name.as_str())
            }
            other => (None, self.values.tree.global(other).unwrap_or_default()),
        };
        match (object, name) {
            (None, "Date") | (Some("Date"), "parse") => self.reads_as(first, ReadAs::Date),
            (None, "Number" | "parseInt" | "parseFloat") | (Some("Number"), "parseInt" | "parseFloat") => {
                self.reads_as(first, ReadAs::Number);
            }
            _ => {}
        }
    }

    fn reads_as(&mut self, read: &Expression<'a>, kind: ReadAs) {
        if !is_all_of_value(read) {
            return;
        }
        let input = self.values.input(read, MAX_DEPTH);
        let (Input::Global(name) | Input::Key(name)) = &input else { return };
        self.found.read_as.push((name.clone(), kind));
        if kind == ReadAs::Date {
            for date in [PAST, FUTURE] {
                self.compare(&input, date.to_owned());
            }
        }
    }

    /// `new RegExp("…")`
    fn pattern(&mut self, callee: &Expression<'a>, first: Option<&Argument<'a>>) {
        self.matching(self.values.pattern_of_call(callee, first), Input::Unknown);
    }

    fn call(&mut self, call: &CallExpression<'a>) {
        let Expression::StaticMemberExpression(member) = call.callee.without_parentheses() else { return };
        let Some(first) = call.arguments.first().and_then(Argument::as_expression) else { return };
        let name = member.property.name.as_str();
        if let Some(pattern) = self.values.pattern(&member.object).filter(|_| matches!(name, "test" | "exec")) {
            self.matching(Some(pattern), self.values.input(first, MAX_DEPTH));
        } else if let Some(pattern) =
            self.values.pattern(first).filter(|_| matches!(name, "match" | "search" | "matchAll"))
        {
            self.matching(Some(pattern), self.values.input(&member.object, MAX_DEPTH));
        }
        if matches!(
            name,
            "includes" | "indexOf" | "has" | "get" | "startsWith" | "endsWith" | "search" | "localeCompare"
        ) {
            let listed = self.values.keys(&member.object, MAX_DEPTH);
            if listed.is_empty() {
                let input = self.values.input(&member.object, MAX_DEPTH);
                if let Some(constant) = self.values.constant(first) {
                    let constant = constant.into_text();
                    // A part, such as the domain of a mail address, may have to follow something.
                    if !constant.starts_with(char::is_alphanumeric) {
                        self.compare(&input, format!("a{constant}"));
                    }
                    // Something may have to follow a prefix, such as that of a number.
                    if name == "startsWith" && !constant.ends_with(char::is_alphanumeric) {
                        self.compare(&input, format!("{constant}1"));
                    }
                    self.compare(&input, constant);
                }
            } else {
                let input = self.values.input(first, MAX_DEPTH);
                for constant in listed {
                    self.compare(&input, constant);
                }
            }
        }
        if matches!(name, "split" | "indexOf" | "includes" | "lastIndexOf") {
            self.separators(first);
        }
    }

    fn matching(&mut self, pattern: Option<String>, input: Input) {
        let Some(pattern) = pattern.filter(|_| self.found.matching.len() < MAX_PATTERNS) else { return };
        let mut samples = pattern_samples(&pattern);
        samples.retain(|sample| !sample.is_empty() && sample.len() <= MAX_SAMPLE);
        // A long one has long parts, by which it is recognized in what is built.
        samples.sort_by_key(|sample| std::cmp::Reverse(sample.len()));
        samples.truncate(MAX_SAMPLES);
        self.found.matching.push(Matching { input, samples });
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
}

/// Whether an expression is all of a value, but perhaps for what is cleaned from it.
fn is_all_of_value(expression: &Expression<'_>) -> bool {
    let mut expression = expression.without_parentheses();
    for _ in 0..MAX_DEPTH {
        expression = match expression {
            Expression::CallExpression(call) => match call.callee.without_parentheses() {
                Expression::StaticMemberExpression(member)
                    if matches!(member.property.name.as_str(), "trim" | "replace" | "replaceAll" | "toString") =>
                {
                    member.object.without_parentheses()
                }
                _ => return false,
            },
            Expression::LogicalExpression(logical) => logical.left.without_parentheses(),
            Expression::StaticMemberExpression(member) => return !built_ins::is_built_in_member(&member.property.name),
            other => return matches!(other, Expression::Identifier(_) | Expression::ComputedMemberExpression(_)),
        };
    }
    false
}
