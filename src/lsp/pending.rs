//! The diagnostics that the client has, and its requests that wait for findings.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use gen_lsp_types::ProgressToken;
use lsp_server::{Request, RequestId};

use super::convert::Item;
use super::document_uri::DocumentUri;
use super::queue::ServicePlace;

/// The results that the client was sent last.
#[derive(Debug, Default)]
pub struct Known {
    /// The version, if the document is open, and the list that was published.
    pub published: BTreeMap<DocumentUri, (Option<i32>, ResultId)>,
    /// The list that the client has asked for last.
    pub pulled: BTreeMap<DocumentUri, ResultId>,
    /// The drawings that it was told of.
    pub drawn: BTreeMap<DocumentUri, Drawn>,
    /// Whether an answer about all documents lacks the results of scripts that still run.
    pub has_early: bool,
}

#[derive(Debug, Default)]
pub struct Pending {
    pub workspaces: Vec<WorkspacePull>,
    pub requests: Vec<Waiting>,
}

/// A request that waits until its document is known, or all folders.
#[derive(Debug)]
pub struct Waiting {
    pub request: Request,
    /// That of the document.
    pub uri: Option<DocumentUri>,
}

impl Waiting {
    /// Whether it is for the findings of a document.
    pub fn is_pull(&self, uri: &DocumentUri) -> bool {
        self.uri.as_ref() == Some(uri) && self.request.method == "textDocument/diagnostic"
    }
}

/// A `workspace/diagnostic`.
#[derive(Debug)]
pub struct WorkspacePull {
    pub id: RequestId,
    pub token: Option<ProgressToken>,
    /// The lists that the client has.
    pub previous: BTreeMap<DocumentUri, String>,
    /// Whether partial results were sent.
    pub has_sent: bool,
    /// How many results there were when they were compared with those of the client.
    pub seen: u64,
}

/// The state of a document and its service whose drawing the client was told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drawn {
    pub version: i32,
    pub place: Option<ServicePlace>,
    pub findings: ResultId,
}

/// Identifies a list of findings: equal lists have equal ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResultId(u64);

impl ResultId {
    pub fn of(items: &[&Item]) -> Self {
        let mut hasher = DefaultHasher::new();
        for item in items {
            serde_json::to_string(&item.diagnostic).unwrap_or_default().hash(&mut hasher);
        }
        Self(hasher.finish())
    }
}

impl std::fmt::Display for ResultId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl Pending {
    /// Removes a request. Whether it was there.
    pub fn remove(&mut self, id: &RequestId) -> bool {
        let before = self.workspaces.len() + self.requests.len();
        self.workspaces.retain(|pull| pull.id != *id);
        self.requests.retain(|waiting| waiting.request.id != *id);
        self.workspaces.len() + self.requests.len() < before
    }

    /// The documents that the client asks about.
    pub fn uris(&self) -> impl Iterator<Item = &DocumentUri> {
        self.requests.iter().filter_map(|waiting| waiting.uri.as_ref())
    }

    /// Removes the requests for a document, and returns their ids.
    pub fn take_of(&mut self, uri: &DocumentUri) -> Vec<RequestId> {
        let requests = self.requests.extract_if(.., |waiting| waiting.uri.as_ref() == Some(uri));
        requests.map(|waiting| waiting.request.id).collect()
    }

    /// Removes all requests, and returns their ids.
    pub fn take(&mut self) -> Vec<RequestId> {
        let workspaces = self.workspaces.drain(..).map(|pull| pull.id);
        workspaces.chain(self.requests.drain(..).map(|waiting| waiting.request.id)).collect()
    }
}
