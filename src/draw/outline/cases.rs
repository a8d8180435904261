//! Who is to sign the case that a script builds.

use super::sentence::Sentence;
use super::words::Words;
use crate::document::{Document, NodeId};
use crate::facts::{CaseSource, CaseText, ScriptRun};
use crate::model::Code;
use crate::model::case_key::{ALLOWED_SIGNATURE_TYPES, EMAIL_ADDRESS, NAME, PARTIES, SIGN_IN_SEQUENCE};

/// Who is to sign, and how, if all runs of a script agree on it.
pub fn signers(code: &Code<'_>, words: &Words<'_, '_>) -> Option<Sentence> {
    let script = code.script.node()?;
    let of_script = |case: &&CaseText| {
        case.file == words.analysis.file && matches!(case.source, CaseSource::Script { node, .. } if node == script)
    };
    let mut found: Option<Sentence> = None;
    for case in words.service.case_texts().iter().filter(of_script) {
        let CaseSource::Script { run, .. } = &case.source else { continue };
        // Values that are empty or equal do not show which variable they come from.
        let is_clear = |index: usize| {
            let value = run.values.get(index).map(|value| value.text.trim()).unwrap_or_default();
            !value.is_empty() && run.values.iter().filter(|other| other.text.trim() == value).count() == 1
        };
        if !(0..run.values.len()).all(is_clear) {
            continue;
        }
        let said = BuiltCase { code, script, run, words }.signers(case.object()?)?;
        if found.as_ref().is_some_and(|found| found.0 != said.0) {
            return None;
        }
        found = Some(said);
    }
    found
}

/// The case that a run of the script of a Code activity built.
struct BuiltCase<'r, 'w, 'a> {
    code: &'r Code<'r>,
    script: NodeId,
    run: &'r ScriptRun,
    words: &'r Words<'w, 'a>,
}

impl BuiltCase<'_, '_, '_> {
    fn signers(&self, case: &Document) -> Option<Sentence> {
        let root = case.root();
        let text = |object: NodeId, key| self.text(case.string(case.member(object, key)?)?);
        let parties = case.elements(case.member(root, PARTIES)?).map(|party| {
            let mail = text(party, EMAIL_ADDRESS)?;
            Some(match text(party, NAME) {
                Some(name) => name.text(" (mail address in ").then(mail).text(")"),
                None => Sentence::of("the person at ").then(mail),
            })
        });
        let parties: Vec<Sentence> = parties.collect::<Option<_>>()?;
        let number = parties.len();
        let said = match number {
            0 => return None,
            1 => Sentence::and(parties).text(" is to sign"),
            _ => Sentence::and(parties).text(" are to sign"),
        };
        let in_order = case.member(root, SIGN_IN_SEQUENCE).is_some_and(|node| case.boolean(node) == Some(true));
        let said = if in_order && number > 1 { said.text(", one after the other") } else { said };
        let types = case.member(root, ALLOWED_SIGNATURE_TYPES).into_iter().flat_map(|list| case.elements(list));
        let types: Vec<Sentence> = types.filter_map(|node| self.text(case.string(node)?)).collect();
        Some(if types.is_empty() { said } else { said.text(", with ").then(Sentence::list(types, ", ", " or ")) })
    }

    /// The variable that a string of the case comes from, or the string if the script has it.
    fn text(&self, text: &str) -> Option<Sentence> {
        let parameters = self.code.parameters.get().into_iter().flatten();
        let source = parameters.zip(&self.run.values).find(|(_, value)| value.text == text);
        match source {
            Some((parameter, _)) => self.words.binding(parameter.value.get()?),
            None if !text.trim().is_empty() && self.run.is_of_script(text) => {
                Some(Sentence::default().value(self.words.texts.show(self.script, text)))
            }
            None => None,
        }
    }
}
