//! The alternatives of one field or variable.

use std::collections::BTreeMap;

use super::acceptance::Acceptance;
use super::candidate::{Candidate, Subject};
use super::comparisons::{Compared, Comparisons};
use super::input::Inputs;
use super::problems;
use crate::catalog::ValueType;
use crate::made_up::{LAST_RESORTS, Values, file_name, fits, of_type, of_validation, others};
use crate::model::{Field, FieldType, MAIL_VALIDATION};
use crate::script::pattern_samples;
use crate::simulate::number;

/// Alternatives of one field that are tried.
pub const MAX_ALTERNATIVES: usize = 64;

/// Makes the alternatives of all fields and variables.
pub struct Maker<'m, 'n, 'c> {
    pub values: Values<'n, 'c>,
    pub comparisons: &'m Comparisons,
    pub acceptance: Acceptance<'m>,
    /// `[explore] fields`.
    pub listed: &'m BTreeMap<String, Vec<String>>,
    pub found: Inputs,
    pub candidates: Vec<Candidate<'m>>,
}

impl<'m> Maker<'m, '_, '_> {
    /// Adds a field or variable.
    pub fn add(&mut self, subject: Subject<'m>, default: Option<String>, is_chosen: bool) {
        let field_type = subject.field.map(|field| field.field_type);
        let is_file = match field_type {
            Some(FieldType::InputFile) => true,
            Some(FieldType::InputText | FieldType::DropDown) => false,
            _ => self.values.needs.is_file(subject.variable()),
        };
        let listed = self.listed.get(&subject.name);
        let mut candidate = Candidate::new(subject, is_chosen, listed.is_some());
        if is_file {
            let own = || file_name(&candidate.subject.name);
            candidate.file = Some(listed.and_then(|names| names.first().cloned()).unwrap_or_else(own));
        } else if let Some(listed) = listed {
            candidate.texts = self.acceptance.accepted(candidate.subject.field, listed.clone());
            problems::add_refused(&candidate, listed, &mut self.found.problems);
        } else if field_type == Some(FieldType::DropDown) {
            self.add_choices(&mut candidate, default);
        } else {
            self.add_texts(&mut candidate, default.as_ref());
        }
        problems::add_missing(&candidate, self.values.needs, &mut self.found.problems);
        self.candidates.push(candidate);
    }

    /// The default or a made-up text, each text that it is compared with, and one other.
    fn add_texts(&mut self, candidate: &mut Candidate<'m>, default: Option<&String>) {
        let made = self.made_up(&candidate.subject);
        let compared = self.compared(&candidate.subject);
        let spellings = self.spellings(&candidate.subject);
        let all = default.into_iter().chain(&made).chain(&compared).chain(&spellings).cloned().collect();
        let accepted = self.acceptance.accepted(candidate.subject.field, all);
        let is_fit = |text: &String| self.fits(candidate.subject.variable(), text);
        let (mut usual, mut further, mut spare) = (Vec::new(), Vec::new(), Vec::new());
        for text in accepted {
            if default == Some(&text) {
                usual.push(text);
            } else if compared.contains(&text) {
                // It may be among the texts already.
                if made.contains(&text) && is_fit(&text) {
                    spare.push(text.clone());
                }
                further.push(text);
            } else if is_fit(&text) {
                spare.push(text);
            }
        }
        usual.extend(spare.first().filter(|_| usual.is_empty()).cloned());
        candidate.texts = self.distinguished(candidate.subject.variable(), usual.iter().chain(&further).chain(&spare));
        spare.retain(|text| !candidate.texts.contains(text));
        candidate.spare = spare;
    }

    /// One text of each class that the comparisons in the workflow distinguish: the first.
    pub fn distinguished<'t>(&self, variable: &str, texts: impl Iterator<Item = &'t String>) -> Vec<String> {
        let mut outcomes: Vec<Vec<bool>> = Vec::new();
        let mut kept = Vec::new();
        for text in texts {
            let outcome = self.comparisons.outcome(variable, text);
            if kept.len() < MAX_ALTERNATIVES && !outcomes.contains(&outcome) {
                outcomes.push(outcome);
                kept.push(text.clone());
            }
        }
        kept
    }

    /// What the variable of a field is compared with.
    pub fn compared(&self, subject: &Subject<'_>) -> Vec<String> {
        self.comparisons.texts(subject.variable()).iter().map(|compared| compared.text.clone()).collect()
    }

    /// Other texts that equal what the variable of a field is compared with, as a pattern may accept only them.
    fn spellings(&self, subject: &Subject<'_>) -> Vec<String> {
        let compared = self.comparisons.texts(subject.variable()).iter();
        let spellings = compared.flat_map(|Compared { text, is_number }| match text.to_ascii_lowercase().as_str() {
            "true" => vec!["true".to_owned(), "True".to_owned(), "TRUE".to_owned()],
            "false" => vec!["false".to_owned(), "False".to_owned(), "FALSE".to_owned()],
            _ if *is_number => vec![format!("{text}.0"), format!("{text}.00"), format!("0{text}")],
            _ => Vec::new(),
        });
        spellings.collect()
    }

    /// Whether a string fits what the variable is used for.
    pub fn fits(&self, variable: &str, text: &str) -> bool {
        fits(self.values.needs.kind(variable), self.values.needs.value_type(variable), text)
    }

    /// Texts that are likely to be accepted, the likeliest first.
    pub fn made_up(&mut self, subject: &Subject<'_>) -> Vec<String> {
        let variable = subject.variable();
        let needs = self.values.needs;
        let mut texts = self.values.wanted(variable);
        let is_compared = !self.comparisons.texts(variable).is_empty() || self.comparisons.is_paired(variable);
        if texts.is_empty() {
            texts = self.like_compared(variable);
            self.add_likely(subject, &mut texts);
        } else if is_compared {
            // The values of another person.
            texts.extend(self.values.wanted(variable));
        }
        texts.extend(others(needs.kind(variable), needs.value_type(variable)).iter().map(|text| (*text).to_owned()));
        let properties = subject.field.map(|field| field.properties());
        if properties.is_some_and(|properties| properties.validation_type.value() == Some(MAIL_VALIDATION)) {
            texts.extend((0..2).map(|_| self.values.mail()));
        }
        let pattern = properties.and_then(|properties| properties.validation_pattern.value()).unwrap_or_default();
        if !pattern.is_empty() {
            texts.extend(pattern_samples(pattern));
        }
        texts
    }

    /// What the name and type of a field suggest.
    fn add_likely(&mut self, subject: &Subject<'_>, texts: &mut Vec<String>) {
        let validation_type = subject.field.and_then(|field| field.properties().validation_type.value());
        texts.extend(of_validation(validation_type, &mut self.values));
        if texts.is_empty() {
            let is_text = |field: &&Field<'_>| matches!(field.field_type, FieldType::InputText | FieldType::DropDown);
            let other = subject.field.filter(|field| !is_text(field)).and_then(|field| field.type_name.value());
            texts.push(match other {
                Some(kind) => of_type(kind, &subject.name, &mut self.values),
                None => self.values.named(&subject.name),
            });
        }
        texts.extend(LAST_RESORTS.iter().map(|text| (*text).to_owned()));
    }

    /// Booleans or numbers, if the variable is compared only with these.
    fn like_compared(&self, variable: &str) -> Vec<String> {
        let texts = self.comparisons.texts(variable);
        let all = |is_one: &dyn Fn(&str) -> bool| !texts.is_empty() && texts.iter().all(|it| is_one(&it.text));
        let like: &[&str] = if all(&|text| fits(None, Some(ValueType::Boolean), text)) {
            &["true", "false"]
        } else if all(&|text| number(text).is_some()) {
            &["14", "15", "1"]
        } else {
            &[]
        };
        // Several of each kind, because the variable may be compared with some of them.
        let more = if like.first() == Some(&"14") { 100..100 + texts.len() } else { 0..0 };
        like.iter().map(|text| (*text).to_owned()).chain(more.map(|number| number.to_string())).collect()
    }
}
