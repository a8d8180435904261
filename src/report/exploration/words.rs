//! Describes the choices of runs in words.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::explore::{ChoiceKind, Chooser, Ending, ExploredChoice, ExploredEnd, ExploredService, RepeatedCall};
use crate::redaction::Masker;
use crate::text::{MAX_NAME, list, quote, truncate};

/// Choices at the start and at the end of a run that are named; those between are counted.
const MAX_SHOWN: usize = 3;

/// Describes the choices of a service's runs. Not escaped.
pub(super) struct Words<'s> {
    masker: &'s Masker,
    /// How people are named.
    approvers: Naming,
    signers: Naming,
}

/// How the choice of a person is named among those of the same kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Naming {
    /// There is only one person.
    Alone,
    /// Several activities ask, each of them one person.
    ByActivity,
    ByMail,
    /// Several activities ask several people.
    ByBoth,
}

impl<'s> Words<'s> {
    pub fn of(service: &'s ExploredService) -> Self {
        Self {
            masker: &service.masker,
            approvers: Naming::of(service, Chooser::Approver),
            signers: Naming::of(service, Chooser::Signer),
        }
    }

    /// The choices that lead to an end: the unusual ones, or without any, who acts.
    pub fn reason(&self, end: &ExploredEnd) -> String {
        let mut choices: Vec<&ExploredChoice> = end.choices.iter().filter(|choice| is_unusual(choice)).collect();
        // A call that fails by itself, not by choice. Those who never act did not do so before it.
        let is_active = |choice: &&ExploredChoice| choice.choice != ChoiceKind::Never;
        let end_of_choices = choices.iter().rposition(is_active).and_then(|last| choices.get_mut(last..));
        let mut is_chosen = false;
        if let Some(last) = end_of_choices.filter(|last| last.first().is_some_and(|it| it.choice == ChoiceKind::Fail)) {
            last.rotate_left(1);
            is_chosen = true;
        }
        let failing = end.activity.as_ref().filter(|_| end.ending == Ending::Failed && !is_chosen);
        if choices.is_empty() && failing.is_none() {
            choices = end.choices.iter().collect();
        }
        let phrases = choices.iter().map(|choice| self.phrase(choice));
        let mut reason = match (end.ending, failing) {
            (Ending::Waits, _) => self.waits(&choices, end.repeated.as_ref()),
            (_, Some(activity)) => joined(phrases.chain([format!("{} fails", self.quoted(&activity.name))])),
            _ if choices.is_empty() => "as usual".to_owned(),
            _ => joined(phrases),
        };
        if let Some(assumption) = end.assumed {
            let _ = write!(reason, " (assumes {assumption})");
        }
        reason
    }

    fn waits(&self, choices: &[&ExploredChoice], repeated: Option<&RepeatedCall>) -> String {
        let (never, mut others): (Vec<&ExploredChoice>, Vec<&ExploredChoice>) =
            choices.iter().partition(|choice| choice.choice == ChoiceKind::Never);
        let last = if let Some(RepeatedCall { at, result }) = repeated.filter(|_| never.is_empty()) {
            let is_it = |choice: &&ExploredChoice| choice.at == *at && Some(&choice.choice) == result.as_ref();
            if let Some(index) = others.iter().rposition(is_it) {
                others.remove(index);
            }
            format!("forever if {} {}", self.quoted(at), self.keeps(result.as_ref()))
        } else if never.is_empty() {
            let is_answer =
                |choice: &&ExploredChoice| choice.by == Chooser::Call && !matches!(choice.choice, ChoiceKind::Fail);
            match others.pop_if(|choice| is_answer(choice)) {
                Some(choice) => format!("forever if {} {}", self.call(choice), self.keeps(Some(&choice.choice))),
                None => "forever".to_owned(),
            }
        } else {
            let phrases: Vec<String> = never.iter().take(MAX_SHOWN).map(|choice| self.phrase(choice)).collect();
            let people = match never.len() - phrases.len() {
                0 => list(&phrases, "and"),
                more => format!("{} and {more} more", phrases.join(", ")),
            };
            format!("forever if {people}")
        };
        joined(others.iter().map(|choice| self.phrase(choice)).chain([last]))
    }

    /// One choice: who does what.
    pub fn phrase(&self, choice: &ExploredChoice) -> String {
        match choice.by {
            Chooser::Approver => self.answers(choice),
            Chooser::Signer => self.signs(choice),
            Chooser::Call => self.returns(choice),
            Chooser::Field => {
                let field = self.quoted(&choice.what);
                match &choice.choice {
                    ChoiceKind::Empty => format!("{field} is empty"),
                    other => format!("{field} is {}", self.quoted(other.word())),
                }
            }
        }
    }

    fn answers(&self, choice: &ExploredChoice) -> String {
        let (approval, who) = (self.quoted(&choice.at), self.person(choice, "approver", self.approvers));
        let verb = |approve, reject, never| match choice.choice {
            ChoiceKind::Approve => approve,
            ChoiceKind::Reject => reject,
            _ => never,
        };
        match self.approvers {
            Naming::Alone | Naming::ByMail => format!("{who} {}", verb("approves", "rejects", "never acts")),
            Naming::ByActivity => format!("{approval} is {}", verb("approved", "rejected", "never answered")),
            Naming::ByBoth => format!("{who} {} {approval}", verb("approves", "rejects", "never answers")),
        }
    }

    fn signs(&self, choice: &ExploredChoice) -> String {
        let verb = match choice.choice {
            ChoiceKind::Sign => "signs",
            ChoiceKind::Reject => "rejects",
            _ => "never acts",
        };
        let who = self.person(choice, "signer", self.signers);
        match self.signers {
            Naming::Alone | Naming::ByMail => format!("{who} {verb}"),
            Naming::ByActivity | Naming::ByBoth => format!("{who} {verb} after {}", self.quoted(&choice.at)),
        }
    }

    fn returns(&self, choice: &ExploredChoice) -> String {
        let call = self.call(choice);
        match &choice.choice {
            ChoiceKind::Fail => format!("{call} fails"),
            ChoiceKind::Empty => format!("{call} finds no values"),
            ChoiceKind::Two => format!("{call} finds two entries"),
            other => format!("{call} returns {}", self.quoted(other.word())),
        }
    }

    /// The repeated result of a call; `None` for the usual one.
    fn keeps(&self, result: Option<&ChoiceKind>) -> String {
        match result {
            None => "keeps returning the same".to_owned(),
            Some(ChoiceKind::Empty) => "keeps finding no values".to_owned(),
            Some(ChoiceKind::Two) => "keeps finding two entries".to_owned(),
            Some(other) => format!("keeps returning {}", self.quoted(other.word())),
        }
    }

    fn call(&self, choice: &ExploredChoice) -> String {
        self.quoted(if choice.at.is_empty() { &choice.what } else { &choice.at })
    }

    /// A person by what they do and where their address is, then the address: "the signer (Email) anna@example.com".
    fn person(&self, choice: &ExploredChoice, word: &str, naming: Naming) -> String {
        let mail = self.masker.apply(&choice.what);
        let mail = truncate(&mail, MAX_NAME);
        match &choice.role {
            Some(role) => format!("the {word} ({}) {mail}", truncate(role, MAX_NAME)),
            None if naming == Naming::Alone => format!("the {word}"),
            None => mail.into_owned(),
        }
    }

    fn quoted(&self, text: &str) -> String {
        quote(&self.masker.apply(text))
    }
}

impl Naming {
    fn of(service: &ExploredService, by: Chooser) -> Self {
        let all = service.ends.iter().flat_map(|end| &end.choices).filter(|choice| choice.by == by);
        let asked: BTreeSet<(&str, &str)> = all.map(|choice| (choice.at.as_str(), choice.what.as_str())).collect();
        let activities = asked.iter().map(|(at, _)| *at).collect::<BTreeSet<_>>().len();
        let people = asked.iter().map(|(_, what)| *what).collect::<BTreeSet<_>>().len();
        match (activities, people) {
            (0 | 1, 0 | 1) => Self::Alone,
            (0 | 1, _) => Self::ByMail,
            _ if asked.len() == activities && by == Chooser::Approver => Self::ByActivity,
            // The first party is asked by one case, the second by the next.
            _ if asked.len() == people => Self::ByMail,
            _ => Self::ByBoth,
        }
    }
}

/// Whether a choice differs from the usual order.
fn is_unusual(choice: &ExploredChoice) -> bool {
    !matches!(choice.choice, ChoiceKind::Approve | ChoiceKind::Sign)
}

fn joined(phrases: impl Iterator<Item = String>) -> String {
    let mut phrases: Vec<String> = phrases.collect();
    if phrases.len() > 2 * MAX_SHOWN {
        let between = MAX_SHOWN..phrases.len() - MAX_SHOWN;
        let more = format!("{} more", between.len());
        phrases.splice(between, [more]);
    }
    phrases.join(", then ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::test_data::{choice, end, place, service};
    use crate::model::Assumption;

    fn reasons(ends: Vec<ExploredEnd>) -> Vec<String> {
        let service = ExploredService { ends, ..service() };
        let words = Words::of(&service);
        service.ends.iter().map(|end| words.reason(end)).collect()
    }

    #[test]
    fn only_person_is_named_by_role() {
        let signs = |kind| vec![choice("Request", "anna@example.com", Chooser::Signer, kind)];
        let ends = vec![
            end(Ending::Completed, Some("Done"), signs(ChoiceKind::Sign)),
            end(Ending::Terminated, None, signs(ChoiceKind::Reject)),
            end(Ending::Waits, None, signs(ChoiceKind::Never)),
        ];
        assert_eq!(reasons(ends), ["the signer signs", "the signer rejects", "forever if the signer never acts"]);
    }

    #[test]
    fn several_people_are_named_by_mail_or_approval() {
        let answers = |at, who, kind| choice(at, who, Chooser::Approver, kind);
        let both = vec![
            answers("Approval", "a@example.com", ChoiceKind::Reject),
            answers("Approval", "b@example.com", ChoiceKind::Never),
        ];
        let ends = vec![end(Ending::Waits, None, both.clone()), end(Ending::Terminated, None, both)];
        assert_eq!(
            reasons(ends),
            [
                "a@example.com rejects, then forever if b@example.com never acts",
                "a@example.com rejects, then b@example.com never acts"
            ]
        );
        let ends = vec![
            end(
                Ending::Completed,
                None,
                vec![
                    answers("First", "a@example.com", ChoiceKind::Approve),
                    answers("Second", "a@example.com", ChoiceKind::Approve),
                ],
            ),
            end(
                Ending::Terminated,
                None,
                vec![
                    answers("First", "a@example.com", ChoiceKind::Approve),
                    answers("Second", "a@example.com", ChoiceKind::Reject),
                ],
            ),
        ];
        assert_eq!(reasons(ends), ["`First` is approved, then `Second` is approved", "`Second` is rejected"]);
        let ends = vec![end(
            Ending::Completed,
            None,
            vec![
                answers("First", "a@example.com", ChoiceKind::Approve),
                answers("Second", "a@example.com", ChoiceKind::Reject),
                answers("Second", "b@example.com", ChoiceKind::Never),
            ],
        )];
        assert_eq!(reasons(ends), ["a@example.com rejects `Second`, then b@example.com never answers `Second`"]);
    }

    #[test]
    fn people_are_named_by_their_role_and_loops_by_their_call() {
        let signs = |role: &str, kind| ExploredChoice {
            role: Some(role.to_owned()),
            ..choice("Request", "anna@example.com", Chooser::Signer, kind)
        };
        let before = choice("Get user", "Get-ZPADUser", Chooser::Call, ChoiceKind::Empty);
        let waits = |result| ExploredEnd {
            repeated: Some(RepeatedCall { at: "Get state".to_owned(), result }),
            ..end(Ending::Waits, None, vec![before.clone()])
        };
        let ends = vec![
            end(Ending::Waits, None, vec![signs("Email", ChoiceKind::Never)]),
            waits(None),
            waits(Some(ChoiceKind::Value("State = new".to_owned()))),
        ];
        assert_eq!(
            reasons(ends),
            [
                "forever if the signer (Email) anna@example.com never acts",
                "`Get user` finds no values, then forever if `Get state` keeps returning the same",
                "`Get user` finds no values, then forever if `Get state` keeps returning `State = new`",
            ]
        );
    }

    #[test]
    fn calls_and_fields_are_named() {
        let call = |kind| choice("Get user", "Get-ZPADUser", Chooser::Call, kind);
        let field = |kind| choice("Department", "Department", Chooser::Field, kind);
        let ends = vec![
            end(Ending::Failed, None, vec![field(ChoiceKind::Value("IT".into())), call(ChoiceKind::Fail)]),
            end(Ending::Completed, None, vec![field(ChoiceKind::Empty), call(ChoiceKind::Two)]),
            end(Ending::Waits, None, vec![call(ChoiceKind::Empty), call(ChoiceKind::Value("pending".into()))]),
            end(Ending::Waits, None, Vec::new()),
            end(Ending::Completed, None, Vec::new()),
            ExploredEnd {
                assumed: Some(Assumption::Expired),
                ..end(Ending::Endless, None, vec![call(ChoiceKind::Empty)])
            },
            ExploredEnd { activity: Some(place("Send")), ..end(Ending::Failed, None, vec![field(ChoiceKind::Empty)]) },
            ExploredEnd {
                activity: Some(place("Get user")),
                ..end(
                    Ending::Failed,
                    None,
                    vec![
                        call(ChoiceKind::Fail),
                        choice("Sign", "anna@example.com", Chooser::Signer, ChoiceKind::Never),
                    ],
                )
            },
        ];
        assert_eq!(
            reasons(ends),
            [
                "`Department` is `IT`, then `Get user` fails",
                "`Department` is empty, then `Get user` finds two entries",
                "`Get user` finds no values, then forever if `Get user` keeps returning `pending`",
                "forever",
                "as usual",
                "`Get user` finds no values (assumes A20)",
                "`Department` is empty, then `Send` fails",
                "the signer never acts, then `Get user` fails",
            ]
        );
    }

    #[test]
    fn choices_between_the_first_and_the_last_are_counted() {
        let field = |name: usize| choice("", &format!("F{name}"), Chooser::Field, ChoiceKind::Empty);
        let ends = vec![end(Ending::Completed, None, (1..=8).map(field).collect())];
        assert_eq!(
            reasons(ends),
            [
                "`F1` is empty, then `F2` is empty, then `F3` is empty, then 2 more, then `F6` is empty, then `F7` is empty, then `F8` is empty"
            ]
        );
        let never =
            |name: usize| choice("Approval", &format!("p{name}@example.com"), Chooser::Approver, ChoiceKind::Never);
        let ends = vec![end(Ending::Waits, None, (1..=5).map(never).collect())];
        assert_eq!(
            reasons(ends),
            ["forever if p1@example.com never acts, p2@example.com never acts, p3@example.com never acts and 2 more"]
        );
    }
}
