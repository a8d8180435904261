//! The scenario as a whole.

use jiff::Timestamp;
use jiff::tz::Offset;

use super::fields::{inputs, name};
use super::reader::Reader;
use super::value_ref::ValueRef;
use super::{environment, expectations, keys, people, units};
use crate::simulate::scenario::location::{Problem, Spanned};
use crate::simulate::scenario::model::Scenario;
use crate::simulate::scenario::syntax::{ScenarioSyntax, parse};

/// 2024-01-01T08:00:00Z: the start of the clock when the scenario has none.
const DEFAULT_START: Timestamp = Timestamp::constant(1_704_096_000, 0);
const DEFAULT_CULTURE: &str = "en-US";

/// Reads a scenario.
///
/// # Errors
/// Everything that is wrong, in the order of the file; one problem when the syntax is wrong.
pub fn read(text: &str, syntax: ScenarioSyntax) -> Result<Scenario, Vec<Problem>> {
    let root = parse(text, syntax).map_err(|problem| vec![problem])?;
    let mut reader = Reader::default();
    let scenario = scenario(&mut reader, &ValueRef::root(&root));
    let problems = reader.into_problems();
    scenario.filter(|_| problems.is_empty()).ok_or(problems)
}

fn scenario(reader: &mut Reader, root: &ValueRef<'_>) -> Option<Scenario> {
    let members = reader.known_members(root, &keys::SCENARIO)?;
    let mut text = |key| members.get(key).and_then(|item| reader.text(item)).map(|text| text.as_ref().to_owned());
    let (title, culture, requester) = (text("name"), text("culture"), text("requester"));
    let workflow = name(reader, &members, "workflow");
    let scenario = Scenario {
        name: title,
        // Without a workflow there is no scenario, but the rest is read for its problems.
        workflow: workflow.unwrap_or_else(|| Spanned { value: String::new(), location: root.location() }),
        form: name(reader, &members, "form"),
        culture: culture.unwrap_or_else(|| DEFAULT_CULTURE.to_owned()),
        start: members.get("start").and_then(|item| start(reader, item)).unwrap_or(DEFAULT_START),
        offset: members.get("start").and_then(|item| Some(units::offset(&item.scalar()?.text))).unwrap_or(Offset::UTC),
        requester,
        submit: members.get("submit").and_then(|item| inputs(reader, item)),
        variables: members.get("variables").and_then(|item| inputs(reader, item)).unwrap_or_default(),
        directory: members.get("directory").and_then(|item| environment::directory(reader, item)).unwrap_or_default(),
        signing: members.get("signing").and_then(|item| people::signing(reader, item)).unwrap_or_default(),
        approvals: members.get("approvals").and_then(|item| people::approvals(reader, item)).unwrap_or_default(),
        faults: members.get("faults").map(|item| environment::faults(reader, item)).unwrap_or_default(),
        providers: members.get("providers").map(|item| environment::providers(reader, item)).unwrap_or_default(),
        limits: members.get("limits").map(|item| environment::limits(reader, item)).unwrap_or_default(),
        expect: members.get("expect").and_then(|item| expectations::read(reader, item)),
    };
    Some(scenario)
}

fn start(reader: &mut Reader, item: &ValueRef<'_>) -> Option<Timestamp> {
    let start = item.scalar().and_then(|scalar| units::timestamp(&scalar.text));
    if start.is_none() {
        let is_late = item.scalar().is_some_and(|scalar| units::is_after_last_timestamp(&scalar.text));
        let late = "a time not after `9999-12-30T22:00:00Z`";
        reader.mismatch(item, if is_late { late } else { "a time with offset such as `2024-01-01T08:00:00Z`" });
    }
    start
}
