//! What the names and uses of variables show of them, so that a missing value can be given the one that fits.

use std::collections::BTreeSet;

use crate::catalog::{self, ParameterKind, Purpose};
use crate::facts::security::sinks::sinks_of_kind;
use crate::facts::service::AnalyzedService;
use crate::graph::{Analysis, VarId};
use crate::model::{FILE_TYPE, Field, Role};

/// Names of variables.
pub(super) type Names<'a> = BTreeSet<&'a str>;

/// A detail of a person, by which variables are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Detail {
    Mail,
    PersonalId,
    Name,
}

impl Detail {
    const ALL: [Self; 3] = [Self::Mail, Self::PersonalId, Self::Name];

    /// How names end that are of this detail, in lower case.
    const fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Mail => &["mail", "email", "e-mail", "mailaddress", "emailaddress"],
            Self::PersonalId => &[
                "personalid", "personid", "personalidentitynumber", "personalnumber", "personnumber", "personnummer",
                "socialsecuritynumber", "nationalid", "ssn", "pnr", "cpr", "hetu",
            ],
            Self::Name => &["name", "displayname", "fullname"],
        }
    }

    /// Whose detail it is, as a name says it: `signer` in `SignerEmail`, `2` in `Email2`. `None` if it is no such name.
    pub(super) fn owner(self, name: &str) -> Option<String> {
        let lower = name.to_lowercase();
        let base = lower.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let number = lower.strip_prefix(base)?;
        let ending =
            self.endings().iter().filter(|ending| base.ends_with(**ending)).max_by_key(|ending| ending.len())?;
        Some(format!("{}{number}", base.strip_suffix(ending)?))
    }

    pub(super) fn of(known: &catalog::Parameter) -> Option<Self> {
        match (known.kind, known.purpose) {
            (Some(ParameterKind::Mail), _) => Some(Self::Mail),
            (Some(ParameterKind::PersonalId), _) => Some(Self::PersonalId),
            (_, Some(Purpose::PartyName)) => Some(Self::Name),
            _ => None,
        }
    }
}

/// What the names and uses of the variables of a workflow show, for all values that are missing in it.
pub struct KnownVariables<'a> {
    /// By detail, those named after it, each with whose detail it is.
    pub(super) named: [Vec<(&'a str, String)>; 3],
    /// By detail, those to which parameters of other calls are bound that take it.
    pub(super) used: [Names<'a>; 3],
    /// Those that form fields fill.
    pub(super) filled: Names<'a>,
    /// Of those, the ones of fields that take mail addresses only.
    pub(super) mail_fields: Names<'a>,
    /// Those to which assignees of approvals are bound.
    pub(super) approvers: Names<'a>,
    /// Those that hold a file.
    pub(super) files: Names<'a>,
    /// Those that some Status publishes.
    pub(super) published: Names<'a>,
    /// Those that activities read.
    pub(super) read: BTreeSet<VarId>,
}

impl<'a> KnownVariables<'a> {
    pub fn of(service: &AnalyzedService<'a>, analysis: &'a Analysis<'a>) -> Self {
        let declarations = &analysis.scope.declarations;
        let is_file = |name: &&str| declarations.type_of(name) == Some(FILE_TYPE);
        let named = Detail::ALL.map(|detail| {
            let names = declarations.names().filter(|name| !is_file(name));
            names.filter_map(|name| Some((name, detail.owner(name)?))).collect()
        });
        let declared = |name: &str| declarations.variable(name)?.variable.name.value();
        let used = Detail::ALL
            .map(|detail| used_for(service, detail).into_iter().filter_map(|name| declared(&name)).collect());
        let fields = service.model.forms.iter().flat_map(|form| &form.form.fields).filter(|field| field.takes_input());
        let target = |field: &Field<'a>| declared(field.target()?.1);
        let filled = fields.clone().filter_map(target).collect();
        let mail_fields = fields.filter(|field| field.takes_mail_address()).filter_map(target).collect();
        let (mut approvers, mut published) = (Names::new(), Names::new());
        service.bindings(|_, _, binding, role| match (role, binding.target()) {
            (Role::Assignee(_), Some((_, name))) => _ = approvers.insert(name),
            (Role::Status, Some((_, name))) => _ = published.insert(name),
            _ => {}
        });
        let read = analysis.effects.iter().flat_map(|effects| effects.reads.iter().map(|read| read.variable)).collect();
        let files = declarations.names().filter(is_file).collect();
        Self { named, used, filled, mail_fields, approvers, files, published, read }
    }
}

/// The variables to which parameters are bound that take a detail of a person.
fn used_for(service: &AnalyzedService<'_>, detail: Detail) -> BTreeSet<String> {
    let of_kind = |kind| sinks_of_kind(service, kind).into_keys().map(str::to_owned).collect::<BTreeSet<_>>();
    match detail {
        Detail::PersonalId => of_kind(ParameterKind::PersonalId),
        Detail::Mail => of_kind(ParameterKind::Mail),
        Detail::Name => {
            let bound = service.providers().filter_map(|site| {
                let parameter = site.outputs.method?.parameter_for(Purpose::PartyName)?;
                Some(site.provider.parameter(&parameter.name)?.value.get()?.target()?.1.to_owned())
            });
            bound.collect()
        }
    }
}
