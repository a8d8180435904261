use std::collections::BTreeMap;

use crate::catalog::ParameterKind;
use crate::collections::{HashMap, HashSet};
use crate::diagnostic::{FileId, Severity, quote};
use crate::document::NodeId;
use crate::facts::{Context, Place, Reached, Sink, masked_variables, parameters_of_kind, reached};
use crate::graph::{self, Analysis, Followed, Given, Source, VarId, Write, Writer, Written};
use crate::model::{Activity, Kind};
use crate::rules::security::show_steps;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF902",
    name: "personal-data-published",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF902-personal-data-published.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let masked = Masked(masked_variables(cx));
    if masked.0.is_empty() {
        return;
    }
    let sinks = |analysis| statuses(analysis).chain(parameters_of_kind(analysis, &[ParameterKind::MailText]));
    let found = reached(cx, &masked, sinks);
    let mut personal_ids: BTreeMap<FileId, HashSet<VarId>> = BTreeMap::new();
    for found in found {
        let ids = personal_ids.entry(found.analysis.file).or_insert_with(|| personal_ids_of(found.analysis, &masked));
        if !is_told(&found, &masked, ids) {
            tell(&found, &masked, out);
        }
    }
}

fn tell(found: &Reached<'_, '_>, masked: &Masked<'_>, out: &mut Reporter<'_>) {
    let used = quote(found.used());
    let is_masked = masked.0.contains_key(found.used());
    let origin = if is_masked { Some(found.used()) } else { found.origin() };
    let value = match origin {
        Some(_) if is_masked => format!("the masked {used}"),
        Some(origin) => format!("{used}, which holds the value of the masked {}", quote(origin)),
        None => format!("{used}, which holds the value of a masked variable"),
    };
    let message = match found.parameter_name() {
        "" => format!("this Status publishes {value}: what the mask should hide may be read in the feed of the order"),
        parameter => {
            format!("the mail text {} has {value}: what the mask should hide may be read in the mail", quote(parameter))
        }
    };
    let mut draft = out.report(&found.place(), message);
    draft.help("use a text without it; if it may be seen, do not mask the variable");
    let Some((origin, (file, node))) = origin.and_then(|origin| Some((origin, masked.0.get(origin)?))) else { return };
    draft.related(&Place::value(*file, *node), format!("{} is masked", quote(origin)));
    if let Some(Source::Written(activity, write)) = found.way.as_ref().map(|way| way.start)
        && let Some(write) = found.analysis.effects(activity).and_then(|effects| effects.writes.get(write))
        && write.by != Writer::Form
    {
        draft.related(&Place::value(found.analysis.file, write.node), format!("{} is written here", quote(origin)));
    }
    show_steps(found, &mut draft);
}

/// What the Status activities of a workflow publish.
fn statuses<'c, 'a>(analysis: &'c Analysis<'a>) -> impl Iterator<Item = Sink<'c, 'a>> {
    analysis.workflow.activities.iter().filter_map(move |activity| match &activity.kind {
        Kind::Status { status, .. } => Sink::new(analysis, activity, status.get()?),
        _ => None,
    })
}

/// The variables whose value can become somebody's personal id.
fn personal_ids_of(analysis: &Analysis<'_>, masked: &Masked<'_>) -> HashSet<VarId> {
    let ids = parameters_of_kind(analysis, &[ParameterKind::PersonalId]).map(|sink| sink.read.variable);
    graph::leading_to(analysis, masked, ids)
}

/// Whether the way leads through an unmasked variable that is a personal id, which is what is told
/// (WF614).
fn is_told(found: &Reached<'_, '_>, masked: &Masked<'_>, personal_ids: &HashSet<VarId>) -> bool {
    let mut steps = found.way.iter().flat_map(|way| &way.steps).map(|carry| carry.into);
    steps
        .any(|variable| personal_ids.contains(&variable) && !masked.0.contains_key(found.analysis.names.name(variable)))
}

/// The masked variables, by name, with where they are declared.
struct Masked<'a>(HashMap<&'a str, (FileId, NodeId)>);

impl Followed for Masked<'_> {
    fn at_start(&self, variable: &str) -> bool {
        self.0.contains_key(variable)
    }

    /// Whatever is written to a masked variable is to be hidden, unless the document has it as a
    /// plain text or it is whether a call or an approval went well.
    fn given(&self, _: &Activity<'_>, variable: &str, write: &Write<'_>) -> Option<Given> {
        let is_plain = matches!(write.value, Written::Constant(_))
            || matches!(write.by, Writer::ProviderResult | Writer::ApprovalResult);
        (self.0.contains_key(variable) && !is_plain).then_some(Given::Source)
    }

    /// A script that cuts or replaces may be what hides the rest.
    fn is_cleaned_by(&self, words: &HashSet<&str>) -> bool {
        ["replace", "replaceAll", "slice", "substring", "substr", "split"].iter().any(|word| words.contains(word))
    }
}
