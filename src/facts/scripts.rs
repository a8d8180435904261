//! The scripts of Code activities and forms: their syntax, and their runs.

use std::ops::Range;
use std::sync::Arc;

use crate::common::limits::MAX_FINDINGS;
use crate::common::timing::{Part, Timing};
use crate::document::NodeId;
use crate::facts::cases::script_requests::{NotSimulated, RequestedScript, requested_scripts, script_limits};
use crate::facts::place::Place;
use crate::facts::service::{AnalyzedService, Evaluations};
use crate::graph::Analysis;
use crate::model::{Activity, Code, FieldScript};
use crate::project::FormDocument;
use crate::script::Evaluation;
use crate::script::syntax::{Leaked, ScriptKind, Syntax};
use crate::text::quote;

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
        analysis.workflow.activities.iter().filter_map(|activity| self.code_site(analysis, activity))
    }

    /// The script of an activity, if it has one.
    pub fn code_site<'c>(&'c self, analysis: &'c Analysis<'a>, activity: &'a Activity<'a>) -> Option<CodeSite<'c, 'a>> {
        let code = activity.code()?;
        let (node, text) = code.script.known()?;
        let syntax = self.scripts.get(ScriptKind::Script, text);
        Some(CodeSite { analysis, activity, code, node, text, syntax })
    }

    /// What of the value of a parameter a script passes on.
    pub fn leaked(&self, code: &Code<'_>, parameter: &str) -> Leaked {
        let script = code.script.value().and_then(|text| self.scripts.get(ScriptKind::Script, text).script());
        script.map_or(Leaked::Value, |script| script.leaked(parameter))
    }

    /// Notes about the documents with too many schema violations, of the files that are reported on.
    pub fn notes_on_violations(&self) -> Vec<String> {
        let broken = self.model.violations.iter().filter(|(_, violations)| !violations.further.is_empty());
        broken
            .filter_map(|(file, _)| self.file(*file).filter(|file| file.reported))
            .map(|file| {
                let name = &file.source.name;
                format!("{name}: only schema violations were checked, because there are over {MAX_FINDINGS} of them")
            })
            .collect()
    }

    /// The runs of a script; `None` if it was not to be run.
    pub fn evaluation(&self, site: &CodeSite<'_, '_>) -> Option<&Evaluation> {
        self.evaluations().get(&(site.analysis.file, site.node)).map(Arc::as_ref)
    }

    /// The runs of the scripts of Code activities that are to be run. The scripts of a service share a limit of steps:
    /// whatever else is linted, the same ones are run.
    pub fn evaluations(&self) -> &Evaluations {
        self.evaluations.get_or_init(|| {
            let mut evaluations = Evaluations::default();
            let Some(evaluator) = self.evaluator else { return evaluations };
            let mut evaluator = evaluator.for_service(script_limits(self.config));
            for script in requested_scripts(self.model, self.config, &self.scripts) {
                let RequestedScript { file, node, activity, request } = script;
                let name = || {
                    let file = self.file(file).map_or("", |file| file.source.name.as_str());
                    format!("{} in {file}", activity.display_name())
                };
                let evaluation = Timing::measure(self.timing, Part::Script, name, || evaluator.evaluate(&request));
                evaluations.insert((file, node), evaluation);
            }
            evaluations
        })
    }

    /// What the engine lacks, so that a script is not run. `None` also for one that is not run for other reasons.
    pub fn not_simulated(&self, site: &CodeSite<'_, 'a>) -> Option<NotSimulated> {
        self.evaluator?;
        NotSimulated::of(self.config, site.code, site.text, site.syntax)
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
