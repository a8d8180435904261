//! The strings of a service that describe signing cases: literals of parameters, and what scripts build whose `Json` reaches
//! the case of a request on a feasible path. An Assign that copies a variable passes it on.

use std::rc::Rc;
use std::sync::Arc;

use petgraph::graph::NodeIndex;

use crate::catalog::ParameterKind;
use crate::common::collections::{HashMap, HashSet, IndexSet};
use crate::common::limits::MAX_SEARCH_STEPS;
use crate::document::{Document, Limits, SyntaxError};
use crate::facts::cases::case_text::{CaseSource, CaseText};
use crate::facts::cases::script_run::{RunScript, ScriptRun};
use crate::facts::edits::parameter_copies::copy_of;
use crate::facts::provider_site::{ProviderSite, literals, parameters_of_kind};
use crate::facts::scripts::CodeSite;
use crate::facts::service::AnalyzedService;
use crate::graph::{Analysis, Effects, PathQuery, PointsBefore, QueryFacts, VarId, Writer, Written};
use crate::model::{ActivityId, SCRIPT_RESULT};
use crate::schema::as_signing_case;
use crate::script::Evaluation;
use crate::script::evaluation::{Ending, Run, RunValue, Trace};
use crate::text::diagnostic::FileId;

/// Values that the cases in parameters of any service may have together. They are parsed to be in memory together.
const MIN_CASE_VALUES: usize = 768 << 10;
/// Bytes of the documents of the service for each further value.
const BYTES_PER_CASE_VALUE: usize = 16;

impl AnalyzedService<'_> {
    /// Every string that should describe a signing case, parsed. One for each run of a script.
    pub fn case_texts(&self) -> &[CaseText] {
        self.case_texts.get_or_init(|| {
            let mut found = in_parameters(self);
            add_built(self, &mut found);
            found
        })
    }
}

fn in_parameters(service: &AnalyzedService<'_>) -> Vec<CaseText> {
    let mut found = Vec::new();
    let bytes: usize = service.files.iter().map(|file| file.source.text.len()).sum();
    let mut values_left = MIN_CASE_VALUES + bytes / BYTES_PER_CASE_VALUE;
    for site in service.providers() {
        for literal in literals(&site, ParameterKind::CaseJson).filter(|literal| literal.has_its_type) {
            let Some(text) = literal.text().map(Arc::<str>::from) else { continue };
            let parsed = Document::parse(Arc::clone(&text), Limits { values: values_left, ..Limits::default() });
            let parsed = parsed.map(as_signing_case);
            values_left -= parsed.as_ref().map_or(0, Document::len).min(values_left);
            found.push(CaseText {
                number: found.len(),
                name: literal.name.to_owned(),
                text,
                parsed,
                file: site.analysis.file,
                source: CaseSource::Literal {
                    node: literal.node,
                    copy: copy_of(site.analysis.document, site.provider, literal.node),
                },
            });
        }
    }
    found
}

/// Adds what the scripts whose `Json` reaches a request left there.
fn add_built(service: &AnalyzedService<'_>, found: &mut Vec<CaseText>) {
    let mut builders = None;
    for (number, site) in service.codes().enumerate() {
        // Most services have no script.
        let builders = builders.get_or_insert_with(|| case_builders(service));
        if !builders.contains(&(site.analysis.file, site.activity.id)) {
            continue;
        }
        // A script that was not run on all values might be correct for the others.
        let Some(evaluation) = service.evaluation(&site).filter(|evaluation| evaluation.stopped.is_none()) else {
            continue;
        };
        let Some(syntax) = site.syntax.script() else { continue };
        let is_fixed = evaluation.runs.iter().all(|run| run.values.iter().all(|value| !value.is_made_up));
        let constants = HashSet::default();
        let script = RunScript { number, text: site.text.to_owned(), syntax: Arc::clone(syntax), is_fixed, constants };
        add_runs(&site, evaluation, script, found);
    }
}

fn add_runs(site: &CodeSite<'_, '_>, evaluation: &Evaluation, mut script: RunScript, found: &mut Vec<CaseText>) {
    let texts = || {
        evaluation.runs.iter().filter_map(|run| match &run.ending {
            Ending::Text { text, trace } => Some((run, text, trace)),
            _ => None,
        })
    };
    // An empty string does not describe a case: a script may have a reason not to build one.
    let is_always_blank = texts().all(|(_, text, _)| text.trim().is_empty());
    let built = texts().filter(|(_, text, _)| is_always_blank || !text.trim().is_empty());
    let built: Vec<(&Run, &String, &Option<Trace>)> = built.collect();
    let appends = script.syntax.json.assignments.iter().any(|assignment| assignment.is_append);
    let mut known: Vec<Built<'_>> = Vec::new();
    for (run, text, trace) in &built {
        // Runs with equal results have equal findings.
        if known.iter().any(|other| (other.whole, other.trace) == (*text, *trace)) {
            continue;
        }
        // What `Json` holds before the script runs is not documented: WF802 reports an append to it.
        let case = text.strip_prefix("undefined").filter(|_| appends).unwrap_or(text);
        let parsed = Document::parse(case, Limits::default()).map(as_signing_case);
        if parsed.is_err() && has_value_outside_strings(case, run) {
            continue;
        }
        known.push(Built { run, whole: text, trace, case, parsed });
    }
    if has_unrelated_runs(built.iter().map(|(run, ..)| *run)) {
        script.constants = common_parts(known.iter().filter_map(|one| one.parsed.as_ref().ok()));
    }
    let script = Rc::new(script);
    for Built { run, trace, case, parsed, .. } in known {
        found.push(CaseText {
            number: found.len(),
            name: SCRIPT_RESULT.to_owned(),
            text: case.into(),
            parsed,
            file: site.analysis.file,
            source: CaseSource::Script {
                node: site.node,
                run: ScriptRun::new(Rc::clone(&script), run, trace.clone(), case),
            },
        });
    }
}

/// What a run built.
struct Built<'e> {
    run: &'e Run,
    whole: &'e String,
    trace: &'e Option<Trace>,
    /// The part of the text that describes a case.
    case: &'e str,
    parsed: Result<Document, SyntaxError>,
}

/// Whether a string that is meant to be JSON has a made-up value that is neither a JSON string nor a part of one: an order
/// may bring JSON. A likely number is valid JSON, and a value that is the whole string is not the script's fault.
fn has_value_outside_strings(text: &str, run: &Run) -> bool {
    let is_number = |value: &RunValue| value.text.parse::<f64>().is_ok();
    let is_inserted = |value: &&RunValue| {
        value.is_made_up && !value.text.is_empty() && value.text != text && (run.is_guess || !is_number(value))
    };
    let made_up = || run.values.iter().filter(is_inserted);
    if !text.trim_start().starts_with(['{', '[']) && !made_up().any(|value| text.starts_with(&value.text)) {
        return false;
    }
    let (mut is_in_string, mut is_escaped) = (false, false);
    for (at, letter) in text.char_indices() {
        let rest = text.get(at..).unwrap_or_default();
        if !is_in_string && made_up().any(|value| rest.starts_with(&value.text)) {
            return true;
        }
        is_in_string ^= letter == '"' && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
    }
    false
}

/// Whether two runs have no made-up value in common, and none of them is JSON, whose keys runs share.
fn has_unrelated_runs<'e>(mut runs: impl Iterator<Item = &'e Run> + Clone) -> bool {
    let is_json = |run: &Run| run.values.iter().any(|value| value.is_json);
    let differs = |(one, other): (&RunValue, &RunValue)| !one.is_made_up || one.text != other.text;
    !runs.clone().any(is_json)
        && runs.next().is_some_and(|first| {
            runs.any(|other| first.values != other.values && first.values.iter().zip(&other.values).all(differs))
        })
}

/// The keys, strings and numbers that all documents have.
fn common_parts<'d>(mut documents: impl Iterator<Item = &'d Document>) -> HashSet<String> {
    let mut common: HashSet<&str> = documents.next().map(parts).unwrap_or_default();
    for document in documents {
        let parts = parts(document);
        common.retain(|part| parts.contains(part));
    }
    common.into_iter().map(str::to_owned).collect()
}

fn parts(document: &Document) -> HashSet<&str> {
    let (mut found, mut open) = (HashSet::default(), vec![document.root()]);
    while let Some(node) = open.pop() {
        found.extend(document.key(node));
        found.extend(document.string(node).or_else(|| document.number(node)));
        open.extend(document.children(node));
    }
    found
}

/// The Code activities whose `Json` a request may take as its case.
pub fn case_builders(service: &AnalyzedService<'_>) -> HashSet<(FileId, ActivityId)> {
    let mut budget = MAX_SEARCH_STEPS;
    service.workflows.iter().flat_map(|analysis| builders(analysis, &mut budget)).collect()
}

fn builders(analysis: &Analysis<'_>, budget: &mut usize) -> Vec<(FileId, ActivityId)> {
    let mut requests: HashMap<ActivityId, Vec<VarId>> = HashMap::default();
    for site in ProviderSite::of(analysis) {
        for (parameter, _) in parameters_of_kind(&site, ParameterKind::CaseJson) {
            let node = parameter.value.get().and_then(|value| value.target()).map(|(node, _)| node);
            let reads = analysis.effects(site.activity.id).into_iter().flat_map(|effects| &effects.reads);
            if let Some(read) = reads.into_iter().find(|read| Some(read.node) == node) {
                requests.entry(site.activity.id).or_default().push(read.variable);
            }
        }
    }
    let wanted = copied_into(analysis, requests.values().flatten().copied());
    let scripts = analysis.workflow.activities.iter().zip(&analysis.effects).filter(|(_, effects)| {
        let mut writes = effects.writes.own().iter();
        writes.any(|write| write.by == Writer::Script && wanted.contains(&write.variable))
    });
    let unused: HashSet<ActivityId> = scripts.map(|(activity, _)| activity.id).collect();
    if unused.is_empty() {
        return Vec::new();
    }
    let all = unused.clone();
    let mut built = BuilderQuery {
        analysis,
        before_builders: PointsBefore::new(&analysis.control, unused.iter().copied()),
        before_requests: PointsBefore::new(&analysis.control, requests.keys().copied()),
        requests,
        wanted,
        unused,
        held: IndexSet::default(),
    };
    // Beyond the budget, all scripts count.
    let is_complete = analysis.follow(&mut built, budget);
    all.into_iter().filter(|id| !is_complete || !built.unused.contains(id)).map(|id| (analysis.file, id)).collect()
}

/// These variables, and all that Assigns copy to them, whatever their order.
fn copied_into(analysis: &Analysis<'_>, variables: impl Iterator<Item = VarId>) -> HashSet<VarId> {
    let mut open: Vec<VarId> = variables.collect();
    let mut sources: HashMap<VarId, Vec<VarId>> = HashMap::default();
    let writes = analysis.effects.iter().filter(|_| !open.is_empty()).flat_map(|effects| effects.writes.own());
    for write in writes {
        if let Written::Copy(from) = write.value {
            sources.entry(write.variable).or_default().push(from);
        }
    }
    let mut found = HashSet::default();
    while let Some(variable) = open.pop() {
        if found.insert(variable) {
            open.extend(sources.get(&variable).into_iter().flatten());
        }
    }
    found
}

/// The facts are pairs of a variable and the script whose `Json` it holds.
struct BuilderQuery<'q, 'p> {
    analysis: &'q Analysis<'p>,
    requests: HashMap<ActivityId, Vec<VarId>>,
    /// The variables that a request takes its case from, or from which these are copied.
    wanted: HashSet<VarId>,
    /// The scripts whose `Json` has reached no request yet.
    unused: HashSet<ActivityId>,
    before_builders: PointsBefore,
    before_requests: PointsBefore,
    /// The facts, by number.
    held: IndexSet<(VarId, ActivityId)>,
}

impl BuilderQuery<'_, '_> {
    fn fact(&mut self, variable: VarId, script: ActivityId) -> u32 {
        u32::try_from(self.held.insert_full((variable, script)).0).unwrap_or(u32::MAX)
    }

    /// The scripts whose `Json` a variable holds.
    fn scripts(&self, variable: VarId, facts: &QueryFacts) -> Vec<ActivityId> {
        let held = facts.ids().filter_map(|fact| self.held.get_index(fact as usize));
        held.filter(|(holder, _)| *holder == variable).map(|(_, script)| *script).collect()
    }
}

impl PathQuery for BuilderQuery<'_, '_> {
    fn run(&mut self, id: ActivityId, failed: bool, facts: &mut QueryFacts) {
        for &variable in self.requests.get(&id).into_iter().flatten() {
            for script in self.scripts(variable, facts) {
                self.unused.remove(&script);
            }
        }
        let Some(effects) = self.analysis.effects(id).filter(|_| !failed) else { return };
        for write in effects.writes.own() {
            if !self.wanted.contains(&write.variable) {
                continue;
            }
            let new = match (write.by, write.value) {
                (Writer::Script, _) => vec![id],
                (_, Written::Copy(from)) => self.scripts(from, facts),
                _ => Vec::new(),
            };
            if overwrites(effects, write.variable) {
                let is_old =
                    |fact: u32| self.held.get_index(fact as usize).is_some_and(|(it, _)| *it == write.variable);
                facts.retain(|fact| !is_old(fact));
            }
            for script in new {
                facts.set(self.fact(write.variable, script), 0);
            }
        }
    }

    fn concerns(&self, id: ActivityId) -> bool {
        let writes = self.analysis.effects(id).into_iter().flat_map(|effects| effects.writes.own());
        self.requests.contains_key(&id) || writes.into_iter().any(|write| self.wanted.contains(&write.variable))
    }

    fn is_over(&self, point: NodeIndex, facts: &QueryFacts) -> bool {
        !self.before_requests.contains(point) || facts.is_empty() && !self.before_builders.contains(point)
    }

    fn is_done(&self) -> bool {
        self.unused.is_empty()
    }
}

/// Whether an activity that does not fail always replaces the value of a variable.
fn overwrites(effects: &Effects<'_>, variable: VarId) -> bool {
    let mut writes = effects.writes.to(variable).filter(|write| !write.guessed);
    writes.any(|write| write.by != Writer::Form)
}
