//! The keys of each object of a scenario. A test compares them with `schemas/scenario.schema.json`.

#[derive(Debug)]
pub struct Keys {
    /// The noun for the object in messages.
    pub noun: &'static str,
    /// Every key, in the order in which messages list them.
    pub known: &'static [&'static str],
    pub required: &'static [&'static str],
    /// Pointer of the description in the schema.
    #[cfg_attr(not(test), expect(dead_code, reason = "for the test that compares them"))]
    pub schema: &'static str,
}

pub const SCENARIO: Keys = Keys {
    noun: "a scenario",
    known: &[
        "$schema", "name", "workflow", "form", "culture", "start", "requester", "submit", "variables", "directory",
        "signing", "approvals", "faults", "providers", "limits", "expect",
    ],
    required: &["workflow"],
    schema: "",
};
pub const UPLOAD: Keys = Keys { noun: "an upload", known: &["file"], required: &["file"], schema: "/$defs/input" };
/// An entry has any attributes besides `dn`.
pub const ENTRY: Keys =
    Keys { noun: "an entry of the directory", known: &["dn"], required: &["dn"], schema: "/$defs/entry" };
pub const SIGNER: Keys =
    Keys { noun: "a signer", known: &["after", "action"], required: &["after", "action"], schema: "/$defs/signer" };
pub const APPROVER: Keys = Keys {
    noun: "an approver",
    known: &["after", "action"],
    required: &["after", "action"],
    schema: "/$defs/approver",
};
pub const FAULT: Keys = Keys {
    noun: "a fault",
    known: &["method", "call", "error"],
    required: &["method", "error"],
    schema: "/$defs/fault",
};
pub const RESULT: Keys =
    Keys { noun: "a result", known: &["outputs", "error"], required: &[], schema: "/$defs/result" };
pub const LIMITS: Keys = Keys {
    noun: "the limits",
    known: &["steps", "virtual-time", "script-seconds"],
    required: &[],
    schema: "/$defs/limits",
};
pub const EXPECT: Keys = Keys {
    noun: "an expectation",
    known: &["outcome", "variables", "statuses", "elapsed", "calls", "mails", "approvals", "failure"],
    required: &[],
    schema: "/$defs/expect",
};
pub const ELAPSED: Keys =
    Keys { noun: "a range of time", known: &["at-least", "at-most"], required: &[], schema: "/$defs/elapsed" };
pub const CALLS: Keys =
    Keys { noun: "a number of calls", known: &["at-least", "at-most"], required: &[], schema: "/$defs/calls" };
pub const MAIL: Keys = Keys { noun: "a mail", known: &["to", "kind"], required: &[], schema: "/$defs/mail" };

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;

    const ALL: [&Keys; 12] =
        [&SCENARIO, &UPLOAD, &ENTRY, &SIGNER, &APPROVER, &FAULT, &RESULT, &LIMITS, &EXPECT, &ELAPSED, &CALLS, &MAIL];

    fn schema() -> Value {
        let schema = crate::schema::SCHEMAS.iter().find(|schema| schema.name == "scenario").unwrap();
        serde_json::from_str(schema.text).unwrap()
    }

    #[test]
    fn the_schema_has_the_keys_that_are_read_and_no_other() {
        let schema = schema();
        for keys in ALL {
            let described = schema.pointer(keys.schema).unwrap();
            let properties: BTreeSet<&str> =
                described["properties"].as_object().unwrap().keys().map(String::as_str).collect();
            assert_eq!(properties, keys.known.iter().copied().collect(), "{}", keys.noun);
            let required = described["required"].as_array().map_or(&[][..], Vec::as_slice);
            let required: Vec<&str> = required.iter().filter_map(Value::as_str).collect();
            assert_eq!(required, keys.required, "{}", keys.noun);
            assert!(described["additionalProperties"] == false || keys.noun == ENTRY.noun, "{}", keys.noun);
        }
    }

    #[test]
    fn every_object_of_the_schema_is_read() {
        let schema = schema();
        let definitions = schema["$defs"].as_object().unwrap();
        let with_keys = definitions.iter().filter(|(_, definition)| definition.get("properties").is_some());
        let described: BTreeSet<String> = with_keys.map(|(name, _)| format!("/$defs/{name}")).collect();
        let read = ALL.iter().map(|keys| keys.schema.to_owned()).filter(|pointer| !pointer.is_empty());
        assert_eq!(described, read.collect());
    }
}
