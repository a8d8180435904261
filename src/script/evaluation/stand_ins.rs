//! Stand-ins for fixed values that a script only inserts. Teams copy a script from service to service, and change the
//! name of the document that a parameter gives it: it runs once for all of them, on a stand-in, and each service has its
//! own value in place of it in the results.
//!
//! This is right if the script does the same with each value. By its syntax, it names the parameter only where it inserts
//! it (`Script::inserted`). That it does not inspect the text later is shown by the same runs on a second stand-in, which is
//! long and has letters and signs of all kinds.

use super::outcome::{Ending, Evaluation, Run};
use super::request::{EvaluationRequest, ScriptInput, ScriptParameter};
use super::samples::{Sample, SampleValue};

/// The signs that a value may have beside letters and digits. The second stand-in has all of them, and JSON none with an
/// escape.
const SIGNS: &str = " -_.,:;/()&'+#!?%@*=~";

/// A longer value may be cut. The second stand-in is longer.
const MAX_BYTES: usize = 200;

/// A shorter value may be too short. The first stand-in is as short.
const MIN_CHARACTERS: usize = 5;

/// At most so many values are replaced.
const MAX_VALUES: usize = 20;

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
        let mut found = Self::default();
        if request.is_fixed() {
            return found;
        }
        for (index, parameter) in request.parameters.iter().enumerate() {
            if let ScriptInput::Fixed(value) = &parameter.input
                && found.0.len() < MAX_VALUES
                && is_inserted(request, parameter)
                && is_plain(request, value)
            {
                found.0.push(StandIn { index, value, first: first(found.0.len()), second: second(found.0.len()) });
            }
        }
        let is_taken = |text: &str| text.to_lowercase().contains(STEM);
        let mut fixed = request.parameters.iter().map(|parameter| match &parameter.input {
            ScriptInput::Fixed(value) => value.as_str(),
            ScriptInput::Open | ScriptInput::OpenJson => "",
        });
        // A pattern that the script joins may look for anything.
        let may_look = request.script.contains("RegExp");
        if may_look || is_taken(request.script) || fixed.any(is_taken) { Self::default() } else { found }
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

    /// The sample of a run on the first stand-ins, with the second ones in place of them.
    pub fn second_sample(&self, run: &Run) -> Sample {
        let value = |(index, value): (usize, &super::outcome::RunValue)| {
            let other = self.0.iter().find(|stand_in| stand_in.index == index && stand_in.first == value.text);
            let text = other.map_or_else(|| value.text.clone(), |stand_in| stand_in.second.clone());
            SampleValue { text, is_made_up: value.is_made_up }
        };
        let values = run.values.iter().enumerate().map(value).collect();
        Sample { values, is_plausible: run.is_plausible, is_guess: false }
    }

    /// The ending of a run on the first stand-ins as it is on the second ones.
    pub fn second_ending(&self, ending: &Ending) -> Ending {
        self.0.iter().fold(ending.clone(), |ending, it| ending.replaced(&it.first, &it.second))
    }

    /// The result on the values, from that on the first stand-ins.
    pub fn replaced(&self, mut evaluation: Evaluation) -> Evaluation {
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
    format!("A{STEM}{}", letter(number))
}

/// Longer than any value that is replaced, with a space at its end, and after most others in alphabetical order.
fn second(number: usize) -> String {
    let letters: String = ('a'..='z').chain('A'..='Z').chain('0'..='9').collect();
    format!("Z{STEM}{} {letters} Åäö ß Ω 字 {SIGNS} {letters} {letters} ", letter(number))
}

fn letter(number: usize) -> char {
    ('a'..='z').nth(number).unwrap_or('z')
}

/// Whether a script only inserts the value of a parameter.
fn is_inserted(request: &EvaluationRequest<'_>, parameter: &ScriptParameter<'_>) -> bool {
    let is_known = request.syntax.inserted.binary_search_by_key(&parameter.name, |name| name).is_ok();
    is_known && request.parameters.iter().filter(|other| other.name == parameter.name).count() == 1
}

/// Whether a value is a text of which the stand-ins are examples: one that begins with a letter, and has nothing in common
/// with what the script may look for.
fn is_plain(request: &EvaluationRequest<'_>, value: &str) -> bool {
    let has_plain_letters = value.chars().all(|letter| letter.is_alphanumeric() || SIGNS.contains(letter));
    value.len() <= MAX_BYTES
        && value.chars().count() >= MIN_CHARACTERS
        && value.starts_with(char::is_alphabetic)
        && !value.ends_with(' ')
        && has_plain_letters
        && !["false", "undefined", "infinity"].iter().any(|word| value.eq_ignore_ascii_case(word))
        && !is_looked_for(request, value)
}

/// Whether a script may look for a value: it has the value, as a key perhaps, or a string or a pattern of it has something
/// in common with the value that the second stand-in lacks.
fn is_looked_for(request: &EvaluationRequest<'_>, value: &str) -> bool {
    let example = second(0);
    let mut strings = request.syntax.strings.iter().map(|string| string.value.as_str());
    let is_in_common = |string: &str| value.contains(string) || string.contains(value);
    if request.script.contains(value) || strings.any(|string| !example.contains(string) && is_in_common(string)) {
        return true;
    }
    let (value, example) = (value.to_lowercase(), example.to_lowercase());
    let mut words = request.syntax.patterns.iter().flat_map(|pattern| words(pattern));
    words.any(|word| !example.contains(&word) && value.contains(&word))
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
    use crate::script::evaluation::request::ScriptLimits;
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
