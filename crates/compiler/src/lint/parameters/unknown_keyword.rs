//! A keyword that JSON Schema does not have.

use serde_json::Value;

use crate::diagnostic::Diagnostic;
use crate::parameters::keyword::{self, KeywordType};
use crate::parameters::site::Site;
use crate::rule::rule;
use crate::suggest;

rule! {
    /// A schema uses a keyword that JSON Schema 2020-12 does not have.
    ///
    /// ## Why
    /// A validator ignores unknown keywords. A misspelt `maxLength` limits nothing, without any
    /// warning: the model may send a text of any length, and the handler receives it.
    ///
    /// ## Example
    /// ```json
    /// { "type": "string", "maxLenght": 500 }
    /// ```
    ///
    /// ## Fix
    /// Correct the spelling. Parameters belong under `properties`. Notes for other programs
    /// start with `x-`: `"x-owner": "search team"`.
    UNKNOWN_KEYWORD, "AIL-A001", "unknown-keyword", Error
}

pub(crate) fn check(site: &Site<'_>, name: &str, value: &Value, found: &mut Vec<Diagnostic>) {
    if name.starts_with("x-") {
        return;
    }
    let message = format!("unknown keyword `{name}` in {}", site.subject());
    found.push(site.at_key(&UNKNOWN_KEYWORD, name, message).help(help(name, value)));
}

fn help(name: &str, value: &Value) -> String {
    let closest = suggest::closest(name, keyword::names()).and_then(keyword::find);
    let takes_schemas = closest.is_some_and(|keyword| keyword.shape.container().is_some());
    if is_like_a_schema(value) && !takes_schemas {
        return format!("if `{name}` is a property, move it under `properties`");
    }
    let holds_none = matches!(value, Value::Null | Value::Number(_) | Value::String(_));
    match closest.filter(|_| !(takes_schemas && holds_none)) {
        Some(closest) => format!("did you mean `{}`?", closest.name),
        None => format!("remove it, or write `x-{name}` if it is a note for other programs"),
    }
}

fn is_like_a_schema(value: &Value) -> bool {
    let Some(object) = value.as_object() else { return false };
    object.keys().any(|key| {
        keyword::find(key).is_some_and(|keyword| keyword.shape != KeywordType::Text)
            || key == "description"
    })
}
