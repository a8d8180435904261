use crate::document::NodeId;
use crate::facts::{Context, Place, declaration_edits, flag_edits};
use crate::model::{Member, Variable, VariableDetails};
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, Edit, FileId, Severity};
use crate::text::quote;

pub const RULE: Rule =
    rule!("WF115-invalid-mask-range", Info | Warning, check, fixes: Fixes::Unsafe, recommends_infos: true);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (file, variables) in cx.variable_lists() {
        for variable in variables {
            let is_negative = report_negative_numbers(cx, file, variable, out);
            if !is_negative && variable.details().should_hide.value() == Some(false) {
                report_unused_mask(cx, file, variable, out);
            }
        }
    }
}

/// Reports numbers that no mask can have. Returns whether there are any.
fn report_negative_numbers(cx: &Context<'_>, file: FileId, variable: &Variable<'_>, out: &mut Reporter<'_>) -> bool {
    let mut is_negative = false;
    for (member, select) in NUMBERS {
        let value = select(variable.details());
        let Some((node, &number)) = value.known().filter(|(_, number)| **number < 0) else { continue };
        is_negative = true;
        let name = variable.name.value().unwrap_or_default();
        let edits = declaration_edits(cx, name, |variable| {
            select(variable.details()).known().filter(|(_, copy)| **copy == number).map(|(node, _)| (node, "0"))
        });
        let (edits, title) = with_mask(cx, variable, edits, format!("set `{member}` to 0"));
        let name = quote(name);
        out.report(&Place::value(file, node), format!("negative `{member}` of variable {name}: {number}"))
            .severity(Severity::Warning)
            .fix(Applicability::Unsafe, title, edits);
    }
    is_negative
}

/// The numbers of a mask.
const NUMBERS: [(&str, Number); 2] =
    [("hideStartIndex", |details| &details.hide_start), ("hideLength", |details| &details.hide_length)];

type Number = for<'m, 'd> fn(&'m VariableDetails<'d>) -> &'m Member<i64>;

/// The edits and their title, and the mask switched on, where the rest of it would have no effect.
fn with_mask(cx: &Context<'_>, variable: &Variable<'_>, mut edits: Vec<Edit>, title: String) -> (Vec<Edit>, String) {
    let details = variable.details();
    let is_set = details.hide_all.is_true()
        || NUMBERS.iter().any(|(_, select)| select(details).value().is_some_and(|number| number > 0));
    if !is_set || details.should_hide.value() != Some(false) {
        return (edits, title);
    }
    edits.extend(mask_edits(cx, variable));
    (edits, format!("{title} and `shouldHide` to `true`"))
}

fn mask_edits(cx: &Context<'_>, variable: &Variable<'_>) -> Vec<Edit> {
    flag_edits(cx, variable.name.value().unwrap_or_default(), |details| &details.should_hide, false)
}

/// Reports a mask that hides nothing, at its first member.
fn report_unused_mask(cx: &Context<'_>, file: FileId, variable: &Variable<'_>, out: &mut Reporter<'_>) {
    let mask = mask(variable);
    let Some((&first, rest)) = mask.split_first() else { return };
    let name = variable.name.value().unwrap_or_default();
    let mut draft = out.report(
        &Place::value(file, first),
        format!("unused mask of variable {}, `shouldHide` is `false`", quote(name)),
    );
    draft.help("clear the mask if nothing is to be hidden").cause(Cause::Variable(name.to_owned())).fix(
        Applicability::Unsafe,
        "set `shouldHide` to `true`",
        mask_edits(cx, variable),
    );
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
