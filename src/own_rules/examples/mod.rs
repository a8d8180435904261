//! The examples of a rule's page, each with its expected findings: they are documentation and test of the rule.
//!
//! Under `## Examples`, each example has a heading `###`, then fences: `json` and `toml` with its files, `findings` with the
//! lines that are expected, and `json fixed` with files after the fixes.

mod complete;

pub use complete::complete;

use crate::text::diagnostic::Severity;

/// An example: the documents of one service.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Example {
    /// The heading.
    pub title: String,
    /// The line of the heading, from 1.
    pub line: u32,
    /// Name (empty for the usual one) and text of each file.
    pub files: Vec<(String, String)>,
    /// Whether the files are named on the command line, instead of the folder.
    pub named: bool,
    /// Whether the files are complete, so that nothing is added to them.
    pub bare: bool,
    /// The expected findings.
    pub findings: Vec<Expected>,
    /// Files after the fixes.
    pub fixed: Vec<(String, String)>,
    /// Files after the first alternative of the first finding that has one.
    pub alternative: Vec<(String, String)>,
}

/// A line of a `findings` fence: `CODE [severity] [file] pointer [covered text]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    pub code: String,
    /// Any if it is absent.
    pub severity: Option<Severity>,
    pub file: Option<String>,
    /// Empty for the root, which is written as `(root)`.
    pub pointer: String,
    pub covered: Option<String>,
}

/// What is wrong with a page, and in which line, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageError {
    pub line: u32,
    pub message: String,
}

/// A fence that was begun.
struct Fence {
    line: u32,
    info: String,
    text: String,
    /// The backticks that end it.
    marks: String,
}

/// The examples of a page, those under `## Examples`, each under a heading of its own.
///
/// # Errors
/// The first thing in the page that cannot be read.
pub fn examples(page: &str) -> Result<Vec<Example>, PageError> {
    let error = |line, message: &str| Err(PageError { line, message: message.to_owned() });
    let mut examples: Vec<Example> = Vec::new();
    let (mut fence, mut is_there): (Option<Fence>, bool) = (None, false);
    for (number, line) in (1..).zip(page.lines()) {
        match &mut fence {
            Some(open) if line.trim_end() == open.marks => {
                let Some(open) = fence.take().filter(|_| is_there) else { continue };
                let Some(example) = examples.last_mut() else { return error(open.line, "example without a heading") };
                let (at, info) = (open.line, open.info.clone());
                if let Err(message) = example.add(&info, open.text) {
                    return Err(PageError { line: at, message });
                }
            }
            Some(open) => {
                open.text.push_str(line);
                open.text.push('\n');
            }
            None if line.starts_with("```") => {
                let info = line.trim_start_matches('`');
                let marks = line.strip_suffix(info).unwrap_or(line).to_owned();
                fence = Some(Fence { line: number, info: info.trim().to_owned(), text: String::new(), marks });
            }
            None if line.starts_with("## ") => is_there = line.trim_end() == "## Examples",
            None => {
                if let Some(title) = line.strip_prefix("### ").filter(|_| is_there) {
                    examples.push(Example { title: title.trim().to_owned(), line: number, ..Example::default() });
                }
            }
        }
    }
    match fence {
        Some(open) => error(open.line, "unclosed fence"),
        None => Ok(examples),
    }
}

impl Example {
    fn add(&mut self, info: &str, text: String) -> Result<(), String> {
        let words: Vec<&str> = info.split_whitespace().collect();
        match words.as_slice() {
            ["findings"] => {
                for line in text.lines().filter(|line| !line.trim().is_empty()) {
                    self.findings.push(Expected::read(line)?);
                }
            }
            ["json", "fixed"] => self.fixed.push((String::new(), text)),
            ["json" | "toml", "fixed", name] => self.fixed.push(((*name).to_owned(), text)),
            ["json", "alternative"] => self.alternative.push((String::new(), text)),
            ["json", "alternative", name] => self.alternative.push(((*name).to_owned(), text)),
            ["json"] => self.files.push((String::new(), text)),
            ["toml"] => self.files.push(("wflint.toml".to_owned(), text)),
            ["json", word @ ("bare" | "named"), name] => {
                self.bare |= *word == "bare";
                self.named |= *word == "named";
                self.files.push(((*name).to_owned(), text));
            }
            ["json" | "toml", name] => self.files.push(((*name).to_owned(), text)),
            _ => return Err(format!("unknown fence `{info}`; use `json`, `toml`, `findings` or `json fixed`")),
        }
        Ok(())
    }
}

impl Expected {
    fn read(line: &str) -> Result<Self, String> {
        let mut rest = line.trim();
        let mut word = |is_wanted: &dyn Fn(&str) -> bool| {
            let (first, after) = rest.split_once(' ').unwrap_or((rest, ""));
            is_wanted(first).then(|| {
                rest = after.trim_start();
                first.to_owned()
            })
        };
        let is_code = |word: &str| crate::config::letters(word).is_some();
        let is_pointer = |word: &str| word.starts_with('/') || word == "(root)";
        let code = word(&is_code);
        let severity = word(&|first| matches!(first, "error" | "warning" | "info"));
        let file = word(&|first| !first.is_empty() && !is_pointer(first));
        let (Some(code), Some(pointer)) = (code, word(&is_pointer)) else {
            return Err(format!("expected a code and a JSON Pointer, found `{}`", line.trim()));
        };
        let severity = severity.map(|word| match word.as_str() {
            "error" => Severity::Error,
            "warning" => Severity::Warning,
            _ => Severity::Info,
        });
        let pointer = if pointer == "(root)" { String::new() } else { pointer };
        Ok(Self { code, severity, file, pointer, covered: (!rest.is_empty()).then(|| rest.to_owned()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_have_files_findings_and_fixed_files() {
        let page = "# ORG101-x\n\n```json\n{}\n```\n\n## Examples\n\n### One\n\n```json\n[]\n```\n\n```toml\na = 1\n```\n\n\
                    ```findings\nORG101 error a.json /activities/0 \"x y\"\nWF414 (root)\n```\n\n### Two\n\n````json a.json\n```\n````\n\n\
                    ```json fixed\n{}\n```\n";
        let found = examples(page).unwrap();
        let [one, two] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((one.title.as_str(), one.line), ("One", 9));
        assert_eq!(one.files, [(String::new(), "[]\n".into()), ("wflint.toml".into(), "a = 1\n".into())]);
        assert_eq!(
            one.findings,
            [
                Expected {
                    code: "ORG101".into(),
                    severity: Some(Severity::Error),
                    file: Some("a.json".into()),
                    pointer: "/activities/0".into(),
                    covered: Some("\"x y\"".into())
                },
                Expected { code: "WF414".into(), severity: None, file: None, pointer: String::new(), covered: None }
            ]
        );
        assert_eq!(
            (&two.files, &two.fixed),
            (&vec![("a.json".into(), "```\n".into())], &vec![(String::new(), "{}\n".into())])
        );
    }

    #[test]
    fn wrong_pages_have_a_line() {
        for (page, line, message) in [
            ("## Examples\n\n```json\n{}\n```\n", 3, "example without a heading"),
            ("## Examples\n\n### A\n\n```json\n{}\n", 5, "unclosed fence"),
            (
                "## Examples\n\n### A\n\n```yaml\n```\n",
                5,
                "unknown fence `yaml`; use `json`, `toml`, `findings` or `json fixed`",
            ),
            (
                "## Examples\n\n### A\n\n```findings\nORG101\n```\n",
                5,
                "expected a code and a JSON Pointer, found `ORG101`",
            ),
            ("## Examples\n\n### A\n\n```findings\n/a\n```\n", 5, "expected a code and a JSON Pointer, found `/a`"),
        ] {
            assert_eq!(examples(page), Err(PageError { line, message: message.to_owned() }));
        }
        assert_eq!(examples("# A\n\n```json\n{}\n```\n"), Ok(Vec::new()));
    }
}
