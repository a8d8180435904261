use std::collections::BTreeMap;

use crate::catalog::{Method, ParameterKind, Purpose, Status};
use crate::diagnostic::Severity;
use crate::document::{Document, Limits};
use crate::facts::{Context, Loop, Place};
use crate::graph::{Analysis, OperandValue, VarId, Writer, Written};
use crate::model::{Activity, Literal, Provider, case_key};
use crate::rules::{Cause, Reporter, Rule, YieldsTo};
use crate::text::quote;

pub const RULE: Rule = Rule {
    code: "WF409",
    name: "expiry-not-handled",
    severity: Severity::Info,
    yields_to: YieldsTo::Rules(&["WF404"]),
    page: include_str!("../../../rules/WF409-expiry-not-handled.md"),
    check,
    ..Rule::DEFAULT
};

/// A status that no provider gives: a loop that does not end on it ends on named statuses alone.
const UNHEARD_OF: &str = "\u{0}";

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for found in cx.loops() {
        let Some((variable, request)) = unhandled_expiry(&found) else { continue };
        let file = found.analysis.file;
        let (name, status) = (found.activity.display_name(), quote(found.analysis.names.name(variable)));
        let message =
            format!("loop {name} may never end when the case expires: it ends on documented values of {status} only");
        out.report(&Place::value(file, found.activity.node), message)
            .help("find out which status an expired case has, and let the loop end on it; or end it after some rounds")
            .related(&Place::value(file, request.node), "this request lets the case expire")
            .about(Cause::Loop(file, found.activity.node));
    }
}

/// The status that the loop waits for, and the request that lets its case expire, when no status but the documented
/// ones ends the loop.
fn unhandled_expiry<'c>(found: &Loop<'c, '_>) -> Option<(VarId, &'c Activity<'c>)> {
    let requests = expiring_requests(found.analysis);
    found.awaited_statuses().find_map(|(variable, statuses)| {
        let request = expiring_request(found, variable, &requests)?;
        let is_unhandled =
            !compares_other_statuses(found, variable, statuses) && found.never_ends_on(variable, UNHEARD_OF);
        is_unhandled.then_some((variable, request))
    })
}

/// The calls that let a case expire, by the variable that gets its id.
fn expiring_requests<'c>(analysis: &'c Analysis<'_>) -> BTreeMap<VarId, &'c Activity<'c>> {
    let mut found = BTreeMap::new();
    for (activity, effects) in analysis.workflow.activities.iter().zip(&analysis.effects) {
        let method = effects.provider.as_deref().and_then(|outputs| outputs.method);
        let (Some(provider), Some(method)) = (activity.provider(), method) else { continue };
        if sets_expiry(provider, method) {
            for write in effects.writes.iter().filter(|write| matches!(write.by, Writer::Output { .. })) {
                found.entry(write.variable).or_insert(activity);
            }
        }
    }
    found
}

/// Whether a call gives a signing case a time to expire after (docs/platform.md, E-signature methods, Signing case):
/// a number over 0, or one that a variable holds.
fn sets_expiry(provider: &Provider<'_>, method: &Method) -> bool {
    let binding = |name| provider.parameter(name).and_then(|parameter| parameter.value.get());
    let declared = method.parameter_for(Purpose::Expiry).and_then(|parameter| binding(&parameter.name));
    let by_parameter = declared.is_some_and(|binding| {
        let literal = binding.literal().map(|(_, literal)| literal);
        literal.map_or(binding.target().is_some(), |literal| literal.as_number().is_some_and(|days| days > 0.0))
    });
    by_parameter || {
        let case = method.parameter_of_kind(ParameterKind::CaseJson).and_then(|json| binding(&json.name));
        let text = case.and_then(|binding| binding.literal_text()).map(|(_, text)| text);
        let case = text.and_then(|text| Document::parse(text, Limits::default()).ok());
        case.is_some_and(|case| {
            let days = case.member(case.root(), case_key::EXPIRE_AFTER_DAYS).and_then(|days| case.integer(days));
            days.is_some_and(|days| days > 0)
        })
    }
}

/// The expiring request whose case a lookup in the body returns.
fn expiring_request<'c>(
    found: &Loop<'c, '_>,
    status: VarId,
    requests: &BTreeMap<VarId, &'c Activity<'c>>,
) -> Option<&'c Activity<'c>> {
    let effects = found.body().filter_map(|inner| found.analysis.effects(inner.id));
    let lookups = effects.filter(|effects| effects.writes.iter().any(|write| write.variable == status));
    lookups.flat_map(|effects| &effects.reads).find_map(|read| requests.get(&read.variable).copied())
}

/// Whether the loop compares the status, or a copy of it, with a status that is not documented.
fn compares_other_statuses(found: &Loop<'_, '_>, status: VarId, statuses: &[&Status]) -> bool {
    let writes = found.analysis.effects.iter().flat_map(|effects| &effects.writes);
    let copies = writes.filter(|write| write.value == Written::Copy(status)).map(|write| write.variable);
    let holds_status: Vec<VarId> = copies.chain([status]).collect();
    let is_other = |value| match value {
        OperandValue::Literal(Literal::Text(text)) => {
            !statuses.iter().any(|status| status.documented && status.value == text)
        }
        _ => false,
    };
    let conditions = std::iter::once(found.activity).chain(found.body());
    conditions.filter_map(|inner| found.analysis.effects(inner.id)?.condition).any(|condition| {
        condition.variables().any(|variable| holds_status.contains(&variable))
            && (is_other(condition.left) || is_other(condition.right))
    })
}
