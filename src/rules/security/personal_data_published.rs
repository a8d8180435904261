use crate::catalog::ParameterKind;
use crate::common::collections::{HashMap, HashSet};
use crate::document::NodeId;
use crate::facts::{
    AnalyzedService, Context, Place, Sink, TaintedSink, case_messages, hidden_variables, parameter_sinks_of_kinds,
    tainted_sinks,
};
use crate::graph::{Analysis, TaintPolicy, TaintSource, Transfer, Write, Writer, Written};
use crate::model::{Activity, ActivityKind, Code};
use crate::rules::security::{report_unchecked, show_path, through};
use crate::rules::{Cause, Draft, Reporter, Rule};
use crate::script::syntax::Leaked;
use crate::text::diagnostic::FileId;
use crate::text::quote;

pub const RULE: Rule = rule!("WF902-personal-data-published", Warning | Info, check, recommends_infos: true);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let masked = Masked { variables: hidden_variables(cx), service: cx };
    if masked.variables.is_empty() {
        return;
    }
    let messages = case_messages(cx);
    let publications = |analysis| {
        let parameters = parameter_sinks_of_kinds(analysis, &[ParameterKind::MailText]);
        let messages = messages.iter().filter_map(move |message| message.sink(analysis));
        statuses(analysis).chain(parameters).chain(messages)
    };
    let sinks = tainted_sinks(cx, &masked, publications);
    report_unchecked(&sinks, out);
    for found in sinks.found {
        let in_case = messages.iter().find(|message| message.is(&found)).map(|message| message.place.clone());
        let mut draft = out.report(&in_case.unwrap_or_else(|| found.place()), message(&found, &masked));
        draft.help("publish a message without it, or remove the mask from the variable");
        // A personal id that should be masked is the cause, wherever it is on the path.
        for variable in found.variables_on_path().filter(|variable| !masked.variables.contains_key(variable)) {
            draft.cause(Cause::Variable(variable.to_owned()));
        }
        show_masked_path(&found, &masked, &mut draft);
    }
}

fn message(found: &TaintedSink<'_, '_>, masked: &Masked<'_, '_>) -> String {
    let activity = found.sink.activity.display_name();
    let sink = match found.parameter_name() {
        "" => format!("Status {activity}"),
        parameter => format!("mail text {} of {activity}", quote(parameter)),
    };
    let source = masked_source(found, masked);
    let variable =
        source.map_or_else(|| "a masked variable".to_owned(), |name| format!("masked variable {}", quote(name)));
    let through = if source == Some(found.variable()) { String::new() } else { through(found) };
    format!("{variable} reaches {sink}{through}")
}

/// The masked variable that is published, or that the published value comes from.
fn masked_source<'f>(found: &'f TaintedSink<'_, '_>, masked: &Masked<'_, '_>) -> Option<&'f str> {
    if masked.variables.contains_key(found.variable()) { Some(found.variable()) } else { found.source() }
}

/// Adds the path of the value from the masked variable.
fn show_masked_path(found: &TaintedSink<'_, '_>, masked: &Masked<'_, '_>, draft: &mut Draft<'_>) {
    let Some(name) = masked_source(found, masked) else { return };
    let Some((file, node)) = masked.variables.get(name) else { return };
    let mut source = vec![(Place::value(*file, *node), format!("{} is masked", quote(name)))];
    if let TaintSource::Write(activity, write) = found.path.source
        && let Some(write) = found.analysis.effects(activity).and_then(|effects| effects.writes.get(write))
        && write.by != Writer::Form
    {
        source.push((Place::value(found.analysis.file, write.node), format!("{} is written", quote(name))));
    }
    show_path(found, source, draft);
}

/// The variables that the Status activities of a workflow publish.
fn statuses<'c, 'a>(analysis: &'c Analysis<'a>) -> impl Iterator<Item = Sink<'c, 'a>> {
    analysis.workflow.activities.iter().filter_map(move |activity| match &activity.kind {
        ActivityKind::Status { status, .. } => Sink::new(analysis, activity, status.unboxed()?),
        _ => None,
    })
}

/// The masked variables by name, each with its declaration: the sources.
struct Masked<'c, 'a> {
    variables: HashMap<&'a str, (FileId, NodeId)>,
    service: &'c AnalyzedService<'a>,
}

impl TaintPolicy for Masked<'_, '_> {
    fn is_tainted_at_start(&self, variable: &str) -> bool {
        self.variables.contains_key(variable)
    }

    /// Everything that is written to a masked variable is to be hidden, except a constant of the document and the
    /// outcome of a call or an approval.
    fn transfer(&self, _: &Activity<'_>, variable: &str, write: &Write<'_>) -> Option<Transfer> {
        let is_harmless = matches!(write.value, Written::Constant(_))
            || matches!(write.by, Writer::ProviderResult | Writer::ApprovalResult);
        (self.variables.contains_key(variable) && !is_harmless).then_some(Transfer::Taint)
    }

    /// A script that cuts or replaces may remove the masked part.
    fn is_sanitized_by(&self, words: &HashSet<&str>) -> bool {
        ["replace", "replaceAll", "slice", "substring", "substr", "split"].iter().any(|word| words.contains(word))
    }

    fn is_harmless(&self, code: &Code<'_>, parameter: &str) -> bool {
        self.service.leaked(code, parameter) == Leaked::Nothing
    }
}
