//! Parameters that let anything through.

use serde_json::{Map, Value};

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::parameters::words;
use crate::rule::rule;

rule! {
    /// `parameters` do not say `"additionalProperties": false`.
    ///
    /// ## Why
    /// Without it, undeclared arguments reach the handler: a misspelt one that is silently
    /// ignored, or a confirmation token that a model invented. With it, the model receives an
    /// error that names the argument. Nested objects may stay open where that is intended.
    ///
    /// ## Example
    /// ```json
    /// { "type": "object", "properties": { "query": { "type": "string" } } }
    /// ```
    ///
    /// ## Fix
    /// Add `"additionalProperties": false` at the top of `parameters`. For free-form
    /// data, declare a property of type object that is open.
    OPEN_PARAMETERS, "AIL-A019", "open-parameters", Error
}

const HELP: &str =
    "write `\"additionalProperties\": false`; for free-form data, declare a property that is open";

pub(crate) fn check(
    document: &Document,
    root: &str,
    schema: &Map<String, Value>,
    found: &mut Vec<Diagnostic>,
) {
    let fault = match schema.get("additionalProperties") {
        Some(Value::Bool(false)) => return,
        None => {
            let message = "`parameters` allow arguments that they do not declare";
            document.at_key(&OPEN_PARAMETERS, root, message)
        }
        Some(other) => {
            let message = format!(
                "`additionalProperties` of `parameters`: expected false, found {}",
                words::found(other)
            );
            document.at_value(&OPEN_PARAMETERS, &format!("{root}/additionalProperties"), message)
        }
    };
    found.push(fault.help(HELP));
}
