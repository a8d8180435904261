//! Durations, timestamps and numbers, from their texts.

/// The longest duration, in days: a virtual clock that counts milliseconds does not overflow, and a
/// script's `Date` has them all.
pub(super) const LONGEST_DAYS: u64 = 10_000_000;

const SECOND: i64 = 1000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// Why a text is no duration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DurationError {
    /// It is not digits and a unit.
    Malformed,
    /// It is more than [`LONGEST_DAYS`].
    TooLong,
}

/// Milliseconds of a duration: digits, and `s`, `m`, `h` or `d`.
pub(super) fn duration(text: &str) -> Result<u64, DurationError> {
    let unit = match text.chars().next_back() {
        Some('s') => SECOND,
        Some('m') => MINUTE,
        Some('h') => HOUR,
        Some('d') => DAY,
        _ => return Err(DurationError::Malformed),
    };
    let digits = text.get(..text.len() - 1).filter(|digits| is_digits(digits)).ok_or(DurationError::Malformed)?;
    let number: Option<u64> = digits.parse().ok();
    number
        .and_then(|number| number.checked_mul(unit.unsigned_abs()))
        .filter(|duration| *duration <= LONGEST_DAYS * DAY.unsigned_abs())
        .ok_or(DurationError::TooLong)
}

/// A whole number that is written with digits alone.
pub(super) fn whole(text: &str) -> Option<u64> {
    is_digits(text).then(|| text.parse().ok())?
}

/// A whole number as the syntaxes write them without quotes: `1_000` and `+5` are TOML, `1e3` and
/// `5.0` are whole for JSON Schema.
pub(super) fn plain_whole(text: &str) -> Option<u64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let is_grouped = text.split('_').all(is_digits);
    if is_grouped {
        return text.replace('_', "").parse().ok();
    }
    let number = decimal(text)?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked: whole, within 2^53")]
    (number.fract() == 0.0 && (0.0..=EXACT).contains(&number)).then_some(number as u64)
}

/// A number as JSON writes it; `f64` itself also takes words such as `inf`.
pub(super) fn decimal(text: &str) -> Option<f64> {
    let is_number = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'-' | b'+' | b'e' | b'E'));
    is_number.then(|| text.parse().ok())?
}

/// Seconds, above 0 and at most a day; with digits and a point, or as the syntaxes write a number.
pub(super) fn seconds(text: &str, is_plain: bool) -> Option<f64> {
    const DAY: f64 = 86_400.0;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let is_simple = is_digits(whole) && is_digits(fraction);
    let seconds = (is_simple || is_plain).then(|| decimal(text))??;
    (seconds > 0.0 && seconds <= DAY).then_some(seconds)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Milliseconds since 1970 of an RFC 3339 timestamp; finer parts of a second are cut.
pub(super) fn timestamp(text: &str) -> Option<i64> {
    let mut rest = Rest(text);
    let year = rest.number(4)?;
    rest.one_of("-")?;
    let month = rest.number(2)?;
    rest.one_of("-")?;
    let day = rest.number(2).filter(|day| (1..=days_of_month(year, month)).contains(day))?;
    rest.one_of("Tt ")?;
    let hour = rest.number(2).filter(|hour| *hour < 24)?;
    rest.one_of(":")?;
    let minute = rest.number(2).filter(|minute| *minute < 60)?;
    rest.one_of(":")?;
    let second = rest.number(2).filter(|second| *second < 60)?;
    let fraction = if rest.one_of(".").is_some() { rest.milliseconds()? } else { 0 };
    let offset = rest.offset()?;
    let time = hour * HOUR + minute * MINUTE + second * SECOND + fraction;
    rest.0.is_empty().then(|| days_before(year, month, day) * DAY + time - offset)
}

/// What of a timestamp is not read yet.
struct Rest<'t>(&'t str);

impl Rest<'_> {
    fn number(&mut self, digits: usize) -> Option<i64> {
        let (number, rest) = self.0.split_at_checked(digits).filter(|(number, _)| is_digits(number))?;
        self.0 = rest;
        number.parse().ok()
    }

    fn one_of(&mut self, characters: &str) -> Option<char> {
        let first = self.0.chars().next().filter(|first| characters.contains(*first))?;
        self.0 = self.0.strip_prefix(first)?;
        Some(first)
    }

    fn milliseconds(&mut self) -> Option<i64> {
        let rest = self.0.trim_start_matches(|character: char| character.is_ascii_digit());
        let digits = self.0.strip_suffix(rest).filter(|digits| !digits.is_empty())?;
        self.0 = rest;
        let three: String = digits.chars().chain("00".chars()).take(3).collect();
        three.parse().ok()
    }

    /// `Z`, or hours and minutes ahead of UTC.
    fn offset(&mut self) -> Option<i64> {
        let sign = match self.one_of("Zz+-")? {
            '+' => 1,
            '-' => -1,
            _ => return Some(0),
        };
        let hours = self.number(2).filter(|hours| *hours < 24)?;
        self.one_of(":")?;
        let minutes = self.number(2).filter(|minutes| *minutes < 60)?;
        Some(sign * (hours * HOUR + minutes * MINUTE))
    }
}

const fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// None for a month that there is not.
const fn days_of_month(year: i64, month: i64) -> i64 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if is_leap(year) => 29,
        2 => 28,
        _ => 0,
    }
}

/// Days from 1970-01-01 to a day.
fn days_before(year: i64, month: i64, day: i64) -> i64 {
    let leap_days = |year: i64| year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    let years = (year - 1970) * 365 + leap_days(year - 1) - leap_days(1969);
    let months: i64 = (1..month).map(|month| days_of_month(year, month)).sum();
    years + months + day - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_digits_and_a_unit() {
        assert_eq!(duration("90s"), Ok(90_000));
        assert_eq!(duration("15m"), Ok(900_000));
        assert_eq!(duration("26h"), Ok(93_600_000));
        assert_eq!(duration("0003d"), Ok(259_200_000));
        for malformed in ["", "s", "90", "1.5h", "-1h", "+1h", "1 h", "1w", "1H", "1h30m", "١h"] {
            assert_eq!(duration(malformed), Err(DurationError::Malformed), "{malformed}");
        }
        assert!(duration("10000000d").is_ok());
        for long in ["10000001d", "999999999999999999s", "99999999999999999999999d"] {
            assert_eq!(duration(long), Err(DurationError::TooLong), "{long}");
        }
    }

    #[test]
    fn a_timestamp_is_rfc_3339() {
        assert_eq!(timestamp("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(timestamp("2024-01-01T08:00:00Z"), Some(1_704_096_000_000));
        assert_eq!(timestamp("2024-01-01T10:00:00+02:00"), Some(1_704_096_000_000));
        assert_eq!(timestamp("2024-01-01 00:30:00.9876-07:30"), Some(1_704_096_000_987));
        assert_eq!(timestamp("2024-02-29t23:59:59.5z"), Some(1_709_251_199_500));
        assert_eq!(timestamp("0000-01-01T00:00:00Z"), Some(-62_167_219_200_000));
        assert_eq!(timestamp("9999-12-31T23:59:59Z"), Some(253_402_300_799_000));
        for wrong in [
            "",
            "2024-01-01",
            "2024-01-01T08:00:00",
            "2024-01-01T08:00Z",
            "2023-02-29T00:00:00Z",
            "2024-13-01T00:00:00Z",
            "2024-00-01T00:00:00Z",
            "2024-01-00T00:00:00Z",
            "2024-01-01T24:00:00Z",
            "2024-01-01T08:00:60Z",
            "2024-01-01T08:00:00.Z",
            "2024-01-01T08:00:00+0200",
            "2024-01-01T08:00:00Zz",
            "+024-01-01T08:00:00Z",
            "2024-01-01T08:00:0é",
        ] {
            assert_eq!(timestamp(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn days_are_counted_over_leap_years() {
        let mut days = days_before(1890, 1, 1);
        for (year, month) in (1890..2110).flat_map(|year| (1..=12).map(move |month| (year, month))) {
            assert_eq!(days_before(year, month, 1), days, "{year}-{month}");
            days += days_of_month(year, month);
        }
    }

    #[test]
    fn a_whole_number_has_digits_only_unless_its_syntax_says_more() {
        assert_eq!((whole("007"), plain_whole("007")), (Some(7), Some(7)));
        for plain in ["1_000", "1e3", "1000.0", "+1000"] {
            assert_eq!((whole(plain), plain_whole(plain)), (None, Some(1000)), "{plain}");
        }
        for wrong in ["", "-1", "1.5", "_1", "1__0", "inf", "NaN", "1e99", "0x10", "18446744073709551616"] {
            assert_eq!((whole(wrong), plain_whole(wrong)), (None, None), "{wrong}");
        }
    }
}
