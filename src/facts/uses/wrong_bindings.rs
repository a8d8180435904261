//! Fields that are bound to the wrong variable: another one was most likely meant, which nothing writes.

use std::cmp::Reverse;

use crate::common::collections::{HashMap, HashSet};
use crate::document::NodeId;
use crate::facts::place::Place;
use crate::facts::service::AnalyzedService;
use crate::facts::uses::unwritten::{PropertyLookups, Unwritten};
use crate::graph::Scope;
use crate::model::{FILE_TYPE, Field, FieldType, STRING_TYPE};
use crate::project::FormDocument;
use crate::text::diagnostic::FileId;

/// Pairs of a field and a variable that are compared.
const MAX_PAIRS: usize = 10_000;

/// The variable that was meant.
#[derive(Debug, Clone)]
pub struct Meant {
    pub name: String,
    is_file: bool,
    /// Its first read; `None` if nothing uses it.
    pub read: Option<Place>,
    /// Whether no other variable, or field, fits as well.
    pub is_certain: bool,
}

/// The fields of one form that are bound to the wrong variable, by their `boundTo`.
pub type WrongBindings = HashMap<NodeId, Meant>;

/// What a field needs, if the type of its variable is another one; with advice. A readonly field may show a file.
fn expected_type(field: &Field<'_>, variable_type: &str) -> Option<(&'static str, &'static str)> {
    match field.field_type {
        // Any other type is that of WF113.
        FieldType::InputFile if variable_type == STRING_TYPE => {
            Some(("`File` variable", "bind the field to a `File` variable"))
        }
        FieldType::InputText | FieldType::DropDown | FieldType::FormSection
            if variable_type == FILE_TYPE && !field.readonly.is_true() =>
        {
            Some(("non-`File` variable", "use an InputFile field, or bind the field to another variable"))
        }
        _ => None,
    }
}

/// Whether a variable of a type fits a field.
pub fn fits_type(field: &Field<'_>, variable_type: &str) -> bool {
    expected_type(field, variable_type).is_none()
}

/// The type of a field's variable, and what the field needs instead of it.
pub fn mismatch<'a>(field: &Field<'a>, scope: &Scope<'a>) -> Option<(&'a str, (&'static str, &'static str))> {
    let (_, name) = field.target()?;
    let declared = &scope.declarations;
    let variable_type = declared.type_of(name).or_else(|| declared.own_type(name))?;
    Some((variable_type, expected_type(field, variable_type)?))
}

/// The fields of all forms that are bound to the wrong variable.
pub fn wrong_bindings(
    service: &AnalyzedService<'_>,
    unwritten: &[Unwritten<'_>],
    lookups: &PropertyLookups<'_>,
) -> HashMap<FileId, WrongBindings> {
    let forms: Vec<_> = service.forms().map(|(form, scope)| (form, suspects(form, scope))).collect();
    if forms.iter().all(|(_, suspects)| suspects.is_empty()) {
        return HashMap::default();
    }
    let mut candidates = candidates(service, unwritten, lookups);
    let mut found = HashMap::default();
    for (form, suspects) in forms.into_iter().filter(|(_, suspects)| !suspects.is_empty()) {
        if suspects.len().saturating_mul(candidates.len()) <= MAX_PAIRS {
            found.insert(form.file, assign(service, suspects, &mut candidates));
        }
    }
    found
}

/// The fields whose variable does not fit them, or that share it with another field.
fn suspects<'f, 'a>(form: &FormDocument<'a>, scope: &Scope<'a>) -> Vec<Suspect<'f, 'a>>
where
    'a: 'f,
{
    let mut found: Vec<Suspect<'_, '_>> = Vec::new();
    let mut by_variable: HashMap<&str, Vec<Suspect<'_, '_>>> = HashMap::default();
    for field in &form.form.fields {
        let Some((node, variable)) = field.target() else { continue };
        let suspect = Suspect { field, node, variable, is_surplus: true };
        if mismatch(field, scope).is_some() {
            found.push(suspect);
        } else {
            by_variable.entry(variable).or_default().push(suspect);
        }
    }
    for mut sharing in by_variable.into_values().filter(|sharing| sharing.len() > 1) {
        // One field has the variable rightly.
        let owner = (0..sharing.len()).max_by_key(|&index| {
            let likeness = sharing.get(index).map(|suspect| likeness(suspect.name(), suspect.variable));
            (likeness, Reverse(index))
        });
        if let Some(owner) = owner.and_then(|owner| sharing.get_mut(owner)) {
            owner.is_surplus = false;
        }
        found.extend(sharing);
    }
    found.sort_by_key(|suspect| suspect.node);
    found
}

struct Suspect<'f, 'a> {
    field: &'f Field<'a>,
    /// `boundTo`
    node: NodeId,
    variable: &'a str,
    /// Whether it certainly has the wrong variable.
    is_surplus: bool,
}

impl<'a> Suspect<'_, 'a> {
    fn name(&self) -> &'a str {
        self.field.name.value().unwrap_or_default()
    }

    fn may_have(&self, meant: &Meant) -> bool {
        match self.field.field_type {
            FieldType::InputFile => meant.is_file,
            FieldType::InputText | FieldType::DropDown => !meant.is_file,
            _ => true,
        }
    }
}

/// The declared variables that are read and never written, or that nothing uses.
fn candidates(service: &AnalyzedService<'_>, unwritten: &[Unwritten<'_>], lookups: &PropertyLookups<'_>) -> Vec<Meant> {
    let mut found = Vec::new();
    let mut known: HashSet<String> = HashSet::default();
    for unwritten in unwritten {
        let (analysis, name) = (unwritten.analysis, unwritten.name());
        let declarations = &analysis.scope.declarations;
        let is_mistyped = analysis.mistyped.iter().any(|mistyped| mistyped.variable == unwritten.variable);
        // Other rules know a better reason why nothing writes it.
        if declarations.variable(name).is_some() && !is_mistyped && lookups.unrequested(analysis.file, name).is_none() {
            let read = unwritten.reads.first().map(|read| Place::of_read(analysis.file, read));
            known.insert(name.to_owned());
            let is_file = declarations.type_of(name) == Some(FILE_TYPE);
            found.push(Meant { name: name.to_owned(), is_file, read, is_certain: true });
        }
    }
    for (_, variables) in service.variable_lists() {
        for variable in variables {
            let Some(name) = variable.name.value() else { continue };
            let is_used = service.usage.is_read(name) || service.usage.is_written(name);
            if !is_used && !service.is_system(name) && known.insert(name.to_owned()) {
                let is_file = variable.variable_type.value() == Some(FILE_TYPE);
                found.push(Meant { name: name.to_owned(), is_file, read: None, is_certain: true });
            }
        }
    }
    found
}

/// Gives each field the variable that is most like it, and takes that from the candidates. A single field without one gets
/// the single variable that is left.
fn assign(
    service: &AnalyzedService<'_>,
    mut suspects: Vec<Suspect<'_, '_>>,
    candidates: &mut Vec<Meant>,
) -> WrongBindings {
    let mut found = WrongBindings::default();
    let alike = |suspect: &Suspect<'_, '_>, meant: &Meant| {
        let near = || service.suggester.nearest(suspect.name(), [meant.name.as_str()]).map(|_| Likeness::Near);
        let like = likeness(suspect.name(), &meant.name).max(near());
        let is_better = like > likeness(suspect.name(), suspect.variable);
        // A variable that nothing uses may be left over: only its name can show that it was meant.
        let is_enough = meant.read.is_some() || like == Some(Likeness::Same);
        like.filter(|_| is_better && is_enough && suspect.may_have(meant))
    };
    let rivals = rivals(&suspects, candidates, &alike);
    loop {
        let pairs = suspects.iter().enumerate().flat_map(|(suspect, at)| {
            candidates.iter().enumerate().filter_map(move |(meant, to)| Some((alike(at, to)?, suspect, meant)))
        });
        let best = pairs.max_by_key(|&(like, suspect, meant)| (like, Reverse((suspect, meant))));
        let Some((_, suspect, meant)) = best else { break };
        let (suspect, mut meant) = (suspects.remove(suspect), candidates.remove(meant));
        meant.is_certain = !rivals.contains(&suspect.node);
        found.insert(suspect.node, meant);
    }
    suspects.retain(|suspect| suspect.is_surplus && !suspect.field.readonly.is_true());
    if let [suspect] = suspects.as_slice() {
        let mut fitting = (0..candidates.len()).filter(|&index| {
            candidates.get(index).is_some_and(|meant| meant.read.is_some() && suspect.may_have(meant))
        });
        if let (Some(meant), None) = (fitting.next(), fitting.next()) {
            let mut meant = candidates.remove(meant);
            // What is left over after a guess is one, too.
            meant.is_certain = rivals.is_empty();
            found.insert(suspect.node, meant);
        }
    }
    found
}

/// The fields for which several variables fit equally well, or whose variable fits another field as well.
fn rivals(
    suspects: &[Suspect<'_, '_>],
    candidates: &[Meant],
    alike: &impl Fn(&Suspect<'_, '_>, &Meant) -> Option<Likeness>,
) -> HashSet<NodeId> {
    let mut rivals = HashSet::default();
    let likes: Vec<(NodeId, usize, Likeness)> = suspects
        .iter()
        .flat_map(|suspect| {
            let of_suspect = candidates.iter().enumerate().filter_map(|(at, to)| Some((at, alike(suspect, to)?)));
            of_suspect.map(|(at, like)| (suspect.node, at, like))
        })
        .collect();
    let mut best: HashMap<NodeId, Likeness> = HashMap::default();
    for &(suspect, _, like) in &likes {
        let known = best.entry(suspect).or_insert(like);
        *known = like.max(*known);
    }
    // By field and by variable, who is as good as the best.
    let (mut by_field, mut by_variable) = (HashMap::default(), HashMap::default());
    for &(suspect, candidate, like) in likes.iter().filter(|(suspect, _, like)| best.get(suspect) == Some(like)) {
        let others = [by_field.insert(suspect, suspect), by_variable.insert((candidate, like), suspect)];
        rivals.extend(others.iter().flatten().flat_map(|&other| [other, suspect]));
    }
    rivals
}

/// How a field's name resembles that of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Likeness {
    Contained,
    Near,
    Same,
}

/// Without spelling mistakes.
fn likeness(field: &str, variable: &str) -> Option<Likeness> {
    const MIN_CONTAINED: usize = 3;
    let (field, variable) = (field.to_lowercase(), variable.to_lowercase());
    let is_part = |a: &str, b: &str| a.len() >= MIN_CONTAINED && b.contains(a);
    if field == variable {
        Some(Likeness::Same)
    } else {
        (is_part(&field, &variable) || is_part(&variable, &field)).then_some(Likeness::Contained)
    }
}
