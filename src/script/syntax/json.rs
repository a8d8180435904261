//! What a script leaves in `Json`: which assignments may be the last one, path by path.

use oxc_ast::AstKind;
use oxc_ast::ast::{BindingPatternKind, Expression, IfStatement, Program, Statement, SwitchStatement, TryStatement};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::{GetSpan, Span};

use super::tree::{JSON, Tree, Write, range};
use super::{Assignment, Coverage, Json, Kind, Script};
use crate::collections::HashMap;

/// Assignments that are followed; of a script with more nothing is said.
const MOST: usize = 100;

/// Which assignments may have been the last: a bit each; the lowest is for none. No bit: no path.
type State = u128;

const UNSET: State = 1;

/// An assignment and the statement that it is in.
struct Site {
    statement: Span,
    bit: State,
    /// Whether the statement may pass over it.
    is_skipped: bool,
    at: u32,
}

pub(super) fn analyse(tree: &Tree<'_, '_>, program: &Program<'_>, script: &Script) -> Json {
    let mut collected =
        Collected { tree, assignments: Vec::new(), sites: Vec::new(), is_whole: !script.is_obscure, is_followed: true };
    collected.collect();
    if script.global_members.iter().any(|name| name == JSON) {
        collected.is_whole = false;
    }
    let Collected { mut assignments, sites, is_whole, is_followed, .. } = collected;
    if !is_whole || !is_followed {
        // The only one there is can be replaced by none, wherever it stands.
        let is_only = is_whole && assignments.len() == 1;
        let stays_joined = assignments.len() == 1;
        for assignment in &mut assignments {
            assignment.reaches_end = is_only;
            assignment.joined.retain(|_| stays_joined);
        }
        return Json { assignments, coverage: Coverage::NotKnown };
    }
    if assignments.is_empty() {
        return Json::default();
    }
    let mut paths = Paths::new(&sites);
    let end = paths.block(&program.body, UNSET);
    let is_correlated = paths.partial > 1;
    let is_text_possible = assignments
        .iter()
        .enumerate()
        .any(|(index, assignment)| end & bit(index) != 0 && assignment.kind.not_text().is_none());
    for (index, assignment) in assignments.iter_mut().enumerate() {
        let is_last = end & bit(index) != 0;
        if !is_last {
            assignment.joined.clear();
        }
        // Two conditions may be such that one of them always holds.
        let is_certain = !is_correlated || !is_text_possible || assignment.kind.not_text().is_none();
        assignment.reaches_end = is_last && is_certain;
    }
    let coverage = match (end & UNSET != 0, end & !UNSET != 0) {
        (true, _) if is_correlated => Coverage::NotKnown,
        (true, true) => Coverage::SomePaths,
        (true, false) => Coverage::Never,
        (false, true) => Coverage::Always,
        // No path reaches the end.
        (false, false) => Coverage::NotKnown,
    };
    Json { assignments, coverage }
}

const fn bit(index: usize) -> State {
    1 << (index + 1)
}

/// Finds the assignments.
struct Collected<'c, 't, 'a> {
    tree: &'c Tree<'t, 'a>,
    assignments: Vec<Assignment>,
    sites: Vec<Site>,
    /// Whether every assignment was found.
    is_whole: bool,
    /// Whether none stands in a function, which may be called anywhere.
    is_followed: bool,
}

impl<'t, 'a: 't> Collected<'_, 't, 'a> {
    fn collect(&mut self) {
        let own = self.tree.scoping().get_root_binding(JSON);
        for node in self.tree.semantic.nodes().iter() {
            match node.kind() {
                AstKind::IdentifierReference(name) if name.name == JSON && self.tree.symbol(name) == own => {
                    let is_write = self.tree.reference(name).is_some_and(|reference| reference.is_write());
                    match self.tree.write(node.id()) {
                        Some(write) => self.add(node.id(), name.span, write),
                        None if is_write => self.is_whole = false,
                        None => {}
                    }
                }
                AstKind::VariableDeclarator(declarator) => match &declarator.id.kind {
                    BindingPatternKind::BindingIdentifier(name) if name.name == JSON && name.symbol_id.get() == own => {
                        if let Some(value) = &declarator.init {
                            self.add(node.id(), name.span, Write::Set(value));
                        } else if self.is_head(node.id()) {
                            self.is_whole = false;
                        }
                    }
                    BindingPatternKind::BindingIdentifier(_) => {}
                    _ if self.declares(own, declarator.span) => self.is_whole = false,
                    _ => {}
                },
                AstKind::Function(function) if function.id.as_ref().is_some_and(|id| id.name == JSON) => {
                    self.is_whole = false;
                }
                _ => {}
            }
        }
    }

    /// Whether the declaration of `Json` is a part of the pattern there.
    fn declares(&self, own: Option<SymbolId>, pattern: Span) -> bool {
        own.is_some_and(|own| pattern.contains_inclusive(self.tree.scoping().symbol_span(own)))
    }

    /// Whether a declarator is in the head of a `for…in` or `for…of`.
    fn is_head(&self, declarator: NodeId) -> bool {
        let nodes = self.tree.semantic.nodes();
        let head = nodes.parent_kind(nodes.parent_id(declarator));
        matches!(head, AstKind::ForInStatement(_) | AstKind::ForOfStatement(_))
    }

    fn add(&mut self, node: NodeId, target: Span, write: Write<'a, 't>) {
        if self.assignments.len() == MOST {
            self.is_whole = false;
            return;
        }
        let (value, kind, joined) = match write {
            Write::Set(value) => (value, self.tree.kind(value), self.tree.raw(value)),
            Write::Append(value) => {
                let kind = if self.tree.kind(value) == Kind::Text { Kind::Text } else { Kind::Unknown };
                let mut raw = self.tree.raw(value);
                raw.is_joined = !raw.names.is_empty();
                (value, kind, raw)
            }
        };
        let is_text = kind == Kind::Text || matches!(write, Write::Append(_));
        let joined = if joined.is_joined && is_text { joined.names } else { Vec::new() };
        let index = self.assignments.len();
        self.assignments.push(Assignment {
            target: range(target),
            value: range(value.span()),
            kind,
            joined,
            reaches_end: true,
        });
        match self.place(node) {
            // What was there before stays there as well.
            Some((statement, is_skipped)) => {
                let is_skipped = is_skipped || matches!(write, Write::Append(_));
                self.sites.push(Site { statement, bit: bit(index), is_skipped, at: target.start });
            }
            None => self.is_followed = false,
        }
    }

    /// The statement around a node, and whether the statement may pass over it; none inside a function.
    fn place(&self, node: NodeId) -> Option<(Span, bool)> {
        let nodes = self.tree.semantic.nodes();
        let mut is_skipped = false;
        let mut statement = None;
        let mut inner = nodes.kind(node).span();
        for kind in nodes.ancestor_kinds(node) {
            match kind {
                AstKind::Function(_) | AstKind::ArrowFunctionExpression(_) | AstKind::Class(_) => return None,
                _ if statement.is_some() => {}
                AstKind::LogicalExpression(logical) if logical.left.span() != inner => is_skipped = true,
                AstKind::ConditionalExpression(either) if either.test.span() != inner => is_skipped = true,
                AstKind::ChainExpression(_) | AstKind::AssignmentTargetWithDefault(_) => is_skipped = true,
                AstKind::AssignmentPattern(_) => is_skipped = true,
                kind if kind.is_statement() || matches!(kind, AstKind::VariableDeclaration(_)) => {
                    statement = Some((kind.span(), is_skipped));
                }
                _ => {}
            }
            inner = kind.span();
        }
        statement
    }
}

/// Follows the paths through statements.
struct Paths<'s> {
    by_statement: HashMap<(u32, u32), Vec<&'s Site>>,
    sites: &'s [Site],
    /// What was there where something around is left: by `break`, `continue` or `return`.
    left: Vec<State>,
    /// Statements that set `Json` where it was not set, on some paths only.
    partial: usize,
}

impl<'s> Paths<'s> {
    fn new(sites: &'s [Site]) -> Self {
        let mut by_statement: HashMap<(u32, u32), Vec<&Site>> = HashMap::default();
        for site in sites {
            by_statement.entry((site.statement.start, site.statement.end)).or_default().push(site);
        }
        Self { by_statement, sites, left: Vec::new(), partial: 0 }
    }

    fn block(&mut self, statements: &[Statement<'_>], mut state: State) -> State {
        for statement in statements {
            let after = self.statement(statement, state);
            if state & UNSET != 0 && after & UNSET != 0 && after & !state != 0 {
                self.partial += 1;
            }
            state = after;
        }
        state
    }

    /// The assignments that stand in a statement itself, not in one inside it.
    fn own(&self, statement: Span, mut state: State) -> State {
        for site in self.by_statement.get(&(statement.start, statement.end)).into_iter().flatten() {
            state = match state {
                0 => 0,
                state if site.is_skipped => state | site.bit,
                _ => site.bit,
            };
        }
        state
    }

    /// The assignments in the head of a loop: whether one is reached is not looked at.
    fn head(&self, statement: Span, state: State) -> State {
        let sites = self.by_statement.get(&(statement.start, statement.end)).into_iter().flatten();
        if state == 0 { 0 } else { sites.fold(state, |state, site| state | site.bit) }
    }

    fn statement(&mut self, statement: &Statement<'_>, state: State) -> State {
        match statement {
            Statement::BlockStatement(block) => self.block(&block.body, state),
            Statement::IfStatement(branch) => self.branch(branch, state),
            Statement::ForStatement(inner) => {
                let state = inner.init.as_ref().map_or(state, |init| self.own(init.span(), state));
                let state = self.head(inner.span, state);
                self.repeat(&inner.body, state, inner.test.as_ref().is_none_or(is_true))
            }
            Statement::ForInStatement(inner) => {
                let state = self.head(inner.span, state);
                self.repeat(&inner.body, state, false)
            }
            Statement::ForOfStatement(inner) => {
                let state = self.head(inner.span, state);
                self.repeat(&inner.body, state, false)
            }
            Statement::WhileStatement(inner) => {
                let state = self.head(inner.span, state);
                self.repeat(&inner.body, state, is_true(&inner.test))
            }
            Statement::DoWhileStatement(inner) => {
                let (after, left) = self.inside(|paths| paths.statement(&inner.body, state));
                self.head(inner.span, after | left)
            }
            Statement::LabeledStatement(inner) => {
                let (after, left) = self.inside(|paths| paths.statement(&inner.body, state));
                after | left
            }
            Statement::SwitchStatement(switch) => self.switch(switch, state),
            Statement::TryStatement(attempt) => self.attempt(attempt, state),
            Statement::BreakStatement(_) | Statement::ContinueStatement(_) => self.leave(state),
            Statement::ReturnStatement(inner) => {
                let state = self.own(inner.span, state);
                self.leave(state)
            }
            Statement::ThrowStatement(_) => 0,
            Statement::WithStatement(inner) => self.statement(&inner.body, state),
            other => self.own(other.span(), state),
        }
    }

    /// A `break` may leave any loop around it: it counts for all.
    fn leave(&mut self, state: State) -> State {
        for left in &mut self.left {
            *left |= state;
        }
        0
    }

    /// Runs something that can be left; gives what is there behind it, and where it is left.
    fn inside(&mut self, run: impl FnOnce(&mut Self) -> State) -> (State, State) {
        self.left.push(0);
        let after = run(self);
        (after, self.left.pop().unwrap_or_default())
    }

    fn branch(&mut self, branch: &IfStatement<'_>, state: State) -> State {
        let state = self.own(branch.span, state);
        let consequent = self.statement(&branch.consequent, state);
        let alternate = branch.alternate.as_ref().map_or(state, |alternate| self.statement(alternate, state));
        match &branch.test {
            test if is_true(test) => consequent,
            _ => consequent | alternate,
        }
    }

    /// A body that runs any number of times. One round tells all: what it adds and takes away is the
    /// same every time.
    fn repeat(&mut self, body: &Statement<'_>, state: State, is_endless: bool) -> State {
        let (after, left) = self.inside(|paths| paths.statement(body, state));
        match (is_endless, left) {
            (true, 0) => 0,
            (true, left) => left | after,
            (false, left) => state | after | left,
        }
    }

    fn switch(&mut self, switch: &SwitchStatement<'_>, state: State) -> State {
        let state = self.own(switch.span, state);
        let has_default = switch.cases.iter().any(|case| case.test.is_none());
        let (after, left) = self
            .inside(|paths| switch.cases.iter().fold(0, |before, case| paths.block(&case.consequent, state | before)));
        after | left | if has_default { 0 } else { state }
    }

    fn attempt(&mut self, attempt: &TryStatement<'_>, state: State) -> State {
        let after = self.block(&attempt.block.body, state);
        let mut end = after;
        if let Some(handler) = &attempt.handler {
            let block = attempt.block.span;
            let inside = self.sites.iter().filter(|site| block.start <= site.at && site.at < block.end);
            // Anything in the block may throw, before or behind an assignment.
            let caught = if state == 0 { 0 } else { inside.fold(state, |state, site| state | site.bit) };
            end |= self.block(&handler.body.body, caught);
        }
        attempt.finalizer.as_ref().map_or(end, |finalizer| self.block(&finalizer.body, end))
    }
}

fn is_true(test: &Expression<'_>) -> bool {
    match test.without_parentheses() {
        Expression::BooleanLiteral(literal) => literal.value,
        Expression::NumericLiteral(literal) => literal.value != 0.0,
        _ => false,
    }
}
