//! The scripts of Code activities and forms: their syntax, and their runs.

use std::ops::Range;
use std::sync::Arc;

use super::place::Place;
use super::service::{AnalyzedService, Evaluations};
use crate::collections::HashSet;
use crate::diagnostic::MAX_LISTED;
use crate::document::NodeId;
use crate::graph::Analysis;
use crate::model::{Activity, Binding, Code, FieldScript, Literal, Member, SCRIPT_RESULT};
use crate::project::FormDocument;
use crate::script::Evaluation;
use crate::script::evaluation::{EvaluationRequest, ScriptInput, ScriptLimits, ScriptParameter, Stopped};
use crate::script::sandbox::NOT_SIMULATED;
use crate::script::syntax::{Passed, Script, ScriptKind, Syntax};
use crate::text::quote;
use crate::timing::{Part, Timing};

/// The script of a Code activity.
pub struct CodeSite<'c, 'a> {
    pub analysis: &'c Analysis<'a>,
    pub activity: &'a Activity<'a>,
    pub code: &'a Code<'a>,
    /// The string that holds the script.
    pub node: NodeId,
    /// The script.
    pub text: &'a str,
    pub syntax: &'c Syntax,
}

/// A script of a form field.
pub struct FormScript<'c, 'a> {
    pub form: &'a FormDocument<'a>,
    /// `onLoad`, `onChange` or `onSubmit`.
    pub member: &'static str,
    /// The name of the field.
    pub field: Option<&'a str>,
    /// The string that holds the script.
    pub node: NodeId,
    /// The script.
    pub text: &'a str,
    pub syntax: &'c Syntax,
}

/// A name of ECMAScript that a script uses and the engine lacks.
pub struct NotSimulated {
    pub name: &'static str,
    /// The first use; `None` for a member of the global object.
    pub used: Option<Range<usize>>,
}

impl<'a> CodeSite<'_, 'a> {
    /// A part of the script.
    pub const fn inside(&self, part: Range<usize>) -> Place {
        Place::inside(self.analysis.file, self.node, part)
    }

    /// The whole script.
    pub const fn whole(&self) -> Place {
        Place::value(self.analysis.file, self.node)
    }

    /// The position in the script, for a message, as [`Syntax::position`] has it.
    pub fn position(&self, part: &Range<usize>) -> String {
        self.syntax.position(self.text, part.start)
    }

    /// The names of the parameters; `None` when some cannot be read.
    pub fn parameter_names(&self) -> Option<Vec<&'a str>> {
        if self.code.parameters.is_unknown() {
            return None;
        }
        self.code.parameters.get().into_iter().flatten().map(|parameter| parameter.name.value()).collect()
    }
}

impl FormScript<'_, '_> {
    /// A part of the script.
    pub const fn inside(&self, part: Range<usize>) -> Place {
        Place::inside(self.form.file, self.node, part)
    }

    /// The position in the script, as of a [`CodeSite`].
    pub fn position(&self, part: &Range<usize>) -> String {
        self.syntax.position(self.text, part.start)
    }

    /// What to call the field of the script in a message.
    pub fn field_display_name(&self) -> String {
        self.field.map_or_else(|| "an unnamed field".to_owned(), quote)
    }
}

impl<'a> AnalyzedService<'a> {
    /// Every Code activity with a script.
    pub fn codes<'c>(&'c self) -> impl Iterator<Item = CodeSite<'c, 'a>> {
        self.workflows.iter().flat_map(|analysis| self.codes_of(analysis))
    }

    /// Those of one workflow.
    pub fn codes_of<'c>(&'c self, analysis: &'c Analysis<'a>) -> impl Iterator<Item = CodeSite<'c, 'a>> {
        analysis.workflow.activities.iter().filter_map(move |activity| {
            let code = activity.code()?;
            let (node, text) = code.script.known()?;
            let syntax = self.scripts.get(ScriptKind::Script, text);
            Some(CodeSite { analysis, activity, code, node, text, syntax })
        })
    }

    /// What of the value of a parameter a script passes on.
    pub fn passed(&self, code: &Code<'_>, parameter: &str) -> Passed {
        let script = code.script.value().and_then(|text| self.scripts.get(ScriptKind::Script, text).script());
        script.map_or(Passed::Value, |script| script.passed(parameter))
    }

    /// Notes about the documents with too many schema violations, of the files that are reported on.
    pub fn notes_on_violations(&self) -> Vec<String> {
        let broken = self.model.violations.iter().filter(|(_, violations)| !violations.further.is_empty());
        broken
            .filter_map(|(file, _)| self.file(*file).filter(|file| file.reported))
            .map(|file| {
                let name = &file.source.name;
                format!("{name}: only schema violations were checked, because there are over {MAX_LISTED} of them")
            })
            .collect()
    }

    /// The runs of a script; `None` if it was not to be run.
    pub fn evaluation(&self, site: &CodeSite<'_, '_>) -> Option<&Evaluation> {
        self.evaluations().get(&(site.analysis.file, site.node)).map(Arc::as_ref)
    }

    /// The runs of the scripts of Code activities; without those that do not parse, use unknown names or run dynamic
    /// code. The scripts of a service share a limit of steps: whatever else is linted, the same ones are run.
    pub fn evaluations(&self) -> &Evaluations {
        self.evaluations.get_or_init(|| {
            let mut evaluations = Evaluations::default();
            let Some(evaluator) = self.evaluator else { return evaluations };
            let optional = self.optional_variables();
            let mut polls_left = self.script_limits().polls_of_service();
            for site in self.codes() {
                let Some(request) = self.request(&site, &optional) else { continue };
                let evaluation = if polls_left == 0 {
                    Arc::new(Evaluation::stopped(Stopped::ServiceCost))
                } else {
                    let name = || self.name_of_script(&site);
                    Timing::measure(self.timing, Part::Script, name, || evaluator.evaluate(&request))
                };
                polls_left = polls_left.saturating_sub(evaluation.polls);
                evaluations.insert((site.analysis.file, site.node), evaluation);
            }
            evaluations
        })
    }

    fn name_of_script(&self, site: &CodeSite<'_, 'a>) -> String {
        let file = self.file(site.analysis.file).map_or("", |file| file.source.name.as_str());
        format!("{} in {file}", site.activity.display_name())
    }

    fn script_limits(&self) -> ScriptLimits {
        ScriptLimits::of_seconds(self.config.script_seconds)
    }

    /// The variables that an order may leave empty: those of optional fields of order forms.
    fn optional_variables(&self) -> HashSet<&'a str> {
        let order_forms = self.model.forms.iter().filter(|form| form.is_order_form);
        let fields = order_forms.flat_map(|form| &form.form.fields).filter(|field| !field.required.is_true());
        fields.filter_map(|field| Some(field.target()?.1)).collect()
    }

    /// What the engine lacks, so that a script is not run. `None` also for one that is not run for other reasons.
    pub fn not_simulated(&self, site: &CodeSite<'_, 'a>) -> Option<NotSimulated> {
        self.evaluator?;
        let found = NotSimulated::find(site.syntax.script()?)?;
        let request = self.any_request(site, &HashSet::default())?;
        Some(found).filter(|found| !found.is_parameter(&request))
    }

    /// What to run of a script. A run of one that uses what the engine lacks would show the engine, not the script.
    fn request<'s>(&'s self, site: &CodeSite<'s, 'a>, optional: &HashSet<&str>) -> Option<EvaluationRequest<'s>> {
        let request = self.any_request(site, optional)?;
        let missing = NotSimulated::find(request.syntax).filter(|found| !found.is_parameter(&request));
        missing.is_none().then_some(request)
    }

    fn any_request<'s>(&'s self, site: &CodeSite<'s, 'a>, optional: &HashSet<&str>) -> Option<EvaluationRequest<'s>> {
        // Code in a generated string would not be the code that a real value brings.
        let script = site.syntax.script().filter(|script| script.dynamic.is_empty())?;
        let mut parameters = Vec::new();
        for parameter in site.code.parameters.get().into_iter().flatten() {
            let name: &str = parameter.name.get()?;
            let fixed = match &parameter.value {
                Member::Known(_, value) => fixed_value(value),
                Member::Absent => Some(String::new()),
                Member::Unknown(_) => None,
            };
            let is_json = script.read_as_json.iter().any(|read| read == name);
            let open = if is_json { ScriptInput::OpenJson } else { ScriptInput::Open };
            let variable = parameter.value.get().and_then(Binding::target).map(|(_, variable)| variable);
            let may_be_empty = variable.is_some_and(|variable| optional.contains(variable));
            parameters.push(ScriptParameter { name, input: fixed.map_or(open, ScriptInput::Fixed), may_be_empty });
        }
        let hosts = || self.config.catalog.script_globals.iter().map(String::as_str);
        let names = parameters.iter().map(|parameter| parameter.name).chain(hosts()).chain([SCRIPT_RESULT]);
        if site.code.parameters.is_unknown() || !script.unknown(names).is_empty() {
            return None;
        }
        let uses = |name: &&str| script.globals.iter().any(|global| global.name == *name);
        let hosts = hosts().filter(uses).collect();
        let limits = self.script_limits();
        Some(EvaluationRequest { script: site.text, syntax: script, parameters, hosts, limits })
    }

    /// Every script of every form that is not empty.
    pub fn form_scripts<'c>(&'c self) -> impl Iterator<Item = FormScript<'c, 'a>> {
        self.model.forms.iter().flat_map(move |form| {
            form.form.field_scripts().map(move |FieldScript { key: member, field, node, text }| {
                let syntax = self.scripts.get(ScriptKind::FunctionBody, text);
                FormScript { form, member, field, node, text, syntax }
            })
        })
    }
}

impl NotSimulated {
    fn find(script: &Script) -> Option<Self> {
        NOT_SIMULATED.into_iter().find_map(|name| {
            let used = script.globals.iter().find(|global| global.name == name).map(|global| global.range.clone());
            let is_used = used.is_some() || script.global_members.iter().any(|member| member == name);
            is_used.then_some(Self { name, used })
        })
    }

    fn is_parameter(&self, request: &EvaluationRequest<'_>) -> bool {
        request.parameters.iter().any(|parameter| parameter.name == self.name)
    }
}

/// The value that the document gives a parameter of a script; `None` if it is bound to a variable.
fn fixed_value(binding: &Binding<'_>) -> Option<String> {
    match binding.literal() {
        Some((_, Literal::Text(text) | Literal::Number(text))) => Some(text.to_owned()),
        Some((_, Literal::Boolean(flag))) => Some(flag.to_string()),
        Some((_, Literal::Null)) => Some(String::new()),
        None => binding.is_empty().then(String::new),
    }
}
