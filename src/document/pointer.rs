//! RFC 6901 JSON Pointers, from a node and to one.

use super::arena::Document;
use super::node::{NodeId, NodeKind};

impl Document {
    /// The pointer of a value; empty for the root.
    pub fn pointer(&self, id: NodeId) -> String {
        let mut steps = Vec::new();
        let mut at = id;
        while let Some(parent) = self.parent(at) {
            steps.push(match self.key(at) {
                Some(name) => escape_step(name),
                None => (at.index() - self.node(parent).start as usize).to_string(),
            });
            at = parent;
        }
        let mut pointer = String::new();
        for step in steps.iter().rev() {
            pointer.push('/');
            pointer.push_str(step);
        }
        pointer
    }

    /// The value that a pointer names.
    pub fn resolve(&self, pointer: &str) -> Option<NodeId> {
        if pointer.is_empty() {
            return Some(self.root());
        }
        pointer.strip_prefix('/')?.split('/').try_fold(self.root(), |at, step| self.resolve_step(at, step))
    }

    /// The value that one step of a pointer names, inside an object or array.
    pub(crate) fn resolve_step(&self, container: NodeId, step: &str) -> Option<NodeId> {
        match self.kind(container) {
            NodeKind::Object => self.member(container, &unescape_step(step)),
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
}
