//! Hard-coded secrets in a service's documents.

mod names;
mod patterns;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use crate::catalog::{Catalog, ParameterKind};
use crate::common::collections::HashSet;
use crate::document::NodeId;
use crate::facts::service::AnalyzedService;
use crate::graph::Analysis;
use crate::model::{Activity, ActivityKind, Assign, Code, Expression, Form, Member, Role};
use crate::text::diagnostic::FileId;
use crate::text::quote;

use names::{assigned_beside_secrets, assigned_in_script, assigned_in_text, is_secret_name, is_secret_value};
use patterns::FoundSecret;
pub use patterns::SecretKind;

/// The parameters of the built-in catalog that take the name of a stored credential.
static CREDENTIALS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let parameters = Catalog::built_in().methods.iter().flat_map(|method| &method.parameters);
    let credentials = parameters.filter(|parameter| parameter.kind == Some(ParameterKind::Credential));
    credentials.map(|parameter| parameter.name.as_str()).collect()
});

/// Neither is a shorter value or script a secret, nor does it contain one.
const MIN_BYTES: usize = 4;

#[derive(Debug)]
pub struct Secret {
    pub file: FileId,
    /// The string that contains it.
    pub node: NodeId,
    /// Its part of the string.
    pub part: Range<usize>,
    pub kind: SecretKind,
    /// What contains it, for a message: the variable, parameter, field or activity.
    pub holder: Box<str>,
    /// Whether the string is a script.
    pub in_script: bool,
    /// Whether it is reported: of each value only its first secret, of those in scripts that overlap only the first.
    pub is_reported: bool,
}

/// Those in activities, variables and forms.
pub fn find(service: &AnalyzedService<'_>) -> Vec<Secret> {
    let mut finder =
        SecretFinder { credentials: credential_variables(service), seen: HashSet::default(), found: Vec::new() };
    for (analysis, activity) in service.activities() {
        finder.activity(analysis, activity);
    }
    for (file, variables) in service.variable_lists() {
        for variable in variables {
            finder.value_of_variable(file, variable.name.value(), &variable.value());
        }
    }
    for form in &service.model.forms {
        finder.form(form.file, form.form);
    }
    finder.elsewhere(service);
    finder.found.shrink_to_fit();
    finder.found
}

/// The variables bound to a parameter that names a stored credential: their value is a name, no secret.
pub fn credential_variables<'s>(service: &'s AnalyzedService<'_>) -> &'s BTreeSet<String> {
    service.credential_variables.get_or_init(|| {
        let mut variables = BTreeSet::new();
        service.bindings(|analysis, activity, binding, role| {
            if let (Role::Parameter(parameter), Some((_, name))) = (role, binding.target())
                && is_credential(analysis, activity, parameter.name.value())
            {
                variables.insert(name.to_owned());
            }
        });
        variables
    })
}

/// Whether a parameter takes the name of a stored credential.
fn is_credential(analysis: &Analysis<'_>, activity: &Activity<'_>, name: Option<&str>) -> bool {
    name.is_some_and(|name| CREDENTIALS.contains(name))
        || is_of_kind(analysis, activity, name, ParameterKind::Credential)
}

fn is_of_kind(analysis: &Analysis<'_>, activity: &Activity<'_>, name: Option<&str>, kind: ParameterKind) -> bool {
    let provider = analysis.effects(activity.id).and_then(|effects| effects.provider.as_deref());
    let known = name.and_then(|name| provider.and_then(|provider| provider.method?.parameter(name)));
    known.is_some_and(|known| known.kind == Some(kind))
}

struct SecretFinder<'s> {
    credentials: &'s BTreeSet<String>,
    /// The strings that were looked at.
    seen: HashSet<(FileId, NodeId)>,
    found: Vec<Secret>,
}

impl SecretFinder<'_> {
    fn activity(&mut self, analysis: &Analysis<'_>, activity: &Activity<'_>) {
        let file = analysis.file;
        activity.bindings(|binding, role| {
            let Some((node, text)) = binding.literal_text() else { return };
            let name = match role {
                Role::Parameter(parameter) => parameter.name.value(),
                // `code` reports these with the name of the parameter.
                Role::CodeParameter => return,
                _ => None,
            };
            if is_credential(analysis, activity, name) {
                return;
            }
            let before = self.found.len();
            let holder = || name.map_or_else(|| activity.display_name(), quote);
            self.value(file, node, text, name, &holder);
            // An invalid address, which lacks the scheme or the slashes, contains the secret too.
            if self.found.len() == before && is_of_kind(analysis, activity, name, ParameterKind::Uri) {
                let found = patterns::user_and_password(text);
                self.found.extend(found.map(|(part, kind)| Secret {
                    file,
                    node,
                    part,
                    kind,
                    holder: holder().into(),
                    in_script: false,
                    is_reported: true,
                }));
            }
        });
        for (name, other) in activity.expression().into_iter().flat_map(Expression::compared) {
            if let Some((node, text)) = other.literal_text().filter(|_| is_secret_name(name)) {
                self.add(file, node, in_value(Some(name), text));
            }
        }
        match &activity.kind {
            ActivityKind::Assign(assign) => self.assign(file, assign),
            ActivityKind::Code(code) => self.code(file, activity, code),
            _ => {}
        }
    }

    fn assign(&mut self, file: FileId, assign: &Assign<'_>) {
        let target = assign.result.get().and_then(|result| result.target()).map(|(_, name)| name);
        self.value_of_variable(file, target, &assign.body);
    }

    fn code(&mut self, file: FileId, activity: &Activity<'_>, code: &Code<'_>) {
        for parameter in code.parameters.get().into_iter().flatten() {
            let literal = parameter.value.get().and_then(|binding| binding.literal_text());
            if let Some((node, text)) = literal {
                let name = parameter.name.value();
                let holder = || name.map_or_else(|| activity.display_name(), quote);
                self.value(file, node, text, name, &holder);
            }
        }
        self.script(file, &code.script, &|| activity.display_name());
    }

    fn form(&mut self, file: FileId, form: &Form<'_>) {
        for field in &form.fields {
            for entry in field.properties().default_value.get().into_iter().flatten() {
                let Some(text) = entry.text else { continue };
                let names = [field.name.value(), field.target().map(|(_, name)| name)];
                let name = names.into_iter().flatten().find(|name| is_secret_name(name)).or(field.name.value());
                let holder = || name.map_or_else(|| "an unnamed field".to_owned(), quote);
                self.value(file, entry.node, text, name, &holder);
            }
            let field_name = || field.name.value().map_or_else(|| "an unnamed field".to_owned(), quote);
            for script in &field.details().scripts {
                self.script(file, script, &field_name);
            }
        }
    }

    fn value_of_variable(&mut self, file: FileId, name: Option<&str>, text: &Member<&str>) {
        if let Some((node, text)) = text.known()
            && !name.is_some_and(|name| self.credentials.contains(name))
        {
            let holder = || name.map_or_else(|| "an unnamed variable".to_owned(), quote);
            self.value(file, node, text, name, &holder);
        }
    }

    /// Those in all other strings, such as names and labels, which no rule reports, and no report shows.
    fn elsewhere(&mut self, service: &AnalyzedService<'_>) {
        for (file, document) in service.files.iter().filter_map(|file| Some((file.id, file.document()?.1))) {
            for node in document.nodes() {
                let Some(text) = document.string(node).filter(|text| text.len() >= MIN_BYTES) else { continue };
                if !self.seen.contains(&(file, node)) {
                    self.add(file, node, in_value(None, text));
                }
            }
        }
    }

    /// Adds parts of a string that no rule reports.
    fn add(&mut self, file: FileId, node: NodeId, found: Vec<FoundSecret>) {
        self.found.extend(found.into_iter().map(|(part, kind)| {
            let holder = Box::default();
            Secret { file, node, part, kind, holder, in_script: false, is_reported: false }
        }));
    }

    fn value(&mut self, file: FileId, node: NodeId, text: &str, name: Option<&str>, holder: &dyn Fn() -> String) {
        self.seen.insert((file, node));
        if text.len() < MIN_BYTES {
            return;
        }
        for (index, (part, kind)) in in_value(name, text).into_iter().enumerate() {
            let (holder, is_reported) = (holder().into(), index == 0);
            self.found.push(Secret { file, node, part, kind, holder, in_script: false, is_reported });
        }
    }

    fn script(&mut self, file: FileId, script: &Member<&str>, holder: &dyn Fn() -> String) {
        let Some((node, text)) = script.known().filter(|(_, text)| text.len() >= MIN_BYTES) else { return };
        self.seen.insert((file, node));
        let mut add = |part, kind, is_reported| {
            self.found.push(Secret { file, node, part, kind, holder: holder().into(), in_script: true, is_reported });
        };
        let mut end = 0;
        for (part, kind) in in_order(patterns::find(text), assigned_in_script(text)) {
            let is_reported = part.start >= end;
            end = if is_reported { part.end } else { end };
            add(part, kind, is_reported);
        }
        if end > 0 {
            for (part, kind) in assigned_beside_secrets(text) {
                add(part, kind, false);
            }
        }
    }
}

/// The secrets in the value of a name that has one, as texts.
pub fn secrets_in(name: Option<&str>, text: &str) -> impl Iterator<Item = String> {
    let found = in_value(name, text).into_iter();
    found.filter_map(move |(part, _)| Some(text.get(part)?.to_owned()))
}

/// The secrets in the value of a name that has one: all of it, if that is a name of secrets.
fn in_value(name: Option<&str>, text: &str) -> Vec<FoundSecret> {
    if name.is_some_and(|name| is_secret_name(name) && is_secret_value(text, name)) {
        return vec![(0..text.len(), SecretKind::Named)];
    }
    let mut found = in_order(patterns::find(text), assigned_in_text(text));
    if !found.is_empty() {
        found.extend(assigned_beside_secrets(text));
    }
    found
}

/// The secrets of a string, each once.
fn in_order(mut found: Vec<FoundSecret>, assigned: Vec<FoundSecret>) -> Vec<FoundSecret> {
    found.extend(assigned);
    found.sort_by_key(|(part, _)| (part.start, part.end));
    found.dedup_by(|next, first| next.0 == first.0);
    found
}
