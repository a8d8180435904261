use crate::diagnostic::Severity;
use crate::facts::{Context, OperandType, Place, is_endless};
use crate::model::Operand;
use crate::rules::flow::describe_condition;
use crate::rules::{Cause, Reporter, Rule, YieldsTo};

pub const RULE: Rule = Rule {
    code: "WF415",
    name: "incompatible-comparison",
    severity: Severity::Warning,
    yields_to: YieldsTo::Rules(&["WF112", "WF403", "WF404"]),
    page: include_str!("../../../rules/WF415-incompatible-comparison.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let types = cx.operand_types();
    for analysis in &cx.workflows {
        for (activity, expression) in analysis.workflow.conditions() {
            let Some([left, right]) = types.incompatible(analysis, activity) else { continue };
            let outcome = expression.operand.value() == Some(Operand::NotEqual);
            let condition = describe_condition(expression);
            let (left, right) = (describe(left), describe(right));
            let message = format!("condition {condition} is always {outcome}: {left} never equals {right}");
            let mut draft = out.report(&Place::value(analysis.file, expression.node), message);
            draft.help("compare values of the same type").about(Cause::Loop(analysis.file, activity.node));
            // Its loop, or one around it, may never end because of it.
            let loops = std::iter::once(activity).chain(analysis.workflow.ancestors(activity));
            for endless in loops.filter(|outer| is_endless(analysis, outer)) {
                draft.explains(Cause::Loop(analysis.file, endless.node));
            }
            for operand in [&expression.left, &expression.right] {
                if let Some((node, _)) = operand.get().and_then(|binding| binding.target()) {
                    draft.about(Cause::Node(analysis.file, node));
                }
            }
        }
    }
}

fn describe(operand: OperandType<'_>) -> &'static str {
    match operand {
        OperandType::Boolean => "a boolean",
        OperandType::Number => "a number",
        OperandType::Text(_) => "this string",
        OperandType::File(_) => "a file",
    }
}
