//! Generated documents: bytes, JSON, and documents that resemble workflows and forms.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::requests::request;
use super::tree::{Layout, Tree};
use super::words::{ACTIVITY_TYPES, EVENTS, FIELD_TYPES, KEYS, METHODS, ODD, PARAMETERS, PLAIN, VARIABLES, WORDS};

fn text_of(words: &'static [&'static str]) -> impl Strategy<Value = Tree> {
    select(words).prop_map(Tree::text)
}

/// A string: mostly a meaningful one, sometimes an odd one.
pub fn text() -> impl Strategy<Value = Tree> {
    prop_oneof![
        4 => text_of(&WORDS),
        3 => text_of(&VARIABLES),
        1 => text_of(&ACTIVITY_TYPES),
        2 => text_of(&ODD),
        1 => any::<String>().prop_map(Tree::Text),
    ]
}

fn plain() -> impl Strategy<Value = Tree> {
    select(&PLAIN[..]).prop_map(Tree::plain)
}

fn id() -> impl Strategy<Value = Tree> {
    (0..6).prop_map(Tree::plain)
}

pub fn flag() -> impl Strategy<Value = Tree> {
    any::<bool>().prop_map(Tree::plain)
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        12 => select(&KEYS[..]).prop_map(str::to_owned),
        2 => select(&ODD[..]).prop_map(str::to_owned),
        1 => any::<String>(),
    ]
}

/// Any JSON, with the keys of workflows and forms; a key may be duplicated.
pub fn any_json() -> impl Strategy<Value = Tree> {
    prop_oneof![text(), plain()].prop_recursive(5, 40, 6, |inner| {
        prop_oneof![vec(inner.clone(), 0..5).prop_map(Tree::List), vec((key(), inner), 0..7).prop_map(Tree::Object),]
    })
}

/// Mostly the value that belongs there, sometimes any other.
fn mostly(value: impl Strategy<Value = Tree> + 'static) -> BoxedStrategy<Tree> {
    prop_oneof![40 => value, 1 => prop_oneof![text(), plain(), any_json()]].boxed()
}

/// Keys of an object, each with its values.
pub type Members = Vec<(&'static str, BoxedStrategy<Tree>)>;

/// An object with most of these keys, each mostly with a correct value, and rarely another key.
pub fn object(members: Members) -> BoxedStrategy<Tree> {
    let number = members.len();
    let (keys, values): (Vec<_>, Vec<_>) = members.into_iter().map(|(key, value)| (key, mostly(value))).unzip();
    let more = proptest::option::weighted(0.05, (key(), any_json()));
    (values, vec(0..30u8, number), more)
        .prop_map(move |(values, chances, more)| {
            let kept = keys.iter().zip(values).zip(chances).filter(|(_, chance)| *chance > 0);
            let members = kept.map(|((key, value), _)| ((*key).to_owned(), value));
            Tree::Object(members.chain(more).collect())
        })
        .boxed()
}

pub fn list(item: impl Strategy<Value = Tree> + 'static, most: usize) -> BoxedStrategy<Tree> {
    vec(mostly(item), 0..=most).prop_map(Tree::List).boxed()
}

fn variable_name() -> BoxedStrategy<Tree> {
    prop_oneof![9 => text_of(&VARIABLES), 1 => text_of(&ODD)].boxed()
}

fn literal() -> BoxedStrategy<Tree> {
    prop_oneof![text(), plain()].boxed()
}

/// A binding in either form.
pub fn binding() -> BoxedStrategy<Tree> {
    let target = || variable_name();
    prop_oneof![
        object(vec![
            ("isBound", Just(Tree::plain("true")).boxed()),
            ("boundTo", target()),
            ("boundToId", id().boxed())
        ]),
        object(vec![("state", Just(Tree::text("bound")).boxed()), ("boundTo", target()), ("boundToId", id().boxed())]),
        object(vec![("isBound", Just(Tree::plain("false")).boxed()), ("value", literal())]),
        object(vec![("state", Just(Tree::text("static")).boxed()), ("value", literal())]),
        object(vec![
            ("state", text_of(&WORDS).boxed()),
            ("isBound", flag().boxed()),
            ("value", literal()),
            ("boundTo", target()),
            ("boundToId", id().boxed()),
            ("isBoundToSystemVariable", flag().boxed()),
        ]),
    ]
    .boxed()
}

fn variable() -> BoxedStrategy<Tree> {
    object(vec![
        ("name", variable_name()),
        ("id", id().boxed()),
        ("realId", id().boxed()),
        ("value", literal()),
        ("variableType", select(&["String", "File"][..]).prop_map(Tree::text).boxed()),
        ("isInputParameter", flag().boxed()),
        ("shouldHide", flag().boxed()),
        ("isSystemVariable", flag().boxed()),
        ("isAssignable", flag().boxed()),
        ("shouldHide", flag().boxed()),
        ("hideAll", flag().boxed()),
        ("hideStartIndex", select(&["-1", "0", "8"][..]).prop_map(Tree::plain).boxed()),
    ])
}

/// A string in several languages.
fn locales() -> BoxedStrategy<Tree> {
    let code = prop_oneof![9 => select(&["en-US", "sv-SE"][..]), 1 => select(&["en_US", ""][..])];
    let texts = vec((code.prop_map(str::to_owned), text_of(&WORDS)), 0..3);
    texts.prop_map(Tree::Object).boxed()
}

fn bound(name: &'static str) -> Tree {
    Tree::object([("isBound", Tree::plain("true")), ("boundTo", Tree::text(name))])
}

fn fixed(value: &'static str) -> Tree {
    Tree::object([("isBound", Tree::plain("false")), ("value", Tree::text(value))])
}

/// A parameter, sometimes one that providers of a service share.
fn parameter() -> BoxedStrategy<Tree> {
    let named = |name: &'static str, value: Tree| Just(Tree::object([("name", Tree::text(name)), ("value", value)]));
    prop_oneof![
        6 => any_parameter(),
        2 => named("Prefix", fixed("ESign")),
        1 => named("Prefix", fixed("Manager")),
        1 => named("Property", fixed("DisplayName")),
        1 => named("Id", bound("ESignId")),
    ]
    .boxed()
}

fn any_parameter() -> BoxedStrategy<Tree> {
    object(vec![
        ("id", id().boxed()),
        ("name", prop_oneof![9 => text_of(&PARAMETERS), 1 => text_of(&ODD)].boxed()),
        ("providerParameterType", select(&["string", "decimal", "boolean"][..]).prop_map(Tree::text).boxed()),
        ("required", flag().boxed()),
        ("isAdditional", flag().boxed()),
        ("value", binding()),
    ])
}

fn expression() -> BoxedStrategy<Tree> {
    let status = select(&["Finished", "Rejected", "Finnished"][..]).prop_map(fixed);
    object(vec![
        ("type", Just(Tree::text("EqualityExpression")).boxed()),
        ("operand", select(&["equal", "notEqual"][..]).prop_map(Tree::text).boxed()),
        ("left", prop_oneof![Just(bound("ESignStatus")), binding()].boxed()),
        ("right", prop_oneof![status, binding()].boxed()),
    ])
}

fn leaf_activity() -> BoxedStrategy<Tree> {
    let common = || vec![("name", text().boxed()), ("type", text_of(&ACTIVITY_TYPES).boxed())];
    let with = |kind: &'static str, members: Members| {
        let editor = vec![("hasNewerVersion", flag().boxed()), ("ownBoundVariables", list(variable_name(), 2))];
        object([vec![("name", text().boxed()), ("type", Just(Tree::text(kind)).boxed())], members, editor].concat())
    };
    let method = prop_oneof![9 => text_of(&METHODS), 1 => text_of(&ODD)].boxed();
    prop_oneof![
        2 => request(),
        4 => with("Provider", vec![
            ("method", method),
            ("methodId", select(&["1133", "1134", "2311", "219", "0"][..]).prop_map(Tree::plain).boxed()),
            ("providerParameters", list(parameter(), 4)),
            ("additionalProviderParameters", list(parameter(), 2)),
            ("allProviderParameters", list(parameter(), 3)),
            ("stopOnError", flag().boxed()),
            ("providerResult", binding()),
        ]),
        3 => with("Assign", vec![("result", binding()), ("body", text().boxed()), ("assignedVariables", list(binding(), 2))]),
        2 => with("Status", vec![("status", binding()), ("statusTranslations", locales())]),
        1 => with("Terminate", vec![]),
        1 => with("Code", vec![("parameters", list(parameter(), 2)), ("script", text().boxed())]),
        1 => object(common()),
    ]
    .boxed()
}

fn activity() -> BoxedStrategy<Tree> {
    leaf_activity()
        .prop_recursive(4, 24, 4, |inner| {
            let with = move |kind: &'static str, members: Members| {
                let head: Members = vec![("name", text().boxed()), ("type", Just(Tree::text(kind)).boxed())];
                object([head, members, vec![("activities", list(inner.clone(), 4))]].concat())
            };
            prop_oneof![
                with("Sequence", vec![]),
                with("If", vec![("expression", expression())]),
                with("While", vec![("expression", expression()), ("iterationDelaySeconds", binding())]),
                with("Event", vec![("event", text_of(&EVENTS).boxed())]),
                with(
                    "Approval",
                    vec![
                        ("connectedFormName", text().boxed()),
                        ("approvalType", select(&["parallel", "paralel"][..]).prop_map(Tree::text).boxed()),
                        ("timeout", binding()),
                        ("remindTime", binding()),
                        ("assignees", list(object(vec![("type", text().boxed()), ("parameter", binding())]), 2)),
                        ("approvalResult", binding()),
                    ]
                ),
            ]
        })
        .boxed()
}

fn properties() -> BoxedStrategy<Tree> {
    let item = object(vec![("id", id().boxed()), ("value", text_of(&WORDS).boxed()), ("selected", flag().boxed())]);
    object(vec![
        ("validationpattern", select(&["", "^[a-z]+$", "(", "[z-a]"][..]).prop_map(Tree::text).boxed()),
        ("dropdownItems", list(item, 3)),
        ("isMultiSelect", flag().boxed()),
        ("isDynamicBind", flag().boxed()),
        ("dataSource", select(&["", "Package/DropDown.ADUser", "Users"][..]).prop_map(Tree::text).boxed()),
    ])
}

fn field() -> BoxedStrategy<Tree> {
    let members = |kind: BoxedStrategy<Tree>| -> Members {
        vec![
            ("name", text().boxed()),
            ("type", kind),
            ("required", flag().boxed()),
            ("hidden", flag().boxed()),
            ("displayName", locales()),
            ("size", select(&["1", "4", "5"][..]).prop_map(Tree::text).boxed()),
            ("properties", properties()),
            ("isBound", flag().boxed()),
            ("boundTo", variable_name()),
            ("properties", object(vec![("validationtype", id().boxed())])),
        ]
    };
    object(members(text_of(&FIELD_TYPES).boxed()))
        .prop_recursive(3, 12, 3, move |inner| {
            let section = Just(Tree::text("FormSection")).boxed();
            let children = object(vec![("fields", list(inner, 3))]);
            object([members(section), vec![("fieldsViewModel", children)]].concat())
        })
        .boxed()
}

/// A document that resembles a workflow.
pub fn workflow() -> BoxedStrategy<Tree> {
    object(vec![("activities", list(activity(), 5)), ("variables", list(variable(), 6))])
}

/// A document that resembles a form.
pub fn form() -> BoxedStrategy<Tree> {
    object(vec![("fields", list(field(), 4)), ("variables", list(variable(), 4))])
}

/// A layout of a document.
pub fn layout() -> impl Strategy<Value = Layout> {
    let line_end = select(&[None, Some("\n"), Some("\r\n"), Some("\r")][..]);
    (line_end, proptest::bool::weighted(0.1)).prop_map(|(line_end, mark)| Layout { line_end, mark })
}

/// Pieces of a JSON text with the keys of a document, some of them malformed.
pub fn pieces() -> impl Strategy<Value = Vec<u8>> {
    const PIECES: [&[u8]; 34] = [
        b"{", b"}", b"[", b"]", b":", b",", b"\"", b"\\", b" ", b"\n", b"\r\n", b"\"activities\": [", b"\"fields\": [",
        b"\"variables\": []", b"\"name\": \"A\"", b"\"type\": \"Status\"", b"\"Parties\": [", b"{ \"name\": ",
        b"\"\\u00e4\"", b"\"\\ud83d\\ude00\"", b"\"\\ud83d\"", b"\"\\x\"", b"\"\xc3\xa4\"", b"\xc3", b"\xff",
        b"\xef\xbb\xbf", b"\xed\xa0\x80", b"0", b"-1.5e+3", b"01", b"true", b"nul", b"// c\n", b"\0",
    ];
    let piece = prop_oneof![
        8 => select(&PIECES[..]).prop_map(<[u8]>::to_vec),
        1 => vec(any::<u8>(), 0..4),
    ];
    (proptest::bool::ANY, vec(piece, 0..40)).prop_map(|(is_ours, pieces)| {
        let start: &[u8] = if is_ours { b"{ \"activities\": [" } else { b"" };
        [start, &pieces.concat()].concat()
    })
}
