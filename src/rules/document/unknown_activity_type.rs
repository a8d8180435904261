use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place};
use crate::model::{Kind, TYPES};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF006",
    name: "unknown-activity-type",
    severity: Severity::Error,
    page: include_str!("../../../rules/WF006-unknown-activity-type.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities() {
        let (Kind::Unknown { .. }, Some((node, name))) = (&activity.kind, activity.type_name.known()) else { continue };
        let declared = cx.config.types.activities.keys().map(String::as_str);
        let help = match cx.suggester.nearest(name, TYPES.into_iter().chain(declared)) {
            Some(near) => format!("did you mean `{near}`?"),
            None if name.is_empty() => "name the type".to_owned(),
            None => format!(
                "if the platform has this building block, declare it in wflint.toml under `[types]`: \
                 `activities = {{ {} = \"leaf\" }}`, or \"container\" if it runs children",
                serde_json::Value::from(*name)
            ),
        };
        out.report(
            &Place::value(analysis.file, node),
            format!("{} is no type of activity, so what it does is not known", quote(name)),
        )
        .help(help);
    }
}
