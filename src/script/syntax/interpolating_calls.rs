//! What the result of a call interpolates.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument, ArrowFunctionExpression, BindingPatternKind, CallExpression, Expression, FormalParameters, Function,
    FunctionBody, Statement,
};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};

use super::interpolated::Interpolation;
use super::interpolation::Interpolations;
use super::tree::Write;

/// A function of the script.
#[derive(Clone, Copy)]
enum Callee<'t, 'a> {
    Function(&'t Function<'a>),
    Arrow(&'t ArrowFunctionExpression<'a>),
}

impl<'t, 'a> Callee<'t, 'a> {
    fn of(expression: &'t Expression<'a>) -> Option<Self> {
        match expression.without_parentheses() {
            Expression::FunctionExpression(function) => Some(Self::Function(function)),
            Expression::ArrowFunctionExpression(arrow) => Some(Self::Arrow(arrow)),
            _ => None,
        }
    }

    fn parameters(self) -> &'t FormalParameters<'a> {
        match self {
            Self::Function(function) => &function.params,
            Self::Arrow(arrow) => &arrow.params,
        }
    }

    fn body(self) -> Option<&'t FunctionBody<'a>> {
        match self {
            Self::Function(function) => function.body.as_deref(),
            Self::Arrow(arrow) => Some(&arrow.body),
        }
    }

    /// The name of each parameter, and its default.
    fn names(self) -> impl Iterator<Item = (Option<SymbolId>, Option<&'t Expression<'a>>)> {
        self.parameters().items.iter().map(|parameter| match &parameter.pattern.kind {
            BindingPatternKind::BindingIdentifier(name) => (name.symbol_id.get(), None),
            BindingPatternKind::AssignmentPattern(pattern) => match &pattern.left.kind {
                BindingPatternKind::BindingIdentifier(name) => (name.symbol_id.get(), Some(&pattern.right)),
                _ => (None, None),
            },
            _ => (None, None),
        })
    }
}

impl<'t, 'a: 't> Interpolations<'_, 't, 'a> {
    pub(super) fn of_call(&self, call: &'t CallExpression<'a>) -> Interpolation {
        let argument = |index: usize| call.arguments.get(index).and_then(Argument::as_expression);
        if self.tree.is_global(&call.callee, "String") {
            return argument(0).map_or_else(Interpolation::default, |value| self.of(value));
        }
        if let Some(callee) = self.callee(&call.callee) {
            return self.of_result(callee, &self.arguments(call));
        }
        let Expression::StaticMemberExpression(member) = call.callee.without_parentheses() else {
            return Interpolation::default();
        };
        let object = &member.object;
        match member.property.name.as_str() {
            // These keep a quotation mark, or may keep it.
            "trim" | "trimStart" | "trimEnd" | "trimLeft" | "trimRight" | "toString" | "valueOf" | "toUpperCase"
            | "toLowerCase" | "normalize" | "substring" | "substr" | "slice" | "padStart" | "padEnd" | "repeat"
            | "toLocaleUpperCase" | "toLocaleLowerCase" => self.of(object),
            "charAt" | "at" => self.of(object).taken_apart(),
            "concat" => self.of_any([object]).union(self.of_any(arguments(call))).concatenated(),
            "join" => self.of_elements(object).concatenated(),
            // A replacement in a value may be what escapes it; the replacement itself is not escaped.
            "replace" | "replaceAll" => {
                let text = self.of(object);
                let replacement = argument(1).map_or_else(Interpolation::default, |value| match Callee::of(value) {
                    Some(callee) => self.of_result(callee, &[]),
                    None => self.of(value),
                });
                let replacement = replacement.concatenated();
                if text.is_concatenated { text.union(replacement) } else { replacement }
            }
            "reduce" | "reduceRight" => {
                let callee = argument(0).and_then(|callback| self.function(callback));
                let elements = self.of_elements(object);
                let first = argument(1).map_or_else(|| elements.clone(), |first| self.of(first));
                callee.map_or_else(Interpolation::default, |callee| self.of_result(callee, &[first, elements]))
            }
            // `find`, `pop` and the like give one of the elements.
            "find" | "findLast" | "pop" | "shift" => self.of_elements(object),
            "call" => self
                .function(object)
                .map(|callee| self.of_result(callee, self.arguments(call).get(1..).unwrap_or_default()))
                .unwrap_or_default(),
            _ => Interpolation::default(),
        }
    }

    pub(super) fn of_array_call(&self, call: &'t CallExpression<'a>) -> Interpolation {
        if let Some(callee) = self.callee(&call.callee) {
            return self.of_returned(callee, &self.arguments(call), &|value| self.of_elements(value));
        }
        let Expression::StaticMemberExpression(member) = call.callee.without_parentheses() else {
            return Interpolation::default();
        };
        let object = &member.object;
        let callback = || call.arguments.first().and_then(Argument::as_expression).and_then(|it| self.function(it));
        match member.property.name.as_str() {
            "split" => match arguments(call).next() {
                Some(Expression::StringLiteral(at)) if at.value.is_empty() || at.value.contains('"') => {
                    self.of(object).taken_apart()
                }
                _ => self.of(object),
            },
            "map" => callback().map(|callee| self.of_result(callee, &[self.of_elements(object)])).unwrap_or_default(),
            "flatMap" => callback()
                .map(|callee| {
                    self.of_returned(callee, &[self.of_elements(object)], &|value| {
                        self.of(value).union(self.of_elements(value))
                    })
                })
                .unwrap_or_default(),
            "filter" | "slice" | "reverse" | "sort" | "flat" | "toSorted" | "toReversed" | "fill" => {
                self.of_elements(object)
            }
            "concat" => arguments(call).fold(self.of_elements(object), |found, value| {
                found.union(self.of(value)).union(self.of_elements(value))
            }),
            "of" if self.tree.is_global(object, "Array") => self.of_any(arguments(call)),
            "from" if self.tree.is_global(object, "Array") => {
                arguments(call).next().map_or_else(Interpolation::default, |list| self.of_elements(list))
            }
            _ => Interpolation::default(),
        }
    }

    /// What a parameter may hold, from all calls of its function that are seen.
    pub(super) fn of_parameter(&self, symbol: SymbolId) -> Interpolation {
        let nodes = self.tree.semantic.nodes();
        let declaration = self.tree.scoping().symbol_declaration(symbol);
        let mut around = nodes.ancestor_ids(declaration);
        let is_function = |kind| matches!(kind, AstKind::Function(_) | AstKind::ArrowFunctionExpression(_));
        let Some(id) = around.find(|id| is_function(nodes.kind(*id))) else { return Interpolation::default() };
        let callee = match nodes.kind(id) {
            AstKind::Function(function) => Callee::Function(function),
            AstKind::ArrowFunctionExpression(arrow) => Callee::Arrow(arrow),
            _ => return Interpolation::default(),
        };
        let Some(index) = callee.names().position(|(name, _)| name == Some(symbol)) else {
            return Interpolation::default();
        };
        if !self.charge_uses(symbol) || self.is_escaped(symbol) {
            return Interpolation::default();
        }
        let own = nodes.kind(id).span();
        let name = match nodes.parent_kind(id) {
            // `list.forEach(function (item) { … })`
            AstKind::CallExpression(call) => return self.of_callback(call, own, index),
            AstKind::Argument(_) => match nodes.ancestor_kinds(id).nth(1) {
                Some(AstKind::CallExpression(call)) => return self.of_callback(call, own, index),
                _ => None,
            },
            AstKind::ParenthesizedExpression(_) => match nodes.ancestor_kinds(id).nth(1) {
                Some(AstKind::CallExpression(call)) => return self.argument_of(call, index),
                _ => None,
            },
            AstKind::VariableDeclarator(declarator) => match &declarator.id.kind {
                BindingPatternKind::BindingIdentifier(name) => name.symbol_id.get(),
                _ => None,
            },
            _ => match callee {
                Callee::Function(function) => function.id.as_ref().and_then(|name| name.symbol_id.get()),
                Callee::Arrow(_) => None,
            },
        };
        let references = name.into_iter().flat_map(|name| self.tree.scoping().get_resolved_references(name));
        references.fold(Interpolation::default(), |found, reference| match nodes.parent_kind(reference.node_id()) {
            AstKind::CallExpression(call) if call.callee.span() == nodes.kind(reference.node_id()).span() => {
                found.union(self.argument_of(call, index))
            }
            _ => found,
        })
    }

    fn of_callback(&self, call: &'t CallExpression<'a>, function: Span, index: usize) -> Interpolation {
        if call.callee.span() == function {
            return self.argument_of(call, index);
        }
        match call.callee.without_parentheses() {
            Expression::StaticMemberExpression(member)
                if index == 0 && matches!(member.property.name.as_str(), "forEach" | "map" | "flatMap" | "filter") =>
            {
                self.of_elements(&member.object)
            }
            _ => Interpolation::default(),
        }
    }

    fn argument_of(&self, call: &'t CallExpression<'a>, index: usize) -> Interpolation {
        let argument = call.arguments.get(index).and_then(Argument::as_expression);
        argument.map_or_else(Interpolation::default, |argument| self.of(argument))
    }

    fn arguments(&self, call: &'t CallExpression<'a>) -> Vec<Interpolation> {
        let all = call.arguments.iter();
        all.map(|argument| match argument {
            Argument::SpreadElement(spread) => self.of_elements(&spread.argument),
            other => other.as_expression().map_or_else(Interpolation::default, |value| self.of(value)),
        })
        .collect()
    }

    /// The function of the script that is called.
    fn callee(&self, callee: &'t Expression<'a>) -> Option<Callee<'t, 'a>> {
        match callee.without_parentheses() {
            Expression::StaticMemberExpression(member) => {
                Callee::of(self.property(&member.object, &member.property.name)?)
            }
            other => self.function(other),
        }
    }

    /// The function that an expression is.
    fn function(&self, expression: &'t Expression<'a>) -> Option<Callee<'t, 'a>> {
        let Expression::Identifier(name) = expression.without_parentheses() else { return Callee::of(expression) };
        let symbol = self.tree.symbol(name).filter(|symbol| self.charge_uses(*symbol))?;
        let declaration = self.tree.scoping().symbol_declaration(symbol);
        if let AstKind::Function(function) = self.tree.semantic.nodes().kind(declaration) {
            return Some(Callee::Function(function));
        }
        match *self.tree.writes(symbol)? {
            [Write::Set(value)] => Callee::of(value),
            _ => None,
        }
    }

    fn of_result(&self, callee: Callee<'t, 'a>, arguments: &[Interpolation]) -> Interpolation {
        self.of_returned(callee, arguments, &|value| self.of(value))
    }

    /// What `of` gives for the values that a function returns for these arguments.
    fn of_returned(
        &self,
        callee: Callee<'t, 'a>,
        arguments: &[Interpolation],
        of: &dyn Fn(&'t Expression<'a>) -> Interpolation,
    ) -> Interpolation {
        let Some(body) = callee.body() else { return Interpolation::default() };
        let mut bound = Vec::new();
        for (index, (name, default)) in callee.names().enumerate() {
            let Some(name) = name else { continue };
            let argument = arguments.get(index).cloned().unwrap_or_default();
            let default = default.map_or_else(Interpolation::default, |default| self.of(default));
            let value = argument.union(default);
            bound.push((
                name,
                if !self.charge_uses(name) || self.is_escaped(name) { Interpolation::default() } else { value },
            ));
        }
        if self.is_repeated(body.span, &bound) {
            return Interpolation::default();
        }
        self.calls.borrow_mut().push(body.span);
        // A recursive call replaces the parameters of the one around it until it returns.
        let replaced: Vec<_> =
            bound.into_iter().map(|(name, value)| (name, self.parameters.borrow_mut().insert(name, value))).collect();
        let found = match (callee, body.statements.as_slice()) {
            (Callee::Arrow(arrow), [Statement::ExpressionStatement(only)]) if arrow.expression => of(&only.expression),
            _ => self.deeper(|| {
                let returned = self.tree.returned_by(body.span);
                returned.into_iter().fold(Interpolation::default(), |found, value| found.union(of(value)))
            }),
        };
        for (name, before) in replaced {
            match before {
                Some(before) => _ = self.parameters.borrow_mut().insert(name, before),
                None => _ = self.parameters.borrow_mut().remove(&name),
            }
        }
        self.calls.borrow_mut().pop();
        found
    }

    /// Whether a call is recursive with the arguments of the call around it, so that it adds nothing.
    fn is_repeated(&self, body: Span, bound: &[(SymbolId, Interpolation)]) -> bool {
        let parameters = self.parameters.borrow();
        self.calls.borrow().contains(&body)
            && bound.iter().all(|(name, value)| parameters.get(name).is_some_and(|before| before == value))
    }

    /// Whether a parameter is set in its function, probably to its own value, escaped.
    fn is_escaped(&self, symbol: SymbolId) -> bool {
        let mut writes = self.tree.scoping().get_resolved_references(symbol).filter(|reference| reference.is_write());
        writes.any(|reference| match self.tree.write(reference.node_id()) {
            Some(Write::Set(value)) => {
                !matches!(value, Expression::LogicalExpression(_) | Expression::StringLiteral(_))
            }
            _ => false,
        })
    }
}

fn arguments<'t, 'a>(call: &'t CallExpression<'a>) -> impl Iterator<Item = &'t Expression<'a>> {
    call.arguments.iter().filter_map(Argument::as_expression)
}
