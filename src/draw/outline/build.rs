//! From a workflow, or the part of it that is wanted, and its findings to the outline.

use super::super::block::Mark;
use super::super::build::{MAX_ACTIVITIES, Marks, marks};
use super::super::details::Texts;
use super::sentence::Sentence;
use super::words::Words;
use super::{Outline, OutlineStep, Part, approval, cases, form, provider};
use crate::common::collections::HashSet;
use crate::config::ActivityShape;
use crate::facts::AnalyzedService;
use crate::graph::Analysis;
use crate::model::{Activity, ActivityId, ActivityKind, Assign, Binding, Code, Expression, Locales, Member, Operand};
use crate::text::diagnostic::Diagnostic;

impl Outline {
    /// Describes a workflow of a service, or the part of it below an activity, with the findings of its file.
    ///
    /// # Errors
    /// The number of activities, if it is over [`MAX_ACTIVITIES`].
    pub fn new<'f>(
        name: &str,
        service: &AnalyzedService<'_>,
        analysis: &Analysis<'_>,
        part: Option<ActivityId>,
        findings: impl Iterator<Item = &'f Diagnostic>,
        texts: &Texts<'_>,
    ) -> Result<Self, usize> {
        let workflow = analysis.workflow;
        let part = part.and_then(|id| workflow.activity(id));
        let number = part.map_or(workflow.activities.len(), |part| workflow.inside(part).count() + 1);
        if number > MAX_ACTIVITIES {
            return Err(number);
        }
        let marks = marks(workflow, findings, texts);
        let left_out = workflow.left_out();
        let builder = Builder { words: Words::new(service, analysis, texts), marks: &marks, left_out: &left_out };
        let name = texts.plain(name);
        if let Some(part) = part {
            let title = format!("{} in {name}", builder.name(part));
            let steps = vec![builder.step(part)];
            return Ok(Self { title, introduction: Vec::new(), steps, conclusion: Vec::new(), marks: Vec::new() });
        }
        let elsewhere = marks.get(&None).cloned().unwrap_or_default();
        let roots = workflow.roots.get().map_or(&[][..], Vec::as_slice);
        let steps =
            roots.iter().filter_map(|&id| workflow.activity(id)).map(|activity| builder.step(activity)).collect();
        let introduction = builder.introduction(&elsewhere);
        Ok(Self { title: name, introduction, steps, conclusion: conclusion(analysis), marks: elsewhere })
    }
}

/// What follows the last step.
fn conclusion(analysis: &Analysis<'_>) -> Vec<Part> {
    let is_end = |activity: &&Activity<'_>| matches!(activity.kind, ActivityKind::Terminate);
    let ends = || analysis.workflow.activities.iter().filter(is_end).any(|activity| analysis.reaches(activity.id));
    Sentence::of(match &analysis.workflow.roots {
        Member::Unknown(_) => "The steps cannot be read.",
        Member::Known(_, roots) if !roots.is_empty() => match analysis.completes() {
            true => "Then the order is completed.",
            false if ends() => "An order ends only where a step above says so.",
            false => "No order is ever completed.",
        },
        _ => "There are no steps: the order is completed at once.",
    })
    .0
}

struct Builder<'b, 'a> {
    words: Words<'b, 'a>,
    marks: &'b Marks,
    left_out: &'b [bool],
}

impl Builder<'_, '_> {
    fn introduction(&self, elsewhere: &[Mark]) -> Vec<Vec<Part>> {
        let mut paragraphs = form::order_forms(&self.words);
        let activities = &self.words.analysis.workflow.activities;
        if activities.iter().any(|activity| activity.provider().is_some_and(|provider| provider.stops_on_error())) {
            paragraphs
                .push(Sentence::of("An order stops where a call fails, except where the step says that it goes on.").0);
        }
        if let Some(codes) = codes(elsewhere) {
            paragraphs.push(Sentence::of(format!("Findings outside of the steps: {codes}.")).0);
        }
        paragraphs
    }

    fn name(&self, activity: &Activity<'_>) -> String {
        let known = |member: &Member<&str>| {
            let (node, text) = member.known()?;
            Some(self.words.texts.show(node, text)).filter(|text| !text.is_empty())
        };
        known(&activity.name).or_else(|| known(&activity.type_name)).unwrap_or_else(|| "unnamed activity".to_owned())
    }

    /// Recurses with the nesting of activities, which the depth limit of the document bounds.
    fn step(&self, activity: &Activity<'_>) -> OutlineStep {
        let workflow = self.words.analysis.workflow;
        let inside = || activity.children().iter().filter_map(|&id| workflow.activity(id));
        let pointer = self.words.texts.document.pointer(activity.node);
        let marks = self.marks.get(&Some(activity.id)).cloned().unwrap_or_default();
        let mut children: Vec<OutlineStep> = inside().map(|child| self.step(child)).collect();
        let (said, end) = self.said(activity);
        let said = if activity.children.is_unknown() { said.text("; the steps in it cannot be read") } else { said };
        if let ActivityKind::Approval(approval) = &activity.kind {
            for lane in approval::other_lanes(approval, inside(), &self.words) {
                children.push(OutlineStep {
                    pointer: pointer.clone(),
                    activity: None,
                    name: String::new(),
                    parts: lane.0,
                    children: Vec::new(),
                    marks: Vec::new(),
                });
            }
        }
        let said = match codes(&marks) {
            Some(codes) => said.text(format!(" ({codes})")),
            None => said,
        };
        let parts = said.text(end.of(!children.is_empty())).0;
        OutlineStep { pointer, activity: Some(activity.id), name: self.name(activity), parts, children, marks }
    }

    /// What an activity does, without what ends it.
    fn said(&self, activity: &Activity<'_>) -> (Sentence, End) {
        let words = &self.words;
        let said = match &activity.kind {
            ActivityKind::Provider(_) => (self.titled(activity, provider::call(activity, words)), End::Sentence),
            ActivityKind::Approval(approval) => {
                (self.titled(activity, approval::asks(activity, approval, words)), End::Sentence)
            }
            ActivityKind::Event { event } => {
                let is_in_approval = self.parent(activity).is_some_and(|parent| parent.approval().is_some());
                (approval::event(activity, *event, is_in_approval, words), End::Group(approval::NOTHING))
            }
            ActivityKind::Assign(assign) => (self.assign(assign), End::Sentence),
            ActivityKind::Status { status, translations } => (self.status(status, translations), End::Sentence),
            ActivityKind::Sequence => {
                let title = activity.name.known().map(|(node, name)| words.texts.show(node, name));
                match title.filter(|title| !title.is_empty()) {
                    Some(title) => (Sentence::default().name(title), End::Group("nothing")),
                    None => (Sentence::of("In this order"), End::Group("nothing")),
                }
            }
            ActivityKind::While { expression, delay } => {
                (self.repeat(activity, expression, delay), End::Group("nothing is done"))
            }
            ActivityKind::If { expression } => (self.branch(activity, expression), End::Group("nothing is done")),
            ActivityKind::Terminate => (Sentence::of("The order ends here"), End::Sentence),
            ActivityKind::Code(code) => (self.titled(activity, self.code(activity, code)), End::Sentence),
            ActivityKind::Declared { shape, .. } => {
                (self.other(activity, true, *shape == ActivityShape::Container), End::Sentence)
            }
            ActivityKind::Unknown { .. } => (self.other(activity, false, false), End::Sentence),
        };
        let (said, end) = said;
        let runs_none = activity.kind.runs_no_children() && !activity.children().is_empty();
        let said = if runs_none { said.text(". The steps inside it do not run") } else { said };
        (if self.is_first_unreached(activity) { said.text(" (no order gets here)") } else { said }, end)
    }

    fn parent(&self, activity: &Activity<'_>) -> Option<&Activity<'_>> {
        self.words.analysis.workflow.activity(activity.parent?)
    }

    /// Whether no path leads to an activity, although one leads to its parent.
    fn is_first_unreached(&self, activity: &Activity<'_>) -> bool {
        let is_left_out = self.left_out.get(activity.id.0 as usize) == Some(&true);
        let parent = self.parent(activity);
        let runs =
            parent.is_none_or(|parent| !parent.kind.runs_no_children() && self.words.analysis.reaches(parent.id));
        !is_left_out && runs && !self.words.analysis.reaches(activity.id)
    }

    /// The name of the activity before what it does.
    fn titled(&self, activity: &Activity<'_>, said: Sentence) -> Sentence {
        let name = activity.name.known().map(|(node, name)| self.words.texts.show(node, name));
        match name.filter(|name| !name.is_empty()) {
            Some(name) => Sentence::default().name(name).text(": ").then(said),
            None => capital(said),
        }
    }

    fn assign(&self, assign: &Assign<'_>) -> Sentence {
        let target = match assign.result.get().and_then(Binding::target) {
            Some((node, name)) => Sentence::default().name(self.words.texts.show(node, name)),
            None => Sentence::of("a variable that is missing"),
        };
        let Some((node, body)) = assign.body.known() else {
            return Sentence::of("Sets ").then(target).text(" to a text that is missing");
        };
        let placeholders: Vec<_> = self.words.analysis.scope.placeholders_of(assign).collect();
        match placeholders.as_slice() {
            [only] if only.range == (0..body.len()) => {
                let copied = Sentence(vec![self.words.variable(only.name)]);
                Sentence::of("Copies ").then(copied).text(" to ").then(target)
            }
            _ if body.is_empty() => Sentence::of("Empties ").then(target),
            _ => Sentence::of("Sets ").then(target).text(" to ").value(self.words.template(
                node,
                body,
                placeholders.into_iter(),
            )),
        }
    }

    fn status(&self, status: &Member<Box<Binding<'_>>>, translations: &Member<Locales<'_>>) -> Sentence {
        let texts = self.words.texts;
        let said = Sentence::of("Publishes the status ");
        if let Some((node, name)) = status.unboxed().and_then(Binding::target) {
            let last = if self.words.service.config.catalog.status_outputs.iter().any(|output| output == name) {
                " (what the last call reported)"
            } else {
                ""
            };
            return said.text("in ").name(texts.show(node, name)).text(last);
        }
        let literal = status.unboxed().and_then(Binding::literal_text).filter(|(_, text)| !text.is_empty());
        let preferred = Words::preferred(translations);
        let Some((node, text)) = literal.or_else(|| preferred.and_then(|entry| Some((entry.node, entry.text?)))) else {
            return Sentence::of("Publishes a status without a text");
        };
        let others = translations.get().into_iter().flatten().filter(|entry| entry.node != node);
        let mut said = said.value(texts.show(node, text));
        for entry in others.take(MAX_TRANSLATIONS) {
            if let Some(text) = entry.text.filter(|text| !text.is_empty()) {
                said = said.text(format!(", in {} ", texts.plain(entry.locale))).value(texts.show(entry.node, text));
            }
        }
        said
    }

    fn branch(&self, activity: &Activity<'_>, expression: &Member<Box<Expression<'_>>>) -> Sentence {
        match expression.unboxed() {
            Some(expression) => Sentence::of("If ").then(self.words.condition(expression, activity.id, false)),
            None if expression.is_absent() => Sentence::of("If a condition holds, which is missing"),
            None => Sentence::of("If a condition that cannot be read holds"),
        }
    }

    fn repeat(
        &self,
        activity: &Activity<'_>,
        expression: &Member<Box<Expression<'_>>>,
        delay: &Member<Box<Binding<'_>>>,
    ) -> Sentence {
        let every = match delay.unboxed().and_then(|delay| self.words.seconds(delay)) {
            Some(delay) => Sentence::of("Every ").then(delay),
            None if delay.is_unknown() => Sentence::of("Again and again"),
            None => Sentence::of("Again and again, without a pause"),
        };
        let Some(expression) = expression.unboxed() else {
            return every.text(if expression.is_absent() {
                ", under a condition that is missing"
            } else {
                ", under a condition that cannot be read"
            });
        };
        // "Until it is finished" is easier than "as long as it is not finished", and the other way round.
        let is_until = expression.operand.value() == Some(Operand::NotEqual);
        let said = every.text(if is_until { ", until " } else { ", as long as " });
        let said = said.then(self.words.condition(expression, activity.id, is_until));
        let said =
            if self.words.is_constant_in(activity.id) { said.text(", which nothing in it changes") } else { said };
        let analysis = self.words.analysis;
        let ends = |inner: &Activity<'_>| matches!(inner.kind, ActivityKind::Terminate) && analysis.reaches(inner.id);
        match (analysis.workflow.inside(activity).any(ends), is_until) {
            (true, true) => said.text(", or a step in it ends the order"),
            (true, false) => said.text(" and no step in it ends the order"),
            (false, _) => said,
        }
    }

    fn code(&self, activity: &Activity<'_>, code: &Code<'_>) -> Sentence {
        let values = code.parameters.get().into_iter().flatten().filter_map(|parameter| parameter.value.get());
        let mut seen = HashSet::default();
        let reads: Vec<Sentence> = values
            .filter(|value| value.target().is_none_or(|(_, name)| seen.insert(name)))
            .filter_map(|value| self.words.binding(value))
            .collect();
        let said = Sentence::of(if code.script.is_absent() { "runs no script" } else { "runs a script" });
        let said = if reads.is_empty() { said } else { said.text(" that is given ").then(Sentence::and(reads)) };
        let written = self.written(activity.id);
        let said = if written.is_empty() { said } else { said.text(". Fills ").then(Sentence::and(written)) };
        match cases::signers(code, &self.words) {
            Some(signers) => said.text(" with a signing case, which ").then(signers),
            None => said,
        }
    }

    fn written(&self, id: ActivityId) -> Vec<Sentence> {
        let writes = self.words.analysis.effects(id).map(|effects| effects.writes.own()).unwrap_or_default();
        self.words.variables(writes.iter().map(|write| write.variable))
    }

    /// An activity whose meaning is not documented.
    fn other(&self, activity: &Activity<'_>, is_declared: bool, runs_children: bool) -> Sentence {
        let type_name = activity.type_name.known().map(|(node, name)| self.words.texts.show(node, name));
        let said = match (type_name.filter(|name| !name.is_empty()), is_declared) {
            (Some(name), true) => Sentence::of("an activity of type ").value(name),
            (Some(name), false) => {
                Sentence::of("an activity of the unknown type ").value(name).text(": what it does is not known")
            }
            (None, _) => Sentence::of("an activity without a type: what it does is not known"),
        };
        let mut used = Vec::new();
        let mut seen = HashSet::default();
        activity.bindings(|binding, _| {
            if let Some((_, name)) = binding.target().filter(|(_, name)| seen.insert(*name)) {
                used.extend(self.words.binding(binding).filter(|_| !name.is_empty()));
            }
        });
        let said = if used.is_empty() { said } else { said.text(". It uses ").then(Sentence::and(used)) };
        let written = if is_declared { self.written(activity.id) } else { Vec::new() };
        let said = if written.is_empty() { said } else { said.text(". Fills ").then(Sentence::and(written)) };
        let said = match (activity.children().is_empty(), runs_children) {
            (true, _) | (_, true) => said,
            (false, false) if is_declared => said.text(". The steps inside it do not run"),
            (false, false) => said.text(". Whether the steps inside it run is not known"),
        };
        self.titled(activity, said)
    }
}

/// Translations of a status beside the first one.
const MAX_TRANSLATIONS: usize = 3;

/// What ends a step.
enum End {
    /// A full stop, whatever follows.
    Sentence,
    /// A colon before the children; what it says without any.
    Group(&'static str),
}

impl End {
    fn of(&self, has_children: bool) -> String {
        match (self, has_children) {
            (Self::Sentence, _) => ".".to_owned(),
            (Self::Group(_), true) => ":".to_owned(),
            (Self::Group(nothing), false) => format!(": {nothing}."),
        }
    }
}

/// The codes of findings with their severity, each once: "error WF404, warning WF101".
fn codes(marks: &[Mark]) -> Option<String> {
    let mut found: Vec<_> = marks.iter().map(|mark| (std::cmp::Reverse(mark.severity), mark.code)).collect();
    found.sort_unstable();
    found.dedup();
    let words: Vec<String> = found.iter().map(|(severity, code)| format!("{} {code}", severity.0.word())).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// With a capital at the beginning.
fn capital(mut said: Sentence) -> Sentence {
    if let Some(Part::Text(text)) = said.0.first_mut() {
        let mut letters = text.chars();
        if let Some(first) = letters.next() {
            *text = first.to_uppercase().chain(letters).collect();
        }
    }
    said
}
