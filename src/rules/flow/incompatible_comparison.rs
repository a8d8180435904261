use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Operand, Place};
use crate::model::Operand as Comparison;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF415",
    name: "incompatible-comparison",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF415-incompatible-comparison.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let types = cx.operand_types();
    for analysis in &cx.workflows {
        for (activity, expression) in analysis.workflow.conditions() {
            // That such a loop never ends is told (WF403).
            if analysis.loop_faults.contains_key(&activity.id) {
                continue;
            }
            let Some([left, right]) = types.incompatible(analysis, activity) else { continue };
            let always = match expression.operand.value() {
                Some(Comparison::NotEqual) => "always true",
                _ => "never true",
            };
            out.report(
                &Place::value(analysis.file, expression.node),
                format!("{} never equals {}, so this is {always}", said(left), said(right)),
            )
            .help("compare with a value of the same type");
        }
    }
}

fn said(operand: Operand<'_>) -> String {
    match operand {
        Operand::Boolean => "a boolean".to_owned(),
        Operand::Number => "a number".to_owned(),
        Operand::Text(text) => format!("the text {}", quote(text)),
        Operand::File(name) => format!("the file {}", quote(name)),
    }
}
