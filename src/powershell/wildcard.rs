//! Patterns of names (`about_Wildcards`).

/// Whether a name fits a pattern, in whatever case: `*` is any text, `?` a character, `[a-z]` one of several, and a
/// backtick takes the meaning of the next character. Reduces `steps` by what it takes; `None` when they are used up.
pub(super) fn fits(pattern: &str, name: &str, steps: &mut usize) -> Option<bool> {
    let (mut pattern, mut name) = (pattern, name);
    // What follows the last `*`, and the part of the name that it is tried on. Earlier ones need not take more.
    let mut retry: Option<(&str, &str)> = None;
    loop {
        *steps = steps.checked_sub(1)?;
        if let Some(rest) = pattern.strip_prefix('*') {
            retry = Some((rest, name));
            pattern = rest;
            continue;
        }
        let mut letters = name.chars();
        match letters.next() {
            None if pattern.is_empty() => return Some(true),
            Some(letter) if let Some(rest) = after_letter(pattern, letter, steps) => {
                (pattern, name) = (rest, letters.as_str());
                continue;
            }
            _ => {}
        }
        let Some((rest, tried)) = retry else { return Some(false) };
        let mut letters = tried.chars();
        if letters.next().is_none() {
            return Some(false);
        }
        (pattern, name) = (rest, letters.as_str());
        retry = Some((pattern, name));
    }
}

/// The rest of a pattern if its first element fits a letter.
fn after_letter<'p>(pattern: &'p str, letter: char, steps: &mut usize) -> Option<&'p str> {
    let mut letters = pattern.chars();
    let fits = match letters.next()? {
        '?' => true,
        '[' => {
            let (set, rest) = letters.as_str().split_once(']')?;
            *steps = steps.saturating_sub(set.len());
            letters = rest.chars();
            is_in_set(set, letter)
        }
        '`' => is_same(letters.next()?, letter),
        wanted => is_same(wanted, letter),
    };
    fits.then_some(letters.as_str())
}

/// `abc`, `a-z`
fn is_in_set(set: &str, letter: char) -> bool {
    let mut letters = set.chars();
    while let Some(first) = letters.next() {
        let last = letters.as_str().strip_prefix('-').and_then(|rest| rest.chars().next());
        if last.is_some() {
            letters.nth(1);
        }
        let last = last.unwrap_or(first);
        let is_between = |letter: char| first <= letter && letter <= last;
        if is_between(letter) || is_between(letter.to_ascii_lowercase()) || is_between(letter.to_ascii_uppercase()) {
            return true;
        }
    }
    false
}

fn is_same(one: char, other: char) -> bool {
    one == other || one.to_lowercase().eq(other.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits_in(pattern: &str, name: &str) -> Option<bool> {
        fits(pattern, name, &mut 1000)
    }

    #[test]
    fn patterns_fit_whole_names_in_any_case() {
        for (pattern, name, wanted) in [
            ("*", "", true),
            ("get-*", "Get-User", true),
            ("*-user", "Get-User", true),
            ("Get-*", "Set-User", false),
            ("g?t-*r", "Get-User", true),
            ("?", "", false),
            ("*a*b", "xaxbxab", true),
            ("*a*b", "xaxbxac", false),
            ("[a-g]et-[xu]*", "Get-User", true),
            ("[A-G]et-*", "get-user", true),
            ("[a-f]et-*", "Get-User", false),
            ("[a", "a", false),
            ("a`*", "a*", true),
            ("a`*", "ab", false),
            ("ä*", "Ä1", true),
        ] {
            assert_eq!(fits_in(pattern, name), Some(wanted), "{pattern} {name}");
        }
    }

    #[test]
    fn comparison_of_a_long_pattern_ends_at_its_limit() {
        assert_eq!(fits_in(&format!("*{}b", "a".repeat(50)), &"a".repeat(100)), None);
        // The last `*` alone is tried again.
        assert_eq!(fits_in(&("*a".repeat(50) + "b"), &"a".repeat(100)), Some(false));
        assert_eq!(fits_in(&format!("*[{}]", "a".repeat(2000)), "bb"), None);
    }
}
