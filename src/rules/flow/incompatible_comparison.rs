use crate::facts::{Context, OperandType, Place};
use crate::model::Operand;
use crate::rules::flow::describe_condition;
use crate::rules::{Cause, Reporter, Rule};

pub const RULE: Rule = rule!("WF415-incompatible-comparison", Warning, check);

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
            draft.help("compare values of the same type");
            for operand in [&expression.left, &expression.right] {
                if let Some((node, _)) = operand.get().and_then(|binding| binding.target()) {
                    draft.cause(Cause::Node(analysis.file, node));
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
