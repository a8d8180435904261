//! From the text of a file to its tree of values.

use super::kind::ScenarioSyntax;
use super::tree::{Shape, Value};
use super::{json, toml, yaml};
use crate::limits::MAX_SMALL_FILE_BYTES;
use crate::simulate::scenario::location::Problem;
use crate::source::{BYTE_ORDER_MARK, Span};

/// Parses the content of a file, which is not empty.
pub fn parse(text: &str, syntax: ScenarioSyntax) -> Result<Value, Problem> {
    if text.len() > MAX_SMALL_FILE_BYTES {
        return Err(Problem::at(Span::default(), format!("file larger than {MAX_SMALL_FILE_BYTES} bytes")));
    }
    if text.trim_start_matches(BYTE_ORDER_MARK).trim().is_empty() {
        return Err(empty());
    }
    let root = match syntax {
        ScenarioSyntax::Yaml => yaml::parse(text),
        ScenarioSyntax::Json => json::parse(text),
        ScenarioSyntax::Toml => toml::parse(text),
    }?;
    let is_empty = match &root.shape {
        Shape::Object(members) => members.is_empty(),
        Shape::Array(_) | Shape::Scalar(_) => root.is_null(),
    };
    if is_empty { Err(empty()) } else { Ok(root) }
}

fn empty() -> Problem {
    Problem::at(Span::default(), "empty scenario")
        .with_help("set at least the workflow, such as `workflow: order.workflow.json`")
}
