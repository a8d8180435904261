//! Every place in the documents of a service that has the name of a variable: for an editor, and for renaming.

use std::ops::Range;

use crate::common::collections::{HashMap, HashSet};
use crate::document::{Document, NodeId};
use crate::facts::provider_site::ProviderSite;
use crate::facts::scripts::{CodeSite, FormScript};
use crate::facts::service::AnalyzedService;
use crate::graph::{Analysis, Placeholder, Prefix, ProviderOutputs, Scope};
use crate::model::{Activity, ActivityId, ActivityKind, Binding, Provider, Role, SCRIPT_RESULT, Variable};
use crate::project::{FormDocument, WorkflowDocument};
use crate::script::syntax::{NameUse, name_uses};
use crate::text::diagnostic::FileId;
use crate::text::source::Span;

/// The names outside of scripts, sorted by file and place.
pub fn variable_names<'a>(service: &AnalyzedService<'a>) -> Vec<VariableName<'a>> {
    let mut names = Names::default();
    for (document, analysis) in service.model.workflows.iter().zip(&service.workflows) {
        let list = document.workflow.variables.get().into_iter().flatten();
        names.declarations(document.file, document.document, list, NameKind::Declaration);
        add_activities(document, &analysis.scope, &mut names);
    }
    for document in &service.model.forms {
        let list = document.form.variables.get().into_iter().flatten();
        names.declarations(document.file, document.document, list, NameKind::FormDeclaration);
        add_fields(document, &mut names);
    }
    names.into_sorted()
}

/// The name of a variable at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariableName<'a> {
    pub file: FileId,
    /// Of the variable. What is written may differ: a parameter of a script has a name of its own.
    pub name: &'a str,
    /// The bytes of the name alone, without quotes or braces.
    pub span: Span,
    pub kind: NameKind,
    pub access: Access,
    /// The activity that has it, if a workflow does.
    pub activity: Option<ActivityId>,
}

/// What has the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameKind {
    /// `variables` of a workflow.
    Declaration,
    /// `variables` of a form.
    FormDeclaration,
    /// `boundTo` of a binding.
    Binding,
    /// `boundTo` of a form field.
    Field,
    /// A placeholder in a string.
    Placeholder,
    /// An entry of `assignedVariables`, `ownBoundVariables` or `allProviderParameters`.
    Copy,
    /// The name of a parameter of a script, which is bound to the variable.
    ScriptParameter,
    /// In a script: a use of a parameter that is bound to the variable, or of `Json`.
    Script {
        /// Whether it also names the property of an object.
        is_shorthand: bool,
    },
    /// In a script of a form: a name or a string.
    FormScript {
        is_string: bool,
        is_shorthand: bool,
        /// Whether a field of the form has this name, which may be what is meant.
        may_be_field: bool,
    },
}

/// What is done with the variable at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// It is only named.
    None,
    Read,
    Write,
    /// A form field shows the variable and fills it; an activity of an undocumented type may do either.
    Both,
}

/// The names that were found.
#[derive(Default)]
struct Names<'a>(Vec<VariableName<'a>>);

impl<'a> Names<'a> {
    /// A string that is a name.
    pub fn add(&mut self, at: &Site<'a>, node: NodeId, name: &'a str, kind: NameKind, access: Access) {
        if !name.is_empty() {
            let span = at.document.span_inside(node, 0..name.len());
            self.0.push(VariableName { file: at.file, name, span, kind, access, activity: at.activity });
        }
    }

    /// A name that stands for a variable.
    pub fn alias(&mut self, at: &Site<'a>, name: &'a str, span: Span) {
        let (file, activity, kind) = (at.file, at.activity, NameKind::ScriptParameter);
        self.0.push(VariableName { file, name, span, kind, access: Access::None, activity });
    }

    /// The placeholders in a string.
    pub fn placeholders(
        &mut self,
        at: &Site<'a>,
        node: NodeId,
        found: impl Iterator<Item = Placeholder<'a>>,
        access: Access,
    ) {
        for found in found {
            let inside = found.range.start + 1..found.range.end - 1;
            let span = at.document.span_inside(node, inside);
            let (file, activity) = (at.file, at.activity);
            self.0.push(VariableName { file, name: found.name, span, kind: NameKind::Placeholder, access, activity });
        }
    }

    pub fn declarations<'v>(
        &mut self,
        file: FileId,
        document: &'a Document,
        list: impl Iterator<Item = &'v Variable<'a>>,
        kind: NameKind,
    ) where
        'a: 'v,
    {
        let at = Site { file, document, activity: None };
        for (node, &name) in list.filter_map(|variable| variable.name.known()) {
            self.add(&at, node, name, kind, Access::None);
        }
    }

    /// Of several at one place, the one that reads or writes.
    pub fn into_sorted(mut self) -> Vec<VariableName<'a>> {
        self.0.sort_by_key(|found| (found.file, found.span, found.access == Access::None));
        self.0.dedup_by_key(|found| (found.file, found.span));
        self.0
    }
}

/// Where names are.
struct Site<'a> {
    pub file: FileId,
    pub document: &'a Document,
    pub activity: Option<ActivityId>,
}

fn add_activities<'a>(workflow: &WorkflowDocument<'a>, scope: &Scope<'a>, names: &mut Names<'a>) {
    for activity in &workflow.workflow.activities {
        let at = Site { file: workflow.file, document: workflow.document, activity: Some(activity.id) };
        activity.bindings(|binding, role| add_binding(&at, binding, role, scope, names));
        add_copies(&at, activity, scope, names);
        match &activity.kind {
            ActivityKind::Assign(assign) => {
                if let Some(node) = assign.body.node() {
                    names.placeholders(&at, node, scope.placeholders_of(assign), Access::Read);
                }
            }
            ActivityKind::Status { translations, .. } => {
                for entry in translations.get().into_iter().flatten() {
                    // It is not documented whether strings outside an Assign can have placeholders.
                    let found = scope.placeholders(entry.text.unwrap_or_default());
                    names.placeholders(&at, entry.node, found, Access::None);
                }
            }
            ActivityKind::Code(code) => {
                for parameter in code.parameters.get().into_iter().flatten() {
                    let target = parameter.value.get().and_then(Binding::target);
                    if let (Some(node), Some((_, variable))) = (parameter.name.node(), target) {
                        let written = parameter.name.value().unwrap_or_default();
                        let span = at.document.span_inside(node, 0..written.len());
                        names.alias(&at, variable, span);
                    }
                }
            }
            _ => {}
        }
    }
}

fn add_binding<'a>(at: &Site<'a>, binding: &Binding<'a>, role: Role<'_, 'a>, scope: &Scope<'a>, names: &mut Names<'a>) {
    let (kind, access) = match role {
        _ if binding.target().is_none() => (NameKind::Binding, Access::None),
        Role::Assigned => (NameKind::Copy, Access::None),
        Role::Undocumented => (NameKind::Binding, Access::Both),
        role if role.writes() => (NameKind::Binding, Access::Write),
        _ => (NameKind::Binding, Access::Read),
    };
    if let Some((node, &name)) = binding.bound_to.known() {
        names.add(at, node, name, kind, access);
    }
    if let Some((node, text)) = binding.literal_text() {
        names.placeholders(at, node, scope.placeholders(text), Access::None);
    }
}

/// The lists that the editor keeps beside what the activity uses.
fn add_copies<'a>(at: &Site<'a>, activity: &Activity<'a>, scope: &Scope<'a>, names: &mut Names<'a>) {
    let copies = activity.provider().and_then(|provider| provider.all.get()).into_iter().flatten();
    for binding in copies.filter_map(|copy| copy.value.get()) {
        if let Some((node, &name)) = binding.bound_to.known() {
            names.add(at, node, name, NameKind::Copy, Access::None);
        }
        if let Some((node, text)) = binding.literal_text() {
            names.placeholders(at, node, scope.placeholders(text), Access::None);
        }
    }
    for (node, name) in activity.own_bound_variables.get().into_iter().flat_map(|list| list.iter()) {
        names.add(at, node, name.unwrap_or_default(), NameKind::Copy, Access::None);
    }
}

fn add_fields<'a>(form: &FormDocument<'a>, names: &mut Names<'a>) {
    let at = Site { file: form.file, document: form.document, activity: None };
    for (node, name) in form.form.fields.iter().filter_map(|field| field.target()) {
        names.add(&at, node, name, NameKind::Field, Access::Both);
    }
}

/// The uses of parameters that are bound to variables, and of `Json`, in the script of a Code activity. Those of the
/// variables that `is_wanted` accepts.
pub fn code_names<'a>(site: &CodeSite<'_, 'a>, is_wanted: impl Fn(&str) -> bool) -> Vec<VariableName<'a>> {
    let parameters = site.code.parameters.get().into_iter().flatten();
    let bound = parameters.filter_map(|parameter| {
        let (_, variable) = parameter.value.get().and_then(Binding::target)?;
        Some((parameter.name.value()?, variable))
    });
    let mut variables: HashMap<&str, &'a str> = HashMap::default();
    variables.insert(SCRIPT_RESULT, SCRIPT_RESULT);
    variables.extend(bound);
    variables.retain(|written, variable| is_wanted(variable) && site.text.contains(written));
    if variables.is_empty() {
        return Vec::new();
    }
    let name = |found: NameUse| {
        let &name = variables.get(found.name.as_str())?;
        let is_result = name == SCRIPT_RESULT && found.is_written;
        Some(VariableName {
            file: site.analysis.file,
            name,
            span: site.analysis.document.span_inside(site.node, found.range),
            kind: NameKind::Script { is_shorthand: found.is_shorthand },
            access: if is_result { Access::Write } else { Access::Read },
            activity: Some(site.activity.id),
        })
    };
    name_uses(site.text).unwrap_or_default().uses.into_iter().filter_map(name).collect()
}

/// The names and strings in a script of a form that are the names of variables. How such a script names a variable is
/// not documented.
pub fn form_script_names<'a>(script: &FormScript<'_, 'a>, variables: &HashSet<&'a str>) -> Vec<VariableName<'a>> {
    if !variables.iter().any(|name| script.text.contains(name)) {
        return Vec::new();
    }
    let fields = script.form.form.fields.iter().filter_map(|field| field.name.value()).collect::<HashSet<_>>();
    let name = |name: &str, range: Range<usize>, (is_string, is_shorthand): (bool, bool)| {
        let &name = variables.get(name)?;
        Some(VariableName {
            file: script.form.file,
            name,
            span: script.form.document.span_inside(script.node, range),
            kind: NameKind::FormScript { is_string, is_shorthand, may_be_field: fields.contains(name) },
            access: Access::Read,
            activity: None,
        })
    };
    let uses = name_uses(script.text).unwrap_or_default().uses;
    let uses = uses.into_iter().filter_map(|found| name(&found.name, found.range, (false, found.is_shorthand)));
    let strings = script.syntax.script().into_iter().flat_map(|script| &script.strings);
    // One with escapes is not the name as it is written.
    let strings = strings.filter(|literal| script.text.get(literal.range.clone()) == Some(literal.value.as_str()));
    uses.chain(strings.filter_map(|literal| name(&literal.value, literal.range.clone(), (true, false)))).collect()
}

/// A provider call, and where its outputs come from.
pub struct OutputSite<'c, 'a> {
    pub file: FileId,
    pub analysis: &'c Analysis<'a>,
    pub activity: &'c Activity<'a>,
    pub provider: &'c Provider<'a>,
    pub outputs: &'c ProviderOutputs<'a>,
    /// The static prefix without its quotes; of a call without one, its `method`, otherwise its name.
    pub span: Span,
}

impl OutputSite<'_, '_> {
    /// Whether it certainly writes the variable.
    pub fn writes(&self, name: &str) -> bool {
        self.outputs.outputs.iter().any(|output| output.name == name)
    }

    /// The static prefix, if it is not empty.
    pub fn prefix(&self) -> Option<&str> {
        match self.outputs.prefix {
            Prefix::Static(prefix) if !prefix.is_empty() => Some(prefix),
            _ => None,
        }
    }
}

/// The calls of all workflows, in the order of the text.
pub fn output_sites<'c, 'a>(service: &'c AnalyzedService<'a>) -> impl Iterator<Item = OutputSite<'c, 'a>> {
    service.providers().map(|ProviderSite { analysis, activity, provider, outputs, .. }| {
        let document = analysis.document;
        let prefix = match outputs.prefix {
            Prefix::Static(prefix) if !prefix.is_empty() => outputs.prefix_node.map(|node| (node, prefix)),
            _ => None,
        };
        let place = prefix.or_else(|| provider.method.known().map(|(node, &method)| (node, method)));
        let span = place.map(|(node, text)| document.span_inside(node, 0..text.len()));
        let span = span.unwrap_or_else(|| document.anchor(activity.node));
        OutputSite { file: analysis.file, analysis, activity, provider, outputs, span }
    })
}
