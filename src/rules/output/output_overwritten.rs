use crate::facts::{Context, ProviderSite};
use crate::rules::{Cause, Reporter, Rule};
use crate::text::quoted_list;

pub const RULE: Rule = rule!("WF305-output-overwritten", Warning, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        let analysis = site.analysis;
        if analysis.is_merged(site.activity.id) {
            continue;
        }
        let overwrites = analysis.paths.overwrites_by(site.activity.id);
        // An output that is read on some path is not lost on all of them.
        let lost: Vec<_> = overwrites
            .filter(|(overwrite, paths)| {
                let output = (overwrite.earlier, overwrite.variable);
                paths.some_unread && !paths.some_read && !analysis.paths.read_outputs.contains(&output)
            })
            .map(|(overwrite, _)| overwrite)
            .collect();
        let Some(earlier) = lost.first().map(|overwrite| overwrite.earlier) else { continue };
        let names: Vec<&str> = lost
            .iter()
            .filter(|overwrite| overwrite.earlier == earlier)
            .map(|overwrite| analysis.names.name(overwrite.variable))
            .collect();
        let Some(earlier) = ProviderSite::of_activity(analysis, earlier) else { continue };
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
        .help(if names.iter().any(|name| site.prefixes(name) || earlier.prefixes(name)) {
            "give one of the two activities another `Prefix`, and declare variables for its outputs"
        } else {
            "read the value in between: the plug-in places no prefix before it"
        })
        .cause(Cause::Node(analysis.file, site.activity.node))
        .related(&earlier.prefix_place(), "first written here");
    }
}
