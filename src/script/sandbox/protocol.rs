//! What goes over the pipes between the sandbox and its worker: frames of JSON, each after its
//! length in four bytes, least first.

use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize};

/// What the worker says when it is ready for a job.
pub(super) const READY: &[u8] = b"wflint script worker 1";

/// The longest frame, in bytes: all texts of a job or an answer, written with JSON's escapes.
const LONGEST_FRAME: u32 = 64 << 20;

/// A script to run, and the world that it sees.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// The text of the script, at most [`LONGEST_SCRIPT`](super::LONGEST_SCRIPT) bytes.
    pub script: String,
    /// Global variables, each a text under its name, together at most
    /// [`LONGEST_VARIABLES`](super::LONGEST_VARIABLES) bytes. Of two with one name the last counts.
    pub variables: Vec<(String, String)>,
    /// Identifiers of the host, such as `console`: objects whose functions do nothing.
    pub hosts: Vec<String>,
    /// The time that `Date` tells, in milliseconds since 1970 UTC. It stands still.
    pub now_ms: i64,
    /// Where the numbers of `Math.random` begin.
    pub seed: u64,
    /// How long the script may run, in seconds; brought into 0.01 to 600. For each, it may take two
    /// million steps: calls, rounds of loops, steps back in regular expressions.
    pub seconds: f64,
}

impl Job {
    /// `seconds`, in its range.
    pub(super) fn limit(&self) -> f64 {
        if self.seconds.is_nan() { 0.01 } else { self.seconds.clamp(0.01, 600.0) }
    }
}

/// How a script ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// It ran to its end.
    Done {
        /// The global `Json` after that.
        json: JsonVariable,
    },
    /// It did not.
    Failed(ScriptFailure),
}

/// What a script left in the global `Json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum JsonVariable {
    /// A text. Halves of surrogate pairs became U+FFFD.
    Text(String),
    /// There is none, or it is `undefined`.
    Unset,
    /// Something else; what, in a word of JavaScript: `null`, `number`, `array`, `object`.
    Other(String),
}

/// Why a script did not run to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptFailure {
    /// The kind.
    pub kind: FailureKind,
    /// What happened. For thrown values and syntax errors in the words of the engine or the script,
    /// at most 2000 UTF-16 units of them; they may hold any character.
    pub message: String,
    /// The line in the script, from 1, if it is known. A line ends with LF, CR LF or CR.
    pub line: Option<u32>,
    /// The column in that line, from 1, in characters (Unicode scalar values): of the last name before
    /// what was thrown; when the time was over, of the innermost call whose place is known.
    pub column: Option<u32>,
}

impl ScriptFailure {
    /// A failure without a place.
    pub(super) fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), line: None, column: None }
    }

    /// The one of a script that ran out of time.
    pub(super) fn time(seconds: f64) -> Self {
        Self::new(FailureKind::TimeLimit, format!("the script did not end within {seconds} s"))
    }
}

/// Kinds of [`ScriptFailure`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FailureKind {
    /// Something was thrown that nothing caught.
    Thrown,
    /// The text is no script.
    Syntax,
    /// It ran for too long.
    TimeLimit,
    /// It needed too much memory.
    MemoryLimit,
    /// Its calls nested too deeply.
    StackLimit,
    /// The script or its variables are too long.
    InputTooLarge,
    /// The text in `Json` is too long.
    OutputTooLarge,
    /// The process that ran it died.
    Killed,
}

/// Writes a frame, at once, so that the other side wakes once.
pub(super) fn write_frame(to: &mut impl Write, content: &[u8]) -> io::Result<()> {
    let length = u32::try_from(content.len()).ok().filter(|length| *length <= LONGEST_FRAME);
    let Some(length) = length else { return Err(io::ErrorKind::InvalidData.into()) };
    to.write_all(&[&length.to_le_bytes(), content].concat())?;
    to.flush()
}

/// Reads a frame; none at the end of the stream.
pub(super) fn read_frame(from: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    if from.read(&mut length[..1])? == 0 {
        return Ok(None);
    }
    from.read_exact(&mut length[1..])?;
    let length = u32::from_le_bytes(length);
    if length > LONGEST_FRAME {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut content = Vec::new();
    // What is promised is not taken for granted: memory grows with what arrives.
    from.take(u64::from(length)).read_to_end(&mut content)?;
    if content.len() < usize::try_from(length).unwrap_or(usize::MAX) {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(content))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_back_as_they_went() {
        let mut pipe = Vec::new();
        for frame in [b"one".as_slice(), b"", &[0; 300]] {
            write_frame(&mut pipe, frame).unwrap();
        }
        let mut pipe = pipe.as_slice();
        assert_eq!(read_frame(&mut pipe).unwrap().unwrap(), b"one");
        assert_eq!(read_frame(&mut pipe).unwrap().unwrap(), b"");
        assert_eq!(read_frame(&mut pipe).unwrap().unwrap(), [0; 300]);
        assert_eq!(read_frame(&mut pipe).unwrap(), None);
    }

    #[test]
    fn a_frame_that_breaks_off_or_promises_too_much_is_an_error() {
        let kind = |mut pipe: &[u8]| read_frame(&mut pipe).unwrap_err().kind();
        assert_eq!(kind(&[3, 0]), io::ErrorKind::UnexpectedEof);
        assert_eq!(kind(&[3, 0, 0, 0, b'a']), io::ErrorKind::UnexpectedEof);
        assert_eq!(kind(&[255, 255, 255, 255]), io::ErrorKind::InvalidData);
    }

    #[test]
    fn a_limit_is_brought_into_its_range() {
        let limit = |seconds| {
            Job { script: String::new(), variables: Vec::new(), hosts: Vec::new(), now_ms: 0, seed: 0, seconds }
                .limit()
                .to_string()
        };
        assert_eq!([limit(2.5), limit(-1.0), limit(f64::INFINITY), limit(f64::NAN)], ["2.5", "0.01", "600", "0.01"]);
    }
}
