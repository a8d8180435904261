//! Backticks of documents: on the page, those around a word make it a name.

use crate::document::Document;
use crate::text::{MAX_NAME, truncate, without_backticks};

/// The strings of documents that have backticks, for messages that quote them.
#[derive(Debug, Default)]
pub struct Backticks {
    /// The longest first: one may be a part of another.
    strings: Vec<String>,
}

impl Backticks {
    pub fn of<'d>(documents: impl Iterator<Item = &'d Document>) -> Self {
        let mut strings: Vec<String> = Vec::new();
        for document in documents {
            for node in document.nodes() {
                let own = [document.string(node), document.key(node)].into_iter().flatten();
                for text in own.filter(|text| text.contains('`')) {
                    strings.extend([text.to_owned(), truncate(text, MAX_NAME).into_owned()]);
                }
            }
        }
        strings.sort_by_key(|text| (std::cmp::Reverse(text.len()), text.clone()));
        strings.dedup();
        Self { strings }
    }

    /// Leaves only the backticks around names.
    pub fn replace(&self, text: &mut String) {
        for string in &self.strings {
            if text.contains(string.as_str()) {
                *text = text.replace(string.as_str(), &without_backticks(string));
            }
        }
    }
}
