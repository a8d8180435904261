//! New values in a document: how they are written, laid out as their neighbors.

use super::arena::Document;
use super::node::{NodeId, NodeKind};
use crate::text::source::Span;

/// A value to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewValue {
    /// The JSON of a scalar.
    Scalar(String),
    Array(Vec<NewValue>),
    Object(Vec<(String, NewValue)>),
    /// What the document has there.
    Copy(NodeId),
    /// A value that is laid out as that of the document.
    Like(NodeId, Box<NewValue>),
}

impl NewValue {
    /// An object with these members, in their order.
    pub fn object<const N: usize>(members: [(&str, Self); N]) -> Self {
        Self::Object(members.map(|(key, value)| (key.to_owned(), value)).into())
    }
}

impl<T: Into<serde_json::Value>> From<T> for NewValue {
    /// Of a scalar.
    fn from(scalar: T) -> Self {
        Self::Scalar(scalar.into().to_string())
    }
}

/// What is around the children of an array or object.
pub(super) struct Spacing {
    /// After the opening bracket.
    before: String,
    /// With the comma.
    pub between: String,
    /// Before the closing bracket.
    after: String,
}

impl Spacing {
    pub fn filled(&self, kind: NodeKind, texts: &[String]) -> String {
        let (open, close) = if kind == NodeKind::Object { ('{', '}') } else { ('[', ']') };
        if texts.is_empty() {
            return format!("{open}{close}");
        }
        format!("{open}{}{}{}{close}", self.before, texts.join(&self.between), self.after)
    }

    /// As [`Self::filled`], with what is before each child but the first.
    fn filled_between<'g>(&self, kind: NodeKind, texts: &[String], gaps: impl Iterator<Item = &'g str>) -> String {
        let gaps = std::iter::once("").chain(gaps);
        let joined: String = gaps.zip(texts).flat_map(|(gap, text)| [gap, text]).collect();
        self.filled(kind, &[joined])
    }

    /// The white space that the line of a child begins with, in a container whose line begins with `indent`.
    pub fn child_indent(&self, indent: &str) -> String {
        self.before.rsplit_once('\n').map_or(indent, |(_, line)| line).to_owned()
    }
}

impl Document {
    /// A value with its key, if it has one.
    pub(super) fn whole_span(&self, node: NodeId) -> Span {
        let span = self.span(node);
        Span::new(self.key_span(node).map_or(span.start, |key| key.start), span.end)
    }

    pub(super) fn place_in_parent(&self, node: NodeId) -> Option<(NodeId, usize)> {
        let parent = self.parent(node)?;
        let first = self.children(parent).next()?;
        Some((parent, node.index() - first.index()))
    }

    /// The white space that the line of a value begins with.
    pub(super) fn line_indent(&self, node: NodeId) -> &str {
        let before = self.slice(Span::new(0, self.whole_span(node).start));
        let line = before.rsplit_once('\n').map_or(before, |(_, line)| line);
        let is_indent = |byte: &u8| matches!(byte, b' ' | b'\t');
        line.get(..line.bytes().take_while(is_indent).count()).unwrap_or_default()
    }

    /// The spacing of a container; of an empty one that of a container beside or around it with children of the kind of the
    /// new ones.
    pub(super) fn spacing(&self, container: NodeId, first: Option<&NewValue>) -> Spacing {
        if self.children(container).len() > 0 {
            return self.spacing_as(container, self.line_indent(container));
        }
        let kind = first.and_then(|value| self.kind_of(value));
        let parent = self.parent(container);
        let beside = parent.into_iter().flat_map(|parent| self.children(parent));
        // The array around the object that has it, as both are lists of activities.
        let around = parent.and_then(|parent| self.parent(parent));
        let mut beside = beside.chain(around).filter(|&node| self.kind(node) == self.kind(container));
        let is_like = |&node: &NodeId| self.children(node).next().is_some_and(|child| Some(self.kind(child)) == kind);
        match beside.find(is_like).filter(|_| kind.is_some()) {
            Some(model) => self.spacing_as(model, self.line_indent(container)),
            None => self.inline(container),
        }
    }

    /// The kind of a value with children.
    fn kind_of(&self, value: &NewValue) -> Option<NodeKind> {
        match value {
            NewValue::Scalar(_) => None,
            NewValue::Array(_) => Some(NodeKind::Array),
            NewValue::Object(_) => Some(NodeKind::Object),
            NewValue::Like(_, value) => self.kind_of(value),
            NewValue::Copy(node) => Some(self.kind(*node)).filter(|kind| kind.is_container()),
        }
    }

    /// The spacing of a filled container, for one whose line begins with `indent`.
    fn spacing_as(&self, model: NodeId, indent: &str) -> Spacing {
        let spans: Vec<Span> = self.children(model).map(|child| self.whole_span(child)).collect();
        let (Some(first), Some(last)) = (spans.first(), spans.last()) else { return self.inline(model) };
        let (own, inline) = (self.span(model), self.inline(model));
        let moved = |start, end| moved(self.slice(Span::new(start, end)), self.line_indent(model), indent);
        let before = moved(own.start + 1, first.start);
        let between = match *spans {
            [.., before_last, last] => moved(before_last.end, last.start),
            _ => format!(",{before}"),
        };
        let between = if between.len() > 1 { between } else { inline.between };
        Spacing { before, between, after: moved(last.end, own.end - 1) }
    }

    /// What is between the members of an object, for a new one with the same keys whose line begins with `indent`: often
    /// several members are in a line.
    fn gaps_as(&self, model: NodeId, members: &[(String, NewValue)], indent: &str) -> Option<Vec<String>> {
        let children: Vec<NodeId> = self.children(model).collect();
        let is_same =
            children.iter().map(|&child| self.key(child)).eq(members.iter().map(|(key, _)| Some(key.as_str())));
        let spans: Vec<Span> = children.iter().map(|&child| self.whole_span(child)).collect();
        let gap = |(one, next): (&Span, &Span)| {
            moved(self.slice(Span::new(one.end, next.start)), self.line_indent(model), indent)
        };
        is_same.then(|| spans.iter().zip(spans.iter().skip(1)).map(gap).collect())
    }

    /// The spacing of a container in one line.
    fn inline(&self, container: NodeId) -> Spacing {
        let between = if self.is_compact(container) { "," } else { ", " };
        Spacing { before: String::new(), between: between.to_owned(), after: String::new() }
    }

    /// Whether a value follows its key without white space, in the first member of a value or the nearest one around.
    fn is_compact(&self, value: NodeId) -> bool {
        let around = std::iter::successors(Some(value), |&node| self.parent(node));
        let member = self.children(value).next().into_iter().chain(around).find(|&node| self.key_span(node).is_some());
        member.is_some_and(|member| {
            let start = self.span(member).start;
            self.slice(Span::new(start.saturating_sub(1), start)) == ":"
        })
    }

    /// A new item of an array, whose line begins with `indent`, laid out as the last item of its kind.
    pub(super) fn item_text(&self, array: NodeId, value: &NewValue, indent: &str) -> String {
        let kind = self.kind_of(value);
        let model = self.children(array).rev().find(|&child| Some(self.kind(child)) == kind);
        self.written(value, model, array, indent)
    }

    /// A value as JSON inside or in place of `around`, in a line that begins with `indent`, laid out as another value.
    pub(super) fn written(&self, value: &NewValue, model: Option<NodeId>, around: NodeId, indent: &str) -> String {
        let spacing = || model.map_or_else(|| self.inline(around), |model| self.spacing_as(model, indent));
        let like = |found: Option<NodeId>, value: &NewValue| {
            found.filter(|&it| Some(self.kind(it)) == self.kind_of(value)).or(model)
        };
        match value {
            NewValue::Scalar(json) => json.clone(),
            NewValue::Copy(node) => moved(self.slice(self.span(*node)), self.line_indent(*node), indent),
            NewValue::Like(node, value) => self.written(value, Some(*node), *node, indent),
            NewValue::Array(items) => {
                let spacing = spacing();
                let inner = spacing.child_indent(indent);
                let last = model.and_then(|model| self.elements(model).next_back());
                let text = |value| self.written(value, like(last, value), around, &inner);
                spacing.filled(NodeKind::Array, &items.iter().map(text).collect::<Vec<_>>())
            }
            NewValue::Object(members) => {
                let spacing = spacing();
                let inner = spacing.child_indent(indent);
                let text = |(key, value): &(String, NewValue)| {
                    let like = like(model.and_then(|model| self.member(model, key)), value);
                    self.member_text(model.unwrap_or(around), key, &self.written(value, like, around, &inner))
                };
                let texts: Vec<String> = members.iter().map(text).collect();
                match model.and_then(|model| self.gaps_as(model, members, indent)) {
                    Some(gaps) => spacing.filled_between(NodeKind::Object, &texts, gaps.iter().map(String::as_str)),
                    None => spacing.filled(NodeKind::Object, &texts),
                }
            }
        }
    }

    /// A member with its key, written as in another value.
    pub(super) fn member_text(&self, model: NodeId, key: &str, value: &str) -> String {
        let colon = if self.is_compact(model) { ":" } else { ": " };
        format!("{}{colon}{value}", serde_json::Value::from(key))
    }
}

/// A text from a line with one indentation, for a line with another one.
fn moved(text: &str, from: &str, to: &str) -> String {
    if from == to { text.to_owned() } else { text.replace(&format!("\n{from}"), &format!("\n{to}")) }
}
