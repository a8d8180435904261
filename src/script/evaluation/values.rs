//! Sample values for the parameters of a script, chosen by the parameter's name.
//!
//! They are constants of the name and position of a parameter, never random, so that findings are
//! the same in every run. Values of different parameters and sets differ, so that a value in the
//! built text shows which parameter it comes from.

/// A set of values for the parameters of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueSet {
    /// Plausible values.
    First,
    /// Plausible values, all different from the first.
    Second,
    /// Integers.
    Numbers,
    /// Empty strings.
    Empty,
    /// Strings with many occurrences of every usual separator: whatever a script splits them by, it
    /// gets many parts.
    Separated,
    /// JSON objects.
    Objects,
    /// JSON objects, all different from the others.
    OtherObjects,
    /// JSON arrays.
    Arrays,
}

/// Added to the number of a parameter for a second value.
const SECOND: usize = 500;

impl ValueSet {
    /// The sets that are tried after the first. Without `OtherObjects`, which is only the second set
    /// of a parameter that is parsed as JSON.
    pub const OTHERS: [Self; 6] =
        [Self::Second, Self::Numbers, Self::Empty, Self::Separated, Self::Objects, Self::Arrays];

    /// The value for a parameter. `index`: its position, from 0.
    pub fn value(self, index: usize, name: &str) -> String {
        let number = index + 1;
        match self {
            Self::First => plausible(name, number),
            Self::Second => plausible(name, number + SECOND),
            Self::Numbers => number.to_string(),
            Self::Empty => String::new(),
            Self::Separated => {
                let pieces = ["a", ",", ";", "|", "/", "\\", "-", ".", ":", "_", "@", "=", "&", "#", " ", "\t", "\n"];
                pieces.concat().repeat(16)
            }
            Self::Objects => object(number),
            Self::OtherObjects => object(number + SECOND),
            Self::Arrays => format!(r#"["Name {number}","name{number}@example.com","3"]"#),
        }
    }
}

fn object(number: usize) -> String {
    format!(r#"{{"Name":"Name {number}","Mail":"name{number}@example.com"}}"#)
}

/// A value of the kind that the name suggests.
fn plausible(name: &str, number: usize) -> String {
    let lower = name.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if has(&["mail"]) {
        format!("name{number}@example.com")
    } else if has(&["ssn", "personalid", "personid", "socialsecurity", "personnummer", "personalnumber"]) {
        personal_id(number)
    } else if has(&["phone", "mobile", "cell", "sms"]) {
        format!("+4670{:07}", number % 10_000_000)
    } else if has(&["date"]) {
        format!("{}-01-15", 2000 + number % 1000)
    } else if has(&["days", "count", "number", "amount", "quantity", "price", "hours", "minutes", "seconds", "year"]) {
        number.to_string()
    } else if has(&["culture", "locale", "language"]) {
        if number > SECOND { "sv-SE" } else { "en-US" }.to_owned()
    } else if has(&["url", "uri", "link", "address"]) {
        format!("https://example.com/{number}")
    } else {
        format!("{name} {number}")
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::personal_id;

    #[test]
    fn values_suit_their_names_and_differ() {
        assert_eq!(ValueSet::First.value(0, "SignerEmail"), "name1@example.com");
        assert_eq!(ValueSet::First.value(1, "DocumentName"), "DocumentName 2");
        for name in ["SignerEmail", "PersonalId", "Mobile", "Days", "Culture", "DueDate", "DocumentName", "Link"] {
            let (first, second) = (ValueSet::First.value(0, name), ValueSet::Second.value(0, name));
            assert_ne!(first, second, "{name}");
        }
        assert!(personal_id::country(&ValueSet::First.value(0, "PersonalId")).is_some());
    }
}
