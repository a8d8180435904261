//! The calls of methods that no catalog has.

use std::sync::Arc;

use crate::catalog::ValueType;
use crate::document::{Document, NodeId};
use crate::facts::{AnalyzedService, InferredOutputs, ProviderSite, fits, inferred_outputs};
use crate::graph::{Analysis, Prefix};
use crate::model::Parameter;
use crate::project::{Content, File, Overrides, Project, Service, ServiceModel};
use crate::text::diagnostic::FileId;
use crate::text::suggest::Suggester;

/// What a service shows.
#[derive(Default)]
pub(super) struct Observed {
    /// With the name of the method, in the order of the text.
    pub calls: Vec<(String, Call)>,
    pub unreadable: Vec<String>,
    pub workflows: usize,
}

/// A call of an unknown method.
#[derive(Debug)]
pub(super) struct Call {
    /// `file:line:column`.
    pub place: String,
    pub file: FileId,
    /// The JSON Pointer of the activity.
    pub pointer: String,
    pub method_id: Option<i64>,
    pub package: Option<String>,
    pub module: Option<String>,
    pub declared: Vec<SeenParameter>,
    pub additional: Vec<SeenParameter>,
    /// `None` if it is bound to a variable or cannot be read.
    pub prefix: Option<String>,
    pub outputs: Arc<InferredOutputs>,
    /// The variables that it can write, sorted; `None` if they are not all declared.
    pub variables: Option<Arc<Vec<String>>>,
    /// The known method that was probably meant.
    pub near: Option<String>,
}

/// A parameter, as one call shows it.
#[derive(Debug)]
pub(super) struct SeenParameter {
    /// `file:line:column`.
    pub place: String,
    pub name: String,
    pub description: Option<String>,
    /// `providerParameterType`
    pub value_type: Option<String>,
    pub required: Option<bool>,
    /// The types that its literal is not of.
    pub misfits: Vec<ValueType>,
    /// Whether it is bound to a file variable; `None` if it is not bound to a declared one.
    pub takes_file: Option<bool>,
}

pub(super) fn observe(project: &Project, service: &Service) -> Observed {
    let Some(config) = project.configs.get(service.config) else { return Observed::default() };
    let read = project.read(service, &Overrides::new());
    let mut observed = Observed {
        unreadable: read.unreadable.iter().map(|(_, reason)| reason.clone()).collect(),
        ..Observed::default()
    };
    for file in read.files.iter().filter(|file| file.reported) {
        match &file.content {
            Content::Document(..) | Content::Unrelated(_) | Content::Resembling(..) => {}
            Content::Invalid(_) | Content::OtherEncoding(_) | Content::NotUtf8(_) | Content::TooLarge(_) => {
                let reason = file.workflow().err().unwrap_or_default();
                observed.unreadable.push(format!("cannot read the calls of {}: {reason}", file.source.name));
            }
        }
    }
    let files: Vec<&File> = read.files.iter().collect();
    let suggester = Suggester::default();
    let model = ServiceModel::new(&files, config);
    let analyzed = AnalyzedService::new(files, config, &model, &suggester, None);
    for analysis in &analyzed.workflows {
        let Some(file) = analyzed.file(analysis.file).filter(|file| file.reported) else { continue };
        observed.workflows += 1;
        let outputs = inferred_outputs(&analyzed, analysis);
        let mut variables = None;
        for site in ProviderSite::of(analysis).filter(|site| site.outputs.method.is_none()) {
            let Some(name) = site.provider.method.value().filter(|name| !name.is_empty()) else { continue };
            let variables = variables.get_or_insert_with(|| variables_of(analysis)).clone();
            let outputs = outputs.get(&site.activity.id).cloned().unwrap_or_default();
            let call = Call { outputs, variables, near: near(&analyzed, &site, name), ..call(file, &site) };
            observed.calls.push((name.to_owned(), call));
        }
    }
    observed
}

/// The names of the declared variables, sorted.
fn variables_of(analysis: &Analysis<'_>) -> Option<Arc<Vec<String>>> {
    let declarations = &analysis.scope.declarations;
    if !declarations.are_there || declarations.are_incomplete {
        return None;
    }
    let mut names: Vec<String> = declarations.names().map(str::to_owned).collect();
    names.sort_unstable();
    Some(Arc::new(names))
}

fn near(service: &AnalyzedService<'_>, site: &ProviderSite<'_, '_>, name: &str) -> Option<String> {
    let module = site.provider.module.value();
    let of_module = |known: &Option<String>| known.is_none() || known.as_deref() == module;
    let known = service.config.catalog.methods.iter().filter(|method| of_module(&method.module));
    // Another verb is another method.
    let verb = |name: &str| name.split_once('-').map(|(verb, _)| verb.to_lowercase());
    let near = service.suggester.nearest(name, known.map(|method| method.name.as_str()))?;
    (verb(near) == verb(name)).then(|| near.to_owned())
}

fn call(file: &File, site: &ProviderSite<'_, '_>) -> Call {
    let provider = site.provider;
    let text = |text: Option<&str>| text.filter(|text| !text.is_empty()).map(str::to_owned);
    let seen = |parameter: &Parameter<'_>| seen(file, site, parameter);
    Call {
        place: place(file, site.analysis.document, provider.method.node().unwrap_or(site.activity.node)),
        file: site.analysis.file,
        pointer: site.analysis.document.pointer(site.activity.node),
        method_id: provider.method_id.value(),
        package: text(provider.package.value()),
        module: text(provider.module.value()),
        declared: provider.declared().filter_map(seen).collect(),
        additional: provider.additional().filter_map(seen).collect(),
        prefix: match site.outputs.prefix {
            Prefix::Static(prefix) if provider.lists_are_known() => Some(prefix.to_owned()),
            Prefix::Static(_) | Prefix::Dynamic => None,
        },
        outputs: Arc::default(),
        variables: None,
        near: None,
    }
}

fn seen(file: &File, site: &ProviderSite<'_, '_>, parameter: &Parameter<'_>) -> Option<SeenParameter> {
    let document = site.analysis.document;
    let name = parameter.name.value().filter(|name| !name.is_empty())?;
    let description = document.member(parameter.node, "description").and_then(|node| document.string(node));
    let target = parameter.value.get().and_then(|binding| binding.target());
    let variable = target.and_then(|(_, name)| site.analysis.scope.declarations.variable(name));
    Some(SeenParameter {
        place: place(file, document, parameter.name.node().unwrap_or(parameter.node)),
        name: name.to_owned(),
        description: description.filter(|text| !text.trim().is_empty()).map(str::to_owned),
        value_type: parameter.value_type.value().filter(|word| !word.is_empty()).map(str::to_owned),
        required: parameter.required.value(),
        misfits: misfits(parameter),
        takes_file: variable.map(|declared| declared.variable.is_file()),
    })
}

fn misfits(parameter: &Parameter<'_>) -> Vec<ValueType> {
    let literal = parameter.value.get().and_then(|binding| binding.literal());
    let literal = literal.map(|(_, literal)| literal).filter(|literal| !literal.is_empty());
    let types = [ValueType::String, ValueType::Decimal, ValueType::Boolean].into_iter();
    types.filter(|wanted| literal.is_some_and(|literal| !fits(literal, *wanted))).collect()
}

fn place(file: &File, document: &Document, node: NodeId) -> String {
    let place = file.source.position(document.span(node).start);
    format!("{}:{}:{}", file.source.name, place.line, place.column)
}
