//! Declarations of whole tools.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::needless_pass_by_value,
    reason = "a test may fail, and says when it cannot run"
)]

mod corpus;
mod limits;
mod meaning;
mod native;
mod random;
mod references;
mod rules;
mod snapshots;
mod strict;
mod table;

use aileron_contract::Provider;
use serde_json::{Value, json};

use super::*;

/// A tool with these parameters.
fn tool(parameters: &Value) -> Value {
    json!({
        "toolId": "probe",
        "description": "Probes.",
        "sideEffects": "read_only",
        "idempotent": true,
        "parameters": parameters,
    })
}

/// Every target, in every form it has.
const FORMS: [(Provider, OpenAiForm); 7] = [
    (Provider::Openai, OpenAiForm::Plain),
    (Provider::Openai, OpenAiForm::Strict),
    (Provider::OpenaiRealtime, OpenAiForm::Plain),
    (Provider::GeminiNative, OpenAiForm::Plain),
    (Provider::GeminiJsonSchema, OpenAiForm::Plain),
    (Provider::Anthropic, OpenAiForm::Plain),
    (Provider::Mcp, OpenAiForm::Plain),
];
