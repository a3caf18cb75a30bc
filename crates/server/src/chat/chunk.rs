//! The chunks of the UI message stream, version 1, as they are sent. Absent fields are omitted, because clients
//! refuse null.

use aileron_contract::envelope::ConfirmationRequest;
use serde::Serialize;
use serde_json::Value;

/// One chunk.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub(super) enum Chunk {
    Start {
        #[serde(skip_serializing_if = "Option::is_none")]
        message_id: Option<String>,
        message_metadata: Value,
    },
    StartStep,
    FinishStep,
    TextStart {
        id: String,
    },
    TextDelta {
        id: String,
        delta: String,
    },
    TextEnd {
        id: String,
    },
    ReasoningStart {
        id: String,
    },
    ReasoningDelta {
        id: String,
        delta: String,
    },
    ReasoningEnd {
        id: String,
    },
    ToolInputStart {
        tool_call_id: String,
        tool_name: String,
    },
    ToolInputAvailable {
        tool_call_id: String,
        tool_name: String,
        input: Value,
    },
    ToolApprovalRequest {
        approval_id: String,
        tool_call_id: String,
    },
    ToolOutputAvailable {
        tool_call_id: String,
        output: Value,
    },
    ToolOutputError {
        tool_call_id: String,
        error_text: String,
    },
    ToolOutputDenied {
        tool_call_id: String,
    },
    SourceUrl {
        source_id: String,
        url: String,
        title: String,
    },
    SourceDocument {
        source_id: String,
        media_type: &'static str,
        title: String,
    },
    /// A confirmation request, with the text to show to the person.
    DataConfirmation {
        id: String,
        data: Box<ConfirmationRequest>,
    },
    /// The result of a call whose confirmation was requested in an earlier message.
    DataConfirmed {
        id: String,
        data: Value,
    },
    /// A call that became a task, by the task's id: it runs, or this is its result.
    DataTask {
        id: String,
        data: Value,
    },
    /// The resolution of a confirmation that was answered before.
    DataDecided {
        id: String,
        data: Value,
    },
    /// A message of a tool for the person.
    DataMessage {
        data: Value,
    },
    /// The progress of a call.
    DataProgress {
        data: Value,
        transient: bool,
    },
    /// A piece of the result of a call that is not complete.
    DataPartial {
        data: Value,
        transient: bool,
    },
    /// An effect on the page: start voice, count down a block.
    DataEffect {
        data: Value,
        transient: bool,
    },
    Error {
        error_text: String,
    },
    Abort {
        reason: String,
    },
    Finish {
        finish_reason: &'static str,
        message_metadata: Value,
    },
}

impl Chunk {
    /// Writes the chunk as an event of the stream.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"data: ");
        // Chunks consist of strings and JSON values, so serialising cannot fail.
        let _ = serde_json::to_writer(&mut *out, self);
        out.extend_from_slice(b"\n\n");
    }
}

/// The end of every stream.
pub(super) const DONE: &[u8] = b"data: [DONE]\n\n";
