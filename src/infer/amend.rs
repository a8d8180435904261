//! What a catalog lacks of a method that it describes, as its calls show it.

use super::method::InferredMethod;
use super::observe::Call;
use crate::catalog::{Additional, Method, Output, Parameter};
use crate::text::quote;
use crate::text::suggest::Suggester;

impl InferredMethod {
    /// The ids, parameters and outputs of calls that a catalog lacks. A name that is near a known one is a likely typo,
    /// which is listed.
    pub fn amending(known: Method, mut calls: Vec<Call>) -> Self {
        for call in &mut calls {
            call.near = None;
        }
        let mut amendment = Self::without_details(&known.name, calls);
        amendment.add_identity();
        amendment.method.method_id = amendment.method.method_id.filter(|_| known.method_id.is_none());
        amendment.method.plugin.clone_from(&known.plugin);
        let seen = Self::of(&known.name, std::mem::take(&mut amendment.calls));
        amendment.calls = seen.calls;
        amendment.known = Some(known);
        amendment.amend_parameters(seen.method.parameters, seen.method.additional);
        amendment.amend_outputs(seen.method.outputs);
        amendment
    }

    /// Whether a catalog describes it.
    pub const fn is_amendment(&self) -> bool {
        self.known.is_some()
    }

    /// The plug-in that the catalog names.
    pub fn known_plugin(&self) -> Option<&str> {
        self.known.as_ref().map(|known| known.plugin.as_str())
    }

    /// Whether there is anything that no catalog has.
    pub fn has_news(&self) -> bool {
        let Some(known) = &self.known else { return true };
        let Method { method_id, parameters, outputs, additional, .. } = &self.method;
        method_id.is_some()
            || !parameters.is_empty()
            || !outputs.is_empty()
            || !additional.is_empty()
            || known.package.is_none() && self.package().is_some()
            || known.module.is_none() && self.module().is_some()
    }

    fn amend_parameters(&mut self, mut parameters: Vec<Parameter>, mut additional: Vec<Additional>) {
        let Some(known) = &self.known else { return };
        let names: Vec<&str> = known.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let suggester = Suggester::default();
        let mut notes = Vec::new();
        let mut is_new = |name: &str| {
            if known.parameter(name).is_some() || known.additional.iter().any(|known| known.matches(name)) {
                return false;
            }
            let near = suggester.nearest(name, names.iter().copied());
            notes.extend(near.map(|near| (name.to_owned(), near.to_owned())));
            near.is_none()
        };
        parameters.retain(|parameter| is_new(&parameter.name));
        additional.retain(|additional| is_new(&additional.name));
        (self.method.parameters, self.method.additional) = (parameters, additional);
        for (name, near) in notes {
            let mut seen = self.calls.iter().flat_map(|call| call.declared.iter().chain(&call.additional));
            let place = seen.find(|seen| seen.name == name).map_or(String::new(), |seen| seen.place.clone());
            let (name, method) = (quote(&name), quote(&self.method.name));
            self.note(
                &place,
                &format!("parameter {name} of {method} is not in the catalog, but {} is: a typo?", quote(&near)),
            );
        }
    }

    fn amend_outputs(&mut self, outputs: Vec<Output>) {
        let Some(known) = self.known.clone() else { return };
        // They may be any.
        if known.has_open_outputs() || known.outputs.iter().any(|output| output.per_entry_of.is_some()) {
            return;
        }
        let names: Vec<&str> = known.outputs.iter().filter_map(|output| output.name.as_deref()).collect();
        let suggester = Suggester::default();
        for output in outputs {
            let Some(name) = output.name.as_deref().filter(|name| !names.contains(name)) else { continue };
            let Some(near) = suggester.nearest(name, names.iter().copied()) else {
                self.method.outputs.push(output);
                continue;
            };
            let call = self.calls.iter().find(|call| call.outputs.names.iter().any(|seen| seen == name));
            let place = call.map_or(String::new(), |call| call.place.clone());
            let (name, method) = (quote(name), quote(&self.method.name));
            self.note(
                &place,
                &format!("output {name} of {method} is not in the catalog, but {} is: a typo?", quote(near)),
            );
        }
    }
}
