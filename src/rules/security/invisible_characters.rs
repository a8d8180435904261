use unicode_script::UnicodeScript;

use crate::facts::{Context, Place, Spoofing, SpoofingKind};
use crate::graph::Analysis;
use crate::model::{Activity, ActivityKind, Assign, Member};
use crate::rules::{Cause, Draft, Reporter, Rule};
use crate::text::diagnostic::FileId;
use crate::text::quote;

pub const RULE: Rule = rule!("WF909-invisible-characters", Warning, check);

/// A name where it is declared.
struct DeclaredName<'c> {
    file: FileId,
    name: &'c Member<&'c str>,
    /// The kind of element that has the name.
    element: &'static str,
}

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for declared in declared_names(cx) {
        let Some((node, name)) = declared.name.known() else { continue };
        if let Some(found) = Spoofing::in_name(name) {
            let shown = format!("{} name {}", declared.element, quote(&Spoofing::without_controls(name)));
            report(&Place::value(declared.file, node), &found, &shown, out);
        }
    }
    for (analysis, activity) in cx.activities() {
        if let ActivityKind::Assign(assign) = &activity.kind {
            check_placeholders(analysis, activity, assign, out);
        }
    }
    for site in cx.codes() {
        let Some(found) = Spoofing::in_script(site.text) else { continue };
        let script = format!("the script of {}", site.activity.display_name());
        report(&site.inside(found.range.clone()), &found, &in_text(&found, site.text, &script), out);
    }
    for site in cx.form_scripts() {
        let Some(found) = Spoofing::in_script(site.text) else { continue };
        let field = site.field_display_name();
        let place = site.inside(found.range.clone());
        report(&place, &found, &in_text(&found, site.text, &format!("`{}` of {field}", site.member)), out);
    }
}

/// References to names are not checked: rules about undefined names report those.
fn declared_names<'c>(cx: &'c Context<'_>) -> impl Iterator<Item = DeclaredName<'c>> {
    let of_activities = cx.activities().flat_map(|(analysis, activity)| {
        let file = analysis.file;
        let parameters = own_parameters(analysis, activity).into_iter();
        let parameters = parameters.map(move |name| DeclaredName { file, name, element: "parameter" });
        std::iter::once(DeclaredName { file, name: &activity.name, element: "activity" }).chain(parameters)
    });
    let of_variables = cx.variable_lists().flat_map(|(file, list)| {
        list.iter().map(move |variable| DeclaredName { file, name: &variable.name, element: "variable" })
    });
    let of_fields = cx.model.forms.iter().flat_map(|form| {
        form.form.fields.iter().map(|field| DeclaredName { file: form.file, name: &field.name, element: "field" })
    });
    of_activities.chain(of_variables).chain(of_fields)
}

/// The names of parameters that the author chose, not those that a known method declares.
fn own_parameters<'c>(analysis: &'c Analysis<'_>, activity: &'c Activity<'_>) -> Vec<&'c Member<&'c str>> {
    match &activity.kind {
        ActivityKind::Provider(provider) => {
            let outputs = analysis.effects(activity.id).and_then(|effects| effects.provider.as_deref());
            let is_known = outputs.is_some_and(|outputs| outputs.method.is_some());
            let declared = provider.declared().filter(|_| !is_known);
            declared.chain(provider.additional()).map(|parameter| &parameter.name).collect()
        }
        ActivityKind::Code(code) => {
            code.parameters.get().into_iter().flatten().map(|parameter| &parameter.name).collect()
        }
        _ => Vec::new(),
    }
}

/// Checks the placeholders that name no variable: others are reported where the variable is declared.
fn check_placeholders(analysis: &Analysis<'_>, activity: &Activity<'_>, assign: &Assign<'_>, out: &mut Reporter<'_>) {
    let Some((node, body)) = assign.body.known() else { return };
    let is_declared = |name: &str| analysis.scope.declarations.variable(name).is_some();
    let Some(found) = Spoofing::in_placeholder(body, is_declared) else { return };
    let place = Place::inside(analysis.file, node, found.range.clone());
    let shown = format!("a placeholder of {}", activity.display_name());
    let mut draft = report(&place, &found, &in_text(&found, body, &shown), out);
    // One finding for each body: it explains all of its placeholders that name no variable because of their letters.
    draft.cause(Cause::Node(analysis.file, node));
    for placeholder in analysis.scope.placeholders_of(assign) {
        if !is_declared(placeholder.name) && Spoofing::in_name(placeholder.name).is_some() {
            draft.cause(Cause::Part(analysis.file, node, placeholder.range.start));
        }
    }
}

/// The description of a part of a string in a message: the word, if there is one, and the string.
fn in_text(found: &Spoofing, text: &str, shown: &str) -> String {
    match found.kind {
        SpoofingKind::BidiControl(_) => shown.to_owned(),
        SpoofingKind::MixedScripts { .. } => {
            format!("{} in {shown}", quote(text.get(found.range.clone()).unwrap_or_default()))
        }
    }
}

fn report<'o>(place: &Place, found: &Spoofing, shown: &str, out: &'o mut Reporter<'_>) -> Draft<'o> {
    let code_point = |letter: char| format!("U+{:04X}", u32::from(letter));
    let (message, help) = match found.kind {
        SpoofingKind::BidiControl(character) => {
            (format!("invisible character {} in {shown}", code_point(character)), "delete the character")
        }
        SpoofingKind::MixedScripts { most_common, foreign } => {
            let (most_common, other) = (most_common.full_name(), foreign.script().full_name());
            let (letter, code_point) = (quote(&foreign.to_string()), code_point(foreign));
            let message = format!("mixed {most_common} and {other} letters in {shown}: {letter} is {code_point}");
            (message, "type the word again, in letters of one script")
        }
    };
    let mut draft = out.report(place, message);
    draft.help(help);
    draft
}
