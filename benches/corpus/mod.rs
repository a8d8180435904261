//! What benchmarks lint: documents in memory.

use wflint::project::{Buffer, ConfigSource, Request};

/// A request for all documents of a corpus, whose paths are below `/corpus`.
pub fn request(buffers: &[Buffer]) -> Request {
    Request {
        current: "/corpus".into(),
        buffers: buffers.to_vec(),
        in_memory: true,
        config: ConfigSource::Isolated,
        ..Request::default()
    }
}
