//! From what the engine says of an exception to a failure with a place.

use super::engine::{MEMORY, SCRIPT};
use super::protocol::{FailureKind, Job, ScriptFailure};

/// What ended a script.
pub(super) enum Thrown {
    /// Something, with its text, and the stack when it is an error.
    Value { message: String, stack: String },
    /// `null`; which is also what the engine throws when even an error finds no memory.
    Null,
    /// The engine had no memory for a text.
    OutOfMemory,
}

impl Thrown {
    /// The failure of a script that ran out of time.
    pub(super) fn interrupted(&self, job: &Job) -> ScriptFailure {
        let mut frames = self.frames();
        // The engine knows where a function called another, but not where one is that just runs.
        let innermost = frames.next().filter(|frame| frame.ends_with(" (native)"));
        let place = innermost.into_iter().chain(frames).find_map(|frame| place(frame, &job.script));
        at(place, ScriptFailure::time(job.limit()))
    }

    /// The failure of any other script. `is_full`: much memory was held at its end.
    pub(super) fn failure(&self, job: &Job, is_full: bool) -> ScriptFailure {
        let place = self.frames().find_map(|frame| place(frame, &job.script));
        let message = match self {
            Self::Value { message, .. } => message.as_str(),
            Self::Null if !is_full && may_throw_null(&job.script) => "null",
            Self::Null | Self::OutOfMemory => return no_memory(),
        };
        at(
            place,
            match message {
                "InternalError: out of memory" => no_memory(),
                "RangeError: Maximum call stack size exceeded" => {
                    ScriptFailure::new(FailureKind::StackLimit, "calls or parentheses in the script nest too deeply")
                }
                _ if self.is_early(message) => ScriptFailure::new(FailureKind::Syntax, message),
                _ => ScriptFailure::new(FailureKind::Thrown, message),
            },
        )
    }

    /// Whether this is an error in the text of the script, and not one of a text that it evaluates.
    fn is_early(&self, message: &str) -> bool {
        message.starts_with("SyntaxError: ") && !self.frames().any(|frame| frame.ends_with(')'))
    }

    /// The lines of the stack, innermost first.
    fn frames(&self) -> impl Iterator<Item = &str> {
        let stack = if let Self::Value { stack, .. } = self { stack } else { "" };
        stack.lines().map(str::trim)
    }
}

/// The failure of a script that ran out of memory.
pub(super) fn no_memory() -> ScriptFailure {
    let message = format!("the script needs more than {} MiB of memory", MEMORY >> 20);
    ScriptFailure::new(FailureKind::MemoryLimit, message)
}

/// The failure of a script with a character that the engine takes for its end.
pub(super) fn null_character(script: &str) -> Option<ScriptFailure> {
    let before = script.split_once('\0')?.0;
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    let column = before.rsplit('\n').next()?.chars().count() + 1;
    let place = u32::try_from(line).ok().zip(u32::try_from(column).ok());
    Some(at(place, ScriptFailure::new(FailureKind::Syntax, "SyntaxError: the character U+0000")))
}

fn at(place: Option<(u32, u32)>, failure: ScriptFailure) -> ScriptFailure {
    ScriptFailure { line: place.map(|(line, _)| line), column: place.map(|(_, column)| column), ..failure }
}

/// Whether a `throw` in the script is not clearly one of something else.
fn may_throw_null(script: &str) -> bool {
    script.split("throw").skip(1).any(|rest| {
        !rest.trim_start().starts_with(['\'', '"', '`', '{', '[']) && !rest.trim_start().starts_with("new ")
    })
}

/// Line and column of a line of the stack: `at f (script:2:5)`, or `at script:2:5` for errors of
/// syntax. None for other files, and for what is no place in the script.
fn place(frame: &str, script: &str) -> Option<(u32, u32)> {
    let (rest, column) = frame.strip_suffix(')').unwrap_or(frame).rsplit_once(':')?;
    let (rest, line) = rest.rsplit_once(':')?;
    let is_script = rest.strip_suffix(SCRIPT).is_some_and(|before| before == "at " || before.ends_with(" ("));
    if !is_script {
        return None;
    }
    // The script began on line 2.
    let line = line.parse::<u32>().ok()?.checked_sub(1)?;
    let bytes = column.parse::<usize>().ok()?.checked_sub(1)?;
    let text = lines(script).nth(usize::try_from(line.checked_sub(1)?).ok()?)?;
    let column = text.get(..bytes)?.chars().count() + 1;
    Some((line, u32::try_from(column).ok()?))
}

/// Lines as the engine counts them: ended by LF, CR LF or CR.
fn lines(script: &str) -> impl Iterator<Item = &str> {
    script.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_of_the_script_without_the_line_before_it() {
        let script = "\u{e4}\u{1f600} a\r\nb\rc";
        for (frame, expected) in [
            ("at <eval> (script:2:8)", Some((1, 4))),
            ("at script:3:1", Some((2, 1))),
            ("at script:3:2", Some((2, 2))),
            ("at f (script:4:1)", Some((3, 1))),
            ("at odd (script:9:9) (script:4:1)", Some((3, 1))),
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
            assert_eq!(place(frame, script), expected, "{frame}");
        }
    }

    #[test]
    fn only_some_scripts_may_throw_null() {
        for script in ["throw null", "throw\nx", "if (x) throw (y)", "it.throw(null)"] {
            assert!(may_throw_null(script), "{script}");
        }
        for script in ["", "throw new Error()", "throw 'x'", "throw {}"] {
            assert!(!may_throw_null(script), "{script}");
        }
    }
}
