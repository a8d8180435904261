//! Numbers in a canonical form, so that equal numbers compare equal.

use std::fmt::Write;

/// A number of JSON in the one form that equal numbers have: digits without zeros at either end, and an exponent.
/// Nothing is rounded. One with an exponent beyond 64 bits stays as it is written.
pub(super) fn canonical_number(text: &str) -> String {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.trim_start_matches('+').parse::<i64>().ok()),
        None => (text, Some(0)),
    };
    let Some(exponent) = exponent else { return text.to_ascii_lowercase() };
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_start_matches('0');
    let shortened = significant.trim_end_matches('0');
    if shortened.is_empty() {
        return "0".to_owned();
    }
    let length = |text: &str| i64::try_from(text.len()).unwrap_or(i64::MAX);
    let dropped = length(significant) - length(shortened);
    let exponent = exponent.saturating_sub(length(fraction)).saturating_add(dropped);
    let mut number = format!("{sign}{shortened}");
    if exponent != 0 {
        let _ = write!(number, "e{exponent}");
    }
    number
}

#[cfg(test)]
mod tests {
    use super::canonical_number;

    #[test]
    fn equal_numbers_have_one_form() {
        for same in [
            &["300", "300.0", "3e2", "3E+2", "0.3e3", "30000e-2"][..],
            &["0", "-0", "0.00", "0e9"],
            &["-1.5", "-15e-1"],
        ] {
            for one in same {
                assert_eq!(canonical_number(one), canonical_number(same[0]), "{one}");
            }
        }
        let big = "9007199254740993";
        assert_ne!(canonical_number(big), canonical_number("9007199254740992"), "nothing is rounded");
        assert_eq!(canonical_number("1E99999999999999999999"), "1e99999999999999999999");
    }
}
