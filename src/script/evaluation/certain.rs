//! Whether a script that fails on all sample values fails on all others, too.
//!
//! An order may bring values that the script accepts. So a `throw` of its own shows a fault only if every path leads to
//! one. An error of the engine shows one if it also occurs in runs in which everything works that the script does with
//! the JSON that it parses, whose types are made up, too, and in which its searches find something.

use super::json_sample::Root;
use super::outcome::Evaluation;
use super::request::EvaluationRequest;
use crate::script::sandbox::{Answer, FailureKind, Setup, SetupFunction};
use crate::script::syntax::Shape;

/// The most polls of the engine in a lenient run: a script that walks through the JSON may never come to its end.
pub(super) const MAX_POLLS: u32 = 20;

/// The run whose failure does not depend on the sample values, if every run fails. `has_missed`: a table of the script
/// lacks a sample value, and may have that of an order. `run` runs the script once more, with a setup and the values of
/// the parameters.
pub(super) fn certain<E>(
    request: &EvaluationRequest<'_>,
    root: Root,
    found: &Evaluation,
    has_missed: bool,
    mut run: impl FnMut(Setup, &[&str]) -> Result<Answer, E>,
) -> Result<Option<usize>, E> {
    if found.runs.is_empty() || !found.always_fails() {
        return Ok(None);
    }
    let at_limit = found.failures().position(|(_, failure)| failure.kind != FailureKind::Thrown);
    if at_limit.is_some() {
        return Ok(at_limit);
    }
    if request.is_fixed() || request.syntax.always_throws {
        return Ok(Some(0));
    }
    if has_missed {
        return Ok(None);
    }
    let of_engine = found.failures().enumerate().find(|(_, (_, failure))| failure.is_of_engine());
    let Some((index, (failed, _))) = of_engine else { return Ok(None) };
    let values: Vec<&str> = failed.values.iter().map(|value| value.text.as_str()).collect();
    for setup in lenient(request, root, &values) {
        let Answer::Failed(failure) = run(setup, &values)? else { return Ok(None) };
        if failure.kind != FailureKind::Thrown || !failure.is_of_engine() {
            return Ok(None);
        }
    }
    Ok(Some(index))
}

/// The setups of lenient runs, given the values of the parameters. Operators that take strings and numbers get a string
/// in the first, a number in the second.
fn lenient(request: &EvaluationRequest<'_>, root: Root, values: &[&str]) -> [Setup; 2] {
    let literals = request.syntax.strings.iter().map(|literal| literal.value.as_str());
    let literals: Vec<&str> = literals.filter(|literal| !values.contains(literal)).collect();
    let lists = request.syntax.clues().keys.iter().filter(|key| key.shape == Shape::List);
    let lists: Vec<&str> = lists.map(|key| key.name.as_str()).collect();
    let is_list = matches!(root, Root::ListOfObjects | Root::ListOfTexts);
    [false, true].map(|is_number| {
        let argument =
            serde_json::json!({ "literals": literals, "lists": lists, "isList": is_list, "isNumber": is_number });
        Setup { function: SetupFunction::Lenient, argument: argument.to_string() }
    })
}
