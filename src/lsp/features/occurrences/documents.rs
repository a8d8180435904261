//! The occurrences of names in workflows and forms.

use super::occurrence::Occurrence;
use crate::collections::HashSet;
use crate::diagnostic::FileId;
use crate::document::{Document, NodeId};
use crate::facts::{
    Access, AnalyzedService, NameKind, VariableName, code_names, form_script_names, output_sites, variable_names,
};
use crate::lsp::features::snapshot::FileSpan;
use crate::lsp::features::symbol::{Role, Symbol};
use crate::model::Member;
use crate::source::Span;

/// The names outside of scripts.
pub fn names(service: &AnalyzedService<'_>) -> Vec<Occurrence> {
    let mut found: Vec<Occurrence> = variable_names(service).iter().map(occurrence).collect();
    for (analysis, activity) in service.activities() {
        let at = (analysis.file, analysis.document);
        add(&mut found, at, activity.name, Role::Declaration, |name| Some(Symbol::Activity(name.to_owned())));
        if let Some(approval) = activity.approval() {
            let form = |name: &str| Some(Symbol::Document(service.model.form(name)?.file));
            add(&mut found, at, approval.form, Role::Mention, form);
        }
        if let Some(provider) = activity.provider() {
            add(&mut found, at, provider.method, Role::Mention, |name| Some(Symbol::Method(name.to_owned())));
        }
    }
    for form in &service.model.forms {
        for field in &form.form.fields {
            let at = (form.file, form.document);
            add(&mut found, at, field.name, Role::Declaration, |name| Some(Symbol::Field(name.to_owned())));
        }
    }
    let documents = service.files.iter().map(|file| Occurrence {
        symbol: Symbol::Document(file.id),
        place: FileSpan { file: file.id, span: Span::new(0, 0) },
        role: Role::Declaration,
    });
    found.extend(documents);
    found
}

fn add<'d>(
    found: &mut Vec<Occurrence>,
    (file, document): (FileId, &Document),
    name: Member<&'d str>,
    role: Role,
    symbol: impl Fn(&'d str) -> Option<Symbol>,
) {
    if let Some((node, &name)) = name.known()
        && let Some(symbol) = symbol(name)
    {
        let place = FileSpan { file, span: document.span_inside(node, 0..name.len()) };
        found.push(Occurrence { symbol, place, role });
    }
}

/// The calls that write a variable.
pub fn outputs(service: &AnalyzedService<'_>, name: &str) -> Vec<Occurrence> {
    let writing = output_sites(service).filter(|site| site.writes(name));
    let occurrence = |file: FileId, span: Span| Occurrence {
        symbol: Symbol::Variable(name.to_owned()),
        place: FileSpan { file, span },
        role: Role::Output,
    };
    writing.map(|site| occurrence(site.file, site.span)).collect()
}

/// The uses of a variable in scripts.
pub fn script_names(service: &AnalyzedService<'_>, name: &str) -> Vec<Occurrence> {
    let codes = service.codes().flat_map(|site| code_names(&site, |variable| variable == name));
    let wanted: HashSet<&str> = declared(service).into_iter().filter(|known| *known == name).collect();
    let forms = service.form_scripts().flat_map(|script| form_script_names(&script, &wanted));
    codes.chain(forms).map(|found| occurrence(&found)).collect()
}

/// The uses of variables in the script at an offset.
pub fn script_names_at(service: &AnalyzedService<'_>, file: FileId, offset: u32) -> Vec<Occurrence> {
    let is_in = |document: &Document, node: NodeId| {
        let span = document.span(node);
        span.start < offset && offset < span.end
    };
    let codes = service.codes().filter(|site| site.analysis.file == file);
    if let Some(site) = codes.into_iter().find(|site| is_in(site.analysis.document, site.node)) {
        return code_names(&site, |_| true).iter().map(occurrence).collect();
    }
    let mut scripts = service.form_scripts().filter(|script| script.form.file == file);
    let Some(script) = scripts.find(|script| is_in(script.form.document, script.node)) else { return Vec::new() };
    form_script_names(&script, &declared(service)).iter().map(occurrence).collect()
}

/// The names of all declared variables.
fn declared<'a>(service: &AnalyzedService<'a>) -> HashSet<&'a str> {
    service.variable_lists().flat_map(|(_, list)| list).filter_map(|variable| variable.name.value()).collect()
}

fn occurrence(found: &VariableName<'_>) -> Occurrence {
    let role = match (found.kind, found.access) {
        (NameKind::Declaration, _) => Role::Declaration,
        (NameKind::FormDeclaration, _) => Role::FormDeclaration,
        (_, Access::None) => Role::Mention,
        (_, Access::Read) => Role::Read,
        (_, Access::Write) => Role::Write,
        (_, Access::Both) => Role::Both,
    };
    let place = FileSpan { file: found.file, span: found.span };
    Occurrence { symbol: Symbol::Variable(found.name.to_owned()), place, role }
}
