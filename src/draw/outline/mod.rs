//! A workflow in words: what happens, as a numbered outline that is nested as the workflow is, for readers who do not know
//! the platform, and good to read aloud.
//!
//! [`Outline::new`] makes the tree; a page renders [`OutlineStep`] as nested lists, and [`Outline::text`] as plain text.
//! All strings of documents are redacted and made visible, as in a drawing.

mod approval;
mod build;
mod cases;
mod form;
mod provider;
mod sentence;
mod text;
mod words;

pub use form::item_label;
pub use words::labels;

use super::block::Mark;
use crate::model::ActivityId;

/// A workflow, or a part of one, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    /// The file, and of a part the activity.
    pub title: String,
    /// What is true of the whole workflow, a paragraph each: what the order form asks for, what a failed call does, and
    /// the findings outside of all activities. Empty for a part.
    pub introduction: Vec<Vec<Part>>,
    pub steps: Vec<OutlineStep>,
    /// What follows the last step; empty for a part.
    pub conclusion: Vec<Part>,
    /// The findings outside of all activities, which `introduction` names.
    pub marks: Vec<Mark>,
}

/// An activity, or a lane that an Approval has without one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineStep {
    /// JSON Pointer of the activity; of a lane without one, that of the Approval.
    pub pointer: String,
    /// `None` for a lane without an activity: what happens at the timeout, or on a decision without an Event.
    pub activity: Option<ActivityId>,
    /// The name of the activity as shown, which `parts` may leave out; empty for a lane without one.
    pub name: String,
    /// Whole sentences, which end in the codes of the findings. Where the first part is a name, it is that of the activity
    /// and a title of the step.
    pub parts: Vec<Part>,
    pub children: Vec<OutlineStep>,
    /// The findings, whose codes `parts` has.
    pub marks: Vec<Mark>,
}

/// A part of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Words in English.
    Text(String),
    /// A variable, the label of a field, an activity or a form.
    Name(String),
    /// A literal of the document.
    Value(String),
}
