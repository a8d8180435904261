//! Derives values that change an operand of a comparison.

use std::cmp::Ordering;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// The wanted value of an operand.
pub(super) struct Target<'t> {
    /// The other operand.
    pub other: &'t str,
    /// How it is to compare to the other operand.
    pub order: Ordering,
}

/// New values for some parameters, by their indices.
pub(super) type Replaced = Vec<(usize, String)>;

/// One value may have the operand in several places; this many are tried.
const MAX_PLACES: usize = 2;

/// Longer values are not made.
const MAX_LENGTH: f64 = 1000.0;

const DAY_MS: f64 = 86_400_000.0;

/// Changes that may turn an operand, as a run has seen it, into what is wanted; the most likely first.
pub(super) fn replacements(values: &[(usize, &str)], seen: &str, target: &Target<'_>) -> Vec<Replaced> {
    let mut found: Vec<Replaced> = Vec::new();
    if let Some(wanted) = target.text() {
        found.extend(
            values.iter().filter(|(_, value)| is_all(value, seen)).map(|(index, _)| vec![(*index, wanted.clone())]),
        );
        found.extend(joined(values, seen, &wanted));
        for (index, value) in values {
            found.extend(parts(value, seen, &wanted).map(|text| vec![(*index, text)]));
        }
    }
    if let Some((seen, wanted)) = number(seen).zip(target.number(1.0)) {
        for (index, value) in values {
            let days = target.number(DAY_MS).unwrap_or(wanted);
            found.extend(of_number(value, seen, wanted, days).map(|text| vec![(*index, text)]));
        }
        found.extend(linear(values, seen, wanted));
    }
    found.dedup();
    found
}

impl Target<'_> {
    fn text(&self) -> Option<String> {
        if let Some(day) = date_ms(self.other).filter(|_| !self.order.is_eq()) {
            return date(if self.order.is_lt() { day - DAY_MS } else { day + DAY_MS });
        }
        match (self.order, self.number(1.0)) {
            (Ordering::Equal, _) => Some(self.other.to_owned()),
            (_, Some(number)) => Some(number.to_string()),
            (Ordering::Greater, None) => Some(format!("{}z", self.other)),
            (Ordering::Less, None) => Some("0".to_owned()),
        }
    }

    fn number(&self, step: f64) -> Option<f64> {
        let other = number(self.other)?;
        Some(match self.order {
            Ordering::Less => other - step,
            Ordering::Equal => other,
            Ordering::Greater => other + step,
        })
    }
}

/// The number that a string is.
pub(super) fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

fn is_all(value: &str, seen: &str) -> bool {
    !seen.is_empty() && value.trim().eq_ignore_ascii_case(seen.trim())
}

/// The value with the operand, which is a part of it, replaced.
fn parts<'v>(value: &'v str, seen: &str, wanted: &'v str) -> impl Iterator<Item = String> + 'v {
    let (lower, seen) = (value.to_ascii_lowercase(), seen.to_ascii_lowercase());
    let is_part = !seen.is_empty() && seen.len() < value.len();
    let mut places: Vec<usize> =
        if is_part { lower.match_indices(&*seen).map(|(at, _)| at).collect() } else { Vec::new() };
    if let (true, Some(last)) = (places.len() > MAX_PLACES, places.last().copied()) {
        places.truncate(MAX_PLACES - 1);
        places.push(last);
    }
    let length = seen.len();
    places.into_iter().filter_map(move |at| Some([value.get(..at)?, wanted, value.get(at + length..)?].concat()))
}

/// Of an operand that consists of several values, or of one and other text, the values of which the wanted one consists.
fn joined(values: &[(usize, &str)], seen: &str, wanted: &str) -> Option<Replaced> {
    let lower = seen.to_ascii_lowercase();
    let place = |(index, value): &(usize, &str)| {
        let value = value.trim().to_ascii_lowercase();
        let at = lower.find(&value).filter(|_| !value.is_empty())?;
        Some((at, at + value.len(), *index))
    };
    let mut places: Vec<(usize, usize, usize)> = values.iter().filter_map(place).collect();
    places.sort_unstable();
    let is_apart = places.windows(2).all(|pair| matches!(pair, [first, second] if first.1 <= second.0));
    let (first, last) = (places.first()?, places.last()?);
    if !is_apart || (first.0, last.1) == (0, seen.len()) && places.len() == 1 {
        return None;
    }
    let rest = wanted.strip_prefix(seen.get(..first.0)?)?;
    let mut rest = rest.strip_suffix(seen.get(last.1..)?)?;
    let mut found = Vec::new();
    for (number, (_, end, index)) in places.iter().enumerate() {
        let Some((next, ..)) = places.get(number + 1) else {
            found.push((*index, rest.to_owned()));
            break;
        };
        let between = seen.get(*end..*next)?;
        let (own, after) = if between.is_empty() {
            rest.split_at_checked(rest.chars().next().map_or(0, char::len_utf8))?
        } else {
            rest.split_once(between)?
        };
        found.push((*index, own.to_owned()));
        rest = after;
    }
    Some(found)
}

/// Of an operand that is a number, the values that would give the wanted one; `days` of a date.
fn of_number(value: &str, seen: f64, wanted: f64, days: f64) -> impl Iterator<Item = String> {
    let is = |number: Option<f64>| number == Some(seen);
    let trimmed = value.trim();
    let digits: String = trimmed.chars().filter(char::is_ascii_digit).collect();
    let leading = trimmed.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(trimmed.len());
    let (start, rest) = trimmed.split_at_checked(leading).unwrap_or_default();
    let as_whole = (is(number(trimmed)) || is(number(&digits))).then(|| wanted.to_string());
    let as_start = is(number(start)).then(|| format!("{wanted}{rest}"));
    let as_date = is(date_ms(trimmed)).then(|| date(days)).flatten();
    let as_length = lengths(value).into_iter().find(|length| is(Some(*length))).and_then(|_| resized(trimmed, wanted));
    let as_code = code(seen).zip(code(wanted)).filter(|(old, _)| value.contains(*old));
    let as_code = as_code.map(|(old, new)| value.replacen(old, new.encode_utf8(&mut [0; 4]), 1));
    [as_whole, as_start, as_date, as_length, as_code].into_iter().flatten()
}

/// The lengths of a value, and of the value without blanks around it.
#[expect(clippy::cast_precision_loss, reason = "lengths are small")]
fn lengths(value: &str) -> [f64; 2] {
    [value, value.trim()].map(|text| text.encode_utf16().count() as f64)
}

/// The value with another length.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked: whole and small")]
fn resized(value: &str, length: f64) -> Option<String> {
    let is_length = length.fract() == 0.0 && (0.0..=MAX_LENGTH).contains(&length) && !value.is_empty();
    is_length.then(|| value.chars().cycle().take(length as usize).collect())
}

/// The visible ASCII character of a code.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked: whole and small")]
fn code(number: f64) -> Option<char> {
    let is_code = number.fract() == 0.0 && (32.0..127.0).contains(&number);
    is_code.then(|| char::from(number as u8))
}

/// Of an operand that is computed from a number, that number changed as if the operand were a sum or a multiple of it.
fn linear(values: &[(usize, &str)], seen: f64, wanted: f64) -> impl Iterator<Item = Replaced> {
    let numbers = values.iter().filter_map(|(index, value)| Some((*index, number(value.trim())?)));
    numbers.flat_map(move |(index, number)| {
        let sum = number + wanted - seen;
        let multiple = (number * wanted / seen).ceil();
        let is_number = |changed: &f64| changed.is_finite();
        [sum, multiple].into_iter().filter(is_number).map(move |changed| vec![(index, changed.to_string())])
    })
}

/// Milliseconds of a date or a timestamp since 1970, in UTC.
#[expect(clippy::cast_precision_loss, reason = "exact for every date")]
fn date_ms(text: &str) -> Option<f64> {
    let date = || text.parse::<Date>().ok()?.to_zoned(TimeZone::UTC).ok();
    let timestamp = text.parse::<Timestamp>().ok().or_else(|| Some(date()?.timestamp()))?;
    Some(timestamp.as_millisecond() as f64)
}

#[expect(clippy::cast_possible_truncation, reason = "`as` saturates")]
fn date(milliseconds: f64) -> Option<String> {
    let timestamp = Timestamp::from_millisecond(milliseconds as i64).ok()?;
    Some(timestamp.to_zoned(TimeZone::UTC).date().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(values: &[&str], seen: &str, other: &str, order: Ordering) -> Vec<String> {
        let values: Vec<(usize, &str)> = values.iter().copied().enumerate().collect();
        let found = replacements(&values, seen, &Target { other, order });
        found.into_iter().next().unwrap_or_default().into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn operand_is_followed_to_the_values_that_it_is_made_of() {
        for (values, seen, other, wanted) in [
            (&["Kind 1"][..], "kind 1", "nda", &["nda"][..]),
            (&["Kind 1"], "ind 1", "da", &["Kda"]),
            (&["a;b;c"], "b", "x", &["a;x;c"]),
            (&["A 1", "B 2"], "A 1-B 2", "x-y", &["x", "y"]),
            (&["A 1", "B 2"], "A 1B 2", "xy", &["x", "y"]),
            (&["A 1"], "id:A 1", "id:7", &["7"]),
            (&["A 1"], "3", "5", &["A 1A "]),
            (&["A 1"], "65", "66", &["B 1"]),
            (&["12 days"], "12", "30", &["30 days"]),
            (&["12"], "13", "50", &["49"]),
            (&["Kind 1"], "unrelated", "x", &[]),
        ] {
            assert_eq!(first(values, seen, other, Ordering::Equal), wanted, "{values:?} {seen}");
        }
    }

    #[test]
    fn order_asks_for_a_neighbor() {
        assert_eq!(first(&["12"], "12", "30", Ordering::Greater), ["31"]);
        assert_eq!(first(&["12"], "12", "30", Ordering::Less), ["29"]);
        assert_eq!(first(&["Kind 1"], "Kind 1", "nda", Ordering::Greater), ["ndaz"]);
        let (seen, other) = (date_ms("2030-01-15").unwrap().to_string(), date_ms("2031-05-01").unwrap().to_string());
        assert_eq!(first(&["2030-01-15"], &seen, &other, Ordering::Greater), ["2031-05-02"]);
    }
}
