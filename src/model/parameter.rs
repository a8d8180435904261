//! Parameters of provider activities (docs/platform.md, Provider parameter).

use super::binding::Binding;
use super::reader::{Member, Reader};
use crate::document::{Document, NodeId, NodeKind};
use crate::schema::Element;

/// One parameter of a provider activity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter<'d> {
    pub node: NodeId,
    /// 0 for an additional parameter.
    pub id: Member<i64>,
    pub name: Member<&'d str>,
    /// `providerParameterType`
    pub value_type: Member<&'d str>,
    pub required: Member<bool>,
    pub value: Member<Binding<'d>>,
    pub is_additional: Member<bool>,
    /// Saved by the editor.
    pub has_value: Member<bool>,
    /// Saved by the editor.
    pub needs_value: Member<bool>,
    /// Saved by the editor.
    pub is_duplicate: Member<bool>,
    /// Saved by the editor.
    pub is_valid: Member<bool>,
}

impl<'d> Parameter<'d> {
    pub(super) fn read(reader: &mut Reader<'d, '_>, node: NodeId) -> Self {
        reader.enter(Element::Parameter, node);
        let is_object = reader.lowering.document.kind(node) == NodeKind::Object;
        Self {
            node,
            id: reader.integer(node, "id"),
            name: if is_object { reader.text(node, "name") } else { Member::Unknown(node) },
            value_type: reader.text(node, "providerParameterType"),
            required: reader.boolean(node, "required"),
            value: Binding::member(reader, node, "value"),
            is_additional: reader.boolean(node, "isAdditional"),
            has_value: reader.boolean(node, "hasValue"),
            needs_value: reader.boolean(node, "needsValue"),
            is_duplicate: reader.boolean(node, "isDuplicate"),
            is_valid: reader.boolean(node, "isValid"),
        }
    }

    /// The parameter in an object with exactly the same text. What is inside both has the same order in the arena.
    pub(super) fn copied(&self, document: &Document, node: NodeId) -> Option<Self> {
        let is_object = document.kind(node) == NodeKind::Object;
        if !is_object || document.slice(document.span(node)) != document.slice(document.span(self.node)) {
            return None;
        }
        let [first, own] = [document.children(node).next()?, document.children(self.node).next()?];
        let by = first.after(own);
        Some(Self {
            node,
            id: self.id.moved(by),
            name: self.name.moved(by),
            value_type: self.value_type.moved(by),
            required: self.required.moved(by),
            value: self.value.moved(by).map(|_, binding| binding.moved(by)),
            is_additional: self.is_additional.moved(by),
            has_value: self.has_value.moved(by),
            needs_value: self.needs_value.moved(by),
            is_duplicate: self.is_duplicate.moved(by),
            is_valid: self.is_valid.moved(by),
        })
    }

    /// Whether it certainly has no value.
    pub fn is_empty(&self) -> bool {
        match &self.value {
            Member::Absent => true,
            Member::Unknown(_) => false,
            Member::Known(_, binding) => binding.is_empty(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Types;
    use crate::document::Limits;
    use crate::model::lowering::Lowering;
    use crate::model::provider::{ALL_PARAMETERS, Provider};
    use crate::suggest::Suggester;

    /// Reads a provider activity, and its copies of parameters as if they were none.
    fn read(activity: &str) -> (Member<usize>, bool) {
        let document = Document::parse(activity, Limits::default()).unwrap();
        let (types, suggester) = (Types::default(), Suggester::default());
        let mut reader = Reader::new(Lowering { document: &document, types: &types, suggester: &suggester });
        let provider = Provider::read(&mut reader, document.root());
        let unknown = reader.unknown.len();
        let copies = reader.list(document.root(), ALL_PARAMETERS, Parameter::read);
        let of_copies = reader.unknown.len() - unknown;
        let is_same =
            provider.all == copies && reader.unknown.get(unknown - of_copies..unknown) == reader.unknown.get(unknown..);
        (copies.map(|_, copies| copies.len()), is_same)
    }

    #[test]
    fn a_copy_is_what_reading_it_gives() {
        const PARAMETERS: [&str; 7] = [
            r#"{ "id": 1, "name": "a\n\"b", "required": true, "value": { "state": "static", "value": "x\ty" } }"#,
            r#"{ "name": 7, "value": { "state": "bound", "boundTo": "B", "boundToId": 3 }, "name": "c", "id": [[], 1] }"#,
            r#"{ "value": [{ "state": "bound" }], "isValid": "no", "providerParameterType": null, "hasValue": false }"#,
            "{}",
            "[1]",
            r#"{ "name": "d", "isAdditional": true, "needsValue": true, "value": { "isBound": false, "value": {} } }"#,
            r#"{ "nmae": "e", "value": { "isBond": true, "boundTo": "B" } }"#,
        ];
        for number in [PARAMETERS.len(), PARAMETERS.len() - 1] {
            let parameters = &PARAMETERS[..number];
            let (declared, additional) = parameters.split_at(4);
            let reversed: Vec<&str> = parameters.iter().rev().copied().collect();
            for all in [parameters, reversed.as_slice()] {
                let lists = [
                    ("providerParameters", declared),
                    ("additionalProviderParameters", additional),
                    (ALL_PARAMETERS, all),
                ];
                let mut lists = lists.map(|(key, list)| format!(r#""{key}": [{}]"#, list.join(", ")));
                for _ in 0..lists.len() {
                    // The copies may come first.
                    lists.rotate_left(1);
                    let activity = format!("{{ {} }}", lists.join(", "));
                    let (copies, is_same) = read(&activity);
                    assert_eq!((copies.value(), is_same), (Some(number), true), "{activity}");
                }
            }
        }
    }
}
