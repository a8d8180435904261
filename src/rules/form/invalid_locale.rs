use crate::document::NodeId;
use crate::facts::{Context, Place};
use crate::model::{ActivityKind, LocaleText, Locales, Member};
use crate::rules::form::{describe, is_documented};
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, Edit, FileId};
use crate::text::locale;
use crate::text::quote;

pub const RULE: Rule = rule!("WF612-invalid-locale", Warning, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for form in &cx.model.forms {
        for field in &form.form.fields {
            let owner = || describe(field);
            report(cx, form.file, &field.display_name, owner, out);
            report(cx, form.file, &field.details().description, owner, out);
            // The properties of other types are not documented.
            if is_documented(field) {
                let properties = field.properties();
                for texts in [&properties.default_value, &properties.validation_message, &properties.placeholder] {
                    report(cx, form.file, texts, owner, out);
                }
            }
        }
    }
    for (analysis, activity) in cx.activities() {
        if let ActivityKind::Status { translations, .. } = &activity.kind {
            report(cx, analysis.file, translations, || activity.display_name(), out);
        }
    }
}

fn report(
    cx: &Context<'_>,
    file: FileId,
    texts: &Member<Locales<'_>>,
    owner: impl Fn() -> String,
    out: &mut Reporter<'_>,
) {
    let invalid = texts.get().into_iter().flatten().filter(|entry| !locale::is_tag(entry.locale));
    for LocaleText { node, locale: name, .. } in invalid {
        let meant = locale::meant(name);
        let message = match *name {
            "" => format!("empty locale code in {}", owner()),
            name => format!("invalid locale code {} in {}", quote(name), owner()),
        };
        let mut draft = out.report(&Place::key(file, *node), message);
        match meant.and_then(|meant| Some((renamed(cx, file, *node, &meant)?, quote(&meant)))) {
            Some((edit, meant)) => draft.fix(Applicability::Unsafe, format!("rename it to {meant}"), vec![edit]),
            None => draft.help("use a language tag such as `en-US` or `sv-SE`"),
        };
    }
}

/// The edit that renames the key of a value; `None` if the object has the new one.
fn renamed(cx: &Context<'_>, file: FileId, node: NodeId, key: &str) -> Option<Edit> {
    let document = cx.document(file)?;
    if document.member(document.parent(node)?, key).is_some() {
        return None;
    }
    let new_text = serde_json::Value::from(key).to_string();
    Some(Edit { file, span: document.key_span(node)?, new_text })
}
