//! The texts with which conditions compare variables.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::collections::HashMap;
use crate::graph::Analysis;
use crate::model::{ActivityKind, Binding, Literal};
use crate::simulate::equal;

/// Maximum number of texts for one variable.
const MAX_TEXTS: usize = 64;
const MAX_PAIRS: usize = 1024;

/// A text that a condition compares a variable with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    pub text: String,
    /// Whether it is a number, so that `1.0` equals `1`.
    pub is_number: bool,
}

/// The texts with which each variable is compared, directly or after Assigns that put it into another variable.
#[derive(Debug, Clone, Default)]
pub struct Comparisons {
    texts: BTreeMap<String, Vec<Compared>>,
    /// Variables that are compared with each other, each pair in alphabetical order.
    pairs: BTreeSet<(String, String)>,
    /// The variables of which a compared string was left out.
    pub truncated: BTreeSet<String>,
}

/// An Assign with one placeholder: the text before and after it.
struct Template<'w> {
    from: &'w str,
    before: &'w str,
    after: &'w str,
}

impl Comparisons {
    /// The comparisons of a workflow. `others` adds variables with texts, such as those of scripts.
    pub fn of(analysis: &Analysis<'_>, others: impl IntoIterator<Item = (String, Compared)>) -> Self {
        let mut found = Self::default();
        let mut direct = Vec::new();
        for expression in analysis.workflow.activities.iter().filter_map(|activity| activity.expression()) {
            for (variable, other) in expression.compared() {
                match other.target() {
                    Some((_, other)) => direct.push((variable, other)),
                    None => _ = found.add(variable, literal(other)),
                }
            }
        }
        let constants = constants(analysis);
        for (one, other) in &direct {
            for text in constants.get(other).into_iter().flatten().filter(|text| !text.is_empty()) {
                found.add(one, Some(Compared { text: (*text).to_owned(), is_number: false }));
            }
        }
        for (variable, compared) in others {
            found.add(&variable, Some(compared));
        }
        let templates = templates(analysis);
        found.follow(&templates);
        for (left, right) in direct {
            let (left, right) = (origins(left, &templates), origins(right, &templates));
            for one in &left {
                for other in right.iter().filter(|other| *other != one) {
                    if found.pairs.len() >= MAX_PAIRS {
                        return found;
                    }
                    let (first, second) = if one < other { (one, other) } else { (other, one) };
                    found.pairs.insert(((*first).to_owned(), (*second).to_owned()));
                }
            }
        }
        found
    }

    /// In the order of the document, without the empty text.
    pub fn texts(&self, variable: &str) -> impl Iterator<Item = &Compared> {
        self.all_texts(variable).iter().filter(|compared| !compared.text.is_empty())
    }

    /// In the order of the document.
    pub fn all_texts(&self, variable: &str) -> &[Compared] {
        self.texts.get(variable).map_or(&[], Vec::as_slice)
    }

    /// The variables that are compared with each other.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(one, other)| (one.as_str(), other.as_str()))
    }

    /// The variables with which a variable is compared.
    pub fn others<'s>(&'s self, variable: &'s str) -> impl Iterator<Item = &'s str> {
        let of = move |(one, other)| if one == variable { Some(other) } else { (other == variable).then_some(one) };
        self.pairs().filter_map(of)
    }

    /// Which of its texts a value equals: values with the same answer are not distinguished.
    pub fn outcome(&self, variable: &str, value: &str) -> Vec<bool> {
        self.texts(variable).map(|compared| equal(value, &compared.text, compared.is_number)).collect()
    }

    /// Adds a value. Returns whether it was new.
    fn add(&mut self, variable: &str, compared: Option<Compared>) -> bool {
        let Some(compared) = compared else { return false };
        let known = self.texts.entry(variable.to_owned()).or_default();
        if known.contains(&compared) {
            return false;
        }
        if known.len() >= MAX_TEXTS {
            self.truncated.insert(variable.to_owned());
            return false;
        }
        known.push(compared);
        true
    }

    /// Carries comparisons of the result of a template over to the variable in it, without the text around it.
    fn follow(&mut self, templates: &HashMap<&str, Vec<Template<'_>>>) {
        let mut open: Vec<String> = self.texts.keys().cloned().collect();
        // Terminates, because no list exceeds its limit.
        while let Some(target) = open.pop() {
            for Template { from, before, after } in templates.get(target.as_str()).into_iter().flatten() {
                let mut has_changed = false;
                for compared in self.all_texts(&target).to_vec() {
                    let inside = compared.text.strip_prefix(before).and_then(|text| text.strip_suffix(after));
                    let is_number = compared.is_number && before.is_empty() && after.is_empty();
                    let inside = inside.map(|text| Compared { text: text.to_owned(), is_number });
                    has_changed |= self.add(from, inside);
                }
                if has_changed {
                    open.push((*from).to_owned());
                }
            }
        }
    }
}

fn literal(binding: &Binding<'_>) -> Option<Compared> {
    let (text, is_number) = match binding.literal()?.1 {
        Literal::Null => return None,
        Literal::Boolean(true) => ("true", false),
        Literal::Boolean(false) => ("false", false),
        Literal::Number(text) => (text, true),
        Literal::Text(text) => (text, false),
    };
    Some(Compared { text: text.to_owned(), is_number })
}

/// The texts that the workflow itself gives variables.
fn constants<'w>(analysis: &'w Analysis<'_>) -> HashMap<&'w str, Vec<&'w str>> {
    let mut found: HashMap<&str, Vec<&str>> = HashMap::default();
    for variable in analysis.workflow.variables.get().into_iter().flatten().filter(|it| it.is_preset_by_value_alone()) {
        if let (Some(name), Some(value)) = (variable.name.value(), variable.value().value()) {
            found.entry(name).or_default().push(value);
        }
    }
    for activity in &analysis.workflow.activities {
        let ActivityKind::Assign(assign) = &activity.kind else { continue };
        let target = assign.result.get().and_then(Binding::target);
        let (Some((_, name)), Some(body)) = (target, assign.body.value()) else { continue };
        if analysis.scope.placeholders_of(assign).next().is_none() {
            found.entry(name).or_default().push(body);
        }
    }
    found
}

/// By the variable that gets the result.
fn templates<'w>(analysis: &'w Analysis<'_>) -> HashMap<&'w str, Vec<Template<'w>>> {
    let mut found: HashMap<&str, Vec<Template<'_>>> = HashMap::default();
    for activity in &analysis.workflow.activities {
        let ActivityKind::Assign(assign) = &activity.kind else { continue };
        let target = assign.result.get().and_then(Binding::target);
        let (Some((_, to)), Some(body)) = (target, assign.body.value()) else { continue };
        let mut all = analysis.scope.placeholders_of(assign);
        let (Some(placeholder), None) = (all.next(), all.next()) else { continue };
        let (before, after) = (body.get(..placeholder.range.start), body.get(placeholder.range.end..));
        let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
        found.entry(to).or_default().push(Template { from: placeholder.name, before, after });
    }
    found
}

/// A variable, and those that Assigns copy to it.
fn origins<'w>(variable: &'w str, templates: &HashMap<&'w str, Vec<Template<'w>>>) -> BTreeSet<&'w str> {
    let mut found = BTreeSet::from([variable]);
    let mut open = vec![variable];
    while let Some(target) = open.pop() {
        let templates = templates.get(target).into_iter().flatten();
        for copy in templates.filter(|template| template.before.is_empty() && template.after.is_empty()) {
            if found.insert(copy.from) {
                open.push(copy.from);
            }
        }
    }
    found
}
