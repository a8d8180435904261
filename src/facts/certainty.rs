//! What in the text of a case that a script builds does not depend on made-up values.

/// The texts that one script left in `Json` for two sets of made-up values, parsed.
#[derive(Debug)]
pub struct Certainty(Option<[serde_json::Value; 2]>);

impl Certainty {
    /// Of two texts; when one is not JSON, all of it is certain.
    pub fn of(text: &str, other: &str) -> Self {
        let read = |text| serde_json::from_str(text).ok();
        Self(read(text).zip(read(other)).map(|(text, other)| [text, other]))
    }

    /// Whether the value at a JSON pointer is the same for both sets of values: then no made-up value
    /// is a part of it. Of a text that is no JSON all is certain.
    pub fn is_certain(&self, pointer: &str) -> bool {
        match &self.0 {
            Some([text, other]) => text.pointer(pointer) == other.pointer(pointer),
            None => true,
        }
    }

    /// Whether there is a value at a JSON pointer for both sets of values.
    pub fn is_there(&self, pointer: &str) -> bool {
        self.0.as_ref().is_some_and(|texts| texts.iter().all(|text| text.pointer(pointer).is_some()))
    }
}
