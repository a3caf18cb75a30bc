//! A keyword of another format that looks like JSON Schema.

use serde_json::Value;

use crate::diagnostic::Diagnostic;
use crate::parameters::site::Site;
use crate::parameters::words;
use crate::rule::rule;

rule! {
    /// A keyword comes from OpenAPI or another format that only resembles JSON Schema.
    ///
    /// ## Why
    /// OpenAPI 3.0, the Gemini API and several libraries have schema formats of their own.
    /// A JSON Schema validator ignores their keywords: with `nullable: true`, null is refused
    /// all the same, and `optional: true` makes nothing optional.
    ///
    /// ## Example
    /// ```json
    /// { "type": "string", "nullable": true, "example": "Ada" }
    /// ```
    ///
    /// ## Fix
    /// Write what the help says; here,
    /// `{ "type": ["string", "null"], "examples": ["Ada"] }`.
    OPENAPI_KEYWORD, "AIL-A015", "openapi-keyword", Error
}

/// Reports a keyword of another format; whether it was one.
pub(crate) fn check(
    site: &Site<'_>,
    name: &str,
    value: &Value,
    found: &mut Vec<Diagnostic>,
) -> bool {
    let Some(help) = help(site, name, value) else { return false };
    let message = format!("`{name}` in {} is not a keyword of JSON Schema", site.subject());
    found.push(site.at_key(&OPENAPI_KEYWORD, name, message).help(help));
    true
}

/// The replacement.
fn help(site: &Site<'_>, name: &str, value: &Value) -> Option<String> {
    Some(match name {
        "nullable" => nullable(site, value),
        "example" => format!("write `\"examples\": [{}]`", words::shown(value)),
        "optional" => {
            "remove it: a property is optional unless `required` of its object names it".to_owned()
        }
        "discriminator" => {
            "remove it, and give each form a property with a `const` that tells it apart".to_owned()
        }
        "xml" => "remove it: arguments are JSON".to_owned(),
        "externalDocs" => "remove it, or put the address in `description`".to_owned(),
        "any_of" => "write `anyOf`".to_owned(),
        "one_of" => "write `oneOf`".to_owned(),
        "all_of" => "write `allOf`".to_owned(),
        "propertyOrdering" | "property_ordering" => {
            "remove it: properties keep the order in which they are written".to_owned()
        }
        "enumNames" | "enumDescriptions" | "enum_descriptions" => {
            "remove it, and explain the values in `description`".to_owned()
        }
        "errorMessage" => "remove it: messages are made from the schema".to_owned(),
        "strict" => {
            "remove it: it belongs to a provider's declaration, which is made at build time"
                .to_owned()
        }
        _ => return None,
    })
}

fn nullable(site: &Site<'_>, value: &Value) -> String {
    let types = match site.get("type") {
        _ if *value != Value::Bool(true) => return "remove it".to_owned(),
        Some(Value::String(name)) => vec![Value::from(name.as_str()), Value::from("null")],
        Some(Value::Array(names)) => names.iter().cloned().chain([Value::from("null")]).collect(),
        _ => return "write `\"anyOf\": [{...}, {\"type\": \"null\"}]`".to_owned(),
    };
    let types = Value::from(types).to_string().replace("\",\"", "\", \"");
    let also = if site.get("enum").is_some() { ", and add null to `enum`" } else { "" };
    format!("write `\"type\": {types}`{also}")
}
