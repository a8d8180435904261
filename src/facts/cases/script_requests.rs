//! The scripts of a service, and what those of Code activities are run with while documents are linted.

use std::ops::Range;

use crate::common::collections::HashSet;
use crate::config::Config;
use crate::document::NodeId;
use crate::model::{Activity, Binding, Code, Literal, Member, SCRIPT_RESULT};
use crate::project::ServiceModel;
use crate::script::evaluation::{EvaluationRequest, ScriptInput, ScriptLimits, ScriptParameter};
use crate::script::sandbox::NOT_SIMULATED;
use crate::script::syntax::{ParsedScripts, Script, ScriptKind, Scripts, Syntax};
use crate::text::diagnostic::FileId;

/// A script of a Code activity that is to be run.
pub struct RequestedScript<'s, 'a> {
    pub file: FileId,
    /// The string that contains it.
    pub node: NodeId,
    pub activity: &'s Activity<'a>,
    pub request: EvaluationRequest<'s>,
}

/// A name of ECMAScript that a script uses and the engine lacks.
pub struct NotSimulated {
    pub name: &'static str,
    /// The first use; `None` for a member of the global object.
    pub used: Option<Range<usize>>,
}

/// Parses the scripts of Code activities and forms that were not parsed before.
pub fn scripts<'a>(model: &ServiceModel<'a>, parsed: Option<&ParsedScripts>) -> Scripts<'a> {
    let activities = model.workflows.iter().flat_map(|document| &document.workflow.activities);
    let codes =
        activities.filter_map(|activity| activity.code()?.script.value()).map(|text| (ScriptKind::Script, text));
    let forms = model.forms.iter().flat_map(|form| form.form.scripts()).map(|text| (ScriptKind::FunctionBody, text));
    Scripts::new(codes.chain(forms), parsed)
}

/// The scripts that are to be run, in document order; without those that do not parse, use unknown names, run dynamic code,
/// or use what the engine lacks: a run of these would show the engine, not the script.
pub fn requested_scripts<'s, 'a>(
    model: &'s ServiceModel<'a>,
    config: &'s Config,
    scripts: &'s Scripts<'a>,
) -> impl Iterator<Item = RequestedScript<'s, 'a>> {
    let mut optional = None;
    let activities = model
        .workflows
        .iter()
        .flat_map(|document| document.workflow.activities.iter().map(move |activity| (document.file, activity)));
    activities.filter_map(move |(file, activity)| {
        let code = activity.code()?;
        let (node, text) = code.script.known()?;
        let syntax = scripts.get(ScriptKind::Script, text);
        let optional = optional.get_or_insert_with(|| optional_variables(model));
        let request = request(config, code, text, syntax, optional)?;
        let missing = NotSimulated::find(request.syntax).filter(|found| !found.is_parameter(&request));
        missing.is_none().then_some(RequestedScript { file, node, activity, request })
    })
}

/// The limits of the scripts of a service.
pub fn script_limits(config: &Config) -> ScriptLimits {
    ScriptLimits::of_seconds(config.script_seconds)
}

/// The variables that an order may leave empty: those of optional fields of order forms.
fn optional_variables<'a>(model: &ServiceModel<'a>) -> HashSet<&'a str> {
    let order_forms = model.forms.iter().filter(|form| form.is_order_form);
    let fields = order_forms.flat_map(|form| &form.form.fields).filter(|field| !field.required.is_true());
    fields.filter_map(|field| Some(field.target()?.1)).collect()
}

fn request<'s>(
    config: &'s Config,
    code: &'s Code<'_>,
    text: &'s str,
    syntax: &'s Syntax,
    optional: &HashSet<&str>,
) -> Option<EvaluationRequest<'s>> {
    // Code in a generated string would not be the code that a real value brings.
    let script = syntax.script().filter(|script| script.dynamic.is_empty())?;
    let mut parameters = Vec::new();
    for parameter in code.parameters.get().into_iter().flatten() {
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
    let hosts = || config.catalog.script_globals.iter().map(String::as_str);
    let names = parameters.iter().map(|parameter| parameter.name).chain(hosts()).chain([SCRIPT_RESULT]);
    if code.parameters.is_unknown() || !script.unknown(names).is_empty() {
        return None;
    }
    let uses = |name: &&str| script.globals.iter().any(|global| global.name == *name);
    let hosts = hosts().filter(uses).collect();
    Some(EvaluationRequest { script: text, syntax: script, parameters, hosts, limits: script_limits(config) })
}

impl NotSimulated {
    /// That of a script which would be run otherwise.
    pub fn of(config: &Config, code: &Code<'_>, text: &str, syntax: &Syntax) -> Option<Self> {
        let found = Self::find(syntax.script()?)?;
        let request = request(config, code, text, syntax, &HashSet::default())?;
        Some(found).filter(|found| !found.is_parameter(&request))
    }

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
