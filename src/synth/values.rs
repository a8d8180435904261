//! Made-up values for fields and variables, the likeliest first.

use super::needs::Needs;
use super::people::Person;
use crate::catalog::{ParameterKind, ValueType};
use crate::model::Field;
use crate::simulate::submit;

/// A number that fits most places: days, amounts, counts.
const NUMBER: &str = "14";
const FIRST_NUMBER: usize = 14;
const DATE: &str = "2024-01-15";
const ADDRESS: &str = "https://example.com/api/v2";
const TEXT: &str = "Example";
const MASKED_TEXT: &str = "Confidential";

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
    /// Accounts have mail addresses as well: with numbers of their own, two people could have the same.
    addressees: usize,
    ids: usize,
    /// Values of each other kind, which are numbered so that they differ.
    telephones: usize,
    dates: usize,
    addresses: usize,
    numbers: usize,
    texts: usize,
    masked: usize,
}

impl<'n, 'c> Values<'n, 'c> {
    pub fn new(needs: &'n Needs<'c>) -> Self {
        Self { needs, people: Counters::default() }
    }

    /// A mail address of a new person.
    pub fn mail(&mut self) -> String {
        self.person().mail()
    }

    /// The mail address of the next new person.
    pub fn next_mail(&self) -> String {
        self.free(self.people.addressees).mail()
    }

    /// The account name of a new person.
    pub fn account(&mut self) -> String {
        self.person().account()
    }

    pub fn name(&mut self) -> String {
        let person = self.free(self.people.names);
        self.people.names = person.0 + 1;
        person.name()
    }

    fn person(&mut self) -> Person {
        let person = self.free(self.people.addressees);
        self.people.addressees = person.0 + 1;
        person
    }

    /// The first person from a number on whom no document has: these are other people.
    fn free(&self, from: usize) -> Person {
        let is_free = |person: &Person| !self.needs.has_account(&person.account());
        (from..usize::MAX).map(Person).find(is_free).unwrap_or(Person(from))
    }

    fn number(&mut self) -> String {
        (FIRST_NUMBER + numbered(&mut self.people.numbers)).to_string()
    }

    /// A text for a masked variable is in no other value, where it would be hidden as well.
    fn text(&mut self, variable: &str) -> String {
        let (counter, text) = if self.needs.is_masked(variable) {
            (&mut self.people.masked, MASKED_TEXT)
        } else {
            (&mut self.people.texts, TEXT)
        };
        match numbered(counter) {
            0 => text.to_owned(),
            before => format!("{text} {}", before + 1),
        }
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
            (Some(ParameterKind::Days), _) | (_, Some(ValueType::Decimal)) => vec![self.number()],
            (_, Some(ValueType::Boolean)) => text("true"),
            (Some(ParameterKind::Uri), _) => vec![self.address()],
            (Some(ParameterKind::LdapFilter), _) => text("(objectClass=*)"),
            (Some(ParameterKind::Identity), _) => vec![self.account()],
            (Some(ParameterKind::PropertyList), _) => text("Mail"),
            (Some(ParameterKind::CaseJson), _) => {
                let party = self.person();
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

    /// An address of a service.
    fn address(&mut self) -> String {
        match numbered(&mut self.people.addresses) {
            0 => ADDRESS.to_owned(),
            before => format!("https://example.com/{}/api/v2", before + 1),
        }
    }

    /// Values that a name suggests, by its words: `AccountName` counts nothing.
    pub fn named(&mut self, name: &str, variable: &str) -> String {
        let words = words(name);
        let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.trim_end_matches('s')));
        let contains = |known: &[&str]| words.iter().any(|word| known.iter().any(|known| word.contains(known)));
        let is = |known: &[&str]| known.contains(&words.concat().as_str());
        // Not the name, id or size of a mailbox.
        if contains(&["mail"]) && (!contains(&["mailbox"]) || has(&["addres"])) {
            self.mail()
        } else if contains(&["phone", "mobile"]) {
            Person::telephone(numbered(&mut self.people.telephones))
        } else if has(&["date", "deadline", "startdate", "enddate", "duedate", "birthdate"]) {
            format!("2024-01-{:02}", 15 + numbered(&mut self.people.dates) % 17)
        } else if has(&["uri", "url", "link"]) {
            self.address()
        } else if has(&["amount", "count", "number", "quantity", "price", "cost", "day", "sum", "total"]) {
            self.number()
        } else if has(&["account", "username", "accountname", "login", "userid"]) {
            self.account()
        } else if is(&["name", "displayname", "fullname", "partyname", "signer", "requester", "signername"]) {
            self.name()
        } else {
            self.text(variable)
        }
    }
}

/// The words of a name in lower case: `AccountName2` and `account_name` are "account" and "name".
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for letter in name.chars() {
        let begins = letter.is_uppercase() && before.is_lowercase();
        if !letter.is_alphabetic() || begins {
            words.push(String::new());
        }
        if letter.is_alphabetic()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// How many there were before.
const fn numbered(counter: &mut usize) -> usize {
    *counter += 1;
    *counter - 1
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
        Some(3) => Some(values.number()),
        Some(4) => Some(match numbered(&mut values.people.texts) {
            0 => TEXT.to_owned(),
            before => format!("{TEXT}{}", before + 1),
        }),
        _ => None,
    }
}

/// The last resorts for a pattern.
pub const LAST_RESORTS: [&str; 9] = [TEXT, NUMBER, "EXAMPLE", "example", "1", "A", "a", DATE, "Example-1"];

/// The culture of a scenario without `culture`.
const CULTURE: &str = "en-US";

/// The value of a field that nobody fills in.
pub fn default_value(field: &Field<'_>) -> Option<String> {
    submit::default_value(field, CULTURE).filter(|text| !text.is_empty())
}

/// A value for a field of an undocumented type, by the name of the type.
pub fn of_type(kind: &str, name: &str, variable: &str, values: &mut Values<'_, '_>) -> String {
    let kind = kind.to_lowercase();
    if kind.contains("check") || kind.contains("switch") {
        return "true".to_owned();
    }
    values.named(if kind.contains("date") { "date" } else { name }, variable)
}

/// The name of a file for a field.
pub fn file_name(field: &str) -> String {
    let usable = |one: &char| one.is_ascii_alphanumeric() || matches!(one, '-' | '_');
    let stem: String = field.chars().filter(usable).take(40).collect();
    format!("{}.pdf", if stem.is_empty() { "file".to_owned() } else { stem.to_lowercase() })
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn names_are_read_by_their_words() {
        for (name, read) in [
            ("AccountName", "account name"),
            ("account_name2", "account name"),
            ("CountryCode", "country code"),
            ("PartySSN", "party ssn"),
            ("Update", "update"),
            ("42", ""),
        ] {
            assert_eq!(words(name).join(" "), read);
        }
    }
}
