use std::cell::OnceCell;
use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;

use crate::common::collections::HashSet;
use crate::common::limits::MAX_SEARCH_STEPS;
use crate::document::NodeId;
use crate::facts::{Context, Place, without_activities};
use crate::graph::{Analysis, Effects, Origin, Resolution, Store, StoreQuery, StoreUse, VarId, Writer, Written};
use crate::model::{Activity, ActivityId, ActivityKind};
use crate::rules::{Cause, Draft, Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;
use crate::text::quote;

pub const RULE: Rule =
    rule!("WF308-dead-assignment", Info, check, recommends_infos: true, marks_unnecessary: true, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    if cx.model.has_broken_file {
        return;
    }
    let script_words = OnceCell::new();
    let script_mentions = |name: &str| script_words.get_or_init(|| variables_in_scripts(cx)).contains(name);
    let mut budget = MAX_SEARCH_STEPS;
    let mut is_cut_off = false;
    for analysis in &cx.workflows {
        let declarations = &analysis.scope.declarations;
        if !declarations.are_there || declarations.are_incomplete {
            continue;
        }
        let name = |variable| analysis.names.name(variable);
        // Where a name is undefined, it may stand for any variable that nothing else reads.
        let may_be_read = |name: &str| {
            cx.usage.is_read_by_another(analysis.file, name) || cx.usage.may_read && !cx.usage.has_known_reader(name)
        };
        let all = assignments(analysis).filter(|(_, variable)| !may_be_read(name(*variable)));
        let (read, never_read): (Vec<_>, Vec<_>) = all.partition(|(_, variable)| cx.usage.is_read(name(*variable)));
        let stores = read.iter().map(|&(activity, variable)| Store { activity: activity.id, variable });
        let query = StoreQuery {
            is_live_at_end: &|variable| cx.usage.is_read_outside(name(variable)),
            overwrites: &|activity, effects, variable| overwrites(activity, effects, variable, name(variable)),
        };
        let uses = analysis.store_uses(&stores.collect::<Vec<_>>(), &query, &mut budget);
        for ((activity, variable), found) in read.into_iter().zip(uses) {
            match found {
                StoreUse::Dead(by) if !script_mentions(name(variable)) => {
                    report_lost(cx, analysis, (activity, variable), by, out);
                }
                StoreUse::Unknown if !std::mem::replace(&mut is_cut_off, true) => {
                    let message = "unchecked assignments from here on: too many to search for their reads";
                    out.report(&Place::value(analysis.file, result(activity)), message)
                        .help("split the workflow into several");
                }
                _ => {}
            }
        }
        let mut unread: BTreeMap<VarId, Vec<&Activity<'_>>> = BTreeMap::new();
        for (activity, variable) in never_read.into_iter().filter(|(_, variable)| !script_mentions(name(*variable))) {
            unread.entry(variable).or_default().push(activity);
        }
        for (variable, activities) in unread {
            report_unread(cx, analysis, variable, &activities, out);
        }
    }
}

/// The reachable Assigns that change a declared variable of the order, with that variable.
fn assignments<'c, 'a>(analysis: &'c Analysis<'a>) -> impl Iterator<Item = (&'c Activity<'a>, VarId)> {
    let read_by_unreachable = read_by_unreachable(analysis);
    analysis.workflow.activities.iter().zip(&analysis.effects).filter_map(move |(activity, effects)| {
        let write = effects.writes.get(0).filter(|_| effects.writes.len() == 1)?;
        let name = analysis.names.name(write.variable);
        let is_ours =
            matches!(analysis.scope.resolve(name), Resolution::Declared(_)) && !analysis.scope.is_system(name);
        let counts = matches!(activity.kind, ActivityKind::Assign(_))
            && !write.guessed
            && is_ours
            && analysis.reaches(activity.id)
            // WF010: it never runs.
            && !analysis.workflow.ancestors(activity).any(|outer| outer.kind.runs_no_children())
            && !read_by_unreachable.contains(&write.variable);
        counts.then_some((activity, write.variable))
    })
}

/// The variables that an unreachable activity reads: an assignment is not dead because its reader is.
fn read_by_unreachable(analysis: &Analysis<'_>) -> HashSet<VarId> {
    let unreachable = (0..).map(ActivityId).zip(&analysis.effects).filter(|(id, _)| !analysis.reaches(*id));
    unreachable.flat_map(|(_, effects)| effects.reads.iter().map(|read| read.variable)).collect()
}

/// Whether an activity certainly writes the variable. A property that is requested may be absent from the result,
/// and what a script or an approver does is not known.
fn overwrites(activity: &Activity<'_>, effects: &Effects<'_>, variable: VarId, name: &str) -> bool {
    let stops = activity.provider().is_some_and(|provider| provider.stops_on_error());
    let outputs = || effects.provider.as_deref().into_iter().flat_map(|provider| &provider.outputs);
    let is_fixed_output = || outputs().any(|output| output.origin == Origin::Fixed && output.name == name);
    effects.writes.to(variable).filter(|write| !write.guessed).any(|write| match write.by {
        Writer::Assign | Writer::ProviderResult => true,
        Writer::Output { .. } => stops && is_fixed_output(),
        Writer::ApprovalResult | Writer::Script | Writer::Form | Writer::Declared => false,
    })
}

fn report_unread<'a>(
    cx: &Context<'a>,
    analysis: &Analysis<'a>,
    variable: VarId,
    activities: &[&Activity<'a>],
    out: &mut Reporter<'_>,
) {
    let Some((first, rest)) = activities.split_first() else { return };
    let name = quote(analysis.names.name(variable));
    let place = Place::value(analysis.file, result(first));
    let mut draft = out.report(&place, format!("dead assignment to {name}: nothing reads it"));
    if !fix(cx, analysis, activities, &mut draft) {
        draft.help("remove the Assign, or use the variable");
    }
    for other in rest.iter().take(MAX_RELATED) {
        draft.related(&Place::value(analysis.file, result(other)), "also assigned here");
    }
}

/// Places that are shown with a finding.
const MAX_RELATED: usize = 10;

/// Removes the Assigns of literals and copies. Returns false for other ones, which somebody composed, and where something
/// else in the workflow may need their value.
fn fix<'a>(cx: &Context<'a>, analysis: &Analysis<'a>, activities: &[&Activity<'a>], draft: &mut Draft<'_>) -> bool {
    let is_simple = |activity: &&Activity<'_>| {
        let write = analysis.effects(activity.id).and_then(|effects| effects.writes.own().first());
        write.is_some_and(|write| match write.value {
            // Braces without a variable are most likely a mistake.
            Written::Constant(text) => !text.contains('{'),
            Written::Copy(_) => true,
            Written::Unknown => false,
        })
    };
    if cx.removable().is_incomplete(analysis.file) || !activities.iter().all(is_simple) {
        return false;
    }
    let Some(removal) = without_activities(cx, analysis, activities) else { return false };
    let title = removal.title(if activities.len() > 1 { "the Assigns" } else { "the Assign" });
    draft.help("read the variable, if its value is needed").fix(Applicability::Unsafe, title, removal.edits);
    true
}

fn report_lost<'a>(
    cx: &Context<'a>,
    analysis: &Analysis<'a>,
    (activity, variable): (&Activity<'a>, VarId),
    by: Option<ActivityId>,
    out: &mut Reporter<'_>,
) {
    let name = quote(analysis.names.name(variable));
    let by = by.and_then(|by| analysis.workflow.activity(by));
    let reason = match by {
        Some(by) if by.id == activity.id => "overwritten in the next iteration before it is read".to_owned(),
        Some(by) => format!("overwritten by {} before it is read", by.display_name()),
        None => "not read on any path".to_owned(),
    };
    let place = Place::value(analysis.file, result(activity));
    let mut draft = out.report(&place, format!("dead assignment to {name}: {reason}"));
    if !fix(cx, analysis, &[activity], &mut draft) {
        draft.help("remove the Assign, or read the variable after it");
    }
    draft.cause(Cause::Node(analysis.file, activity.node));
    if let Some(by) = by.filter(|by| by.id != activity.id) {
        draft.related(&Place::value(analysis.file, by.node), "overwritten here");
    }
}

fn result(activity: &Activity<'_>) -> NodeId {
    match &activity.kind {
        ActivityKind::Assign(assign) => assign.result.node().unwrap_or(activity.node),
        _ => activity.node,
    }
}

/// The names of the variables that activities of a workflow write themselves.
fn names_written_by_activities<'c>(analysis: &'c Analysis<'_>) -> impl Iterator<Item = &'c str> {
    let writes = analysis.effects.iter().flat_map(|effects| effects.writes.own());
    let written: FixedBitSet = writes.map(|write| write.variable.0 as usize).collect();
    analysis.names.ids().filter(move |id| written.contains(id.0 as usize)).map(|id| analysis.names.name(id))
}

/// Those words of the scripts of Code activities that are variables some activity writes. A script may read a variable in
/// ways that are not documented.
fn variables_in_scripts<'c>(cx: &'c Context<'_>) -> HashSet<&'c str> {
    let code = |activity: &'c Activity<'_>| match &activity.kind {
        ActivityKind::Code(code) => code.script.value(),
        _ => None,
    };
    let mut scripts = cx.activities().filter_map(|(_, activity)| code(activity)).peekable();
    if scripts.peek().is_none() {
        return HashSet::default();
    }
    let written: HashSet<&str> = cx.workflows.iter().flat_map(names_written_by_activities).collect();
    let first_byte = |name: &str| name.bytes().next().map_or(0, usize::from);
    let first_bytes: FixedBitSet = written.iter().map(|name| first_byte(name)).collect();
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
    let words = scripts.flat_map(|script| script.split(move |letter| !is_part(letter)));
    // Most words begin with another byte than all of these names.
    let words = words.filter(|word| first_bytes.contains(first_byte(word)));
    words.filter(|word| written.contains(word)).collect()
}
