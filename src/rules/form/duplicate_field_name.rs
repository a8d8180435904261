use crate::common::collections::HashMap;
use crate::facts::{Context, Place};
use crate::model::FieldType;
use crate::rules::{Reporter, Rule};
use crate::text::quote;

pub const RULE: Rule = rule!("WF604-duplicate-field-name", Error, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for form in &cx.model.forms {
        let mut first = HashMap::default();
        first.reserve(form.form.fields.len());
        for field in form.form.fields.iter().filter(|field| field.field_type != FieldType::FormSection) {
            let Some((node, &name)) = field.name.known().filter(|(_, name)| !name.is_empty()) else { continue };
            let Some(&earlier) = first.get(name) else {
                first.insert(name, node);
                continue;
            };
            out.report(&Place::value(form.file, node), format!("duplicate field name {}", quote(name)))
                .help("rename one of the fields, also in the scripts that use it")
                .related(&Place::value(form.file, earlier), "first used here");
        }
    }
}
