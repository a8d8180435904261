use crate::facts::{Context, Place};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = rule!("WF008-newer-version-available", Info, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities() {
        let Some((node, true)) = activity.has_newer_version.known().map(|(node, flag)| (node, *flag)) else { continue };
        out.report(
            &Place::value(analysis.file, node),
            format!("outdated activity {}, the platform has a newer version", activity.display_name()),
        )
        .help("open it in the editor, select the newer version, and test the workflow");
    }
}
