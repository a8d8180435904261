//! The workflow that a section is about, with all that is known of it.

use std::borrow::Cow;

use super::backticks::Backticks;
use crate::common::collections::{HashMap, HashSet};
use crate::document::{Document, NodeId};
use crate::draw::Texts;
use crate::explore::{ExploredProject, ExploredService, NamedPlace};
use crate::facts::Context;
use crate::graph::Analysis;
use crate::model::{Activity, ActivityId, Binding, Literal, Locales, Member};
use crate::project::{File, FormDocument};
use crate::redaction::Redactions;
use crate::report::visible;
use crate::text::diagnostic::FileId;
use crate::text::without_backticks;

/// Every part of a section is made from this.
pub struct Subject<'s, 'a> {
    pub context: &'s Context<'a>,
    pub analysis: &'s Analysis<'a>,
    /// The workflow's.
    pub file: &'s File,
    /// The forms that its orders show: the order form, then those of its activities.
    pub forms: Vec<&'s FormDocument<'a>>,
    pub redactions: &'s Redactions,
    pub backticks: &'s Backticks,
    /// The names of masked variables.
    pub masked: &'s HashSet<&'a str>,
    /// The labels of the fields that fill variables.
    pub labels: &'s HashMap<&'a str, String>,
    /// All that was explored; `None` if nothing was.
    pub project: Option<&'s ExploredProject>,
    /// `None` if it was not explored.
    pub explored: Option<&'s ExploredService>,
}

impl<'s, 'a> Subject<'s, 'a> {
    /// Shows strings of the workflow.
    pub fn texts(&self) -> Texts<'s> {
        self.texts_of(self.analysis.file, self.analysis.document)
    }

    /// Shows strings of a document of the service.
    pub fn texts_of<'t>(&self, file: FileId, document: &'t Document) -> Texts<'t>
    where
        's: 't,
        'a: 't,
    {
        Texts { document, file, redactions: self.redactions, masked: Some(self.masked), visible }
    }

    pub fn activities(&self) -> &'a [Activity<'a>] {
        &self.analysis.workflow.activities
    }

    pub fn pointer(&self, activity: &Activity<'_>) -> String {
        self.analysis.document.pointer(activity.node)
    }

    /// The name of an activity, or its type.
    pub fn name(&self, activity: &Activity<'_>) -> String {
        match activity.name.known() {
            Some((node, name)) if !name.trim().is_empty() => self.texts().show(node, name),
            _ => activity.display_name(),
        }
    }

    /// Pointer and name of an activity.
    pub fn place(&self, activity: &Activity<'_>) -> (String, String) {
        (self.pointer(activity), self.name(activity))
    }

    /// Pointer and name of an activity by its id.
    pub fn place_of(&self, id: ActivityId) -> Option<(String, String)> {
        self.analysis.workflow.activity(id).map(|activity| self.place(activity))
    }

    /// A string of the workflow that stands beside names in backticks.
    pub fn plain(&self, node: NodeId, text: &str) -> String {
        without_backticks(&self.texts().show(node, text)).into_owned()
    }

    /// The value of a binding in words: a variable in backticks, or a literal.
    pub fn value(&self, binding: Option<&Binding<'_>>) -> String {
        let Some(binding) = binding else { return "?".to_owned() };
        let texts = self.texts();
        match (binding.target(), binding.literal()) {
            (Some((node, name)), _) => quote(&texts.show(node, name)),
            (None, Some((node, Literal::Text(text)))) => self.plain(node, text),
            (None, Some((node, literal))) => self.plain(node, &literal.describe()),
            (None, None) => "not set".to_owned(),
        }
    }

    /// As [`Self::value`], but a variable by the label of the field that fills it, where there is one.
    pub fn called(&self, binding: Option<&Binding<'_>>) -> String {
        let label = binding.and_then(Binding::target).and_then(|(_, name)| self.labels.get(name));
        label.map_or_else(|| self.value(binding), |label| quote(label))
    }

    /// The label of the field that fills a variable, otherwise its name; in backticks.
    pub fn label_of(&self, name: &str) -> String {
        let plain = || {
            let mut name = name.to_owned();
            self.redactions.redact_text(&mut name);
            self.texts().plain(&name)
        };
        quote(&self.labels.get(name).cloned().unwrap_or_else(plain))
    }

    /// Hides the values of masked variables in what exploring found.
    pub fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.explored.map_or(Cow::Borrowed(text), |explored| explored.masker.apply(text))
    }

    /// Whether some document of the service masks a variable.
    pub fn is_masked(&self, name: &str) -> bool {
        self.masked.contains(name)
    }

    /// A text in backticks, safe to show. It is covered before it is cut.
    pub fn quoted(&self, text: &str) -> String {
        quote(&self.shown(text))
    }

    /// A text of exploring, safe to show.
    pub fn shown(&self, text: &str) -> String {
        let mut text = self.mask(text).into_owned();
        self.redactions.redact_text(&mut text);
        self.backticks.replace(&mut text);
        visible(&text).into_owned()
    }
}

/// A name of the documents in backticks.
pub fn quote(name: &str) -> String {
    crate::text::quote(&without_backticks(name))
}

/// Pointer and name of a place.
pub fn named(place: &NamedPlace) -> (String, String) {
    (place.location.pointer.clone(), visible(&place.name).into_owned())
}

/// The text of a label for an English reader, otherwise the first; as in outlines.
pub fn label<'l>(locales: &'l Member<Locales<'_>>) -> Option<(NodeId, &'l str)> {
    let given = || locales.get().into_iter().flatten().filter(|it| it.text.is_some_and(|text| !text.trim().is_empty()));
    let preferred = given().find(|entry| entry.locale.starts_with("en")).or_else(|| given().next())?;
    Some((preferred.node, preferred.text?))
}
