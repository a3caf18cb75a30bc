//! Builds an audit entry from a call and its answer: redacted and bounded. Runs on the writer's
//! thread, never on the caller's.

use std::borrow::Cow;
use std::io::{self, Write};

use aileron_contract::redact::redacted;
use aileron_contract::{AuditEntry, Outcome, ToolResponse};
use serde_json::{Value, json};

use crate::call::CallStart;

/// Larger arguments are replaced by their size.
const MAX_ARGS_BYTES: usize = 16 * 1024;

/// Larger results are left out; their size stays.
const MAX_RESULT_BYTES: usize = 4 * 1024;

/// The entry of a call that was answered.
pub(crate) fn entry(call: &CallStart, outcome: Outcome, answer: &ToolResponse) -> AuditEntry {
    let (meta, failure) = match answer {
        ToolResponse::Success { meta, .. } => (meta, None),
        ToolResponse::Failure { meta, error } => (meta, Some(error)),
    };
    let told = failure.filter(|failure| failure.retryable != failure.kind.retryable());
    let (result, result_bytes) = result(call, answer);
    AuditEntry {
        error: failure.map(|failure| failure.kind),
        retryable: told.map(|failure| failure.retryable),
        duration: meta.duration,
        attempts: meta.attempts,
        result,
        result_bytes,
        ..unfinished(call, outcome)
    }
}

/// The entry of a call that was started and never answered.
pub(crate) fn unfinished(call: &CallStart, outcome: Outcome) -> AuditEntry {
    AuditEntry {
        time: call.time,
        conversation: call.scope.conversation.clone(),
        user: call.scope.user.clone(),
        mode: call.scope.mode,
        turn: call.turn,
        call_id: call.call_id.clone(),
        tool_id: call.tool.id.clone(),
        tool_version: call.tool.version.clone(),
        category: call.tool.category,
        registry_version: call.scope.registry_version.clone(),
        outcome,
        error: None,
        retryable: None,
        duration: 0,
        attempts: 1,
        args: args(call),
        result: None,
        result_bytes: None,
        trail: call.trail.clone(),
    }
}

fn args(call: &CallStart) -> Value {
    let shown = redacted(&call.args, &call.tool.redact);
    match json_bytes(&shown) {
        bytes if bytes > MAX_ARGS_BYTES => json!(format!("[left out: {bytes} bytes]")),
        _ => shown.into_owned(),
    }
}

/// The redacted result and its size. A message may quote a redacted value, so messages of a tool
/// with `redact` are left out.
fn result(call: &CallStart, answer: &ToolResponse) -> (Option<Value>, Option<u64>) {
    let shown = match answer {
        ToolResponse::Success { data, .. } => redacted(data, &call.tool.redact),
        ToolResponse::Failure { .. } if !call.tool.redact.is_empty() => return (None, None),
        ToolResponse::Failure { error, .. } => Cow::Owned(json!({"message": error.message})),
    };
    let bytes = json_bytes(&shown);
    let result = (bytes <= MAX_RESULT_BYTES).then(|| shown.into_owned());
    (result, Some(bytes as u64))
}

/// The length of a value as JSON, without building the text.
fn json_bytes(value: &Value) -> usize {
    struct ByteCount(usize);

    impl Write for ByteCount {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    let mut count = ByteCount(0);
    // Counting cannot fail.
    let _ = serde_json::to_writer(&mut count, value);
    count.0
}

#[cfg(test)]
#[path = "entry_tests.rs"]
mod tests;
