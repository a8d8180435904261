use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place};
use crate::rules::form::is_documented;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF607",
    name: "invalid-size",
    severity: Severity::Info,
    page: include_str!("../../../rules/WF607-invalid-size.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for form in &cx.model.forms {
        for field in form.form.fields.iter().filter(|field| is_documented(field)) {
            let Some((node, &size)) = field.size.known().filter(|(_, size)| !SIZES.contains(*size)) else { continue };
            out.report(
                &Place::value(form.file, node),
                format!("the size {} is not documented, so how wide the field becomes is open", quote(size)),
            )
            .help("write a number from 1 to 4, as a text");
        }
    }
}

/// The sizes in use (reference, Form field).
const SIZES: [&str; 4] = ["1", "2", "3", "4"];
