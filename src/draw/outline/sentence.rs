//! Builds sentences from parts.

use super::Part;

/// Items that a list names.
const MAX_ITEMS: usize = 30;

/// A sentence, or a part of one.
#[derive(Debug, Clone, Default)]
pub struct Sentence(pub Vec<Part>);

impl Sentence {
    pub fn of(text: impl Into<String>) -> Self {
        Self::default().text(text)
    }

    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        let text = text.into();
        match self.0.last_mut() {
            Some(Part::Text(last)) => last.push_str(&text),
            _ if text.is_empty() => {}
            _ => self.0.push(Part::Text(text)),
        }
        self
    }

    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.0.push(Part::Name(name.into()));
        self
    }

    #[must_use]
    pub fn value(mut self, value: impl Into<String>) -> Self {
        self.0.push(Part::Value(value.into()));
        self
    }

    #[must_use]
    pub fn then(mut self, other: Self) -> Self {
        for part in other.0 {
            match part {
                Part::Text(text) => self = self.text(text),
                other => self.0.push(other),
            }
        }
        self
    }

    /// Items with `between` between them, and `last` before the last one.
    pub fn list(items: Vec<Self>, between: &str, last: &str) -> Self {
        let more = items.len().saturating_sub(MAX_ITEMS);
        let mut items: Vec<Self> = items.into_iter().take(MAX_ITEMS).collect();
        if more > 0 {
            items.push(Self::of(format!("{more} more")));
        }
        let number = items.len();
        let mut list = Self::default();
        for (index, item) in items.into_iter().enumerate() {
            let before = if index == 0 {
                ""
            } else if index + 1 == number {
                last
            } else {
                between
            };
            list = list.text(before).then(item);
        }
        list
    }

    /// `a, b and c`.
    pub fn and(items: Vec<Self>) -> Self {
        Self::list(items, ", ", " and ")
    }
}
