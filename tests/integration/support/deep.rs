//! Documents with a chosen nesting depth.

/// A document and its parts.
pub struct Deep {
    pub name: &'static str,
    pub text: String,
}

/// A kind of nesting: what opens and closes one repetition, and the levels that it adds.
#[derive(Clone, Copy)]
struct Turn<'t> {
    open: &'t str,
    close: &'t str,
    levels: usize,
}

impl Turn<'_> {
    fn repeat(self, levels: usize) -> String {
        let turns = levels / self.levels;
        format!("{}{}", self.open.repeat(turns), self.close.repeat(turns))
    }
}

const LIST: Turn<'_> = Turn { open: "[", close: "]", levels: 1 };
const OBJECT: Turn<'_> = Turn { open: r#"{ "a": ["#, close: "] }", levels: 2 };
const BINDING: Turn<'_> = Turn { open: r#"{ "isBound": true, "boundTo": "A", "value": ["#, close: "] }", levels: 2 };
const SECTION: Turn<'_> = Turn {
    open: r#"{ "name": "F", "type": "FormSection", "fieldsViewModel": { "fields": ["#,
    close: "] } }",
    levels: 3,
};

const CONDITION: &str = r#""expression": { "type": "EqualityExpression", "operand": "equal",
    "left": { "isBound": true, "boundTo": "A" }, "right": { "isBound": false, "value": "B" } }, "#;

/// Documents of every kind, at most this deep, and at most two levels less.
pub fn documents(depth: usize) -> Vec<Deep> {
    let inside = depth - 2;
    let activities = |kind: &str, more: &str| {
        // The innermost one's condition is a level deeper than its list.
        let open = format!(r#"{{ "name": "N", "type": "{kind}", {more}"activities": ["#);
        in_list("activities", &Turn { open: &open, close: "] }", levels: 2 }.repeat(inside - 1))
    };
    let member = |name: &str, turn: Turn<'_>| {
        let value = turn.repeat(depth - 3);
        in_list("activities", &format!(r#"{{ "name": "N", "type": "Assign", "{name}": {value} }}"#))
    };
    let variables = format!(r#"{{ "activities": [], "variables": {} }}"#, LIST.repeat(depth - 1));
    [
        ("sequences", activities("Sequence", "")),
        ("ifs", activities("If", CONDITION)),
        ("whiles", activities("While", CONDITION)),
        ("approvals", activities("Approval", "")),
        ("unknown activities", activities("Other", "")),
        ("lists of activities", in_list("activities", &LIST.repeat(inside))),
        ("lists of variables", variables),
        ("lists of fields", in_list("fields", &LIST.repeat(inside))),
        ("sections", in_list("fields", &SECTION.repeat(inside))),
        ("parties", in_list("Parties", &OBJECT.repeat(inside))),
        ("objects", member("boundValues", OBJECT)),
        ("bindings", member("result", BINDING)),
    ]
    .map(|(name, text)| Deep { name, text })
    .into()
}

fn in_list(list: &str, item: &str) -> String {
    let variables = r#"[{ "name": "A", "id": 1, "variableType": "String" }]"#;
    format!(r#"{{ "{list}": [{item}], "variables": {variables} }}"#)
}

/// The nesting depth of JSON.
pub fn depth_of(text: &str) -> usize {
    let (mut depth, mut deepest) = (0usize, 0);
    for byte in text.bytes() {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}
