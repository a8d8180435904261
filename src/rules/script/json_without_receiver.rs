use crate::facts::{Context, declaring};
use crate::graph::Resolution;
use crate::rules::script::{JSON, parsed};
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;
use crate::text::quote;

pub const RULE: Rule = rule!("WF807-json-without-receiver", Warning, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (site, script) in parsed(cx) {
        let Some(first) = script.json.assignments.first() else { continue };
        let Resolution::Undefined(near) = site.analysis.scope.resolve(JSON) else { continue };
        let activity = site.activity.display_name();
        let position = site.position(&first.target);
        let message = format!("missing variable `Json` for the result of {activity}{position}");
        let mut draft = out.report(&site.inside(first.target.clone()), message);
        draft.cause(Cause::Variable(JSON.to_owned()));
        match (near, declaring(cx, &[JSON])) {
            (Some(near), _) => draft.help(format!("rename the variable {} to `Json`", quote(near.name))),
            (None, Some(edits)) => draft.help("remove the activity if nothing needs its result").fix(
                Applicability::Unsafe,
                "declare `Json`",
                edits,
            ),
            (None, None) => draft.help("declare a variable `Json`, or remove the activity"),
        };
    }
}
