use crate::facts::{Context, Place};
use crate::model::Assumption;
use crate::rules::form::{describe, is_documented};
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;
use crate::text::truncate;

pub const RULE: Rule = rule!("WF607-invalid-size", Info, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for form in &cx.model.forms {
        for field in form.form.fields.iter().filter(|field| is_documented(field)) {
            let Some((node, &size)) = field.details().size.known().filter(|(_, size)| !SIZES.contains(*size)) else {
                continue;
            };
            let found = truncate(size, MAX_SHOWN);
            let message = format!("invalid size of {}: expected \"1\" to \"4\", found {found:?}", describe(field));
            let mut draft = out.report(&Place::value(form.file, node), message);
            draft.assumes(Assumption::OtherValues);
            let meant = SIZES.into_iter().find(|known| size.trim().trim_start_matches('0') == *known);
            match meant.map(|meant| format!("\"{meant}\"")) {
                Some(json) => {
                    draft.fix_value(Applicability::Unsafe, format!("set `size` to {json}"), node, json.clone())
                }
                None => draft.help("set `size` to a string from \"1\" to \"4\""),
            };
        }
    }
}

/// Characters of a size that are shown.
const MAX_SHOWN: usize = 20;

/// The documented sizes (docs/platform-methods.md, Form field).
const SIZES: [&str; 4] = ["1", "2", "3", "4"];
