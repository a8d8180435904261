use crate::diagnostic::{FileId, Severity, quote};
use crate::document::NodeId;
use crate::facts::{Context, Place};
use crate::model::Variable;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF115",
    name: "invalid-mask-range",
    severity: Severity::Info,
    other_severities: &[Severity::Warning],
    page: include_str!("../../../rules/WF115-invalid-mask-range.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let personal_ids = cx.personal_ids();
    for (file, variables) in cx.variable_lists() {
        for variable in variables {
            let is_negative = tell_negative(file, variable, out);
            // A personal id that is not masked is told as such (WF614).
            if variable.name.value().is_some_and(|name| personal_ids.contains_key(name)) {
                continue;
            }
            if !is_negative && variable.should_hide.value() == Some(false) {
                tell_idle(file, variable, out);
            }
        }
    }
}

/// Tells numbers that no mask can have. Returns whether there are any.
fn tell_negative(file: FileId, variable: &Variable<'_>, out: &mut Reporter<'_>) -> bool {
    let members = [("hideStartIndex", &variable.hide_start), ("hideLength", &variable.hide_length)];
    let negative = members.map(|(member, value)| {
        let (node, &number) = value.known().filter(|(_, number)| **number < 0)?;
        let name = quote(variable.name.value().unwrap_or_default());
        let message = format!("the mask of {name} has the `{member}` {number}, and no text has such a part");
        out.report(&Place::value(file, node), message).help("write 0 or a number over it").severity(Severity::Warning);
        Some(node)
    });
    negative.iter().any(Option::is_some)
}

/// Tells a mask that hides nothing, at its first member.
fn tell_idle(file: FileId, variable: &Variable<'_>, out: &mut Reporter<'_>) {
    let Some((first, rest)) = mask(variable).split_first().map(|(first, rest)| (*first, rest.to_vec())) else { return };
    let name = quote(variable.name.value().unwrap_or_default());
    let mut draft = out.report(
        &Place::value(file, first),
        format!("{name} has a mask, but `shouldHide` is false, so it is shown in full"),
    );
    draft.help("set `shouldHide` to true if the value is to be masked, else clear the mask");
    for node in rest {
        draft.related(&Place::value(file, node), "part of the mask");
    }
}

/// The members that say what is masked.
fn mask(variable: &Variable<'_>) -> Vec<NodeId> {
    let all = variable.hide_all.node().filter(|_| variable.hide_all.is_true());
    let ranges = [&variable.hide_start, &variable.hide_length];
    let ranges = ranges.into_iter().filter_map(|member| Some(member.known().filter(|(_, number)| **number != 0)?.0));
    all.into_iter().chain(ranges).collect()
}
