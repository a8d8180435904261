//! Durations for people.

/// Milliseconds as days, hours, minutes and seconds: `1d 2h`, `5m`, `0s`.
pub fn show_duration(milliseconds: u64) -> String {
    let (seconds, fraction) = (milliseconds / 1000, milliseconds % 1000);
    let parts = [(seconds / 86_400, "d"), (seconds / 3600 % 24, "h"), (seconds / 60 % 60, "m")];
    let mut shown: Vec<String> =
        parts.into_iter().filter(|(number, _)| *number > 0).map(|(number, unit)| format!("{number}{unit}")).collect();
    let rest = seconds % 60;
    if fraction > 0 {
        let fraction = format!("{fraction:03}");
        shown.push(format!("{rest}.{}s", fraction.trim_end_matches('0')));
    } else if rest > 0 || shown.is_empty() {
        shown.push(format!("{rest}s"));
    }
    shown.join(" ")
}

#[cfg(test)]
mod tests {
    use super::show_duration;

    #[test]
    fn units_that_are_zero_are_left_out() {
        assert_eq!(show_duration(0), "0s");
        assert_eq!(show_duration(93_600_000), "1d 2h");
        assert_eq!(show_duration(90_061_500), "1d 1h 1m 1.5s");
    }
}
