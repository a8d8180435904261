//! Functions in blocks, whose names sloppy mode also declares in the function or script around them (ECMA-262,
//! Block-Level Function Declarations Web Legacy Compatibility Semantics).

use oxc_ast::AstKind;
use oxc_ast::ast::{Function, FunctionType};
use oxc_semantic::{Semantic, SymbolId};
use oxc_span::{GetSpan, Span};
use oxc_syntax::symbol::SymbolFlags;

use crate::collections::HashMap;

/// The hoisted functions by name, each with the function or script in which the name is declared.
pub(super) type Hoisted<'t> = HashMap<&'t str, Vec<(Span, SymbolId)>>;

pub(super) fn collect<'t>(semantic: &'t Semantic<'_>) -> Hoisted<'t> {
    let mut hoisted = Hoisted::default();
    for node in semantic.nodes().iter() {
        if let AstKind::Function(function) = node.kind()
            && let Some((symbol, scope)) = hoist(semantic, function)
        {
            hoisted.entry(semantic.scoping().symbol_name(symbol)).or_default().push((scope, symbol));
        }
    }
    hoisted
}

/// The function that a function declaration in a block also belongs to.
fn hoist(semantic: &Semantic<'_>, function: &Function<'_>) -> Option<(SymbolId, Span)> {
    let scoping = semantic.scoping();
    if function.r#type != FunctionType::FunctionDeclaration || function.r#async || function.generator {
        return None;
    }
    let symbol = function.id.as_ref()?.symbol_id.get()?;
    let name = scoping.symbol_name(symbol);
    let mut scopes = scoping.scope_ancestors(scoping.symbol_scope_id(symbol));
    let block = scoping.scope_flags(scopes.next()?);
    if block.is_var() || block.is_strict_mode() {
        return None;
    }
    for scope in scopes {
        let is_var = scoping.scope_flags(scope).is_var();
        if let Some(other) = scoping.get_binding(scope, name) {
            let flags = scoping.symbol_flags(other);
            // `let`, `const` and `class` of the same name hide it from there on.
            if !is_var && flags.intersects(SymbolFlags::BlockScoped) && !flags.is_function() {
                return None;
            }
        }
        if is_var {
            return Some((symbol, semantic.nodes().kind(scoping.get_node_id(scope)).span()));
        }
    }
    None
}
