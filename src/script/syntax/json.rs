//! What a script assigns to `Json`: which assignments may be the last one, and whether there is one on every path.
//!
//! Two steps: find the assignments and the statements that they are in; then follow the paths through
//! the statements. What cannot be followed makes the answer [`Assigned::Unknown`].

use oxc_ast::AstKind;
use oxc_ast::ast::{BindingPatternKind, Expression, Program, TemplateLiteral};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::BinaryOperator;

use super::built_ins;
use super::reaching::{Definitions, ReachingDefinitions, Site, UNSET, bit};
use super::script::{Assigned, Assignment, JoinedName, Json, Script};
use super::tree::{JSON, Tree, ValueKind, Write, range};

/// Each has a bit in [`Definitions`]. A script with more is not followed.
const MAX_ASSIGNMENTS: usize = 100;

pub(super) fn analyze(tree: &Tree<'_, '_>, program: &Program<'_>, script: &Script) -> Json {
    let JsonAssignments { mut assignments, sites, has_more, is_complete, is_top_level } = find(tree);
    let json = Json { has_more_assignments: has_more, ..Json::default() };
    let is_complete = is_complete && !script.may_set(JSON) && !script.global_members.iter().any(|name| name == JSON);
    if !is_complete || !is_top_level {
        // Without an order of the assignments any of them may be the last one; only if it is the only
        // one, nothing can replace it.
        let is_only = assignments.len() == 1;
        for assignment in &mut assignments {
            assignment.reaches_end = is_only && is_complete;
        }
        return Json { assignments, assigned: Assigned::Unknown, ..json };
    }
    if assignments.is_empty() {
        return json;
    }
    let mut paths = ReachingDefinitions::new(&sites);
    let end = paths.block(&program.body, UNSET) | paths.returned;
    if paths.is_incomplete {
        for assignment in &mut assignments {
            assignment.reaches_end = false;
        }
        return Json { assignments, assigned: Assigned::Unknown, ..json };
    }
    let unset_appends = paths.unset_appends.get();
    let unset_append = (0..assignments.len()).find(|index| unset_appends & bit(*index) != 0);
    let json = Json { unset_append, ..json };
    let is_correlated = paths.partial_assignments > 1;
    mark_reaching(&mut assignments, end, is_correlated);
    let assigned = match (end & UNSET != 0, end & !UNSET != 0) {
        // Each statement assigns it on some paths. Together they may do so on every path:
        // `if (a) Json = 1; if (!a) Json = 2`.
        (true, _) if is_correlated => Assigned::Unknown,
        (true, true) => Assigned::OnSomePaths,
        (true, false) => Assigned::Never,
        (false, true) => Assigned::OnEveryPath,
        // No path reaches the end.
        (false, false) => Assigned::Unknown,
    };
    Json { assignments, assigned, ..json }
}

/// Marks the assignments that may be the last one, given the state at the end.
fn mark_reaching(assignments: &mut [Assignment], end: Definitions, is_correlated: bool) {
    let may_be_string = assignments
        .iter()
        .enumerate()
        .any(|(index, assignment)| end & bit(index) != 0 && assignment.kind.not_string().is_none());
    for (index, assignment) in assignments.iter_mut().enumerate() {
        let is_last = end & bit(index) != 0;
        // With correlated conditions the path on which this one is the last may not exist. That matters
        // only for a value that is not a string, which would be reported (WF805).
        let is_definite = !is_correlated || !may_be_string || assignment.kind.not_string().is_none();
        assignment.reaches_end = is_last && is_definite;
    }
}

struct JsonAssignments {
    assignments: Vec<Assignment>,
    /// Where they are, as far as they are not in functions.
    sites: Vec<Site>,
    /// Whether there are more of them.
    has_more: bool,
    /// Whether no form of assignment was met that is not followed.
    is_complete: bool,
    /// Whether none is in a function, which may be called at any time.
    is_top_level: bool,
}

fn find(tree: &Tree<'_, '_>) -> JsonAssignments {
    let found = JsonAssignments {
        assignments: Vec::new(),
        sites: Vec::new(),
        has_more: false,
        is_complete: true,
        is_top_level: true,
    };
    let mut finder = AssignmentFinder { tree, found };
    finder.find();
    finder.found
}

struct AssignmentFinder<'c, 't, 'a> {
    tree: &'c Tree<'t, 'a>,
    found: JsonAssignments,
}

impl<'t, 'a: 't> AssignmentFinder<'_, 't, 'a> {
    fn find(&mut self) {
        let own = self.tree.scoping().get_root_binding(JSON);
        for node in self.tree.semantic.nodes().iter() {
            match node.kind() {
                AstKind::IdentifierReference(name) if name.name == JSON && self.tree.symbol(name) == own => {
                    let is_write = self.tree.reference(name).is_some_and(|reference| reference.is_write());
                    match self.tree.write(node.id()) {
                        Some(write) => self.add(node.id(), name.span, write),
                        None if is_write => self.found.is_complete = false,
                        None => {}
                    }
                }
                AstKind::VariableDeclarator(declarator) => match &declarator.id.kind {
                    BindingPatternKind::BindingIdentifier(name) if name.name == JSON && name.symbol_id.get() == own => {
                        if let Some(value) = &declarator.init {
                            self.add(node.id(), name.span, Write::Set(value));
                        } else if self.is_loop_head(node.id()) {
                            self.found.is_complete = false;
                        }
                    }
                    BindingPatternKind::BindingIdentifier(_) => {}
                    _ if self.declares(own, declarator.span) => self.found.is_complete = false,
                    _ => {}
                },
                AstKind::Function(function) if function.id.as_ref().is_some_and(|id| id.name == JSON) => {
                    self.found.is_complete = false;
                }
                _ => {}
            }
        }
    }

    /// Whether the declaration of `Json` is in the declarator there.
    fn declares(&self, own: Option<SymbolId>, declarator: Span) -> bool {
        own.is_some_and(|own| declarator.contains_inclusive(self.tree.scoping().symbol_span(own)))
    }

    /// Whether a declarator is in the head of a `for…in` or `for…of`, which assigns it.
    fn is_loop_head(&self, declarator: NodeId) -> bool {
        let nodes = self.tree.semantic.nodes();
        let head = nodes.parent_kind(nodes.parent_id(declarator));
        matches!(head, AstKind::ForInStatement(_) | AstKind::ForOfStatement(_))
    }

    fn add(&mut self, node: NodeId, target: Span, write: Write<'a, 't>) {
        if self.found.assignments.len() == MAX_ASSIGNMENTS {
            self.found.has_more = true;
            self.found.is_complete = false;
            return;
        }
        let is_append = matches!(write, Write::Append(_));
        let (Write::Set(value) | Write::Append(value)) = write;
        let kind = match self.tree.kind(value) {
            // `+=` with a string gives a string; with anything else it depends on what was there.
            kind if !is_append || kind == ValueKind::String => kind,
            _ => ValueKind::Unknown,
        };
        let index = self.found.assignments.len();
        self.found.assignments.push(Assignment {
            target: range(target),
            value: range(value.span()),
            kind,
            is_append,
            joined: joined(self.tree, value),
            reaches_end: true,
        });
        // In a `with` statement it may set a property instead.
        let mut around = self.tree.semantic.nodes().ancestor_kinds(node);
        self.found.is_complete &= !around.any(|kind| matches!(kind, AstKind::WithStatement(_)));
        match self.statement(node) {
            // After an append the assignments before it still have a part in the value.
            Some((statement, is_conditional)) => self.found.sites.push(Site {
                statement,
                bit: bit(index),
                is_conditional,
                is_append,
                offset: target.start,
            }),
            None => self.found.is_top_level = false,
        }
    }

    /// The statement around a node, and whether the statement may run without it; `None` inside of a
    /// function.
    fn statement(&self, node: NodeId) -> Option<(Span, bool)> {
        let nodes = self.tree.semantic.nodes();
        let mut is_conditional = false;
        let mut statement = None;
        let mut inner = nodes.kind(node).span();
        for kind in nodes.ancestor_kinds(node) {
            match kind {
                AstKind::Function(_) | AstKind::ArrowFunctionExpression(_) | AstKind::Class(_) => return None,
                _ if statement.is_some() => {}
                AstKind::LogicalExpression(logical) if logical.left.span() != inner => is_conditional = true,
                AstKind::ConditionalExpression(either) if either.test.span() != inner => is_conditional = true,
                AstKind::ChainExpression(_) | AstKind::AssignmentTargetWithDefault(_) => is_conditional = true,
                AstKind::AssignmentPattern(_) => is_conditional = true,
                kind if kind.is_statement() || matches!(kind, AstKind::VariableDeclaration(_)) => {
                    statement = Some((kind.span(), is_conditional));
                }
                _ => {}
            }
            inner = kind.span();
        }
        statement
    }
}

/// The globals that an expression joins to text of JSON by `+` or a template.
fn joined<'a>(tree: &Tree<'_, 'a>, value: &Expression<'a>) -> Vec<JoinedName> {
    let mut names = Vec::new();
    let mut has_json_text = false;
    let mut parts = vec![value];
    while let Some(part) = parts.pop() {
        match part.without_parentheses() {
            Expression::BinaryExpression(sum) if sum.operator == BinaryOperator::Addition => {
                parts.extend([&sum.right, &sum.left]);
            }
            Expression::StringLiteral(text) => has_json_text |= is_json_text(&text.value),
            Expression::TemplateLiteral(template) => {
                has_json_text |= joins_json(template);
                parts.extend(template.expressions.iter().rev());
            }
            Expression::Identifier(name) if tree.symbol(name).is_none() => {
                names.push(JoinedName { name: name.name.to_string(), range: range(name.span) });
            }
            _ => {}
        }
    }
    if has_json_text { names } else { Vec::new() }
}

/// As [`is_json_text`], of the text around the substitutions of a template.
fn joins_json(template: &TemplateLiteral<'_>) -> bool {
    template.quasis.iter().any(|part| is_json_text(&part.value.cooked.unwrap_or(part.value.raw)))
}

/// Whether a string begins like an object of JSON, or has the end of a key.
fn is_json_text(text: &str) -> bool {
    let begins_like_json = text.trim_start().strip_prefix(['{', '[']).is_some_and(|rest| rest.contains(['{', '"']));
    begins_like_json || text.split('"').skip(1).any(|rest| rest.trim_start().starts_with(':'))
}

/// Whether a value may decide what a script does, or the script inspects one.
pub(super) fn has_condition(tree: &Tree<'_, '_>) -> bool {
    tree.semantic.nodes().iter().any(|node| is_condition(node.kind()) || inspects(node.kind()))
}

/// Functions that convert a string to a number or a boolean.
const CONVERSIONS: [&str; 6] = ["Boolean", "Number", "isFinite", "isNaN", "parseFloat", "parseInt"];

/// Whether a node inspects a string or an array.
fn inspects(kind: AstKind<'_>) -> bool {
    match kind {
        AstKind::StaticMemberExpression(member) => {
            let name = member.property.name.as_str();
            built_ins::inspects(name) || matches!(name, "parse" | "test")
        }
        AstKind::ComputedMemberExpression(member) => !member.expression.is_literal(),
        AstKind::IdentifierReference(name) => CONVERSIONS.contains(&name.name.as_str()),
        AstKind::RegExpLiteral(_) => true,
        _ => false,
    }
}

/// Whether a node decides by a value what is evaluated next, or computes such a decision.
fn is_condition(kind: AstKind<'_>) -> bool {
    match kind {
        AstKind::BinaryExpression(binary) => {
            binary.operator.is_equality() || binary.operator.is_compare() || binary.operator.is_relational()
        }
        AstKind::UnaryExpression(unary) => unary.operator.is_not(),
        AstKind::IfStatement(_)
        | AstKind::ConditionalExpression(_)
        | AstKind::LogicalExpression(_)
        | AstKind::ChainExpression(_)
        | AstKind::SwitchStatement(_)
        | AstKind::ForStatement(_)
        | AstKind::ForInStatement(_)
        | AstKind::ForOfStatement(_)
        | AstKind::WhileStatement(_)
        | AstKind::DoWhileStatement(_)
        | AstKind::TryStatement(_) => true,
        _ => false,
    }
}
