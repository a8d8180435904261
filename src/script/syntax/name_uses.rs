//! Every use of the names that a script does not declare: what a renaming replaces.

use std::ops::Range;

use oxc_ast::AstKind;
use oxc_semantic::{NodeId, Semantic};
use oxc_syntax::identifier::is_identifier_name;
use oxc_syntax::keyword::is_reserved_keyword;

use super::built_in::is_built_in;
use super::parse::read_tree;
use super::tree::range;
use crate::collections::HashSet;

/// The uses of undeclared names in a script.
#[derive(Debug, Clone, Default)]
pub struct NameUses {
    /// In the order of the script.
    pub uses: Vec<NameUse>,
    /// The names that it declares in any scope.
    pub declared: HashSet<String>,
}

/// A use of a name that the script does not declare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameUse {
    pub name: String,
    /// In bytes of the script.
    pub range: Range<usize>,
    pub is_written: bool,
    /// Whether it also names the property of an object: `{ Name }` stands for `{ Name: Name }`.
    pub is_shorthand: bool,
}

/// The uses of undeclared names; `None` if the script does not parse.
pub fn name_uses(script: &str) -> Option<NameUses> {
    read_tree(script, |semantic| {
        let mut found = NameUses::default();
        let scoping = semantic.scoping();
        found.declared.extend(scoping.symbol_names().map(str::to_owned));
        for node in semantic.nodes().iter() {
            let AstKind::IdentifierReference(name) = node.kind() else { continue };
            let reference = name.reference_id.get().map(|id| scoping.get_reference(id));
            let Some(reference) = reference.filter(|reference| reference.symbol_id().is_none()) else { continue };
            found.uses.push(NameUse {
                name: name.name.to_string(),
                range: range(name.span),
                is_written: reference.is_write(),
                is_shorthand: is_shorthand(semantic, node.id()),
            });
        }
        found.uses.sort_by_key(|found| found.range.start);
        found
    })
}

/// Whether a script can use a variable with this name.
pub fn is_identifier(name: &str) -> bool {
    is_identifier_name(name) && !is_reserved_keyword(name) && !is_built_in(name)
}

fn is_shorthand(semantic: &Semantic<'_>, id: NodeId) -> bool {
    match semantic.nodes().parent_kind(id) {
        AstKind::ObjectProperty(property) => property.shorthand,
        AstKind::AssignmentTargetPropertyIdentifier(_) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::name_uses;

    #[test]
    fn uses_of_undeclared_names_are_found() {
        let script = "var a = Name; function f(Other) { return Other + `${Name}`; } Json = { Name, x: Name.Name };";
        let found = name_uses(script).unwrap();
        let uses: Vec<_> = found
            .uses
            .iter()
            .map(|it| (script.get(it.range.clone()).unwrap(), it.is_written, it.is_shorthand))
            .collect();
        assert_eq!(
            uses,
            [
                ("Name", false, false),
                ("Name", false, false),
                ("Json", true, false),
                ("Name", false, true),
                ("Name", false, false)
            ]
        );
        assert!(found.declared.contains("a") && found.declared.contains("Other") && !found.declared.contains("Name"));
        assert!(name_uses("({Name} = x)").unwrap().uses[0].is_shorthand);
        assert!(name_uses("(").is_none());
    }
}
