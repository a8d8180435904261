//! Identities of findings that survive edits elsewhere in the document: the rule, the file, the names
//! of the activities, fields, parameters or variables around the finding, and the key.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use siphasher::sip::SipHasher13;

use crate::common::collections::HashMap;
use crate::document::{Document, NodeId, NodeKind};
use crate::project::File;
use crate::text::diagnostic::{Diagnostic, FileId};
use crate::text::truncate;

/// Several findings may share one, so they are counted. There may be very many, so they share what is equal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity {
    pub place: Arc<NamedPlace>,
    /// The value inside the innermost of them, as a JSON Pointer without its first `/`.
    pub member: Box<str>,
    /// The code of the rule.
    pub rule: Cow<'static, str>,
}

/// A file, and the names around something in it.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NamedPlace {
    /// Relative to a folder that the caller chooses.
    pub file: Arc<str>,
    /// Outermost first; the second of equal siblings is `name#2`, and a `#` of a name is doubled.
    pub around: Arc<[String]>,
}

impl Identity {
    /// A hash that is the same on every machine and in every version.
    pub fn fingerprint(&self) -> u64 {
        // JSON separates the parts whatever characters they have.
        let parts = serde_json::json!([self.rule, *self.place.file, *self.place.around, self.member]);
        SipHasher13::new().hash(parts.to_string().as_bytes())
    }

    /// A hash that is quicker to compute, and the same in every run.
    pub fn short_hash(&self) -> u64 {
        let mut hasher = SipHasher13::new();
        self.hash(&mut hasher);
        hasher.finish()
    }
}

/// How many findings have each identity.
pub type Counts = BTreeMap<Identity, usize>;

/// Computes the identities of one service's findings.
pub struct Identifier<'f> {
    files: HashMap<FileId, &'f File>,
    /// By array: which of its equally named siblings each element is, from 1.
    ordinals: HashMap<(FileId, NodeId), Vec<u32>>,
}

/// A value, with the names around it and its key as in [`Identity`].
#[derive(Debug, Clone)]
struct Container {
    node: NodeId,
    around: Arc<[String]>,
    member: String,
}

impl<'f> Identifier<'f> {
    pub fn new(files: &[&'f File]) -> Self {
        let files = files.iter().map(|file| (file.id, *file)).collect();
        Self { files, ordinals: HashMap::default() }
    }

    /// The identity of a finding, whose file is to be called `file`.
    pub fn identify(&mut self, diagnostic: &Diagnostic, file: Arc<str>) -> Identity {
        let location = &diagnostic.location;
        let document = self.files.get(&location.file).copied().and_then(File::document).map(|(_, document)| document);
        let found = document.and_then(|document| self.around_and_member(document, location.file, &location.pointer));
        let (around, member) = found.unwrap_or_default();
        let place = Arc::new(NamedPlace { file, around });
        Identity { place, member: member.into_boxed_str(), rule: Cow::Borrowed(diagnostic.code) }
    }

    /// The parts of the identity that depend on the place.
    fn around_and_member(
        &mut self,
        document: &Document,
        file: FileId,
        pointer: &str,
    ) -> Option<(Arc<[String]>, String)> {
        let Some((before, last)) = pointer.rsplit_once('/') else { return Some(Default::default()) };
        let container = self.place(document, file, before)?;
        if document.kind(container.node) == NodeKind::Object {
            // The last step into an object needs no lookup, which is linear in the number of its keys.
            return Some((container.around, join(&container.member, last)));
        }
        let place = self.step(document, file, container, last)?;
        Some((place.around, place.member))
    }

    /// The value at a pointer.
    fn place(&mut self, document: &Document, file: FileId, pointer: &str) -> Option<Container> {
        let outermost = Container { node: document.outermost(), around: Arc::default(), member: String::new() };
        pointer.split('/').skip(1).try_fold(outermost, |container, step| self.step(document, file, container, step))
    }

    /// One step into a container. The name of an element replaces the keys on the path to it. An element
    /// without a name is not distinguished from its siblings: its index would change with edits of the
    /// array.
    fn step(&mut self, document: &Document, file: FileId, from: Container, step: &str) -> Option<Container> {
        let node = document.resolve_step(from.node, step)?;
        if document.kind(from.node) == NodeKind::Object {
            let member = join(&from.member, step);
            return Some(Container { node, member, ..from });
        }
        let Some(name) = name_of(document, node) else { return Some(Container { node, ..from }) };
        let ordinals = self.ordinals.entry((file, from.node)).or_insert_with(|| ordinals(document, from.node));
        let index: usize = step.parse().ok()?;
        let name = shortened(name).replace('#', "##");
        let name = match ordinals.get(index) {
            Some(&ordinal) if ordinal > 1 => format!("{name}#{ordinal}"),
            _ => name,
        };
        let around = from.around.iter().cloned().chain([name]).collect();
        Some(Container { node, around, member: String::new() })
    }
}

fn join(member: &str, step: &str) -> String {
    if member.is_empty() { step.to_owned() } else { format!("{member}/{step}") }
}

/// The name of an element: of an activity, a field, a parameter, a variable, a party.
fn name_of(document: &Document, element: NodeId) -> Option<&str> {
    ["name", "Name"].iter().find_map(|member| document.string(document.member(element, member)?))
}

/// A name, or the beginning and the hash of a very long one, which each finding inside would repeat.
fn shortened(name: &str) -> Cow<'_, str> {
    const MAX: usize = 200;
    match truncate(name, MAX) {
        Cow::Borrowed(name) => Cow::Borrowed(name),
        Cow::Owned(cut) => Cow::Owned(format!("{cut}{:016x}", SipHasher13::new().hash(name.as_bytes()))),
    }
}

/// For each element of an array, how many up to and including it have its name; 0 without a name.
fn ordinals(document: &Document, array: NodeId) -> Vec<u32> {
    let mut seen: HashMap<&str, u32> = HashMap::default();
    let count = |element| {
        let Some(name) = name_of(document, element) else { return 0 };
        let number = seen.entry(name).or_default();
        *number += 1;
        *number
    };
    document.elements(array).map(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Limits;

    fn identify(json: &str, pointer: &str) -> (Vec<String>, String) {
        let document = Document::parse(json, Limits::default()).unwrap();
        let (around, member) = Identifier::new(&[]).around_and_member(&document, FileId(0), pointer).unwrap();
        (around.to_vec(), member)
    }

    const WORKFLOW: &str = r#"{"activities": [
        {"name": "Ask", "type": "Approval", "activities": [{"name": "Yes", "type": "Event"}]},
        {"name": "Ask", "providerParameters": [{"name": "a/b", "value": {"boundToId": 1}}]},
        {"name": "No#2", "assignees": [{"parameter": {}}, {"parameter": {}}]}
    ], "variables": []}"#;

    fn expected(around: &[&str], member: &str) -> (Vec<String>, String) {
        (around.iter().map(|&name| name.to_owned()).collect(), member.to_owned())
    }

    #[test]
    fn elements_are_identified_by_name() {
        assert_eq!(identify(WORKFLOW, ""), expected(&[], ""));
        assert_eq!(identify(WORKFLOW, "/variables"), expected(&[], "variables"));
        assert_eq!(identify(WORKFLOW, "/activities/0/activities/0"), expected(&["Ask", "Yes"], ""));
        assert_eq!(identify(WORKFLOW, "/activities/0/activities/0/type"), expected(&["Ask", "Yes"], "type"));
    }

    #[test]
    fn equal_siblings_are_numbered() {
        let value = identify(WORKFLOW, "/activities/1/providerParameters/0/value/boundToId");
        assert_eq!(value, expected(&["Ask#2", "a/b"], "value/boundToId"));
        assert_eq!(identify(WORKFLOW, "/activities/2/name"), expected(&["No##2"], "name"), "not the second `No`");
    }

    #[test]
    fn very_long_names_are_shortened_and_differ() {
        let name = |last: &str| format!("{}{last}", "a".repeat(100_000));
        let around = |name: &str| identify(&format!(r#"[{{ "name": "{name}", "x": 1 }}]"#), "/0/x").0;
        let (one, other) = (around(&name("b")), around(&name("c")));
        assert_ne!(one, other);
        assert!(one.concat().len() < 250, "{one:?}");
        assert_eq!(around("short"), ["short"]);
    }

    #[test]
    fn fingerprint_is_that_of_earlier_versions() {
        let place = |around: &[&str]| NamedPlace {
            file: "a.json".into(),
            around: around.iter().map(|&name| name.to_owned()).collect(),
        };
        let identity = |around: &[&str], member: &str| Identity {
            place: place(around).into(),
            member: member.into(),
            rule: "WF101".into(),
        };
        assert_eq!(format!("{:016x}", identity(&["Ask", "Id"], "value").fingerprint()), "7122723dbc588494");
        assert_ne!(identity(&["a", "b"], "c").fingerprint(), identity(&["a"], "b/c").fingerprint());
        assert_ne!(identity(&["a\",\"b"], "").fingerprint(), identity(&["a", "b"], "").fingerprint());
    }

    #[test]
    fn elements_without_a_name_are_identified_by_their_array() {
        assert_eq!(
            identify(WORKFLOW, "/activities/2/assignees/1/parameter"),
            expected(&["No##2"], "assignees/parameter")
        );
        assert_eq!(identify(WORKFLOW, "/activities/2/assignees/0"), expected(&["No##2"], "assignees"));
    }
}
