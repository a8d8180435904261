//! `WF8`: scripts of Code activities.

pub mod json_not_serialized;
pub mod json_not_set;
pub mod json_without_receiver;
pub mod script_syntax;
pub mod script_throws;
pub mod unknown_identifier;
pub mod unused_script_parameter;

use std::ops::Range;

use crate::facts::{CodeSite, Context, FormScript, Place};
use crate::script::syntax::Script;

/// The variable that a script sets (reference, Other activity types).
pub(super) const JSON: &str = crate::model::SCRIPT_RESULT;

/// Every Code activity whose script parses, with what the script says.
pub(super) fn parsed<'c, 'a>(cx: &'c Context<'a>) -> impl Iterator<Item = (CodeSite<'c, 'a>, &'c Script)> {
    cx.codes().filter_map(|site| {
        let script = site.syntax.script()?;
        Some((site, script))
    })
}

impl<'a> CodeSite<'_, 'a> {
    /// A part of the script.
    pub(super) const fn inside(&self, part: Range<usize>) -> Place {
        Place::inside(self.analysis.file, self.node, part)
    }

    /// The whole script.
    pub(super) const fn whole(&self) -> Place {
        Place::value(self.analysis.file, self.node)
    }

    /// Where in the script, for a message: ` (line 3, column 5 of the script)`; nothing for one of one
    /// line, whose place is shown.
    pub(super) fn position(&self, part: &Range<usize>) -> String {
        self.syntax.position(self.text, part.start)
    }

    /// The names of the parameters; none when some cannot be read.
    pub(super) fn parameter_names(&self) -> Option<Vec<&'a str>> {
        if self.code.parameters.is_unknown() {
            return None;
        }
        self.code.parameters.get().into_iter().flatten().map(|parameter| parameter.name.value()).collect()
    }
}

impl FormScript<'_, '_> {
    /// A part of the script.
    pub(super) const fn inside(&self, part: Range<usize>) -> Place {
        Place::inside(self.form.file, self.node, part)
    }

    /// Where in the script, as of a [`CodeSite`].
    pub(super) fn position(&self, part: &Range<usize>) -> String {
        self.syntax.position(self.text, part.start)
    }
}
