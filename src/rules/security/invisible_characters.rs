use std::collections::BTreeSet;

use unicode_script::UnicodeScript;

use crate::document::{Document, NodeId};
use crate::facts::{
    CodeSite, Context, NameKind, Place, Spoofing, SpoofingKind, node_and_copy, part_edit, renaming, variable_names,
};
use crate::graph::Analysis;
use crate::model::{Activity, ActivityKind, Assign, Member, Variable};
use crate::project::FormDocument;
use crate::rules::{Cause, Draft, Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, Edit, FileId};
use crate::text::{json_inside, quote};

pub const RULE: Rule = rule!("WF909-invisible-characters", Warning, check, fixes: Fixes::Unsafe);

const SCRIPT_TITLE: &str = "replace the letters by those that they look like, and remove what is invisible";

/// A name where it is declared.
struct DeclaredName<'c> {
    file: FileId,
    name: &'c Member<&'c str>,
    /// The kind of element that has the name.
    element: &'static str,
    owner: Owner<'c>,
}

/// Where the other places are that have a name, which a fix changes too.
enum Owner<'c> {
    /// Of the name of an activity, or of a parameter.
    Activity(&'c Analysis<'c>, &'c Activity<'c>),
    /// Of a field.
    Form(&'c FormDocument<'c>),
    /// Of a variable.
    Service,
}

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for declared in declared_names(cx) {
        let Some((node, name)) = declared.name.known() else { continue };
        if let Some(found) = Spoofing::in_name(name) {
            let shown = format!("{} name {}", declared.element, quote(&Spoofing::without_controls(name)));
            let mut draft = report(&Place::value(declared.file, node), &found, &shown, out);
            if let Some(new) = Spoofing::repaired_name(name) {
                let edits = name_edits(cx, &declared, node, name, &new).unwrap_or_default();
                draft.fix(Applicability::Unsafe, format!("rename it to {}", quote(&new)), edits);
            }
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
        let mut draft = report(&site.inside(found.range.clone()), &found, &in_text(&found, site.text, &script), out);
        draft.fix(Applicability::Unsafe, SCRIPT_TITLE, code_edits(&site).unwrap_or_default());
    }
    for site in cx.form_scripts() {
        let Some(found) = Spoofing::in_script(site.text) else { continue };
        let field = site.field_display_name();
        let place = site.inside(found.range.clone());
        let shown = format!("`{}` of {field}", site.member);
        let mut draft = report(&place, &found, &in_text(&found, site.text, &shown), out);
        draft.fix(Applicability::Unsafe, SCRIPT_TITLE, form_edits(cx, site.form).unwrap_or_default());
    }
}

/// References to names are not checked: rules about undefined names report those.
fn declared_names<'c>(cx: &'c Context<'_>) -> impl Iterator<Item = DeclaredName<'c>> {
    let of_activities = cx.activities().flat_map(|(analysis, activity)| {
        let declared = move |name, element| DeclaredName {
            file: analysis.file,
            name,
            element,
            owner: Owner::Activity(analysis, activity),
        };
        let parameters = own_parameters(analysis, activity).into_iter();
        let parameters = parameters.map(move |name| declared(name, "parameter"));
        std::iter::once(declared(&activity.name, "activity")).chain(parameters)
    });
    let of_variables = cx.variable_lists().flat_map(|(file, list)| {
        let declared = move |name| DeclaredName { file, name, element: "variable", owner: Owner::Service };
        list.iter().map(move |variable| declared(&variable.name))
    });
    let of_fields = cx.model.forms.iter().flat_map(|form| {
        let declared = |name| DeclaredName { file: form.file, name, element: "field", owner: Owner::Form(form) };
        form.form.fields.iter().map(move |field| declared(&field.name))
    });
    of_activities.chain(of_variables).chain(of_fields)
}

/// The edits that give a declared name other letters, wherever the service uses it.
fn name_edits(cx: &Context<'_>, declared: &DeclaredName<'_>, node: NodeId, old: &str, new: &str) -> Option<Vec<Edit>> {
    let named = |document: &Document, node| part_edit(document, declared.file, node, 0..old.len(), new);
    match declared.owner {
        Owner::Activity(analysis, activity) => match cx.code_site(analysis, activity) {
            Some(site) if declared.element == "parameter" => code_edits(&site),
            _ => Some(node_and_copy(analysis, activity, node).map(|node| named(analysis.document, node)).collect()),
        },
        Owner::Form(form) => form_edits(cx, form),
        Owner::Service => {
            let mut lists = cx.variable_lists();
            let has = |name: &str, (_, list): (_, &[Variable<'_>])| list.iter().any(|it| it.name.value() == Some(name));
            if lists.any(|list| has(old, list) && has(new, list)) {
                return None;
            }
            let names = variable_names(cx).into_iter();
            let names = names.filter(|found| found.name == old && found.kind != NameKind::ScriptParameter);
            let edit = |file, span| Edit { file, span, new_text: json_inside(new) };
            Some(names.map(|found| edit(found.file, found.span)).collect())
        }
    }
}

/// The edits of a script, and of the names of its parameters.
fn code_edits(site: &CodeSite<'_, '_>) -> Option<Vec<Edit>> {
    let (document, file) = (site.analysis.document, site.analysis.file);
    let mut edits = script_edits(document, file, site.node, site.text)?;
    for parameter in site.code.parameters.get().into_iter().flatten() {
        if let Some((node, name)) = parameter.name.known().filter(|(_, name)| Spoofing::in_name(name).is_some()) {
            edits.push(part_edit(document, file, node, 0..name.len(), &Spoofing::repaired_name(name)?));
        }
    }
    Some(edits)
}

/// The edits of the names of all fields of a form, and of its scripts.
fn form_edits(cx: &Context<'_>, form: &FormDocument<'_>) -> Option<Vec<Edit>> {
    let mut edits = Vec::new();
    for (node, name) in form.form.fields.iter().filter_map(|field| field.name.known()) {
        if Spoofing::in_name(name).is_some() {
            edits.push(part_edit(form.document, form.file, node, 0..name.len(), &Spoofing::repaired_name(name)?));
        }
    }
    for site in cx.form_scripts().filter(|site| site.form.file == form.file) {
        edits.extend(script_edits(form.document, form.file, site.node, site.text)?);
    }
    Some(edits)
}

fn script_edits(document: &Document, file: FileId, script: NodeId, text: &str) -> Option<Vec<Edit>> {
    let parts = Spoofing::script_repair(text)?.into_iter();
    Some(parts.map(|(part, new)| part_edit(document, file, script, part, &new)).collect())
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
    if let Some(edits) = placeholder_edits(analysis, activity, assign) {
        draft.fix(Applicability::Unsafe, "write the names of the variables", edits);
    }
}

/// The edits of the placeholders that name a declared variable once their letters are right, and of the arrays that repeat
/// the names.
fn placeholder_edits(analysis: &Analysis<'_>, activity: &Activity<'_>, assign: &Assign<'_>) -> Option<Vec<Edit>> {
    let (node, body) = assign.body.known()?;
    let (document, file) = (analysis.document, analysis.file);
    let is_declared = |name: &str| analysis.scope.declarations.variable(name).is_some();
    let listed = || assign.variables.get().into_iter().flatten().filter_map(|entry| entry.target());
    let lists = |wanted: &str| listed().any(|(_, name)| name == wanted);
    let mut edits = Vec::new();
    let mut known = BTreeSet::new();
    for found in analysis.scope.placeholders_of(assign) {
        if is_declared(found.name) || Spoofing::in_name(found.name).is_none() {
            continue;
        }
        let new = Spoofing::repaired_name(found.name).filter(|new| is_declared(new))?;
        edits.push(part_edit(document, file, node, found.range.start + 1..found.range.end - 1, &new));
        if known.insert(found.name) {
            if lists(found.name) && lists(&new) {
                return None;
            }
            let entries = listed().filter(|(_, name)| *name == found.name);
            edits.extend(entries.map(|(node, name)| part_edit(document, file, node, 0..name.len(), &new)));
            edits.extend(renaming(analysis, activity, found.name, &new));
        }
    }
    for (at, letter) in body.char_indices().filter(|(_, letter)| Spoofing::is_invisible(*letter)) {
        let start = body.get(..at).and_then(|before| before.rfind('{'));
        let length = body.get(at..).and_then(|after| after.find('}'));
        let name = start.zip(length).and_then(|(start, length)| body.get(start + 1..at + length));
        if name.is_some_and(|name| is_declared(&Spoofing::without_controls(name))) {
            edits.push(part_edit(document, file, node, at..at + letter.len_utf8(), ""));
        }
    }
    (!edits.is_empty()).then_some(edits)
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
