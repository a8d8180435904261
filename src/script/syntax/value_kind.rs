//! The kind of a value.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    String,
    /// An object of some sort, which a message calls so.
    Object(&'static str),
    /// A primitive value that is not a string, which a message calls so.
    Primitive(&'static str),
    Unknown,
}

impl ValueKind {
    /// What a message calls the value, when it is definitely no string.
    pub const fn not_string(self) -> Option<&'static str> {
        match self {
            Self::Object(what) | Self::Primitive(what) => Some(what),
            Self::String | Self::Unknown => None,
        }
    }
}
