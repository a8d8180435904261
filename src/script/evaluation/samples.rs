//! The sets of values that a script is run on.
//!
//! Plausible values first; then each constant that the script compares an input with, or something that an input may
//! reach; then strings that have as many parts as the script may split them into; then numbers. No made-up value occurs
//! in two sets, but those of a certain length and those that repeat a constant.

use super::json_sample::{JsonSample, Root};
use super::outcome::Run;
use super::request::{EvaluationRequest, ScriptInput, ScriptParameter};
use super::separated::{join, pairs, parts};
use super::values::{likely, of_kind};
use crate::script::syntax::{Input, PatternSample};

/// The values of all parameters in one run, in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sample {
    pub values: Vec<SampleValue>,
    /// Whether an order is likely to bring such values.
    pub is_plausible: bool,
    /// Whether a failure on these values says nothing: they may be meant for something else.
    pub is_guess: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SampleValue {
    pub text: String,
    /// Neither from the document nor a constant of the script.
    pub is_made_up: bool,
}

impl Sample {
    /// That of a run.
    pub fn of(run: &Run) -> Self {
        let values =
            run.values.iter().map(|value| SampleValue { text: value.text.clone(), is_made_up: value.is_made_up });
        Self { values: values.collect(), is_plausible: run.is_plausible, is_guess: false }
    }

    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.values.iter().map(|value| value.text.as_str())
    }
}

/// A script is run on at most this many sets.
const MAX_SAMPLES: usize = 96;

/// The numbers of values in one set.
const NUMBERS_PER_SET: usize = 100;

/// The first sets, whose values do not depend on the script.
pub(super) const PLAIN_SETS: usize = 2;

/// At most this many parameters are matched with a pattern of which it is not known what it tests.
const MAX_TESTED: usize = 6;

/// Constants of which each part of a string is one.
const MAX_REPEATED: usize = 2;

/// Constants that are compared with something that a parameter may reach.
const MAX_FOLLOWED: usize = 4;

/// Strings are made for at most this many regular expressions.
const MAX_PATTERNS: usize = 4;

/// The most parts of a string that a script may count, and how many numbers of them are tried.
const MAX_PARTS: usize = 12;
const MAX_COUNTS: usize = 4;

/// How many constants may be combined with each other.
const MAX_COMBINED: usize = 16;

pub(super) struct Samples<'r> {
    request: &'r EvaluationRequest<'r>,
    /// What `JSON.parse` of a parameter is to return.
    root: Root,
    found: Vec<Sample>,
    max_sets: usize,
}

/// A constant for a parameter, by its index.
type Choice<'c> = (usize, &'c str);

impl<'r> Samples<'r> {
    fn new(request: &'r EvaluationRequest<'r>, root: Root) -> Self {
        Self { request, root, found: Vec::new(), max_sets: request.max_sets().min(MAX_SAMPLES) }
    }

    /// The first set alone.
    pub fn first(request: &'r EvaluationRequest<'r>, root: Root) -> Sample {
        let mut samples = Self::new(request, root);
        samples.add_plausible(&[]);
        samples.found.pop().unwrap_or_else(|| Sample { values: Vec::new(), is_plausible: true, is_guess: false })
    }

    /// All sets, without repetitions; one if the document has the values of all parameters.
    pub fn all(request: &'r EvaluationRequest<'r>, root: Root) -> Vec<Sample> {
        let mut samples = Self::new(request, root);
        samples.add_plausible(&[]);
        if !request.is_fixed() {
            samples.add_plausible(&[]);
            samples.add_constants();
            samples.add_followed();
            samples.add_keys();
            samples.add_broken_json();
            samples.add_matching();
            samples.add_separated();
            samples.add(false, |_, number| descending(number).to_string());
        }
        samples.found.truncate(samples.max_sets);
        samples.found
    }

    /// Whether there are as many sets as are used.
    const fn is_full(&self) -> bool {
        self.found.len() >= self.max_sets
    }

    /// Adds a set in which open parameters have the value of `make`, given their name and number.
    fn add(&mut self, is_plausible: bool, make: impl Fn(&str, usize) -> String) {
        if self.is_full() {
            // It is not used, and what is done to it is quick.
            self.found.truncate(self.max_sets);
            self.found.push(Sample { values: Vec::new(), is_plausible, is_guess: false });
            return;
        }
        let first = self.found.len() * NUMBERS_PER_SET + 1;
        let values = self.request.parameters.iter().enumerate().map(|(index, parameter)| {
            let number = first + index;
            let (text, is_made_up) = match &parameter.input {
                ScriptInput::Fixed(value) => (value.clone(), false),
                ScriptInput::Open => (make(parameter.name, number), true),
                ScriptInput::OpenJson => (self.json(number, None), true),
            };
            SampleValue { text, is_made_up }
        });
        let values = values.collect();
        self.found.push(Sample { values, is_plausible, is_guess: false });
    }

    /// Adds a set of values of the kind that the script reads, or that the names suggest.
    fn add_likely(&mut self, is_plausible: bool) {
        let clues = self.request.syntax.clues();
        self.add(is_plausible, |name, number| likely(clues, name, number));
    }

    fn json(&self, number: usize, constant: Option<(&str, &str)>) -> String {
        JsonSample { clues: self.request.syntax.clues(), constant }.text(self.root, number)
    }

    /// Adds a plausible set with some constants, past the patterns that guard the rest of the script.
    fn add_plausible(&mut self, constants: &[Choice<'_>]) {
        if self.found.len() < PLAIN_SETS {
            self.add_likely(true);
        } else {
            self.add_tested(0);
        }
        let Some(sample) = self.found.last_mut() else { return };
        for (index, constant) in constants {
            if let Some(value) = sample.values.get_mut(*index) {
                let is_made_up = !constant.is_empty() && !self.request.script.contains(*constant);
                *value = SampleValue { text: (*constant).to_owned(), is_made_up };
            }
        }
    }

    /// A set for each constant that a parameter is compared with, and for combinations of them.
    fn add_constants(&mut self) {
        let parameters: Vec<(usize, Vec<&str>)> = self
            .request
            .open_parameters()
            .filter(|(_, parameter)| parameter.input == ScriptInput::Open)
            .map(|(index, parameter)| (index, self.constants_of(parameter)))
            .filter(|(_, constants)| !constants.is_empty())
            .collect();
        let combinations: usize =
            parameters.iter().fold(1, |product: usize, (_, list)| product.saturating_mul(list.len() + 1));
        if combinations <= MAX_COMBINED {
            let mut sets: Vec<Vec<Choice<'_>>> = vec![Vec::new()];
            for (index, constants) in &parameters {
                let with = |set: &Vec<Choice<'r>>, constant: &'r str| {
                    set.iter().copied().chain([(*index, constant)]).collect::<Vec<_>>()
                };
                let more = sets.iter().flat_map(|set| constants.iter().map(move |constant| with(set, constant)));
                let more: Vec<_> = more.collect();
                sets.extend(more);
            }
            sets.iter().skip(1).for_each(|set| self.add_plausible(set));
            return;
        }
        for (index, constants) in &parameters {
            for constant in constants.iter().take(self.max_sets) {
                self.add_plausible(&[(*index, constant)]);
            }
        }
        let longest = parameters.iter().map(|(_, list)| list.len()).max().unwrap_or(0);
        for round in 0..longest.min(self.max_sets) {
            let set = parameters.iter().filter_map(|(index, list)| Some((*index, *list.get(round % list.len())?)));
            self.add_plausible(&set.collect::<Vec<_>>());
        }
    }

    /// What a parameter is compared with; the empty string, too, if it may be empty and that decides something.
    fn constants_of(&self, parameter: &ScriptParameter<'_>) -> Vec<&'r str> {
        let clues = self.request.syntax.clues();
        let name = parameter.name;
        let is_own = |input: &Input| matches!(input, Input::Global(global) if global == name);
        let own = clues.comparisons.iter().filter(|found| is_own(&found.input));
        let mut constants: Vec<&str> = own.map(|found| found.constant.as_str()).collect();
        if self.request.tries_empty(parameter) && !constants.contains(&"") {
            constants.push("");
        }
        constants
    }

    /// The constants that are compared with something else than a parameter.
    fn other_constants(&self) -> Vec<(Option<&'r str>, &'r str)> {
        let comparisons = self.request.syntax.clues().comparisons.iter();
        comparisons
            .filter_map(|found| match &found.input {
                Input::Global(_) => None,
                Input::Key(key) => Some((Some(key.as_str()), found.constant.as_str())),
                Input::Unknown => Some((None, found.constant.as_str())),
            })
            .filter(|(_, constant)| !constant.is_empty())
            .collect()
    }

    /// Sets in which each parameter alone has a constant that is compared with something else, which it may reach by an
    /// argument of a function or a key of an object.
    fn add_followed(&mut self) {
        let mut constants = self.other_constants();
        // Numbers are mostly those of loops.
        constants.sort_by_key(|(_, constant)| constant.parse::<f64>().is_ok());
        let open: Vec<usize> = self.open_texts().map(|(index, _)| index).collect();
        for (_, constant) in constants.into_iter().take(MAX_FOLLOWED) {
            for &index in open.iter().take(MAX_TESTED) {
                self.add_plausible(&[(index, constant)]);
                self.guess();
            }
        }
    }

    /// Marks the last set as a guess, of which nothing is to be shown.
    fn guess(&mut self) {
        let Some(sample) = self.found.last_mut() else { return };
        sample.is_guess = true;
        for (parameter, value) in self.request.parameters.iter().zip(&mut sample.values) {
            value.is_made_up = parameter.input.is_open();
        }
    }

    /// A set in which what the script parses is no JSON.
    fn add_broken_json(&mut self) {
        if self.request.parameters.iter().any(|parameter| parameter.input == ScriptInput::OpenJson) {
            self.add_likely(false);
            self.guess();
            let Some(sample) = self.found.last_mut() else { return };
            for (parameter, value) in self.request.parameters.iter().zip(&mut sample.values) {
                if parameter.input == ScriptInput::OpenJson {
                    value.text = format!("{} that is no JSON", parameter.name);
                }
            }
        }
    }

    /// Sets of JSON in which a key has a constant.
    fn add_keys(&mut self) {
        if !self.request.parameters.iter().any(|parameter| parameter.input == ScriptInput::OpenJson) {
            return;
        }
        for (key, constant) in self.other_constants() {
            let Some(key) = key.filter(|_| !self.is_full()) else { continue };
            self.add_plausible(&[]);
            let first = (self.found.len() - 1) * NUMBERS_PER_SET + 1;
            let texts: Vec<String> = (0..self.request.parameters.len())
                .map(|index| self.json(first + index, Some((key, constant))))
                .collect();
            let Some(sample) = self.found.last_mut() else { return };
            for ((parameter, value), text) in self.request.parameters.iter().zip(&mut sample.values).zip(texts) {
                if parameter.input == ScriptInput::OpenJson {
                    value.text = text;
                }
            }
        }
    }

    /// Sets in which a parameter matches a regular expression of the script: those that are tested by one, then each
    /// parameter alone.
    fn add_matching(&mut self) {
        let clues = self.request.syntax.clues();
        if self.open_texts().any(|(_, name)| self.tested_by(name).next().is_some()) {
            for round in 0..MAX_PATTERNS {
                self.add_tested(round);
            }
        }
        let unknown = clues.matching.iter().filter(|found| !matches!(found.input, Input::Global(_)));
        let open: Vec<usize> = self.open_texts().map(|(index, _)| index).collect();
        for found in unknown.take(MAX_PATTERNS) {
            for &index in open.iter().take(MAX_TESTED) {
                let text = found.sample.text_of(self.found.len() * NUMBERS_PER_SET + 1 + index);
                self.add_plausible(&[]);
                self.replace(index, text);
            }
            for separator in clues.separators.iter().take(2) {
                self.add(false, |name, number| join(name, number, separator, None, &[&found.sample.text_of(number)]));
            }
        }
    }

    /// A plausible set in which parameters match the pattern that they are tested by: the one with the index of the round,
    /// from the second round on also those whose name suggests a kind of value.
    fn add_tested(&mut self, round: usize) {
        self.add_likely(true);
        if self.found.len() > self.max_sets {
            return;
        }
        let first = (self.found.len() - 1) * NUMBERS_PER_SET + 1;
        for (index, name) in self.open_texts().collect::<Vec<_>>() {
            let number = first + index;
            let pattern = self.tested_by(name).nth(round).or_else(|| self.tested_by(name).last());
            if let Some(pattern) = pattern.filter(|_| round > 0 || of_kind(name, number).is_none()) {
                self.replace(index, pattern.text_of(number));
            }
        }
    }

    /// Index and name of the open parameters that are not JSON.
    fn open_texts(&self) -> impl Iterator<Item = (usize, &'r str)> {
        let open = self.request.open_parameters().filter(|(_, parameter)| parameter.input == ScriptInput::Open);
        open.map(|(index, parameter)| (index, parameter.name))
    }

    /// The regular expressions by which a parameter is tested.
    fn tested_by(&self, name: &str) -> impl Iterator<Item = &'r PatternSample> {
        let matching = self.request.syntax.clues().matching.iter();
        matching
            .filter(move |found| matches!(&found.input, Input::Global(global) if global == name))
            .map(|found| &found.sample)
    }

    /// Replaces a made-up value of the last set.
    fn replace(&mut self, index: usize, text: String) {
        if let Some(value) = self.found.last_mut().and_then(|sample| sample.values.get_mut(index)) {
            value.text = text;
        }
    }

    /// Sets of strings with many parts.
    fn add_separated(&mut self) {
        let clues = self.request.syntax.clues();
        let separators: Vec<&str> = clues.separators.iter().map(String::as_str).take(3).collect();
        let constants: Vec<&str> = self.other_constants().into_iter().map(|(_, constant)| constant).take(6).collect();
        // Numbers are the places of parts, not keys.
        let keys: Vec<&str> = clues.keys.iter().map(|key| key.name.as_str()).collect();
        let keys: Vec<&str> = keys.into_iter().filter(|key| key.starts_with(char::is_alphabetic)).collect();
        let counts = clues.lengths.iter().copied().filter(|count| (3..=MAX_PARTS).contains(count));
        let counts: Vec<usize> = std::iter::once(2).chain(counts.take(MAX_COUNTS)).collect();
        for outer in &separators {
            for &count in &counts {
                self.add(false, |name, number| parts(name, number, count).join(outer));
            }
            self.add(false, |name, number| join(name, number, outer, None, &constants));
            self.add(false, |_, number| join("mail", number, outer, None, &[]));
            self.add(false, |_, number| {
                format!("{:02}{outer}{:02}{outer}{}", number % 28 + 1, number % 12 + 1, 2030 + number % 60)
            });
            for constant in constants.iter().take(MAX_REPEATED) {
                self.add(false, |_, _| [*constant; 3].join(outer));
            }
            for inner in separators.iter().filter(|inner| *inner != outer) {
                if !keys.is_empty() {
                    self.add(false, |_, number| pairs(&keys, number, outer, inner));
                }
                self.add(false, |name, number| join(name, number, outer, Some(inner), &[]));
                if !constants.is_empty() {
                    self.add(false, |name, number| join(name, number, outer, Some(inner), &constants));
                }
            }
        }
        // A script may split by something else, or look for something else.
        self.add(false, |_, number| {
            let marks = ["a", ",", ";", "|", "/", "\\", "-", ".", ":", "_", "@", "=", "&", "#", " ", "\t", "\n"];
            format!("{}{number}", marks.concat().repeat(16))
        });
    }
}

/// The number, counted down within its set: of two parameters that are numbers, each is the larger one in some set.
const fn descending(number: usize) -> usize {
    let before = number - 1;
    before / NUMBERS_PER_SET * NUMBERS_PER_SET + NUMBERS_PER_SET - before % NUMBERS_PER_SET
}
