use std::ops::Range;

use crate::common::collections::{HashMap, HashSet};
use crate::facts::{Context, FormScript};
use crate::model::SELECT;
use crate::project::FormDocument;
use crate::rules::form::describe_script;
use crate::rules::{Draft, Fixes, Reporter, Rule};
use crate::script::syntax::StringLiteral;
use crate::text::diagnostic::{Applicability, Edit, Severity};
use crate::text::quote;

pub const RULE: Rule = rule!("WF618-unknown-field-in-script", Info | Warning, check, fixes: Fixes::Unsafe);

/// What selects the form, whatever fields it has.
const FORM: &str = "form";

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let mut names = HashMap::default();
    for site in cx.form_scripts() {
        for text in site.syntax.script().into_iter().flat_map(|script| &script.strings) {
            let is_argument = text.argument_of.as_deref() == Some(SELECT);
            let fields = names.entry(site.form.file).or_insert_with(|| field_names(site.form));
            let Some(selected) = selector(text) else {
                let named = fields.named(&text.value).filter(|_| is_argument && text.value != FORM);
                if let Some(name) = named.filter(|name| is_name(name)) {
                    report_bare(&site, text, name, out);
                }
                continue;
            };
            if fields.is_incomplete || fields.all.contains(selected) {
                continue;
            }
            let Some(near) = cx.suggester.nearest(selected, fields.list.iter().copied()) else { continue };
            // Any other string may not be a selector.
            let severity = if is_argument { Severity::Warning } else { Severity::Info };
            let part = text.range.start + 1..text.range.end;
            let (script, position) = (describe_script(&site), site.position(&part));
            let message = format!("unknown field {} in {script}{position}", quote(selected));
            let mut draft = out.report(&site.inside(part.clone()), message);
            draft.help(format!("did you mean {}?", quote(near))).severity(severity);
            // Names need no escapes, and what the script has escaped is left alone.
            let is_plain = site.text.get(part.clone()) == Some(selected) && is_name(near);
            if is_plain && cx.suggester.is_only(selected, near, fields.list.iter().copied()) {
                select(&mut draft, &site, part, near.to_owned(), near);
            }
        }
    }
}

/// The name in `#Name`; none in other strings, and in colors.
fn selector(text: &StringLiteral) -> Option<&str> {
    let name = text.value.strip_prefix('#')?;
    let is_color = matches!(name.len(), 3 | 4 | 6 | 8) && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_name(name) && !is_color).then_some(name)
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_alphanumeric() || "_-".contains(letter))
}

/// Reports a selector that is the name of a field without `#`.
fn report_bare(site: &FormScript<'_, '_>, text: &StringLiteral, name: &str, out: &mut Reporter<'_>) {
    let (script, position) = (describe_script(site), site.position(&text.range));
    let message = format!("selector {} matches nothing in {script}{position}", quote(&text.value));
    let mut draft = out.report(&site.inside(text.range.clone()), message);
    draft.severity(Severity::Warning);
    // Names need no escapes.
    select(&mut draft, site, text.range.clone(), format!("#{name}"), name);
}

/// The fix that writes the selector of a field in place of a part of the script.
fn select(draft: &mut Draft<'_>, site: &FormScript<'_, '_>, part: Range<usize>, new_text: String, name: &str) {
    let span = site.form.document.span_inside(site.node, part);
    let edit = Edit { file: site.form.file, span, new_text };
    draft.fix(Applicability::Unsafe, format!("select {}", quote(&format!("#{name}"))), vec![edit]);
}

struct FieldNames<'a> {
    /// In the order of the form.
    list: Vec<&'a str>,
    all: HashSet<&'a str>,
    /// Whether the form may have other fields.
    is_incomplete: bool,
}

impl<'a> FieldNames<'a> {
    /// The field of this name, in any case.
    fn named(&self, name: &str) -> Option<&'a str> {
        let same = self.all.get(name).copied();
        same.or_else(|| self.list.iter().copied().find(|known| known.eq_ignore_ascii_case(name)))
    }
}

fn field_names<'a>(form: &FormDocument<'a>) -> FieldNames<'a> {
    let fields = &form.form.fields;
    let list: Vec<&str> = fields.iter().filter_map(|field| field.name.value()).collect();
    let is_incomplete = form.form.roots.is_unknown()
        || fields.iter().any(|field| field.name.is_unknown() || field.children.is_unknown());
    FieldNames { all: list.iter().copied().collect(), list, is_incomplete }
}
