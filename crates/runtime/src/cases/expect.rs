//! The expectation of a case.

use aileron_contract::Intent;
use serde::Deserialize;
use serde_json::Value;

/// The expected end of a call.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "WrittenExpectation")]
pub enum Expect {
    Success {
        /// Part of the data.
        data: Option<Value>,
        /// All intents, in order.
        intents: Option<Vec<Intent>>,
    },
    /// Part of the error.
    Failure { error: Value },
}

/// The form in the file, where `ok` tells the two apart.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenExpectation {
    ok: bool,
    data: Option<Value>,
    intents: Option<Vec<Intent>>,
    error: Option<Value>,
}

impl TryFrom<WrittenExpectation> for Expect {
    type Error = &'static str;

    fn try_from(written: WrittenExpectation) -> Result<Self, &'static str> {
        match written {
            WrittenExpectation { ok: true, data, intents, error: None } => {
                Ok(Self::Success { data, intents })
            }
            WrittenExpectation { ok: false, data: None, intents: None, error: Some(error) } => {
                Ok(Self::Failure { error })
            }
            _ => Err("expected `ok: true` with `data` and `intents`, or `ok: false` with `error`"),
        }
    }
}
