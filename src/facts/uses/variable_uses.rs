//! What writes a variable and what reads it, in the order of the flow.

use crate::facts::scripts::CodeSite;
use crate::facts::service::AnalyzedService;
use crate::facts::uses::variable_names::{Access, NameKind, VariableName, code_names, output_sites, variable_names};
use crate::graph::{Analysis, Read};
use crate::model::{Activity, ActivityId, Operand, Variable};
use crate::text::diagnostic::FileId;

/// What writes a variable, and what reads it: the order, then activities as they run, then the caller.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VariableUses {
    /// What each is called in a message.
    pub writers: Vec<String>,
    pub readers: Vec<String>,
}

/// Where a use is in the flow: before all activities, at one, or after them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Moment {
    Start,
    Order,
    Activity(FileId, ActivityId),
    End,
}

/// A use of a variable.
struct Use {
    at: Moment,
    access: Access,
    label: String,
}

impl VariableUses {
    /// Names are shown as `quoted` returns them.
    pub fn of(service: &AnalyzedService<'_>, name: &str, quoted: impl Fn(&str) -> String + Copy) -> Self {
        let mut uses = declared(service, name);
        uses.extend(of_fields(service, name, quoted));
        uses.extend(of_activities(service, name, quoted));
        uses.sort_by_key(|found| found.at);
        let with = |accesses: [Access; 2]| {
            let mut labels: Vec<String> = Vec::new();
            for found in uses.iter().filter(|found| accesses.contains(&found.access)) {
                if labels.last() != Some(&found.label) {
                    labels.push(found.label.clone());
                }
            }
            labels
        };
        Self { writers: with([Access::Write, Access::Both]), readers: with([Access::Read, Access::Both]) }
    }
}

fn declared(service: &AnalyzedService<'_>, name: &str) -> Vec<Use> {
    let lists = service.variable_lists().flat_map(|(_, list)| list);
    let variables = lists.filter(|variable| variable.name.value() == Some(name));
    let use_of = |at: Moment, access: Access, label: &str| Use { at, access, label: label.to_owned() };
    let mut uses = Vec::new();
    for variable in variables {
        if variable.value().value().is_some_and(|value| !value.is_empty()) {
            uses.push(use_of(Moment::Start, Access::Write, "initial value"));
        }
        for (flag, label) in [
            (variable.details().is_input, "input parameter"),
            (variable.details().is_bound_to_setup_form, "setup form"),
            (variable.details().is_system, "platform"),
        ] {
            if flag.is_true() {
                uses.push(use_of(Moment::Start, Access::Write, label));
            }
        }
        if variable.details().is_output.is_true() {
            uses.push(use_of(Moment::End, Access::Read, "output parameter"));
        }
    }
    uses
}

fn of_fields(service: &AnalyzedService<'_>, name: &str, quoted: impl Fn(&str) -> String) -> Vec<Use> {
    let mut uses = Vec::new();
    for form in &service.model.forms {
        for field in form.form.fields.iter().filter(|field| field.target().is_some_and(|(_, target)| target == name)) {
            let field =
                field.name.value().map_or_else(|| "unnamed field".to_owned(), |name| format!("field {}", quoted(name)));
            let label = format!("{field} of form {}", quoted(form.name));
            let shown = service.activities().filter(|(_, activity)| activity.form.value() == Some(form.name));
            let mut moments: Vec<Moment> =
                shown.map(|(analysis, activity)| Moment::Activity(analysis.file, activity.id)).collect();
            if form.is_order_form {
                moments.push(Moment::Order);
            }
            uses.extend(moments.into_iter().map(|at| Use { at, access: Access::Both, label: label.clone() }));
        }
    }
    uses
}

fn of_activities(service: &AnalyzedService<'_>, name: &str, quoted: impl Fn(&str) -> String) -> Vec<Use> {
    let mut uses = Vec::new();
    let mut add = |file: FileId, id: Option<ActivityId>, access: Access| {
        let analysis = service.workflows.iter().find(|analysis| analysis.file == file);
        if let Some(activity) = id.and_then(|id| analysis?.workflow.activity(id)) {
            uses.push(Use { at: Moment::Activity(file, activity.id), access, label: label(activity, &quoted) });
        }
    };
    let names = variable_names(service);
    let scripts = service.codes().flat_map(|site: CodeSite<'_, '_>| code_names(&site, |variable| variable == name));
    // That a parameter of a script is bound to it is a read already.
    let scripts = scripts.filter(|found| found.access == Access::Write);
    let is_use = |found: &VariableName<'_>| found.name == name && found.kind != NameKind::Field;
    for found in names.into_iter().chain(scripts).filter(is_use) {
        add(found.file, found.activity, found.access);
    }
    for site in output_sites(service).filter(|site| site.writes(name)) {
        add(site.file, Some(site.activity.id), Access::Write);
    }
    uses
}

/// An activity by its name and its type, as far as it has them.
fn label(activity: &Activity<'_>, quoted: impl Fn(&str) -> String) -> String {
    let kind = activity.type_name.value().filter(|kind| !kind.is_empty()).map(&quoted);
    let name = activity.name.value().filter(|name| !name.trim().is_empty()).map(&quoted);
    match (name, kind) {
        (Some(name), Some(kind)) => format!("{name} ({kind})"),
        (Some(name), None) => name,
        (None, Some(kind)) => format!("unnamed {kind}"),
        (None, None) => "unnamed activity".to_owned(),
    }
}

/// What is known of a variable's value at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KnownValue {
    /// Some path to this activity does not assign it.
    MayBeUnset,
    /// A condition around the activity, with its name, was true when its activities began to run.
    Compared { condition: String, operand: Operand, value: String },
}

/// What is known of a variable's value when an activity runs.
pub fn known_values(
    analysis: &Analysis<'_>,
    activity: &Activity<'_>,
    name: &str,
    quoted: impl Fn(&str) -> String,
) -> Vec<KnownValue> {
    let mut known = Vec::new();
    let reads = analysis.effects(activity.id).map(|effects| effects.reads.as_slice()).unwrap_or_default();
    let is_unset = |(index, read): (usize, &Read)| {
        analysis.names.name(read.variable) == name && analysis.paths.unassigned.contains_key(&(activity.id, index))
    };
    if reads.iter().enumerate().any(is_unset) {
        known.push(KnownValue::MayBeUnset);
    }
    for around in analysis.workflow.ancestors(activity) {
        let Some(expression) = around.expression() else { continue };
        for (_, other) in expression.compared().filter(|(variable, _)| *variable == name) {
            if let (Some((_, literal)), Some(operand)) = (other.literal(), expression.operand.value())
                && !is_written_between(analysis, around, activity, name)
            {
                let condition = label(around, &quoted);
                known.push(KnownValue::Compared { condition, operand, value: literal.describe() });
            }
        }
    }
    known
}

/// Whether something in an If or a While may write the variable before an activity in it runs.
fn is_written_between(analysis: &Analysis<'_>, around: &Activity<'_>, activity: &Activity<'_>, name: &str) -> bool {
    let variable = analysis.names.id(name);
    let before = (around.id.0 + 1..activity.id.0).map(ActivityId);
    // The events of an Approval run after its form was filled in, and a loop around the activity may run again.
    let loops = analysis.workflow.ancestors(activity).take_while(|inner| inner.id != around.id);
    let again = loops.flat_map(|inner| (inner.id.0..inner.end.0).map(ActivityId));
    before.chain(again).filter_map(|id| analysis.effects(id)).any(|effects| {
        effects.may_write.is_some_and(|prefix| name.starts_with(prefix))
            || variable.is_some_and(|variable| effects.writes.to(variable).next().is_some())
    })
}

/// The declaration that counts: that of a workflow, otherwise that of a form.
pub fn declaration<'a>(service: &AnalyzedService<'a>, name: &str) -> Option<&'a Variable<'a>> {
    let mut variables = service.variable_lists().flat_map(|(_, list)| list);
    variables.find(|variable| variable.name.value() == Some(name))
}
