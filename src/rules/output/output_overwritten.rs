use crate::diagnostic::Severity;
use crate::facts::Context;
use crate::rules::{Cause, Reporter, Rule, YieldsTo};
use crate::text::quoted_list;

pub const RULE: Rule = Rule {
    code: "WF305",
    name: "output-overwritten",
    severity: Severity::Warning,
    yields_to: YieldsTo::Rules(&["WF311"]),
    page: include_str!("../../../rules/WF305-output-overwritten.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        let analysis = site.analysis;
        if analysis.is_merged(site.activity.id) {
            continue;
        }
        let overwrites = analysis.paths.overwrites.iter().filter(|((later, ..), _)| *later == site.activity.id);
        // What is read on some path is not lost on all of them.
        let lost: Vec<_> = overwrites
            .filter(|((_, variable, earlier), (unread, read))| {
                *unread && !*read && !analysis.paths.read_outputs.contains(&(*earlier, *variable))
            })
            .map(|(key, _)| key)
            .collect();
        let Some((_, _, earlier)) = lost.first() else { continue };
        let names: Vec<&str> = lost
            .iter()
            .filter(|(_, _, other)| other == earlier)
            .map(|(_, variable, _)| analysis.names.name(*variable))
            .collect();
        let Some(earlier) =
            cx.providers().find(|other| other.analysis.file == analysis.file && other.activity.id == *earlier)
        else {
            continue;
        };
        let (outputs, are) = if names.len() == 1 { ("output", "is") } else { ("outputs", "are") };
        out.report(
            &site.prefix_place(),
            format!(
                "{outputs} {} of {} {are} overwritten by {} before any read",
                quoted_list(&names, "and"),
                earlier.activity.display_name(),
                site.activity.display_name()
            ),
        )
        .help("give one of the two activities another `Prefix`, and declare variables for its outputs")
        .about(Cause::Node(analysis.file, site.activity.node))
        .related(&earlier.prefix_place(), "first written here");
    }
}
