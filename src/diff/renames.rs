//! The variables that have another name on the new side.

use std::borrow::Cow;

use crate::collections::HashMap;
use crate::graph::placeholders;

/// The new names, by old name.
#[derive(Debug, Default)]
pub(super) struct Renames(HashMap<String, String>);

impl Renames {
    pub fn add(&mut self, old: &str, new: &str) {
        self.0.entry(old.to_owned()).or_insert_with(|| new.to_owned());
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The new name of a variable.
    pub fn name<'t>(&'t self, old: &'t str) -> &'t str {
        self.0.get(old).map_or(old, String::as_str)
    }

    /// A string whose placeholders have the new names.
    pub fn text<'t>(&self, old: &'t str) -> Cow<'t, str> {
        if self.0.is_empty() || !old.contains('{') {
            return Cow::Borrowed(old);
        }
        let mut text = String::with_capacity(old.len());
        let mut end = 0;
        for placeholder in placeholders(old) {
            let Some(new) = self.0.get(placeholder.name) else { continue };
            text.push_str(old.get(end..placeholder.range.start).unwrap_or_default());
            text.push('{');
            text.push_str(new);
            text.push('}');
            end = placeholder.range.end;
        }
        text.push_str(old.get(end..).unwrap_or_default());
        Cow::Owned(text)
    }
}

#[cfg(test)]
mod tests {
    use super::Renames;

    #[test]
    fn placeholders_follow_renamed_variables() {
        let mut renames = Renames::default();
        renames.add("A", "B");
        renames.add("B", "A");
        assert_eq!(renames.text("{A}, {B}, {C} and A: {\"x\": \"{A}\"}"), "{B}, {A}, {C} and A: {\"x\": \"{B}\"}");
        assert_eq!((renames.name("A"), renames.name("C")), ("B", "C"));
    }
}
