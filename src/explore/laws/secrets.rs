//! The secrets that a configuration holds, which no text of a run or law shows.

use crate::config::{Config, LawCondition};
use crate::facts::secrets_in;

/// The secrets in the laws, and in the values that fields are tried with.
pub fn secrets_of(config: &Config) -> Vec<String> {
    let laws = config.laws.iter();
    let names = laws.clone().map(|law| (None, law.name.value.as_str()));
    let conditions = laws.flat_map(|law| law.when.iter().chain(&law.expect));
    let listed = config
        .explore
        .fields
        .iter()
        .flat_map(|(name, values)| values.iter().map(|value| (Some(name.value.as_str()), value.as_str())));
    let texts = names.chain(conditions.flat_map(texts)).chain(listed);
    texts.flat_map(|(name, text)| secrets_in(name, text)).collect()
}

fn texts(condition: &LawCondition) -> impl Iterator<Item = (Option<&str>, &str)> {
    let variables = condition.variables.iter().map(|(name, text)| (Some(name.value.as_str()), text.as_str()));
    let statuses = condition.statuses.iter().flat_map(|statuses| &statuses.texts);
    let mails = condition.mails.iter().filter_map(|mail| mail.to.as_ref());
    let others = statuses.chain(mails).chain(&condition.failure).map(|text| (None, text.as_str()));
    variables.chain(others)
}
