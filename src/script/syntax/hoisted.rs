//! Functions in blocks, whose names sloppy mode also declares in the function or script around them (ECMA-262,
//! Block-Level Function Declarations Web Legacy Compatibility Semantics).

use oxc_ast::AstKind;
use oxc_ast::ast::{Function, FunctionType};
use oxc_semantic::{Reference, ScopeId, Semantic, SymbolId};
use oxc_syntax::symbol::SymbolFlags;

use crate::collections::HashMap;

/// The hoisted functions by name and by the scope of the function or script in which the name is declared, too. The last
/// one of a name counts.
pub(super) struct Hoisted<'t>(HashMap<&'t str, HashMap<ScopeId, SymbolId>>);

impl<'t> Hoisted<'t> {
    pub fn collect(semantic: &'t Semantic<'_>) -> Self {
        let mut hoisted: HashMap<_, HashMap<_, _>> = HashMap::default();
        for node in semantic.nodes().iter() {
            if let AstKind::Function(function) = node.kind()
                && let Some((symbol, scope)) = hoist(semantic, function)
            {
                hoisted.entry(semantic.scoping().symbol_name(symbol)).or_default().insert(scope, symbol);
            }
        }
        Self(hoisted)
    }

    /// The function in a block that a name outside of the block means: that of the innermost scope.
    pub fn find(&self, semantic: &Semantic<'_>, name: &str, reference: &Reference) -> Option<SymbolId> {
        let by_scope = self.0.get(name)?;
        let scope = semantic.nodes().get_node(reference.node_id()).scope_id();
        semantic.scoping().scope_ancestors(scope).find_map(|scope| by_scope.get(&scope).copied())
    }
}

/// The function that a function declaration in a block also belongs to.
fn hoist(semantic: &Semantic<'_>, function: &Function<'_>) -> Option<(SymbolId, ScopeId)> {
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
            return Some((symbol, scope));
        }
    }
    None
}
