use crate::common::collections::HashMap;
use crate::facts::{Context, Place, mismatch};
use crate::model::Field;
use crate::rules::form::{describe, explain_meant};
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::quote;

pub const RULE: Rule = rule!("WF605-shared-field-variable", Warning, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (form, scope) in cx.forms() {
        let wrong = cx.wrong_bindings().get(&form.file);
        let meant_by = |node| wrong.and_then(|wrong| wrong.get(&node));
        // A field whose variable has the wrong type is that of WF603.
        let fields = || form.form.fields.iter().filter(|field| mismatch(field, scope).is_none());
        let mut owners: HashMap<&str, &Field<'_>> = HashMap::default();
        owners.reserve(form.form.fields.len());
        let targets = || fields().filter_map(|field| Some((field, field.target()?)));
        for (field, (node, variable)) in targets() {
            if meant_by(node).is_none() {
                owners.entry(variable).or_insert(field);
            }
        }
        for (field, (_, variable)) in targets() {
            owners.entry(variable).or_insert(field);
        }
        for (field, (node, variable)) in targets() {
            let meant = meant_by(node);
            let owner = owners.get(variable).filter(|owner| owner.node != field.node);
            if owner.is_none() && meant.is_none() {
                continue;
            }
            let both =
                owner.map_or_else(|| describe(field), |owner| format!("{} and {}", describe(owner), describe(field)));
            // A readonly field shows the variable, so that no value of it is lost.
            let is_shown = field.readonly.is_true() || owner.is_some_and(|owner| owner.readonly.is_true());
            let consequence = match meant {
                Some(meant) => format!(", nothing writes {}", quote(&meant.name)),
                None if is_shown => String::new(),
                None => ", one value is lost".to_owned(),
            };
            let message = format!("shared variable {} in {both}{consequence}", quote(variable));
            let mut draft = out.report(&Place::value(form.file, node), message);
            match meant {
                Some(meant) => explain_meant(meant, &describe(field), node, &mut draft),
                None => _ = draft.help("bind each field to its own variable"),
            }
            if let Some((owner, _)) = owner.and_then(|owner| owner.target()) {
                draft.related(&Place::value(form.file, owner), "also bound here");
            }
        }
    }
}
