//! The names of scenario files: what the run shows, in letters that every system allows.

use crate::common::collections::HashSet;
use crate::explore::ExploredEnd;

/// Characters and bytes of a name without its extension and its number. File systems have limits of 255, and of 260 for
/// a whole path.
const MAX_CHARACTERS: usize = 80;
const MAX_BYTES: usize = 160;

const EXTENSION: &str = ".scenario.yaml";

/// The names that are taken.
#[derive(Default)]
pub(super) struct Names {
    /// In lower case: names that differ only in case are one file on some systems.
    taken: HashSet<String>,
}

impl Names {
    /// By the status, which is shown as reports do, or without one by the activity.
    ///
    /// `is_free` says whether a file may have a name.
    pub fn of_end(&mut self, end: &ExploredEnd, status: Option<&str>, is_free: impl Fn(&str) -> bool) -> String {
        let status = status.map(slug).filter(|slug| !slug.is_empty());
        let what = status.or_else(|| end.activity.as_ref().map(|activity| slug(&activity.name)));
        self.unused(end.ending.word(), &what.unwrap_or_default(), is_free)
    }

    pub fn of_law(&mut self, law: &str) -> String {
        self.unused("broken", &slug(law), |_| true)
    }

    /// A name with a number if it is taken. It never is that of a device, as it begins with a word of ours.
    fn unused(&mut self, word: &str, what: &str, is_free: impl Fn(&str) -> bool) -> String {
        let stem = if what.is_empty() { word.to_owned() } else { format!("{word}-{what}") };
        let numbered = (2_u64..).map(|number| format!("{stem}-{number}"));
        let stems = std::iter::once(stem.clone()).chain(numbered);
        let mut files = stems.map(|stem| stem + EXTENSION);
        let unused = files.find(|file| is_free(file) && self.taken.insert(file.to_lowercase()));
        unused.unwrap_or_default()
    }
}

/// The letters and digits of a text in lower case, with `-` for all else.
fn slug(text: &str) -> String {
    let mut slug = String::new();
    let mut characters = 0;
    for character in text.chars().flat_map(char::to_lowercase) {
        let is_kept = character.is_alphanumeric();
        if !is_kept && (slug.is_empty() || slug.ends_with('-')) {
            continue;
        }
        characters += 1;
        if characters > MAX_CHARACTERS || slug.len() + character.len_utf8() > MAX_BYTES {
            break;
        }
        slug.push(if is_kept { character } else { '-' });
    }
    slug.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::Ending;
    use crate::explore::test_data::end;

    #[test]
    fn file_is_named_after_outcome_and_status() {
        let mut names = Names::default();
        let mut name = |ending, status| names.of_end(&end(ending, status, Vec::new()), status, |_| true);
        assert_eq!(
            name(Ending::Terminated, Some("Document was rejected")),
            "terminated-document-was-rejected.scenario.yaml"
        );
        assert_eq!(name(Ending::Completed, None), "completed.scenario.yaml");
        let status = Some("Request-ZPESign: completed");
        assert_eq!(name(Ending::Failed, status), "failed-request-zpesign-completed.scenario.yaml");
        assert_eq!(name(Ending::Failed, status), "failed-request-zpesign-completed-2.scenario.yaml");
        assert_eq!(
            name(Ending::Failed, Some("request zpesign, COMPLETED 2")),
            "failed-request-zpesign-completed-2-2.scenario.yaml"
        );
        assert_eq!(name(Ending::Failed, status), "failed-request-zpesign-completed-3.scenario.yaml");
    }

    #[test]
    fn file_without_status_is_named_after_the_activity() {
        let mut names = Names::default();
        let mut name = |status| {
            let mut end = end(Ending::Failed, status, Vec::new());
            end.activity = Some(crate::explore::test_data::place("Request signature"));
            names.of_end(&end, status, |_| true)
        };
        assert_eq!(name(None), "failed-request-signature.scenario.yaml");
        assert_eq!(name(Some(" – ")), "failed-request-signature-2.scenario.yaml");
    }

    #[test]
    fn name_is_one_component_on_every_system() {
        for (text, name) in [
            ("", ""),
            ("../../etc/passwd", "etc-passwd"),
            (r"C:\x", "c-x"),
            ("a\u{0}\n\u{1b}[31mb\u{202e}", "a-31mb"),
            ("CON", "con"),
            ("x. ", "x"),
            ("*?\"<>|:", ""),
            ("Förfrågan AVSLUTAD", "förfrågan-avslutad"),
        ] {
            assert_eq!(slug(text), name);
        }
        for long in ["a".repeat(500), "ä".repeat(500), "漢".repeat(500), "a ".repeat(500)] {
            let slug = slug(&long);
            assert!(slug.len() <= MAX_BYTES && slug.chars().count() <= MAX_CHARACTERS, "{slug}");
        }
    }
}
