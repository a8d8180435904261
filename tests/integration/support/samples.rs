//! Small documents with a known number of findings.

/// A workflow without a finding.
pub const FINE: &str = r#"{
  "activities": [{ "name": "Say", "type": "Status", "statusTranslations": { "en-US": "Done" } }],
  "variables": []
}
"#;

/// A workflow with one error: WF101, at line 2, column 93.
pub const ERROR: &str = r#"{
  "activities": [{ "name": "Say", "type": "Status", "status": { "isBound": true, "boundTo": "Nobody" } }],
  "variables": []
}
"#;

/// A workflow with one warning: WF414.
pub const WARNING: &str = r#"{
  "activities": [{ "name": "Say", "type": "Status" }],
  "variables": []
}
"#;

/// A workflow with one info: WF007.
pub const INFO: &str = r#"{
  "activities": [
    { "name": "Say", "type": "Status", "statusTranslations": { "en-US": "Done" }, "wallpaper": "red" }
  ],
  "variables": []
}
"#;

/// A workflow that is cut off: WF001.
pub const BROKEN: &str = "{ \"activities\": [";

/// JSON, but no document.
pub const UNRELATED: &str = "{ \"name\": \"other\", \"version\": \"1.0.0\" }\n";

/// A workflow that reads `Name` and `Other` and writes neither; alone it has no finding but an info
/// of its own (WF007).
pub const READER: &str = r#"{
  "activities": [
    { "name": "Say who", "type": "Status", "status": { "isBound": true, "boundTo": "Name", "boundToId": 1 } },
    {
      "name": "Say more",
      "type": "Status",
      "status": { "isBound": true, "boundTo": "Other", "boundToId": 2 },
      "wallpaper": "red"
    }
  ],
  "variables": [
    { "name": "Name", "id": 1, "variableType": "String" },
    { "name": "Other", "id": 2, "variableType": "String" }
  ]
}
"#;

/// A form that fills `Name`, so that nothing fills the `Other` of [`READER`] (WF302), and has an
/// error of its own (WF604).
pub const FILLER: &str = r#"{
  "fields": [
    {
      "name": "Name",
      "displayName": { "en-US": "Name" },
      "type": "InputText",
      "isBound": true,
      "boundTo": "Name"
    },
    { "name": "Name", "displayName": { "en-US": "Name again" }, "type": "InputText" }
  ],
  "variables": [{ "name": "Name", "id": 1, "variableType": "String" }]
}
"#;

/// A workflow with one error that a safe fix corrects: WF102.
pub const MISMATCH: &str = r#"{
  "activities": [
    { "name": "Say", "type": "Status", "status": { "isBound": true, "boundTo": "Name", "boundToId": 9 } }
  ],
  "variables": [{ "name": "Name", "id": 1, "variableType": "String", "isInputParameter": true }]
}
"#;
