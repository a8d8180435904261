use crate::common::collections::IndexMap;
use crate::document::NodeId;
use crate::facts::{Context, Place};
use crate::model::{ActivityKind, TYPES};
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::{FileId, Severity};
use crate::text::{MAX_NAME, quote, truncate};

pub const RULE: Rule =
    rule!("WF006-unknown-activity-type", Error | Info, check, fixes: Fixes::Unsafe, recommends_infos: true);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let mut undocumented: IndexMap<(FileId, &str), Uses> = IndexMap::default();
    for (analysis, activity) in cx.activities() {
        let (ActivityKind::Unknown { is_undocumented, .. }, Some((node, &name))) =
            (&activity.kind, activity.type_name.known())
        else {
            continue;
        };
        if *is_undocumented {
            let uses =
                undocumented.entry((analysis.file, name)).or_insert(Uses { first: node, count: 0, children: false });
            uses.count += 1;
            uses.children |= !activity.children().is_empty();
            continue;
        }
        let known = || TYPES.into_iter().chain(cx.config.types.activities.keys().map(String::as_str));
        let message = if name.trim().is_empty() {
            format!("empty `type` of {}", activity.display_name())
        } else {
            format!("unknown activity type {}", quote(name))
        };
        let mut draft = out.report(&Place::value(analysis.file, node), message);
        match cx.suggester.nearest(name, known()) {
            Some(near) => draft.suggest(near, cx.suggester.is_only(name, near, known()), "type", node),
            None => draft.help("set `type` to an activity type"),
        };
    }
    for ((file, name), uses) in undocumented {
        report_undocumented(&Place::value(file, uses.first), name, &uses, out);
    }
}

/// The uses of a type in a document.
struct Uses {
    first: NodeId,
    count: usize,
    /// Whether one of them has children.
    children: bool,
}

/// Reports a type that the platform may have, once in a document.
fn report_undocumented(place: &Place, name: &str, uses: &Uses, out: &mut Reporter<'_>) {
    let times = if uses.count > 1 { format!(", used {} times", uses.count) } else { String::new() };
    let (kind, or) = if uses.children { ("container", "") } else { ("leaf", ", or \"container\" if it runs children") };
    let help = format!(
        "declare it under `[types]` in wflint.toml if the platform has it: `activities = {{ {} = \"{kind}\" }}`{or}",
        serde_json::Value::from(&*truncate(name, MAX_NAME))
    );
    out.report(place, format!("unknown activity type {}{times}", quote(name))).help(help).severity(Severity::Info);
}
