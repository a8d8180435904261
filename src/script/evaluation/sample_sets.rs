//! The sets of values that a script is run on.
//!
//! Plausible values first; then each constant that the script compares an input with; then guesses: constants that it
//! compares with something that an input may reach, strings of several parts, and numbers.

use super::request::{EvaluationRequest, ScriptInput, ScriptParameter};
use super::sample_values::{JsonSample, Root, likely, of_date, of_kind, of_nested_parts, of_parts};
use crate::script::syntax::{Input, InputHints};

/// The values of all parameters in one run, in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SampleSet {
    pub values: Vec<SampleValue>,
    /// Whether a failure on these values says nothing: they may be meant for something else.
    pub is_guess: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SampleValue {
    pub text: String,
    /// Neither from the document nor a constant of the script.
    pub is_made_up: bool,
}

/// A script is run on at most this many sets.
const MAX_SETS: usize = 48;

/// The numbers of values in one set.
const NUMBERS_PER_SET: usize = 100;

/// How many constants may be combined with each other.
const MAX_COMBINED: usize = 16;

/// Constants that are compared with something that a parameter may reach, and parameters that are tried.
const MAX_REACHED: usize = 4;
const MAX_REACHING: usize = 6;

/// Separators by which a script splits strings, and numbers of parts.
const MAX_SEPARATORS: usize = 3;
const MAX_COUNTS: usize = 3;
const USUAL_PARTS: usize = 6;
const MAX_PARTS: usize = 12;

/// A constant for a parameter, by its index.
type Choice<'c> = (usize, &'c str);

struct Sets<'r> {
    request: &'r EvaluationRequest<'r>,
    hints: &'r InputHints,
    /// What `JSON.parse` of a parameter is to return.
    root: Root,
    found: Vec<SampleSet>,
    most: usize,
}

/// All sets; one if the document has the values of all parameters.
pub(super) fn all_sets(request: &EvaluationRequest<'_>, root: Root) -> Vec<SampleSet> {
    let mut sets = Sets::new(request, root);
    sets.add_plausible(&[]);
    if !request.is_fixed() {
        sets.add_plausible(&[]);
        sets.add_constants();
        sets.add_keys();
        sets.add_reached();
        sets.add_broken_json();
        sets.add_parts();
        if request.syntax.hints.computes {
            sets.add_numbers();
        }
    }
    sets.found
}

/// The first set alone.
pub(super) fn first_set(request: &EvaluationRequest<'_>, root: Root) -> SampleSet {
    let mut sets = Sets::new(request, root);
    sets.add_plausible(&[]);
    sets.found.pop().unwrap_or_else(|| SampleSet { values: Vec::new(), is_guess: false })
}

impl<'r> Sets<'r> {
    fn new(request: &'r EvaluationRequest<'r>, root: Root) -> Self {
        let (hints, most) = (&request.syntax.hints, request.max_sets().min(MAX_SETS));
        Self { request, hints, root, found: Vec::new(), most }
    }

    /// Adds a set in which open parameters have the value of `make`, given their name and number; in place of JSON, too,
    /// if there is none.
    fn add(&mut self, is_guess: bool, json: Option<&JsonSample<'_>>, make: impl Fn(&str, usize) -> String) {
        if self.found.len() == self.most {
            return;
        }
        let first = self.found.len() * NUMBERS_PER_SET + 1;
        let values = self.request.parameters.iter().enumerate().map(|(index, parameter)| {
            let (text, is_made_up) = match &parameter.input {
                ScriptInput::Fixed(value) => (value.clone(), false),
                ScriptInput::Open => (make(parameter.name, first + index), true),
                ScriptInput::OpenJson => {
                    (json.map_or_else(|| make(parameter.name, first + index), |json| json.text(first + index)), true)
                }
            };
            SampleValue { text, is_made_up }
        });
        let values = values.collect();
        self.found.push(SampleSet { values, is_guess });
    }

    fn json(&self) -> JsonSample<'r> {
        JsonSample { hints: self.hints, root: self.root, constant: None, has_numbers: false }
    }

    /// What makes likely values. After the first sets they match the pattern that a parameter is tested by, to get past that.
    fn likely(&self) -> impl Fn(&str, usize) -> String + use<'r> {
        let (hints, has_plain) = (self.hints, self.found.len() > 1);
        move |name, number| {
            let is_own = |input: &Input| matches!(input, Input::Global(global) if global == name);
            let pattern = hints.matching.iter().find(|found| is_own(&found.input));
            match pattern.and_then(|found| found.samples.first()) {
                Some(sample) if has_plain && of_kind(name, number).is_none() => sample.clone(),
                _ => likely(hints, name, number),
            }
        }
    }

    /// Adds a plausible set with some constants.
    fn add_plausible(&mut self, constants: &[Choice<'_>]) {
        let before = self.found.len();
        self.add(false, Some(&self.json()), self.likely());
        let Some(set) = self.found.get_mut(before) else { return };
        for (index, constant) in constants {
            if let Some(value) = set.values.get_mut(*index) {
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
            for constant in constants.iter().take(self.most) {
                self.add_plausible(&[(*index, constant)]);
            }
        }
        let longest = parameters.iter().map(|(_, list)| list.len()).max().unwrap_or(0);
        for round in 0..longest.min(self.most) {
            let set = parameters.iter().filter_map(|(index, list)| Some((*index, *list.get(round % list.len())?)));
            self.add_plausible(&set.collect::<Vec<_>>());
        }
    }

    /// What a parameter is compared with, strings that match what it is tested by, and the empty string if it may be
    /// empty and that decides something.
    fn constants_of(&self, parameter: &ScriptParameter<'_>) -> Vec<&'r str> {
        let is_own = |input: &Input| matches!(input, Input::Global(global) if global == parameter.name);
        let compared = self.hints.comparisons.iter().filter(|found| is_own(&found.input));
        let matching = self.hints.matching.iter().filter(|found| is_own(&found.input));
        let compared = compared.map(|found| found.constant.as_str());
        let mut constants: Vec<&str> =
            compared.chain(matching.flat_map(|found| &found.samples).map(String::as_str)).collect();
        if self.request.tries_empty(parameter) && !constants.contains(&"") {
            constants.push("");
        }
        constants
    }

    /// Sets of JSON in which a key has a constant.
    fn add_keys(&mut self) {
        if !self.request.parameters.iter().any(|parameter| parameter.input == ScriptInput::OpenJson) {
            return;
        }
        for found in &self.hints.comparisons {
            if let Input::Key(key) = &found.input {
                let json = JsonSample { constant: Some((key, &found.constant)), ..self.json() };
                self.add(false, Some(&json), self.likely());
            }
        }
    }

    /// Sets in which each parameter alone has a constant, or matches a pattern, that is compared with something else, which
    /// the parameter may reach by an argument of a function or a key of an object.
    fn add_reached(&mut self) {
        let is_other = |input: &Input| !matches!(input, Input::Global(_));
        let compared = self.hints.comparisons.iter().filter(|found| is_other(&found.input));
        let matching = self.hints.matching.iter().filter(|found| is_other(&found.input));
        let matching = matching.filter_map(|found| found.samples.first());
        let mut constants: Vec<&String> = compared.map(|found| &found.constant).collect();
        constants.retain(|constant| !constant.is_empty());
        // Numbers are mostly those of loops.
        constants.sort_by_key(|constant| constant.parse::<f64>().is_ok());
        constants.truncate(MAX_REACHED);
        constants.extend(matching.take(MAX_REACHED));
        let open = self.request.open_parameters().filter(|(_, parameter)| parameter.input == ScriptInput::Open);
        let open: Vec<usize> = open.map(|(index, _)| index).take(MAX_REACHING).collect();
        for constant in constants {
            for index in &open {
                let before = self.found.len();
                self.add_plausible(&[(*index, constant)]);
                let Some(set) = self.found.get_mut(before) else { return };
                set.is_guess = true;
                for (parameter, value) in self.request.parameters.iter().zip(&mut set.values) {
                    value.is_made_up = parameter.input.is_open();
                }
            }
        }
    }

    /// A set in which what the script parses is no JSON.
    fn add_broken_json(&mut self) {
        if self.request.parameters.iter().any(|parameter| parameter.input == ScriptInput::OpenJson) {
            self.add(true, None, self.likely());
        }
    }

    /// Sets of strings with many parts.
    fn add_parts(&mut self) {
        let lengths = self.hints.lengths.iter().copied().filter(|count| (2..=MAX_PARTS).contains(count));
        let counts: Vec<usize> = std::iter::once(USUAL_PARTS).chain(lengths.take(MAX_COUNTS)).collect();
        let separators: Vec<&str> = self.hints.separators.iter().map(String::as_str).take(MAX_SEPARATORS).collect();
        let json = self.json();
        for outer in &separators {
            for &count in &counts {
                self.add(true, Some(&json), |name, number| of_parts(name, number, count, outer));
            }
            self.add(true, Some(&json), |_, number| of_date(number, outer));
            for inner in separators.iter().filter(|inner| *inner != outer) {
                self.add(true, Some(&json), |name, number| of_nested_parts(name, number, outer, inner));
            }
        }
    }

    /// A set of numbers, counted down: of two parameters that are numbers, each is the larger one in some set.
    fn add_numbers(&mut self) {
        let json = JsonSample { has_numbers: true, ..self.json() };
        let last = (self.found.len() + 1) * NUMBERS_PER_SET;
        self.add(true, Some(&json), |_, number| last.saturating_sub(number % NUMBERS_PER_SET).to_string());
    }
}
