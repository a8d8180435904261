use crate::collections::{HashMap, HashSet};
use crate::diagnostic::{Severity, quote};
use crate::facts::Context;
use crate::project::FormDocument;
use crate::rules::{Reporter, Rule};
use crate::script::syntax::StringLiteral;

pub const RULE: Rule = Rule {
    code: "WF618",
    name: "unknown-field-in-script",
    severity: Severity::Info,
    other_severities: &[Severity::Warning],
    page: include_str!("../../../rules/WF618-unknown-field-in-script.md"),
    check,
    ..Rule::DEFAULT
};

/// The function that finds fields, `Z('#Name')`.
const FINDER: &str = "Z";

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let mut names = HashMap::default();
    for site in cx.form_scripts() {
        for text in site.syntax.script().into_iter().flat_map(|script| &script.strings) {
            let Some(selected) = selector(text) else { continue };
            let fields = names.entry(site.form.file).or_insert_with(|| field_names(site.form));
            if fields.is_incomplete || fields.all.contains(selected) {
                continue;
            }
            let Some(near) = cx.suggester.nearest(selected, fields.list.iter().copied()) else { continue };
            // Of any other text it is not certain that it selects a field.
            let severity = if text.argument_of.as_deref() == Some(FINDER) { Severity::Warning } else { Severity::Info };
            let part = text.range.start + 1..text.range.end;
            let message = format!(
                "no field of this form is named {}{}, so what the script does to it is lost",
                quote(selected),
                site.position(&part)
            );
            out.report(&site.inside(part), message).help(format!("did you mean {}?", quote(near))).severity(severity);
        }
    }
}

/// The name in `#Name`; none of other texts, and of colours.
fn selector(text: &StringLiteral) -> Option<&str> {
    let name = text.value.strip_prefix('#')?;
    let is_name = !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || "_-".contains(letter));
    let is_colour = matches!(name.len(), 3 | 4 | 6 | 8) && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_name && !is_colour).then_some(name)
}

/// The names of a form's fields.
struct FieldNames<'a> {
    list: Vec<&'a str>,
    all: HashSet<&'a str>,
    is_incomplete: bool,
}

fn field_names<'a>(form: &FormDocument<'a>) -> FieldNames<'a> {
    let fields = &form.form.fields;
    let list: Vec<&str> = fields.iter().filter_map(|field| field.name.value()).collect();
    let is_incomplete = form.form.roots.is_unknown()
        || fields.iter().any(|field| field.name.is_unknown() || field.children.is_unknown());
    FieldNames { all: list.iter().copied().collect(), list, is_incomplete }
}
