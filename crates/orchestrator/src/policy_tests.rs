//! What becomes of a call when a policy itself breaks.

use std::sync::Arc;

use aileron_contract::{Arguments, CallId, ConversationId, ToolCall, UserId};
use aileron_store::{MemoryStore, Scope};
use serde_json::json;

use super::*;
use crate::history::CallHistory;
use crate::question::OpenConfirmations;
use crate::state::ConversationState;

fn toolset() -> Toolset {
    let hash = aileron_contract::artifact::content_hash(std::iter::empty());
    let artifact = json!({
        "version": aileron_contract::artifact::version_of(&hash),
        "contentHash": hash,
        "formatVersion": 1,
        "gitCommit": null,
        "buildTimestamp": null,
        "tools": [],
    });
    let handlers = aileron_runtime::Handlers::default();
    let registry = aileron_runtime::Registry::load(&artifact.to_string(), &handlers).unwrap();
    Toolset::new(registry).unwrap()
}

fn memory() -> PolicyState {
    let conversation = ConversationId::new("conversation").unwrap();
    let registry_version = "1.0.0".to_owned();
    PolicyState {
        scope: Arc::new(Scope {
            conversation,
            user: None,
            mode: Mode::Text,
            registry_version,
            lease: aileron_store::Lease::unowned(),
        }),
        block_id: UserId::new("ada").unwrap(),
        state: ConversationState::new(Mode::Text),
        turn: 1,
        turn_began: 0,
        usage: Default::default(),
        history: CallHistory::default(),
        questions: OpenConfirmations::default(),
        deferred: Default::default(),
    }
}

#[test]
fn a_policy_that_panics_denies() {
    let toolset = toolset();
    let call_id = CallId::new("call-000001").unwrap();
    let call = ToolCall { call_id, tool_id: "any".to_owned(), args: Arguments::default() };
    let mut candidate = CandidateCall::new(call, &toolset);
    let mut context = PolicyContext {
        now: 0,
        mode: Mode::Text,
        config: &Config::default(),
        person: &Person::default(),
        user: &json!({}),
        toolset: &toolset,
        memory: &mut memory(),
        counts: &BatchCounts::default(),
        store: &MemoryStore::new(),
    };
    let broken = Policy { name: "broken", check: |_, _| panic!("a defect of the policy") };
    let PolicyResult::Refuse(failure) = checked(&broken, &mut candidate, &mut context) else {
        panic!("a policy that panicked let a call pass");
    };
    assert_eq!((failure.kind, failure.message.as_str()), (ErrorType::Unavailable, FAILED));
    assert!(candidate.defect.unwrap().contains("`broken`"));
}
