//! The module `aileron` that every handler may import, and the modules that set up a sandbox.

use std::fmt::Write;
use std::sync::OnceLock;

use aileron_contract::ErrorType;

/// The specifier handlers import.
pub(crate) const AILERON: &str = "aileron";

/// Names no handler can import: only relative specifiers and `aileron` resolve.
pub(crate) const GUARD: &str = "<guard>";
pub(crate) const BRIDGE: &str = "<bridge>";
pub(crate) const FREEZE: &str = "<freeze>";

pub(crate) const GUARD_SOURCE: &str = include_str!("sandbox/guard.js");
pub(crate) const BRIDGE_SOURCE: &str = include_str!("sandbox/bridge.js");
pub(crate) const FREEZE_SOURCE: &str = include_str!("sandbox/freeze.js");

const TOOL_ERROR: &str = include_str!("sandbox/tool-error.js");

/// The `type` of each intent.
const INTENTS: [&str; 6] = [
    "END_VOICE_SESSION",
    "START_VOICE_SESSION",
    "SUPPRESS_AUDIO",
    "SUPPRESS_TRANSCRIPT",
    "SET_PENDING_MESSAGE",
    "BLOCK_USER",
];

/// The source of `aileron`: the error types of the contract, the intents, and the class `ToolError`.
pub(crate) fn aileron_source() -> &'static str {
    static SOURCE: OnceLock<String> = OnceLock::new();
    SOURCE.get_or_init(|| {
        let errors = frozen("ErrorType", ErrorType::ALL.iter().map(|kind| kind.as_str()));
        let intents = frozen("IntentType", INTENTS.into_iter());
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
#[path = "builtin_tests.rs"]
mod tests;
