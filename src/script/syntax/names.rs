//! The names, texts and regular expressions of a script.

use oxc_ast::AstKind;
use oxc_ast::ast::{Argument, CallExpression, Expression, IdentifierReference, StaticMemberExpression};
use oxc_semantic::NodeId;
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::UnaryOperator;

use super::tree::{Tree, range};
use super::{Dynamic, Global, Own, Pattern, Script, Text};

/// The properties of the global object (ECMA-262, 17th edition, clause 19 and B.2.1; `Intl`: ECMA-402),
/// and those that every object has (20.1.3), by name.
const BUILT_IN: [&str; 78] = [
    "AggregateError",
    "Array",
    "ArrayBuffer",
    "AsyncDisposableStack",
    "Atomics",
    "BigInt",
    "BigInt64Array",
    "BigUint64Array",
    "Boolean",
    "DataView",
    "Date",
    "DisposableStack",
    "Error",
    "EvalError",
    "FinalizationRegistry",
    "Float16Array",
    "Float32Array",
    "Float64Array",
    "Function",
    "Infinity",
    "Int16Array",
    "Int32Array",
    "Int8Array",
    "Intl",
    "Iterator",
    "JSON",
    "Map",
    "Math",
    "NaN",
    "Number",
    "Object",
    "Promise",
    "Proxy",
    "RangeError",
    "ReferenceError",
    "Reflect",
    "RegExp",
    "Set",
    "SharedArrayBuffer",
    "String",
    "SuppressedError",
    "Symbol",
    "SyntaxError",
    "TypeError",
    "URIError",
    "Uint16Array",
    "Uint32Array",
    "Uint8Array",
    "Uint8ClampedArray",
    "WeakMap",
    "WeakRef",
    "WeakSet",
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
    "__proto__",
    "arguments",
    "constructor",
    "decodeURI",
    "decodeURIComponent",
    "encodeURI",
    "encodeURIComponent",
    "escape",
    "eval",
    "globalThis",
    "hasOwnProperty",
    "isFinite",
    "isNaN",
    "isPrototypeOf",
    "parseFloat",
    "parseInt",
    "propertyIsEnumerable",
    "toLocaleString",
    "toString",
    "undefined",
    "unescape",
    "valueOf",
];

/// Whether the language itself gives scripts this name.
pub fn is_built_in(name: &str) -> bool {
    BUILT_IN.binary_search(&name).is_ok()
}

/// The names that the language itself gives scripts.
pub fn built_in_names() -> impl Iterator<Item = &'static str> {
    BUILT_IN.into_iter()
}

pub(super) fn collect(tree: &Tree<'_, '_>, source: &str, script: &mut Script) {
    let mut names = Names { tree, source, script };
    for node in tree.semantic.nodes().iter() {
        names.node(node.id(), node.kind());
    }
    let scoping = tree.scoping();
    for symbol in scoping.iter_bindings_in(scoping.root_scope_id()) {
        let is_read = scoping.get_resolved_references(symbol).any(|reference| reference.is_read());
        script.own.push(Own { name: scoping.symbol_name(symbol).to_owned(), is_read });
    }
    script.globals.sort_by_key(|global| global.range.start);
    script.own.sort_unstable();
    script.dynamic.sort_by_key(|dynamic| dynamic.range.start);
}

struct Names<'c, 't, 'a> {
    tree: &'c Tree<'t, 'a>,
    source: &'c str,
    script: &'c mut Script,
}

impl<'t, 'a: 't> Names<'_, 't, 'a> {
    fn node(&mut self, id: NodeId, kind: AstKind<'a>) {
        match kind {
            AstKind::IdentifierReference(name) => self.name(id, name),
            AstKind::StringLiteral(literal) => self.text(id, literal.value.as_str(), literal.span),
            AstKind::TemplateLiteral(literal) => {
                if let ([text], []) = (literal.quasis.as_slice(), literal.expressions.as_slice())
                    && let Some(value) = text.value.cooked
                {
                    self.text(id, value.as_str(), literal.span);
                }
            }
            AstKind::RegExpLiteral(literal) => self.script.patterns.push(Pattern {
                pattern: literal.regex.pattern.text.to_string(),
                flags: literal.regex.flags.to_string(),
                range: range(literal.span),
            }),
            AstKind::CallExpression(call) => self.call(&call.callee, call.arguments.first()),
            AstKind::NewExpression(new) => self.call(&new.callee, new.arguments.first()),
            AstKind::WithStatement(_) => self.script.is_obscure = true,
            AstKind::ThisExpression(_) => self.global_object(id),
            AstKind::StaticMemberExpression(member) if self.tree.is_global_object(&member.object) => {
                self.script.global_members.push(member.property.name.to_string());
            }
            _ => {}
        }
    }

    fn name(&mut self, id: NodeId, name: &IdentifierReference<'a>) {
        let Some(reference) = self.tree.reference(name).filter(|reference| reference.symbol_id().is_none()) else {
            return;
        };
        let parent = self.tree.semantic.nodes().parent_kind(id);
        let is_tested = matches!(parent, AstKind::UnaryExpression(unary) if unary.operator == UnaryOperator::Typeof);
        if name.name == "eval" && !is_tested {
            self.script.is_obscure = true;
            self.dynamic("eval", name.span);
        }
        if matches!(name.name.as_str(), "globalThis" | "window" | "self" | "global") {
            self.global_object(id);
        }
        self.script.globals.push(Global {
            name: name.name.to_string(),
            range: range(name.span),
            is_read: reference.is_read(),
            is_written: reference.is_write(),
            is_tested,
        });
    }

    /// The global object: of a member that is named something is known, of anything else nothing.
    fn global_object(&mut self, id: NodeId) {
        let nodes = self.tree.semantic.nodes();
        let own = nodes.kind(id).span();
        match nodes.parent_kind(id) {
            AstKind::StaticMemberExpression(member) if member.object.span() == own => {}
            AstKind::ComputedMemberExpression(member) if member.object.span() == own => {
                match member.static_property_name() {
                    Some(name) => self.script.global_members.push(name.to_string()),
                    None => self.script.is_obscure = true,
                }
            }
            AstKind::UnaryExpression(_) => {}
            _ => self.script.is_obscure = true,
        }
    }

    fn call(&mut self, callee: &Expression<'a>, first: Option<&Argument<'a>>) {
        let callee = last_of_sequence(callee);
        if let Expression::StaticMemberExpression(member) = callee
            && member.property.name == "parse"
            && self.tree.is_global(&member.object, "JSON")
        {
            let name = first.and_then(Argument::as_expression).and_then(|first| self.tree.global(first));
            self.script.read_as_json.extend(name.map(str::to_owned));
        }
        let (name, span) = match callee {
            Expression::Identifier(identifier) => (self.tree.global(callee), identifier.span),
            Expression::StaticMemberExpression(member) => (self.member_of_global(member), member.property.span),
            _ => return,
        };
        let is_text =
            || first.and_then(Argument::as_expression).is_some_and(|first| self.tree.kind(first) == super::Kind::Text);
        match name {
            Some("Function") => {
                self.script.is_obscure = true;
                self.dynamic("Function", span);
            }
            Some("eval") if !matches!(callee, Expression::Identifier(_)) => {
                self.script.is_obscure = true;
                self.dynamic("eval", span);
            }
            Some(name @ ("setTimeout" | "setInterval" | "setImmediate" | "execScript")) if is_text() => {
                self.script.is_obscure = true;
                self.dynamic(name, span);
            }
            _ => {}
        }
    }

    fn member_of_global<'m>(&self, member: &'m StaticMemberExpression<'a>) -> Option<&'m str> {
        self.tree.is_global_object(&member.object).then(|| member.property.name.as_str())
    }

    fn dynamic(&mut self, name: &str, span: Span) {
        self.script.dynamic.push(Dynamic { name: name.to_owned(), range: range(span) });
    }

    fn call_around(&self, argument: NodeId) -> Option<&'a CallExpression<'a>> {
        let mut around = self.tree.semantic.nodes().ancestor_kinds(argument);
        match around.next()? {
            AstKind::CallExpression(call) => Some(call),
            AstKind::Argument(_) => match around.next()? {
                AstKind::CallExpression(call) => Some(call),
                _ => None,
            },
            _ => None,
        }
    }

    fn text(&mut self, id: NodeId, value: &str, span: Span) {
        let argument_of =
            self.call_around(id).filter(|call| call.arguments.first().is_some_and(|first| first.span() == span));
        let argument_of = argument_of.and_then(|call| call.callee.get_identifier_reference());
        let argument_of = argument_of.map(|name| name.name.to_string());
        let quoted = range(span);
        let inside = quoted.start + 1..quoted.end.saturating_sub(1);
        if self.source.get(inside.clone()).is_some() {
            self.script.texts.push(Text { value: value.to_owned(), range: inside, argument_of });
        }
    }
}

/// `(0, eval)` is `eval`.
fn last_of_sequence<'e, 'a>(expression: &'e Expression<'a>) -> &'e Expression<'a> {
    match expression.without_parentheses() {
        Expression::SequenceExpression(sequence) => {
            sequence.expressions.last().map_or(expression, |last| last.without_parentheses())
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_names_are_sorted() {
        assert!(BUILT_IN.is_sorted());
        assert!(is_built_in("JSON") && !is_built_in("console"));
    }
}
