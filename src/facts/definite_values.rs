//! Which values in the JSON that a script builds do not depend on the generated values that it was run on.

/// What one script left in `Json` for two sets of generated values, parsed; none when one is not JSON.
#[derive(Debug)]
pub struct DefiniteValues(Option<[serde_json::Value; 2]>);

impl DefiniteValues {
    /// Of the JSON of two runs.
    pub fn of(text: &str, other: &str) -> Self {
        let parse = |text| serde_json::from_str(text).ok();
        Self(parse(text).zip(parse(other)).map(|(text, other)| [text, other]))
    }

    /// Whether the value at a JSON pointer is the same in both runs, or absent from both: then no generated value is
    /// a part of it. Always true without valid JSON.
    pub fn is_definite(&self, pointer: &str) -> bool {
        match &self.0 {
            Some([text, other]) => text.pointer(pointer) == other.pointer(pointer),
            None => true,
        }
    }

    /// Whether both runs have a value at a JSON pointer.
    pub fn is_present(&self, pointer: &str) -> bool {
        self.0.as_ref().is_some_and(|runs| runs.iter().all(|run| run.pointer(pointer).is_some()))
    }
}
