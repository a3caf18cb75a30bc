//! The knowledge base as JavaScript handlers see it.

use std::sync::Arc;

use aileron_contract::{CallId, ConversationId, Mode, ToolId};
use tokio_util::sync::CancellationToken;

use super::*;
use crate::ContextParts;
use crate::ManualClock;
use crate::doubles::{KbContents, MemoryKb, RecordingConversation};
use crate::{Caller, Capability, Platform};

fn caller_of(conversation: &str) -> Caller {
    Caller {
        conversation: ConversationId::new(conversation).unwrap(),
        user: None,
        scopes: [].into(),
        mode: Mode::Text,
        tool: ToolId::new("tool").unwrap(),
        call_id: CallId::new("call").unwrap(),
        idempotency_key: "key".into(),
    }
}

fn host() -> ContextHost {
    let contents: KbContents = serde_json::from_value(json!({ "records": [record()] })).unwrap();
    let kb = Some(Arc::new(MemoryKb::from(contents)) as _);
    let surroundings = ContextParts {
        caller: caller_of("c"),
        platform: Arc::new(Platform { kb, ..Platform::default() }),
        conversation: Arc::new(RecordingConversation::new(Mode::Text)),
        clock: Arc::new(ManualClock::at(0)),
        deadline: 1000,
        cancel: CancellationToken::new(),
        user: None,
        depth: 0,
    };
    ContextHost::new(Context::new([Capability::Kb].into(), surroundings))
}

fn record() -> Value {
    json!({
        "id": "doc:plan", "type": "doc", "title": "Plan", "text": "The plan.", "namespace": "studio",
        "tags": [], "source_type": "wiki", "last_updated": "2026-01-01T00:00:00Z",
    })
}

/// The record with the names that handlers in the wild read.
fn seen() -> Value {
    let mut seen = record();
    seen["sourceType"] = "wiki".into();
    seen["lastUpdated"] = "2026-01-01T00:00:00Z".into();
    seen
}

fn call(method: &str, request: Value) -> Result<Value, HostFault> {
    host().call("kb", method, vec![request]).now_or_never().unwrap()
}

#[test]
fn a_search_resolves_to_an_array_of_hits() {
    let request = json!({ "query": "plan", "namespace": "studio", "topK": 3 });
    let mut hit = seen();
    hit["score"] = json!(1.0);
    assert_eq!(call("search", request), Ok(json!([hit])));
}

#[test]
fn reading_resolves_to_the_records_there_are() {
    let read = call("get", json!({ "ids": ["doc:none", "doc:plan"] }));
    assert_eq!(read, Ok(json!([seen()])));
}

#[test]
fn a_request_that_says_something_else_is_refused_by_name() {
    for (method, request, expected) in [
        (
            "search",
            json!({ "query": "plan", "namespace": "finance", "topK": 3 }),
            "unknown variant `finance`, expected one of `studio`, `personal`, `public`",
        ),
        ("search", json!({ "query": "plan", "topK": 3 }), "missing field `namespace`"),
        (
            "get",
            json!({ "ids": [], "namespaces": ["personal"] }),
            "unknown field `namespaces`, expected `ids`",
        ),
    ] {
        let fault = call(method, request).unwrap_err();
        let message = format!("the request cannot be read: {expected}");
        assert_eq!((fault.code.as_str(), fault.message), ("REFUSED", message));
    }
}
