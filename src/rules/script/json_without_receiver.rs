use crate::facts::Context;
use crate::graph::Resolution;
use crate::rules::script::{JSON, parsed};
use crate::rules::{Cause, Reporter, Rule};
use crate::text::quote;

pub const RULE: Rule = rule!("WF807-json-without-receiver", Warning, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (site, script) in parsed(cx) {
        let Some(first) = script.json.assignments.first() else { continue };
        let Resolution::Undefined(near) = site.analysis.scope.resolve(JSON) else { continue };
        let help = match near {
            Some(near) => format!("rename the variable {} to `Json`", quote(near.name)),
            None => "declare a variable `Json`, or remove the activity".to_owned(),
        };
        let activity = site.activity.display_name();
        let position = site.position(&first.target);
        let message = format!("missing variable `Json` for the result of {activity}{position}");
        let mut draft = out.report(&site.inside(first.target.clone()), message);
        draft.help(help).cause(Cause::Variable(JSON.to_owned()));
    }
}
