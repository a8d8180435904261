//! The fields of a form that its scripts may fill.

use std::cell::OnceCell;

use crate::collections::HashSet;
use crate::model::{Field, Form, Member};

pub struct FilledByScripts<'f, 'd> {
    form: &'f Form<'d>,
    /// A script chooses fields by their type, as in `Z('#[type=dropdown]')`, or cannot be read.
    are_any: bool,
    /// Collected at the first use: few fields need the words of scripts.
    words: OnceCell<HashSet<&'d str>>,
}

impl<'f, 'd> FilledByScripts<'f, 'd> {
    pub fn of(form: &'f Form<'d>) -> Self {
        let is_unread = |field: &Field<'_>| field.details().scripts.iter().any(Member::is_unknown);
        let are_any = form.scripts().any(|script| script.contains("[type=")) || form.fields.iter().any(is_unread);
        Self { form, are_any, words: OnceCell::new() }
    }

    /// Whether a script mentions the field by its name, or by the given one.
    pub fn contains(&self, field: &Field<'_>, other_name: Option<&str>) -> bool {
        let words = self.words.get_or_init(|| self.form.script_words().collect());
        // A script may mean the field by a name that cannot be read.
        let is_mentioned = field.name.value().map_or(!words.is_empty(), |name| words.contains(name));
        self.are_any || is_mentioned || other_name.is_some_and(|name| words.contains(name))
    }
}
