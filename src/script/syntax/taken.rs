//! The properties that a destructuring takes from an object: `const { eval: run } = globalThis`.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    AssignmentTarget, AssignmentTargetProperty, BindingPatternKind, BindingProperty, IdentifierReference,
    VariableDeclarator,
};
use oxc_span::{GetSpan, Span};

use super::global_object::static_name;
use super::tree::Tree;

/// The properties of a pattern among which each call looks for its function.
const MAX_PROPERTIES: usize = 1_000;

/// The keys of an object pattern that declares variables.
pub(super) fn taken_keys(declarator: &VariableDeclarator<'_>) -> Vec<(String, Span)> {
    let name = |property: &BindingProperty<'_>| Some((static_name(&property.key)?, property.key.span()));
    properties(declarator).iter().filter_map(name).collect()
}

/// The keys of an object pattern that assigns, without those that are themselves the variables.
pub(super) fn assigned_keys(target: &AssignmentTarget<'_>) -> Vec<(String, Span)> {
    let AssignmentTarget::ObjectAssignmentTarget(pattern) = target else { return Vec::new() };
    let name = |property: &AssignmentTargetProperty<'_>| match property {
        AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(_) => None,
        AssignmentTargetProperty::AssignmentTargetPropertyProperty(property) => {
            Some((static_name(&property.name)?, property.name.span()))
        }
    };
    pattern.properties.iter().filter_map(name).collect()
}

fn properties<'t, 'a>(declarator: &'t VariableDeclarator<'a>) -> &'t [BindingProperty<'a>] {
    match &declarator.id.kind {
        BindingPatternKind::ObjectPattern(pattern) => &pattern.properties,
        _ => &[],
    }
}

impl<'t, 'a: 't> Tree<'t, 'a> {
    /// The global whose value a variable is declared with, by destructuring the global object.
    pub fn taken_global(&self, identifier: &IdentifierReference<'a>) -> Option<&'static str> {
        const KNOWN: [&str; 5] = ["Function", "setTimeout", "setInterval", "setImmediate", "execScript"];
        let symbol = self.symbol(identifier)?;
        let AstKind::VariableDeclarator(declarator) =
            self.semantic.nodes().kind(self.scoping().symbol_declaration(symbol))
        else {
            return None;
        };
        declarator.init.as_ref().filter(|value| self.is_global_object(value))?;
        let is_declared = |property: &&BindingProperty<'a>| {
            let name = property.value.get_binding_identifier();
            name.is_some_and(|name| name.symbol_id.get() == Some(symbol))
        };
        let key = static_name(&properties(declarator).iter().take(MAX_PROPERTIES).find(is_declared)?.key)?;
        KNOWN.into_iter().find(|known| *known == key)
    }
}
