//! The sections of a service: one for each of its workflows.

use std::collections::BTreeSet;

use super::backticks::Backticks;
use super::findings::{Activities, Findings, mark, redact};
use super::inputs::{Inputs, Section};
use super::subject::Subject;
use super::{activities, changes, ends, forms, laws, mails, people, scenarios, unknown, variables};
use crate::common::collections::HashSet;
use crate::draw::outline::labels;
use crate::draw::{Drawing, MAX_ACTIVITIES, Outline, Texts};
use crate::explore::OrderForms;
use crate::explore::laws::secrets_of;
use crate::facts::{AnalyzedService, Context, masked_variables};
use crate::graph::Analysis;
use crate::page::data::ServiceData;
use crate::page::{Looked, ServicePage};
use crate::project::{File, FormDocument, Overrides, Service, ServiceModel};
use crate::redaction::Redactions;
use crate::report::visible;
use crate::schema::DocumentKind;
use crate::text::diagnostic::FileId;
use crate::text::suggest::Suggester;

/// The sections of the workflows that the run reports, also of those that cannot be read.
pub fn sections(inputs: &Inputs<'_>, service: &Service) -> Vec<Section> {
    let project = inputs.project;
    let Some(config) = project.configs.get(service.config) else { return Vec::new() };
    let read = project.read(service, &Overrides::new());
    let files: Vec<&File> = read.files.iter().collect();
    let suggester = Suggester::default();
    let model = ServiceModel::new(&files, config);
    let analyzed = AnalyzedService::new(files.clone(), config, &model, &suggester, inputs.evaluator);
    let context = Context::new(&analyzed);
    let sources = files.iter().map(|file| (file.id, &file.source));
    let masked: HashSet<&str> = masked_variables(&context).into_keys().collect();
    let mut secrets = secrets_of(config, |name| masked.contains(name));
    secrets.extend(context.secret_values().filter_map(|secret| secret.text().map(str::to_owned)));
    let redactions = Redactions::new(context.sensitive_values(), sources).and(secrets);
    let backticks = Backticks::of(files.iter().filter_map(|file| Some(file.document()?.1)));
    let reported: Vec<&Analysis<'_>> = context.workflows.iter().filter(|it| project.is_reported(it.file)).collect();
    let is_only = reported.len() == 1;
    let mut sections = Vec::new();
    for analysis in reported {
        let Some(file) = context.file(analysis.file) else { continue };
        let (document, file_id) = (analysis.document, analysis.file);
        let texts = Texts { document, file: file_id, redactions: &redactions, masked: Some(&masked), visible };
        let labels = labels(&context, &texts);
        let forms = forms_of(&model, analysis, &file.source.name, is_only);
        let of_workflow = |found: &&crate::explore::ExploredService| found.workflow == analysis.file;
        let subject = Subject {
            context: &context,
            analysis,
            file,
            redactions: &redactions,
            backticks: &backticks,
            masked: &masked,
            labels: &labels,
            project: inputs.explored,
            explored: inputs.explored.and_then(|project| project.explored.services.iter().find(of_workflow)),
            forms,
        };
        let mut files = if is_only { service.files.iter().copied().collect() } else { own_files(&subject) };
        // What is said of a form that several workflows show stands at the first.
        files.retain(|file| !sections.iter().any(|section: &Section| section.files.contains(file)));
        sections.push(section(inputs, &subject, files));
    }
    let is_shown = |file: &File| sections.iter().any(|section: &Section| section.files.contains(&file.id));
    let unread: Vec<&File> = files.into_iter().filter(|file| is_unread_workflow(file) && !is_shown(file)).collect();
    sections.extend(unread.into_iter().map(|file| without_model(inputs, file)));
    sections
}

/// The forms that orders of a workflow show. Of a service with one workflow these are all, the order form first.
fn forms_of<'m, 'a>(
    model: &'m ServiceModel<'a>,
    analysis: &Analysis<'_>,
    name: &str,
    is_only: bool,
) -> Vec<&'m FormDocument<'a>> {
    let order_form = OrderForms::of(model).form_of(name).ok().flatten();
    let shown = analysis.workflow.activities.iter().filter_map(|activity| activity.form.value());
    let shown = shown.filter_map(|name| model.form(name));
    let others = model.forms.iter().filter(|_| is_only);
    let mut forms: Vec<&FormDocument<'a>> = Vec::new();
    for form in order_form.into_iter().chain(shown).chain(others) {
        if !forms.iter().any(|known| known.file == form.file) {
            forms.push(form);
        }
    }
    forms
}

/// The files of a workflow among several.
fn own_files(subject: &Subject<'_, '_>) -> BTreeSet<FileId> {
    subject.forms.iter().map(|form| form.file).chain([subject.analysis.file]).collect()
}

fn section(inputs: &Inputs<'_>, subject: &Subject<'_, '_>, files: BTreeSet<FileId>) -> Section {
    let mut activities = activities::activities(subject, inputs.scenarios);
    let names = activities.iter().map(|activity| (activity.pointer.clone(), activity.name.clone())).collect();
    let places = Activities { file: Some(subject.analysis.file), names };
    let mut findings = Findings::new(inputs.lint).of(|file| files.contains(&file), &places);
    for finding in &mut findings {
        redact(finding, subject.redactions, subject.backticks);
    }
    mark(&mut activities, &findings);
    let (orders, end_runs) = ends::orders(subject, inputs.scenarios, inputs.left_out);
    let (scenarios, scenario_runs) = scenarios::scenarios(inputs.scenarios, subject);
    let (laws, law_runs) = laws::laws(subject);
    let (drawing, outline) = drawing(inputs, subject);
    let order_form = subject.forms.iter().find(|form| form.is_order_form);
    let order_form = order_form.and_then(|form| subject.context.file(form.file));
    let data = ServiceData {
        id: String::new(),
        name: String::new(),
        activities: activities::data(&activities),
        runs: end_runs.into_iter().chain(scenario_runs).chain(law_runs).collect(),
        graph: subject.explored.and_then(|explored| explored.graph.clone()),
    };
    let page = ServicePage {
        name: String::new(),
        file: visible(&subject.file.source.name).into_owned(),
        form: order_form.map(|file| visible(&file.source.name).into_owned()),
        drawing,
        outline,
        activities,
        findings,
        orders,
        scenarios,
        laws,
        people: people::people(subject),
        mails: mails::mails(subject),
        unknown: unknown::unknown(subject),
        variables: variables::variables(subject),
        forms: forms::forms(subject),
        changes: inputs.compared.map(|compared| changes::changes(subject, compared)),
    };
    Section { page, data, files }
}

/// The drawing and the outline, or why there are none.
fn drawing(inputs: &Inputs<'_>, subject: &Subject<'_, '_>) -> (Result<Drawing, String>, Option<Outline>) {
    let file = subject.analysis.file;
    let found = inputs.lint.diagnostics.iter().map(Box::as_ref).filter(|finding| finding.location.file == file);
    let (name, texts) = (&subject.file.source.name, subject.texts());
    let drawing = Drawing::new(name, subject.analysis.workflow, None, found.clone(), &texts)
        .map_err(|number| format!("{number} activities, the limit of a drawing is {MAX_ACTIVITIES}"));
    let outline = Outline::new(name, subject.context, subject.analysis, None, found, &texts).ok();
    (drawing, outline)
}

/// Whether a file is, or should be, a workflow.
fn is_unread_workflow(file: &File) -> bool {
    let is_workflow = match file.document() {
        Some((kind, _)) => kind == DocumentKind::Workflow,
        None => file.meant == Some(DocumentKind::Workflow),
    };
    file.reported && is_workflow
}

/// The section of a workflow that cannot be read: its findings say why.
fn without_model(inputs: &Inputs<'_>, file: &File) -> Section {
    let files = BTreeSet::from([file.id]);
    let reason = file.workflow().err().unwrap_or_else(|| "too many schema violations".to_owned());
    let looked = Looked::Failed("the workflow cannot be read".to_owned());
    let (name, why) = (visible(&file.source.name).into_owned(), visible(&reason).into_owned());
    let page = ServicePage {
        findings: Findings::new(inputs.lint).of(|id| id == file.id, &Activities::default()),
        changes: inputs.compared.map(changes::unchanged),
        ..ServicePage::without_workflow(name, looked, why)
    };
    let data =
        ServiceData { id: String::new(), name: String::new(), activities: Vec::new(), runs: Vec::new(), graph: None };
    Section { page, data, files }
}
