//! Signing requests and the cases that they describe, correct and malformed.

use proptest::prelude::*;
use proptest::sample::select;

use super::strategies::{Members, binding, flag, list, object, text};
use super::tree::{Layout, Tree};

fn one_of(values: &'static [&'static str]) -> BoxedStrategy<Tree> {
    select(values).prop_map(Tree::text).boxed()
}

fn number(values: &'static [&'static str]) -> BoxedStrategy<Tree> {
    select(values).prop_map(Tree::plain).boxed()
}

/// A parameter with a literal, sometimes with a binding.
fn parameter(name: &'static str, literal: BoxedStrategy<Tree>) -> BoxedStrategy<Tree> {
    let fixed = literal.prop_map(|value| Tree::object([("state", Tree::text("static")), ("value", value)]));
    object(vec![
        ("name", Just(Tree::text(name)).boxed()),
        ("hasValue", flag().boxed()),
        ("isDuplicate", proptest::bool::weighted(0.1).prop_map(Tree::plain).boxed()),
        ("value", prop_oneof![3 => fixed, 1 => binding()].boxed()),
    ])
}

fn provider(
    method: &'static str,
    parameters: Vec<BoxedStrategy<Tree>>,
    path: BoxedStrategy<Tree>,
) -> BoxedStrategy<Tree> {
    let lists = (parameters, path, any::<bool>());
    lists
        .prop_map(move |(declared, path, stops)| {
            Tree::object([
                ("name", Tree::text("Request")),
                ("type", Tree::text("Provider")),
                ("method", Tree::text(method)),
                ("stopOnError", Tree::plain(stops)),
                ("providerParameters", Tree::List(declared)),
                ("additionalProviderParameters", Tree::List(vec![path])),
            ])
        })
        .boxed()
}

/// An activity that requests signatures, or looks up a person.
pub fn request() -> BoxedStrategy<Tree> {
    let path = || parameter("PathContract", one_of(&["C:\\contract.pdf", ""]));
    let days = || number(&["0", "14", "30", "-1", "1.5"]);
    let plain = vec![
        parameter("PartyEmail", one_of(&["anna@example.com", "Anna <anna@example.com>", "anna"])),
        parameter("PartySSN", one_of(&["19811218-9876", "19811318-9876", "131052-308U", "1981", "\u{10ffff}"])),
        parameter("ExpireAfterDays", days()),
        parameter("RemindAfterDays", days()),
        parameter("ConnectionURI", one_of(&["https://example.com/v2", "http://example.com", "example.com", "\u{1b}"])),
    ];
    let case = signing_case().prop_map(|case| Tree::Text(case.write(Layout { line_end: Some("\n"), mark: false })));
    let case = prop_oneof![6 => case, 1 => text()].boxed();
    let lookup = vec![
        parameter("Property", one_of(&["Mail", "Mail,,Mobile", "Mail, Mail", " "])),
        parameter("LDAPFilter", one_of(&["(mail=*)", "mail=ä*", "(&(mail=*)", "(\u{10ffff}"])),
    ];
    prop_oneof![
        provider("Request-ZPESignDocumentSignature", plain, path()),
        provider("Request-ZPESignDocumentSignatureWithJsonInput", vec![parameter("Json", case)], path()),
        provider("Get-ZPADUser", lookup, path()),
    ]
    .boxed()
}

fn party() -> BoxedStrategy<Tree> {
    object(vec![
        ("Name", text().boxed()),
        ("EmailAddress", one_of(&["anna@example.com", "Anna@example.com", "bo@example.com", ""])),
        ("AnyoneCanSign", flag().boxed()),
        ("MobilePhone", one_of(&["+46701740605", ""])),
        ("SocialSecurityNumber", one_of(&["19811218-9876", ""])),
        ("SignatureType", prop_oneof![number(&["0"]), one_of(&["0", "sms"])].boxed()),
    ])
}

/// A document that looks like a signing case.
pub fn signing_case() -> BoxedStrategy<Tree> {
    let members: Members = vec![
        ("Name", text().boxed()),
        ("Parties", list(party(), 3)),
        ("AllowedSignatureTypes", list(one_of(&["ElectronicId", "sms", "SMS", "Pen"]), 2)),
        ("Culture", one_of(&["sv-SE", "en_US", "\u{202e}"])),
        ("Cultur", text().boxed()),
        ("ExpireAfterDays", number(&["0", "14"])),
        ("RemindAfterDays", number(&["0", "7", "14"])),
        ("ApprovalRequired", flag().boxed()),
        ("Approvers", list(text(), 1)),
    ];
    object(members)
}
