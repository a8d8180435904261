//! The context of an offset in a document: the node, its binding and its activity.

use crate::catalog::Method;
use crate::document::{Document, NodeId, NodeKind};
use crate::facts::AnalyzedService;
use crate::graph::Analysis;
use crate::model::Activity;
use crate::text::diagnostic::FileId;
use crate::text::source::Span;

/// The innermost value around an offset.
pub fn value_at(document: &Document, offset: u32) -> NodeId {
    let contains = |node: &NodeId| {
        let Span { start, end } = document.span(*node);
        start <= offset && offset <= end
    };
    let mut at = document.root();
    while let Some(inner) = document.children(at).find(contains) {
        at = inner;
    }
    at
}

/// The innermost activity around an offset of a workflow.
pub fn activity_at<'c, 'a>(
    service: &'c AnalyzedService<'a>,
    file: FileId,
    offset: u32,
) -> Option<(&'c Analysis<'a>, &'c Activity<'a>)> {
    let analysis = service.workflows.iter().find(|analysis| analysis.file == file)?;
    let contains = |activity: &&Activity<'_>| {
        let Span { start, end } = analysis.document.span(activity.node);
        start <= offset && offset <= end
    };
    // A parent comes before its children.
    Some((analysis, analysis.workflow.activities.iter().rfind(contains)?))
}

/// The name of a parameter of a provider call.
pub struct ParameterSite<'c> {
    pub name: &'c str,
    pub span: Span,
    pub method: &'c str,
    /// `None` if no catalog has it.
    pub known: Option<&'c Method>,
}

/// The parameter whose name is at an offset.
pub fn parameter_at<'c>(service: &'c AnalyzedService<'_>, file: FileId, offset: u32) -> Option<ParameterSite<'c>> {
    let (analysis, activity) = activity_at(service, file, offset)?;
    let (document, provider) = (analysis.document, activity.provider()?);
    let node = value_at(document, offset);
    let name = document.string(node).filter(|_| document.kind(node) == NodeKind::String)?;
    let list = document.parent(document.parent(node)?)?;
    let is_list = document.key(list).is_some_and(|key| key.ends_with("roviderParameters"));
    if document.key(node) != Some("name") || !is_list || document.parent(list) != Some(activity.node) {
        return None;
    }
    let method = provider.method.value()?;
    let span = document.span_inside(node, 0..name.len());
    Some(ParameterSite { name, span, method, known: service.config.catalog.method(method) })
}
