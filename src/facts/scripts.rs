//! The scripts of Code activities and forms: their syntax, how they end, and the cases that they build.

use std::ops::Range;

use super::place::Place;
use super::provider_site::named_parameters;
use super::service::{AnalyzedService, Evaluations};
use crate::catalog::ParameterKind;
use crate::diagnostic::{FileId, MAX_LISTED};
use crate::document::NodeId;
use crate::graph::Analysis;
use crate::model::{Activity, Binding, Code, CodeParameter, FieldScript, Literal, Member, SCRIPT_RESULT};
use crate::project::FormDocument;
use crate::script::Evaluation;
use crate::script::evaluation::{EvaluationRequest, ScriptInput, ScriptParameter};
use crate::script::sandbox::NOT_SIMULATED;
use crate::script::syntax::{ScriptKind, Syntax};
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

/// A signing case that a script builds.
pub struct EvaluatedCase<'c, 'a> {
    pub file: FileId,
    pub activity: &'a Activity<'a>,
    /// The string that holds the script.
    pub node: NodeId,
    pub script: &'c str,
    /// The string in `Json` for one set of generated values. If it is not JSON, it is not JSON for any values.
    pub text: &'c str,
    /// The string for another set of values.
    pub other: &'c str,
    /// Whether the script forwards its open parameters without inspecting them.
    pub forwards_parameters: bool,
}

/// A script of a form field.
pub struct FormScript<'c, 'a> {
    pub form: &'a FormDocument<'a>,
    /// `onLoad`, `onChange` or `onSubmit`.
    pub member: &'static str,
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
        let is_owner = |script: &Member<&str>| script.known().is_some_and(|(node, _)| node == self.node);
        let field = self.form.form.fields.iter().find(|field| field.scripts.iter().any(is_owner));
        field.and_then(|field| field.name.value()).map_or_else(|| "an unnamed field".to_owned(), quote)
    }
}

impl<'a> AnalyzedService<'a> {
    /// Every Code activity with a script.
    pub fn codes<'c>(&'c self) -> impl Iterator<Item = CodeSite<'c, 'a>> {
        self.activities().filter_map(|(analysis, activity)| {
            let code = activity.code()?;
            let (node, text) = code.script.known()?;
            let syntax = self.scripts.get(ScriptKind::Script, text);
            Some(CodeSite { analysis, activity, code, node, text, syntax })
        })
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

    /// How a script ends; `None` when it was not run.
    pub fn evaluation(&self, site: &CodeSite<'_, '_>) -> Option<&Evaluation> {
        self.evaluations().get(&(site.analysis.file, site.node))
    }

    /// How the scripts of Code activities end; without those that do not parse, use unknown names or run
    /// dynamic code.
    pub fn evaluations(&self) -> &Evaluations {
        self.evaluations.get_or_init(|| {
            let mut evaluations = Evaluations::default();
            let Some(evaluator) = self.evaluator else { return evaluations };
            for site in self.codes() {
                if let Some(request) = self.request(&site) {
                    evaluations.insert((site.analysis.file, site.node), evaluator.evaluate(&request));
                }
            }
            evaluations
        })
    }

    /// The parameters of a script whose values were generated to build a case, each with its value.
    pub fn generated_values<'s>(&'s self, case: &EvaluatedCase<'s, 'a>) -> Vec<(&'s CodeParameter<'a>, String)> {
        let site = self.codes().find(|site| (site.analysis.file, site.node) == (case.file, case.node));
        let Some((site, request)) = site.and_then(|site| Some((site.code, self.request(&site)?))) else {
            return Vec::new();
        };
        let parameters = site.parameters.get().into_iter().flatten().zip(&request.parameters).enumerate();
        let open = parameters.filter(|(_, (_, parameter))| parameter.input.is_open());
        open.map(|(index, (declared, parameter))| (declared, parameter.first_value(index))).collect()
    }

    fn request<'s>(&'s self, site: &CodeSite<'s, 'a>) -> Option<EvaluationRequest<'s>> {
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
            parameters.push(ScriptParameter { name, input: fixed.map_or(open, ScriptInput::Fixed) });
        }
        let hosts = || self.config.catalog.script_globals.iter().map(String::as_str);
        let names = parameters.iter().map(|parameter| parameter.name).chain(hosts()).chain([SCRIPT_RESULT]);
        if site.code.parameters.is_unknown() || !script.unknown(names).is_empty() {
            return None;
        }
        // A run would show what the engine lacks, not what the script does.
        if script.globals.iter().any(|global| NOT_SIMULATED.contains(&global.name.as_str())) {
            return None;
        }
        let uses = |name: &&str| script.globals.iter().any(|global| global.name == *name);
        let hosts = hosts().filter(uses).collect();
        Some(EvaluationRequest { script: site.text, syntax: script, parameters, hosts })
    }

    /// The cases that scripts build: the strings in `Json` after runs on generated values. None if no request
    /// takes its case from the variable `Json`.
    pub fn evaluated<'c>(&'c self) -> impl Iterator<Item = EvaluatedCase<'c, 'a>> {
        let is_case = self.providers().any(|site| {
            let method = site.provider.method.value().and_then(|name| self.config.catalog.method(name));
            let json = method.and_then(|method| method.parameter_of_kind(ParameterKind::CaseJson));
            json.is_some_and(|json| {
                named_parameters(site.provider).any(|(name, parameter)| {
                    let target = parameter.value.get().and_then(Binding::target);
                    name == json.name && target.is_some_and(|(_, variable)| variable == SCRIPT_RESULT)
                })
            })
        });
        self.codes().filter(move |_| is_case).filter_map(|site| match self.evaluation(&site) {
            Some(Evaluation::Text { text, other, forwards_parameters }) => {
                let (file, activity, node, script) = (site.analysis.file, site.activity, site.node, site.text);
                let forwards_parameters = *forwards_parameters;
                Some(EvaluatedCase { file, activity, node, script, text, other, forwards_parameters })
            }
            _ => None,
        })
    }

    /// Every script of every form that is not empty.
    pub fn form_scripts<'c>(&'c self) -> impl Iterator<Item = FormScript<'c, 'a>> {
        self.model.forms.iter().flat_map(move |form| {
            form.form.field_scripts().map(move |FieldScript { key: member, node, text }| {
                let syntax = self.scripts.get(ScriptKind::FunctionBody, text);
                FormScript { form, member, node, text, syntax }
            })
        })
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
