//! Reaching definitions of `Json`, by following the statements of a script.
//!
//! A structured data-flow analysis over the syntax tree: each statement maps the state before it to
//! the state after it, and states of paths that meet are joined by union.

use std::cell::Cell;

use oxc_ast::ast::{Expression, IfStatement, Statement, SwitchStatement, TryStatement};
use oxc_span::{GetSpan, Span};

use crate::common::collections::HashMap;

/// The assignments that may have been the last one, a bit each; the lowest bit is for none.
pub(super) type Definitions = u128;

/// Before any assignment.
pub(super) const UNSET: Definitions = 1;

/// No path leads there.
pub(super) const UNREACHABLE: Definitions = 0;

/// A `finally` block is followed up to three times, so one inside another up to nine times.
const MAX_FINALLY_DEPTH: usize = 4;

/// The bit of an assignment.
pub(super) const fn bit(index: usize) -> Definitions {
    1 << (index + 1)
}

/// An assignment and the innermost statement around it.
pub(super) struct Site {
    pub statement: Span,
    pub bit: Definitions,
    /// Whether the statement may run and leave the state before it in place.
    pub is_conditional: bool,
    /// Whether it adds to the value before it, whose assignments still count.
    pub is_append: bool,
    pub offset: u32,
}

pub(super) struct ReachingDefinitions<'s> {
    /// By start and end of the statement.
    by_statement: HashMap<(u32, u32), Vec<&'s Site>>,
    sites: &'s [Site],
    /// For each enclosing statement that can be left early, the join of the states at which `break`
    /// or `continue` leaves it.
    exits: Vec<Definitions>,
    /// The join of the states at which `return` ends the script.
    pub returned: Definitions,
    /// How many `finally` blocks around this one are followed for several paths.
    finally_depth: usize,
    /// Whether `finally` blocks are nested too deeply to follow each path through them.
    pub is_incomplete: bool,
    /// The assignments that may append to an unassigned `Json`.
    pub unset_appends: Cell<Definitions>,
    /// Statements, or parts of their expressions, that assign an unassigned `Json` on some paths only.
    pub partial_assignments: usize,
}

impl<'s> ReachingDefinitions<'s> {
    pub fn new(sites: &'s [Site]) -> Self {
        let mut by_statement: HashMap<(u32, u32), Vec<&Site>> = HashMap::default();
        for site in sites {
            by_statement.entry((site.statement.start, site.statement.end)).or_default().push(site);
        }
        Self {
            by_statement,
            sites,
            exits: Vec::new(),
            returned: UNREACHABLE,
            finally_depth: 0,
            is_incomplete: false,
            unset_appends: Cell::new(UNREACHABLE),
            partial_assignments: 0,
        }
    }

    pub fn block(&mut self, statements: &[Statement<'_>], mut state: Definitions) -> Definitions {
        for statement in statements {
            let returned = self.returned;
            let after = self.statement(statement, state);
            let assigned = (after | self.returned & !returned) & !state & !UNSET;
            if state & UNSET != 0 && after & UNSET != 0 && assigned != 0 {
                self.partial_assignments += self.conditional_sites(statement.span()).max(1);
            }
            state = after;
        }
        state
    }

    /// How many assignments of a statement itself some paths of its expression evaluate: `a ? Json = 1 : Json = 2`.
    fn conditional_sites(&self, statement: Span) -> usize {
        let sites = self.by_statement.get(&(statement.start, statement.end)).into_iter().flatten();
        sites.filter(|site| site.is_conditional).count()
    }

    /// Applies the assignments of a statement itself, not those of statements inside it.
    fn own(&self, statement: Span, mut state: Definitions) -> Definitions {
        for site in self.by_statement.get(&(statement.start, statement.end)).into_iter().flatten() {
            if site.is_append && state & UNSET != 0 {
                self.unset_appends.set(self.unset_appends.get() | site.bit);
            }
            state = match state {
                UNREACHABLE => UNREACHABLE,
                state if site.is_conditional => state | site.bit,
                state if site.is_append => state & !UNSET | site.bit,
                _ => site.bit,
            };
        }
        state
    }

    /// Applies the assignments in the head of a loop, each of which may or may not be evaluated.
    fn head(&self, statement: Span, state: Definitions) -> Definitions {
        let sites = self.by_statement.get(&(statement.start, statement.end)).into_iter().flatten();
        if state == UNREACHABLE { UNREACHABLE } else { sites.fold(state, |state, site| state | site.bit) }
    }

    fn statement(&mut self, statement: &Statement<'_>, state: Definitions) -> Definitions {
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
                let (after, exit) = self.inside(|paths| paths.statement(&inner.body, state));
                self.head(inner.span, after | exit)
            }
            Statement::LabeledStatement(inner) => {
                let (after, exit) = self.inside(|paths| paths.statement(&inner.body, state));
                after | exit
            }
            Statement::SwitchStatement(switch) => self.switch(switch, state),
            Statement::TryStatement(attempt) => self.attempt(attempt, state),
            Statement::BreakStatement(_) | Statement::ContinueStatement(_) => self.leave(state),
            Statement::ReturnStatement(inner) => {
                self.returned |= self.own(inner.span, state);
                UNREACHABLE
            }
            Statement::ThrowStatement(_) => UNREACHABLE,
            Statement::WithStatement(inner) => self.statement(&inner.body, state),
            other => self.own(other.span(), state),
        }
    }

    /// The state after a jump. Labels are not resolved: it may leave any enclosing statement, so it
    /// counts as an exit of all of them.
    fn leave(&mut self, state: Definitions) -> Definitions {
        for exit in &mut self.exits {
            *exit |= state;
        }
        UNREACHABLE
    }

    /// Follows a statement that can be left early; gives the states at its end and at its exits.
    fn inside(&mut self, follow: impl FnOnce(&mut Self) -> Definitions) -> (Definitions, Definitions) {
        self.exits.push(UNREACHABLE);
        let after = follow(self);
        (after, self.exits.pop().unwrap_or(UNREACHABLE))
    }

    fn branch(&mut self, branch: &IfStatement<'_>, state: Definitions) -> Definitions {
        let state = self.own(branch.span, state);
        let consequent = self.statement(&branch.consequent, state);
        let alternate = branch.alternate.as_ref().map_or(state, |alternate| self.statement(alternate, state));
        match &branch.test {
            test if is_true(test) => consequent,
            _ => consequent | alternate,
        }
    }

    /// A body that runs any number of times. One iteration is the fixed point: the transfer function of
    /// the body only adds and removes constant bits, so applying it again changes nothing.
    fn repeat(&mut self, body: &Statement<'_>, state: Definitions, is_endless: bool) -> Definitions {
        let (after, exit) = self.inside(|paths| paths.statement(body, state));
        match (is_endless, exit) {
            // Only a jump leaves it.
            (true, UNREACHABLE) => UNREACHABLE,
            (true, exit) => exit | after,
            (false, exit) => state | after | exit,
        }
    }

    fn switch(&mut self, switch: &SwitchStatement<'_>, state: Definitions) -> Definitions {
        let state = self.own(switch.span, state);
        let has_default = switch.cases.iter().any(|case| case.test.is_none());
        let (after, exit) = self
            // A case is entered from the head, or from the end of the case before it.
            .inside(|paths| {
                switch.cases.iter().fold(UNREACHABLE, |before, case| paths.block(&case.consequent, state | before))
            });
        after | exit | if has_default { UNREACHABLE } else { state }
    }

    fn attempt(&mut self, attempt: &TryStatement<'_>, state: Definitions) -> Definitions {
        let Some(finalizer) = &attempt.finalizer else { return self.attempt_and_catch(attempt, state) };
        // Every path that leaves the block runs the `finally` block first.
        let outer = std::mem::replace(&mut self.returned, UNREACHABLE);
        let exits: Vec<Definitions> = self.exits.iter_mut().map(|exit| std::mem::replace(exit, UNREACHABLE)).collect();
        let end = self.attempt_and_catch(attempt, state);
        let returned = std::mem::replace(&mut self.returned, outer);
        let left = self.exits.iter().fold(UNREACHABLE, |left, exit| left | exit);
        let leaving: Vec<bool> = self.exits.iter().map(|exit| *exit != UNREACHABLE).collect();
        self.exits = exits;
        let end = self.finish(&finalizer.body, end);
        self.returned |= self.finish(&finalizer.body, returned);
        let left = self.finish(&finalizer.body, left);
        for (exit, _) in self.exits.iter_mut().zip(leaving).filter(|(_, is_left)| *is_left) {
            *exit |= left;
        }
        end
    }

    /// The state after a `finally` block that is entered in this state.
    fn finish(&mut self, body: &[Statement<'_>], state: Definitions) -> Definitions {
        if state == UNREACHABLE {
            return UNREACHABLE;
        }
        if self.finally_depth == MAX_FINALLY_DEPTH {
            self.is_incomplete = true;
            return state;
        }
        self.finally_depth += 1;
        let after = self.block(body, state);
        self.finally_depth -= 1;
        after
    }

    fn attempt_and_catch(&mut self, attempt: &TryStatement<'_>, state: Definitions) -> Definitions {
        let after = self.block(&attempt.block.body, state);
        let Some(handler) = &attempt.handler else { return after };
        let block = attempt.block.span;
        let inside = self.sites.iter().filter(|site| block.start <= site.offset && site.offset < block.end);
        // Any expression of the block may throw, before or after each of its assignments.
        let caught =
            if state == UNREACHABLE { UNREACHABLE } else { inside.fold(state, |state, site| state | site.bit) };
        after | self.block(&handler.body.body, caught)
    }
}

fn is_true(test: &Expression<'_>) -> bool {
    match test.without_parentheses() {
        Expression::BooleanLiteral(literal) => literal.value,
        Expression::NumericLiteral(literal) => literal.value != 0.0,
        _ => false,
    }
}
