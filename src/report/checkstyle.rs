//! `--format checkstyle`: the XML of Checkstyle, which many build servers read.

use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, Event};

use super::escape::visible;
use super::results::{FileFindings, Report};
use crate::text::diagnostic::Severity;

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
        let message = finding.message_with_help();
        let (severity, code) = (finding.severity, finding.code);
        write_error((start.line, start.column), severity, &visible(&message), code, xml)?;
    }
    for omitted in &findings.omitted {
        write_error((1, 1), omitted.severity, &omitted.message(), omitted.code, xml)?;
    }
    xml.write_event(Event::End(BytesEnd::new("file")))
}

/// The element of one finding.
fn write_error<W: Write>(
    (line, column): (u32, u32),
    severity: Severity,
    message: &str,
    code: &str,
    xml: &mut Writer<W>,
) -> io::Result<()> {
    xml.write_event(Event::Empty(BytesStart::new("error").with_attributes([
        ("line", line.to_string().as_str()),
        ("column", &column.to_string()),
        ("severity", severity.word()),
        ("message", message),
        ("source", &format!("wflint.{code}")),
    ])))
}
