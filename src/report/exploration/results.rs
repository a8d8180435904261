//! The results of an exploration: broken laws and other problems as findings, whether each law holds, a summary.

use std::borrow::Cow;

use super::ends::{heading, rows, totals};
use crate::common::collections::HashMap;
use crate::explore::{BrokenLaw, Ending, Explored, ExploredLaw, ExploredService};
use crate::report::markup::{Table, code, message};
use crate::report::results::{Case, Finding, Report, Results, Suite, Verdict};
use crate::text::diagnostic::{Diagnostic, FileId, Location, Severity};
use crate::text::source::Span;
use crate::text::{MAX_NAME, count, truncate};

/// Characters of a message.
const MAX_MESSAGE: usize = 1_000;

/// The input of a report.
#[derive(Debug, Clone, Copy)]
pub struct ExplorationReport<'r> {
    pub explored: &'r Explored,
    /// The files, and the style.
    pub report: Report<'r>,
}

impl Results for ExplorationReport<'_> {
    fn report(&self) -> &Report<'_> {
        &self.report
    }

    /// Broken laws in their order, then services that were not explored, or not completely, then unused suppressions,
    /// then laws whose `when` no run meets.
    fn findings(&self) -> Vec<Finding<'_>> {
        let explored = self.explored;
        let mut findings = Vec::new();
        for law in &explored.laws {
            let broken = law.broken().map(|broken| {
                let message = self.mask(broken.workflow, &broken.message);
                of_law(law, Severity::Error, &message, broken.location.clone())
            });
            let unlisted = law.unlisted.iter().map(|(workflow, number)| {
                let message = format!("{} not listed", count(*number, "more run"));
                of_law(law, Severity::Error, &message, whole(*workflow))
            });
            findings.extend(broken.chain(unlisted));
        }
        let unexplored = explored
            .unexplored
            .iter()
            .map(|(workflow, reason)| not_explored(&format!("cannot explore the service: {reason}"), *workflow));
        findings.extend(unexplored);
        findings.extend(explored.services.iter().filter_map(|service| {
            let message = format!("not explored completely: {}", service.cut?.reason(service.states));
            Some(not_explored(&message, service.workflow))
        }));
        findings.extend(explored.warnings.iter().map(|warning| {
            let message = truncate(&warning.message, MAX_MESSAGE).into_owned();
            let diagnostic = Diagnostic { message, help: None, ..warning.clone() };
            Finding { title: Some(warning.code.to_owned()), diagnostic: Cow::Owned(diagnostic) }
        }));
        findings.extend(
            explored
                .laws
                .iter()
                .filter(|law| law.is_unmet())
                .filter_map(|law| Some(of_law(law, Severity::Warning, "no run meets `when`", law.declared.clone()?))),
        );
        findings
    }

    fn summary(&self) -> Vec<String> {
        vec![self.summary_line()]
    }

    /// One test case for each law and service, one suite for each service.
    fn suites(&self) -> Vec<Suite> {
        let laws: Vec<(&ExploredLaw, HashMap<FileId, Vec<&BrokenLaw>>)> = self
            .explored
            .laws
            .iter()
            .map(|law| {
                let mut runs: HashMap<FileId, Vec<&BrokenLaw>> = HashMap::default();
                law.broken.iter().for_each(|broken| runs.entry(broken.workflow).or_default().push(broken));
                (law, runs)
            })
            .collect();
        let explored = self.explored.services.iter().map(|service| {
            let file = self.report.file_name(service.workflow);
            let cases = laws.iter().map(|(law, runs)| {
                let runs = runs.get(&service.workflow).map_or(&[][..], Vec::as_slice);
                Case::of_run(&*law.name, file, self.verdict(law, runs, service))
            });
            Suite { name: file.to_owned(), cases: cases.collect() }
        });
        let unexplored = self.explored.unexplored.iter().map(|(workflow, reason)| {
            let file = self.report.file_name(*workflow);
            let cases = vec![Case::of_run("explore", file, Verdict::Undecided(reason.clone()))];
            Suite { name: file.to_owned(), cases }
        });
        explored.chain(unexplored).collect()
    }

    fn tables(&self) -> Vec<Table> {
        let mut problems = Table::new(&["Place", "Broken law or problem"]);
        for Finding { diagnostic, .. } in self.findings() {
            problems.add(&[code(&self.report.place(&diagnostic.location)), message(&diagnostic.message)]);
        }
        let mut ends = Table::new(&["Service", "End", "Status", "When"]);
        for service in &self.explored.services {
            let file = code(self.report.file_name(service.workflow));
            for row in rows(service) {
                let word = row.ending.word();
                let is_fault = row.ending == Ending::Endless && !row.is_assumed;
                let word = if is_fault { format!("**{word}**") } else { word.to_owned() };
                let status = row.status.as_deref().map_or_else(|| "(nothing)".to_owned(), code);
                ends.add(&[file.clone(), word, status, message(&row.reason)]);
            }
        }
        vec![problems, ends]
    }

    fn notes(&self) -> Vec<String> {
        let note = |service: &ExploredService| {
            let file = code(self.report.file_name(service.workflow));
            format!("{file}: {}. {}.", heading(service), totals(service))
        };
        self.explored.services.iter().map(note).collect()
    }
}

impl<'r> ExplorationReport<'r> {
    pub(super) fn service(&self, workflow: FileId) -> Option<&'r ExploredService> {
        let services = &self.explored.services;
        let name = |service: &ExploredService| self.report.file_name(service.workflow);
        // They are sorted by their names, which may be thousands.
        let found = services.binary_search_by_key(&self.report.file_name(workflow), name);
        let found = found.ok().and_then(|index| services.get(index)).filter(|service| service.workflow == workflow);
        found.or_else(|| services.iter().find(|service| service.workflow == workflow))
    }

    /// A text about a service, without the values of masked variables.
    pub(super) fn mask<'t>(&self, workflow: FileId, text: &'t str) -> Cow<'t, str>
    where
        'r: 't,
    {
        self.service(workflow).map_or(Cow::Borrowed(text), |service| service.masker.apply(text))
    }

    /// Ends and laws in one line, without its end.
    pub fn summary_line(&self) -> String {
        let Explored { services, laws, unexplored, .. } = self.explored;
        let standings: Vec<Standing> = laws.iter().map(standing).collect();
        let number = |wanted: &[Standing]| standings.iter().filter(|standing| wanted.contains(standing)).count();
        let holding = number(&[Standing::Holds, Standing::Accepted]);
        let accepted = laws.iter().flat_map(|law| &law.broken).filter(|broken| broken.accepted.is_some()).count();
        let cut_off = services.iter().filter(|service| !service.is_complete()).count();
        let further = [
            (number(&[Standing::Broken]), "law", "broken"),
            (holding, "law", if holding == 1 { "holds" } else { "hold" }),
            (number(&[Standing::Unknown]), "law", "not decided"),
            (accepted, "violation", "accepted"),
            (cut_off, "service", "not explored completely"),
            (unexplored.len(), "service", "not explored"),
        ];
        let mut parts = vec![count(services.iter().map(|service| service.ends.len()).sum::<usize>(), "end")];
        let further = further.into_iter().filter(|(number, ..)| *number > 0);
        parts.extend(further.map(|(number, noun, verb)| format!("{} {verb}", count(number, noun))));
        format!("Explored {}: {}.", count(services.len(), "service"), parts.join(", "))
    }

    /// Whether a service keeps a law that these of its runs break, also accepted ones.
    fn verdict(&self, law: &ExploredLaw, runs: &[&BrokenLaw], service: &ExploredService) -> Verdict {
        let broken: Vec<&&BrokenLaw> = runs.iter().filter(|broken| broken.accepted.is_none()).collect();
        let unlisted = law.unlisted.get(&service.workflow).copied().unwrap_or_default();
        if broken.is_empty() && unlisted == 0 {
            let accepted = runs.iter().find_map(|broken| broken.accepted.as_deref());
            return match (accepted, service.cut) {
                (Some(reason), _) => Verdict::Accepted(format!("accepted: {reason}")),
                (None, Some(cut)) => Verdict::Undecided(format!("not decided: {}", cut.reason(service.states))),
                (None, None) => Verdict::Passed,
            };
        }
        let lines = broken.iter().map(|broken| {
            let (start, _) = self.report.range(broken.location.file, broken.location.span);
            format!("line {}, column {}: {}", start.line, start.column, service.masker.apply(&broken.message))
        });
        let more = (unlisted > 0).then(|| format!("{} not listed", count(unlisted, "more run")));
        let details: Vec<String> = lines.chain(more).collect();
        let first = broken.first().map(|broken| &broken.message).or(details.first()).map_or("", String::as_str);
        Verdict::Failed { message: service.masker.apply(first).into_owned(), kind: None, details }
    }
}

fn of_law<'r>(law: &ExploredLaw, severity: Severity, message: &str, location: Location) -> Finding<'r> {
    let name = truncate(&law.name, 2 * MAX_NAME);
    let message = truncate(&format!("{name}: {message}"), MAX_MESSAGE).into_owned();
    let diagnostic = Diagnostic::new("law", "broken-law", severity, message, location);
    Finding { diagnostic: Cow::Owned(diagnostic), title: Some(format!("law {name}")) }
}

fn not_explored<'r>(message: &str, workflow: FileId) -> Finding<'r> {
    let message = truncate(message, MAX_MESSAGE).into_owned();
    let diagnostic = Diagnostic::new("explore", "not-explored", Severity::Error, message, whole(workflow));
    Finding { diagnostic: Cow::Owned(diagnostic), title: Some("not explored".to_owned()) }
}

const fn whole(file: FileId) -> Location {
    Location { file, pointer: String::new(), span: Span { start: 0, end: 0 } }
}

/// Whether a law holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    Holds,
    Broken,
    /// It is broken, but a `[[suppress]]` accepts every run that breaks it.
    Accepted,
    /// The search was cut off before a run broke it.
    Unknown,
}

pub(super) fn standing(law: &ExploredLaw) -> Standing {
    let is_accepted = law.broken.iter().any(|broken| broken.accepted.is_some());
    match law.holds {
        _ if law.is_broken() => Standing::Broken,
        None => Standing::Unknown,
        Some(_) if is_accepted => Standing::Accepted,
        Some(true) => Standing::Holds,
        Some(false) => Standing::Broken,
    }
}

impl Standing {
    /// The word in the human report.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Holds => "ok",
            Self::Broken => "broken",
            Self::Accepted => "accepted",
            Self::Unknown => "unknown",
        }
    }

    /// As in JSON.
    pub const fn holds(self) -> Option<bool> {
        match self {
            Self::Holds | Self::Accepted => Some(true),
            Self::Broken => Some(false),
            Self::Unknown => None,
        }
    }
}
