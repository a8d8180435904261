//! What is chosen in a state, and the alternatives, in words.

use std::collections::BTreeMap;

use jiff::SignedDuration;

use crate::explore::inputs::{Inputs, Section};
use crate::explore::order::Order;
use crate::explore::search::{Choice, Point, PossibleResult, Question, RecordedMove, RecordedState, SearchDecision};
use crate::model::ActivityId;
use crate::redaction::Masker;
use crate::simulate::{Plan, SigningAction, show_duration};
use crate::synth::{LookupAnswer, Submitted};
use crate::text::{MAX_NAME, quote, truncate, without_backticks};

/// The words for the choices of a service.
pub(super) struct ChoiceWords<'w, 'p> {
    pub order: &'w Order<'w>,
    pub inputs: &'w Inputs,
    pub plan: &'p Plan<'p>,
    pub masker: &'w Masker,
}

/// The text that a field is given; of a file its name.
pub(super) fn text_of(value: &Submitted) -> &str {
    match value {
        Submitted::Text(text) | Submitted::File(text) => text,
    }
}

/// A value of a variable, masked.
pub(super) fn masked_value(plan: &Plan<'_>, masker: &Masker, variable: &str, value: &str) -> String {
    let masked = masker.apply(value);
    let mask = plan.names.slot(variable).and_then(|slot| plan.names.mask(slot));
    mask.map_or_else(|| masked.clone().into_owned(), |mask| mask.apply(&masked))
}

impl ChoiceWords<'_, '_> {
    pub fn question(&self, point: &Point) -> String {
        match point {
            Point::LoopHead => "What happens next?".to_owned(),
            Point::Time(_) => "Who acts?".to_owned(),
            Point::Question(Question::Call(activity)) => format!("Does {} succeed?", self.activity(Some(*activity))),
            Point::Question(Question::Result(activity, _)) => {
                format!("What does {} return?", self.activity(Some(*activity)))
            }
            Point::Field(field) => match self.inputs.fields.get(*field) {
                Some(input) if input.section == Section::Variables => {
                    format!("What is {} at the start?", self.quoted(&input.name))
                }
                Some(input) => format!("What is entered in {}?", self.quoted(&input.name)),
                None => "What is entered?".to_owned(),
            },
        }
    }

    /// The alternatives of a state, each with words of its own.
    pub fn alternatives(&self, state: &RecordedState<'_>) -> Vec<String> {
        let Some(point) = &state.point else { return Vec::new() };
        let acts = |made: &RecordedMove<'_>| made.choice.as_ref().is_some_and(|choice| choice.decision.is_of_person());
        let has_people = state.moves.iter().any(acts);
        let mut words: Vec<String> = state.moves.iter().map(|made| self.alternative(made, point, has_people)).collect();
        for (text, made) in tell_apart(&mut words).into_iter().zip(&state.moves) {
            if let (Some(text), Some(choice)) = (text, &made.choice) {
                *text = format!("{text} ({})", self.activity(choice.activity));
            }
        }
        let mut number: BTreeMap<String, usize> = BTreeMap::new();
        for text in tell_apart(&mut words).into_iter().flatten() {
            let count = number.entry(text.clone()).or_default();
            *count += 1;
            *text = format!("{text} ({count})");
        }
        words
    }

    fn alternative(&self, made: &RecordedMove<'_>, point: &Point, has_people: bool) -> String {
        let usual = match &made.choice {
            Some(choice) => self.choice(choice),
            None if matches!(point, Point::Question(_)) => "succeeds".to_owned(),
            None if has_people => "nobody acts".to_owned(),
            None => "goes on".to_owned(),
        };
        let Some(jump) = &made.jump else { return usual };
        let until = format!("until the deadline in {}", show_duration(jump_time(made, jump.deadline)));
        match (&made.choice, point) {
            (None, Point::Time(_)) => format!("nobody acts {until}"),
            _ => format!("{usual}, and nobody acts {until}"),
        }
    }

    fn choice(&self, choice: &Choice) -> String {
        match &choice.decision {
            SearchDecision::Signs { mail, action, .. } => {
                let verb = match action {
                    SigningAction::Sign => "signs",
                    SigningAction::Reject => "rejects",
                };
                format!("{} {verb}", self.plain(mail))
            }
            SearchDecision::Answers { who, approves, .. } => {
                format!("{} {}", self.plain(who), if *approves { "approves" } else { "rejects" })
            }
            SearchDecision::Fails { .. } => "fails".to_owned(),
            SearchDecision::Returns { result, .. } => self.result(result),
            SearchDecision::Field { field, alternative } => self.field(*field, *alternative),
        }
    }

    fn result(&self, result: &PossibleResult) -> String {
        match (result.answer, &result.outputs) {
            (_, Err(error)) => format!("fails: {}", truncate(&self.masker.apply(error), MAX_NAME)),
            (Some(LookupAnswer::Full), _) => "finds an entry".to_owned(),
            (Some(LookupAnswer::Empty), _) => "finds no values".to_owned(),
            (Some(LookupAnswer::Two), _) => "finds two entries".to_owned(),
            (None, Ok(outputs)) if outputs.is_empty() => "succeeds".to_owned(),
            (None, Ok(outputs)) => {
                let outputs: Vec<String> = outputs.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                format!("returns {}", self.quoted(&outputs.join(", ")))
            }
        }
    }

    fn field(&self, field: usize, alternative: usize) -> String {
        let input = self.inputs.fields.get(field);
        let Some((input, chosen)) = input.and_then(|input| Some((input, input.alternatives.get(alternative)?))) else {
            return String::new();
        };
        let value = masked_value(self.plan, self.masker, &input.variable, text_of(&chosen.value));
        if value.is_empty() { "nothing".to_owned() } else { quote(&without_backticks(&value)) }
    }

    fn activity(&self, id: Option<ActivityId>) -> String {
        self.quoted(&self.order.name(id))
    }

    /// A string of a document, masked, beside names in backticks.
    fn plain(&self, text: &str) -> String {
        without_backticks(&self.masker.apply(text)).into_owned()
    }

    fn quoted(&self, text: &str) -> String {
        quote(&self.plain(text))
    }
}

/// The time from a move to the deadline before which it skips rounds.
fn jump_time(made: &RecordedMove<'_>, deadline: crate::simulate::Instant) -> SignedDuration {
    deadline.since(made.began)
}

/// Of texts that are equal, each; `None` for those that are not.
fn tell_apart(texts: &mut [String]) -> Vec<Option<&mut String>> {
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    for text in &*texts {
        *count.entry(text.clone()).or_default() += 1;
    }
    texts.iter_mut().map(|text| (count.get(text.as_str()).is_some_and(|count| *count > 1)).then_some(text)).collect()
}
