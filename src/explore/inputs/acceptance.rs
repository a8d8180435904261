//! Tests which values the form accepts (docs/scenarios.md), with the code of the simulator.

use crate::ldap::Directory;
use crate::made_up::PatternTests;
use crate::mail;
use crate::model::{Field, FieldType, MAIL_VALIDATION};

pub struct Acceptance<'s> {
    pub patterns: PatternTests<'s>,
    /// `None` for a made-up directory, which knows every chosen identity.
    pub directory: Option<&'s Directory>,
}

impl Acceptance<'_> {
    /// The texts that the form accepts, without duplicates and the empty one.
    pub fn accepted(&mut self, field: Option<&Field<'_>>, mut texts: Vec<String>) -> Vec<String> {
        texts.retain(|text| !text.is_empty());
        let mut seen = crate::collections::HashSet::default();
        texts.retain(|text| seen.insert(text.clone()));
        let Some(field) = field else { return texts };
        match field.field_type {
            FieldType::InputText => self.matching(field, texts),
            FieldType::DropDown => {
                texts.retain(|text| self.is_choice(field, text));
                texts
            }
            _ => texts,
        }
    }

    fn matching(&mut self, field: &Field<'_>, mut texts: Vec<String>) -> Vec<String> {
        let properties = field.properties();
        if properties.validation_type.value() == Some(MAIL_VALIDATION) {
            texts.retain(|text| mail::is_address(text));
        }
        let pattern = properties.validation_pattern.value().unwrap_or_default();
        let matches = self.patterns.matching(pattern, &texts);
        texts.into_iter().zip(matches).filter(|(_, matches)| *matches).map(|(text, _)| text).collect()
    }

    fn is_choice(&self, field: &Field<'_>, value: &str) -> bool {
        let properties = field.properties();
        if properties.is_restricted.value() != Some(true) {
            return true;
        }
        let is_dynamic = properties.is_dynamic.value() == Some(true);
        let items = properties.items.get().map_or(&[][..], Vec::as_slice);
        let is_known = |choice: &str| match self.directory {
            Some(directory) => directory.find(choice).is_ok(),
            None => !choice.trim().is_empty(),
        };
        let is_item = |choice: &str| {
            items.iter().any(|item| item.value.value() == Some(choice)) || is_dynamic && is_known(choice)
        };
        let is_multiple = properties.is_multi_select.value() == Some(true);
        is_item(value) || is_multiple && value.split(';').map(str::trim).all(is_item)
    }
}
