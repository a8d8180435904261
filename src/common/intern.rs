//! Strings that live as long as the process: the codes and names of rules of a team's own, as findings have them. There are
//! few, and each is kept once.

use std::sync::{Mutex, PoisonError};

use crate::common::collections::HashSet;

static INTERNED: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);

pub fn interned(text: &str) -> &'static str {
    let mut interned = INTERNED.lock().unwrap_or_else(PoisonError::into_inner);
    let known = interned.get_or_insert_default();
    if let Some(text) = known.get(text) {
        return text;
    }
    let text: &'static str = Box::leak(text.into());
    known.insert(text);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_strings_are_kept_once() {
        assert!(std::ptr::eq(interned("ORG101"), interned(&format!("ORG{}", 101))));
        assert_ne!(interned("ORG101"), interned("ORG102"));
    }
}
