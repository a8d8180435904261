//! Numbers of seconds as people say them.

/// The units, with their seconds, the largest first.
const UNITS: [(u64, &str); 4] = [(86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")];

/// "4 days", "1 hour 30 minutes"; `None` of what is not a whole number of seconds.
pub fn in_words(seconds: &str) -> Option<String> {
    let mut rest: u64 = seconds.trim().parse().ok()?;
    let mut parts = Vec::new();
    for (unit, name) in UNITS {
        let number = rest / unit;
        rest %= unit;
        if number > 0 {
            parts.push(format!("{number} {name}{}", if number == 1 { "" } else { "s" }));
        }
    }
    Some(if parts.is_empty() { "0 seconds".to_owned() } else { parts.join(" ") })
}

#[cfg(test)]
mod tests {
    use super::in_words;

    #[test]
    fn seconds_are_said_in_the_largest_units() {
        let said = ["345600", "300", "5400", " 90 ", "1", "0"].map(|text| in_words(text).unwrap());
        assert_eq!(said, ["4 days", "5 minutes", "1 hour 30 minutes", "1 minute 30 seconds", "1 second", "0 seconds"]);
        for other in ["", "1.5", "-1", "soon", "1e3"] {
            assert_eq!(in_words(other), None, "{other}");
        }
    }
}
