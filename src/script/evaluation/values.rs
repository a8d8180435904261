//! Values that are made up for parameters, by the parameter's name.

/// A set of values for the parameters of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Set {
    /// Plausible ones.
    First,
    /// Plausible ones too, all different from the first.
    Second,
    /// Whole numbers.
    Numbers,
    /// Nothing.
    Empty,
    /// Texts that fall into many parts wherever they are split.
    Separated,
    /// JSON objects.
    Objects,
    /// JSON objects, all different from the others.
    OtherObjects,
    /// JSON lists.
    Lists,
}

impl Set {
    /// All but the first.
    pub const OTHERS: [Self; 6] =
        [Self::Second, Self::Numbers, Self::Empty, Self::Separated, Self::Objects, Self::Lists];

    /// The value for a parameter: its index, from 0, and name.
    pub fn value(self, index: usize, name: &str) -> String {
        let number = index + 1;
        match self {
            Self::First => plausible(name, number),
            Self::Second => plausible(name, number + 500),
            Self::Numbers => number.to_string(),
            Self::Empty => String::new(),
            Self::Separated => {
                let pieces = ["a", ",", ";", "|", "/", "\\", "-", ".", ":", "_", "@", "=", "&", "#", " ", "\t", "\n"];
                pieces.concat().repeat(16)
            }
            Self::Objects => object(number),
            Self::OtherObjects => object(number + 500),
            Self::Lists => format!(r#"["Name {number}","name{number}@example.com","3"]"#),
        }
    }
}

fn object(number: usize) -> String {
    format!(r#"{{"Name":"Name {number}","Mail":"name{number}@example.com"}}"#)
}

/// A value that fits a name.
fn plausible(name: &str, number: usize) -> String {
    let name_in_lower_case = name.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| name_in_lower_case.contains(word));
    if says(&["mail"]) {
        format!("name{number}@example.com")
    } else if says(&["ssn", "personalid", "personid", "socialsecurity", "personnummer", "personalnumber"]) {
        personal_id(number)
    } else if says(&["phone", "mobile", "cell", "sms"]) {
        format!("+4670{:07}", number % 10_000_000)
    } else if says(&["date"]) {
        format!("{}-01-15", 2000 + number % 1000)
    } else if says(&["days", "count", "number", "amount", "quantity", "price", "hours", "minutes", "seconds", "year"]) {
        number.to_string()
    } else if says(&["culture", "locale", "language"]) {
        if number > 500 { "sv-SE" } else { "en-US" }.to_owned()
    } else if says(&["url", "uri", "link", "address"]) {
        format!("https://example.com/{number}")
    } else {
        format!("{name} {number}")
    }
}

/// A Swedish personal id (reference, `PartySSN`) with a right check digit.
fn personal_id(number: usize) -> String {
    let birth = "19800101";
    let running = format!("{:03}", number % 1000);
    let digits = birth.chars().skip(2).chain(running.chars()).filter_map(|digit| digit.to_digit(10));
    let sum: u32 = digits
        .enumerate()
        .map(|(index, digit)| {
            let weighed = digit * if index % 2 == 0 { 2 } else { 1 };
            weighed / 10 + weighed % 10
        })
        .sum();
    format!("{birth}-{running}{}", (10 - sum % 10) % 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::personal_id;

    #[test]
    fn values_fit_their_names_and_differ() {
        assert_eq!(Set::First.value(0, "SignerEmail"), "name1@example.com");
        assert_eq!(Set::First.value(1, "DocumentName"), "DocumentName 2");
        for name in ["SignerEmail", "PersonalId", "Mobile", "Days", "Culture", "DueDate", "DocumentName", "Link"] {
            let (first, second) = (Set::First.value(0, name), Set::Second.value(0, name));
            assert_ne!(first, second, "{name}");
        }
        assert!(personal_id::country(&Set::First.value(0, "PersonalId")).is_some());
    }
}
