//! Provider activities and their parameters (docs/platform.md, Provider activity).

use super::binding::Binding;
use super::reader::{Member, Reader};
use crate::document::{Document, NodeId, NodeKind};
use crate::schema::Element;

/// The array of the parameters that the method declares (docs/platform.md, Provider activity).
pub const DECLARED_PARAMETERS: &str = "providerParameters";

/// The array of the parameters beyond those that the method declares.
pub const ADDITIONAL_PARAMETERS: &str = "additionalProviderParameters";

/// The editor's copy of both arrays.
pub const ALL_PARAMETERS: &str = "allProviderParameters";

/// The members of a Provider activity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provider<'d> {
    pub method: Member<&'d str>,
    pub method_id: Member<i64>,
    pub package: Member<&'d str>,
    pub module: Member<&'d str>,
    /// `providerParameters`: those that the method declares.
    pub declared: Member<Vec<Parameter<'d>>>,
    /// `additionalProviderParameters`: those that the author added.
    pub additional: Member<Vec<Parameter<'d>>>,
    /// `allProviderParameters`: a copy of both.
    pub all: Member<Vec<Parameter<'d>>>,
    pub stop_on_error: Member<bool>,
    /// `providerResult`: the variable that receives whether the call succeeded.
    pub result: Member<Binding<'d>>,
    /// The parameters by name, equal names in the order of [`Self::parameters`].
    by_name: Vec<(&'d str, Place)>,
    /// The indices of `all`, by the name there.
    copies: Vec<u32>,
}

/// The place of a parameter: in which list, and where in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Declared(usize),
    Additional(usize),
    Copied(usize),
}

impl<'d> Provider<'d> {
    pub(super) fn read(reader: &mut Reader<'d, '_>, node: NodeId) -> Self {
        let declared = reader.list(node, DECLARED_PARAMETERS, Parameter::read);
        let additional = reader.list(node, ADDITIONAL_PARAMETERS, Parameter::read);
        let all = reader.list(node, ALL_PARAMETERS, Parameter::read);
        let mut provider = Self {
            method: reader.required_text(node, "method"),
            method_id: reader.integer(node, "methodId"),
            package: reader.text(node, "package"),
            module: reader.text(node, "module"),
            declared,
            additional,
            all,
            stop_on_error: reader.boolean(node, "stopOnError"),
            result: Binding::member(reader, node, "providerResult"),
            by_name: Vec::new(),
            copies: Vec::new(),
        };
        provider.by_name = provider.sorted_by_name();
        let mut copies: Vec<u32> =
            (0..).zip(provider.all.get().into_iter().flatten()).map(|(index, _)| index).collect();
        copies.sort_by_key(|&index| provider.name_of_copy(index));
        provider.copies = copies;
        provider
    }

    fn name_of_copy(&self, index: u32) -> Option<&'d str> {
        self.all.get()?.get(index as usize)?.name.value()
    }

    fn sorted_by_name(&self) -> Vec<(&'d str, Place)> {
        let own = |list: &Member<Vec<Parameter<'d>>>, place: fn(usize) -> Place| {
            let list = list.get().into_iter().flatten().enumerate();
            list.filter_map(move |(index, parameter)| Some((parameter.name.value()?, place(index)))).collect::<Vec<_>>()
        };
        let copied = |is_additional: bool| {
            let is_wanted =
                move |parameter: &Parameter<'_>| (parameter.is_additional.value() == Some(true)) == is_additional;
            let copied = self.copied().enumerate().filter(move |(_, parameter)| is_wanted(parameter));
            copied.filter_map(|(index, parameter)| Some((parameter.name.value()?, Place::Copied(index))))
        };
        let mut by_name = own(&self.declared, Place::Declared);
        by_name.extend(copied(false));
        by_name.extend(own(&self.additional, Place::Additional));
        by_name.extend(copied(true));
        // Stable, so that equal names stay in order.
        by_name.sort_by_key(|(name, _)| *name);
        by_name
    }

    /// The places of the parameters with a name.
    fn named<'n>(&'n self, name: &'n str) -> impl Iterator<Item = Place> + 'n {
        let first = self.by_name.partition_point(|(known, _)| *known < name);
        self.by_name.iter().skip(first).take_while(move |(known, _)| *known == name).map(|(_, place)| *place)
    }

    pub fn declared(&self) -> impl Iterator<Item = &Parameter<'d>> {
        let copied = self.copied().filter(|parameter| parameter.is_additional.value() != Some(true));
        self.declared.get().into_iter().flatten().chain(copied)
    }

    pub fn additional(&self) -> impl Iterator<Item = &Parameter<'d>> {
        let copied = self.copied().filter(|parameter| parameter.is_additional.value() == Some(true));
        self.additional.get().into_iter().flatten().chain(copied)
    }

    /// `allProviderParameters`, if it is the only source of parameters: the declared list is absent, and the
    /// additional one absent or empty.
    fn copied(&self) -> impl Iterator<Item = &Parameter<'d>> {
        let has_no_additional = self.additional.is_absent() || self.additional.get().is_some_and(Vec::is_empty);
        let is_only_source = self.declared.is_absent() && has_no_additional;
        self.all.get().into_iter().flatten().filter(move |_| is_only_source)
    }

    /// The declared parameters, then the additional ones.
    pub fn parameters(&self) -> impl Iterator<Item = &Parameter<'d>> {
        self.declared().chain(self.additional())
    }

    /// The first parameter with a name.
    pub fn parameter(&self, name: &str) -> Option<&Parameter<'d>> {
        self.at(self.named(name).next()?)
    }

    fn at(&self, place: Place) -> Option<&Parameter<'d>> {
        let (list, index) = match place {
            Place::Declared(index) => (&self.declared, index),
            Place::Additional(index) => (&self.additional, index),
            Place::Copied(index) => (&self.all, index),
        };
        list.get()?.get(index)
    }

    /// The copy of a parameter in `allProviderParameters`, if that is another object and the only one with its name.
    pub fn copy(&self, parameter: &Parameter<'d>) -> Option<&Parameter<'d>> {
        let name = parameter.name.value()?;
        let first = self.copies.partition_point(|&index| self.name_of_copy(index) < Some(name));
        let mut copies = self.copies.iter().skip(first).take_while(|&&index| self.name_of_copy(index) == Some(name));
        let index = copies.next().filter(|_| copies.next().is_none())?;
        self.all.get()?.get(*index as usize).filter(|copy| copy.node != parameter.node)
    }

    /// The parameter of the declared or the additional ones that contains a value.
    pub fn around(&self, document: &Document, node: NodeId) -> Option<&Parameter<'d>> {
        let span = document.span(node);
        [&self.declared, &self.additional].into_iter().filter_map(Member::get).find_map(|list| {
            let index = list.partition_point(|parameter| document.span(parameter.node).end < span.end);
            list.get(index).filter(|parameter| document.span(parameter.node).start <= span.start)
        })
    }

    /// Whether several parameters have one name.
    pub fn repeats_names(&self) -> bool {
        self.by_name.iter().zip(self.by_name.iter().skip(1)).any(|((name, _), (next, _))| name == next)
    }

    /// Whether parameters with this name have different values: which one counts is not documented.
    pub fn is_ambiguous(&self, name: &str) -> bool {
        let mut values = self.named(name).map(|place| self.at(place).and_then(|parameter| parameter.value.get()));
        let first = values.next().flatten();
        values.any(|value| first.zip(value).is_none_or(|(first, value)| !first.has_value_of(value)))
    }

    /// Whether all names can be read, so that a parameter that is not found is certainly absent. An entry without a name
    /// does not count.
    pub fn lists_are_known(&self) -> bool {
        !self.declared.is_unknown()
            && !self.additional.is_unknown()
            && self.parameters().all(|parameter| !parameter.name.is_unknown())
    }

    /// Whether a failing call ends the workflow: `stopOnError`, or true if it is missing (docs/assumptions.md, A25:
    /// it is true in all activities shown).
    pub fn stops_on_error(&self) -> bool {
        self.stop_on_error.value() != Some(false)
    }
}

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

    /// Whether it certainly has no value.
    pub fn is_empty(&self) -> bool {
        match &self.value {
            Member::Absent => true,
            Member::Unknown(_) => false,
            Member::Known(_, binding) => binding.is_empty(),
        }
    }
}
