use crate::facts::{Context, Place};
use crate::model::Variable;
use crate::rules::binding::{NO_ID, duplicates};
use crate::rules::{Cause, Reporter, Rule};
use crate::text::quote;

pub const RULE: Rule = rule!("WF108-duplicate-variable-id", Error, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (file, variables) in cx.variable_lists() {
        let id_of = |variable: &Variable<'_>| variable.id.value().filter(|&id| id != NO_ID);
        for (first, second) in duplicates(variables, id_of) {
            let (Some((node, id)), Some(first_id)) = (second.id.known(), first.id.node()) else { continue };
            let [first_name, second_name] = [first, second].map(|variable| variable.name.value());
            let [one, two] = [first_name, second_name].map(|name| quote(name.unwrap_or_default()));
            let mut draft =
                out.report(&Place::value(file, node), format!("duplicate id {id} of variables {one} and {two}"));
            draft.help("give one of them a unique id").related(&Place::value(file, first_id), format!("id of {one}"));
            for name in [first_name, second_name].into_iter().flatten() {
                draft.cause(Cause::Variable(name.to_owned()));
            }
        }
    }
}
