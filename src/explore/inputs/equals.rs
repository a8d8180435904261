//! Gives fields that are compared with each other an equal value, and different ones.

use super::alternatives::{MAX_ALTERNATIVES, Maker};
use super::candidate::Candidate;
use crate::collections::HashMap;
use crate::simulate::equal;

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
