//! The call of the parser.

use oxc_allocator::Allocator;
use oxc_parser::{ParseOptions, Parser, ParserReturn};
use oxc_span::SourceType;

/// Parses a sloppy script, which may return.
pub(super) fn parse_text<'a>(allocator: &'a Allocator, script: &'a str) -> ParserReturn<'a> {
    let options =
        ParseOptions { parse_regular_expression: true, allow_return_outside_function: true, ..ParseOptions::default() };
    Parser::new(allocator, script, SourceType::cjs()).with_options(options).parse()
}
