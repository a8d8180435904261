use crate::facts::{Context, Place};
use crate::model::{FIELD_TYPES, FieldType};
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::Severity;
use crate::text::{MAX_NAME, quote, truncate};

pub const RULE: Rule = rule!("WF620-unknown-field-type", Info | Warning, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for form in &cx.model.forms {
        for field in form.form.fields.iter().filter(|field| field.field_type == FieldType::Unknown) {
            let Some((node, name)) = field.type_name.known() else { continue };
            let place = Place::value(form.file, node);
            let message = format!("unknown field type {}", quote(name));
            let known = || FIELD_TYPES.into_iter().chain(cx.config.types.fields.iter());
            match cx.suggester.nearest(name, known()) {
                Some(near) => {
                    let is_only = cx.suggester.is_only(name, near, known());
                    out.report(&place, message).suggest(near, is_only, "type", node).severity(Severity::Warning);
                }
                None => {
                    let help = format!(
                        "declare the type under `[types]` in `wflint.toml` if the platform has it: `fields = [{}]`",
                        serde_json::Value::from(&*truncate(name, MAX_NAME))
                    );
                    out.report(&place, message).help(help);
                }
            }
        }
    }
}
