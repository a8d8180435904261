use crate::diagnostic::Severity;
use crate::facts::{Context, Place};
use crate::graph::Analysis;
use crate::model::{Activity, Binding, Kind, Member};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF405",
    name: "busy-loop",
    severity: Severity::Warning,
    other_severities: &[Severity::Error],
    page: include_str!("../../../rules/WF405-busy-loop.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities() {
        let Kind::While { delay, .. } = &activity.kind else { continue };
        let least = cx.config.min_poll_seconds;
        let every = "write the seconds to wait in each round; the documented services wait 300".to_owned();
        let (message, help, severity) = match seconds(delay) {
            Delay::NotKnown => continue,
            Delay::None | Delay::Seconds(0.0) => {
                ("this loop does not wait between its rounds".to_owned(), every, Severity::Warning)
            }
            Delay::NoNumber => ("this delay is no number, so the loop cannot wait".to_owned(), every, Severity::Error),
            Delay::Seconds(seconds) if seconds < 0.0 => {
                ("this delay is negative, so the loop cannot wait".to_owned(), every, Severity::Error)
            }
            Delay::Seconds(seconds) if seconds < least && calls_a_provider(analysis, activity) => (
                format!("this loop calls a provider every {seconds} seconds"),
                format!(
                    "wait at least {least} seconds (`min-poll-seconds` in wflint.toml); the documented services wait 300"
                ),
                Severity::Warning,
            ),
            Delay::Seconds(_) => continue,
        };
        let node = delay.node().unwrap_or(activity.node);
        out.report(&Place::value(analysis.file, node), message).help(help).severity(severity);
    }
}

enum Delay {
    None,
    Seconds(f64),
    NoNumber,
    NotKnown,
}

fn seconds(delay: &Member<Binding<'_>>) -> Delay {
    match delay {
        Member::Absent => Delay::None,
        Member::Unknown(_) => Delay::NotKnown,
        Member::Known(_, binding) if binding.is_empty() => Delay::None,
        Member::Known(_, binding) => match binding.literal() {
            Some((_, literal)) => literal.as_number().map_or(Delay::NoNumber, Delay::Seconds),
            None => Delay::NotKnown,
        },
    }
}

fn calls_a_provider(analysis: &Analysis<'_>, activity: &Activity<'_>) -> bool {
    analysis.workflow.inside(activity).any(|inner| matches!(inner.kind, Kind::Provider(_)))
}
