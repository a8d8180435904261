//! The names and values that a scenario has, and where. A scenario with problems has them, too, if it parses.

use std::sync::Arc;

use super::parse::parse;
use super::tree::{Member, ScenarioSyntax, Shape, SpannedKey, Value};
use crate::text::source::Span;

/// What a name in a scenario refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScenarioNameKind {
    Variable,
    /// A field of the order form.
    Field,
    Activity,
    Method,
    /// An output of a method, without the prefix.
    Output {
        method: String,
    },
    /// A name in backticks in the message of an expected failure, which may be that of a variable.
    InMessage,
    /// The path of a workflow or form, relative to the scenario's folder.
    Document,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScenarioName {
    pub kind: ScenarioNameKind,
    pub name: String,
    /// Without quotes.
    pub span: Span,
}

/// The names, in the order of their kinds; none if the syntax is wrong.
pub fn names(text: &str, syntax: ScenarioSyntax) -> Vec<ScenarioName> {
    let mut names = Names { text, found: Vec::new() };
    if let Ok(root) = parse(text, syntax) {
        names.add_all(&root);
    }
    names.found
}

/// Whether the syntax is right, so that [`names`] are all there are.
pub fn has_valid_syntax(text: &str, syntax: ScenarioSyntax) -> bool {
    parse(text, syntax).is_ok()
}

struct Names<'t> {
    text: &'t str,
    found: Vec<ScenarioName>,
}

impl Names<'_> {
    fn add_all(&mut self, root: &Value) {
        use ScenarioNameKind::{Activity, Document, Field, Method, Variable};
        let has_form = member(root, "form").is_some_and(|form| !form.is_null());
        let expect = member(root, "expect");
        self.keys(member(root, "submit"), &if has_form { Field } else { Variable });
        self.keys(member(root, "variables"), &Variable);
        self.keys(expect.and_then(|expect| member(expect, "variables")), &Variable);
        self.keys(member(root, "approvals"), &Activity);
        self.keys(expect.and_then(|expect| member(expect, "approvals")), &Activity);
        self.keys(member(root, "providers"), &Method);
        self.keys(expect.and_then(|expect| member(expect, "calls")), &Method);
        if let Some(expect) = expect {
            self.message(expect);
        }
        self.outputs(member(root, "providers"));
        let faults = member(root, "faults").map(|faults| &faults.shape);
        let faults = if let Some(Shape::Array(faults)) = faults { faults.as_slice() } else { &[] };
        for method in faults.iter().filter_map(|fault| member(fault, "method")) {
            self.scalar(method, Method);
        }
        for document in ["workflow", "form"].into_iter().filter_map(|key| member(root, key)) {
            self.scalar(document, Document);
        }
    }

    /// The names that the message of a failure has in backticks. That of a refusal names fields.
    fn message(&mut self, expect: &Value) {
        let is_refusal = member(expect, "outcome").and_then(scalar) == Some("refused");
        let kind = if is_refusal { ScenarioNameKind::Field } else { ScenarioNameKind::InMessage };
        let Some((message, span)) = member(expect, "failure").and_then(|value| Some((scalar(value)?, value.span)))
        else {
            return;
        };
        // Skips strings with escapes or line breaks, whose text differs from their value.
        let written = unquoted(self.text, span).filter(|span| self.text.get(span.range()) == Some(message));
        let Some(start) = written.map(|written| written.start as usize) else { return };
        let mut at = 0;
        for (index, part) in message.split('`').enumerate() {
            if index % 2 == 1 && !part.is_empty() {
                let offset = |at: usize| u32::try_from(start + at).unwrap_or(u32::MAX);
                let span = Span::new(offset(at), offset(at + part.len()));
                self.found.push(ScenarioName { kind: kind.clone(), name: part.to_owned(), span });
            }
            at += part.len() + 1;
        }
    }

    fn outputs(&mut self, providers: Option<&Value>) {
        let Some(Shape::Object(methods)) = providers.map(|providers| &providers.shape) else { return };
        for method in methods {
            let Shape::Array(results) = &method.value.shape else { continue };
            let kind = ScenarioNameKind::Output { method: method.key.text.as_ref().to_owned() };
            for result in results {
                self.keys(member(result, "outputs"), &kind);
            }
        }
    }

    fn keys(&mut self, object: Option<&Value>, kind: &ScenarioNameKind) {
        let Some(Shape::Object(members)) = object.map(|object| &object.shape) else { return };
        for SpannedKey { text, span } in members.iter().map(|member| &member.key) {
            self.add(text, *span, kind.clone());
        }
    }

    fn scalar(&mut self, value: &Value, kind: ScenarioNameKind) {
        if let Shape::Scalar(scalar) = &value.shape {
            self.add(&scalar.text, value.span, kind);
        }
    }

    /// Skips values that an alias repeats, because they are not written here.
    fn add(&mut self, name: &str, span: Span, kind: ScenarioNameKind) {
        if let Some(span) = unquoted(self.text, span).filter(|_| !name.is_empty()) {
            self.found.push(ScenarioName { kind, name: name.to_owned(), span });
        }
    }
}

/// The last member with a key.
fn member<'v>(object: &'v Value, key: &str) -> Option<&'v Value> {
    let Shape::Object(members) = &object.shape else { return None };
    members.iter().rfind(|member| &*member.key.text == key).map(|member| &member.value)
}

fn scalar(value: &Value) -> Option<&str> {
    if let Shape::Scalar(scalar) = &value.shape { Some(&scalar.text) } else { None }
}

/// The place of a scalar without its quotes; `None` for an alias or a block of lines.
fn unquoted(text: &str, span: Span) -> Option<Span> {
    let written = text.get(span.range())?;
    match written.as_bytes() {
        [b'"', .., b'"'] | [b'\'', .., b'\''] => Some(Span::new(span.start + 1, span.end - 1)),
        [b'*' | b'|' | b'>' | b'&', ..] => None,
        _ => Some(span),
    }
}

/// The strings, numbers and booleans of the keys for which `is_wanted` holds, wherever they are; `None` if the syntax
/// is wrong. The function also gets whether a key is the name of an output, which may lack its prefix.
pub fn values_of(
    text: &str,
    syntax: ScenarioSyntax,
    is_wanted: &dyn Fn(&str, bool) -> bool,
) -> Option<Vec<(Arc<str>, Span)>> {
    let root = parse(text, syntax).ok()?;
    let mut found = Vec::new();
    add_wanted(&root, false, false, is_wanted, &mut found);
    Some(found)
}

/// Every key, string, number and boolean that is not written as it is read, because of escapes, doubled quotes or line
/// breaks.
pub fn escaped_scalars_of(text: &str, syntax: ScenarioSyntax) -> Vec<(Arc<str>, Span)> {
    let mut found = Vec::new();
    let mut rest: Vec<Value> = parse(text, syntax).into_iter().collect();
    let is_escaped = |read: &str, span: Span| text.get(span.range()).is_some_and(|written| !written.contains(read));
    while let Some(value) = rest.pop() {
        match value.shape {
            Shape::Scalar(scalar) if is_escaped(&scalar.text, value.span) => found.push((scalar.text, value.span)),
            Shape::Scalar(_) => {}
            Shape::Array(values) => rest.extend(values),
            Shape::Object(members) => {
                for Member { key, value } in members {
                    if is_escaped(&key.text, key.span) {
                        found.push((key.text, key.span));
                    }
                    rest.push(value);
                }
            }
        }
    }
    found
}

/// The tree is nested 64 levels at most, by its parsers.
fn add_wanted(
    value: &Value,
    wanted: bool,
    in_outputs: bool,
    is_wanted: &dyn Fn(&str, bool) -> bool,
    found: &mut Vec<(Arc<str>, Span)>,
) {
    match &value.shape {
        Shape::Scalar(scalar) if wanted => found.push((Arc::clone(&scalar.text), value.span)),
        Shape::Scalar(_) => {}
        Shape::Array(values) => values.iter().for_each(|value| add_wanted(value, wanted, false, is_wanted, found)),
        Shape::Object(members) => {
            for Member { key, value } in members {
                let wanted = wanted || is_wanted(&key.text, in_outputs);
                add_wanted(value, wanted, &*key.text == "outputs", is_wanted, found);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, syntax: ScenarioSyntax) -> Vec<String> {
        let shown = |found: ScenarioName| {
            assert_eq!(text.get(found.span.range()), Some(found.name.as_str()));
            format!("{:?} {}", found.kind, found.name)
        };
        names(text, syntax).into_iter().map(shown).collect()
    }

    #[test]
    fn names_in_the_message_of_a_failure_are_those_in_backticks() {
        let text = "expect: { failure: \"é `A` is `B`\" }\n";
        assert_eq!(shown(text, ScenarioSyntax::Yaml), ["InMessage A", "InMessage B"]);
        let text = "expect:\n  outcome: refused\n  failure: '`A` is empty'\n";
        assert_eq!(shown(text, ScenarioSyntax::Yaml), ["Field A"]);
        assert_eq!(shown("expect: { failure: \"\\x20`A`\" }", ScenarioSyntax::Yaml), [""; 0]);
    }

    #[test]
    fn names_are_found_in_every_syntax() {
        let yaml = "workflow: a.json\nsubmit: { \"Ä\": 1 }\nexpect:\n  variables:\n    'B': x\n  approvals: {A: approved}\n\
                    faults: [{ method: M, error: e }]\nproviders: &p {N: [{outputs: {O: 1}}]}\ncalls: *p\n";
        let wanted = [
            "Variable Ä",
            "Variable B",
            "Activity A",
            "Method N",
            "Output { method: \"N\" } O",
            "Method M",
            "Document a.json",
        ];
        assert_eq!(shown(yaml, ScenarioSyntax::Yaml), wanted);
        let json = r#"{"form": "f.json", "submit": {"N": ""}, "variables": {"V": "é"}, "expect": {"calls": {"M": 1}}}"#;
        let wanted = ["Field N", "Variable V", "Method M", "Document f.json"];
        assert_eq!(shown(json, ScenarioSyntax::Json), wanted);
        let toml = "workflow = 'w.json'\n[variables]\nA = 'x'\n\"B\" = 'y'\n[expect.variables]\nC = 1\n";
        let wanted = ["Variable A", "Variable B", "Variable C", "Document w.json"];
        assert_eq!(shown(toml, ScenarioSyntax::Toml), wanted);
    }

    #[test]
    fn values_are_found_below_their_keys() {
        let text = "submit: { A: one, B: two }\nproviders: { M: [{ outputs: { B: [3, x] } }] }\n";
        let is_wanted = |key: &str, is_output: bool| key == if is_output { "B" } else { "A" };
        let found = values_of(text, ScenarioSyntax::Yaml, &is_wanted).unwrap();
        let shown: Vec<(&str, &str)> =
            found.iter().map(|(value, span)| (&**value, text.get(span.range()).unwrap())).collect();
        assert_eq!(shown, [("one", "one"), ("3", "3"), ("x", "x")]);
        assert_eq!(values_of("a: [", ScenarioSyntax::Yaml, &is_wanted), None);
    }
}
