use std::collections::BTreeMap;

use crate::common::collections::HashMap;
use crate::facts::{Context, ProviderSite};
use crate::graph::{Analysis, Overwrite, Prefix};
use crate::model::ActivityId;
use crate::rules::{Cause, Reporter, Rule};
use crate::text::diagnostic::FileId;
use crate::text::quoted_list;

pub const RULE: Rule = rule!("WF311-unprefixed-collision", Warning, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let sites: HashMap<(FileId, ActivityId), ProviderSite<'_, '_>> =
        cx.providers().filter(is_unprefixed).map(|site| ((site.analysis.file, site.activity.id), site)).collect();
    for analysis in &cx.workflows {
        for ((later, earlier), names) in collisions(analysis) {
            let site = |id| sites.get(&(analysis.file, id));
            if let (Some(later), Some(earlier)) = (site(later), site(earlier)) {
                report(later, earlier, &names, out);
            }
        }
    }
}

/// Whether a provider activity certainly names its outputs without a prefix.
fn is_unprefixed(site: &ProviderSite<'_, '_>) -> bool {
    site.outputs.prefix == Prefix::Static("")
}

/// Each pair of activities of which one overwrites an output of the other, the later in the document first, with the
/// names of the outputs. In a loop each may overwrite the other; that is one pair.
fn collisions<'c>(analysis: &'c Analysis<'_>) -> BTreeMap<(ActivityId, ActivityId), Vec<&'c str>> {
    let mut found: BTreeMap<_, Vec<&str>> = BTreeMap::new();
    for &Overwrite { later, variable, earlier } in analysis.paths.overwrites.keys() {
        let names = found.entry((later.max(earlier), later.min(earlier))).or_default();
        let name = analysis.names.name(variable);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    found
}

fn report(later: &ProviderSite<'_, '_>, earlier: &ProviderSite<'_, '_>, names: &[&str], out: &mut Reporter<'_>) {
    let help = if names.iter().any(|name| later.prefixes(name) || earlier.prefixes(name)) {
        "give each of the two its own `Prefix`, and declare variables for the outputs"
    } else {
        "read the value in between: the plug-ins place no prefix before it"
    };
    let outputs = if names.len() == 1 { "output" } else { "outputs" };
    let (names, later_name) = (quoted_list(names, "and"), later.activity.display_name());
    let message =
        format!("colliding {outputs} {names}: {} and {later_name} have no prefix", earlier.activity.display_name());
    out.report(&later.at(later.activity.node), message)
        .help(help)
        .related(&earlier.at(earlier.activity.node), "the other activity without a prefix")
        .cause(Cause::Node(earlier.analysis.file, earlier.activity.node));
}
