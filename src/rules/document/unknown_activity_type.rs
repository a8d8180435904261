use crate::facts::{Context, Place};
use crate::model::{ActivityKind, TYPES};
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, Severity};
use crate::text::{MAX_NAME, quote, truncate};

pub const RULE: Rule = Rule {
    code: "WF006",
    name: "unknown-activity-type",
    severity: Severity::Error,
    fixes: Fixes::Unsafe,
    page: include_str!("../../../rules/WF006-unknown-activity-type.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities() {
        let (ActivityKind::Unknown { .. }, Some((node, name))) = (&activity.kind, activity.type_name.known()) else {
            continue;
        };
        let declared = cx.config.types.activities.keys().map(String::as_str);
        let near = cx.suggester.nearest(name, TYPES.into_iter().chain(declared));
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None if name.is_empty() => "set `type` to an activity type".to_owned(),
            None => format!(
                "declare it under `[types]` in wflint.toml if the platform has it: \
                 `activities = {{ {} = \"leaf\" }}`, or \"container\" if it runs children",
                serde_json::Value::from(&*truncate(name, MAX_NAME))
            ),
        };
        let message = if name.is_empty() {
            format!("empty `type` of {}", activity.display_name())
        } else {
            format!("unknown activity type {}", quote(name))
        };
        let mut draft = out.report(&Place::value(analysis.file, node), message);
        draft.help(help);
        if let Some(near) = near {
            let json = serde_json::Value::from(near).to_string();
            draft.fix_value(Applicability::Unsafe, format!("set `type` to {}", quote(near)), node, json);
        }
    }
}
