use crate::facts::Context;
use crate::rules::{Reporter, Rule};
use crate::script::syntax::Syntax;

pub const RULE: Rule = rule!("WF617-form-script-syntax", Warning, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.form_scripts() {
        let Syntax::Error(error) = site.syntax else { continue };
        let position = site.position(&error.range);
        let field = site.field_display_name();
        let message = format!("invalid JavaScript in `{}` of {field}{position}: {}", site.member, error.message);
        out.report(&site.inside(error.range.clone()), message).help("correct the syntax of the script");
    }
}
