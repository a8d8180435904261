//! Stand-ins for fixed values that a script only inserts. Teams copy a script from service to service, and change the
//! name of the document that a parameter gives it: it runs on all samples once for all of them, on a stand-in, and each
//! service has its own value in place of it in the results.
//!
//! The script has to do the same with each value. By its syntax, it names the parameter only where it inserts it
//! (`Script::inserted`), and all runs are the same on a second stand-in, which is long and has letters and signs of all
//! kinds. It may still look into what it has built: unless it only combines values, each value has a few runs of its own,
//! which have to end like those on the stand-in.

use super::outcome::{Ending, Evaluation, Run};
use super::request::{EvaluationRequest, ScriptInput};
use super::samples::{Sample, SampleValue};

/// The signs that a value may have beside letters and digits. The second stand-in has all of them, and JSON none with an
/// escape.
const SIGNS: &str = " -_.,:;/()&'+#!?%@*=~";

/// A longer value may be cut. The second stand-in is longer.
const MAX_BYTES: usize = 200;

/// A shorter value may be too short. The first stand-in is as short.
const MIN_CHARACTERS: usize = 5;

/// At most so many values are looked at. Each is searched for in the script and in all other values.
const MAX_VALUES: usize = 8;

/// The fixed values of a request that have a stand-in.
#[derive(Debug, Default)]
pub(super) struct StandIns<'r>(Vec<StandIn<'r>>);

#[derive(Debug)]
struct StandIn<'r> {
    /// The index of the parameter.
    index: usize,
    value: &'r str,
    first: String,
    second: String,
}

impl<'r> StandIns<'r> {
    /// None if the document has all values: one run then shows everything.
    pub fn of(request: &'r EvaluationRequest<'_>) -> Self {
        if request.is_fixed() {
            return Self::default();
        }
        let fixed = || FixedValue::all(request);
        let plain = fixed().filter(|it| is_plain(it.value) && it.is_inserted(request)).take(MAX_VALUES);
        let replaced = plain.filter(|it| !fixed().any(|other| it.is_like(other)) && !is_looked_for(request, it.value));
        let stand_in = |(number, FixedValue { index, value, .. })| StandIn {
            index,
            value,
            first: first(number),
            second: second(number),
        };
        let found = Self(replaced.enumerate().map(stand_in).collect());
        if !found.is_empty() && is_anything_looked_for(request) { Self::default() } else { found }
    }

    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The request with the first stand-ins in place of the values.
    pub fn request<'a>(&self, request: &EvaluationRequest<'a>) -> EvaluationRequest<'a> {
        let mut changed = request.clone();
        for stand_in in &self.0 {
            if let Some(parameter) = changed.parameters.get_mut(stand_in.index) {
                parameter.input = ScriptInput::Fixed(stand_in.first.clone());
            }
        }
        changed
    }

    /// The sample of a run on the first stand-ins, with the second ones in place of them. `None` if the first ones got into
    /// other values, which were derived from what the script compares.
    pub fn second_sample(&self, run: &Run) -> Option<Sample> {
        let mut sample = Sample::of(run);
        for StandIn { index, first, second, .. } in &self.0 {
            let value = sample.values.get_mut(*index).filter(|value| value.text == *first)?;
            value.text.clone_from(second);
        }
        let is_left = |value: &SampleValue| self.0.iter().any(|stand_in| value.text.contains(&stand_in.first));
        Some(sample).filter(|sample| !sample.values.iter().any(is_left))
    }

    /// The ending of a run on the first stand-ins as it is on the second ones.
    pub fn second_ending(&self, ending: &Ending) -> Ending {
        self.0.iter().fold(ending.clone(), |ending, it| ending.replaced(&it.first, &it.second))
    }

    /// The result on the values, from that on the first stand-ins.
    pub fn replaced(&self, mut evaluation: Evaluation) -> Evaluation {
        evaluation.is_general = false;
        for run in &mut evaluation.runs {
            for StandIn { index, value, first, .. } in &self.0 {
                if let Some(found) = run.values.get_mut(*index).filter(|found| found.text == *first) {
                    (*value).clone_into(&mut found.text);
                }
                run.ending = std::mem::replace(&mut run.ending, Ending::Unset).replaced(first, value);
            }
        }
        evaluation
    }
}

impl Ending {
    fn replaced(self, from: &str, to: &str) -> Self {
        match self {
            Self::Text { text, trace } => Self::Text { text: text.replace(from, to), trace },
            Self::Failed(mut failure) => {
                failure.message = failure.message.replace(from, to);
                Self::Failed(failure)
            }
            Self::NoText(_) | Self::Unset => self,
        }
    }
}

/// What all stand-ins contain, and neither a script nor a value.
const STEM: &str = "qzx";

/// A word, before most others in alphabetical order.
fn first(number: usize) -> String {
    let letter = ('a'..='z').nth(number).unwrap_or('z');
    format!("A{STEM}{letter}")
}

/// Longer than any value that is replaced, with a space at its end, and after most others in alphabetical order. Those of
/// several values come in reverse order.
fn second(number: usize) -> String {
    let letters: String = ('a'..='z').chain('A'..='Z').chain('0'..='9').collect();
    let letter = ('a'..='z').rev().nth(number).unwrap_or('a');
    format!("Z{STEM}{letter} {letters} Åäö ß Ω 字 {SIGNS} {letters} {letters} ")
}

/// Whether a string contains another one, in whatever case.
fn contains_in_any_case(text: &str, part: &str) -> bool {
    text.to_lowercase().contains(&part.to_lowercase())
}

/// A parameter with a value from the document.
#[derive(Clone, Copy)]
struct FixedValue<'r> {
    index: usize,
    name: &'r str,
    value: &'r str,
}

impl<'r> FixedValue<'r> {
    fn all(request: &'r EvaluationRequest<'_>) -> impl Iterator<Item = Self> {
        request.parameters.iter().enumerate().filter_map(|(index, parameter)| match &parameter.input {
            ScriptInput::Fixed(value) => Some(Self { index, name: parameter.name, value }),
            ScriptInput::Open | ScriptInput::OpenJson => None,
        })
    }

    /// Whether the script only inserts it. Of two parameters with one name, it sees the last.
    fn is_inserted(self, request: &EvaluationRequest<'_>) -> bool {
        let is_known = request.syntax.inserted.binary_search_by(|name| (**name).cmp(self.name)).is_ok();
        is_known && request.parameters.iter().filter(|other| other.name == self.name).nth(1).is_none()
    }

    /// Whether another parameter has a value that it contains, or that contains it: the script may compare them.
    fn is_like(self, other: Self) -> bool {
        let is_part = |part: &str, whole: &str| !part.is_empty() && contains_in_any_case(whole, part);
        other.index != self.index && (is_part(self.value, other.value) || is_part(other.value, self.value))
    }
}

/// Whether a script may look for anything, because it joins patterns, or because stand-ins may be mistaken for something
/// that is there.
fn is_anything_looked_for(request: &EvaluationRequest<'_>) -> bool {
    request.script.contains("RegExp")
        || contains_in_any_case(request.script, STEM)
        || FixedValue::all(request).any(|it| contains_in_any_case(it.value, STEM))
}

/// Whether a value is a string of which the stand-ins are examples: one that begins with a letter.
fn is_plain(value: &str) -> bool {
    value.len() <= MAX_BYTES
        && value.chars().count() >= MIN_CHARACTERS
        && value.starts_with(char::is_alphabetic)
        && !value.ends_with(' ')
        && value.chars().all(|letter| letter.is_alphanumeric() || SIGNS.contains(letter))
        && !["false", "undefined", "infinity"].iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// Whether a script may look for a value: it has the value, as a key perhaps, or a string or a pattern of it has something
/// in common with the value that the second stand-in lacks.
fn is_looked_for(request: &EvaluationRequest<'_>, value: &str) -> bool {
    let (value, example) = (value.to_lowercase(), second(0).to_lowercase());
    let mut strings = request.syntax.strings.iter().map(|string| string.value.to_lowercase());
    let is_in_common = |string: &str| value.contains(string) || string.contains(&value);
    let mut words = request.syntax.patterns.iter().flat_map(|pattern| words(pattern));
    contains_in_any_case(request.script, &value)
        || strings.any(|string| !example.contains(&string) && is_in_common(&string))
        || words.any(|word| !example.contains(&word) && value.contains(&word))
}

/// The words of a regular expression, in lower case.
fn words(pattern: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut letters = pattern.chars();
    while let Some(letter) = letters.next() {
        match words.last_mut() {
            Some(word) if letter.is_alphanumeric() => word.extend(letter.to_lowercase()),
            _ => words.push(String::new()),
        }
        if letter == '\\' {
            letters.next();
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::script::evaluation::request::{ScriptLimits, ScriptParameter};
    use crate::script::syntax::{ScriptKind, analyze};

    /// The values that have a stand-in, with another parameter that is open.
    fn replaced(script: &str, title: &str) -> usize {
        let syntax = analyze(ScriptKind::Script, script);
        let parameter = |name, input| ScriptParameter { name, input, may_be_empty: false };
        let parameters =
            vec![parameter("Title", ScriptInput::Fixed(title.to_owned())), parameter("Who", ScriptInput::Open)];
        let limits = ScriptLimits::of_seconds(1.0);
        let syntax: &Arc<_> = syntax.script().unwrap();
        let request = EvaluationRequest { script, syntax, parameters, hosts: Vec::new(), limits };
        StandIns::of(&request).0.len()
    }

    #[test]
    fn plain_values_have_a_stand_in() {
        let script = "Json = JSON.stringify({ Name: Title, Who: Who.replace(' ', '') })";
        for title in ["Headset", "Hyresavtal för lägenhet 12", "A & B: terms (new)", "Sopimus #3, osa 2"] {
            assert_eq!(replaced(script, title), 1, "{title}");
        }
        let long = "long ".repeat(50);
        for title in ["", "NDA", "30 days", "a\"b", "a\\b", "line\nline", "False", "ends ", "Aqzxa", &long] {
            assert_eq!(replaced(script, title), 0, "{title}");
        }
    }

    #[test]
    fn value_that_the_script_may_look_for_has_none() {
        let looks = "var o = { Name: Title }; Json = JSON.stringify(o); if (o.Name === 'Contract') Json = ''";
        assert_eq!((replaced(looks, "Contract"), replaced(looks, "Headset")), (0, 1));
        let matches = "var o = { Name: Title }; if (/contract/i.test(o.Name)) o.Name += '!'; Json = JSON.stringify(o)";
        assert_eq!((replaced(matches, "New Contract"), replaced(matches, "Headset")), (0, 1));
        assert_eq!(replaced("Json = JSON.stringify({ Name: Title, Long: Title.length > 9 })", "Headset"), 0);
    }

    #[test]
    fn escapes_are_between_the_words_of_a_pattern() {
        assert_eq!(words(r"^\bHyr(a|es)\d{2}$"), ["hyr", "a", "es", "2"]);
    }

    #[test]
    fn second_stand_in_is_longer_and_has_all_signs_of_values() {
        let (first, second) = (first(0), second(0));
        assert!(second.len() > MAX_BYTES && SIGNS.chars().all(|sign| second.contains(sign)));
        assert_eq!(first.chars().count(), MIN_CHARACTERS);
        assert_eq!(serde_json::json!(second).to_string(), format!("\"{second}\""), "no escapes");
    }
}
