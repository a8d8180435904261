use std::collections::BTreeMap;

use crate::collections::HashMap;
use crate::diagnostic::{FileId, Severity, quote};
use crate::facts::{Context, Place, ProviderSite};
use crate::graph::Analysis;
use crate::model::ActivityId;
use crate::rules::output::is_unprefixed;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF311",
    name: "unprefixed-collision",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF311-unprefixed-collision.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let sites: HashMap<(FileId, ActivityId), ProviderSite<'_, '_>> =
        cx.providers().filter(is_unprefixed).map(|site| ((site.analysis.file, site.activity.id), site)).collect();
    for analysis in &cx.workflows {
        for ((later, earlier), names) in collisions(analysis) {
            let site = |id| sites.get(&(analysis.file, id));
            if let (Some(later), Some(earlier)) = (site(later), site(earlier)) {
                tell(analysis, later, earlier, &names, out);
            }
        }
    }
}

/// Each pair of activities of which the later takes the place of what the earlier has put somewhere,
/// with the names of the variables; the other way round, in a loop, it is the same pair.
fn collisions<'c>(analysis: &'c Analysis<'_>) -> BTreeMap<(ActivityId, ActivityId), Vec<&'c str>> {
    let mut found: BTreeMap<_, Vec<&str>> = BTreeMap::new();
    for &(one, variable, other) in analysis.paths.overwrites.keys() {
        let names = found.entry((one.max(other), one.min(other))).or_default();
        let name = analysis.names.name(variable);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    found
}

fn tell(
    analysis: &Analysis<'_>,
    later: &ProviderSite<'_, '_>,
    earlier: &ProviderSite<'_, '_>,
    names: &[&str],
    out: &mut Reporter<'_>,
) {
    let quoted: Vec<String> = names.iter().map(|name| quote(name)).collect();
    out.report(
        &Place::value(analysis.file, later.activity.node),
        format!(
            "this and {} have no prefix and both write {}, so one takes the place of the other",
            earlier.activity.display_name(),
            quoted.join(", ")
        ),
    )
    .help("give each of the two a `Prefix` of its own, and declare variables for its outputs")
    .related(&Place::value(analysis.file, earlier.activity.node), "the other one");
}
