//! Durations, timestamps and numbers, from strings.

use jiff::fmt::temporal::Pieces;
use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};

use crate::document::whole_number;
use crate::simulate::strings::decimal;

/// The longest duration, in days. JavaScript's `Date` ends 100,000,000 days after 1970, so scripts
/// have a valid one throughout a run.
pub const MAX_DAYS: i64 = 10_000_000;

/// Why a string is not a duration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DurationError {
    /// It is not digits and a unit.
    Malformed,
    /// It is more than [`MAX_DAYS`].
    TooLong,
}

/// A duration: digits, and `s`, `m`, `h` or `d`.
///
/// jiff's own format of durations is wider (`1h30m`, `PT1H`, signs, fractions) and has no days.
pub fn duration(text: &str) -> Result<SignedDuration, DurationError> {
    let unit_seconds = match text.chars().next_back() {
        Some('s') => 1,
        Some('m') => 60,
        Some('h') => 3600,
        Some('d') => 86_400,
        _ => return Err(DurationError::Malformed),
    };
    let digits = text.get(..text.len() - 1).filter(|digits| is_digits(digits)).ok_or(DurationError::Malformed)?;
    let number: Option<i64> = digits.parse().ok();
    number
        .and_then(|number| number.checked_mul(unit_seconds))
        .filter(|seconds| *seconds <= MAX_DAYS * 86_400)
        .map(SignedDuration::from_secs)
        .ok_or(DurationError::TooLong)
}

/// A whole number that is written with digits alone.
pub fn whole(text: &str) -> Option<u64> {
    is_digits(text).then(|| text.parse().ok())?
}

/// A whole number as the syntaxes write them without quotes: `1_000` and `+5` are TOML, `1e3` and
/// `5.0` are whole for JSON Schema.
pub fn plain_whole(text: &str) -> Option<u64> {
    let is_grouped = text.split('_').all(is_digits);
    if is_grouped {
        return text.replace('_', "").parse().ok();
    }
    u64::try_from(whole_number(decimal(text)?)?).ok()
}

/// Seconds, above 0 and at most a day; with digits and a point, or as the syntaxes write a number.
/// Finer than a nanosecond is rounded up to one.
pub fn seconds(text: &str, is_plain: bool) -> Option<SignedDuration> {
    const DAY: f64 = 86_400.0;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let is_simple = is_digits(whole) && is_digits(fraction);
    let seconds = (is_simple || is_plain).then(|| decimal(text))??;
    let duration = SignedDuration::try_from_secs_f64(seconds).ok()?;
    (seconds > 0.0 && seconds <= DAY).then(|| duration.max(SignedDuration::from_nanos(1)))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// An RFC 3339 timestamp; parts of a second below milliseconds are cut.
///
/// jiff also reads other forms of ISO 8601, leap seconds, longer offsets and names of time zones, so
/// the form is checked first. The last timestamp is jiff's: 9999-12-30T22:00:00Z.
pub fn timestamp(text: &str) -> Option<Timestamp> {
    const DATE_AND_TIME: &str = "0000-00-00T00:00:00";
    let (date_and_time, rest) = text.split_at_checked(DATE_AND_TIME.len())?;
    let (fraction, offset) = match rest.strip_prefix('.') {
        Some(rest) => rest.split_at(rest.bytes().take_while(u8::is_ascii_digit).count()),
        None => ("0", rest),
    };
    let has_offset = match offset {
        "Z" | "z" => true,
        // jiff reads offsets of up to 25 hours.
        _ => has_form(offset, "+00:00") && offset.get(1..3).is_some_and(|hours| hours < "24"),
    };
    let is_leap_second = date_and_time.ends_with("60");
    if !has_form(date_and_time, DATE_AND_TIME) || fraction.is_empty() || !has_offset || is_leap_second {
        return None;
    }
    let milliseconds: String = fraction.chars().take(3).collect();
    format!("{date_and_time}.{milliseconds}{offset}").parse().ok()
}

/// Whether a string has the form of another: a digit for each `0`, either sign for `+`, and the
/// separators that RFC 3339 allows for `T`.
fn has_form(text: &str, form: &str) -> bool {
    text.len() == form.len()
        && text.bytes().zip(form.bytes()).all(|(byte, form)| match form {
            b'0' => byte.is_ascii_digit(),
            b'+' => matches!(byte, b'+' | b'-'),
            b'T' => matches!(byte, b'T' | b't' | b' '),
            _ => byte == form,
        })
}

/// The offset at the end of an RFC 3339 timestamp; UTC for `Z`.
pub fn offset(timestamp: &str) -> Offset {
    let pieces = Pieces::parse(timestamp).ok();
    pieces.and_then(|pieces| pieces.to_numeric_offset()).unwrap_or(Offset::UTC)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_digits_and_a_unit() {
        assert_eq!(duration("90s"), Ok(SignedDuration::from_secs(90)));
        assert_eq!(duration("15m"), Ok(SignedDuration::from_mins(15)));
        assert_eq!(duration("26h"), Ok(SignedDuration::from_hours(26)));
        assert_eq!(duration("0003d"), Ok(SignedDuration::from_hours(72)));
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
        let timestamp = |text: &str| timestamp(text).map(Timestamp::as_millisecond);
        assert_eq!(timestamp("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(timestamp("2024-01-01T08:00:00Z"), Some(1_704_096_000_000));
        assert_eq!(timestamp("2024-01-01T10:00:00+02:00"), Some(1_704_096_000_000));
        assert_eq!(timestamp("2024-01-01 00:30:00.9876-07:30"), Some(1_704_096_000_987));
        assert_eq!(timestamp("2024-02-29t23:59:59.5z"), Some(1_709_251_199_500));
        assert_eq!(timestamp("0000-01-01T00:00:00Z"), Some(-62_167_219_200_000));
        assert_eq!(timestamp("0000-01-01T00:00:00+23:59"), Some(-62_167_305_540_000));
        assert_eq!(timestamp("1969-12-31T23:59:59.9999999999Z"), Some(-1));
        assert_eq!(timestamp("2024-01-01T08:00:00-00:00"), Some(1_704_096_000_000));
        assert_eq!(timestamp("9999-12-30T22:00:00Z"), Some(253_402_207_200_000));
        for wrong in [
            "",
            "2024-01-01",
            "2024-01-01T08:00:00",
            "2024-01-01T08:00Z",
            "2023-02-29T00:00:00Z",
            "2024-01-01T24:00:00Z",
            "2024-01-01T08:00:60Z",
            "2016-12-31T23:59:60Z",
            "2024-01-01T08:00:00+24:00",
            "2024-01-01T08:00:00+02:00:30",
            "2024-01-01T08:00:00Z[UTC]",
            "2024-01-01T08:00:00+01:00[Europe/Stockholm]",
            "2024-001T08:00:00Z",
            "2024-01-01T08:00:00.Z",
            "2024-01-01T08:00:0é",
        ] {
            assert_eq!(timestamp(wrong), None, "{wrong}");
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
