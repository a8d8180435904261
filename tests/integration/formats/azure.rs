//! Logging commands of Azure Pipelines, read as its agent reads them: properties up to the first `]`, separated by `;`,
//! with the escapes that Microsoft documents.

use crate::support::folder::{Folder, copy_of};
use crate::support::samples::{ERROR, INFO, WARNING};

struct Command {
    properties: Vec<(String, String)>,
    message: String,
}

fn unescaped(text: &str) -> String {
    text.replace("%3B", ";").replace("%5D", "]").replace("%0D", "\r").replace("%0A", "\n").replace("%AZP25", "%")
}

fn parse(line: &str) -> Command {
    let rest = line.strip_prefix("##vso[task.logissue ").unwrap_or_else(|| panic!("no logissue: {line}"));
    let (properties, message) = rest.split_once(']').unwrap();
    let properties = properties.split(';').filter(|property| !property.is_empty()).map(|property| {
        let (key, value) = property.split_once('=').unwrap();
        (key.to_owned(), unescaped(value))
    });
    Command { properties: properties.collect(), message: unescaped(message) }
}

impl Command {
    fn get(&self, key: &str) -> &str {
        self.properties.iter().find(|(name, _)| name == key).map_or("", |(_, value)| value)
    }
}

#[test]
fn issue_has_the_documented_properties() {
    let folder = Folder::with(&[("a.json", ERROR), ("b.json", WARNING), ("c.json", INFO)]);
    let output = folder.run(&["--format", "azure", "--select", "ALL"]).expect_code(1);
    let commands: Vec<Command> = output.out().lines().map(parse).collect();
    let types: Vec<(&str, &str)> = commands.iter().map(|it| (it.get("type"), it.get("code"))).collect();
    assert_eq!(types, [("error", "WF101"), ("warning", "WF414"), ("warning", "WF007")], "an info is a warning");
    let first = &commands[0];
    assert_eq!((first.get("sourcepath"), first.get("linenumber"), first.get("columnnumber")), ("a.json", "2", "93"));
    assert!(first.message.starts_with("undefined variable `Nobody`"), "{}", first.message);
}

#[test]
fn file_name_stays_one_property() {
    let folder = Folder::with(&[("a;type=warning]%3B.json", ERROR)]);
    let output = folder.run(&["--format", "azure"]).expect_code(1);
    let command = parse(output.out().trim_end());
    assert_eq!((command.get("sourcepath"), command.get("type")), ("a;type=warning]%3B.json", "error"));
}

#[test]
fn each_finding_is_one_command() {
    let folder = copy_of("examples/broken");
    let number = folder.found(&["."]).len();
    let output = folder.run(&["--format", "azure"]).expect_code(1);
    assert_eq!(output.out().lines().map(parse).count(), number);
}
