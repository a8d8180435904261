//! What a rule sees: one analyzed service and facts about it, each computed on first use.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Deref;

use crate::common::collections::HashMap;
use crate::common::limits::MAX_FINDINGS;
use crate::facts::cases::case_site::CaseSite;
use crate::facts::cases::expiring_cases::ExpiringScripts;
use crate::facts::cases::loops::{Loop, loops};
use crate::facts::cases::statuses::CaseStatuses;
use crate::facts::provider_site::ProviderSite;
use crate::facts::scripts::CodeSite;
use crate::facts::security::masked::personal_ids;
use crate::facts::security::masked::{secret_values, sensitive_values};
use crate::facts::security::secrets::{self, Secret};
use crate::facts::security::sinks::VariableSinks;
use crate::facts::service::AnalyzedService;
use crate::facts::uses::known_variables::KnownVariables;
use crate::facts::uses::name_uses::NameUses;
use crate::facts::uses::operands::OperandTypes;
use crate::facts::uses::removable::Removable;
use crate::facts::uses::unwritten::{PropertyLookups, Unwritten, unwritten_variables};
use crate::facts::uses::used_variables::UsedVariables;
use crate::facts::uses::wrong_bindings::{WrongBindings, wrong_bindings};
use crate::graph::Analysis;
use crate::model::{Activity, Binding, Role, Variable};
use crate::redaction::SensitiveValue;
use crate::text::count;
use crate::text::diagnostic::FileId;

pub struct Context<'a> {
    service: &'a AnalyzedService<'a>,
    cases: OnceCell<Vec<CaseSite<'a>>>,
    /// By name, of all documents.
    declarations: OnceCell<HashMap<&'a str, Vec<(FileId, &'a Variable<'a>)>>>,
    expiring_scripts: OnceCell<ExpiringScripts>,
    /// By workflow.
    known_variables: OnceCell<HashMap<FileId, KnownVariables<'a>>>,
    name_uses: OnceCell<NameUses>,
    operand_types: OnceCell<OperandTypes<'a>>,
    personal_ids: OnceCell<VariableSinks<'a>>,
    property_lookups: OnceCell<PropertyLookups<'a>>,
    removable: OnceCell<Removable<'a>>,
    secrets: OnceCell<Vec<Secret>>,
    statuses: OnceCell<Vec<CaseStatuses<'a>>>,
    unwritten: OnceCell<Vec<Unwritten<'a>>>,
    /// By workflow.
    used_variables: OnceCell<HashMap<FileId, UsedVariables<'a>>>,
    /// By form.
    wrong_bindings: OnceCell<HashMap<FileId, WrongBindings>>,
}

impl<'a> Context<'a> {
    pub const fn new(service: &'a AnalyzedService<'a>) -> Self {
        Self {
            service,
            cases: OnceCell::new(),
            declarations: OnceCell::new(),
            expiring_scripts: OnceCell::new(),
            known_variables: OnceCell::new(),
            name_uses: OnceCell::new(),
            operand_types: OnceCell::new(),
            personal_ids: OnceCell::new(),
            property_lookups: OnceCell::new(),
            removable: OnceCell::new(),
            secrets: OnceCell::new(),
            statuses: OnceCell::new(),
            unwritten: OnceCell::new(),
            used_variables: OnceCell::new(),
            wrong_bindings: OnceCell::new(),
        }
    }

    /// Every activity of every workflow, in document order.
    pub fn activities(&self) -> impl Iterator<Item = (&'a Analysis<'a>, &'a Activity<'a>)> {
        self.service.activities()
    }

    /// Those of [`Self::activities`] that are provider activities.
    pub fn providers(&self) -> impl Iterator<Item = ProviderSite<'a, 'a>> {
        self.service.providers()
    }

    /// Those of [`Self::activities`] that are Code activities with a script.
    pub fn codes(&self) -> impl Iterator<Item = CodeSite<'a, 'a>> {
        self.activities().filter_map(|(analysis, activity)| self.service.code_site(analysis, activity))
    }

    /// Calls `visit` with every binding of [`Self::activities`].
    pub fn bindings(&self, mut visit: impl FnMut(&'a Analysis<'a>, &'a Activity<'a>, &'a Binding<'a>, Role<'a, 'a>)) {
        for (analysis, activity) in self.activities() {
            activity.bindings(|binding, role| visit(analysis, activity, binding, role));
        }
    }

    /// The declarations of a variable in all documents.
    pub fn declarations(&self, name: &str) -> &[(FileId, &'a Variable<'a>)] {
        let find = || {
            let mut found: HashMap<&str, Vec<_>> = HashMap::default();
            for (file, variables) in self.service.variable_lists() {
                for (name, variable) in variables.iter().filter_map(|it| Some((it.name.value()?, it))) {
                    found.entry(name).or_default().push((file, variable));
                }
            }
            found
        };
        self.declarations.get_or_init(find).get(name).map_or(&[], Vec::as_slice)
    }

    /// The signing cases that the service describes.
    pub fn cases(&self) -> &[CaseSite<'a>] {
        self.cases.get_or_init(|| CaseSite::all(self.service))
    }

    /// The signing cases, if a rule has looked at them.
    pub fn known_cases(&self) -> &[CaseSite<'a>] {
        self.cases.get().map_or(&[], Vec::as_slice)
    }

    /// Notes about the documents and signing cases with too many schema violations, of the files that are reported on.
    pub fn notes_on_violations(&self) -> Vec<String> {
        let mut broken: BTreeMap<FileId, usize> = BTreeMap::new();
        for site in self.known_cases().iter().filter(|site| site.not_listed > 0) {
            *broken.entry(site.file()).or_default() += 1;
        }
        let reported = |(file, number)| {
            let name = &self.file(file).filter(|file| file.reported)?.source.name;
            let number = count(number, "signing case");
            Some(format!("{name}: {number} checked for schema violations only, because there are over {MAX_FINDINGS}"))
        };
        self.service.notes_on_violations().into_iter().chain(broken.into_iter().filter_map(reported)).collect()
    }

    /// Whether the case that a request takes from a script may expire.
    pub fn built_case_expires(&self, analysis: &Analysis<'_>, request: &Activity<'_>) -> bool {
        let scripts = self.expiring_scripts.get_or_init(|| ExpiringScripts::of(self.service));
        scripts.is_expiring(analysis, request)
    }

    pub fn name_uses(&self) -> &NameUses {
        self.name_uses.get_or_init(|| NameUses::of(self.service))
    }

    pub fn operand_types(&self) -> &OperandTypes<'a> {
        self.operand_types.get_or_init(|| OperandTypes::of(self.service))
    }

    /// The variables whose values are used as personal ids, each with one place that does so.
    pub fn personal_ids(&self) -> &VariableSinks<'a> {
        self.personal_ids.get_or_init(|| personal_ids(self.service))
    }

    /// What may be removed.
    pub fn removable(&self) -> &Removable<'a> {
        self.removable.get_or_init(|| Removable::of(self.service, self.unwritten_variables()))
    }

    pub fn secrets(&self) -> &[Secret] {
        self.secrets.get_or_init(|| secrets::find(self.service))
    }

    /// The case statuses of each workflow, in the order of `workflows`.
    pub fn statuses(&self) -> &[CaseStatuses<'a>] {
        self.statuses.get_or_init(|| CaseStatuses::of(self.service))
    }

    pub fn used_variables(&self, analysis: &Analysis<'_>) -> Option<&UsedVariables<'a>> {
        let of_workflow = |analysis: &'a Analysis<'a>| (analysis.file, UsedVariables::of(analysis));
        let used = self.used_variables.get_or_init(|| self.service.workflows.iter().map(of_workflow).collect());
        used.get(&analysis.file)
    }

    pub fn known_variables(&self, analysis: &Analysis<'_>) -> Option<&KnownVariables<'a>> {
        let of_workflow = |analysis: &'a Analysis<'a>| (analysis.file, KnownVariables::of(self.service, analysis));
        let known = self.known_variables.get_or_init(|| self.service.workflows.iter().map(of_workflow).collect());
        known.get(&analysis.file)
    }

    /// The variables of all workflows that are read although nothing writes them.
    pub fn unwritten_variables(&self) -> &[Unwritten<'a>] {
        self.unwritten.get_or_init(|| unwritten_variables(self.service))
    }

    /// The lookups that request properties.
    pub fn property_lookups(&self) -> &PropertyLookups<'a> {
        self.property_lookups.get_or_init(|| PropertyLookups::of(self.service))
    }

    /// The fields of each form that are bound to the wrong variable.
    pub fn wrong_bindings(&self) -> &HashMap<FileId, WrongBindings> {
        let find = || wrong_bindings(self.service, self.unwritten_variables(), self.property_lookups());
        self.wrong_bindings.get_or_init(find)
    }

    /// Every loop that can be read completely.
    pub fn loops(&self) -> impl Iterator<Item = Loop<'_, 'a>> {
        loops(self.service, self.statuses())
    }

    /// The hard-coded secrets that redaction hides.
    pub fn secret_values(&self) -> impl Iterator<Item = SensitiveValue<'a>> {
        secret_values(self.service, self.secrets())
    }

    /// The values that redaction hides.
    pub fn sensitive_values(&self) -> impl Iterator<Item = SensitiveValue<'a>> {
        sensitive_values(self.service, self.secrets())
    }
}

impl<'a> Deref for Context<'a> {
    type Target = AnalyzedService<'a>;

    fn deref(&self) -> &Self::Target {
        self.service
    }
}
