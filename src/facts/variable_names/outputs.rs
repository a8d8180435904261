//! The outputs of provider calls, whose prefix and property make up the name of a variable.

use crate::diagnostic::FileId;
use crate::facts::provider_site::ProviderSite;
use crate::facts::service::AnalyzedService;
use crate::graph::{Analysis, Prefix, ProviderOutputs};
use crate::model::{Activity, Provider};
use crate::source::Span;

/// A provider call, and where its outputs come from.
pub struct OutputSite<'c, 'a> {
    pub file: FileId,
    pub analysis: &'c Analysis<'a>,
    pub activity: &'c Activity<'a>,
    pub provider: &'c Provider<'a>,
    pub outputs: &'c ProviderOutputs<'a>,
    /// The static prefix without its quotes; of a call without one, its `method`, otherwise its name.
    pub span: Span,
}

impl OutputSite<'_, '_> {
    /// Whether it certainly writes the variable.
    pub fn writes(&self, name: &str) -> bool {
        self.outputs.outputs.iter().any(|output| output.name == name)
    }

    /// The static prefix, if it is not empty.
    pub fn prefix(&self) -> Option<&str> {
        match self.outputs.prefix {
            Prefix::Static(prefix) if !prefix.is_empty() => Some(prefix),
            _ => None,
        }
    }
}

/// The calls of all workflows, in the order of the text.
pub fn output_sites<'c, 'a>(service: &'c AnalyzedService<'a>) -> impl Iterator<Item = OutputSite<'c, 'a>> {
    service.providers().map(|ProviderSite { analysis, activity, provider, outputs, .. }| {
        let document = analysis.document;
        let prefix = match outputs.prefix {
            Prefix::Static(prefix) if !prefix.is_empty() => outputs.prefix_node.map(|node| (node, prefix)),
            _ => None,
        };
        let place = prefix.or_else(|| provider.method.known().map(|(node, &method)| (node, method)));
        let span = place.map(|(node, text)| document.span_inside(node, 0..text.len()));
        let span = span.unwrap_or_else(|| document.anchor(activity.node));
        OutputSite { file: analysis.file, analysis, activity, provider, outputs, span }
    })
}
