//! Why a request gave no vectors.

use std::error::Error;
use std::time::Duration;

use reqwest::StatusCode;
use serde_json::Value;

use crate::embed::EmbedError;

/// Characters of a provider's message that ours repeats.
const MOST_WORDS: usize = 300;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct EmbedFault {
    pub(super) message: String,
    /// Whether the same request may succeed later.
    pub(super) transient: bool,
    /// How long the provider asks to wait.
    pub(super) retry_after: Option<Duration>,
}

impl EmbedFault {
    pub(super) fn transient(message: impl Into<String>) -> Self {
        Self { message: message.into(), transient: true, retry_after: None }
    }

    pub(super) fn lasting(message: impl Into<String>) -> Self {
        Self { message: message.into(), transient: false, retry_after: None }
    }

    pub(super) fn late() -> Self {
        Self::transient("no answer came in time")
    }

    /// A failure of the network. The address is left out: it may carry secrets.
    pub(super) fn of_network(error: reqwest::Error) -> Self {
        let error = error.without_url();
        let mut root: &dyn Error = &error;
        while let Some(source) = root.source() {
            root = source;
        }
        Self::transient(format!("the connection failed: {root}"))
    }

    /// A response that is not a success. The message about a refused key is not repeated, because
    /// providers quote parts of the key.
    pub(super) fn of_status(
        status: StatusCode,
        body: &[u8],
        retry_after: Option<Duration>,
    ) -> Self {
        let code = status.as_u16();
        let transient = matches!(code, 408 | 409 | 425 | 429) || status.is_server_error();
        let message = match code {
            401 | 403 => {
                format!("status {code}: the key is missing, wrong or not allowed to use the model")
            }
            300..=399 => {
                format!("status {code}: a redirect, which is not followed; set the final address")
            }
            _ => format!(
                "status {code}{}",
                words(body).map(|words| format!(": {words}")).unwrap_or_default()
            ),
        };
        Self { message, transient, retry_after }
    }
}

/// The text that providers put into `error.message`, on one line.
fn words(body: &[u8]) -> Option<String> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let error = body.get("error")?;
    let words = error.get("message").unwrap_or(error).as_str()?;
    let line: String = words.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(line.chars().filter(|letter| !letter.is_control()).take(MOST_WORDS).collect())
}

/// The error of an answer that has no vectors. It names the position, but quotes nothing of the
/// answer.
pub(super) fn not_vectors(error: &serde_json::Error) -> EmbedFault {
    let (line, column) = (error.line(), error.column());
    let what = match error.classify() {
        serde_json::error::Category::Data => "JSON of another shape",
        _ => "no whole JSON",
    };
    EmbedFault::lasting(format!(
        "expected vectors in JSON, found {what} (line {line}, column {column}): check the address"
    ))
}

/// The error of an endpoint that cannot be used at all.
pub(super) fn setup(message: String) -> EmbedError {
    EmbedError { message, transient: false }
}
