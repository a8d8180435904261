//! Where the bytes of a document are in a text that is made of a part of it: of a line as it is drawn, or of a string.
//! The two differ: escapes
//! and tabs become longer, redacted values shorter, and only a window of a long line is drawn.

/// Ascending pairs of an offset in the document and the offset in the drawn text.
#[derive(Debug, Default)]
pub(super) struct OffsetMap(Vec<(usize, usize)>);

impl OffsetMap {
    pub fn with_capacity(capacity: usize) -> Self {
        Self(Vec::with_capacity(capacity))
    }

    /// Neither offset may be smaller than one that was added before.
    pub fn add(&mut self, offset: usize, drawn: usize) {
        self.0.push((offset, drawn));
    }

    /// The drawn offset of an offset of the document. Offsets before the window map to its start, those after it to its
    /// end, so that a cut-off label ends at the edge.
    pub fn drawn(&self, offset: usize) -> usize {
        let next = self.0.partition_point(|&(at, _)| at < offset);
        self.0.get(next).or(self.0.last()).map_or(0, |&(_, drawn)| drawn)
    }
}
