//! The sites of a script: the places that make the parts of a signing case.

use std::ops::Range;

use oxc_ast::AstKind;
use oxc_ast::ast::{
    ArrayExpression, AssignmentExpression, AssignmentTarget, CallExpression, Expression, ObjectExpression,
    ObjectPropertyKind,
};
use oxc_span::{Atom, GetSpan, Span};
use oxc_syntax::operator::AssignmentOperator;

use super::tree::{Tree, range};

/// A script with more sites is not followed.
const MAX_SITES: usize = 20_000;

/// An expression whose evaluation shows that a run passes this place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    pub range: Range<usize>,
    pub kind: SiteKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SiteKind {
    /// An object literal, with its named properties.
    Object(Box<[Property]>),
    /// An array literal, with its elements up to the first spread.
    Array(Box<[Range<usize>]>),
    /// The function `JSON.stringify` in a call of it.
    Stringify,
    /// The object whose property is assigned: `object.key = …`.
    Target(Box<Property>),
    /// The object whose property with a computed name is assigned: `object[key] = …`.
    ComputedTarget,
    /// The object that an object literal copies: `{ ...object }`.
    Spread,
    /// The value that is assigned to `Json`.
    Result,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Property {
    pub name: String,
    pub key: Range<usize>,
    /// That of the name in shorthand (`{ Name }`).
    pub value: Range<usize>,
}

/// A `return` statement that ends the script. Offsets in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TopLevelReturn {
    pub start: usize,
    pub argument_end: Option<usize>,
    /// After the semicolon, if there is one.
    pub end: usize,
}

/// The sites of a script, an outer one before those inside it. `results` are the values that it assigns to `Json`.
pub(super) fn collect(tree: &Tree<'_, '_>, results: impl Iterator<Item = Range<usize>>) -> Vec<Site> {
    let mut sites: Vec<Site> = results.map(|range| Site { range, kind: SiteKind::Result }).collect();
    for node in tree.semantic.nodes().iter() {
        if let AstKind::ObjectExpression(object) = node.kind() {
            sites.extend(spread_sites(object));
        }
        sites.extend(match node.kind() {
            AstKind::ObjectExpression(object) => Some(object_site(object)),
            AstKind::ArrayExpression(array) => Some(array_site(array)),
            AstKind::CallExpression(call) => stringify_site(tree, call),
            AstKind::AssignmentExpression(assignment) => target_site(assignment),
            _ => None,
        });
        if sites.len() > MAX_SITES {
            return Vec::new();
        }
    }
    // Stable: a value that is assigned to `Json` comes before a literal that is all of it.
    sites.sort_by_key(|site| (site.range.start, std::cmp::Reverse(site.range.end)));
    sites
}

fn object_site(object: &ObjectExpression<'_>) -> Site {
    let properties = object.properties.iter().filter_map(|property| match property {
        ObjectPropertyKind::ObjectProperty(property) => {
            let name = property.key.static_name()?.into_owned();
            Some(Property { name, key: range(property.key.span()), value: range(property.value.span()) })
        }
        ObjectPropertyKind::SpreadProperty(_) => None,
    });
    Site { range: range(object.span), kind: SiteKind::Object(properties.collect()) }
}

fn spread_sites(object: &ObjectExpression<'_>) -> impl Iterator<Item = Site> {
    object.properties.iter().filter_map(|property| match property {
        ObjectPropertyKind::SpreadProperty(spread) => {
            Some(Site { range: range(spread.argument.span()), kind: SiteKind::Spread })
        }
        ObjectPropertyKind::ObjectProperty(_) => None,
    })
}

fn array_site(array: &ArrayExpression<'_>) -> Site {
    let elements = array.elements.iter().take_while(|element| !element.is_spread());
    Site { range: range(array.span), kind: SiteKind::Array(elements.map(|element| range(element.span())).collect()) }
}

fn stringify_site<'a>(tree: &Tree<'_, 'a>, call: &CallExpression<'a>) -> Option<Site> {
    let Expression::StaticMemberExpression(member) = call.callee.without_parentheses() else { return None };
    let is_it = member.property.name == "stringify" && !member.optional && tree.is_global(&member.object, "JSON");
    is_it.then(|| Site { range: range(member.span), kind: SiteKind::Stringify })
}

fn target_site(assignment: &AssignmentExpression<'_>) -> Option<Site> {
    let (object, name, key) = match &assignment.left {
        AssignmentTarget::StaticMemberExpression(member) => {
            (&member.object, Some(member.property.name), member.property.span)
        }
        AssignmentTarget::ComputedMemberExpression(member) => {
            (&member.object, member.static_property_name(), member.expression.span())
        }
        _ => return None,
    };
    let is_followed = assignment.operator == AssignmentOperator::Assign && !matches!(object, Expression::Super(_));
    let property =
        |name: Atom<'_>| Property { name: name.to_string(), key: range(key), value: range(assignment.right.span()) };
    let kind = name.map_or(SiteKind::ComputedTarget, |name| SiteKind::Target(Box::new(property(name))));
    is_followed.then(|| Site { range: range(object.span()), kind })
}

/// The `return` statements outside of functions, which end the script.
pub(super) fn returns(tree: &Tree<'_, '_>) -> Vec<TopLevelReturn> {
    let nodes = tree.semantic.nodes();
    let mut functions: Option<Span> = None;
    let mut returns = Vec::new();
    // Nodes are in pre-order, so the function around a node comes before it.
    for node in nodes.iter() {
        let span = node.kind().span();
        match node.kind() {
            AstKind::Function(_) | AstKind::ArrowFunctionExpression(_) | AstKind::StaticBlock(_)
                if functions.is_none_or(|last| last.end <= span.start) =>
            {
                functions = Some(span);
            }
            AstKind::ReturnStatement(statement) if functions.is_none_or(|last| last.end <= span.start) => {
                let argument_end = statement.argument.as_ref().map(|argument| argument.span().end as usize);
                returns.push(TopLevelReturn { start: span.start as usize, argument_end, end: span.end as usize });
            }
            _ => {}
        }
    }
    returns
}
