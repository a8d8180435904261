//! Rules of the user's own: they run beside those of wflint, and their reports become findings.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use super::filter::Filter;
use crate::common::timing::{Part, Timing};
use crate::config::{Config, OwnRule, OwnRules};
use crate::document::{Document, Editor, NodeId};
use crate::facts::{Context, Place};
use crate::files::paths::relative_name;
use crate::own_rules::engine::{
    Facts, Inserted, Meta, NodeRef, OwnDocument, OwnFix, Report, RuleProblem, RuleRun, Selected, ServiceInput, facts_of,
};
use crate::own_rules::{LoadedRules, OwnRunner, merged};
use crate::rules::{Draft, Reporter, RuleFindings, RuleIdentity, own_rule};
use crate::text::diagnostic::{Applicability, Edit, FileId, Label, Location, Severity};

/// What rules of the user's own have found in a service.
#[derive(Default)]
pub(super) struct OwnFound {
    pub findings: Vec<RuleFindings>,
    pub failed: Vec<FailedRule>,
    /// How many rules were to run, but could not.
    pub not_run: usize,
    /// Their codes, and those of rules that did not run to their end: what they do not find may be there nevertheless.
    pub incomplete: BTreeSet<&'static str>,
}

/// A rule that did not run to its end.
pub(super) struct FailedRule {
    pub rules: Arc<OwnRules>,
    pub code: &'static str,
    pub problem: RuleProblem,
    /// Where in a document.
    pub at: Option<Label>,
}

/// The rules that are to run on a service.
#[derive(Default)]
pub(super) struct Plan<'a> {
    parts: Vec<Planned<'a>>,
    /// As in [`OwnFound`], before anything has run.
    not_run: usize,
    incomplete: BTreeSet<&'static str>,
}

/// Those of one configuration file.
struct Planned<'a> {
    rules: &'a Arc<OwnRules>,
    loaded: Arc<LoadedRules>,
    selected: Vec<Selected>,
    /// The files of the documents.
    ids: Vec<FileId>,
    input: ServiceInput<'a>,
}

/// How they ran, for each configuration file; `None` if they could not.
pub(super) type Runs = Vec<Option<Vec<RuleRun>>>;

/// The rules that are on.
pub(super) fn plan<'a>(runner: Option<&OwnRunner>, selection: &Filter, context: &Context<'a>) -> Plan<'a> {
    let mut plan = Plan::default();
    for rules in &context.config.own_rules {
        let codes: BTreeSet<&'static str> =
            rules.rules.iter().map(|rule| rule.code).filter(|code| selection.is_on(code)).collect();
        if codes.is_empty() {
            continue;
        }
        plan.incomplete.extend(&codes);
        let Some(loaded) = runner.and_then(|runner| runner.load(rules)) else {
            plan.not_run += codes.len();
            continue;
        };
        let selected = selected(&loaded, rules, selection, context.config);
        if !selected.is_empty() && !context.is_canceled() {
            plan.parts.push(Planned::new(rules, loaded, selected, context));
        }
    }
    plan
}

impl<'a> Planned<'a> {
    fn new(rules: &'a Arc<OwnRules>, loaded: Arc<LoadedRules>, selected: Vec<Selected>, context: &Context<'a>) -> Self {
        let config = context.config;
        let (ids, documents) = documents(&rules.folder, context);
        let needs_flow = selected.iter().any(|rule| rule.needs_flow);
        let facts: Option<Facts> = needs_flow.then(|| facts_of(context, &documents));
        let (name, settings) = (name(config, context), config.settings.clone());
        Self {
            rules,
            loaded,
            selected,
            ids,
            input: ServiceInput { name, documents, settings, types: &config.types, facts },
        }
    }
}

impl Plan<'_> {
    pub const fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Runs the rules.
    pub fn run(&self, runner: Option<&OwnRunner>, timing: Option<&Timing>) -> Runs {
        let run = |part: &Planned<'_>| {
            let run = || runner?.run(&part.loaded, &part.selected, &part.input);
            Timing::measure(timing, Part::Rule, || "rules of your own".to_owned(), run)
        };
        self.parts.iter().map(run).collect()
    }

    /// What they have found.
    pub fn found(self, runs: Runs, context: &Context<'_>) -> OwnFound {
        let Self { parts, not_run, incomplete } = self;
        let mut found = OwnFound { not_run, incomplete, ..OwnFound::default() };
        for (part, runs) in parts.into_iter().zip(runs) {
            match runs {
                Some(runs) => part.add(runs, context, &mut found),
                None => found.not_run += part.selected.len(),
            }
        }
        found
    }
}

impl Planned<'_> {
    fn add(self, runs: Vec<RuleRun>, context: &Context<'_>, found: &mut OwnFound) {
        let Self { rules, loaded, ids, .. } = self;
        let service = OwnService { ids: &ids, context };
        for run in runs {
            let (Some(rule), Some(meta)) = (rules.rules.get(run.rule), meta(&loaded, run.rule)) else { continue };
            let mut findings = RuleFindings::new(own_rule(rule, Some(meta.severity)).identity());
            let RuleRun { reports, omitted, problem, .. } = run;
            service.add(reports, omitted, &mut findings);
            found.findings.push(findings);
            if problem.is_none() {
                found.incomplete.remove(rule.code);
            }
            if let Some(problem) = problem {
                let at = problem.at.as_ref().and_then(|at| service.label(at));
                found.failed.push(FailedRule { rules: Arc::clone(rules), code: rule.code, problem, at });
            }
        }
    }
}

fn meta(loaded: &LoadedRules, rule: usize) -> Option<&Meta> {
    loaded.rules.get(rule)?.as_ref().ok()
}

/// The rules that are on and can be run, with their options.
fn selected(loaded: &LoadedRules, rules: &OwnRules, selection: &Filter, config: &Config) -> Vec<Selected> {
    let rule = |(index, rule): (usize, &OwnRule)| {
        let meta = meta(loaded, index).filter(|_| selection.is_on(rule.code))?;
        let options = merged(rule.code, meta, &config.rule_options).ok()?;
        Some(Selected { rule: index, options, needs_flow: meta.needs_flow })
    };
    rules.rules.iter().enumerate().filter_map(rule).collect()
}

fn documents<'a>(folder: &Path, context: &Context<'a>) -> (Vec<FileId>, Vec<OwnDocument<'a>>) {
    let documents = context.files.iter().filter_map(|file| {
        let (kind, document) = file.document()?;
        Some((file.id, OwnDocument { kind, file: relative_name(&file.source.path, folder), document }))
    });
    documents.unzip()
}

/// The name of a service: that of its `[[service]]`, or of its folder.
fn name(config: &Config, context: &Context<'_>) -> String {
    let paths = || context.files.iter().map(|file| file.source.path.as_path());
    let is_own = |path: &Path| {
        let mut entries = config.services.iter();
        entries
            .find(|entry| entry.workflow_path().is_some_and(|workflow| workflow == path))
            .map(|entry| entry.name.clone())
    };
    let folder = || Some(paths().next()?.parent()?.file_name()?.to_string_lossy().into_owned());
    paths().find_map(is_own).or_else(folder).unwrap_or_default()
}

/// The documents to which reports refer.
struct OwnService<'s, 'a> {
    ids: &'s [FileId],
    context: &'s Context<'a>,
}

/// A node of a document.
struct Found<'a> {
    file: FileId,
    document: &'a Document,
    node: NodeId,
}

impl<'a> OwnService<'_, 'a> {
    fn find(&self, node: &NodeRef) -> Option<Found<'a>> {
        let file = *self.ids.get(node.document)?;
        let document = self.context.document(file)?;
        Some(Found { file, document, node: document.resolve(&node.pointer)? })
    }

    fn add(&self, reports: Vec<Report>, omitted: usize, findings: &mut RuleFindings) {
        let RuleIdentity { severity, .. } = findings.rule;
        let mut reporter = Reporter::new(self.context, findings);
        let mut last = None;
        for report in reports {
            let Some(found) = self.find(&report.node) else { continue };
            last = Some((found.file, report.severity.unwrap_or(severity)));
            let place = place(&found, report.key.as_deref(), report.part);
            let mut draft = reporter.report(&place, report.message);
            self.add_details(&mut draft, &found, (report.severity, report.help, report.fix));
            for related in report.related {
                if let Some(found) = self.find(&related.node) {
                    draft.related(&self::place(&found, related.key.as_deref(), None), related.message);
                }
            }
        }
        // Those that were not kept are counted where the last one is.
        if let Some(of) = last.filter(|_| omitted > 0) {
            *findings.omitted.entry(of).or_default() += omitted;
        }
    }

    fn add_details(
        &self,
        draft: &mut Draft<'_>,
        found: &Found<'_>,
        (severity, help, fix): (Option<Severity>, Option<String>, Option<OwnFix>),
    ) {
        if let Some(severity) = severity {
            draft.severity(severity);
        }
        if let Some(help) = help {
            draft.help(help);
        }
        if let Some(fix) = fix
            && let Some(edits) = self.edits(found, &fix)
        {
            let applicability = if fix.is_safe { Applicability::Safe } else { Applicability::Unsafe };
            draft.fix(applicability, fix.title, edits);
        }
    }

    /// The edits of a fix; `None` if a part of it cannot be made.
    fn edits(&self, Found { file, document, node }: &Found<'_>, fix: &OwnFix) -> Option<Vec<Edit>> {
        let mut editor = Editor::new(document, *file);
        let mut edits = Vec::new();
        let is_removed = |key: &str| fix.remove.iter().any(|removed| removed == key);
        for (key, value) in fix.set.iter().filter(|(key, _)| !is_removed(key)) {
            match document.member(*node, key) {
                Some(member) => editor.replace(member, value.clone()),
                None => editor.insert_member(*node, document.children(*node).next_back(), key, value.clone()),
            }
        }
        for member in fix.remove.iter().filter_map(|key| document.member(*node, key)) {
            editor.remove(member);
        }
        if let Some(Inserted { into, at, value }) = &fix.insert {
            let into = self.find(into)?;
            let after = at.checked_sub(1).and_then(|before| into.document.children(into.node).nth(before));
            if into.file == *file {
                editor.insert_item(into.node, after, value.clone());
            } else {
                let mut other = Editor::new(into.document, into.file);
                other.insert_item(into.node, after, value.clone());
                edits.extend(other.finish());
            }
        }
        edits.extend(editor.finish());
        Some(edits)
    }

    /// The place at which a rule has failed.
    fn label(&self, at: &NodeRef) -> Option<Label> {
        let Found { file, document, node } = self.find(at)?;
        let location = Location { file, pointer: document.pointer(node), span: document.anchor(node) };
        Some(Label { location, message: "it failed here".to_owned() })
    }
}

/// The place of a report: the value of a member, or the node; a range of UTF-16 code units of its string.
fn place(Found { file, document, node }: &Found<'_>, key: Option<&str>, part: Option<(u32, u32)>) -> Place {
    let target = key.and_then(|key| document.member(*node, key)).unwrap_or(*node);
    let string = [Some(target), document.member(target, "name")].into_iter().flatten();
    let string = part.and_then(|part| {
        string
            .filter_map(|node| Some((node, document.string(node)?)))
            .map(|(node, text)| (node, bytes(text, part)))
            .next()
    });
    match string {
        Some((string, part)) => Place::inside(*file, string, part),
        None => Place::value(*file, target),
    }
}

/// A range of UTF-16 code units as one of bytes.
fn bytes(text: &str, (from, to): (u32, u32)) -> std::ops::Range<usize> {
    let byte = |wanted: u32| {
        let mut units = 0;
        let before = text.chars().take_while(|character| {
            units += u32::try_from(character.len_utf16()).unwrap_or(2);
            units <= wanted
        });
        before.map(char::len_utf8).sum::<usize>()
    };
    byte(from)..byte(to.max(from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_count_utf16() {
        let text = "a😀ö!";
        assert_eq!(bytes(text, (0, 1)), 0..1);
        assert_eq!(bytes(text, (1, 3)), 1..5);
        assert_eq!(bytes(text, (3, 4)), 5..7);
        assert_eq!(bytes(text, (4, 99)), 7..8);
        // Inside of a character is before it.
        assert_eq!(bytes(text, (2, 1)), 1..1);
    }
}
