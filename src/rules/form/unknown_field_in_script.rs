use crate::common::collections::{HashMap, HashSet};
use crate::facts::Context;
use crate::project::FormDocument;
use crate::rules::form::describe_script;
use crate::rules::{Reporter, Rule};
use crate::script::syntax::StringLiteral;
use crate::text::diagnostic::Severity;
use crate::text::quote;

pub const RULE: Rule = Rule {
    code: "WF618",
    name: "unknown-field-in-script",
    severity: Severity::Info,
    other_severities: &[Severity::Warning],
    page: include_str!("../../../rules/WF618-unknown-field-in-script.md"),
    check,
    ..Rule::DEFAULT
};

/// The function that selects fields, as in `Z('#Name')`.
const SELECT: &str = "Z";

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
            // Any other string may not be a selector.
            let severity = if text.argument_of.as_deref() == Some(SELECT) { Severity::Warning } else { Severity::Info };
            let part = text.range.start + 1..text.range.end;
            let (script, position) = (describe_script(&site), site.position(&part));
            let message = format!("unknown field {} in {script}{position}", quote(selected));
            out.report(&site.inside(part), message).help(format!("did you mean {}?", quote(near))).severity(severity);
        }
    }
}

/// The name in `#Name`; none in other strings, and in colors.
fn selector(text: &StringLiteral) -> Option<&str> {
    let name = text.value.strip_prefix('#')?;
    let is_name = !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || "_-".contains(letter));
    let is_color = matches!(name.len(), 3 | 4 | 6 | 8) && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_name && !is_color).then_some(name)
}

struct FieldNames<'a> {
    /// In the order of the form.
    list: Vec<&'a str>,
    all: HashSet<&'a str>,
    /// Whether the form may have other fields.
    is_incomplete: bool,
}

fn field_names<'a>(form: &FormDocument<'a>) -> FieldNames<'a> {
    let fields = &form.form.fields;
    let list: Vec<&str> = fields.iter().filter_map(|field| field.name.value()).collect();
    let is_incomplete = form.form.roots.is_unknown()
        || fields.iter().any(|field| field.name.is_unknown() || field.children.is_unknown());
    FieldNames { all: list.iter().copied().collect(), list, is_incomplete }
}
