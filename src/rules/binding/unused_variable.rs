use std::cell::OnceCell;

use crate::common::collections::HashSet;
use crate::facts::{Context, NameKind, Place, variable_names, without_variable};
use crate::graph::Receiver;
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;
use crate::text::quote;

pub const RULE: Rule = rule!("WF110-unused-variable", Warning, check, marks_unnecessary: true, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    if cx.workflows.is_empty() {
        return;
    }
    // The documents of a service declare the same variables: each is reported once, in the workflow.
    let mut seen = HashSet::default();
    let wanted = OnceCell::new();
    for (file, variables) in cx.variable_lists() {
        for variable in variables {
            let Some(name) = variable.name.value() else { continue };
            let is_used = cx.usage.is_read(name) || cx.usage.is_written(name);
            if is_used || !seen.insert(name) {
                continue;
            }
            let details = variable.details();
            if details.is_input.is_true() || details.is_output.is_true() || cx.is_system(name) {
                continue;
            }
            let mut draft = out.report(&Place::value(file, variable.node), format!("unused variable {}", quote(name)));
            draft.cause(Cause::Variable(name.to_owned()));
            if wanted.get_or_init(|| Wanted::of(cx)).may_be(cx, name) {
                draft.help("remove it, or bind it where it is needed");
            } else {
                let edits = without_variable(cx, name);
                draft.help("bind it, if something needs it").fix(Applicability::Unsafe, "remove the variable", edits);
            }
        }
    }
}

/// What an unused variable may be meant for.
struct Wanted<'c> {
    /// The names that something mentions, though it does not use them.
    mentioned: HashSet<&'c str>,
    /// The lost outputs, and the fields without a variable.
    open: Vec<&'c str>,
    /// A value is missing somewhere, or a variable that is read has none.
    is_incomplete: bool,
}

/// With more names the search for similar ones is not worth its time.
const MAX_OPEN: usize = 100;

impl<'c> Wanted<'c> {
    fn of(cx: &'c Context<'_>) -> Self {
        let lists =
            cx.activities().filter_map(|(analysis, activity)| Some((analysis, activity.own_bound_variables.get()?)));
        let entries = lists.flat_map(|(analysis, list)| list.iter().map(move |(node, _)| (analysis, node)));
        let listed: HashSet<_> =
            entries.map(|(analysis, node)| (analysis.file, analysis.document.span(node).start + 1)).collect();
        let is_declared = |kind| matches!(kind, NameKind::Declaration | NameKind::FormDeclaration);
        let mentioned = variable_names(cx)
            .into_iter()
            .filter(|found| !is_declared(found.kind) && !listed.contains(&(found.file, found.span.start)));
        let outputs = cx.workflows.iter().flat_map(|analysis| &analysis.effects);
        let outputs = outputs.filter_map(|effects| effects.provider.as_deref()).flat_map(|provider| &provider.outputs);
        let lost = outputs.filter(|output| matches!(output.receiver, Receiver::Missing));
        let fields = cx.model.forms.iter().flat_map(|form| &form.form.fields);
        let unbound = fields.filter(|field| field.target().is_none()).filter_map(|field| field.name.value());
        Self {
            mentioned: mentioned.map(|found| found.name).collect(),
            open: lost.map(|output| output.name.as_str()).chain(unbound).collect(),
            is_incomplete: cx.workflows.iter().any(|analysis| cx.removable().is_incomplete(analysis.file)),
        }
    }

    fn may_be(&self, cx: &Context<'_>, name: &str) -> bool {
        let is_near = |open: &&str| *open == name || cx.suggester.nearest(open, [name]).is_some();
        self.is_incomplete
            || self.mentioned.contains(name)
            || cx.removable().is_in_script(name)
            || self.open.len() > MAX_OPEN
            || self.open.iter().any(is_near)
            || cx.suggester.is_exhausted()
    }
}
