//! What changed since another version.

use std::path::{Path, PathBuf};

use super::subject::Subject;
use crate::diff::{Change, ServiceDiff};
use crate::draw::in_words;
use crate::page::{ChangeView, Changes};
use crate::report::{Counts, change_lines, visible};

/// Characters of a line.
const MAX_LINE: usize = 1000;

/// Members with a number of seconds, and what it means if there is none, or 0.
const DURATIONS: [(&str, &str); 3] =
    [("iterationDelaySeconds", "no pause"), ("remindTime", "no reminder"), ("timeout", "no limit (waits forever)")];

/// The differences of one path that was compared.
#[derive(Debug)]
pub struct Compared {
    /// The folder or document, absolute.
    pub path: PathBuf,
    /// The revision.
    pub since: String,
    pub services: Vec<ServiceDiff>,
}

/// Those of the workflow's service, without changes of other workflows in it.
pub fn changes(subject: &Subject<'_, '_>, compared: &[Compared]) -> Changes {
    let workflow = &subject.file.source.path;
    let own = compared.iter().flat_map(|compared| {
        compared.services.iter().filter(move |service| is_about(service, &compared.path, workflow))
    });
    let mut all = unchanged(compared);
    for service in own {
        let others: Vec<&str> = others(subject);
        let is_own = |change: &Change| !others.contains(&change.files.document.as_str());
        let changes = service.changes.iter().filter(|change| is_own(change)).cloned().map(with_durations).collect();
        let service = ServiceDiff { changes, ..service.clone() };
        for line in change_lines(&service) {
            all.number += usize::from(line.counts == Some(Counts::Change));
            all.effects += usize::from(line.counts == Some(Counts::Effect));
            let mut text = line.text;
            subject.redactions.redact_text(&mut text);
            subject.backticks.replace(&mut text);
            let text = visible(&crate::text::truncate(&text, MAX_LINE)).into_owned();
            all.lines.push(ChangeView { depth: line.depth, word: line.word, text });
        }
    }
    all
}

/// A change whose numbers of seconds are in words.
fn with_durations(mut change: Change) -> Change {
    let member = change.member.as_deref().filter(|_| !change.is_parameter);
    if let Some((_, none)) = DURATIONS.iter().find(|(name, _)| Some(*name) == member) {
        for value in [&mut change.before, &mut change.after] {
            *value = Some(duration(value.as_deref().unwrap_or_default(), none).into());
        }
    }
    change
}

/// A number of seconds in words; `none` of one that counts as if there were none.
fn duration(seconds: &str, none: &str) -> String {
    let is_none = matches!(seconds.trim(), "" | "null") || seconds.trim().parse::<f64>().is_ok_and(|it| it == 0.0);
    if is_none { none.to_owned() } else { in_words(seconds).unwrap_or_else(|| seconds.to_owned()) }
}

/// No changes.
pub fn unchanged(compared: &[Compared]) -> Changes {
    let since = compared.first().map(|compared| visible(&compared.since).into_owned()).unwrap_or_default();
    Changes { since, ..Changes::default() }
}

/// The file names of the other workflows of the service.
fn others<'s>(subject: &Subject<'s, '_>) -> Vec<&'s str> {
    let others = subject.context.workflows.iter().filter(|other| other.file != subject.analysis.file);
    let names = others.filter_map(|other| subject.context.file(other.file));
    names.map(|file| file.source.name.rsplit('/').next().unwrap_or_default()).collect()
}

/// Whether a service that differs is that of a workflow: its folder is below the path that was compared.
fn is_about(service: &ServiceDiff, path: &Path, workflow: &Path) -> bool {
    if path == workflow {
        return true;
    }
    let folder = workflow.parent().unwrap_or(workflow);
    let below = folder.strip_prefix(path).ok();
    let below = below.map(|below| below.to_string_lossy().replace('\\', "/"));
    below.is_some_and(|below| {
        if below.is_empty() { matches!(service.service.as_str(), "." | "") } else { below == service.service }
    })
}
