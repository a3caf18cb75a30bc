//! Pure: converts events of the session to frames.

use serde_json::{Map, Value, json};

use super::wire::{AppendKind, EventRefusal};
use crate::audio;

/// The transcript of either side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Input,
    Output,
}

/// The session as it is shown to the client.
pub(super) fn session(id: &str, expires_at: u64, shown: &Map<String, Value>) -> Value {
    let mut session = json!({
        "id": id,
        "expires_at": expires_at,
        "status": "active",
        "instructions": "",
        "audio": { "output": { "voice": "marin" }, "format": { "type": "audio/pcm", "rate": 24_000 } },
        "delegation": { "type": "client" },
        "input": [],
    });
    for (name, value) in shown {
        match (name.as_str(), value) {
            ("audio", Value::Object(audio)) => {
                audio.iter().for_each(|(name, value)| session["audio"][name] = value.clone());
            }
            _ => session[name] = value.clone(),
        }
    }
    session
}

pub(super) fn event(kind: &str, client_event_id: Option<&str>, mut fields: Value) -> Value {
    fields["type"] = kind.into();
    if let Some(id) = client_event_id {
        fields["client_event_id"] = id.into();
    }
    fields
}

/// Audio has neither an id nor times.
pub(super) fn sound(bytes: &[u8]) -> Value {
    json!({ "type": "session.output_audio.delta", "delta": audio::encode(bytes) })
}

pub(super) fn transcript(side: Side, start_ms: u64, end_ms: u64, text: &str) -> Value {
    let kind = match side {
        Side::Input => "session.input_transcript.delta",
        Side::Output => "session.output_transcript.delta",
    };
    json!({ "type": kind, "start_ms": start_ms, "end_ms": end_ms, "delta": text })
}

pub(super) fn delegation(id: &str, offset_ms: u64) -> Value {
    json!({
        "type": "session.delegation.created",
        "offset_ms": offset_ms,
        "delegation": { "id": id, "type": "delegation", "target": "client" },
    })
}

pub(super) fn appended(kind: AppendKind, at_ms: u64, client_event_id: Option<&str>) -> Value {
    let fields = json!({ "start_ms": at_ms, "end_ms": at_ms + 200 });
    event(&format!("session.{}.appended", kind.as_str()), client_event_id, fields)
}

pub(super) fn usage(clock_ms: u64) -> Value {
    let seconds = clock_ms / 1000;
    json!({
        "type": "session.usage.updated",
        "usage": { "seconds": seconds },
        "context_window": { "usage_ratio": (seconds as f64 / 7200.0).min(0.9) },
    })
}

pub(super) fn closed(reason: &str, session: Value, clock_ms: u64, by: Option<&str>) -> Value {
    let usage = json!({ "seconds": clock_ms as f64 / 1000.0 });
    event("session.closed", by, json!({ "reason": reason, "session": session, "usage": usage }))
}

pub(super) fn error(refusal: &EventRefusal) -> Value {
    let mut error = json!({
        "type": "invalid_request_error", "code": refusal.code, "message": refusal.message,
    });
    if let Some(param) = &refusal.param {
        error["param"] = param.as_str().into();
    }
    if let Some(id) = &refusal.event_id {
        error["client_event_id"] = id.as_str().into();
    }
    json!({ "type": "error", "error": error })
}
