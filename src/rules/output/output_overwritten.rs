use crate::collections::HashSet;
use crate::diagnostic::{FileId, Severity, quote};
use crate::facts::Context;
use crate::model::ActivityId;
use crate::rules::output::is_unprefixed;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF305",
    name: "output-overwritten",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF305-output-overwritten.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let unprefixed: HashSet<(FileId, ActivityId)> =
        cx.providers().filter(is_unprefixed).map(|site| (site.analysis.file, site.activity.id)).collect();
    for site in cx.providers() {
        let analysis = site.analysis;
        if analysis.is_merged(site.activity.id) {
            continue;
        }
        let overwrites = analysis.paths.overwrites.iter().filter(|((later, ..), _)| *later == site.activity.id);
        // What is read on some way is not lost on all of them.
        let lost: Vec<_> = overwrites
            .filter(|((_, variable, earlier), (unread, read))| {
                *unread && !*read && !analysis.paths.read_outputs.contains(&(*earlier, *variable))
            })
            .map(|(key, _)| key)
            .collect();
        // Of two without a prefix, that is what is told (WF311).
        let is_told = |earlier: ActivityId| is_unprefixed(&site) && unprefixed.contains(&(analysis.file, earlier));
        let lost: Vec<_> = lost.into_iter().filter(|(_, _, earlier)| !is_told(*earlier)).collect();
        let Some((_, _, earlier)) = lost.first() else { continue };
        let names: Vec<String> = lost
            .iter()
            .filter(|(_, _, other)| other == earlier)
            .map(|(_, variable, _)| quote(analysis.names.name(*variable)))
            .collect();
        let Some(earlier) =
            cx.providers().find(|other| other.analysis.file == analysis.file && other.activity.id == *earlier)
        else {
            continue;
        };
        out.report(
            &site.prefix_place(),
            format!(
                "this writes {} over what {} has put there, before anything reads it",
                names.join(", "),
                earlier.activity.display_name()
            ),
        )
        .help("give one of the two activities another `Prefix`, and declare variables for its outputs")
        .related(&earlier.prefix_place(), "first written here");
    }
}
