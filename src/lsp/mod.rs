//! What editors ask about services.

pub mod features;
