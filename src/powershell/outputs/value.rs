//! The possible values of a variable or an expression.

/// The class of a value. If several are possible, the later one applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    /// Nothing, or `$null`.
    Nothing,
    /// A string, a number or the like, which has no keys.
    Scalar,
    Table,
    /// A value with unknown keys.
    Unknown,
}

/// The possible keys of a value.
#[derive(Debug, Clone)]
pub(super) struct Value {
    pub class: Class,
    /// With their first places; each once.
    pub keys: Vec<(usize, String)>,
    /// Where a key is computed.
    pub computed: Vec<usize>,
}

impl Value {
    pub const NOTHING: Self = Self::of(Class::Nothing);
    pub const SCALAR: Self = Self::of(Class::Scalar);
    pub const UNKNOWN: Self = Self::of(Class::Unknown);

    pub const fn of(class: Class) -> Self {
        Self { class, keys: Vec::new(), computed: Vec::new() }
    }

    /// One of two values, or both.
    pub fn join(&mut self, other: &Self) {
        self.class = self.class.max(other.class);
        for (at, key) in &other.keys {
            self.add_key(*at, key);
        }
        for at in &other.computed {
            if !self.computed.contains(at) {
                self.computed.push(*at);
            }
        }
    }

    pub fn add_key(&mut self, at: usize, key: &str) {
        match self.keys.iter_mut().find(|(_, known)| known == key) {
            Some((first, _)) => *first = at.min(*first),
            None => self.keys.push((at, key.to_owned())),
        }
    }

    /// A join compares each key with each.
    pub fn join_cost(&self, other: &Self) -> usize {
        1 + self.size().saturating_mul(other.size()) / 16
    }

    /// What a copy costs.
    pub fn size(&self) -> usize {
        1 + self.keys.len() + self.computed.len()
    }
}
