//! Which answers that the client has may be out of date.

#[derive(Debug, Default, Clone, Copy)]
pub struct Stale {
    pub hints: bool,
    pub lenses: bool,
}

impl Stale {
    pub const ALL: Self = Self { hints: true, lenses: true };
}
