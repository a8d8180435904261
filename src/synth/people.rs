//! Made-up people, the same in every scenario.

use crate::text::personal_id;

const NAMES: [&str; 8] = ["Anna", "Bo", "Cleo", "Dan", "Eva", "Finn", "Gro", "Hal"];

/// The end of every made-up mail address.
pub const DOMAIN: &str = "@example.com";

/// A made-up person, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Person(pub usize);

impl Person {
    fn first_name(self) -> String {
        let name = NAMES.get(self.0 % NAMES.len()).copied().unwrap_or_default();
        match self.0 / NAMES.len() {
            0 => name.to_owned(),
            round => format!("{name}{}", round + 1),
        }
    }

    pub fn name(self) -> String {
        format!("{} Example", self.first_name())
    }

    /// The account name.
    pub fn account(self) -> String {
        self.first_name().to_lowercase()
    }

    pub fn mail(self) -> String {
        self.account() + DOMAIN
    }

    /// The telephone number of a person.
    pub fn telephone(number: usize) -> String {
        format!("+46 70 000 {:02} {:02}", (number + 1) / 100 % 100, (number + 1) % 100)
    }

    /// Personal ids in every documented format, with the right check digit.
    pub fn personal_ids(self) -> Vec<String> {
        let serial = (238 + self.0) % 1000;
        let checked = |start: String, digits: &str| {
            digits.chars().map(|digit| format!("{start}{digit}")).find(|id| personal_id::check(id).is_ok())
        };
        let digits = "0123456789";
        let letters = "0123456789ABCDEFHJKLMNPRSTUVWXY";
        let swedish = checked(format!("19900101-{serial:03}"), digits);
        let without_dash = swedish.as_ref().map(|id| id.replace('-', ""));
        let finnish = checked(format!("010190-{serial:03}"), letters.get(10..).unwrap_or_default());
        let finnish = finnish.or_else(|| checked(format!("010190-{:03}", (serial + 1) % 1000), letters));
        let danish = [format!("010190-{:04}", 1230 + self.0 % 1000), format!("010190{:04}", 1230 + self.0 % 1000)];
        swedish.into_iter().chain(without_dash).chain(finnish).chain(danish).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::collections::HashSet;

    #[test]
    fn people_differ_and_their_ids_are_valid() {
        let mut seen = HashSet::default();
        for person in (0..40).map(Person) {
            assert!(seen.insert(person.mail()) && crate::text::mail::is_address(&person.mail()));
            let ids = person.personal_ids();
            assert!(ids.len() >= 4, "{ids:?}");
            for id in ids {
                assert_eq!(personal_id::check(&id), Ok(()), "{id}");
                assert!(seen.insert(id));
            }
        }
    }
}
