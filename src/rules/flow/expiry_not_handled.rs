use std::collections::BTreeMap;

use crate::catalog::{Catalog, Method, ParameterKind, Purpose, Status};
use crate::common::collections::{HashMap, HashSet};
use crate::document::{Document, Limits};
use crate::facts::{Context, EndlessStatus, Loop, OTHER_STATUS, Place, Unhandled, expires};
use crate::graph::{Analysis, LoopOutcome, OperandValue, VarId, Writer, Written};
use crate::model::{Activity, Assumption, Binding, Literal, Provider, SCRIPT_RESULT};
use crate::rules::flow::{loop_steps, offer_repair, report_unchecked};
use crate::rules::{Fixes, Reporter, Rule};
use crate::schema::as_signing_case;
use crate::text::diagnostic::FileId;
use crate::text::quote;

pub const RULE: Rule = rule!("WF409-expiry-not-handled", Info, check, fixes: Fixes::Unsafe);

/// What names of the status of an expired case contain, in lower case.
const EXPIRED: &str = "expire";

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let mut unchecked = HashSet::default();
    let mut requests: HashMap<FileId, Requests<'_>> = HashMap::default();
    for while_loop in cx.loops() {
        let analysis = while_loop.analysis;
        let file = analysis.file;
        let requests = requests.entry(file).or_insert_with(|| Requests::of(cx, analysis));
        let Some((variable, request, outcome)) = unhandled_expiry(requests, &while_loop) else { continue };
        if outcome == LoopOutcome::Unknown {
            if unchecked.insert(file) {
                report_unchecked(&while_loop, while_loop.activity.node, out);
            }
            continue;
        }
        let (name, status) = (while_loop.activity.display_name(), quote(while_loop.analysis.names.name(variable)));
        let message =
            format!("loop {name} may never end when the case expires: it ends on documented values of {status} only");
        let mut steps = vec![(Place::value(file, request.node), "the case may expire".to_owned())];
        let lookup = while_loop.lookup_of(variable).map(|lookup| {
            (Place::value(file, lookup.node), format!("{status} becomes a value that is not documented"))
        });
        let end = format!("the condition does not end the loop on this value of {status}, so the loop repeats");
        steps.extend(loop_steps(&while_loop, lookup, end));
        let mut draft = out.report(&Place::value(file, while_loop.activity.node), message);
        draft
            .assumes(Assumption::Expired)
            .related(&Place::value(file, request.node), "this request lets the case expire")
            .flow(steps);
        let expired: Vec<Unhandled<'_>> = expired(&while_loop, variable).into_iter().collect();
        if !offer_repair(&while_loop, &expired, &mut draft) {
            draft.help(
                "find out which status an expired case has and end the loop on it, or limit the number of iterations",
            );
        }
    }
}

/// The one status of expired cases by its name, if a catalog lists it and the loop never ends on it.
fn expired<'a>(while_loop: &Loop<'_, 'a>, variable: VarId) -> Option<Unhandled<'a>> {
    let (_, statuses) = while_loop.awaited_statuses().find(|(awaited, _)| *awaited == variable)?;
    let mut expired = statuses.iter().filter(|it| it.terminal && it.value.to_lowercase().contains(EXPIRED));
    let status = expired.next().filter(|_| expired.next().is_none())?.value.as_str();
    match while_loop.outcome_on(variable, status) {
        Some(LoopOutcome::NeverEnds(decisions)) => {
            Some(Unhandled { variable, statuses: vec![EndlessStatus { status, decisions }] })
        }
        _ => None,
    }
}

/// The status that the loop waits for, and the request that lets its case expire, if only documented statuses end the
/// loop, or if that is unknown.
fn unhandled_expiry<'c>(
    requests: &Requests<'c>,
    while_loop: &Loop<'c, '_>,
) -> Option<(VarId, &'c Activity<'c>, LoopOutcome)> {
    if requests.expiring.is_empty() {
        return None;
    }
    while_loop.awaited_statuses().find_map(|(variable, statuses)| {
        let request = expiring_request(while_loop, variable, &requests.expiring)?;
        if compares_other_statuses(requests, while_loop, variable, statuses) {
            return None;
        }
        let outcome = match while_loop.outcome_on(variable, OTHER_STATUS)? {
            LoopOutcome::Ends => outcome_beside_others(while_loop, variable)?,
            outcome => outcome,
        };
        Some((variable, request, outcome))
    })
}

/// What a loop that waits for several cases does when one has expired and the others have ended, if it then never ends. It
/// may also end because of the others, for example when one is rejected.
fn outcome_beside_others(while_loop: &Loop<'_, '_>, expired: VarId) -> Option<LoopOutcome> {
    let (_, statuses) = while_loop.final_statuses().find(|(variable, _)| *variable == expired)?;
    let replaced = (expired, *statuses.first()?);
    while_loop.combined_final_statuses().into_iter().find_map(|mut statuses| {
        statuses.iter_mut().find(|status| **status == replaced)?.1 = OTHER_STATUS;
        let outcome = while_loop.outcome_on_all(&statuses)?;
        matches!(outcome, LoopOutcome::NeverEnds(_)).then_some(outcome)
    })
}

/// The requests and copies of one workflow.
struct Requests<'c> {
    /// The requests that let their case expire, by the variable that receives its id.
    expiring: BTreeMap<VarId, &'c Activity<'c>>,
    /// The variables that are copied, each with one that it is copied to.
    copies: HashSet<(VarId, VarId)>,
}

impl<'c> Requests<'c> {
    fn of(cx: &Context<'_>, analysis: &'c Analysis<'_>) -> Self {
        let writes = analysis.effects.iter().flat_map(|effects| effects.writes.own());
        let copies = writes.filter_map(|write| match write.value {
            Written::Copy(source) => Some((source, write.variable)),
            _ => None,
        });
        Self { expiring: expiring_requests(cx, analysis), copies: copies.collect() }
    }
}

fn expiring_requests<'c>(cx: &Context<'_>, analysis: &'c Analysis<'_>) -> BTreeMap<VarId, &'c Activity<'c>> {
    let mut requests = BTreeMap::new();
    for (activity, effects) in analysis.workflow.activities.iter().zip(&analysis.effects) {
        let method = effects.provider.as_deref().and_then(|outputs| outputs.method);
        let (Some(provider), Some(method)) = (activity.provider(), method) else { continue };
        if sets_expiry(provider, method)
            || takes_built_case(provider, method) && cx.built_case_expires(analysis, activity)
        {
            for write in effects.writes.own().iter().filter(|write| matches!(write.by, Writer::Output { .. })) {
                requests.entry(write.variable).or_insert(activity);
            }
        }
    }
    requests
}

/// Whether a request lets its case expire (docs/platform-methods.md, E-signature methods, Signing case): with a number above 0,
/// or with the value of a variable.
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
        case.is_some_and(|case| expires(&as_signing_case(case)))
    }
}

/// Whether a request takes its case from the variable that scripts set.
fn takes_built_case(provider: &Provider<'_>, method: &Method) -> bool {
    let case = method.parameter_of_kind(ParameterKind::CaseJson).and_then(|json| provider.parameter(&json.name));
    let target = case.and_then(|case| case.value.get()).and_then(Binding::target);
    target.is_some_and(|(_, variable)| variable == SCRIPT_RESULT)
}

/// The expiring request whose case a lookup in the body is about.
fn expiring_request<'c>(
    while_loop: &Loop<'c, '_>,
    status: VarId,
    requests: &BTreeMap<VarId, &'c Activity<'c>>,
) -> Option<&'c Activity<'c>> {
    let effects = while_loop.body().filter_map(|inner| while_loop.analysis.effects(inner.id));
    let lookups = effects.filter(|effects| effects.writes.to(status).next().is_some());
    lookups.flat_map(|effects| &effects.reads).find_map(|read| requests.get(&read.variable).copied())
}

/// Whether the loop compares the status, or a copy of it, with a status that is not documented, or that only a catalog
/// of the user documents: it may be that of an expired case.
fn compares_other_statuses(
    requests: &Requests<'_>,
    while_loop: &Loop<'_, '_>,
    status: VarId,
    statuses: &[&Status],
) -> bool {
    let holds_status = |variable| variable == status || requests.copies.contains(&(status, variable));
    let built_in: HashSet<&str> = built_in_statuses().collect();
    let extends_built_in = statuses.iter().any(|status| built_in.contains(status.value.as_str()));
    let is_other = |value| match value {
        OperandValue::Literal(Literal::Text(text)) => {
            let is_documented = statuses.iter().any(|status| status.documented && status.value == text);
            !is_documented || extends_built_in && !built_in.contains(text)
        }
        _ => false,
    };
    let conditions = std::iter::once(while_loop.activity).chain(while_loop.body());
    conditions.filter_map(|inner| while_loop.analysis.effects(inner.id)?.condition.as_deref()).any(|condition| {
        condition.variables().any(holds_status) && (is_other(condition.left) || is_other(condition.right))
    })
}

fn built_in_statuses() -> impl Iterator<Item = &'static str> {
    let outputs = Catalog::built_in().methods.iter().flat_map(|method| &method.outputs);
    outputs.flat_map(|output| &output.statuses).map(|status| status.value.as_str())
}
