//! The module `aileron` that JavaScript handlers import.

use std::fmt::Write;
use std::sync::OnceLock;

use aileron_contract::ErrorType;

use super::INTENT_TYPES;

const TOOL_ERROR: &str = include_str!("javascript/tool-error.js");

/// The source of `aileron`: the error types of the contract, the intents, and the class `ToolError`.
pub fn aileron_source() -> &'static str {
    static SOURCE: OnceLock<String> = OnceLock::new();
    SOURCE.get_or_init(|| {
        let errors = frozen("ErrorType", ErrorType::ALL.iter().map(|kind| kind.as_str()));
        let intents = frozen("IntentType", INTENT_TYPES.into_iter());
        format!("{errors}{intents}{TOOL_ERROR}")
    })
}

fn frozen<'a>(name: &str, words: impl Iterator<Item = &'a str>) -> String {
    let fields = words.fold(String::new(), |mut text, word| {
        let _ = write!(text, "{word}:'{word}',");
        text
    });
    format!("export const {name} = Object.freeze({{{fields}}});\n")
}

#[cfg(test)]
#[path = "javascript_tests.rs"]
mod tests;
