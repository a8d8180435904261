//! The findings, with what their rules are about.

use std::cell::RefCell;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::backticks::Backticks;
use crate::common::collections::HashMap;
use crate::lint::Outcome;
use crate::page::{ActivityView, FindingView};
use crate::redaction::Redactions;
use crate::report::{Report, Style, excerpt, visible};
use crate::rules::{self, page_of};
use crate::text::count;
use crate::text::diagnostic::{Diagnostic, FileId, Severity};

/// Columns of an excerpt.
const WIDTH: usize = 88;

/// Makes views of findings.
pub struct Findings<'f> {
    report: Report<'f>,
    /// By code and name.
    about: RefCell<HashMap<(&'static str, &'static str), Vec<String>>>,
}

impl<'f> Findings<'f> {
    pub fn new(outcome: &'f Outcome) -> Self {
        let style = Style { width: WIDTH, ..Style::default() };
        Self { report: Report { outcome, style }, about: RefCell::default() }
    }

    /// Those in some files, the most severe first. `activities` are the pointers and names in one of these files.
    pub fn of(&self, is_wanted: impl Fn(FileId) -> bool, activities: &Activities) -> Vec<FindingView> {
        let outcome = self.report.outcome;
        let listed = outcome.diagnostics.iter().filter(|finding| is_wanted(finding.location.file));
        let mut views: Vec<FindingView> = listed.map(|finding| self.view(finding, activities)).collect();
        for omitted in outcome.omitted.iter().filter(|omitted| is_wanted(omitted.file)) {
            views.push(FindingView {
                code: omitted.code.to_owned(),
                name: omitted.name.to_owned(),
                severity: omitted.severity,
                message: format!("{} of this rule not listed", count(omitted.count, "more finding")),
                help: None,
                repairs: Vec::new(),
                pointer: String::new(),
                place: visible(self.file_name(omitted.file)).into_owned(),
                excerpt: String::new(),
                activity: None,
                about: self.about(omitted.code, omitted.name),
            });
        }
        views.sort_by_key(|view| std::cmp::Reverse(view.severity));
        views
    }

    fn file_name(&self, file: FileId) -> &'f str {
        self.report.outcome.sources.get(&file).map_or("", |source| &source.name)
    }

    fn view(&self, finding: &Diagnostic, activities: &Activities) -> FindingView {
        let shown = |text: &str| visible(text).into_owned();
        let location = &finding.location;
        let (start, _) = self.report.range(location.file, location.span);
        FindingView {
            code: finding.code.to_owned(),
            name: finding.name.to_owned(),
            severity: finding.severity,
            message: shown(&finding.message),
            help: finding.help.as_deref().map(shown),
            repairs: finding.repairs().map(|fix| (shown(&fix.title), fix.applicability.word())).collect(),
            pointer: shown(&location.pointer),
            place: format!("{}:{}:{}", visible(self.file_name(location.file)), start.line, start.column),
            excerpt: excerpt(&self.report, finding),
            activity: (Some(location.file) == activities.file).then(|| activities.around(&location.pointer)).flatten(),
            about: self.about(finding.code, finding.name),
        }
    }

    fn about(&self, code: &'static str, name: &'static str) -> Vec<String> {
        let mut known = self.about.borrow_mut();
        known.entry((code, name)).or_insert_with(|| about(code, name)).clone()
    }
}

/// The activities of a workflow.
#[derive(Default)]
pub struct Activities {
    /// `None` if the file has none.
    pub file: Option<FileId>,
    /// Names by pointer.
    pub names: HashMap<String, String>,
}

impl Activities {
    /// Pointer and name of the innermost activity around a place.
    fn around(&self, pointer: &str) -> Option<(String, String)> {
        let ends = pointer.match_indices('/').map(|(end, _)| end).chain([pointer.len()]);
        let prefixes = ends.collect::<Vec<_>>().into_iter().rev().filter_map(|end| pointer.get(..end));
        prefixes.into_iter().find_map(|around| Some((around.to_owned(), self.names.get(around)?.clone())))
    }
}

/// Covers secrets wherever they are: reports show short ones that are a part of a word.
pub fn redact(finding: &mut FindingView, redactions: &Redactions, backticks: &Backticks) {
    redactions.redact_text(&mut finding.excerpt);
    let repairs = finding.repairs.iter_mut().map(|(title, _)| title);
    for text in [&mut finding.message].into_iter().chain(&mut finding.help).chain(repairs) {
        redactions.redact_text(text);
        backticks.replace(text);
    }
}

/// Adds to the activities the findings at them.
pub fn mark(activities: &mut [ActivityView], findings: &[FindingView]) {
    let mut of: HashMap<&str, Vec<(Severity, String)>> = HashMap::default();
    for finding in findings {
        if let Some((pointer, _)) = &finding.activity {
            of.entry(pointer).or_default().push((finding.severity, finding.code.clone()));
        }
    }
    for activity in activities {
        activity.findings = of.remove(activity.pointer.as_str()).unwrap_or_default();
    }
}

/// The page of a rule in short, as plain text: what it reports, why, and what to do.
fn about(code: &str, name: &str) -> Vec<String> {
    let Some(rule) = rules::find(code, name) else { return Vec::new() };
    let page = page_of(rule);
    let (mut section, mut text) = (String::new(), String::new());
    let (mut about, mut whys) = (Vec::new(), 0);
    for event in Parser::new(&page) {
        match event {
            Event::Start(Tag::Heading { .. } | Tag::Paragraph | Tag::Item) => text.clear(),
            Event::Text(part) | Event::Code(part) => text.push_str(&part),
            Event::SoftBreak | Event::HardBreak => text.push(' '),
            Event::End(TagEnd::Heading(_)) => section = std::mem::take(&mut text),
            Event::End(TagEnd::Paragraph | TagEnd::Item) => {
                let part = std::mem::take(&mut text);
                let is_first_of_page = about.is_empty();
                let is_why = section == "Why" && whys == 0;
                if !part.is_empty() && (is_first_of_page || is_why || section == "What to do") {
                    whys += usize::from(is_why);
                    about.push(part);
                }
            }
            _ => {}
        }
    }
    about
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_is_told_in_short() {
        let told = about("WF201", "missing-required-parameter");
        assert!(
            told.first().is_some_and(|first| first.starts_with("Reports a missing required parameter")),
            "{told:#?}"
        );
        assert!(told.iter().any(|part| part.starts_with("Set the parameter")), "{told:#?}");
        assert_eq!(told.len(), 4, "{told:#?}");
        assert!(rules::REGISTRY.iter().all(|rule| about(rule.code, rule.name).len() >= 3));
    }

    #[test]
    fn innermost_activity_is_around() {
        let names = ["/activities/1", "/activities/1/activities/0", "/activities/10"];
        let names = names.into_iter().map(|pointer| (pointer.to_owned(), pointer.to_owned())).collect();
        let activities = Activities { file: None, names };
        let around = |pointer: &str| activities.around(pointer).map(|(at, _)| at);
        assert_eq!(around("/activities/1/activities/0/name").as_deref(), Some("/activities/1/activities/0"));
        assert_eq!(around("/activities/10/name").as_deref(), Some("/activities/10"));
        assert_eq!(around("/activities/1").as_deref(), Some("/activities/1"));
        assert_eq!(around("/variables/0"), None);
    }
}
