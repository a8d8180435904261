//! `WF2`: provider parameters.

pub mod duplicate_parameter;
pub mod method_identity_mismatch;
pub mod misplaced_additional_parameter;
pub mod missing_required_parameter;
pub mod no_document_to_sign;
pub mod parameter_lists_disagree;
pub mod parameter_type_mismatch;
pub mod required_flag_mismatch;
pub mod unknown_method;
pub mod unknown_parameter;

use crate::catalog::{self, Method};
use crate::model::Parameter;
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
