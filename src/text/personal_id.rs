//! Personal ids of the three countries that the e-signature plug-in documents for `PartySSN`: format, date
//! and check digit.

use jiff::civil::Date;

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

/// The country whose format a string has; `None` if it has none of the three.
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

/// Why a string is not a valid personal id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PersonalIdError {
    /// None of the three formats.
    Format,
    /// The date is not in the calendar.
    Date(Country),
    /// The last character does not follow from the others.
    CheckDigit(Country),
}

/// Checks format, date and check digit of a personal id.
pub fn check(text: &str) -> Result<(), PersonalIdError> {
    let country = country(text).ok_or(PersonalIdError::Format)?;
    let signs: Vec<u32> = text.chars().filter_map(|sign| sign.to_digit(36)).collect();
    let is_date = match country {
        Country::Sweden => swedish_date(&signs).is_some(),
        Country::Finland => finnish_date(text, &signs).is_some(),
        // A Finnish id whose check character is a digit has the Danish format too.
        Country::Denmark => danish_date(&signs).is_some() || finnish_date(text, &signs).is_some(),
    };
    let fits = match country {
        Country::Sweden => luhn(signs.get(2..).unwrap_or_default()),
        Country::Finland => text.chars().next_back() == finnish_check(&signs),
        // Since 2007 there are valid numbers that fail the modulus 11 test (CPR-kontoret, Personnumre uden
        // kontrolciffer), so it is not applied.
        Country::Denmark => true,
    };
    match (is_date, fits) {
        (false, _) => Err(PersonalIdError::Date(country)),
        (true, false) => Err(PersonalIdError::CheckDigit(country)),
        (true, true) => Ok(()),
    }
}

/// The number that `count` digits from `at` on form.
fn number(signs: &[u32], at: usize, count: usize) -> Option<u32> {
    Some(signs.get(at..at + count)?.iter().fold(0, |number, digit| number * 10 + digit))
}

fn date(year: u32, month: u32, day: u32) -> Option<Date> {
    Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

/// Added to the day of birth in a Swedish coordination number (Skatteverket, SKV 707).
const COORDINATION_OFFSET: u32 = 60;

/// `YYYYMMDD` (Skatteverket, SKV 704), or a coordination number.
fn swedish_date(signs: &[u32]) -> Option<Date> {
    let day = number(signs, 6, 2)?;
    let day = if day > COORDINATION_OFFSET { day - COORDINATION_OFFSET } else { day };
    date(number(signs, 0, 4)?, number(signs, 4, 2)?, day)
}

/// `DDMMYY` and the sign of the century: `+` for the 1800s, `-` for the 1900s, `A` for the 2000s
/// (Digital and Population Data Services Agency, The personal identity code).
fn finnish_date(text: &str, signs: &[u32]) -> Option<Date> {
    let century = match text.chars().nth(6)? {
        '+' => 1800,
        '-' => 1900,
        'A' => 2000,
        _ => return None,
    };
    date(century + number(signs, 4, 2)?, number(signs, 2, 2)?, number(signs, 0, 2)?)
}

/// `DDMMYY`, whose century the seventh digit gives (CPR-kontoret, Personnummeret i CPR).
fn danish_date(signs: &[u32]) -> Option<Date> {
    let year = number(signs, 4, 2)?;
    let century = match (signs.get(6)?, year) {
        (0..=3, _) | (4 | 9, 37..) => 1900,
        (4 | 9, _) | (5..=8, ..=57) => 2000,
        _ => 1800,
    };
    date(century + year, number(signs, 2, 2)?, number(signs, 0, 2)?)
}

/// Whether ten digits `YYMMDDNNNC` pass the Luhn test: weights 2 and 1 in turn, and the sum of the digits of
/// the products is a multiple of 10 (Skatteverket, SKV 704).
fn luhn(digits: &[u32]) -> bool {
    let weights = [2, 1].into_iter().cycle();
    let sum: u32 = digits.iter().zip(weights).map(|(digit, weight)| digit * weight).map(|p| p / 10 + p % 10).sum();
    sum.is_multiple_of(10)
}

/// The check characters in the order of the remainders of `DDMMYYZZZ` by 31 (Digital and Population
/// Data Services Agency, The personal identity code).
const FINNISH_CHECKS: &str = "0123456789ABCDEFHJKLMNPRSTUVWXY";

fn finnish_check(signs: &[u32]) -> Option<char> {
    // The serial number is counted from the end, because the century `A` is a digit in base 36 and `+` and
    // `-` are not.
    let serial = signs.len().checked_sub(4)?;
    let whole = number(signs, 0, 6)? * 1000 + number(signs, serial, 3)?;
    FINNISH_CHECKS.chars().nth(usize::try_from(whole % 31).ok()?)
}

/// The three formats, for messages.
pub const FORMATS: &str = "Swedish `YYYYMMDD-NNNN`, Finnish `DDMMYY-ZZZQ` or Danish `DDMMYY-SSSS`";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_recognized() {
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

    #[test]
    fn valid_ids_pass() {
        // From the publications of the three offices, or generated by their rules.
        for id in [
            "19640823-3234", "196408233234", "19640883-3231", // a coordination number
            "20000229-1235", "131052-308T", "290200A101K", "131052-3085", // Danish in form
            "070761-4285", "0707614285", "290200-4123",
        ] {
            assert_eq!(check(id), Ok(()), "{id}");
        }
    }

    #[test]
    fn invalid_dates_are_found() {
        for (id, country) in [
            ("19811318-9876", Country::Sweden),
            ("19990229-1234", Country::Sweden),
            ("19000229-1234", Country::Sweden), // 1900 had no 29 February
            ("19640860-3231", Country::Sweden),
            ("19640892-3231", Country::Sweden),
            ("310452-308T", Country::Finland),
            ("290200-101T", Country::Finland),
            ("310461-4285", Country::Denmark),
            ("900101-2385", Country::Denmark), // a Swedish one without its century
            ("290200-1123", Country::Denmark),
        ] {
            assert_eq!(check(id), Err(PersonalIdError::Date(country)), "{id}");
        }
    }

    #[test]
    fn wrong_check_digits_are_found() {
        assert_eq!(check("19640823-3235"), Err(PersonalIdError::CheckDigit(Country::Sweden)));
        assert_eq!(check("19640883-3234"), Err(PersonalIdError::CheckDigit(Country::Sweden)));
        assert_eq!(check("131052-308U"), Err(PersonalIdError::CheckDigit(Country::Finland)));
        assert_eq!(check("131052-308G"), Err(PersonalIdError::CheckDigit(Country::Finland)));
        assert_eq!(check("1981-12-18"), Err(PersonalIdError::Format));
    }
}
