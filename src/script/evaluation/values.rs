//! Sample values, chosen by the name of a parameter or key.
//!
//! They are constants of the name and a number, never random, so that findings are the same in every run. Values of
//! different numbers differ, so that a value in the built text shows where it comes from.

use crate::script::syntax::{Clues, ReadAs};

/// A value of several parts has as many numbers for them.
pub(super) const NUMBERS_PER_VALUE: usize = 50;

/// A value of the kind that the name suggests.
pub(super) fn plausible(name: &str, number: usize) -> String {
    of_kind(name, number).unwrap_or_else(|| format!("{name} {number}"))
}

/// A value of the kind that a script reads, or else that the name suggests.
pub(super) fn likely(clues: &Clues, name: &str, number: usize) -> String {
    let read_as = clues.read_as.iter().find(|(read, _)| read == name).map(|(_, kind)| *kind);
    match read_as {
        Some(ReadAs::Date) => plausible("date", number),
        Some(ReadAs::Number) if of_kind(name, number).is_none() => plausible("number", number),
        _ => plausible(name, number),
    }
}

/// A value of the kind that the name suggests; `None` if it suggests none.
pub(super) fn of_kind(name: &str, number: usize) -> Option<String> {
    // Both contain "count".
    let lower = name.to_lowercase().replace("country", "").replace("account", "");
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let value = if has(&["mail"]) {
        format!("name{number}@example.com")
    } else if has(&[
        "ssn",
        "personalid",
        "personid",
        "socialsecurity",
        "personnummer",
        "personalnumber",
        "pnr",
        "hetu",
        "cpr",
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::personal_id;

    #[test]
    fn values_suit_their_names_and_differ() {
        assert_eq!(plausible("SignerEmail", 1), "name1@example.com");
        assert_eq!(plausible("DocumentName", 2), "DocumentName 2");
        for name in ["SignerEmail", "PersonalId", "Mobile", "Days", "Culture", "DueDate", "DocumentName", "Link"] {
            assert_ne!(plausible(name, 1), plausible(name, 101), "{name}");
        }
        assert_eq!(of_kind("Country", 1), None);
        assert!(personal_id::country(&plausible("PersonalId", 1)).is_some());
    }
}
