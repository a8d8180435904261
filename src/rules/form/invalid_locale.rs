use crate::facts::{Context, Place};
use crate::model::{ActivityKind, LocaleText, Locales, Member};
use crate::rules::form::{describe, is_documented};
use crate::rules::{Reporter, Rule};
use crate::text::diagnostic::FileId;
use crate::text::locale;
use crate::text::quote;

pub const RULE: Rule = rule!("WF612-invalid-locale", Warning, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for form in &cx.model.forms {
        for field in &form.form.fields {
            let owner = || describe(field);
            report(form.file, &field.display_name, owner, out);
            report(form.file, &field.details().description, owner, out);
            // The properties of other types are not documented.
            if is_documented(field) {
                let properties = field.properties();
                for texts in [&properties.default_value, &properties.validation_message, &properties.placeholder] {
                    report(form.file, texts, owner, out);
                }
            }
        }
    }
    for (analysis, activity) in cx.activities() {
        if let ActivityKind::Status { translations, .. } = &activity.kind {
            report(analysis.file, translations, || activity.display_name(), out);
        }
    }
}

fn report(file: FileId, texts: &Member<Locales<'_>>, owner: impl Fn() -> String, out: &mut Reporter<'_>) {
    let invalid = texts.get().into_iter().flatten().filter(|entry| !locale::is_tag(entry.locale));
    for LocaleText { node, locale: name, .. } in invalid {
        let repaired = name.replace('_', "-");
        let help = if name.contains('_') && locale::is_tag(&repaired) {
            format!("did you mean `{repaired}`?")
        } else {
            "use a language tag such as `en-US` or `sv-SE`".to_owned()
        };
        let message = match *name {
            "" => format!("empty locale code in {}", owner()),
            name => format!("invalid locale code {} in {}", quote(name), owner()),
        };
        out.report(&Place::key(file, *node), message).help(help);
    }
}
