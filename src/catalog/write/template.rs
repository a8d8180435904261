//! The text of a catalog to fill in, for a plug-in whose source cannot be imported.

use super::plugin_name;
use crate::files::toml_file;

/// What follows the names of the plug-in. Lines that begin with `#:` are comments about the others, which are commented
/// out.
const BODY: &str = include_str!("template.toml");

/// A catalog without methods for a plug-in or a module, with commented examples. It is valid as it is.
pub fn template(name: &str) -> String {
    let plugin = plugin_name(name);
    let quoted = |text: &str| toml_file::quoted(text, |_, character| character.is_control());
    // A plug-in's module is not known.
    let (sign, module) = if plugin == name { ("# ", format!("Activity.{name}")) } else { ("", name.to_owned()) };
    let names = format!("plugin = {}\n{sign}module = {}\n", quoted(plugin), quoted(&module));
    BODY.replace("#:", "#").replacen("@names@\n", &names, 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;

    fn schema_errors(text: &str) -> Vec<String> {
        let schema = serde_json::from_str(include_str!("../../../schemas/catalog.schema.json")).unwrap();
        let value: serde_json::Value = toml::from_str(text).unwrap();
        jsonschema::validator_for(&schema).unwrap().iter_errors(&value).map(|error| error.to_string()).collect()
    }

    #[test]
    fn template_is_valid_as_it_is_and_when_it_is_filled_in() {
        for name in ["Badges", "Activity.Badges", "a \"b\"\n"] {
            let text = template(name);
            assert_eq!(schema_errors(&text), Vec::<String>::new(), "{text}");
            let mut catalog = Catalog::default();
            catalog.add("new.toml", &text).unwrap();
            assert!(catalog.methods.is_empty() && catalog.common_outputs.is_empty(), "{text}");
        }
        let filled: String = BODY.replace("@names@", "plugin = \"x\"").lines().fold(String::new(), |text, line| {
            let line = if line.starts_with("#:") { "" } else { line.strip_prefix("# ").unwrap_or(line) };
            text + line + "\n"
        });
        assert_eq!(schema_errors(&filled), Vec::<String>::new(), "{filled}");
        let mut catalog = Catalog::default();
        catalog.add("new.toml", &filled).unwrap();
        assert!(catalog.methods.len() == 1 && catalog.common_outputs.len() == 1, "{filled}");
    }
}
