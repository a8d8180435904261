//! The repair of loops that never end on a status: an If inside that ends the order, as the documented signing workflows
//! have it (docs/platform-methods.md, Case status).

use std::collections::BTreeSet;

use crate::document::{Editor, NewValue, NodeId};
use crate::facts::cases::loops::Loop;
use crate::facts::edits::new_activity::{NewActivities, published_locales};
use crate::graph::{Analysis, Decision, Effects, OperandValue, VarId, Write, Writer, Written};
use crate::model::{Activity, ActivityId, ActivityKind, Literal, Operand};
use crate::text::diagnostic::Edit;
use crate::text::{list, quote, quoted_list};

/// Ifs that are looked at in a loop.
const MAX_TESTS: usize = 10;

/// A signed order is never ended.
pub const SIGNED: &str = "Finished";
/// The documented workflows publish a text of their own for it.
const REJECTED: &str = "Rejected";

/// A status on which a loop never ends.
pub struct EndlessStatus<'a> {
    pub status: &'a str,
    /// Of one iteration.
    pub decisions: Vec<Decision>,
}

/// An If in a loop that compares the status.
pub struct StatusTest<'c, 'a> {
    pub activity: &'c Activity<'a>,
    pub operand: Operand,
    pub status: &'a str,
}

impl StatusTest<'_, '_> {
    /// Whether its activities run when the lookup returns a status.
    pub fn runs_on(&self, status: &str) -> bool {
        (self.operand == Operand::Equal) == (self.status == status)
    }

    /// Whether its activities run in an iteration that the finding shows.
    pub fn runs_in(&self, endless: &EndlessStatus<'_>) -> bool {
        is_taken(self.activity, endless)
    }
}

fn is_taken(test: &Activity<'_>, endless: &EndlessStatus<'_>) -> bool {
    endless.decisions.iter().any(|decision| decision.activity == test.id && decision.outcome)
}

/// The Ifs in the body of a loop that compare a status variable with a string.
pub fn status_tests<'c, 'a>(while_loop: &Loop<'c, 'a>, variable: VarId) -> Vec<StatusTest<'c, 'a>> {
    let ifs = while_loop.body().filter(|inner| matches!(inner.kind, ActivityKind::If { .. }));
    let tests = ifs.filter_map(|activity| {
        let condition = while_loop.analysis.effects(activity.id)?.condition.as_deref()?;
        let (compared, status) = condition.variable_and_text()?;
        (compared == variable).then_some(StatusTest { activity, operand: condition.operand, status })
    });
    tests.take(MAX_TESTS).collect()
}

/// Statuses of a variable on which a loop never ends.
pub struct Unhandled<'a> {
    pub variable: VarId,
    pub statuses: Vec<EndlessStatus<'a>>,
}

/// What makes a loop end on the statuses on which it never ends.
pub enum LoopRepair {
    /// Its title and edits.
    Likeliest(String, Vec<Edit>),
    /// As the author may have something else in mind.
    Possible(String, Vec<Edit>),
}

/// The repair of a loop, if it has a sensible one.
pub fn loop_repair(while_loop: &Loop<'_, '_>, unhandled: &[Unhandled<'_>]) -> Option<LoopRepair> {
    let mut statuses = unhandled.iter().flat_map(|it| &it.statuses);
    if unhandled.is_empty() || statuses.any(|endless| endless.status == SIGNED) {
        return None;
    }
    if unhandled.iter().any(|it| is_used_after(while_loop, it.variable)) {
        let leaving = unhandled.iter().find_map(|it| assign_that_leaves(while_loop, it.variable))?;
        let (title, edits) = Repair::new(while_loop, Some(leaving))?.of_all(unhandled)?;
        return Some(LoopRepair::Possible(title, edits));
    }
    let (title, edits) = Repair::new(while_loop, None)?.of_all(unhandled)?;
    Some(LoopRepair::Likeliest(title, edits))
}

/// Whether something that runs after a loop reads the status, or decides by what the loop makes of it: there the author
/// may handle it.
fn is_used_after(while_loop: &Loop<'_, '_>, status: VarId) -> bool {
    let (analysis, activity) = (while_loop.analysis, while_loop.activity);
    let workflow = analysis.workflow;
    let is_while = |outer: &&Activity<'_>| matches!(outer.kind, ActivityKind::While { .. });
    let outer = workflow.ancestors(activity).filter(is_while).last();
    let is_later = |it: &&Activity<'_>| {
        let is_repeated = outer.is_some_and(|outer| outer.id <= it.id && it.id < activity.id);
        it.id >= activity.end || is_repeated
    };
    let made = made_of_status(while_loop, status);
    let mut is_overwritten = false;
    workflow
        .activities
        .iter()
        .filter(is_later)
        .filter_map(|later| analysis.effects(later.id).map(|it| (later, it)))
        .any(|(later, effects)| {
            let is_read = effects.reads.iter().any(|read| {
                read.variable == status && !is_overwritten || read.in_condition && made.contains(&read.variable)
            });
            // Nothing before it is read after another call that always runs.
            let is_certain = workflow.ancestors(later).all(|around| {
                matches!(around.kind, ActivityKind::Sequence) || around.id < activity.id && activity.id < around.end
            });
            is_overwritten |=
                outer.is_none() && is_certain && effects.writes.own().iter().any(|it| it.variable == status);
            is_read
        })
}

/// The variables that a loop writes where it tests the status, or from it.
fn made_of_status(while_loop: &Loop<'_, '_>, status: VarId) -> BTreeSet<VarId> {
    let analysis = while_loop.analysis;
    let tests = status_tests(while_loop, status);
    let is_tested = |id| tests.iter().any(|test| test.activity.id < id && id < test.activity.end);
    let effects = while_loop.body().filter_map(|inner| Some((inner.id, analysis.effects(inner.id)?)));
    let of_status = effects.filter(|(id, effects)| {
        let is_copied = |write: &Write<'_>| write.value == Written::Copy(status);
        is_tested(*id) || effects.writes.own().iter().any(is_copied)
    });
    of_status.flat_map(|(_, effects)| effects.writes.own()).map(|write| write.variable).collect()
}

/// The Assign that makes the condition of a loop false when the case has another status.
fn assign_that_leaves<'c, 'a>(while_loop: &Loop<'c, 'a>, status: VarId) -> Option<&'c Activity<'a>> {
    let condition = while_loop.condition()?;
    let leaves = |write: &Write<'_>| match (condition.operand_beside(write.variable), write.value) {
        (Some(OperandValue::Literal(Literal::Text(text))), Written::Constant(value)) => {
            (condition.operand == Operand::NotEqual) == (text == value)
        }
        _ => false,
    };
    let analysis = while_loop.analysis;
    let tests = status_tests(while_loop, status).into_iter().filter(|test| test.operand == Operand::Equal);
    let mut inside = tests.flat_map(|test| analysis.workflow.inside(test.activity));
    inside.find(|inner| {
        let is_assign = matches!(inner.kind, ActivityKind::Assign(_));
        is_assign && analysis.effects(inner.id).is_some_and(|effects| effects.writes.own().iter().any(leaves))
    })
}

/// Edits that handle statuses.
struct Repair<'r, 'c, 'a> {
    while_loop: &'r Loop<'c, 'a>,
    /// The Assign that is copied instead of ending the order.
    leaving: Option<&'r Activity<'a>>,
    /// The activities of the loop.
    body: NodeId,
    new: NewActivities<'c, 'a>,
    editor: Editor<'c>,
    locales: Vec<&'a str>,
    /// Whether a new Status publishes a text.
    publishes: bool,
}

impl<'r, 'c, 'a> Repair<'r, 'c, 'a> {
    fn new(while_loop: &'r Loop<'c, 'a>, leaving: Option<&'r Activity<'a>>) -> Option<Self> {
        let Loop { analysis, activity, .. } = *while_loop;
        Some(Self {
            while_loop,
            leaving,
            body: analysis.document.member(activity.node, "activities")?,
            new: NewActivities::new(analysis, activity),
            editor: Editor::new(analysis.document, analysis.file),
            locales: published_locales(analysis),
            publishes: false,
        })
    }

    /// The title and the edits.
    fn of_all(mut self, unhandled: &[Unhandled<'_>]) -> Option<(String, Vec<Edit>)> {
        let mut titles = Vec::new();
        for Unhandled { variable, statuses } in unhandled {
            for endless in statuses {
                titles.push(self.handle(*variable, endless)?);
            }
        }
        let mut title = list(&titles, "and");
        let foreign: Vec<&str> = self.locales.iter().copied().filter(|locale| !is_english(locale)).collect();
        if self.publishes && !foreign.is_empty() {
            title = format!("{title}, its text to be translated for {}", quoted_list(&foreign, "and"));
        }
        Some((title, self.editor.finish()))
    }

    fn handle(&mut self, variable: VarId, endless: &EndlessStatus<'_>) -> Option<String> {
        let tests = status_tests(self.while_loop, variable);
        let is_for_it = |test: &&StatusTest<'_, '_>| {
            test.operand == Operand::Equal && test.status == endless.status && test.runs_in(endless)
        };
        let handler = tests.iter().find(is_for_it).map(|test| test.activity);
        let is_published = handler.is_some_and(|handler| publishes(self.while_loop.analysis, handler, endless));
        let (what, items) = self.end(endless.status, is_published);
        let Some(handler) = handler else {
            let name = self.while_loop.analysis.names.name(variable);
            let after = last_use(self.while_loop, variable)?.node;
            let item =
                self.new.condition(&format!("If {}", endless.status.to_lowercase()), name, endless.status, items);
            self.editor.insert_item(self.body, Some(after), item);
            return Some(format!(
                "add an If on {} equal {} with {what} to the loop",
                quote(name),
                quote(endless.status)
            ));
        };
        let document = self.while_loop.analysis.document;
        let inside = document.member(handler.node, "activities")?;
        let last = document.elements(inside).next_back();
        for item in items {
            self.editor.insert_item(inside, last, item);
        }
        Some(format!("add {what} to {}", handler.display_name()))
    }

    /// What ends the order, or leaves the loop, in words and as activities.
    fn end(&mut self, status: &str, is_published: bool) -> (String, Vec<NewValue>) {
        if let Some(leaving) = self.leaving {
            let name = leaving.name.value().unwrap_or("Leave the loop");
            return (format!("a copy of {}", leaving.display_name()), vec![self.new.copy(leaving, name)]);
        }
        let mut items = Vec::new();
        if !is_published {
            let rejected = "Document was rejected".to_owned();
            let text = if status == REJECTED { rejected } else { format!("Document status - {status}") };
            let name = format!("Status {}", status.to_lowercase());
            items.push(self.new.status(&name, &self.locales, &text));
            self.publishes = true;
        }
        items.push(self.new.terminate());
        (if is_published { "a Terminate" } else { "a Status and a Terminate" }.to_owned(), items)
    }
}

fn is_english(locale: &str) -> bool {
    locale.split('-').next().is_some_and(|language| language.eq_ignore_ascii_case("en"))
}

/// Whether an If publishes something in an iteration.
fn publishes(analysis: &Analysis<'_>, handler: &Activity<'_>, endless: &EndlessStatus<'_>) -> bool {
    analysis.workflow.inside(handler).filter(|inner| matches!(inner.kind, ActivityKind::Status { .. })).any(|status| {
        let mut around = analysis.workflow.ancestors(status).take_while(|outer| outer.id != handler.id);
        around.all(|outer| matches!(outer.kind, ActivityKind::Sequence) || is_taken(outer, endless))
    })
}

/// The last step of a loop that looks the status up, or then remembers, publishes or tests it. A loop or an Approval after
/// the lookup may take its time, or never end.
fn last_use<'c, 'a>(while_loop: &Loop<'c, 'a>, status: VarId) -> Option<&'c Activity<'a>> {
    let analysis = while_loop.analysis;
    let steps = while_loop.activity.children().iter().filter_map(|&id| analysis.workflow.activity(id));
    let steps: Vec<&Activity<'_>> = steps.collect();
    let lookups: Vec<ActivityId> =
        while_loop.lookups().filter(|(_, written)| written.contains(&status)).map(|(lookup, _)| lookup.id).collect();
    let looks_up = |step: &&Activity<'_>| lookups.iter().any(|&id| step.id <= id && id < step.end);
    let lookup = steps.iter().rposition(looks_up)?;
    let mut last = *steps.get(lookup)?;
    let mut made = BTreeSet::from([status]);
    for &step in steps.iter().skip(lookup + 1) {
        let inside: Vec<&Activity<'_>> = std::iter::once(step).chain(analysis.workflow.inside(step)).collect();
        if !inside.iter().all(|it| is_quick(it)) {
            break;
        }
        let effects: Vec<&Effects<'_>> = inside.iter().filter_map(|it| analysis.effects(it.id)).collect();
        if effects.iter().flat_map(|it| &it.reads).any(|read| made.contains(&read.variable)) {
            last = step;
            let writes = effects.iter().flat_map(|it| it.writes.own()).filter(|write| write.by == Writer::Assign);
            made.extend(writes.map(|write| write.variable));
        }
    }
    Some(last)
}

const fn is_quick(activity: &Activity<'_>) -> bool {
    matches!(
        activity.kind,
        ActivityKind::Provider(_)
            | ActivityKind::Assign(_)
            | ActivityKind::Status { .. }
            | ActivityKind::Sequence
            | ActivityKind::If { .. }
            | ActivityKind::Terminate
            | ActivityKind::Code(_)
    )
}
