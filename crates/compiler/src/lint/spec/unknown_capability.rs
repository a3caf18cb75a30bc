//! A capability that the runtime does not have.

use aileron_contract::Capability;
use serde_json::Value;

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::rule::rule;
use crate::suggest;

rule! {
    /// A capability that the runtime does not have.
    ///
    /// ## Why
    /// A handler's context holds what is declared and nothing else. A misspelt capability is
    /// absent at the first call instead of at the build.
    ///
    /// ## Example
    /// ```json
    /// { "capabilities": ["mesaging", "http://api.example.com"] }
    /// ```
    ///
    /// ## Fix
    /// Write one of `messaging`, `voice`, `audio`, `audit`, `kb`, `calendar`, `images`, `tools`,
    /// or `http:<host>` (a host name, no scheme, no path), or `secret:<NAME>` (upper case).
    UNKNOWN_CAPABILITY, "AIL-S008", "unknown-capability", Error
}

pub(crate) fn diagnose(schema: &Document, pointer: &str) -> Diagnostic {
    let written = schema.get(pointer).cloned().unwrap_or_default();
    let message = format!("unknown capability {written}");
    schema.at_value(&UNKNOWN_CAPABILITY, pointer, message).help(help(&written))
}

fn help(written: &Value) -> String {
    let written = written.as_str().unwrap_or_default();
    if written.starts_with("http") {
        return "write `http:` and a lower-case host name, such as `http:api.example.com`"
            .to_owned();
    }
    if written.starts_with("secret") {
        return "write `secret:` and the variable's name in upper case, such as `secret:API_KEY`"
            .to_owned();
    }
    let named: Vec<_> = Capability::plain_names().collect();
    suggest::did_you_mean(written, &named)
        .unwrap_or_else(|| format!("known: {}, http:<host>, secret:<NAME>", named.join(", ")))
}
