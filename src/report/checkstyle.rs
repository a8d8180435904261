//! `--format checkstyle`: the XML of Checkstyle, which many build servers read.

use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, Event};

use super::escape::visible;
use super::findings::{FileFindings, Report};
use crate::lint::Omitted;

/// The version of Checkstyle whose format this is; readers expect one.
const VERSION: &str = "4.3";

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut xml = Writer::new_with_indent(&mut *out, b' ', 2);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let root = BytesStart::new("checkstyle").with_attributes([("version", VERSION)]);
    let files = report.by_file();
    if files.is_empty() {
        xml.write_event(Event::Empty(root))?;
    } else {
        xml.write_event(Event::Start(root))?;
        for findings in files {
            write_file(report, &findings, &mut xml)?;
        }
        xml.write_event(Event::End(BytesEnd::new("checkstyle")))?;
    }
    writeln!(out)
}

fn write_file<W: Write>(report: &Report<'_>, findings: &FileFindings<'_>, xml: &mut Writer<W>) -> io::Result<()> {
    let name = visible(report.file_name(findings.file));
    xml.write_event(Event::Start(BytesStart::new("file").with_attributes([("name", &*name)])))?;
    for finding in findings.listed {
        let (start, _) = report.range(findings.file, finding.location.span);
        let help = finding.help.as_deref().map_or_else(String::new, |help| format!("; {help}"));
        let message = format!("{}{help}", finding.message);
        let error = Error {
            line: start.line,
            column: start.column,
            severity: finding.severity.word(),
            message: &visible(&message),
            code: finding.code,
        };
        error.write(xml)?;
    }
    for omitted in &findings.omitted {
        write_omitted(omitted, xml)?;
    }
    xml.write_event(Event::End(BytesEnd::new("file")))
}

fn write_omitted<W: Write>(omitted: &Omitted, xml: &mut Writer<W>) -> io::Result<()> {
    let (severity, message) = (omitted.severity.word(), omitted.message());
    Error { line: 1, column: 1, severity, message: &message, code: omitted.code }.write(xml)
}

/// The element of one finding.
struct Error<'e> {
    line: u32,
    column: u32,
    severity: &'static str,
    message: &'e str,
    code: &'static str,
}

impl Error<'_> {
    fn write<W: Write>(&self, xml: &mut Writer<W>) -> io::Result<()> {
        let (line, column) = (self.line.to_string(), self.column.to_string());
        let source = format!("wflint.{}", self.code);
        xml.write_event(Event::Empty(BytesStart::new("error").with_attributes([
            ("line", line.as_str()),
            ("column", &column),
            ("severity", self.severity),
            ("message", self.message),
            ("source", &source),
        ])))
    }
}
