//! Made-up values, chosen by the name of a parameter or key.
//!
//! They are functions of the name and a number, never random, so that findings are the same in every run. Values of
//! different numbers differ, so that a value in the built text shows where it comes from.

use serde_json::{Map, Value};

use crate::script::syntax::{InputHints, InputKey, ReadAs, Shape};

/// A value of several parts has as many numbers for them.
const NUMBERS_PER_VALUE: usize = 50;

/// How deep objects are nested in each other, and the elements of an array.
const MAX_DEPTH: usize = 2;
const ELEMENTS: usize = 2;

/// With more keys, objects are not nested.
const MAX_NESTED_KEYS: usize = 20;

/// Parts of a string: different kinds, because a script may expect each of them anywhere.
const PARTS: [&str; 6] = ["name", "mail", "mobile", "personnummer", "name", "mail"];

/// A value of the kind that the name suggests.
fn plausible(name: &str, number: usize) -> String {
    of_kind(name, number).unwrap_or_else(|| format!("{name} {number:06}"))
}

/// A value of the kind that a script reads, or else that the name suggests.
pub(super) fn likely(hints: &InputHints, name: &str, number: usize) -> String {
    let read_as = hints.read_as.iter().find(|(read, _)| read == name).map(|(_, kind)| *kind);
    match read_as {
        Some(ReadAs::Date) => plausible("date", number),
        Some(ReadAs::Number) if of_kind(name, number).is_none() => plausible("number", number),
        _ => plausible(name, number),
    }
}

/// A value of several parts, such as a script may split it into; the first has the kind that the name suggests.
pub(super) fn of_parts(name: &str, number: usize, count: usize, separator: &str) -> String {
    let kinds = std::iter::once(name).chain(PARTS.into_iter().cycle().skip(1));
    let part = |(index, kind): (usize, &str)| plausible(kind, number * NUMBERS_PER_VALUE + index);
    kinds.enumerate().map(part).take(count).collect::<Vec<_>>().join(separator)
}

/// A value of several parts, each of which has parts.
pub(super) fn of_nested_parts(name: &str, number: usize, outer: &str, inner: &str) -> String {
    let part = |item| of_parts(name, number * NUMBERS_PER_VALUE + item * PARTS.len(), PARTS.len(), inner);
    (0..=ELEMENTS).map(part).collect::<Vec<_>>().join(outer)
}

/// Day, month and year.
pub(super) fn of_date(number: usize, separator: &str) -> String {
    format!("{:02}{separator}{:02}{separator}{}", number % 28 + 1, number % 12 + 1, 2030 + number % 60)
}

/// A value of the kind that the name suggests; `None` if it suggests none.
pub(super) fn of_kind(name: &str, number: usize) -> Option<String> {
    // Both contain "count".
    let lower = name.to_lowercase().replace("country", "").replace("account", "");
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let value = if has(&["mail"]) {
        format!("name{number}@example.com")
    } else if has(&[
        "ssn", "personalid", "personid", "socialsecurity", "personnummer", "personalnumber", "pnr", "hetu", "cpr",
        "signerid",
    ]) {
        personal_id(number)
    } else if has(&["phone", "mobile", "cell", "sms"]) {
        format!("+4670{:07}", number % 10_000_000)
    } else if has(&["date"]) {
        format!("{}-{:02}-15", 2030 + number / 100 % 60, number % 12 + 1)
    } else if has(&["days", "count", "number", "amount", "quantity", "price", "hours", "minutes", "seconds", "year"]) {
        // Few enough for a number of days.
        (number % 100 + number / 100).to_string()
    } else if has(&["culture", "locale", "language"]) {
        if number % 200 > 100 { "sv-SE" } else { "en-US" }.to_owned()
    } else if has(&["url", "uri", "link", "address"]) {
        format!("https://example.com/{number}")
    } else {
        return None;
    };
    Some(value)
}

/// A Swedish personal id with a valid check digit (Luhn algorithm), the shape of `PartySSN`.
fn personal_id(number: usize) -> String {
    let birth = "19800101";
    let serial = format!("{:03}", number % 1000);
    let digits = birth.chars().skip(2).chain(serial.chars()).filter_map(|digit| digit.to_digit(10));
    let sum: u32 = digits
        .enumerate()
        .map(|(index, digit)| {
            let weighted = digit * if index % 2 == 0 { 2 } else { 1 };
            weighted / 10 + weighted % 10
        })
        .sum();
    format!("{birth}-{serial}{}", (10 - sum % 10) % 10)
}

/// The root of JSON that a script parses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Root {
    /// Whose lists have objects.
    Object,
    /// Whose lists have strings.
    ObjectOfTexts,
    ListOfObjects,
    ListOfTexts,
}

impl Root {
    /// The expected values of a script, the most likely first.
    pub fn expected(parsed: Option<Shape>, keys: &[InputKey]) -> [Self; 4] {
        match parsed {
            Some(Shape::List) => [Self::ListOfObjects, Self::ListOfTexts, Self::Object, Self::ObjectOfTexts],
            Some(Shape::Text) if keys.is_empty() => {
                [Self::ListOfTexts, Self::ListOfObjects, Self::Object, Self::ObjectOfTexts]
            }
            _ => [Self::Object, Self::ObjectOfTexts, Self::ListOfObjects, Self::ListOfTexts],
        }
    }
}

/// JSON with the keys that a script reads.
pub(super) struct JsonSample<'c> {
    pub hints: &'c InputHints,
    pub root: Root,
    /// A key and the value that it has everywhere.
    pub constant: Option<(&'c str, &'c str)>,
    /// Whether the values are numbers.
    pub has_numbers: bool,
}

impl JsonSample<'_> {
    pub fn text(&self, number: usize) -> String {
        let mut number = number * NUMBERS_PER_VALUE;
        let depth = if self.hints.keys.len() > MAX_NESTED_KEYS { MAX_DEPTH } else { 0 };
        let value = match self.root {
            Root::Object | Root::ObjectOfTexts => self.object(&mut number, depth),
            Root::ListOfObjects => self.list(&mut number, depth),
            Root::ListOfTexts => (0..=ELEMENTS).map(|_| self.leaf("mail", &mut number)).collect(),
        };
        value.to_string()
    }

    fn list(&self, number: &mut usize, depth: usize) -> Value {
        (0..ELEMENTS).map(|_| self.object(number, depth)).collect()
    }

    fn object(&self, number: &mut usize, depth: usize) -> Value {
        let mut object = Map::new();
        for key in &self.hints.keys {
            let value = match (self.constant, key.shape) {
                (Some((name, constant)), _) if name == key.name => Value::String(constant.to_owned()),
                (_, Shape::Object) if depth < MAX_DEPTH => self.object(number, depth + 1),
                (_, Shape::List) if self.root == Root::ObjectOfTexts => {
                    (0..ELEMENTS).map(|_| self.leaf(&key.name, number)).collect()
                }
                (_, Shape::List) if depth < MAX_DEPTH => self.list(number, depth + 1),
                (_, Shape::List) => Value::Array(Vec::new()),
                _ => self.leaf(&key.name, number),
            };
            object.insert(key.name.clone(), value);
        }
        if object.is_empty() {
            object.insert("Name".to_owned(), self.leaf("name", number));
            object.insert("Mail".to_owned(), self.leaf("mail", number));
        }
        Value::Object(object)
    }

    /// A value of the kind that the name of its key suggests. Each has a number of its own.
    fn leaf(&self, name: &str, number: &mut usize) -> Value {
        let own = *number;
        *number += 1;
        if self.has_numbers { Value::from(own) } else { Value::String(likely(self.hints, name, own)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::personal_id;

    #[test]
    fn values_suit_their_names_and_differ() {
        assert_eq!(plausible("SignerEmail", 1), "name1@example.com");
        assert_eq!(plausible("DocumentName", 2), "DocumentName 000002");
        for name in ["SignerEmail", "PersonalId", "Mobile", "Days", "Culture", "DueDate", "DocumentName", "Link"] {
            assert_ne!(plausible(name, 1), plausible(name, 101), "{name}");
        }
        assert_eq!(of_kind("Country", 1), None);
        assert!(personal_id::country(&plausible("PersonalId", 1)).is_some());
    }
}
