//! Secrets in the texts of a service's documents.

mod names;
mod shapes;

use crate::facts::service::AnalyzedService;
use std::ops::Range;

use crate::catalog::{Catalog, ParameterKind};
use crate::collections::HashSet;
use crate::diagnostic::FileId;
use crate::document::NodeId;
use crate::graph::Analysis;
use crate::model::{Activity, Assign, Code, Form, Kind, Member, Role};

use names::{assigned_in_script, assigned_in_text, is_secret_name, is_secret_value};
pub use shapes::SecretKind;

/// A secret that stands in a document.
#[derive(Debug)]
pub struct Secret<'a> {
    /// The file.
    pub file: FileId,
    /// The string.
    pub node: NodeId,
    /// The secret's part of it.
    pub part: Range<usize>,
    /// What it is.
    pub kind: SecretKind,
    /// Name of the variable, parameter or field that has it.
    pub name: Option<&'a str>,
    /// Whether the string is a script.
    pub in_script: bool,
}

/// Every secret of a service.
pub fn find<'a>(service: &AnalyzedService<'a>) -> Vec<Secret<'a>> {
    let mut finder = Finder { credentials: credential_variables(service), found: Vec::new() };
    for analysis in &service.workflows {
        for activity in &analysis.workflow.activities {
            finder.activity(analysis, activity);
        }
    }
    for (file, variables) in service.variable_lists() {
        for variable in variables {
            finder.named(file, variable.name.value(), &variable.value);
        }
    }
    for form in &service.model.forms {
        finder.form(form.file, &form.form);
    }
    finder.found
}

/// The variables that name a stored credential: their value is a name, whatever they are called.
fn credential_variables<'a>(service: &AnalyzedService<'a>) -> HashSet<&'a str> {
    let mut variables = HashSet::default();
    service.bindings(|analysis, activity, binding, role| {
        if let (Role::Parameter(parameter), Some((_, name))) = (role, binding.target())
            && is_credential(analysis, activity, parameter.name.value())
        {
            variables.insert(name);
        }
    });
    variables
}

/// Whether a parameter takes the name of a stored credential.
fn is_credential(analysis: &Analysis<'_>, activity: &Activity<'_>, name: Option<&str>) -> bool {
    let Some(name) = name else { return false };
    let provider = analysis.effects(activity.id).and_then(|effects| effects.provider.as_deref());
    let known = provider.and_then(|provider| provider.method?.parameter(name));
    Catalog::built_in().has_parameter(name, ParameterKind::Credential)
        || known.is_some_and(|known| known.kind == Some(ParameterKind::Credential))
}

fn is_of_kind(analysis: &Analysis<'_>, activity: &Activity<'_>, name: Option<&str>, kind: ParameterKind) -> bool {
    let provider = analysis.effects(activity.id).and_then(|effects| effects.provider.as_deref());
    let known = name.and_then(|name| provider.and_then(|provider| provider.method?.parameter(name)));
    known.is_some_and(|known| known.kind == Some(kind))
}

struct Finder<'a> {
    credentials: HashSet<&'a str>,
    found: Vec<Secret<'a>>,
}

impl<'a> Finder<'a> {
    fn activity(&mut self, analysis: &Analysis<'a>, activity: &'a Activity<'a>) {
        let file = analysis.file;
        activity.bindings(|binding, role| {
            let Some((node, text)) = binding.literal_text() else { return };
            let name = match role {
                Role::Parameter(parameter) => parameter.name.value(),
                // Told by the script's parameters, which have names.
                Role::CodeParameter => return,
                _ => None,
            };
            if is_credential(analysis, activity, name) {
                return;
            }
            let before = self.found.len();
            self.value(file, name, node, text);
            // An address with a slip in it is no less secret for that (WF217 tells the slip).
            if self.found.len() == before
                && is_of_kind(analysis, activity, name, ParameterKind::Uri)
                && let Some(part) = shapes::user_and_password(text)
            {
                self.found.push(Secret { file, node, part, kind: SecretKind::UriPassword, name, in_script: false });
            }
        });
        match &activity.kind {
            Kind::Assign(assign) => self.assign(file, assign),
            Kind::Code(code) => self.code(file, code),
            _ => {}
        }
    }

    fn assign(&mut self, file: FileId, assign: &Assign<'a>) {
        let target = assign.result.get().and_then(|result| result.target()).map(|(_, name)| name);
        self.named(file, target, &assign.body);
    }

    fn code(&mut self, file: FileId, code: &Code<'a>) {
        for parameter in code.parameters.get().into_iter().flatten() {
            let literal = parameter.value.get().and_then(|binding| binding.literal_text());
            if let Some((node, text)) = literal {
                self.value(file, parameter.name.value(), node, text);
            }
        }
        self.script(file, &code.script);
    }

    fn form(&mut self, file: FileId, form: &'a Form<'a>) {
        for field in &form.fields {
            let names = [field.name.value(), field.target().map(|(_, name)| name)];
            let name = names.into_iter().flatten().find(|name| is_secret_name(name)).or(field.name.value());
            for entry in field.properties.default_value.get().into_iter().flatten() {
                if let Some(text) = entry.text {
                    self.value(file, name, entry.node, text);
                }
            }
            for script in &field.scripts {
                self.script(file, script);
            }
        }
    }

    /// The value of a variable.
    fn named(&mut self, file: FileId, name: Option<&'a str>, text: &Member<&'a str>) {
        if let Some((node, text)) = text.known()
            && !name.is_some_and(|name| self.credentials.contains(name))
        {
            self.value(file, name, node, text);
        }
    }

    fn value(&mut self, file: FileId, name: Option<&'a str>, node: NodeId, text: &str) {
        let add = |part, kind| Secret { file, node, part, kind, name, in_script: false };
        if name.is_some_and(|name| is_secret_name(name) && is_secret_value(text, name)) {
            self.found.push(add(0..text.len(), SecretKind::Named));
            return;
        }
        // A value is one thing to change, however many secrets it holds.
        let found = shapes::find(text).into_iter().chain(assigned_in_text(text)).min_by_key(|(part, _)| part.start);
        self.found.extend(found.map(|(part, kind)| add(part, kind)));
    }

    fn script(&mut self, file: FileId, script: &Member<&'a str>) {
        let Some((node, text)) = script.known() else { return };
        let mut found: Vec<(Range<usize>, SecretKind)> =
            shapes::find(text).into_iter().chain(assigned_in_script(text)).collect();
        found.sort_by_key(|(part, _)| (part.start, part.end));
        let mut end = 0;
        for (part, kind) in found {
            if part.start >= end {
                end = part.end;
                self.found.push(Secret { file, node, part, kind, name: None, in_script: true });
            }
        }
    }
}
