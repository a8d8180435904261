//! JSON that is safe to print, written member by member from what it is about.

use std::io::{self, Write};

use jiff::SignedDuration;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Number;

use super::escape::Printable;
use super::results::Report;
use crate::text::diagnostic::{FileId, Location};
use crate::text::source::{Position, Span};

/// An object; its members come in the order in which they were added.
pub struct Object<M>(M);

/// A member, and those before it.
pub struct Member<M, V> {
    before: M,
    key: &'static str,
    value: Option<V>,
}

pub trait Members {
    /// Writes all members that have a value.
    ///
    /// # Errors
    /// When they cannot be written.
    fn write<S: SerializeMap>(&self, map: &mut S) -> Result<(), S::Error>;
}

pub const fn object() -> Object<()> {
    Object(())
}

impl<M: Members> Object<M> {
    pub fn with<V: Serialize>(self, key: &'static str, value: V) -> Object<Member<M, V>> {
        self.with_some(key, Some(value))
    }

    /// Without the member if there is no value.
    pub fn with_some<V: Serialize>(self, key: &'static str, value: Option<V>) -> Object<Member<M, V>> {
        Object(Member { before: self.0, key, value })
    }

    /// With the members `file`, `pointer` and `range` of a place.
    pub fn with_place<'r>(self, report: &Report<'r>, location: &'r Location) -> Object<impl Members + use<'r, M>> {
        let range = range(report, location.file, location.span);
        self.with("file", report.file_name(location.file)).with("pointer", &*location.pointer).with("range", range)
    }
}

impl Members for () {
    fn write<S: SerializeMap>(&self, _: &mut S) -> Result<(), S::Error> {
        Ok(())
    }
}

impl<M: Members, V: Serialize> Members for Member<M, V> {
    fn write<S: SerializeMap>(&self, map: &mut S) -> Result<(), S::Error> {
        self.before.write(map)?;
        self.value.iter().try_for_each(|value| map.serialize_entry(self.key, value))
    }
}

impl<M: Members> Serialize for Object<M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.0.write(&mut map)?;
        map.end()
    }
}

/// An array; its items are made one at a time, because there may be very many.
pub struct Array<F>(pub F);

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for Array<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// The program that wrote a report.
pub fn tool() -> impl Serialize {
    object().with("name", env!("CARGO_PKG_NAME")).with("version", env!("CARGO_PKG_VERSION"))
}

pub fn range(report: &Report<'_>, file: FileId, span: Span) -> impl Serialize + use<> {
    let (start, end) = report.range(file, span);
    range_between(start, end)
}

pub fn range_between(start: Position, end: Position) -> impl Serialize {
    let position = |at: Position| object().with("line", at.line).with("column", at.column).with("offset", at.offset);
    object().with("start", position(start)).with("end", position(end))
}

/// A duration in seconds; whole ones without a decimal point.
#[expect(clippy::cast_precision_loss, reason = "a run has fewer milliseconds than 2^53, about 280,000 years")]
pub fn seconds(duration: SignedDuration) -> Number {
    if duration.subsec_millis() == 0 {
        return duration.as_secs().into();
    }
    Number::from_f64(duration.as_millis() as f64 / 1000.0).unwrap_or_else(|| duration.as_secs().into())
}

/// Writes a value as indented JSON that is safe to print.
///
/// # Errors
/// When it cannot be written.
pub fn write_json(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    write_indented(out, 0, value)?;
    writeln!(out)
}

/// Writes a value as JSON that is safe to print, indented for a depth of `levels`.
pub fn write_indented(out: &mut dyn Write, levels: usize, value: &impl Serialize) -> io::Result<()> {
    use serde_json::ser::{Formatter, PrettyFormatter};
    // The formatter counts the levels by the objects that it has begun.
    let mut formatter = PrettyFormatter::new();
    for _ in 0..levels {
        formatter.begin_object(&mut io::sink())?;
    }
    value.serialize(&mut serde_json::Serializer::with_formatter(Printable(out), formatter))?;
    Ok(())
}
