//! The one place that builds a response: adds its metadata, limits its size, marks truncation.

mod cut;

use aileron_contract::envelope::{Clamp, Failure, Meta, RESPONSE_SCHEMA_VERSION};
use aileron_contract::{CallId, ErrorType, ToolResponse};

pub use self::cut::CUT;
use self::cut::cut;
use crate::outcome::Success;

/// The maximum length of the message, suggestion or details of an error.
const MAX_ERROR_CHARS: usize = 2000;

/// The maximum length of the details of a `VALIDATION` error, which list every fault of the
/// arguments.
pub const MAX_FAULTS_CHARS: usize = 16_000;

/// The metadata of a response.
#[derive(Debug, Clone, PartialEq)]
pub struct ResponseMeta<'a> {
    /// The tool's name as the model wrote it, so that an answer to an unknown tool can name it.
    pub tool_id: &'a str,
    pub tool_version: Option<&'a str>,
    pub registry_version: &'a str,
    pub call_id: &'a CallId,
    pub duration_ms: u64,
    pub attempts: u32,
    pub clamped: Vec<Clamp>,
    pub over_budget: bool,
}

/// The response to a call that succeeded, with at most this many characters of data.
pub fn succeeded(success: Success, stamp: ResponseMeta<'_>, max_chars: usize) -> ToolResponse {
    let Success { mut data, intents } = success;
    let truncated = cut(&mut data, max_chars);
    ToolResponse::Success { data, intents, meta: Meta { truncated, ..meta(stamp) } }
}

/// The response to a call that failed or was refused.
pub fn failed(mut error: Failure, stamp: ResponseMeta<'_>) -> ToolResponse {
    shorten(&mut error.message);
    error.suggestion.as_mut().map(shorten);
    let most = match error.kind {
        ErrorType::Validation => MAX_FAULTS_CHARS,
        _ => MAX_ERROR_CHARS,
    };
    // The code that built the details may have truncated them already, and marks that in the same
    // way.
    let truncated = error
        .details
        .as_mut()
        .is_some_and(|details| cut(details, most) || details.get(CUT).is_some());
    ToolResponse::Failure { error, meta: Meta { truncated, ..meta(stamp) } }
}

/// The same answer, with warnings for the author of the tool.
pub fn with_warnings(mut answer: ToolResponse, warnings: Vec<String>) -> ToolResponse {
    answer.meta_mut().warnings = warnings;
    answer
}

/// The same answer, for another delivery of the call.
pub fn replayed(answer: &ToolResponse, call_id: &CallId) -> ToolResponse {
    let mut answer = answer.clone();
    let meta = answer.meta_mut();
    meta.replayed = true;
    meta.call_id = call_id.clone();
    answer
}

fn shorten(text: &mut String) {
    if let Some((end, _)) = text.char_indices().nth(MAX_ERROR_CHARS) {
        text.truncate(end);
        text.push('…');
    }
}

fn meta(stamp: ResponseMeta<'_>) -> Meta {
    Meta {
        tool_id: stamp.tool_id.to_owned(),
        tool_version: stamp.tool_version.map(str::to_owned),
        registry_version: stamp.registry_version.to_owned(),
        response_schema_version: RESPONSE_SCHEMA_VERSION.to_owned(),
        call_id: stamp.call_id.clone(),
        duration: stamp.duration_ms,
        attempts: stamp.attempts,
        replayed: false,
        clamped: stamp.clamped,
        over_budget: stamp.over_budget,
        truncated: false,
        warnings: Vec::new(),
        task: None,
    }
}
