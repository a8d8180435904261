//! `WF2`: provider parameters.

pub mod duplicate_parameter;
pub mod errors_swallowed;
pub mod ignored_path_parameter;
pub mod invalid_connection_uri;
pub mod invalid_day_count;
pub mod invalid_ldap_filter;
pub mod invalid_mail_address;
pub mod invalid_personal_id;
pub mod invalid_property_list;
pub mod method_identity_mismatch;
pub mod misplaced_additional_parameter;
pub mod missing_required_parameter;
pub mod no_document_to_sign;
pub mod parameter_lists_disagree;
pub mod parameter_type_mismatch;
pub mod reminder_after_expiry;
pub mod required_flag_mismatch;
pub mod stale_parameter_flags;
pub mod unknown_method;
pub mod unknown_parameter;

use crate::catalog::{self, Method, ParameterKind};
use crate::document::NodeId;
use crate::model::{Literal, Parameter};
use crate::rules::{ProviderSite, is_true};

/// The parameters that the catalogue describes, each with its description; of two with one name
/// the first.
pub(super) fn known_parameters<'s, 'a>(
    site: &'s ProviderSite<'_, 'a>,
) -> impl Iterator<Item = (&'s Parameter<'a>, &'a catalog::Parameter)> {
    let method = site.outputs.method;
    site.provider.parameters().filter_map(move |parameter| {
        let known = method?.parameter(parameter.name.value()?)?;
        let is_first =
            site.provider.parameter(parameter.name.value()?).is_some_and(|first| first.node == parameter.node);
        is_first.then_some((parameter, known))
    })
}

/// A literal value of a parameter.
pub(super) struct Given<'a> {
    /// The parameter's name.
    pub name: &'a str,
    /// The literal.
    pub node: NodeId,
    /// What it is.
    pub literal: Literal<'a>,
}

impl<'a> Given<'a> {
    /// As text; a number, true or false as it is written.
    pub(super) const fn text(&self) -> Option<&'a str> {
        match self.literal {
            Literal::Text(text) | Literal::Number(text) => Some(text),
            Literal::Boolean(true) => Some("true"),
            Literal::Boolean(false) => Some("false"),
            Literal::Null => None,
        }
    }
}

/// The literal values of the parameters of a kind: those that are not empty, and of the type that the
/// method takes (else WF205 tells it).
pub(super) fn literals<'s, 'a>(
    site: &'s ProviderSite<'_, 'a>,
    kind: ParameterKind,
) -> impl Iterator<Item = Given<'a>> + use<'s, 'a> {
    known_parameters(site).filter(move |(_, known)| known.kind == Some(kind)).filter_map(|(parameter, known)| {
        let (node, literal) = parameter.value.get()?.literal()?;
        let is_judged = !literal.is_empty() && parameter_type_mismatch::has_its_type(parameter, known);
        is_judged.then_some(Given { name: &known.name, node, literal })
    })
}

/// The declared parameters whose name the method does not have. One that says that it is
/// additional is in the wrong list, which is told by WF209.
pub(super) fn unknown_parameters<'s, 'a>(
    site: &'s ProviderSite<'_, 'a>,
    method: &'s Method,
) -> impl Iterator<Item = &'s Parameter<'a>> {
    site.provider.declared().filter(move |parameter| {
        !is_true(parameter.is_additional) && parameter.name.value().is_some_and(|name| method.parameter(name).is_none())
    })
}
