//! RFC 6901 JSON Pointers, from a node and to one.

use super::arena::Document;
use super::node::{NodeId, NodeKind};

impl Document {
    /// The pointer of a value in the file.
    pub fn pointer(&self, id: NodeId) -> String {
        let mut steps = Vec::new();
        let mut at = id;
        while let Some(parent) = self.outer_parent(at) {
            steps.push(match self.outer_key(at) {
                Some(name) => escape_step(name),
                None => (at.index() - self.node(parent).start as usize).to_string(),
            });
            at = parent;
        }
        let mut pointer = String::with_capacity(steps.iter().map(|step| step.len() + 1).sum());
        for step in steps.iter().rev() {
            pointer.push('/');
            pointer.push_str(step);
        }
        pointer
    }

    /// The value that a pointer names in the file.
    pub fn resolve(&self, pointer: &str) -> Option<NodeId> {
        if pointer.is_empty() {
            return Some(self.outermost());
        }
        pointer.strip_prefix('/')?.split('/').try_fold(self.outermost(), |at, step| self.resolve_step(at, step))
    }

    /// The value that one step of a pointer names, inside an object or array.
    pub(crate) fn resolve_step(&self, container: NodeId, step: &str) -> Option<NodeId> {
        match self.kind(container) {
            NodeKind::Object => {
                let key = unescape_step(step);
                // A key that is compared without case is found as the schema spells it; here also as it is written.
                let as_written = || self.children(container).rfind(|&member| self.key(member) == Some(key.as_str()));
                self.member(container, &key).or_else(|| self.ignores_case.then(as_written)?)
            }
            NodeKind::Array => self.element(container, step),
            _ => None,
        }
    }

    fn element(&self, array: NodeId, step: &str) -> Option<NodeId> {
        let canonical = step == "0" || !step.starts_with('0') && step.bytes().all(|byte| byte.is_ascii_digit());
        let index: usize = canonical.then(|| step.parse().ok())??;
        self.nth_child(array, index)
    }
}

/// Whether a string is a JSON Pointer (RFC 6901, section 3).
pub fn is_pointer(text: &str) -> bool {
    let is_escape = |(at, _): (usize, &str)| text.get(at + 1..).is_some_and(|rest| rest.starts_with(['0', '1']));
    (text.is_empty() || text.starts_with('/')) && text.match_indices('~').all(is_escape)
}

/// A member name as one step of a pointer (RFC 6901, section 3).
pub fn escape_step(name: &str) -> String {
    // `~` first: the second replacement writes `~` itself.
    name.replace('~', "~0").replace('/', "~1")
}

fn unescape_step(step: &str) -> String {
    // In the opposite order, so that `~01` becomes `~1` and not `/`.
    step.replace("~1", "/").replace("~0", "~")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Limits;

    #[test]
    fn pointers_lead_back_to_their_values() {
        let json = r#"{"a/b": [1, {"m~n": {"": true}}], "c": null}"#;
        let document = Document::parse(json, Limits::default()).unwrap();
        for pointer in ["", "/a~1b", "/a~1b/0", "/a~1b/1/m~0n", "/a~1b/1/m~0n/", "/c"] {
            let node = document.resolve(pointer).unwrap();
            assert_eq!(document.pointer(node), pointer);
        }
        for wrong in ["a", "/a", "/a~1b/2", "/a~1b/01", "/a~1b/-1", "/c/0"] {
            assert_eq!(document.resolve(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn pointers_of_an_inner_document_are_those_of_the_file() {
        let json = r#"{"x": 1, "x": 2, "a": [{"b": {"c": 1, "c": 2}}, {"d": 1, "d": 1}]}"#;
        let document = Document::parse(json, Limits::default()).unwrap();
        let root = document.resolve("/a/0").unwrap();
        let document = document.with_root(root);
        let inner = document.member(document.root(), "b").unwrap();
        assert_eq!(document.pointer(inner), "/a/0/b");
        assert_eq!(document.resolve("/a/0/b"), Some(inner));
        assert_eq!((document.parent(inner), document.parent(root)), (Some(root), None));
        assert_eq!((document.key(inner), document.key(root), document.duplicates().len()), (Some("b"), None, 1));
        let document = Document::parse(r#"{"a": 1, "a": {"b": 1}, "c": 1}"#, Limits::default()).unwrap();
        let root = document.resolve("/a").unwrap();
        let document = document.with_root(root);
        assert_eq!((document.duplicates().len(), document.key(root)), (1, None), "the one that hides another document");
    }

    #[test]
    fn invalid_pointers_are_distinguished() {
        for valid in ["", "/", "/a/0", "/~0/~1~01", "/é /"] {
            assert!(is_pointer(valid), "{valid}");
        }
        for invalid in ["a", "#/a", "/~", "/~2", "~0", " "] {
            assert!(!is_pointer(invalid), "{invalid}");
        }
    }
}
