use crate::document::NodeId;
use crate::facts::{Context, Place};
use crate::model::Variable;
use crate::rules::{Cause, Reporter, Rule};
use crate::text::diagnostic::{FileId, Severity};
use crate::text::quote;

pub const RULE: Rule = rule!("WF115-invalid-mask-range", Info | Warning, check, recommends_infos: true);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (file, variables) in cx.variable_lists() {
        for variable in variables {
            let is_negative = report_negative_numbers(file, variable, out);
            if !is_negative && variable.details().should_hide.value() == Some(false) {
                report_unused_mask(file, variable, out);
            }
        }
    }
}

/// Reports numbers that no mask can have. Returns whether there are any.
fn report_negative_numbers(file: FileId, variable: &Variable<'_>, out: &mut Reporter<'_>) -> bool {
    let members = [("hideStartIndex", &variable.details().hide_start), ("hideLength", &variable.details().hide_length)];
    let mut is_negative = false;
    for (member, value) in members {
        let Some((node, &number)) = value.known().filter(|(_, number)| **number < 0) else { continue };
        is_negative = true;
        let name = quote(variable.name.value().unwrap_or_default());
        out.report(&Place::value(file, node), format!("negative `{member}` of variable {name}: {number}"))
            .help(format!("set `{member}` to 0 or more"))
            .severity(Severity::Warning);
    }
    is_negative
}

/// Reports a mask that hides nothing, at its first member.
fn report_unused_mask(file: FileId, variable: &Variable<'_>, out: &mut Reporter<'_>) {
    let mask = mask(variable);
    let Some((&first, rest)) = mask.split_first() else { return };
    let name = variable.name.value().unwrap_or_default();
    let mut draft = out.report(
        &Place::value(file, first),
        format!("unused mask of variable {}, `shouldHide` is `false`", quote(name)),
    );
    draft
        .help("set `shouldHide` to `true` if the value is to be masked, or clear the mask")
        .cause(Cause::Variable(name.to_owned()));
    for &node in rest {
        draft.related(&Place::value(file, node), "part of the mask");
    }
}

/// The members that say what is masked.
fn mask(variable: &Variable<'_>) -> Vec<NodeId> {
    let all = variable.details().hide_all.node().filter(|_| variable.details().hide_all.is_true());
    let ranges = [&variable.details().hide_start, &variable.details().hide_length];
    let ranges = ranges.into_iter().filter_map(|member| Some(member.known().filter(|(_, number)| **number != 0)?.0));
    all.into_iter().chain(ranges).collect()
}
