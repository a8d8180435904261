use crate::facts::{Context, Place};
use crate::rules::{Reporter, Rule};
use crate::script::syntax::DynamicCode;

pub const RULE: Rule = rule!("WF906-dynamic-code", Error, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.codes() {
        for dynamic in site.syntax.script().into_iter().flat_map(|script| &script.dynamic) {
            let script = format!("{}{}", site.activity.display_name(), site.position(&dynamic.range));
            report(&site.inside(dynamic.range.clone()), dynamic, &script, out);
        }
    }
    for site in cx.form_scripts() {
        for dynamic in site.syntax.script().into_iter().flat_map(|script| &script.dynamic) {
            let field = site.field_display_name();
            let script = format!("`{}` of {field}{}", site.member, site.position(&dynamic.range));
            report(&site.inside(dynamic.range.clone()), dynamic, &script, out);
        }
    }
}

fn report(place: &Place, dynamic: &DynamicCode, script: &str, out: &mut Reporter<'_>) {
    out.report(place, format!("dynamic code: `{}` runs a string in {script}", dynamic.name))
        .help("write the code directly; to read JSON, use `JSON.parse`");
}
