//! Where a script uses the global object (`this` outside of methods, `globalThis`, and variables that hold it), and the
//! functions that compile a string.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    AssignmentTarget, AssignmentTargetProperty, BindingPatternKind, BindingProperty, Expression, Function,
    FunctionType, IdentifierReference, MemberExpression, PropertyKey, UnaryExpression, VariableDeclarator,
};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::UnaryOperator;

use super::built_ins::is_built_in;
use super::tree::{Tree, Write};

/// The names of the global object, besides `this`.
pub(super) const GLOBAL_OBJECT: [&str; 4] = ["globalThis", "window", "self", "global"];

/// Variables that are set from each other are followed so far.
const MAX_STEPS: usize = 8;

/// The properties of a pattern among which each call looks for its function.
const MAX_PROPERTIES: usize = 1_000;

/// Global objects that cannot be called, though their names look like those of constructors.
const NAMESPACES: [&str; 7] = ["Atomics", "Infinity", "Intl", "JSON", "Math", "NaN", "Reflect"];

/// Built-in names in lower case of other values than functions.
const NO_FUNCTIONS: [&str; 4] = ["__proto__", "arguments", "globalThis", "undefined"];

/// The use of the global object at one place.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum GlobalUse {
    /// Only members whose names are in the script, which may be none.
    Members(Vec<String>),
    /// A member whose name is computed is read.
    ReadsAny,
    /// A member whose name is computed is set.
    WritesAny,
    /// It becomes a value, so that its members may be used elsewhere.
    Escapes,
}

impl<'t, 'a: 't> Tree<'t, 'a> {
    /// Whether `this` at a node may be the global object: it is not in a method, a class, or a function that is only
    /// called with `new`.
    pub fn is_global_this(&self, node: NodeId) -> bool {
        let nodes = self.semantic.nodes();
        let own = nodes.kind(node).span();
        for id in nodes.ancestor_ids(node) {
            match nodes.kind(id) {
                AstKind::StaticBlock(_) => return false,
                AstKind::PropertyDefinition(field) if !field.key.span().contains_inclusive(own) => return false,
                AstKind::AccessorProperty(field) if !field.key.span().contains_inclusive(own) => return false,
                AstKind::Function(function) => return self.may_have_global_this(id, function),
                _ => {}
            }
        }
        true
    }

    fn may_have_global_this(&self, id: NodeId, function: &Function<'a>) -> bool {
        let nodes = self.semantic.nodes();
        let is_strict = function.scope_id.get().is_some_and(|scope| self.scoping().scope_flags(scope).is_strict_mode());
        if is_strict {
            return false;
        }
        let name = match (function.r#type, nodes.parent_kind(id)) {
            (FunctionType::FunctionDeclaration, _) => function.id.as_ref().and_then(|name| name.symbol_id.get()),
            (_, AstKind::MethodDefinition(_) | AstKind::PropertyDefinition(_)) => return false,
            (_, AstKind::ObjectProperty(property)) => return property.value.span() != function.span,
            (_, AstKind::NewExpression(new)) if new.callee.span() == function.span => return false,
            (_, AstKind::AssignmentExpression(assignment)) => match &assignment.left {
                AssignmentTarget::StaticMemberExpression(_) | AssignmentTarget::ComputedMemberExpression(_) => {
                    return false;
                }
                _ => None,
            },
            (_, AstKind::VariableDeclarator(declarator)) => match &declarator.id.kind {
                BindingPatternKind::BindingIdentifier(name) => name.symbol_id.get(),
                _ => None,
            },
            _ => None,
        };
        !name.is_some_and(|name| self.is_only_constructed(name))
    }

    /// Whether a function is called with `new` and not used as a value.
    fn is_only_constructed(&self, symbol: SymbolId) -> bool {
        let nodes = self.semantic.nodes();
        let mut is_constructed = false;
        for reference in self.scoping().get_resolved_references(symbol) {
            let own = nodes.kind(reference.node_id()).span();
            match nodes.parent_kind(reference.node_id()) {
                AstKind::NewExpression(new) if new.callee.span() == own => is_constructed = true,
                AstKind::StaticMemberExpression(member)
                    if !matches!(member.property.name.as_str(), "call" | "apply" | "bind") => {}
                AstKind::BinaryExpression(_) | AstKind::UnaryExpression(_) => {}
                _ => return false,
            }
        }
        is_constructed
    }

    /// Whether an expression is the global object.
    pub fn is_global_object(&self, expression: &Expression<'a>) -> bool {
        match expression.without_parentheses() {
            Expression::ThisExpression(this) => self.global_this.contains(&this.span.start),
            Expression::Identifier(name) => match self.symbol(name) {
                Some(symbol) => self.is_alias(symbol),
                None => GLOBAL_OBJECT.contains(&name.name.as_str()),
            },
            _ => false,
        }
    }

    /// Whether a variable only ever holds the global object.
    pub fn is_alias(&self, symbol: SymbolId) -> bool {
        if let Some(known) = self.aliases.borrow().get(&symbol) {
            return *known;
        }
        // Ends the recursion for variables that are assigned from each other.
        self.aliases.borrow_mut().insert(symbol, false);
        let writes = self.writes(symbol).unwrap_or_default();
        let is_global = |write: &Write<'a, 't>| match write {
            Write::Set(value) => self.deeper(|| self.is_global_object(value)).unwrap_or(false),
            Write::Append(_) => false,
        };
        let is_alias = !writes.is_empty() && writes.iter().all(is_global);
        self.aliases.borrow_mut().insert(symbol, is_alias);
        is_alias
    }

    /// The use of the global object at a node that refers to it.
    pub fn global_use(&self, node: NodeId) -> GlobalUse {
        let nodes = self.semantic.nodes();
        let (mut id, mut own) = (node, nodes.kind(node).span());
        while let AstKind::ParenthesizedExpression(outer) = nodes.parent_kind(id) {
            (id, own) = (nodes.parent_id(id), outer.span);
        }
        let none = || GlobalUse::Members(Vec::new());
        match nodes.parent_kind(id) {
            AstKind::StaticMemberExpression(member) if member.object.span() == own => {
                GlobalUse::Members(vec![member.property.name.to_string()])
            }
            AstKind::ComputedMemberExpression(member) if member.object.span() == own => {
                match member.static_property_name() {
                    Some(name) => GlobalUse::Members(vec![name.to_string()]),
                    None if self.is_target(nodes.parent_id(id)) => GlobalUse::WritesAny,
                    None => GlobalUse::ReadsAny,
                }
            }
            AstKind::UnaryExpression(_) | AstKind::BinaryExpression(_) | AstKind::ExpressionStatement(_) => none(),
            AstKind::VariableDeclarator(declarator) => match &declarator.id.kind {
                BindingPatternKind::BindingIdentifier(name)
                    if name.symbol_id.get().is_some_and(|symbol| self.is_alias(symbol)) =>
                {
                    none()
                }
                BindingPatternKind::ObjectPattern(pattern) if pattern.rest.is_none() => {
                    let names = pattern.properties.iter().map(|property| static_name(&property.key));
                    names.collect::<Option<_>>().map_or(GlobalUse::ReadsAny, GlobalUse::Members)
                }
                _ => GlobalUse::Escapes,
            },
            AstKind::AssignmentExpression(assignment) if assignment.right.span() == own => match &assignment.left {
                AssignmentTarget::AssignmentTargetIdentifier(name)
                    if self.symbol(name).is_some_and(|symbol| self.is_alias(symbol)) =>
                {
                    none()
                }
                _ => GlobalUse::Escapes,
            },
            _ if self.is_receiver(id, own) => none(),
            _ => GlobalUse::Escapes,
        }
    }

    /// Whether a node is what `call`, `apply` or `bind` of a function of the script gets as `this`.
    fn is_receiver(&self, id: NodeId, own: Span) -> bool {
        let mut around = self.semantic.nodes().ancestor_kinds(id);
        let mut outer = around.next();
        if matches!(outer, Some(AstKind::Argument(_))) {
            outer = around.next();
        }
        let Some(AstKind::CallExpression(call)) = outer else { return false };
        let Expression::StaticMemberExpression(callee) = call.callee.without_parentheses() else { return false };
        let is_function = match callee.object.without_parentheses() {
            Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_) => true,
            Expression::Identifier(name) => self.symbol(name).is_some(),
            _ => false,
        };
        is_function
            && matches!(callee.property.name.as_str(), "call" | "apply" | "bind")
            && call.arguments.first().is_some_and(|first| first.span() == own)
    }

    /// Whether a member expression is assigned to, or deleted.
    pub fn is_target(&self, member: NodeId) -> bool {
        let nodes = self.semantic.nodes();
        let own = nodes.kind(member).span();
        match nodes.parent_kind(member) {
            AstKind::AssignmentExpression(assignment) => assignment.left.span() == own,
            AstKind::ForInStatement(each) => each.left.span() == own,
            AstKind::ForOfStatement(each) => each.left.span() == own,
            AstKind::UnaryExpression(UnaryExpression { operator: UnaryOperator::Delete, .. })
            | AstKind::UpdateExpression(_)
            | AstKind::ArrayAssignmentTarget(_)
            | AstKind::AssignmentTargetPropertyProperty(_)
            | AstKind::AssignmentTargetRest(_)
            | AstKind::AssignmentTargetWithDefault(_) => true,
            _ => false,
        }
    }
}

pub(super) fn static_name(key: &PropertyKey<'_>) -> Option<String> {
    key.static_name().map(std::borrow::Cow::into_owned)
}

/// Functions that compile a string: `Function`, and the constructor of any function.
impl<'t, 'a: 't> Tree<'t, 'a> {
    /// Whether a call of this value compiles a string.
    pub fn compiles(&self, value: &Expression<'a>) -> bool {
        self.compiles_within(value, MAX_STEPS)
    }

    fn compiles_within(&self, value: &Expression<'a>, steps: usize) -> bool {
        let Some(steps) = steps.checked_sub(1) else { return false };
        let value = value.without_parentheses();
        match value.as_member_expression() {
            Some(member) => match member.static_property_name() {
                Some("constructor") => self.is_function_within(member.object(), steps),
                Some("Function") => self.is_global_object(member.object()),
                _ => false,
            },
            None => {
                let is_destructured = |name: &_| self.destructured_global(name) == Some("Function");
                self.is_global(value, "Function")
                    || matches!(value, Expression::Identifier(name) if is_destructured(name))
                    || self.only_value(value).is_some_and(|value| self.compiles_within(value, steps))
            }
        }
    }

    /// Whether a value is a function, so that its constructor compiles a string.
    pub fn is_function(&self, value: &Expression<'a>) -> bool {
        self.is_function_within(value, MAX_STEPS)
    }

    fn is_function_within(&self, value: &Expression<'a>, steps: usize) -> bool {
        let Some(steps) = steps.checked_sub(1) else { return false };
        let value = value.without_parentheses();
        match value {
            Expression::FunctionExpression(_)
            | Expression::ArrowFunctionExpression(_)
            | Expression::ClassExpression(_) => true,
            Expression::Identifier(name) => match self.symbol(name) {
                Some(symbol) => {
                    let declaration = self.semantic.nodes().kind(self.scoping().symbol_declaration(symbol));
                    matches!(declaration, AstKind::Function(_) | AstKind::Class(_))
                        || self.only_value(value).is_some_and(|value| self.is_function_within(value, steps))
                }
                None => {
                    let name = name.name.as_str();
                    is_built_in(name) && !NAMESPACES.contains(&name) && !NO_FUNCTIONS.contains(&name)
                }
            },
            // The constructor of any object.
            _ => value.as_member_expression().and_then(MemberExpression::static_property_name) == Some("constructor"),
        }
    }

    /// The value of a variable that is written once.
    fn only_value(&self, value: &Expression<'a>) -> Option<&'t Expression<'a>> {
        let Expression::Identifier(name) = value else { return None };
        match *self.writes(self.symbol(name)?)? {
            [Write::Set(value)] => Some(value),
            _ => None,
        }
    }
}

/// The keys of an object pattern that declares variables.
pub(super) fn destructured_keys(declarator: &VariableDeclarator<'_>) -> Vec<(String, Span)> {
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
    pub fn destructured_global(&self, identifier: &IdentifierReference<'a>) -> Option<&'static str> {
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
