//! The program that wrote a report.

use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Tool {
    pub name: &'static str,
    pub version: &'static str,
}

pub(super) const TOOL: Tool = Tool { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") };
