//! Turns an exception of the engine into a failure with a position in the script.

use super::evaluate::SCRIPT;
use super::job::{FailureKind, Job, ScriptFailure};

/// What ended a script.
pub(super) enum Exception {
    /// A thrown value as a string, and its stack trace if it is an error.
    Value { message: String, stack: String },
    /// `null`. The engine also throws it when no memory is left for an error object.
    Null,
    /// There was no memory for the message.
    OutOfMemory,
}

/// Line and column in the script, from 1; the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Position {
    line: u32,
    column: u32,
}

impl Exception {
    /// The failure of a script that was stopped at its time limit.
    pub fn interruption(&self, job: &Job) -> ScriptFailure {
        let mut frames = self.frames();
        // The engine records the position of a call, but not of the instruction that was interrupted:
        // the innermost frame is exact only when it is a built-in function.
        let innermost = frames.next().filter(|frame| frame.ends_with(" (native)"));
        let position = innermost.into_iter().chain(frames).find_map(|frame| position(frame, &job.script));
        ScriptFailure::time_limit(job.time_limit()).at(position)
    }

    /// The failure of a script that ended otherwise. `is_memory_used`: much memory was in use at its end.
    pub fn failure(&self, job: &Job, is_memory_used: bool) -> ScriptFailure {
        let message = match self {
            Self::Value { message, .. } => message.as_str(),
            Self::Null if !is_memory_used && may_throw_null(&job.script) => "null",
            Self::Null | Self::OutOfMemory => return ScriptFailure::memory_limit(),
        };
        let failure = match message {
            "InternalError: out of memory" => ScriptFailure::memory_limit(),
            "RangeError: Maximum call stack size exceeded" => ScriptFailure::stack_limit(),
            _ if self.is_early_error(message) => ScriptFailure::new(FailureKind::Syntax, message),
            _ => ScriptFailure::new(FailureKind::Thrown, message),
        };
        failure.at(self.frames().find_map(|frame| position(frame, &job.script)))
    }

    /// Whether this is a syntax error of the script itself, not of code that it evaluates: then no
    /// function is on the stack, and no frame ends with the position of one in parentheses.
    fn is_early_error(&self, message: &str) -> bool {
        message.starts_with("SyntaxError: ") && !self.frames().any(|frame| frame.ends_with(')'))
    }

    /// The frames of the stack trace, innermost first.
    fn frames(&self) -> impl Iterator<Item = &str> {
        let stack = if let Self::Value { stack, .. } = self { stack } else { "" };
        stack.lines().map(str::trim)
    }
}

impl ScriptFailure {
    /// The failure of a script with a null character, which the engine takes for the end of the script.
    pub(super) fn null_character(script: &str) -> Option<Self> {
        let before = script.split_once('\0')?.0;
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        let column = before.rsplit('\n').next()?.chars().count() + 1;
        let position = u32::try_from(line).ok().zip(u32::try_from(column).ok());
        let failure = Self::new(FailureKind::Syntax, "SyntaxError: invalid character U+0000");
        Some(failure.at(position.map(|(line, column)| Position { line, column })))
    }

    fn at(self, position: Option<Position>) -> Self {
        Self { line: position.map(|at| at.line), column: position.map(|at| at.column), ..self }
    }
}

/// Whether some `throw` of the script may throw `null`: its operand is not plainly another literal or
/// a `new` expression.
fn may_throw_null(script: &str) -> bool {
    script.split("throw").skip(1).any(|rest| {
        !rest.trim_start().starts_with(['\'', '"', '`', '{', '[']) && !rest.trim_start().starts_with("new ")
    })
}

/// The position in a frame: `at f (script:2:5)`, or `at script:2:5` in syntax errors. `None` for frames
/// of other files, and for positions that the script does not have (a script may forge its stack).
fn position(frame: &str, script: &str) -> Option<Position> {
    let (rest, column) = frame.strip_suffix(')').unwrap_or(frame).rsplit_once(':')?;
    let (rest, line) = rest.rsplit_once(':')?;
    let is_script = rest.strip_suffix(SCRIPT).is_some_and(|before| before == "at " || before.ends_with(" ("));
    if !is_script {
        return None;
    }
    // The script starts on line 2 of what the engine evaluates; columns are bytes there.
    let line = line.parse::<u32>().ok()?.checked_sub(1)?;
    let bytes = column.parse::<usize>().ok()?.checked_sub(1)?;
    let text = lines(script).nth(usize::try_from(line.checked_sub(1)?).ok()?)?;
    let column = text.get(..bytes)?.chars().count() + 1;
    Some(Position { line, column: u32::try_from(column).ok()? })
}

/// Lines as the engine counts them: terminated by LF, CR LF or CR.
fn lines(script: &str) -> impl Iterator<Item = &str> {
    script.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_relative_to_the_script() {
        let script = "\u{e4}\u{1f600} a\r\nb\rc";
        let at = |line, column| Some(Position { line, column });
        for (frame, expected) in [
            ("at <eval> (script:2:8)", at(1, 4)),
            ("at script:3:1", at(2, 1)),
            ("at script:3:2", at(2, 2)),
            ("at f (script:4:1)", at(3, 1)),
            ("at odd (script:9:9) (script:4:1)", at(3, 1)),
            // Not in the script: another file, the line before it, after its end, within a character.
            ("at now (prelude:3:1)", None),
            ("at myscript:3:1", None),
            ("at map (native)", None),
            ("at A (script:1:1)", None),
            ("at f (script:5:1)", None),
            ("at f (script:3:3)", None),
            ("at f (script:2:2)", None),
            ("at f (script:0:0)", None),
            ("at f (script:99999999999:1)", None),
            ("", None),
        ] {
            assert_eq!(position(frame, script), expected, "{frame}");
        }
    }

    #[test]
    fn null_is_possible_only_for_some_throw_statements() {
        for script in ["throw null", "throw\nx", "if (x) throw (y)", "it.throw(null)"] {
            assert!(may_throw_null(script), "{script}");
        }
        for script in ["", "throw new Error()", "throw 'x'", "throw {}"] {
            assert!(!may_throw_null(script), "{script}");
        }
    }
}
