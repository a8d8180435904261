//! Which call fails because what it calls is not a function. The engine reports the last name before the call, which is
//! one of its arguments.
//!
//! The script is run once more. Each call has a further argument there, `...$end`, which adds nothing, because `$end` is the
//! empty string: then the last name before the call that fails is its `$end`.

use std::fmt::Write;

use crate::script::sandbox::{FailureKind, MAX_SCRIPT_BYTES, ScriptFailure};
use crate::script::syntax::{CallEnd, call_ends, line_and_column, line_starts, offset};

/// The message of the engine.
const NOT_A_FUNCTION: &str = "TypeError: not a function";

/// A script with such arguments.
pub(super) struct MarkedCalls {
    pub script: String,
    /// The variable, which the script does not contain.
    pub variable: String,
    /// The offset of each, in the order of the script, with that of what is called in the script without them.
    marks: Vec<(usize, usize)>,
}

impl MarkedCalls {
    /// `None` if the failure is another one, or the script too long.
    pub fn of(script: &str, failure: &ScriptFailure) -> Option<Self> {
        let is_wanted = failure.kind == FailureKind::Thrown && failure.message == NOT_A_FUNCTION;
        let calls = if is_wanted { call_ends(script)? } else { return None };
        let mut variable = "$end".to_owned();
        while script.contains(&variable) {
            variable.push('$');
        }
        let mut marked = String::new();
        let mut marks = Vec::with_capacity(calls.len());
        let mut copied = 0;
        for CallEnd { callee, arguments } in calls {
            marked.push_str(script.get(copied..arguments)?);
            copied = arguments;
            marked.push_str(", ...");
            marks.push((marked.len(), callee));
            let _ = write!(marked, "{variable}");
        }
        marked.push_str(script.get(copied..)?);
        (marked.len() <= MAX_SCRIPT_BYTES).then_some(Self { script: marked, variable, marks })
    }

    /// Line and column, from 1, of what is called, given the failure of the script with these arguments.
    pub fn callee(&self, script: &str, failure: &ScriptFailure) -> Option<(u32, u32)> {
        let at = offset(&self.script, failure.line?, failure.column?)?;
        let index = self.marks.binary_search_by_key(&at, |(mark, _)| *mark).ok()?;
        let (_, callee) = self.marks.get(index)?;
        let (line, column) = line_and_column(script, &line_starts(script), *callee);
        Some((u32::try_from(line).ok()?, u32::try_from(column).ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_call_with_arguments_is_marked() {
        let failure = ScriptFailure {
            kind: FailureKind::Thrown,
            message: NOT_A_FUNCTION.to_owned(),
            line: Some(2),
            column: Some(20),
        };
        let script = "f();\n(a.b(1 /* c */), new C[d](...e,))";
        let marked = MarkedCalls::of(script, &failure).unwrap();
        assert_eq!(marked.script, "f();\n(a.b(1, ...$end /* c */), new C[d](...e, ...$end,))");
        assert_eq!(marked.callee(script, &failure), None);
        assert_eq!(marked.callee(script, &ScriptFailure { column: Some(12), ..failure.clone() }), Some((2, 4)));
        assert!(MarkedCalls::of(script, &ScriptFailure { message: "TypeError: x".to_owned(), ..failure }).is_none());
        assert_eq!(call_ends("f("), None);
    }
}
