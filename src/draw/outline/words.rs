//! How a sentence names variables, values, people and conditions.

use super::super::details::{Texts, seconds};
use super::Part;
use super::sentence::Sentence;
use crate::catalog::{ParameterKind, Simulation};
use crate::common::collections::{HashMap, HashSet};
use crate::document::NodeId;
use crate::facts::{AnalyzedService, ProviderSite};
use crate::graph::{Analysis, OperandValue, Placeholder, VarId, Writer};
use crate::model::{ActivityId, Binding, Expression, Literal, LocaleText, Locales, Member, Operand};
use crate::redaction::REPLACEMENT;

/// A workflow with what names its variables.
pub struct Words<'w, 'a> {
    pub service: &'w AnalyzedService<'a>,
    pub analysis: &'w Analysis<'a>,
    pub texts: &'w Texts<'w>,
    /// The labels of the fields that fill variables before the workflow runs, by variable.
    labels: HashMap<&'a str, String>,
    /// The activities that write each variable.
    writers: HashMap<VarId, Vec<ActivityId>>,
}

impl<'w, 'a> Words<'w, 'a> {
    pub fn new(service: &'w AnalyzedService<'a>, analysis: &'w Analysis<'a>, texts: &'w Texts<'w>) -> Self {
        Self { service, analysis, texts, labels: labels(service, texts), writers: writers(analysis) }
    }

    /// The text for an English reader, or the first one.
    pub fn preferred<'t, 'd>(texts: &'t Member<Locales<'d>>) -> Option<&'t LocaleText<'d>> {
        let given =
            || texts.get().into_iter().flatten().filter(|entry| entry.text.is_some_and(|text| !text.trim().is_empty()));
        given().find(|entry| entry.locale.starts_with("en")).or_else(|| given().next())
    }

    /// What to call a variable: the label of the field that fills it, or its name.
    pub fn variable(&self, name: &str) -> Part {
        Part::Name(self.labels.get(name).cloned().unwrap_or_else(|| self.shown(name)))
    }

    /// A name that is made from strings of the document.
    pub fn shown(&self, name: &str) -> String {
        let mut name = name.to_owned();
        self.texts.redactions.redact_text(&mut name);
        self.texts.plain(&name)
    }

    fn by_id(&self, id: VarId) -> Sentence {
        Sentence(vec![self.variable(self.analysis.names.name(id))])
    }

    /// Some variables as a list.
    pub fn variables(&self, ids: impl Iterator<Item = VarId>) -> Vec<Sentence> {
        let mut seen = HashSet::default();
        ids.filter(|id| seen.insert(*id)).map(|id| self.by_id(id)).collect()
    }

    /// The variable or literal of a binding; `None` if it has no value.
    pub fn binding(&self, binding: &Binding<'_>) -> Option<Sentence> {
        match (binding.target(), binding.literal()) {
            (Some((node, name)), _) => match self.labels.get(name) {
                Some(label) => Some(Sentence::default().name(label.clone())),
                None => Some(Sentence::default().name(self.texts.show(node, name))),
            },
            (None, Some((node, literal))) => Some(match literal {
                Literal::Null => return None,
                Literal::Boolean(true) => Sentence::of("yes"),
                Literal::Boolean(false) => Sentence::of("no"),
                Literal::Number(number) => Sentence::of(self.texts.show(node, number)),
                Literal::Text(text) => Sentence::default().value(self.texts.show(node, text)),
            }),
            (None, None) if binding.is_empty() => None,
            (None, None) => Some(Sentence::of("a value that cannot be read")),
        }
    }

    /// A time in seconds, as people say it.
    pub fn seconds(&self, binding: &Binding<'_>) -> Option<Sentence> {
        match (binding.target(), binding.literal()) {
            (Some(_), _) => Some(self.binding(binding)?.text(" seconds")),
            (None, Some((_, literal))) if !literal.is_blank() => Some(Sentence::of(seconds(binding, self.texts))),
            _ => None,
        }
    }

    /// A condition, or its negation.
    pub fn condition(&self, expression: &Expression<'_>, activity: ActivityId, negated: bool) -> Sentence {
        let (Some(left), Some(right)) = (expression.left.get(), expression.right.get()) else {
            return Sentence::of("a condition that cannot be read holds");
        };
        let is_equal = match expression.operand.value() {
            Some(operand) => (operand == Operand::Equal) != negated,
            None => return Sentence::of("a condition that cannot be read holds"),
        };
        let not = if is_equal { "" } else { " not" };
        // The variable first, as people say it.
        let (left, right) =
            if left.target().is_none() && right.target().is_some() { (right, left) } else { (left, right) };
        let nothing = || Sentence::of("an empty value");
        let subject = self.binding(left).unwrap_or_else(nothing);
        if right.target().is_some() {
            let other = self.binding(right).unwrap_or_else(nothing);
            return subject.text(format!(" is{not} the same as ")).then(other);
        }
        let said = subject.text(format!(" is{not} "));
        let literal = right.literal();
        let masked = self.texts.masked;
        let is_masked = left.target().is_some_and(|(_, name)| masked.is_some_and(|masked| masked.contains(name)));
        match literal {
            None if right.is_empty() => said.text("empty"),
            Some((_, literal)) if literal.is_empty() => said.text("empty"),
            // What a masked variable is compared with is one of its values.
            Some((_, literal)) if is_masked && !literal.is_blank() => said.value(REPLACEMENT),
            _ => {
                let decided = literal.and_then(|(_, literal)| self.decision(activity, literal));
                let said = match literal {
                    Some((node, Literal::Boolean(value))) => {
                        said.text(self.texts.show(node, if value { "true" } else { "false" }))
                    }
                    _ => said.then(self.binding(right).unwrap_or_else(nothing)),
                };
                said.text(decided.unwrap_or_default())
            }
        }
    }

    /// What a literal means that a condition compares with the decision of an Approval.
    fn decision(&self, activity: ActivityId, literal: Literal<'_>) -> Option<&'static str> {
        let condition = self.analysis.effects(activity)?.condition.as_deref()?;
        let variable = condition.variables().next()?;
        let writers = self.writers.get(&variable)?;
        let decides = |id: &ActivityId| {
            let effects = self.analysis.effects(*id);
            effects.is_some_and(|effects| effects.writes.to(variable).all(|write| write.by == Writer::ApprovalResult))
        };
        let value = match literal {
            Literal::Boolean(value) => value,
            Literal::Text(text) => text.trim().eq_ignore_ascii_case("true"),
            _ => return None,
        };
        writers.iter().all(decides).then_some(if value { " (approved)" } else { " (rejected)" })
    }

    /// The people whose mail addresses a binding has.
    pub fn people(&self, binding: &Binding<'_>) -> Option<Sentence> {
        let shown = self.binding(binding)?;
        let Some((_, name)) = binding.target() else {
            return Some(Sentence::of("the people at ").then(shown));
        };
        let id = self.analysis.names.id(name);
        let writers = id.and_then(|id| self.writers.get(&id)).map_or(&[][..], Vec::as_slice);
        let found = match writers {
            [writer] => self.looked_up(*writer),
            [] if self.labels.contains_key(name) => {
                return Some(Sentence::of("the person whose mail address is in ").then(shown));
            }
            _ => None,
        };
        Some(match found {
            Some((people, Simulation::GroupMembers)) => people.text(" (mail addresses in ").then(shown).text(")"),
            Some((person, _)) => person.text(" (mail address in ").then(shown).text(")"),
            None => Sentence::of("the people whose mail addresses are in ").then(shown),
        })
    }

    /// What a directory lookup finds.
    pub fn looked_up(&self, activity: ActivityId) -> Option<(Sentence, Simulation)> {
        let site = ProviderSite::of_activity(self.analysis, activity)?;
        let method = site.outputs.method?;
        let identity = method.parameter_of_kind(ParameterKind::Identity)?;
        let binding = site.provider.parameter(&identity.name)?.value.get()?;
        let found = match method.simulation? {
            Simulation::GroupMembers => "the members of the group",
            Simulation::Manager => "the manager of the person",
            Simulation::User => "the person",
            _ => return None,
        };
        Some((self.of(found, binding)?, method.simulation?))
    }

    /// A noun with the value that says which one: "the group in `Department`", or "the group "Sales"".
    pub fn of(&self, noun: &str, binding: &Binding<'_>) -> Option<Sentence> {
        let between = match (binding.target(), binding.literal()) {
            (Some(_), _) => "in ",
            (None, Some(_)) => "",
            (None, None) => return None,
        };
        Some(Sentence::of(format!("{noun} {between}")).then(self.binding(binding)?))
    }

    /// A text with the labels of fields in its placeholders.
    pub fn template<'t>(
        &self,
        node: NodeId,
        text: &'t str,
        placeholders: impl DoubleEndedIterator<Item = Placeholder<'t>>,
    ) -> String {
        let mut shown = text.to_owned();
        // From the end, so that earlier places stay valid.
        for placeholder in placeholders.rev() {
            if let Some(label) = self.labels.get(placeholder.name) {
                shown.replace_range(placeholder.range, &format!("{{{label}}}"));
            }
        }
        self.texts.show(node, &shown)
    }

    /// Whether nothing inside a loop changes what its condition compares; false if that is not certain.
    pub fn is_constant_in(&self, id: ActivityId) -> bool {
        let analysis = self.analysis;
        let (Some(activity), Some(effects)) = (analysis.workflow.activity(id), analysis.effects(id)) else {
            return false;
        };
        let Some(condition) = effects.condition.as_deref() else { return false };
        let variables: Vec<VarId> = condition.variables().collect();
        let is_known = ![condition.left, condition.right].contains(&OperandValue::Unknown);
        let is_declared = |id: &VarId| analysis.scope.declarations.variable(analysis.names.name(*id)).is_some();
        let is_free = |id: &VarId| !self.service.is_system(analysis.names.name(*id)) && is_declared(id);
        let may_write = |inner: ActivityId| {
            let Some(effects) = analysis.effects(inner) else { return true };
            let any = |id: &VarId| {
                let may = effects.may_write.is_some_and(|prefix| analysis.names.name(*id).starts_with(prefix));
                may || effects.writes.to(*id).next().is_some()
            };
            variables.iter().any(any)
        };
        is_known
            && !variables.is_empty()
            && variables.iter().all(is_free)
            && !activity.children.is_unknown()
            && !analysis.workflow.inside(activity).any(|inner| may_write(inner.id) || inner.children.is_unknown())
    }
}

fn writers(analysis: &Analysis<'_>) -> HashMap<VarId, Vec<ActivityId>> {
    let mut writers: HashMap<VarId, Vec<ActivityId>> = HashMap::default();
    for (id, effects) in (0..).map(ActivityId).zip(&analysis.effects) {
        // One with a mistyped name may not be the variable that is meant.
        for write in effects.writes.own().iter().filter(|write| !write.guessed) {
            let known = writers.entry(write.variable).or_default();
            if known.last() != Some(&id) {
                known.push(id);
            }
        }
    }
    writers
}

/// The labels of fields of the order form. One that several variables have, or that is the name of another variable, says
/// less than the name of the variable.
pub fn labels<'a>(service: &AnalyzedService<'a>, texts: &Texts<'_>) -> HashMap<&'a str, String> {
    let mut labels: HashMap<&str, String> = HashMap::default();
    let mut names: HashMap<String, HashSet<&str>> = HashMap::default();
    for (_, variables) in service.variable_lists() {
        for name in variables.iter().filter_map(|variable| variable.name.value()) {
            names.entry(texts.plain(name)).or_default().insert(name);
        }
    }
    for form in service.model.forms.iter().filter(|form| form.is_order_form) {
        let texts = Texts { document: form.document, file: form.file, ..*texts };
        for field in &form.form.fields {
            let label = Words::preferred(&field.display_name).and_then(|entry| Some((entry.node, entry.text?)));
            let (Some((_, variable)), Some((node, label))) = (field.target(), label) else { continue };
            let label = texts.show(node, label);
            names.entry(label.clone()).or_default().insert(variable);
            labels.entry(variable).or_insert(label);
        }
    }
    labels.retain(|_, label| names.get(label).is_none_or(|variables| variables.len() == 1));
    labels
}
