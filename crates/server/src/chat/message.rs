//! Assembles the chunks of an answer to the message that a front end would build from them.

use serde_json::{Map, Value, json};

use super::chunk::Chunk;

/// The message, with its text as a separate field for simple clients.
pub(super) fn assemble(chunks: Vec<Chunk>) -> Value {
    let mut message = Assembly::default();
    chunks.into_iter().for_each(|chunk| message.take(chunk));
    message.finish()
}

#[derive(Default)]
struct Assembly {
    id: Option<String>,
    parts: Vec<Value>,
    metadata: Map<String, Value>,
    finish_reason: Option<&'static str>,
    /// Why the message is incomplete, if it is.
    aborted: Option<String>,
}

impl Assembly {
    fn take(&mut self, chunk: Chunk) {
        match chunk {
            Chunk::Start { message_id, message_metadata } => {
                self.id = message_id;
                self.add_metadata(message_metadata);
            }
            Chunk::StartStep => self.parts.push(json!({ "type": "step-start" })),
            Chunk::TextStart { .. } => self.parts.push(json!({ "type": "text", "text": "" })),
            Chunk::ReasoningStart { .. } => {
                self.parts.push(json!({ "type": "reasoning", "text": "" }));
            }
            Chunk::TextDelta { delta, .. } | Chunk::ReasoningDelta { delta, .. } => {
                if let Some(Value::String(text)) =
                    self.parts.last_mut().map(|part| &mut part["text"])
                {
                    text.push_str(&delta);
                }
            }
            Chunk::ToolInputAvailable { tool_call_id, tool_name, input } => {
                self.parts.push(json!({
                    "type": format!("tool-{tool_name}"), "toolCallId": tool_call_id,
                    "state": "input-available", "input": input,
                }));
            }
            Chunk::ToolApprovalRequest { approval_id, tool_call_id } => {
                let approval = json!({ "id": approval_id });
                self.change(&tool_call_id, "approval-requested", "approval", approval);
            }
            Chunk::ToolOutputAvailable { tool_call_id, output } => {
                self.change(&tool_call_id, "output-available", "output", output);
            }
            Chunk::ToolOutputError { tool_call_id, error_text } => {
                self.change(&tool_call_id, "output-error", "errorText", json!(error_text));
            }
            Chunk::ToolOutputDenied { tool_call_id } => {
                let approval = json!({ "approved": false });
                self.change(&tool_call_id, "output-denied", "approval", approval);
            }
            Chunk::Finish { finish_reason, message_metadata } => {
                self.finish_reason = Some(finish_reason);
                self.add_metadata(message_metadata);
            }
            Chunk::Abort { reason } => {
                self.finish_reason = Some("other");
                self.aborted = Some(reason);
            }
            chunk @ (Chunk::SourceUrl { .. }
            | Chunk::SourceDocument { .. }
            | Chunk::DataConfirmation { .. }
            | Chunk::DataConfirmed { .. }
            | Chunk::DataTask { .. }
            | Chunk::DataDecided { .. }
            | Chunk::DataMessage { .. }) => self.parts.push(json!(chunk)),
            Chunk::FinishStep
            | Chunk::TextEnd { .. }
            | Chunk::ReasoningEnd { .. }
            | Chunk::ToolInputStart { .. }
            | Chunk::DataProgress { .. }
            | Chunk::DataPartial { .. }
            | Chunk::DataEffect { .. }
            | Chunk::Error { .. } => {}
        }
    }

    fn add_metadata(&mut self, metadata: Value) {
        if let Value::Object(metadata) = metadata {
            self.metadata.extend(metadata);
        }
    }

    /// Updates the part of a call; a call of an earlier message gets a new part.
    fn change(&mut self, call: &str, state: &str, key: &str, value: Value) {
        let found = self.parts.iter_mut().find(|part| part["toolCallId"] == call);
        match found {
            Some(part) => {
                part["state"] = json!(state);
                part[key] = value;
            }
            None => {
                let part = json!({ "type": "tool-output", "toolCallId": call, "state": state, key: value });
                self.parts.push(part);
            }
        }
    }

    fn finish(self) -> Value {
        let texts = self.parts.iter().filter(|part| part["type"] == "text");
        let text: String = texts.filter_map(|part| part["text"].as_str()).collect();
        let mut message = json!({
            "id": self.id,
            "role": "assistant",
            "parts": self.parts,
            "metadata": self.metadata,
            "finishReason": self.finish_reason,
            "text": text,
        });
        if let Some(reason) = self.aborted {
            message["aborted"] = json!(reason);
        }
        message
    }
}
