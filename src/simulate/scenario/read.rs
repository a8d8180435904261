//! From a text to a scenario, or to everything that is wrong with it.

use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;

use super::item::Item;
use super::reader::{Members, Reader};
use super::tree::{MOST_BYTES, Shape, Value, at};
use super::{Given, Input, Place, Scenario, Spanned, expect, json, keys, people, toml, units, world, yaml};
use crate::source::{BYTE_ORDER_MARK, Span};

/// 2024-01-01T08:00:00Z: the start of the clock when the scenario has none.
const DEFAULT_START: Timestamp = Timestamp::constant(1_704_096_000, 0);
const DEFAULT_CULTURE: &str = "en-US";

/// How a scenario file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    /// YAML 1.2, one document, without tags.
    Yaml,
    /// JSON.
    Json,
    /// TOML.
    Toml,
}

impl Syntax {
    /// The syntax that a file's extension tells.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "yaml" | "yml" => Some(Self::Yaml),
            "json" => Some(Self::Json),
            "toml" => Some(Self::Toml),
            _ => None,
        }
    }
}

/// Something wrong with a scenario file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where it is.
    pub place: Place,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// Reads a scenario. What it may hold is bounded: 1 MiB, 64 levels, 200,000 values with those that
/// aliases repeat.
///
/// # Errors
/// Everything that is wrong, in the order of the file; one problem when the text has no such syntax.
pub fn read(text: &str, syntax: Syntax) -> Result<Scenario, Vec<Problem>> {
    let root = parse(text, syntax).map_err(|problem| vec![problem])?;
    let mut reader = Reader::default();
    let scenario = scenario(&mut reader, &Item::root(&root));
    let problems = reader.into_problems();
    scenario.filter(|_| problems.is_empty()).ok_or(problems)
}

fn parse(text: &str, syntax: Syntax) -> Result<Value, Problem> {
    if text.len() > MOST_BYTES {
        return Err(at(Span::default(), format!("the file is larger than {MOST_BYTES} bytes")));
    }
    let empty = || {
        let help = "name at least the workflow, such as `workflow: order.workflow.json`".to_owned();
        Problem { help: Some(help), ..at(Span::default(), "the scenario is empty".to_owned()) }
    };
    if text.trim_start_matches(BYTE_ORDER_MARK).trim().is_empty() {
        return Err(empty());
    }
    let root = match syntax {
        Syntax::Yaml => yaml::parse(text),
        Syntax::Json => json::parse(text),
        Syntax::Toml => toml::parse(text),
    }?;
    let is_empty = match &root.shape {
        Shape::Map(members) => members.is_empty(),
        Shape::List(_) | Shape::Scalar(_) => root.is_null(),
    };
    if is_empty { Err(empty()) } else { Ok(root) }
}

fn scenario(reader: &mut Reader, root: &Item<'_>) -> Option<Scenario> {
    let members = reader.known_members(root, &keys::SCENARIO)?;
    let mut text = |key| members.get(key).and_then(|item| reader.text(item)).map(|text| text.as_ref().to_owned());
    let (name, culture, requester) = (text("name"), text("culture"), text("requester"));
    let workflow = file(reader, &members, "workflow");
    let scenario = Scenario {
        name,
        // Read on without it, to find what else is wrong; then there is a problem, and no scenario.
        workflow: workflow.unwrap_or_else(|| Spanned { value: String::new(), place: root.place() }),
        form: file(reader, &members, "form"),
        culture: culture.unwrap_or_else(|| DEFAULT_CULTURE.to_owned()),
        start: members.get("start").and_then(|item| start(reader, item)).unwrap_or(DEFAULT_START),
        requester,
        submit: members.get("submit").and_then(|item| given(reader, item)),
        variables: members.get("variables").and_then(|item| given(reader, item)).unwrap_or_default(),
        directory: members.get("directory").and_then(|item| world::directory(reader, item)).unwrap_or_default(),
        signing: members.get("signing").and_then(|item| people::signing(reader, item)).unwrap_or_default(),
        approvals: members.get("approvals").and_then(|item| people::approvals(reader, item)).unwrap_or_default(),
        faults: members.get("faults").map(|item| world::faults(reader, item)).unwrap_or_default(),
        providers: members.get("providers").map(|item| world::providers(reader, item)).unwrap_or_default(),
        limits: members.get("limits").map(|item| world::limits(reader, item)).unwrap_or_default(),
        expect: members.get("expect").and_then(|item| expect::read(reader, item)),
    };
    Some(scenario)
}

/// A path or name that is not empty.
pub(super) fn file(reader: &mut Reader, members: &Members<'_>, key: &str) -> Option<Spanned<String>> {
    let item = members.get(key)?;
    Some(Spanned { value: reader.name(item)?, place: item.place() })
}

fn start(reader: &mut Reader, item: &Item<'_>) -> Option<Timestamp> {
    let start = item.scalar().and_then(|scalar| units::timestamp(&scalar.text));
    if start.is_none() {
        reader.wrong(item, "a time such as `2024-01-01T08:00:00Z` (RFC 3339, with its offset)");
    }
    start
}

/// Fields or variables and their values.
fn given(reader: &mut Reader, item: &Item<'_>) -> Option<Vec<Given>> {
    let members = reader.members(item, "a map of names and values")?;
    Some(members.iter().filter_map(|member| given_one(reader, member)).collect())
}

fn given_one(reader: &mut Reader, item: &Item<'_>) -> Option<Given> {
    let input = if item.is_map() {
        let members = reader.known_members(item, &keys::UPLOAD)?;
        Input::File(reader.name(members.get("file")?)?)
    } else if item.is_list() {
        reader.wrong(item, "a text, or `{ file: … }` for an upload");
        return None;
    } else {
        Input::Text(reader.value(item)?)
    };
    Some(Given { name: item.spanned_key(), input: Spanned { value: input, place: item.place() } })
}

/// Texts by name.
pub(super) fn texts(reader: &mut Reader, item: &Item<'_>) -> Option<Vec<(String, Arc<str>)>> {
    let members = reader.members(item, "a map of names and texts")?;
    Some(members.iter().filter_map(|member| Some((member.key().to_owned(), reader.value(member)?))).collect())
}
