use crate::collections::HashSet;
use crate::diagnostic::{Applicability, Edit, Severity, quote};
use crate::document::NodeId;
use crate::facts::{Context, Place};
use crate::graph::{Analysis, placeholders};
use crate::model::{Activity, Kind};
use crate::rules::{Fixes, Reporter, Rule};
use crate::source::Span;

pub const RULE: Rule = Rule {
    code: "WF111",
    name: "stale-bound-variable-list",
    severity: Severity::Info,
    fixes: Fixes::Safe,
    page: include_str!("../../../rules/WF111-stale-bound-variable-list.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities() {
        let Some((list, entries)) = activity.own_bound_variables.known().filter(|(_, entries)| !entries.is_empty())
        else {
            continue;
        };
        let Some(used) = Used::by(analysis, activity, None) else { continue };
        let stale: Vec<bool> = entries.iter().map(|(_, name)| name.is_some_and(|name| !used.has(name))).collect();
        for (index, (node, name)) in entries.iter().enumerate().filter(|(index, _)| stale.get(*index) == Some(&true)) {
            let message = format!(
                "{} is listed as used by {}, which does not use it",
                quote(name.unwrap_or_default()),
                activity.display_name()
            );
            let mut draft = out.report(&Place::value(analysis.file, *node), message);
            draft.help("remove it from `ownBoundVariables`, the editor's list of what the activity uses");
            if let Some(edit) = removal(analysis, list, entries, &stale, index) {
                draft.fix(Applicability::Safe, "remove it from the list", vec![edit]);
            }
        }
    }
}

/// What an activity uses, or may.
#[derive(Default)]
struct Used<'c> {
    /// Variables, and words of texts and scripts that may be some.
    names: HashSet<&'c str>,
    /// What the names of outputs begin with that are not known.
    prefixes: HashSet<&'c str>,
}

impl<'c> Used<'c> {
    /// What an activity and all that is inside it use: whether a container lists what its children use
    /// is not shown. `None` when that may be any variable. Without what is left in the binding `cleared`.
    fn by(analysis: &'c Analysis<'_>, activity: &'c Activity<'_>, cleared: Option<NodeId>) -> Option<Self> {
        let mut used = Self::default();
        for inner in std::iter::once(activity).chain(analysis.workflow.inside(activity)) {
            let effects = analysis.effects(inner.id).filter(|effects| !effects.may_read)?;
            let reads = effects.reads.iter().map(|read| read.variable);
            let variables = reads.chain(effects.writes.iter().map(|write| write.variable));
            used.names.extend(variables.chain(effects.shows.iter().copied()).map(|id| analysis.names.name(id)));
            used.prefixes.extend(effects.may_write);
            used.add_texts(inner, cleared);
        }
        Some(used)
    }

    fn add_texts(&mut self, activity: &'c Activity<'_>, cleared: Option<NodeId>) {
        activity.bindings(|binding, _| {
            // Also a name that is left where nothing is bound: that is told (WF104).
            self.names.extend(binding.bound_to.value().filter(|_| cleared != Some(binding.node)));
            self.add_placeholders(binding.literal_text().map(|(_, text)| text));
        });
        let copies = activity.provider().and_then(|provider| provider.all.get()).into_iter().flatten();
        // A copy is cleared with what it is a copy of.
        let copied =
            copies.filter_map(|copy| copy.value.get().filter(|binding| cleared.is_none() || binding.is_bound()));
        self.names.extend(copied.filter_map(|binding| binding.bound_to.value()));
        match &activity.kind {
            Kind::Status { translations, .. } => {
                let texts = translations.get().into_iter().flatten().filter_map(|entry| entry.text);
                texts.for_each(|text| self.add_placeholders(Some(text)));
            }
            Kind::Code(code) => {
                let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '$');
                let script = code.script.value().unwrap_or_default();
                self.names.extend(script.split(|letter| !is_part(letter)));
            }
            _ => {}
        }
    }

    /// Whether a text other than that of an Assign has placeholders is not shown; it may.
    fn add_placeholders(&mut self, text: Option<&'c str>) {
        self.names.extend(placeholders(text.unwrap_or_default()).map(|placeholder| placeholder.name));
    }

    fn has(&self, name: &str) -> bool {
        let mut beginnings = name.char_indices().map(|(end, _)| end).chain([name.len()]);
        self.names.contains(name)
            || beginnings.any(|end| name.get(..end).is_some_and(|beginning| self.prefixes.contains(beginning)))
    }
}

/// The edit that removes a name from the list of an activity that no longer uses it once a binding
/// is cleared.
pub(super) fn removal_with(
    analysis: &Analysis<'_>,
    activity: &Activity<'_>,
    cleared: NodeId,
    name: &str,
) -> Option<Edit> {
    let (list, entries) = activity.own_bound_variables.known()?;
    let index = entries.iter().position(|(_, entry)| *entry == Some(name))?;
    let is_used = Used::by(analysis, activity, Some(cleared)).is_none_or(|used| used.has(name));
    let stale: Vec<bool> = (0..entries.len()).map(|at| at == index).collect();
    if is_used { None } else { removal(analysis, list, entries, &stale, index) }
}

/// The edit that removes one entry. All of a list's edits can be made together, and each alone, for
/// which a list of nothing but stale entries is emptied with its first.
fn removal(
    analysis: &Analysis<'_>,
    list: NodeId,
    entries: &[(NodeId, Option<&str>)],
    stale: &[bool],
    index: usize,
) -> Option<Edit> {
    let document = analysis.document;
    let span = |at: usize| entries.get(at).map(|(node, _)| document.span(*node));
    let own = span(index)?;
    if stale.iter().all(|&stale| stale) {
        return (index == 0).then(|| Edit { span: document.span(list), new_text: "[]".to_owned() });
    }
    let is_at_the_end = stale.iter().skip(index).all(|&stale| stale);
    let removed = if is_at_the_end {
        Span::new(span(index.checked_sub(1)?)?.end, own.end)
    } else {
        Span::new(own.start, span(index + 1)?.start)
    };
    Some(Edit { span: removed, new_text: String::new() })
}
