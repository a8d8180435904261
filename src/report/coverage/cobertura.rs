//! The XML of Cobertura (coverage-04.dtd), which GitLab, Azure Pipelines, Jenkins and others read.

use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

use super::lcov::{FileCoverage, Line};
use crate::simulate::Count;

const DOCTYPE: &str = "coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\"";

pub(super) fn write(files: &[FileCoverage], out: &mut dyn Write) -> io::Result<()> {
    let mut xml = Writer::new_with_indent(&mut *out, b' ', 2);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    xml.write_event(Event::DocType(BytesText::from_escaped(DOCTYPE)))?;
    let (lines, branches) = (total(files, FileCoverage::line_count), total(files, FileCoverage::branch_count));
    let numbers = [lines.covered, lines.all, branches.covered, branches.all].map(|number| number.to_string());
    let [lines_covered, lines_valid, branches_covered, branches_valid] = &numbers;
    let version = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));
    let mut root = element("coverage", files);
    root.extend_attributes([
        ("lines-covered", lines_covered.as_str()),
        ("lines-valid", lines_valid),
        ("branches-covered", branches_covered),
        ("branches-valid", branches_valid),
        ("version", version),
        // Same scenarios, same bytes.
        ("timestamp", "0"),
    ]);
    xml.write_event(Event::Start(root))?;
    xml.create_element("sources")
        .write_inner_content(|xml| xml.create_element("source").write_text_content(BytesText::new(".")).map(drop))?;
    xml.write_event(Event::Start(BytesStart::new("packages")))?;
    for package in packages(files) {
        write_package(&package, &mut xml)?;
    }
    xml.write_event(Event::End(BytesEnd::new("packages")))?;
    xml.write_event(Event::End(BytesEnd::new("coverage")))?;
    writeln!(out)
}

/// The files by folder, both sorted by name.
fn packages(files: &[FileCoverage]) -> Vec<Package<'_>> {
    let mut packages: std::collections::BTreeMap<&str, Vec<&FileCoverage>> = std::collections::BTreeMap::new();
    for file in files {
        let folder = file.name.rsplit_once('/').map_or(".", |(folder, _)| folder);
        packages.entry(folder).or_default().push(file);
    }
    packages.into_iter().map(|(folder, files)| Package { folder, files }).collect()
}

struct Package<'f> {
    folder: &'f str,
    files: Vec<&'f FileCoverage>,
}

fn write_package<W: Write>(package: &Package<'_>, xml: &mut Writer<W>) -> io::Result<()> {
    let mut start = element("package", package.files.iter().copied());
    start.push_attribute(("name", package.folder));
    xml.write_event(Event::Start(start))?;
    xml.write_event(Event::Start(BytesStart::new("classes")))?;
    for file in &package.files {
        let mut class = element("class", [*file]);
        let name = file.name.rsplit('/').next().unwrap_or(&file.name);
        class.extend_attributes([("name", name), ("filename", &file.name)]);
        xml.write_event(Event::Start(class))?;
        xml.write_event(Event::Empty(BytesStart::new("methods")))?;
        xml.write_event(Event::Start(BytesStart::new("lines")))?;
        for (number, line) in &file.lines {
            xml.write_event(Event::Empty(line_element(*number, line)))?;
        }
        xml.write_event(Event::End(BytesEnd::new("lines")))?;
        xml.write_event(Event::End(BytesEnd::new("class")))?;
    }
    xml.write_event(Event::End(BytesEnd::new("classes")))?;
    xml.write_event(Event::End(BytesEnd::new("package")))
}

fn line_element(number: u32, line: &Line) -> BytesStart<'static> {
    let branches = line.branch_count();
    let (number, hits) = (number.to_string(), line.hits.to_string());
    let mut element = BytesStart::new("line");
    element.extend_attributes([("number", number.as_str()), ("hits", &hits)]);
    match (branches.covered * 100).checked_div(branches.all) {
        None => element.push_attribute(("branch", "false")),
        Some(percent) => {
            let condition = format!("{percent}% ({}/{})", branches.covered, branches.all);
            element.extend_attributes([("branch", "true"), ("condition-coverage", condition.as_str())]);
        }
    }
    element
}

/// An element with the rates of files.
fn element<'f>(name: &'static str, files: impl IntoIterator<Item = &'f FileCoverage> + Clone) -> BytesStart<'static> {
    let (lines, branches) = (total(files.clone(), FileCoverage::line_count), total(files, FileCoverage::branch_count));
    let (lines, branches) = (rate(lines), rate(branches));
    let rates = [("line-rate", lines.as_str()), ("branch-rate", &branches), ("complexity", "0")];
    BytesStart::new(name).with_attributes(rates)
}

fn total<'f>(files: impl IntoIterator<Item = &'f FileCoverage>, count: fn(&FileCoverage) -> Count) -> Count {
    files.into_iter().map(count).fold(Count::default(), |all, one| all + one)
}

/// From 0 to 1 with at most four decimals, rounded down, so that only complete coverage is 1.
fn rate(count: Count) -> String {
    ((count.percent() * 100.0).floor() / 10_000.0).to_string()
}
