//! The secrets that a configuration holds, which no text of a run or law shows.

use crate::config::{Config, LawCondition};
use crate::facts::secrets_in;

/// The secrets in the laws, in the reasons to accept what breaks them, and in the values that fields are tried with; and
/// what laws expect of masked variables.
pub fn secrets_of(config: &Config, is_masked: impl Fn(&str) -> bool) -> Vec<String> {
    let laws = config.laws.iter();
    let names = laws.clone().map(|law| (None, law.name.value.as_str()));
    let conditions = laws.flat_map(|law| law.when.iter().chain(&law.expect));
    let reasons = config.law_suppressions.iter().map(|accepted| (None, accepted.reason.as_str()));
    let expected = conditions.clone().flat_map(|condition| &condition.variables);
    let expected = expected.filter(|(name, text)| is_masked(&name.value) && !text.is_empty());
    let expected: Vec<String> = expected.map(|(_, text)| text.clone()).collect();
    let listed = config
        .explore
        .fields
        .iter()
        .flat_map(|(name, values)| values.iter().map(|value| (Some(name.value.as_str()), value.as_str())));
    let texts = names.chain(conditions.flat_map(texts)).chain(reasons).chain(listed);
    texts.flat_map(|(name, text)| secrets_in(name, text)).chain(expected).collect()
}

fn texts(condition: &LawCondition) -> impl Iterator<Item = (Option<&str>, &str)> {
    let variables = condition.variables.iter().map(|(name, text)| (Some(name.value.as_str()), text.as_str()));
    let statuses = condition.statuses.iter().flat_map(|statuses| &statuses.texts);
    let mails = condition.mails.iter().filter_map(|mail| mail.to.as_ref());
    let others = statuses.chain(mails).chain(&condition.failure).map(|text| (None, text.as_str()));
    variables.chain(others)
}
