//! Made-up values for fields and variables, the likeliest first.

use super::needs::Needs;
use super::people::Person;
use crate::catalog::{ParameterKind, ValueType};

/// A number that fits most places: days, amounts, counts.
const NUMBER: &str = "14";
const DATE: &str = "2024-01-15";
const ADDRESS: &str = "https://example.com/api/v2";
const TEXT: &str = "Example";

/// A value of a field or variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Submitted {
    Text(String),
    /// The name of an uploaded file.
    File(String),
}

/// Makes values by the name and the use of a field or variable.
pub struct Values<'n, 'c> {
    pub needs: &'n Needs<'c>,
    people: Counters,
}

/// The number of people made up so far, by kind of value, so that the first name belongs to the first mail address.
#[derive(Default)]
struct Counters {
    names: usize,
    mails: usize,
    ids: usize,
    accounts: usize,
}

impl<'n, 'c> Values<'n, 'c> {
    pub fn new(needs: &'n Needs<'c>) -> Self {
        Self { needs, people: Counters::default() }
    }

    /// A mail address of a new person.
    pub fn mail(&mut self) -> String {
        next(&mut self.people.mails).mail()
    }

    /// The account name of a new person.
    pub fn account(&mut self) -> String {
        next(&mut self.people.accounts).account()
    }

    pub fn name(&mut self) -> String {
        next(&mut self.people.names).name()
    }

    /// Values for the parameters that the variable reaches; empty if any text will do.
    pub fn wanted(&mut self, variable: &str) -> Vec<String> {
        let text = |text: &str| vec![text.to_owned()];
        if let Some(example) = self.needs.example(variable) {
            return text(example);
        }
        match (self.needs.kind(variable), self.needs.value_type(variable)) {
            (Some(ParameterKind::PersonalId), _) => next(&mut self.people.ids).personal_ids(),
            (Some(ParameterKind::Mail), _) => vec![self.mail()],
            (Some(ParameterKind::Days), _) | (_, Some(ValueType::Decimal)) => text(NUMBER),
            (_, Some(ValueType::Boolean)) => text("true"),
            (Some(ParameterKind::Uri), _) => text(ADDRESS),
            (Some(ParameterKind::LdapFilter), _) => text("(objectClass=*)"),
            (Some(ParameterKind::Identity), _) => vec![self.account()],
            (Some(ParameterKind::PropertyList), _) => text("Mail"),
            (Some(ParameterKind::CaseJson), _) => {
                let party = next(&mut self.people.names);
                let (name, mail, ids) = (party.name(), party.mail(), party.personal_ids());
                let party = serde_json::json!({
                    "Name": name, "EmailAddress": mail, "SocialSecurityNumber": ids.first(), "SignatureType": 0,
                });
                let signature_types = ["ElectronicId"];
                let case = serde_json::json!({
                    "Name": TEXT, "Parties": [party], "AllowedSignatureTypes": signature_types,
                });
                vec![case.to_string()]
            }
            _ => Vec::new(),
        }
    }

    /// Values that a name suggests.
    pub fn named(&mut self, name: &str) -> String {
        let name = name.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
        // Not the name, id or size of a mailbox.
        if has(&["mail"]) && (!has(&["mailbox"]) || has(&["address"])) {
            self.mail()
        } else if has(&["phone", "mobile"]) {
            Person::telephone().to_owned()
        } else if has(&["date", "deadline"]) {
            DATE.to_owned()
        } else if has(&["uri", "url", "link"]) {
            ADDRESS.to_owned()
        } else if has(&["amount", "count", "number", "quantity", "price", "cost", "days"]) {
            NUMBER.to_owned()
        } else if ["name", "displayname", "fullname", "partyname", "signer", "requester"].contains(&name.as_str()) {
            self.name()
        } else {
            TEXT.to_owned()
        }
    }
}

fn next(counter: &mut usize) -> Person {
    *counter += 1;
    Person(*counter - 1)
}

/// Values for the validation types of `InputText` fields. docs/platform-methods.md (`InputText`) documents only that of mail
/// addresses; the others are in the order of the editor.
pub fn of_validation(validation_type: Option<i64>, values: &mut Values<'_, '_>) -> Option<String> {
    match validation_type {
        Some(1) => Some(values.name()),
        Some(2) => Some(values.mail()),
        Some(3) => Some(NUMBER.to_owned()),
        Some(4) => Some(TEXT.to_owned()),
        _ => None,
    }
}

/// The last resorts for a pattern.
pub const LAST_RESORTS: [&str; 10] =
    [TEXT, NUMBER, "EXAMPLE", "example", "1", "A", "a", DATE, "anna@example.com", "Example-1"];
