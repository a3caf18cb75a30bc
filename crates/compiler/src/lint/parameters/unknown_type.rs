//! A type that JSON does not have.

use serde_json::Value;

use crate::diagnostic::Diagnostic;
use crate::parameters::site::Site;
use crate::parameters::types::Types;
use crate::parameters::words;
use crate::rule::rule;
use crate::suggest;

rule! {
    /// The `type` of a schema is not one of the seven that JSON Schema has.
    ///
    /// ## Why
    /// The names are `string`, `integer`, `number`, `boolean`, `array`, `object` and `null`,
    /// in lower case. Names from programming languages and from provider formats (`str`,
    /// `float`, `OBJECT`) make the schema invalid.
    ///
    /// ## Example
    /// ```json
    /// { "type": "int" }
    /// ```
    ///
    /// ## Fix
    /// Write the JSON name; here, `"type": "integer"`. For any type, leave `type` out.
    UNKNOWN_TYPE, "AIL-A009", "unknown-type", Error
}

const NAMES: &[&str] = &["string", "integer", "number", "boolean", "array", "object", "null"];

/// The names of types in other languages.
const ALIASES: &[(&str, &str)] = &[
    ("str", "string"),
    ("text", "string"),
    ("char", "string"),
    ("int", "integer"),
    ("int32", "integer"),
    ("int64", "integer"),
    ("long", "integer"),
    ("uint", "integer"),
    ("float", "number"),
    ("double", "number"),
    ("decimal", "number"),
    ("bool", "boolean"),
    ("list", "array"),
    ("tuple", "array"),
    ("set", "array"),
    ("dict", "object"),
    ("map", "object"),
    ("hash", "object"),
    ("struct", "object"),
    ("none", "null"),
    ("nil", "null"),
    ("undefined", "null"),
];

pub(crate) fn check(site: &Site<'_>, value: &Value, found: &mut Vec<Diagnostic>) {
    match value {
        Value::String(name) => {
            if let Some((message, help)) = fault(site, name) {
                found.push(site.at_value(&UNKNOWN_TYPE, "type", message).help(help));
            }
        }
        Value::Array(names) => {
            for (index, name) in names.iter().enumerate() {
                if let Some((message, help)) = name.as_str().and_then(|name| fault(site, name)) {
                    let entry = index.to_string();
                    found.push(site.at_entry(&UNKNOWN_TYPE, "type", &entry, message).help(help));
                }
            }
        }
        _ => {}
    }
}

fn fault(site: &Site<'_>, name: &str) -> Option<(String, String)> {
    if Types::named(name).is_some() {
        return None;
    }
    let message = format!(
        "unknown type `{}` of {}: expected {}",
        words::shorten(name),
        site.subject(),
        NAMES.join(", ")
    );
    Some((message, help(name)))
}

fn help(name: &str) -> String {
    let folded = name.trim().to_lowercase();
    if let Some(list) = union(&folded) {
        return format!("write `\"type\": [{list}]`");
    }
    match folded.as_str() {
        "any" | "*" | "mixed" | "unknown" | "" => "leave `type` out to allow any type".to_owned(),
        "date" | "time" | "date-time" | "uuid" | "uri" | "email" => {
            format!("write `\"type\": \"string\", \"format\": \"{folded}\"`")
        }
        "datetime" | "timestamp" => {
            "write `\"type\": \"string\", \"format\": \"date-time\"`".to_owned()
        }
        "file" | "binary" | "bytes" => {
            "write `\"type\": \"string\", \"contentEncoding\": \"base64\"`".to_owned()
        }
        "enum" => "leave `type` out; `enum` alone is enough".to_owned(),
        _ => match json_name(&folded) {
            Some(json) => format!("did you mean `{json}`?"),
            None => "use one of these, or leave `type` out to allow any".to_owned(),
        },
    }
}

fn json_name(folded: &str) -> Option<&'static str> {
    let alias = ALIASES.iter().find(|(alias, _)| *alias == folded).map(|(_, json)| *json);
    alias.or_else(|| suggest::closest(folded, NAMES.iter().copied()))
}

/// `string | null` and `string?` as JSON Schema writes them.
fn union(folded: &str) -> Option<String> {
    let optional = folded.strip_suffix('?').map(|name| format!("{name}|null"));
    let folded = optional.as_deref().unwrap_or(folded);
    if !folded.contains(['|', ',']) {
        return None;
    }
    let names: Option<Vec<_>> =
        folded.split(['|', ',']).map(|name| json_name(name.trim())).collect();
    Some(names?.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", "))
}
