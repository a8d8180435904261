//! `--format junit`: test cases as build servers show them. Without the times of the real clock, so that the same run
//! gives the same bytes.

use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

use super::escape::visible;
use super::results::{Case, Results, Suite, Verdict};

pub(super) fn write(results: &dyn Results, out: &mut dyn Write) -> io::Result<()> {
    let suites = results.suites();
    let mut xml = Writer::new_with_indent(&mut *out, b' ', 4);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let [tests, skipped, failures, errors] = counts(suites.iter().flat_map(|suite| &suite.cases));
    xml.write_event(Event::Start(BytesStart::new("testsuites").with_attributes([
        ("name", "wflint"),
        ("tests", &tests),
        ("skipped", &skipped),
        ("failures", &failures),
        ("errors", &errors),
    ])))?;
    for suite in &suites {
        write_suite(suite, &mut xml)?;
    }
    xml.write_event(Event::End(BytesEnd::new("testsuites")))?;
    writeln!(out)
}

/// All cases, and those of them that were skipped, failed, and could not be decided.
fn counts<'c>(cases: impl Iterator<Item = &'c Case>) -> [String; 4] {
    let mut counts = [0_usize; 4];
    let [all, skipped, failures, errors] = &mut counts;
    for case in cases {
        *all += 1;
        match case.verdict {
            Verdict::Passed | Verdict::Noted(_) => {}
            Verdict::Accepted(_) => *skipped += 1,
            Verdict::Failed { .. } => *failures += 1,
            Verdict::Undecided(_) => *errors += 1,
        }
    }
    counts.map(|number| number.to_string())
}

fn write_suite<W: Write>(suite: &Suite, xml: &mut Writer<W>) -> io::Result<()> {
    let [tests, skipped, failures, errors] = counts(suite.cases.iter());
    let start = BytesStart::new("testsuite").with_attributes([
        ("name", &*visible(&suite.name)),
        ("tests", &tests),
        ("skipped", &skipped),
        ("errors", &errors),
        ("failures", &failures),
    ]);
    if suite.cases.is_empty() {
        return xml.write_event(Event::Empty(start));
    }
    xml.write_event(Event::Start(start))?;
    for case in &suite.cases {
        write_case(case, xml)?;
    }
    xml.write_event(Event::End(BytesEnd::new("testsuite")))
}

fn write_case<W: Write>(case: &Case, xml: &mut Writer<W>) -> io::Result<()> {
    let mut start = BytesStart::new("testcase").with_attributes([("name", &*visible(&case.name))]);
    start.extend_attributes(Some(("classname", &*visible(&case.file))).filter(|_| !case.file.is_empty()));
    start.extend_attributes(case.attributes.iter().map(|(name, value)| (*name, value.as_str())));
    let (tag, message, kind, details) = match &case.verdict {
        Verdict::Passed => return xml.write_event(Event::Empty(start)),
        Verdict::Noted(note) => ("system-out", None, None, std::slice::from_ref(note)),
        Verdict::Accepted(reason) => ("skipped", Some(reason), None, &[][..]),
        Verdict::Failed { message, kind, details } => ("failure", Some(message), *kind, details.as_slice()),
        Verdict::Undecided(reason) => ("error", Some(reason), None, &[][..]),
    };
    xml.write_event(Event::Start(start))?;
    let mut verdict = BytesStart::new(tag);
    verdict.extend_attributes(
        message.map(|message| ("message", visible(message))).iter().map(|(key, text)| (*key, &**text)),
    );
    verdict.extend_attributes(kind.map(|kind| ("type", kind)));
    if details.is_empty() {
        xml.write_event(Event::Empty(verdict))?;
    } else {
        let lines: Vec<_> = details.iter().map(|line| visible(line)).collect();
        xml.write_event(Event::Start(verdict))?;
        xml.write_event(Event::Text(BytesText::new(&lines.join("\n"))))?;
        xml.write_event(Event::End(BytesEnd::new(tag)))?;
    }
    xml.write_event(Event::End(BytesEnd::new("testcase")))
}
