//! What the fields of a form may hold: their values, what scripts fill in, and the items of drop-downs.

use std::cell::OnceCell;

use crate::common::collections::{HashMap, HashSet};
use crate::document::{Document, NodeId};
use crate::facts::place::Place;
use crate::facts::security::sinks::{Sink, TaintedSink, TaintedSinks, tainted_sinks};
use crate::facts::service::AnalyzedService;
use crate::graph::{
    Analysis, Condition, FieldTarget, OperandValue, TaintPolicy, TaintSource, Transfer, VarId, Write, Writer,
};
use crate::model::{
    Activity, Code, Field, FieldScript, FieldType, Form, Item, Literal, Member, Variable, script_words,
};
use crate::project::FormDocument;
use crate::script::syntax::{Leaked, ScriptKind, Scripts};
use crate::text::diagnostic::FileId;

/// Words of a script that checks its parameters.
const CHECKS: [&str; 7] = ["test", "match", "exec", "includes", "indexOf", "startsWith", "switch"];
/// Parts of words of a script that sanitizes its parameters, in lower case.
const SANITIZERS: [&str; 4] = ["replace", "escape", "encode", "saniti"];

/// The fields that accept any text.
pub struct FormValues<'c, 'a> {
    service: &'c AnalyzedService<'a>,
    /// Variables with the first field of an order form that fills them, sorted by name: there may be very many.
    order_fields: Vec<(&'a str, FileId, NodeId)>,
    /// By name of an approval's form: the form, and the `boundTo` of the fields that approvers fill.
    approval_fields: HashMap<&'a str, (FileId, HashSet<NodeId>)>,
}

impl<'c, 'a> FormValues<'c, 'a> {
    pub fn of(service: &'c AnalyzedService<'a>) -> Self {
        let mut values = Self { service, order_fields: Vec::new(), approval_fields: HashMap::default() };
        for form in &service.model.forms {
            let targets = free_text_fields(form.form).into_iter().filter_map(|field| field.target());
            if form.is_order_form {
                values.order_fields.extend(targets.map(|(node, name)| (name, form.file, node)));
            } else {
                values.approval_fields.insert(form.name, (form.file, targets.map(|(node, _)| node).collect()));
            }
        }
        // The sort is stable.
        values.order_fields.sort_by_key(|&(name, ..)| name);
        values.order_fields.dedup_by_key(|&mut (name, ..)| name);
        values
    }

    fn order_field(&self, variable: &str) -> Option<(FileId, NodeId)> {
        let index = self.order_fields.binary_search_by_key(&variable, |&(name, ..)| name).ok()?;
        self.order_fields.get(index).map(|&(_, file, node)| (file, node))
    }

    /// The sinks of all workflows that such values reach.
    pub fn tainted_sinks<I: Iterator<Item = Sink<'c, 'a>>>(
        &self,
        sinks: impl Fn(&'c Analysis<'a>) -> I,
    ) -> TaintedSinks<'c, 'a> {
        if self.order_fields.is_empty() && self.approval_fields.is_empty() {
            return TaintedSinks::default();
        }
        tainted_sinks(self.service, self, sinks)
    }

    /// The field that the value in a sink comes from.
    pub fn field(&self, found: &TaintedSink<'_, '_>) -> Option<Place> {
        let (file, node) = match found.path.source {
            TaintSource::Start(variable) => self.order_field(found.analysis.names.name(variable))?,
            TaintSource::Write(activity, write) => {
                let form = found.analysis.workflow.activity(activity)?.form.value()?;
                let (file, _) = self.approval_fields.get(form)?;
                (*file, found.analysis.effects(activity)?.writes.get(write)?.node)
            }
        };
        Some(Place::value(file, node))
    }
}

/// The fields into which a person can type any text: visible, not readonly, and of a documented type. A
/// restricted `DropDown` gives only values that its author chose.
fn free_text_fields<'f, 'a>(form: &'f Form<'a>) -> Vec<&'f Field<'a>> {
    let mut closed = vec![false; form.fields.len()];
    let mut found = Vec::new();
    for (index, field) in form.fields.iter().enumerate() {
        // A section comes before the fields inside it, so one pass suffices.
        let is_closed =
            field.hidden.is_true() || field.readonly.is_true() || closed.get(index).copied().unwrap_or(false);
        for &child in field.children.get().into_iter().flatten().filter(|_| is_closed) {
            if let Some(child) = closed.get_mut(child) {
                *child = true;
            }
        }
        let is_free_text = match field.field_type {
            FieldType::InputText => true,
            FieldType::DropDown => !field.properties().is_restricted.is_true(),
            _ => false,
        };
        if is_free_text && !is_closed {
            found.push(field);
        }
    }
    found
}

impl TaintPolicy for FormValues<'_, '_> {
    fn is_tainted_at_start(&self, variable: &str) -> bool {
        self.order_field(variable).is_some()
    }

    fn transfer(&self, activity: &Activity<'_>, _: &str, write: &Write<'_>) -> Option<Transfer> {
        if write.by != Writer::Form {
            return None;
        }
        let (_, fields) = self.approval_fields.get(activity.form.value()?)?;
        fields.contains(&write.node).then_some(Transfer::Taint)
    }

    /// What a script does with these words is not analyzed: one that contains any of them counts.
    fn is_sanitized_by(&self, words: &HashSet<&str>) -> bool {
        words.iter().any(|word| {
            let lower = word.to_ascii_lowercase();
            CHECKS.contains(word) || SANITIZERS.iter().any(|part| lower.contains(part))
        })
    }

    /// A number ends no expression, path or address.
    fn is_harmless(&self, code: &Code<'_>, parameter: &str) -> bool {
        self.service.leaked(code, parameter) != Leaked::Value
    }
}

/// The fields of a form that its scripts may change.
pub struct FilledByScripts<'s, 'a> {
    scripts: &'s Scripts<'a>,
    /// Whether every mention of a field counts, also one that only reads or shows it.
    counts_reads: bool,
    form: &'a Form<'a>,
    /// Collected at the first use: few fields need the words of scripts.
    filled: OnceCell<Filled<'a>>,
}

#[derive(Default)]
struct Filled<'a> {
    /// A script selects fields without naming them, as in `Z('#[type=dropdown]')`, or cannot be read.
    are_any: bool,
    words: HashSet<&'a str>,
}

impl<'s, 'a> FilledByScripts<'s, 'a> {
    /// Those that scripts mention, and not only to read or show them.
    pub const fn changed(service: &'s AnalyzedService<'a>, form: &'a Form<'a>) -> Self {
        Self { scripts: &service.scripts, counts_reads: false, form, filled: OnceCell::new() }
    }

    /// Those that scripts mention.
    pub fn mentioned(service: &'s AnalyzedService<'a>, form: &'a Form<'a>) -> Self {
        Self { counts_reads: true, ..Self::changed(service, form) }
    }

    /// Whether a script mentions the field by its name, or by the given one.
    pub fn contains(&self, field: &Field<'_>, other_name: Option<&str>) -> bool {
        let Filled { are_any, words } = self.filled.get_or_init(|| self.collect());
        // A script may mean the field by a name that cannot be read.
        let is_mentioned = field.name.value().map_or(!words.is_empty(), |name| words.contains(name));
        *are_any || is_mentioned || other_name.is_some_and(|name| words.contains(name))
    }

    fn collect(&self) -> Filled<'a> {
        let is_unread = |field: &Field<'_>| field.details().scripts.iter().any(Member::is_unknown);
        let mut filled = Filled { are_any: self.form.fields.iter().any(is_unread), ..Filled::default() };
        for FieldScript { field, text, .. } in self.form.field_scripts() {
            let syntax = self.scripts.get(ScriptKind::FunctionBody, text).script();
            filled.are_any |= syntax.is_some_and(|script| script.may_change_unnamed_fields);
            let syntax = syntax.filter(|_| !self.counts_reads);
            if syntax.is_some_and(|script| script.may_change_own_field) {
                filled.words.extend(field);
            }
            let mut start = 0;
            for part in syntax.map_or(&[][..], |script| &script.inert).iter().chain([&(text.len()..text.len())]) {
                let changing = text.get(start..part.start).unwrap_or_default();
                filled.are_any |= changing.contains("[type=");
                filled.words.extend(script_words(changing));
                start = part.end;
            }
        }
        filled
    }
}

/// Shorter values, such as codes, are often similar to each other. In characters.
const MIN_SIMILAR: usize = 3;

/// A comparison with a value that no item of the restricted drop-down has whose choice it tests.
pub struct MissingItem<'a> {
    /// Of the order form with the drop-down.
    pub file: FileId,
    pub field: &'a Field<'a>,
    /// `dropdownItems`.
    pub items: NodeId,
    pub variable: VarId,
    pub compared: Literal<'a>,
    /// The item that was most likely meant.
    pub near: Option<&'a str>,
    /// Whether the variable has no value from outside.
    pub is_only_source: bool,
}

/// The drop-downs of the order form of a service, looked up at the first use.
pub struct DropDowns<'s, 'a> {
    service: &'s AnalyzedService<'a>,
    known: OnceCell<Option<OrderForm<'s, 'a>>>,
}

struct OrderForm<'s, 'a> {
    form: &'a FormDocument<'a>,
    /// By the variable that it fills.
    fields: HashMap<&'s str, &'a Field<'a>>,
    filled: FilledByScripts<'s, 'a>,
}

impl<'s, 'a> OrderForm<'s, 'a> {
    fn of(service: &'s AnalyzedService<'a>) -> Option<Self> {
        let (form, scope) = service.forms().find(|(form, _)| form.is_order_form)?;
        let targets = form.form.fields.iter().filter_map(|field| match FieldTarget::of(field, scope) {
            FieldTarget::Variable(name) => Some((name, field)),
            FieldTarget::Nothing | FieldTarget::Unknown => None,
        });
        Some(Self { form, fields: targets.collect(), filled: FilledByScripts::changed(service, form.form) })
    }
}

impl<'s, 'a> DropDowns<'s, 'a> {
    pub const fn of(service: &'s AnalyzedService<'a>) -> Self {
        Self { service, known: OnceCell::new() }
    }

    /// The item that a condition misses. `None` if the value may be an item, its label or the initial value of the variable,
    /// or if it may come from elsewhere: from a script, or from outside unless it resembles an item. Nothing is missed by
    /// the empty string: workflows test whether there is a value.
    pub fn missing_item(&self, analysis: &Analysis<'a>, condition: &Condition<'a>) -> Option<MissingItem<'a>> {
        let (variable, compared) = variable_and_literal(condition)?;
        let choice = analysis.choice(variable).filter(|choice| !compared.is_empty() && !choice.offers(compared))?;
        let name = analysis.names.name(variable);
        let OrderForm { form, fields, filled } = self.known.get_or_init(|| OrderForm::of(self.service)).as_ref()?;
        let &field = fields.get(name)?;
        let items = &field.properties().items;
        let values = items.get()?;
        let is_label = values.iter().any(|item| has_label(form.document, item, compared));
        let declared = &analysis.scope.declarations;
        let is_initial = |variable: &Variable<'_>| {
            variable.value().value().is_some_and(|value| Literal::Text(value).describe() == compared.describe())
        };
        if is_label
            || declared.named(name).any(|declared| is_initial(declared.variable))
            || filled.contains(field, Some(name))
        {
            return None;
        }
        let near = match compared {
            Literal::Text(text) => self
                .service
                .suggester
                .nearest(text, values.iter().filter_map(|item| item.value.value()))
                .filter(|near| is_slip(text, near)),
            _ => None,
        };
        let is_only_source = choice.is_only_source();
        let missing =
            MissingItem { file: form.file, field, items: items.node()?, variable, compared, near, is_only_source };
        (is_only_source || near.is_some()).then_some(missing)
    }
}

fn variable_and_literal<'a>(condition: &Condition<'a>) -> Option<(VarId, Literal<'a>)> {
    match (condition.left, condition.right) {
        (OperandValue::Variable(variable), OperandValue::Literal(literal))
        | (OperandValue::Literal(literal), OperandValue::Variable(variable)) => Some((variable, literal)),
        _ => None,
    }
}

/// Whether an item has this label, in some language: whether a variable gets the value or the label is not shown by
/// the platform.
fn has_label(document: &Document, item: &Item<'_>, text: Literal<'_>) -> bool {
    let Literal::Text(text) = text else { return false };
    let Some(label) = document.member(item.node, "label") else { return false };
    let is_text = |node| document.string(node) == Some(text);
    is_text(label) || document.children(label).any(is_text)
}

/// Whether a value that resembles an item is a misspelled one, and not a short code or another number.
fn is_slip(text: &str, item: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|character| !character.is_ascii_digit()).collect::<String>();
    text.eq_ignore_ascii_case(item) || text.chars().count() >= MIN_SIMILAR && letters(text) != letters(item)
}
