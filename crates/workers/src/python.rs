//! The module `aileron` that Python handlers import.

use std::fmt::Write;

use aileron_capability::foreign::INTENT_TYPES;
use aileron_contract::ErrorType;

const TOOL_ERROR: &str = include_str!("python/tool_error.py");

/// The source of `aileron`: the error types of the contract, the intents, and the errors.
pub(crate) fn aileron_source() -> String {
    let errors = names("ErrorType", ErrorType::ALL.iter().map(|kind| kind.as_str()));
    let intents = names("IntentType", INTENT_TYPES.into_iter());
    format!(
        "\"\"\"The words that a handler and the server share.\"\"\"\n{errors}{intents}{TOOL_ERROR}"
    )
}

/// A class whose attributes are plain strings.
fn names<'a>(class: &str, words: impl Iterator<Item = &'a str>) -> String {
    words.fold(format!("\n\nclass {class}:\n"), |mut text, word| {
        let _ = writeln!(text, "    {word} = \"{word}\"");
        text
    })
}
