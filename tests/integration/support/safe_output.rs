//! What no output may contain, whatever documents and arguments say.

use super::run::Output;

/// Characters that control a terminal or show nothing, other than a line's end.
pub fn is_unsafe(character: char) -> bool {
    let hidden = [
        0xad..=0xad,
        0x34f..=0x34f,
        0x61c..=0x61c,
        0x115f..=0x1160,
        0x17b4..=0x17b5,
        0x180b..=0x180f,
        0x200b..=0x200f,
        0x2028..=0x202e,
        0x2060..=0x206f,
        0x3164..=0x3164,
        0xfe00..=0xfe0f,
        0xfeff..=0xfeff,
        0xffa0..=0xffa0,
        0xfff9..=0xfffb,
        0xe0000..=0xe007f,
        0xe0100..=0xe01ef,
    ];
    character.is_control() && character != '\n' || hidden.iter().any(|range| range.contains(&u32::from(character)))
}

/// Fails when the output contains a control character, or one that shows nothing.
#[track_caller]
pub fn assert_safe(output: &Output, what: &str) {
    for (stream, text) in [("standard output", output.out()), ("standard error", output.err())] {
        assert_eq!(text.chars().find(|&character| is_unsafe(character)), None, "{what}: on {stream}");
    }
}

/// Fails when a build server would find a command in the output that is not one of wflint's own.
#[track_caller]
pub fn assert_nothing_is_forged(output: &Output, what: &str) {
    const OWN: [&str; 3] = ["::error file=", "::warning file=", "::notice file="];
    for line in output.out().lines().chain(output.err().lines()) {
        let is_own = what.contains("github") && OWN.iter().any(|start| line.starts_with(start));
        let is_forged = line.trim_start().starts_with("::") && !is_own;
        let own_command = line.strip_prefix("##vso[task.logissue type=").filter(|_| what.contains("azure"));
        let line = own_command.unwrap_or(line);
        assert!(!is_forged && !has_command(line), "{what}: {line}");
    }
}

/// Whether a line has `##[` or `##name[`.
fn has_command(line: &str) -> bool {
    line.match_indices("##").any(|(at, _)| {
        let after = line[at + 2..].trim_start_matches(|character: char| character.is_ascii_alphanumeric());
        after.starts_with('[')
    })
}
