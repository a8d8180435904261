use crate::common::collections::{HashMap, HashSet};
use crate::facts::{Context, FilledByScripts, Place};
use crate::model::FieldType;
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;
use crate::text::quote;

pub const RULE: Rule = rule!("WF604-duplicate-field-name", Error, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for form in &cx.model.forms {
        let mut first = HashMap::default();
        let scripts = FilledByScripts::mentioned(cx, form.form);
        let names = || form.form.fields.iter().filter_map(|field| field.name.value()).map(str::to_owned);
        let mut taken: Option<HashSet<String>> = None;
        first.reserve(form.form.fields.len());
        for field in form.form.fields.iter().filter(|field| field.field_type != FieldType::FormSection) {
            let Some((node, &name)) = field.name.known().filter(|(_, name)| !name.is_empty()) else { continue };
            let Some(&earlier) = first.get(name) else {
                first.insert(name, node);
                continue;
            };
            let mut draft = out.report(&Place::value(form.file, node), format!("duplicate field name {}", quote(name)));
            draft.related(&Place::value(form.file, earlier), "first used here");
            // Which of the fields a script means is not known.
            if scripts.contains(field, None) {
                draft.help("rename one of the fields, also in the scripts that use it");
                continue;
            }
            let free = free_name(name, taken.get_or_insert_with(|| names().collect()));
            let json = serde_json::Value::from(free.as_str()).to_string();
            draft.fix_value(Applicability::Unsafe, format!("rename it to {}", quote(&free)), node, json);
        }
    }
}

/// A name with a number that no field has yet; it is taken then.
fn free_name(name: &str, taken: &mut HashSet<String>) -> String {
    let base = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let base = if base.is_empty() { name } else { base };
    let free =
        (2..=u32::MAX).map(|number| format!("{base}{number}")).find(|name| !taken.contains(name)).unwrap_or_default();
    taken.insert(free.clone());
    free
}
