//! How much memory the facts about a script take, for the limit of those of a service.

use super::assignment::Assignment;
use super::clues::Clues;
use super::comparisons::Comparisons;
use super::followed::Input;
use super::interpolated::InterpolatedName;
use super::parsed::Syntax;
use super::script::{Script, SetOutOfSight};
use super::sites::{Property, Site, SiteKind};

/// What an allocation takes beyond its bytes.
const ALLOCATION: usize = 16;

impl Syntax {
    /// An estimate of its memory, in bytes.
    pub(super) fn memory(&self) -> usize {
        size_of::<Self>()
            + match self {
                Self::Script(script) => ALLOCATION + script.memory(),
                Self::Error(error) => error.message.len() + list(&error.line_starts, |_| 0) + 2 * ALLOCATION,
                Self::Unread(_) => 0,
            }
    }
}

impl Script {
    /// An estimate of its memory, in bytes.
    pub fn memory(&self) -> usize {
        size_of::<Self>() + self.memory_behind()
    }

    fn memory_behind(&self) -> usize {
        let set_out_of_sight = match &self.set_out_of_sight {
            SetOutOfSight::Listed(names) => names.iter().map(|name| 2 * size_of::<String>() + text(name)).sum(),
            SetOutOfSight::None | SetOutOfSight::Any => 0,
        };
        let argument_of = |name: &Option<Box<str>>| name.as_deref().map_or(0, text);
        set_out_of_sight
            + list(&self.globals, |global| text(&global.name))
            + list(&self.declarations, |declaration| text(&declaration.name))
            + list(&self.global_members, |name| text(name))
            + list(&self.read_as_json, |name| text(name))
            + list(&self.strings, |string| text(&string.value) + argument_of(&string.argument_of))
            + list(&self.dynamic, |code| text(&code.name))
            + list(&self.line_starts, |_| 0)
            + list(&self.json.assignments, Assignment::memory_behind)
            + list(&self.sites, Site::memory_behind)
            + self.comparisons.as_deref().map_or(0, Comparisons::memory)
            + self.clues.as_deref().map_or(0, Clues::memory)
            + list(&self.returns, |_| 0)
            + list(&self.partly_passed, |(name, _)| text(name))
            + list(&self.inserted, |name| text(name))
            + list(&self.patterns, |pattern| text(pattern))
    }
}

impl Assignment {
    fn memory_behind(&self) -> usize {
        list(&self.interpolated, |InterpolatedName { name, .. }| text(name))
    }
}

impl Site {
    fn memory_behind(&self) -> usize {
        match &self.kind {
            SiteKind::Object(properties) => list(properties, |property| text(&property.name)),
            SiteKind::Array(elements) => list(elements, |_| 0),
            SiteKind::Target(property) => size_of::<Property>() + ALLOCATION + text(&property.name),
            SiteKind::Stringify | SiteKind::Result | SiteKind::Spread | SiteKind::ComputedTarget => 0,
        }
    }
}

impl Comparisons {
    fn memory(&self) -> usize {
        let constants = |constants: &Vec<String>| list(constants, |constant| text(constant));
        size_of::<Self>() + list(&self.operands, |_| 0) + list(&self.all, |kind| constants(&kind.constants))
    }
}

impl Clues {
    fn memory(&self) -> usize {
        let input = |input: &Input| match input {
            Input::Global(name) | Input::Key(name) => text(name),
            Input::Unknown => 0,
        };
        size_of::<Self>()
            + list(&self.comparisons, |comparison| input(&comparison.input) + text(&comparison.constant))
            + list(&self.truthy, |name| text(name))
            + list(&self.matching, |matching| input(&matching.input) + text(&matching.sample.text))
            + list(&self.read_as, |(name, _)| text(name))
            + list(&self.separators, |separator| text(separator))
            + list(&self.lengths, |_| 0)
            + list(&self.keys, |key| text(&key.name))
    }
}

/// That of a list, with what is behind each element.
fn list<T>(list: &[T], behind: impl Fn(&T) -> usize) -> usize {
    if list.is_empty() {
        return 0;
    }
    ALLOCATION + size_of_val(list) + list.iter().map(behind).sum::<usize>()
}

/// That of a string.
const fn text(text: &str) -> usize {
    if text.is_empty() { 0 } else { ALLOCATION + text.len() }
}
