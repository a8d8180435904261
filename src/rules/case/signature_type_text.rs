use crate::diagnostic::{Applicability, Severity, quote};
use crate::facts::Context;
use crate::model::Literal;
use crate::rules::{Fixes, Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF708",
    name: "signature-type-text",
    severity: Severity::Info,
    fixes: Fixes::Safe,
    page: include_str!("../../../rules/WF708-signature-type-text.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.cases() {
        for party in site.case.parties.get().into_iter().flatten() {
            let Some((node, Literal::Text(text))) = party.signature_type.known() else { continue };
            if !site.is_certain(node) {
                continue;
            }
            let number = text.trim().parse::<i64>().ok();
            let help = match number {
                Some(number) => format!("write the number {number}"),
                None => "write the number of the way of signing; 0 is documented".to_owned(),
            };
            let mut draft = out.report(
                &site.value(node),
                format!("`SignatureType` is a number, but is given as the text {}; both are seen in use", quote(text)),
            );
            draft.help(help);
            let edits = number.map(|number| site.edits(cx, node, &number.to_string())).unwrap_or_default();
            if let Some(number) = number.filter(|_| !edits.is_empty()) {
                draft.fix(Applicability::Safe, format!("write the number {number}"), edits);
            }
        }
    }
}
