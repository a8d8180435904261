//! Scripts as rules see them: their syntax, how they end, and the cases that they build.

use super::provider_site::named_parameters;
use super::script_sources::code_of;
use super::service::{AnalyzedService, Evaluations};
use crate::catalog::ParameterKind;
use crate::diagnostic::{FileId, quote};
use crate::document::NodeId;
use crate::graph::Analysis;
use crate::model::{Activity, Binding, Code, CodeParameter, Literal, Member};
use crate::project::FormDocument;
use crate::script::Evaluation;
use crate::script::evaluation::{EvaluationRequest, Parameter, ScriptInput};
use crate::script::syntax::{Goal, MAX_SCRIPT_BYTES, Syntax};

/// The script of a Code activity.
pub struct CodeSite<'c, 'a> {
    /// The workflow.
    pub analysis: &'c Analysis<'a>,
    /// The activity.
    pub activity: &'a Activity<'a>,
    /// Its Code members.
    pub code: &'a Code<'a>,
    /// The string that holds the script.
    pub node: NodeId,
    /// The script.
    pub text: &'a str,
    /// What is known of it.
    pub syntax: &'c Syntax,
}

/// A signing case that a script builds.
pub struct EvaluatedCase<'c, 'a> {
    /// The workflow.
    pub file: FileId,
    /// The Code activity.
    pub activity: &'a Activity<'a>,
    /// The string that holds the script: the place of what is wrong with the case.
    pub node: NodeId,
    /// The script.
    pub script: &'c str,
    /// The text in `Json` for one set of made-up values. If it is no JSON, it is none whatever the values.
    pub text: &'c str,
    /// The text for another set.
    pub other: &'c str,
    /// Whether the script passes values on without looking into them.
    pub is_plain: bool,
}

/// A script of a form field.
pub struct FormScript<'c, 'a> {
    /// The form.
    pub form: &'a FormDocument<'a>,
    /// `onLoad`, `onChange` or `onSubmit`.
    pub member: &'static str,
    /// The string that holds the script.
    pub node: NodeId,
    /// The script.
    pub text: &'a str,
    /// What is known of it.
    pub syntax: &'c Syntax,
}

impl<'a> AnalyzedService<'a> {
    /// Every Code activity with a script.
    pub fn codes<'c>(&'c self) -> impl Iterator<Item = CodeSite<'c, 'a>> {
        self.activities().filter_map(|(analysis, activity)| {
            let (code, node, text) = code_of(activity)?;
            let syntax = self.scripts.get(Goal::Script, text);
            Some(CodeSite { analysis, activity, code, node, text, syntax })
        })
    }

    /// Which scripts of the files that are reported on are too long to be looked at.
    pub fn scripts_passed_over(&self) -> Vec<String> {
        let codes = self.codes().map(|site| (site.analysis.file, site.text, site.activity.name.value()));
        let forms = self.form_scripts().map(|site| (site.form.file, site.text, Some(site.member)));
        codes
            .chain(forms)
            .filter(|(_, text, _)| text.len() > MAX_SCRIPT_BYTES)
            .filter_map(|(file, _, name)| Some((self.file(file).filter(|file| file.reported)?, name)))
            .map(|(file, name)| {
                let name = quote(name.unwrap_or_default());
                format!(
                    "{}: the script of {name} is over {} KiB long and was not checked",
                    file.source.name,
                    MAX_SCRIPT_BYTES >> 10
                )
            })
            .collect()
    }

    /// How a script ends; none when it was not run.
    pub fn evaluation(&self, site: &CodeSite<'_, '_>) -> Option<&Evaluation> {
        self.evaluations().get(&(site.analysis.file, site.node))
    }

    /// How the scripts of Code activities end that parse and use known names only.
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

    /// The parameters of a script whose values were made up to build a case, with these values.
    pub fn made_up<'s>(&'s self, case: &EvaluatedCase<'s, 'a>) -> Vec<(&'s CodeParameter<'a>, String)> {
        let site = self.codes().find(|site| (site.analysis.file, site.node) == (case.file, case.node));
        let Some((site, request)) = site.and_then(|site| Some((site.code, self.request(&site)?))) else {
            return Vec::new();
        };
        let parameters = site.parameters.get().into_iter().flatten().zip(&request.parameters).enumerate();
        let open = parameters.filter(|(_, (_, parameter))| parameter.input.is_open());
        open.map(|(index, (declared, parameter))| (declared, parameter.first_value(index))).collect()
    }

    fn request<'s>(&'s self, site: &CodeSite<'s, 'a>) -> Option<EvaluationRequest<'s>> {
        // What a text does that becomes code does not show on made-up values.
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
            parameters.push(Parameter { name, input: fixed.map_or(open, ScriptInput::Fixed) });
        }
        let hosts = || self.config.catalog.script_globals.iter().map(String::as_str);
        let names = parameters.iter().map(|parameter| parameter.name).chain(hosts()).chain(["Json"]);
        if site.code.parameters.is_unknown() || !script.unknown(names).is_empty() {
            return None;
        }
        let uses = |name: &&str| script.globals.iter().any(|global| global.name == *name);
        let hosts = hosts().filter(uses).collect();
        Some(EvaluationRequest { script: site.text, syntax: script, parameters, hosts })
    }

    /// The cases that scripts build: the texts that they leave in `Json` when they run on made-up
    /// values, where a request takes its case from the variable `Json`.
    pub fn evaluated<'c>(&'c self) -> impl Iterator<Item = EvaluatedCase<'c, 'a>> {
        let is_case = self.providers().any(|site| {
            let method = site.provider.method.value().and_then(|name| self.config.catalog.method(name));
            let json = method.and_then(|method| method.parameter_of_kind(ParameterKind::CaseJson));
            json.is_some_and(|json| {
                named_parameters(site.provider).any(|(name, parameter)| {
                    let target = parameter.value.get().and_then(Binding::target);
                    name == json.name && target.is_some_and(|(_, variable)| variable == "Json")
                })
            })
        });
        self.codes().filter(move |_| is_case).filter_map(|site| match self.evaluation(&site) {
            Some(Evaluation::Text { text, other, forwards_parameters }) => {
                let (file, activity, node, script) = (site.analysis.file, site.activity, site.node, site.text);
                let is_plain = *forwards_parameters;
                Some(EvaluatedCase { file, activity, node, script, text, other, is_plain })
            }
            _ => None,
        })
    }

    /// Every script of every form that is not empty.
    pub fn form_scripts<'c>(&'c self) -> impl Iterator<Item = FormScript<'c, 'a>> {
        self.model.forms.iter().flat_map(move |form| {
            form.form.field_scripts().map(move |(member, node, text)| {
                let syntax = self.scripts.get(Goal::FunctionBody, text);
                FormScript { form, member, node, text, syntax }
            })
        })
    }
}

/// The text that a binding gives a script, as far as the document says it; none for a variable.
fn fixed_value(binding: &Binding<'_>) -> Option<String> {
    match binding.literal() {
        Some((_, Literal::Text(text) | Literal::Number(text))) => Some(text.to_owned()),
        Some((_, Literal::Boolean(flag))) => Some(flag.to_string()),
        Some((_, Literal::Null)) => Some(String::new()),
        None => binding.is_empty().then(String::new),
    }
}
