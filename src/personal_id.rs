//! Personal ids of the three countries whose formats the reference gives (reference, `PartySSN`).

/// The country whose format an id has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Country {
    /// `YYYYMMDD[-]NNNN`
    Sweden,
    /// `DDMMYY`, one of `+`, `-` or `A`, `ZZZQ`
    Finland,
    /// `DDMMYY[-]SSSS`
    Denmark,
}

/// The country whose format a text has; `None` when it has none of the three.
pub fn country(text: &str) -> Option<Country> {
    let digits = |part: &str, count: usize| part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit());
    let split = |at: usize| text.split_at_checked(at);
    if let Some((date, rest)) = split(8)
        && digits(date, 8)
        && digits(rest.strip_prefix('-').unwrap_or(rest), 4)
    {
        return Some(Country::Sweden);
    }
    let (_, rest) = split(6).filter(|(date, _)| digits(date, 6))?;
    if digits(rest.strip_prefix('-').unwrap_or(rest), 4) {
        return Some(Country::Denmark);
    }
    let (number, check) = rest.strip_prefix(['+', '-', 'A'])?.split_at_checked(3)?;
    let is_check = check.len() == 1 && check.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
    (digits(number, 3) && is_check).then_some(Country::Finland)
}

/// The three formats, for messages.
pub const FORMATS: &str = "Swedish `YYYYMMDD-NNNN`, Finnish `DDMMYY-ZZZQ` or Danish `DDMMYY-SSSS`";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formats_of_the_reference() {
        assert_eq!(country("19900101-2385"), Some(Country::Sweden));
        assert_eq!(country("199001012385"), Some(Country::Sweden));
        assert_eq!(country("131052-308T"), Some(Country::Finland));
        assert_eq!(country("131052A308T"), Some(Country::Finland));
        assert_eq!(country("010190-1234"), Some(Country::Denmark));
        assert_eq!(country("0101901234"), Some(Country::Denmark));
        for wrong in ["", "19900101", "19900101--2385", "131052*308T", "131052-308", "0101é0-123", "1990-01-01"] {
            assert_eq!(country(wrong), None, "{wrong}");
        }
    }
}
