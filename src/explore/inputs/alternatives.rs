//! The values that fields and variables may begin with: those that the form accepts, of which one is usual.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Inputs;
use super::candidate::{Candidate, Subject, add_missing, add_refused};
use crate::catalog::ValueType;
use crate::common::collections::HashMap;
use crate::ldap::{Directory, Entry};
use crate::model::{Field, FieldType, MAIL_VALIDATION};
use crate::script::pattern_samples;
use crate::simulate::submit::unknown_choice;
use crate::simulate::{equal, number};
use crate::synth::{
    Compared, Comparisons, LAST_RESORTS, PatternTests, Values, file_name, fits, of_type, of_validation, others,
};
use crate::text::mail;

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
    /// Whom a person may choose, by an identity that the directory has to know.
    pub people: BTreeSet<String>,
    pub candidates: Vec<Candidate<'m>>,
    /// The usual values so far.
    pub used: BTreeSet<String>,
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
            add_refused(&candidate, listed, &mut self.found.problems);
        } else if field_type == Some(FieldType::DropDown) {
            self.add_choices(&mut candidate, default);
        } else {
            self.add_texts(&mut candidate, default.as_ref());
        }
        if candidate.texts.first() == Some(&self.values.next_mail()) {
            self.values.mail();
        }
        add_missing(&candidate, self.values.needs, &mut self.found.problems);
        self.candidates.push(candidate);
    }

    /// The default or a made-up text, each text that it is compared with, and one other. What the document gives a masked
    /// variable is not for scenarios, which are printed.
    fn add_texts(&mut self, candidate: &mut Candidate<'m>, default: Option<&String>) {
        let default = default.filter(|_| !self.values.needs.is_masked(candidate.subject.variable()));
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
        if usual.is_empty() {
            // Values of different fields differ, so that a run shows which one is used.
            let is_new = |text: &&String| !self.used.contains(*text);
            usual.extend(spare.iter().find(is_new).or(spare.first()).cloned());
        }
        self.used.extend(usual.first().cloned());
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
        self.comparisons.texts(subject.variable()).map(|compared| compared.text.clone()).collect()
    }

    /// Other texts that equal what the variable of a field is compared with, as a pattern may accept only them.
    fn spellings(&self, subject: &Subject<'_>) -> Vec<String> {
        let compared = self.comparisons.texts(subject.variable());
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
        let mut compared =
            self.comparisons.texts(variable).map(|_| ()).chain(self.comparisons.others(variable).map(|_| ()));
        let is_compared = compared.next().is_some();
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
                Some(kind) => of_type(kind, &subject.name, subject.variable(), &mut self.values),
                None => self.values.named(&subject.name, subject.variable()),
            });
        }
        texts.extend(LAST_RESORTS.iter().map(|text| (*text).to_owned()));
        texts.push(self.values.next_mail());
    }

    /// Booleans or numbers, if the variable is compared only with these.
    fn like_compared(&self, variable: &str) -> Vec<String> {
        let texts: Vec<&Compared> = self.comparisons.texts(variable).collect();
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

impl<'m> Maker<'m, '_, '_> {
    /// Adds one item of each class that comparisons distinguish, two items together, and an entry of the directory.
    pub fn add_choices(&mut self, candidate: &mut Candidate<'m>, default: Option<String>) {
        let subject = candidate.subject.clone();
        let Some(properties) = subject.field.map(|field| field.properties()) else { return };
        let is_dynamic = properties.is_dynamic.value() == Some(true);
        let items = properties.items.get().map_or(&[][..], Vec::as_slice);
        let values = items.iter().filter_map(|item| item.value.value()).filter(|value| !value.is_empty());
        let mut items: Vec<String> = values.map(str::to_owned).collect();
        items.dedup();
        // A person may choose any item, but the usual choice is one that fits.
        items.sort_by_key(|item| !self.fits(subject.variable(), item));
        let mut texts: Vec<String> = default.into_iter().collect();
        texts.extend(items.iter().cloned());
        if is_dynamic {
            texts.extend(self.usual_entry());
        }
        let is_open = properties.is_restricted.value() != Some(true);
        let is_multiple = properties.is_multi_select.value() == Some(true);
        if is_open || is_dynamic || is_multiple {
            texts.extend(self.compared(&subject));
        }
        if is_open {
            texts.extend(self.made_up(&subject));
        }
        let accepted = self.acceptance.accepted(subject.field, texts);
        let mut texts = self.distinguished(subject.variable(), accepted.iter());
        if is_multiple && let [first, second, ..] = items.as_slice() {
            let joined = self.acceptance.accepted(subject.field, vec![format!("{first};{second}")]);
            let joined = joined.into_iter().filter(|joined| !texts.contains(joined));
            texts.extend(joined.take(MAX_ALTERNATIVES - texts.len().min(MAX_ALTERNATIVES)).collect::<Vec<_>>());
        }
        if is_dynamic && self.acceptance.directory.is_none() {
            let people = texts.iter().filter(|text| !items.contains(text) && !text.contains(';'));
            self.people.extend(people.cloned());
        }
        candidate.spare = accepted.into_iter().filter(|text| !is_dynamic && !texts.contains(text)).collect();
        candidate.texts = texts;
    }

    /// The identity of somebody in the directory; a made-up directory gets a new entry.
    fn usual_entry(&mut self) -> Option<String> {
        let Some(directory) = self.acceptance.directory else { return Some(self.values.account()) };
        let is_person = |entry: &&Arc<Entry>| entry.text("mail").is_some();
        let mut entries = directory.entries().iter().filter(is_person).chain(directory.entries());
        entries.find_map(|entry| identity(directory, entry))
    }
}

/// A text by which the directory finds an entry: the account name, otherwise the distinguished name.
fn identity(directory: &Directory, entry: &Entry) -> Option<String> {
    let names = [entry.text("sAMAccountName"), entry.text("uid"), Some(entry.dn_text())];
    let is_own = |name: &&str| directory.find(name).is_ok_and(|found| found.dn() == entry.dn());
    names.into_iter().flatten().find(is_own).map(str::to_owned)
}

pub struct Acceptance<'s> {
    pub patterns: PatternTests<'s>,
    /// `None` for a made-up directory, which knows every chosen identity.
    pub directory: Option<&'s Directory>,
}

impl Acceptance<'_> {
    /// The texts that the form accepts, without duplicates and the empty one.
    pub fn accepted(&mut self, field: Option<&Field<'_>>, mut texts: Vec<String>) -> Vec<String> {
        texts.retain(|text| !text.is_empty());
        let mut seen = crate::common::collections::HashSet::default();
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
        let is_identity = |choice: &str| match self.directory {
            Some(directory) => directory.find(choice).is_ok(),
            None => !choice.trim().is_empty(),
        };
        unknown_choice(field, value, is_identity).is_none()
    }
}

impl Maker<'_, '_, '_> {
    /// Adds equal and different values to the fields that are compared with each other.
    pub fn connect(&mut self) {
        let mut by_variable: HashMap<&str, usize> = HashMap::default();
        for (index, candidate) in self.candidates.iter().enumerate() {
            if candidate.is_chosen && candidate.file.is_none() {
                by_variable.entry(candidate.subject.variable()).or_insert(index);
            }
        }
        let index = |variable: &str| by_variable.get(variable).copied();
        let pairs = self.comparisons.pairs().filter_map(|(one, other)| Some((index(one)?, index(other)?)));
        let mut pairs: Vec<(usize, usize)> = pairs.map(|(one, other)| (one.min(other), one.max(other))).collect();
        pairs.sort_unstable();
        for (earlier, later) in pairs {
            self.add_equal(earlier, later);
            if !self.have_common(earlier, later) {
                self.add_equal(later, earlier);
            }
            self.add_different(earlier, later);
            self.add_different(later, earlier);
        }
    }

    fn texts(&self, index: usize) -> &[String] {
        self.candidates.get(index).map_or(&[], |candidate| candidate.texts.as_slice())
    }

    /// Whether two fields may have an equal value that no condition compares either of them with.
    fn have_common(&self, one: usize, other: usize) -> bool {
        let is_common = |text: &String| self.texts(other).iter().any(|other| equal(text, other, false));
        let is_told_apart = |index: usize, text: &str| {
            let variable = self.candidates.get(index).map_or("", |candidate| candidate.subject.variable());
            self.comparisons.outcome(variable, text).contains(&true)
        };
        let is_plain = |text: &&String| ![one, other].into_iter().any(|index| is_told_apart(index, text));
        self.texts(one).iter().filter(is_plain).any(is_common)
    }

    /// Lets a field have every value of another one that it may have.
    fn add_equal(&mut self, from: usize, to: usize) {
        let texts: Vec<String> = self.texts(from).to_vec();
        let Some(target) = self.candidates.get(to).filter(|target| !target.is_listed) else { return };
        let variable = target.subject.variable().to_owned();
        let texts = self.acceptance.accepted(target.subject.field, texts);
        let texts: Vec<String> = texts.into_iter().filter(|text| self.fits(&variable, text)).collect();
        if let Some(target) = self.candidates.get_mut(to) {
            for text in texts {
                add(target, text);
            }
        }
    }

    /// Gives a field another value, when both have only one, and it is the same.
    fn add_different(&mut self, one: usize, other: usize) {
        let ([own], [others]) = (self.texts(one), self.texts(other)) else { return };
        if !equal(own, others, false) {
            return;
        }
        let others = others.clone();
        let Some(candidate) = self.candidates.get_mut(one).filter(|candidate| !candidate.is_listed) else { return };
        let different = candidate.spare.iter().find(|text| !equal(text, &others, false)).cloned();
        if let Some(text) = different {
            add(candidate, text);
        }
    }
}

fn add(candidate: &mut Candidate<'_>, text: String) {
    if candidate.texts.len() < MAX_ALTERNATIVES && !candidate.texts.contains(&text) {
        candidate.texts.push(text);
    }
}
