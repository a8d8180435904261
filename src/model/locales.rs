//! Strings in several languages (docs/platform.md, Form field).

use super::reader::{Member, Reader};
use crate::document::NodeId;

/// A string by locale code, in the order of the document.
pub type Locales<'d> = Box<[LocaleText<'d>]>;

/// One member of a locale object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocaleText<'d> {
    /// The value; its key is the locale code.
    pub node: NodeId,
    /// The locale code as written, which may be invalid.
    pub locale: &'d str,
    /// `None` if the value is not a string.
    pub text: Option<&'d str>,
}

pub(super) fn locales<'d>(reader: &Reader<'d, '_>, object: NodeId, key: &'static str) -> Member<Locales<'d>> {
    let document = reader.lowering.document;
    let read = |node| LocaleText { node, locale: document.key(node).unwrap_or_default(), text: document.string(node) };
    reader.object(object, key).map(|node, ()| document.children(node).map(read).collect())
}
