//! Parameters that are not an object.

use serde_json::Value;

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::parameters::types::Types;
use crate::parameters::words;
use crate::rule::rule;

rule! {
    /// `parameters` do not declare `"type": "object"`.
    ///
    /// ## Why
    /// Arguments have names: every provider sends them as one object and takes no other
    /// declaration. A tool without parameters declares an object without properties.
    ///
    /// ## Example
    /// ```json
    /// { "parameters": { "properties": { "query": { "type": "string" } } } }
    /// ```
    ///
    /// ## Fix
    /// Write `"type": "object"` at the top of `parameters`:
    /// `{ "type": "object", "additionalProperties": false, "properties": {} }`.
    ROOT_NOT_OBJECT, "AIL-A018", "root-not-object", Error
}

const NO_PARAMETERS: &str =
    "write `{ \"type\": \"object\", \"additionalProperties\": false, \"properties\": {} }`";

pub(crate) fn check(document: &Document, root: &str, schema: &Value, found: &mut Vec<Diagnostic>) {
    let Value::Object(schema) = schema else {
        let message = format!(
            "`parameters`: expected a schema of type object, found {}",
            words::found(schema)
        );
        found.push(document.at_value(&ROOT_NOT_OBJECT, root, message).help(NO_PARAMETERS));
        return;
    };
    match schema.get("type") {
        Some(Value::String(name)) if name == "object" => {}
        None => {
            let message = "`parameters` have no type: expected \"object\"";
            found.push(
                document.at_key(&ROOT_NOT_OBJECT, root, message).help("add `\"type\": \"object\"`"),
            );
        }
        Some(other) if Types::declared(schema).is_some() => {
            let message =
                format!("type of `parameters`: expected \"object\", found {}", words::shown(other));
            let place = format!("{root}/type");
            found.push(
                document
                    .at_value(&ROOT_NOT_OBJECT, &place, message)
                    .help("write `\"type\": \"object\"`"),
            );
        }
        // Not a type at all: reported as such.
        Some(_) => {}
    }
}
