//! The syntax tree with resolved names, and queries on it that several analyses share.

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;

use oxc_ast::AstKind;
use oxc_ast::ast::{
    AssignmentTarget, BindingPatternKind, Expression, Function, FunctionType, IdentifierReference, VariableDeclarator,
};
use oxc_semantic::{NodeId, Reference, ScopeId, Scoping, Semantic, SymbolId};
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::AssignmentOperator;
use oxc_syntax::symbol::SymbolFlags;

use crate::common::collections::{HashMap, HashSet};

/// The variable in which the script of a Code activity leaves its result.
pub(super) const JSON: &str = crate::model::SCRIPT_RESULT;

/// A tree, with what is inferred of its variables.
///
/// A variable that is being inferred is already in the map, with the neutral value: so a cycle of
/// assignments (`a = b; b = a`) ends.
pub(super) struct Tree<'t, 'a> {
    pub semantic: &'t Semantic<'a>,
    pub kinds: RefCell<HashMap<SymbolId, ValueKind>>,
    /// The writes to each variable, which each of its reads may ask for.
    writes: RefCell<HashMap<SymbolId, Option<Writes<'a, 't>>>>,
    /// Whether a variable only ever holds the global object.
    pub aliases: RefCell<HashMap<SymbolId, bool>>,
    depth: Cell<usize>,
    max_depth: usize,
    /// The offsets of each `this` that may be the global object.
    pub global_this: HashSet<u32>,
    hoisted: Hoisted<'t>,
}

/// The kind of a value (`value.rs`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    String,
    /// An object of some sort, which a message calls so.
    Object(&'static str),
    /// A primitive value that is not a string, which a message calls so.
    Primitive(&'static str),
    Unknown,
}

impl ValueKind {
    /// What a message calls the value, when it is definitely no string.
    pub const fn not_string(self) -> Option<&'static str> {
        match self {
            Self::Object(what) | Self::Primitive(what) => Some(what),
            Self::String | Self::Unknown => None,
        }
    }
}

/// A write to a variable.
#[derive(Clone, Copy)]
pub(super) enum Write<'a, 't> {
    /// `=`, or the initializer of a declaration.
    Set(&'t Expression<'a>),
    /// `+=`
    Append(&'t Expression<'a>),
}

/// All writes to a variable.
pub(super) type Writes<'a, 't> = Rc<[Write<'a, 't>]>;

impl<'t, 'a: 't> Tree<'t, 'a> {
    /// `max_depth`: how deep the analyses of values may recurse on their stack.
    pub fn new(semantic: &'t Semantic<'a>, max_depth: usize) -> Self {
        let mut tree = Self {
            semantic,
            kinds: RefCell::default(),
            writes: RefCell::default(),
            aliases: RefCell::default(),
            depth: Cell::new(0),
            max_depth,
            global_this: HashSet::default(),
            hoisted: Hoisted::collect(semantic),
        };
        for node in semantic.nodes().iter() {
            if let AstKind::ThisExpression(this) = node.kind()
                && tree.is_global_this(node.id())
            {
                tree.global_this.insert(this.span.start);
            }
        }
        tree
    }

    /// Follows a value if the stack allows it: values of variables may be nested deeper than the script is.
    pub fn deeper<T>(&self, follow: impl FnOnce() -> T) -> Option<T> {
        let depth = self.depth.get();
        if depth == self.max_depth {
            return None;
        }
        self.depth.set(depth + 1);
        let found = follow();
        self.depth.set(depth);
        Some(found)
    }

    pub fn scoping(&self) -> &'t Scoping {
        self.semantic.scoping()
    }

    pub fn reference(&self, identifier: &IdentifierReference<'a>) -> Option<&'t Reference> {
        Some(self.scoping().get_reference(identifier.reference_id.get()?))
    }

    /// The variable of the script that a name resolves to.
    pub fn symbol(&self, identifier: &IdentifierReference<'a>) -> Option<SymbolId> {
        let reference = self.reference(identifier)?;
        reference.symbol_id().or_else(|| self.hoisted.find(self.semantic, identifier.name.as_str(), reference))
    }

    /// Whether an expression is this name, and the script does not declare it.
    pub fn is_global(&self, expression: &Expression<'a>, name: &str) -> bool {
        self.global(expression).is_some_and(|global| global == name)
    }

    /// The name that an expression is, if the script does not declare it.
    pub fn global(&self, expression: &Expression<'a>) -> Option<&'t str> {
        match expression.without_parentheses() {
            Expression::Identifier(identifier) if self.symbol(identifier).is_none() => {
                self.reference(identifier)?;
                Some(identifier.name.as_str())
            }
            _ => None,
        }
    }

    /// All writes to a variable; `None` when it may also be written otherwise, as by destructuring or
    /// as a parameter.
    pub fn writes(&self, symbol: SymbolId) -> Option<Writes<'a, 't>> {
        self.writes.borrow_mut().entry(symbol).or_insert_with(|| self.find_writes(symbol)).clone()
    }

    fn find_writes(&self, symbol: SymbolId) -> Option<Writes<'a, 't>> {
        let (scoping, nodes) = (self.scoping(), self.semantic.nodes());
        if !scoping.symbol_redeclarations(symbol).is_empty() {
            return None;
        }
        let AstKind::VariableDeclarator(declarator) = nodes.kind(scoping.symbol_declaration(symbol)) else {
            return None;
        };
        if !self.is_single_variable(scoping.symbol_declaration(symbol), declarator) {
            return None;
        }
        let mut writes: Vec<Write<'a, 't>> = declarator.init.iter().map(Write::Set).collect();
        for reference in scoping.get_resolved_references(symbol).filter(|reference| reference.is_write()) {
            writes.push(self.write(reference.node_id())?);
        }
        Some(writes.into())
    }

    /// Whether a declarator names one variable, and is not the head of a `for…in` or `for…of`.
    fn is_single_variable(&self, node: NodeId, declarator: &VariableDeclarator<'a>) -> bool {
        let nodes = self.semantic.nodes();
        let head = nodes.parent_kind(nodes.parent_id(node));
        matches!(declarator.id.kind, BindingPatternKind::BindingIdentifier(_))
            && !matches!(head, AstKind::ForInStatement(_) | AstKind::ForOfStatement(_))
    }

    /// The write of which a name is the target.
    pub fn write(&self, name: NodeId) -> Option<Write<'a, 't>> {
        let nodes = self.semantic.nodes();
        let AstKind::AssignmentExpression(assignment) = nodes.parent_kind(name) else { return None };
        let is_target = matches!(&assignment.left, AssignmentTarget::AssignmentTargetIdentifier(target)
            if target.span == nodes.kind(name).span());
        match assignment.operator {
            AssignmentOperator::Assign if is_target => Some(Write::Set(&assignment.right)),
            AssignmentOperator::Addition if is_target => Some(Write::Append(&assignment.right)),
            _ => None,
        }
    }
}

pub(super) fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

/// Functions in blocks, whose names sloppy mode also declares in the function or script around them (ECMA-262,
/// Block-Level Function Declarations Web Legacy Compatibility Semantics): by name and by the scope of the function or script in which the name is declared, too. The last
/// one of a name counts.
struct Hoisted<'t>(HashMap<&'t str, HashMap<ScopeId, SymbolId>>);

impl<'t> Hoisted<'t> {
    fn collect(semantic: &'t Semantic<'_>) -> Self {
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
    fn find(&self, semantic: &Semantic<'_>, name: &str, reference: &Reference) -> Option<SymbolId> {
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
