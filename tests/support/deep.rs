//! Documents that are nested as deep as is asked for.

/// A document and what it is called.
pub struct Deep {
    pub name: &'static str,
    pub text: String,
}

/// How a document goes deeper: what opens and closes one turn, and the levels that a turn takes.
struct Turn {
    open: &'static str,
    close: &'static str,
    levels: usize,
}

impl Turn {
    fn repeat(&self, levels: usize, innermost: &str) -> String {
        let turns = levels / self.levels;
        format!("{}{innermost}{}", self.open.repeat(turns), self.close.repeat(turns))
    }
}

const CONDITION: &str = r#""expression": { "type": "EqualityExpression", "operand": "equal",
    "left": { "isBound": true, "boundTo": "A" }, "right": { "isBound": false, "value": "B" } }, "#;

/// One document of each kind, at most this deep, and not more than two levels less.
pub fn documents(depth: usize) -> Vec<Deep> {
    let activity = |kind: &str, more: &str| format!(r#"{{ "name": "N", "type": "{kind}", {more}"activities": ["#);
    let turns = |open: String| Turn { open: String::leak(open), close: "] }", levels: 2 };
    let workflow = |name, kind: &str, more: &str| Deep {
        name,
        text: around("activities", &turns(activity(kind, more)).repeat(depth - 2, "")),
    };
    let array = Turn { open: "[", close: "]", levels: 1 };
    let object = Turn { open: r#"{ "a": "#, close: " }", levels: 1 };
    let section = Turn {
        open: r#"{ "name": "F", "type": "FormSection", "fieldsViewModel": { "fields": ["#,
        close: "] } }",
        levels: 3,
    };
    let binding = Turn { open: r#"{ "isBound": true, "boundTo": "A", "value": "#, close: " }", levels: 1 };
    let inside = |member: &str, value: &str| {
        around("activities", &format!(r#"{{ "name": "N", "type": "Assign", "{member}": {value} }}"#))
    };
    vec![
        workflow("sequences", "Sequence", ""),
        workflow("ifs", "If", CONDITION),
        workflow("whiles", "While", CONDITION),
        workflow("approvals", "Approval", ""),
        workflow("unknown types", "Other", ""),
        Deep { name: "arrays of activities", text: around("activities", &array.repeat(depth - 2, "")) },
        Deep { name: "arrays of variables", text: around("variables\": [], \"activities", &array.repeat(depth - 2, "1")) },
        Deep { name: "objects", text: inside("boundValues", &object.repeat(depth - 3, "1")) },
        Deep { name: "bindings", text: inside("result", &binding.repeat(depth - 3, "1")) },
        Deep { name: "sections", text: around("fields", &section.repeat(depth - 2, "")) },
        Deep { name: "arrays of fields", text: around("fields", &array.repeat(depth - 2, "")) },
        Deep { name: "parties", text: around("Parties", &object.repeat(depth - 2, "1")) },
    ]
}

fn around(list: &str, item: &str) -> String {
    format!("{{ \"{list}\": [{item}], \"variables\": [{{ \"name\": \"A\", \"id\": 1, \"variableType\": \"String\" }}] }}")
}

/// How deep a text is nested.
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
