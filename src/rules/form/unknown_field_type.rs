use crate::facts::{Context, Place};
use crate::model::{FIELD_TYPES, FieldType};
use crate::rules::{Reporter, Rule};
use crate::text::diagnostic::Severity;
use crate::text::{MAX_NAME, quote, truncate};

pub const RULE: Rule = rule!("WF620-unknown-field-type", Info | Warning, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for form in &cx.model.forms {
        for field in form.form.fields.iter().filter(|field| field.field_type == FieldType::Unknown) {
            let Some((node, name)) = field.type_name.known() else { continue };
            let place = Place::value(form.file, node);
            let message = format!("unknown field type {}", quote(name));
            let declared = cx.config.types.fields.iter();
            match cx.suggester.nearest(name, FIELD_TYPES.into_iter().chain(declared)) {
                Some(near) => {
                    out.report(&place, message).help(format!("did you mean `{near}`?")).severity(Severity::Warning);
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
