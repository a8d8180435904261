use crate::document::{Editor, NewValue};
use crate::facts::{Context, NewActivities, Place};
use crate::graph::Analysis;
use crate::model::{Activity, ActivityKind, Binding, Member, State};
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, Edit, Severity};

pub const RULE: Rule = rule!("WF405-busy-loop", Warning | Error, check, fixes: Fixes::Unsafe);

/// Seconds between the lookups of the documented signing workflows (docs/platform-methods.md, Limits).
const USUAL_SECONDS: f64 = 300.0;

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities() {
        let ActivityKind::While { delay, .. } = &activity.kind else { continue };
        let minimum = cx.config.min_poll_seconds;
        let name = activity.display_name();
        let set_delay = "set `iterationDelaySeconds` to the seconds between iterations, such as 300".to_owned();
        let (message, help, severity) = match with_waits(cx, analysis, activity, read_delay(delay)) {
            Delay::Unknown => continue,
            Delay::None | Delay::Seconds(0.0) => {
                (format!("no delay between iterations of loop {name}"), set_delay, Severity::Warning)
            }
            Delay::NotANumber(found) => {
                (format!("invalid delay of loop {name}: expected a number, found {found}"), set_delay, Severity::Error)
            }
            Delay::Seconds(seconds) if seconds < 0.0 => {
                (format!("invalid delay of loop {name}: {seconds} is negative"), set_delay, Severity::Error)
            }
            Delay::Seconds(seconds) if seconds < minimum && calls_a_provider(analysis, activity) => (
                format!("loop {name} calls a provider every {seconds} seconds"),
                format!("wait at least {minimum} seconds between calls (`min-poll-seconds` in wflint.toml)"),
                Severity::Warning,
            ),
            Delay::Seconds(_) => continue,
        };
        let node = delay.node().unwrap_or(activity.node);
        let mut draft = out.report(&Place::value(analysis.file, node), message);
        draft.severity(severity);
        let seconds = USUAL_SECONDS.max(minimum);
        match with_delay(analysis, activity, delay, seconds) {
            Some(edits) => draft.fix(Applicability::Unsafe, format!("set `iterationDelaySeconds` to {seconds}"), edits),
            None => draft.help(help),
        };
    }
}

/// The edits that set the delay of a loop.
fn with_delay(
    analysis: &Analysis<'_>,
    activity: &Activity<'_>,
    delay: &Member<Box<Binding<'_>>>,
    seconds: f64,
) -> Option<Vec<Edit>> {
    let document = analysis.document;
    let mut editor = Editor::new(document, analysis.file);
    let number = NewValue::Scalar(seconds.to_string());
    match delay {
        Member::Unknown(_) => return None,
        Member::Absent if document.member(activity.node, "iterationDelaySeconds").is_some() => return None,
        Member::Absent => {
            let after = activity.expression().map(|expression| expression.node);
            let binding = NewActivities::new(analysis, activity).delay(seconds);
            editor.insert_member(activity.node, after, "iterationDelaySeconds", binding);
        }
        Member::Known(node, binding) => {
            match document.member(*node, "value") {
                Some(value) => editor.replace(value, number),
                None => editor.insert_member(*node, binding.state.node(), "value", number),
            }
            if binding.state.value() == Some(State::NotSet) {
                editor.replace(binding.state.node()?, "static");
            }
        }
    }
    Some(editor.finish())
}

enum Delay {
    None,
    Seconds(f64),
    /// The value as a message shows it.
    NotANumber(String),
    Unknown,
}

fn read_delay(delay: &Member<Box<Binding<'_>>>) -> Delay {
    match delay {
        Member::Absent => Delay::None,
        Member::Unknown(_) => Delay::Unknown,
        Member::Known(_, binding) if binding.is_empty() => Delay::None,
        Member::Known(_, binding) => match binding.literal() {
            Some((_, literal)) => {
                literal.as_number().map_or_else(|| Delay::NotANumber(literal.describe()), Delay::Seconds)
            }
            None => Delay::Unknown,
        },
    }
}

/// The delay of a loop, with the time that the activities of undocumented types inside take.
fn with_waits(cx: &Context<'_>, analysis: &Analysis<'_>, while_loop: &Activity<'_>, own: Delay) -> Delay {
    let mut seconds = match own {
        Delay::None => 0.0,
        Delay::Seconds(seconds) if seconds >= 0.0 => seconds,
        other => return other,
    };
    for inner in analysis.workflow.inside(while_loop) {
        let ActivityKind::Declared { delay, .. } = &inner.kind else {
            if let ActivityKind::Unknown { .. } = inner.kind {
                return Delay::Unknown;
            }
            continue;
        };
        let declared = inner.type_name.value().and_then(|name| cx.config.types.activities.get(name));
        match read_delay(delay) {
            Delay::Seconds(waits) => seconds += waits.max(0.0),
            Delay::None if declared.is_some_and(|declared| declared.delay.is_some()) => {}
            // It may wait.
            Delay::None | Delay::NotANumber(_) | Delay::Unknown => return Delay::Unknown,
        }
    }
    if seconds > 0.0 { Delay::Seconds(seconds) } else { own }
}

/// Whether a loop calls a provider, other than in a loop inside it, which waits before each call itself.
fn calls_a_provider(analysis: &Analysis<'_>, activity: &Activity<'_>) -> bool {
    let mut inside = analysis.workflow.inside(activity);
    inside.any(|inner| {
        let innermost = || analysis.workflow.ancestors(inner).find(|outer| is_loop(outer));
        matches!(inner.kind, ActivityKind::Provider(_)) && innermost().is_some_and(|outer| outer.id == activity.id)
    })
}

const fn is_loop(activity: &Activity<'_>) -> bool {
    matches!(activity.kind, ActivityKind::While { .. })
}
