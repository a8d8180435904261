use crate::diagnostic::{FileId, Severity, quote};
use crate::facts::{Context, Place};
use crate::locale;
use crate::model::{Kind, LocaleText, Locales, Member};
use crate::rules::form::is_documented;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF612",
    name: "invalid-locale",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF612-invalid-locale.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for form in &cx.model.forms {
        for field in &form.form.fields {
            tell(form.file, &field.display_name, out);
            tell(form.file, &field.description, out);
            // What the settings of other types hold is not shown.
            if is_documented(field) {
                let properties = &field.properties;
                for texts in [&properties.default_value, &properties.validation_message, &properties.placeholder] {
                    tell(form.file, texts, out);
                }
            }
        }
    }
    for (analysis, activity) in cx.activities() {
        if let Kind::Status { translations, .. } = &activity.kind {
            tell(analysis.file, translations, out);
        }
    }
}

fn tell(file: FileId, texts: &Member<Locales<'_>>, out: &mut Reporter<'_>) {
    for &LocaleText { node, locale: name, .. } in
        texts.get().into_iter().flatten().filter(|entry| !locale::is_tag(entry.locale))
    {
        let repaired = name.replace('_', "-");
        let help = if name.contains('_') && locale::is_tag(&repaired) {
            format!("write `{repaired}`")
        } else {
            "write a language tag such as `en-US` or `sv-SE`".to_owned()
        };
        out.report(
            &Place::key(file, node),
            format!("{} is no locale code, so nobody gets this text in their language", quote(name)),
        )
        .help(help);
    }
}
