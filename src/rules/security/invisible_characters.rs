use unicode_script::UnicodeScript;

use crate::diagnostic::{FileId, Severity, quote};
use crate::facts::{Context, Disguise, DisguiseKind, Place, of_name, of_placeholder, of_script};
use crate::graph::Analysis;
use crate::model::{Activity, Kind, Member};
use crate::rules::{Cause, Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF909",
    name: "invisible-characters",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF909-invisible-characters.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (file, name) in names(cx) {
        let Some((node, name)) = name.known() else { continue };
        if let Some(found) = of_name(name) {
            tell(out, &Place::value(file, node), "this name", name, &found);
        }
    }
    for (analysis, activity) in cx.activities() {
        match &activity.kind {
            Kind::Assign(assign) => placeholder(analysis, &assign.body, out),
            Kind::Code(code) => script(analysis.file, &code.script, out),
            _ => {}
        }
    }
    for form in &cx.model.forms {
        for field in &form.form.fields {
            for text in &field.scripts {
                script(form.file, text, out);
            }
        }
    }
}

/// The names that documents give. Those that they refer to are told where they are given, or by the
/// rules on unknown names.
fn names<'c>(cx: &'c Context<'_>) -> Vec<(FileId, &'c Member<&'c str>)> {
    let mut names = Vec::new();
    for (analysis, activity) in cx.activities() {
        names.push((analysis.file, &activity.name));
        names.extend(own_parameters(analysis, activity).into_iter().map(|name| (analysis.file, name)));
    }
    let variables =
        cx.variable_lists().flat_map(|(file, list)| list.iter().map(move |variable| (file, &variable.name)));
    let forms = cx.model.forms.iter();
    let fields = forms.flat_map(|form| form.form.fields.iter().map(|field| (form.file, &field.name)));
    names.into_iter().chain(variables).chain(fields).collect()
}

/// The names of parameters that the author gives. One that a known method declares is told by WF204
/// when it is another.
fn own_parameters<'c>(analysis: &'c Analysis<'_>, activity: &'c Activity<'_>) -> Vec<&'c Member<&'c str>> {
    match &activity.kind {
        Kind::Provider(provider) => {
            let outputs = analysis.effects(activity.id).and_then(|effects| effects.provider.as_deref());
            let is_known = outputs.is_some_and(|outputs| outputs.method.is_some());
            let declared = provider.declared().filter(|_| !is_known);
            declared.chain(provider.additional()).map(|parameter| &parameter.name).collect()
        }
        Kind::Code(code) => code.parameters.get().into_iter().flatten().map(|parameter| &parameter.name).collect(),
        _ => Vec::new(),
    }
}

/// A placeholder; one that names a variable is told at the variable.
fn placeholder(analysis: &Analysis<'_>, body: &Member<&str>, out: &mut Reporter<'_>) {
    let Some((node, body)) = body.known() else { return };
    let is_told = |name: &str| analysis.scope.declarations.variable(name).is_some();
    if let Some(found) = of_placeholder(body, is_told) {
        tell(out, &Place::inside(analysis.file, node, found.part.clone()), "this placeholder", body, &found);
    }
}

fn script(file: FileId, script: &Member<&str>, out: &mut Reporter<'_>) {
    let Some((node, text)) = script.known() else { return };
    if let Some(found) = of_script(text) {
        tell(out, &Place::inside(file, node, found.part.clone()), "this script", text, &found);
    }
}

fn tell(out: &mut Reporter<'_>, place: &Place, it: &str, text: &str, found: &Disguise) {
    let code = |letter: char| format!("U+{:04X}", u32::from(letter));
    match found.kind {
        DisguiseKind::Control(character) => out.report(place, format!(
                "{it} holds the invisible character {}, which turns the direction of the text: what one sees is not what the platform reads",
                code(character)
            )).help("take the character out, or type the text anew").explains(Cause::Node(place.file, place.node)),
        DisguiseKind::Mixed { usual, odd } => out.report(place, format!(
                "{} in {it} looks like one word, but mixes {} and {} letters: its {} is {}, so it equals no word that is typed",
                quote(text.get(found.part.clone()).unwrap_or_default()),
                usual.full_name(),
                odd.script().full_name(),
                quote(&odd.to_string()),
                code(odd),
            )).help("type the word anew, with letters of one script").explains(Cause::Node(place.file, place.node)),
    };
}
