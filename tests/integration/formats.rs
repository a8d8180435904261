//! The formats for machines: what the services that read them document.

mod azure;
mod checkstyle;
mod coverage;
mod flows;
mod gitlab;
mod markdown;
mod outputs;
mod page;
mod rdjson;
mod sarif;
mod simulation;
