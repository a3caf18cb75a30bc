//! The table of names, and the effect of a policy that panics.

use aileron_contract::{Arguments, CallId, ConversationId, ErrorType, Mode, ToolCall};
use aileron_store::MemoryStore;
use serde_json::json;

use super::name::TABLE;
use super::order::{FAILED, Policy};
use super::*;
use crate::candidate::CandidateCall;
use crate::config::Config;
use crate::confirmation::Confirmations;
use crate::person::Person;
use crate::policy_state::PolicyState;
use crate::task::RunningTasks;
use crate::toolset::Toolset;

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

#[test]
fn a_policy_that_panics_denies() {
    let toolset = toolset();
    let call_id = CallId::new("call-000001").unwrap();
    let call = ToolCall { call_id, tool_id: "any".to_owned(), args: Arguments::default() };
    let mut candidate = CandidateCall::new(call, &toolset);
    let person = Person::default();
    let conversation = ConversationId::new("conversation").unwrap();
    let state = PolicyState::begin((conversation, Mode::Text), &person, "1.0.0");
    let context = PolicyContext {
        now: 0,
        mode: Mode::Text,
        config: &Config::default(),
        person: &person,
        user: &json!({}),
        toolset: &toolset,
        state: &state,
        confirmations: &Confirmations::default(),
        counts: &BatchCounts::default(),
        ledger: &StoreView { store: &MemoryStore::new(), tasks: &RunningTasks::default() },
    };
    let check = |_: &mut CandidateCall, _: &PolicyContext<'_>| panic!("a defect of the policy");
    let broken = Policy { name: PolicyName::Clamp, check };
    let result = super::check(&broken, &mut candidate, &context);
    let PolicyAnswer::Refuse(failure) = result.answer else {
        panic!("a policy that panicked let a call pass");
    };
    assert_eq!((failure.kind, failure.message.as_str()), (ErrorType::Unavailable, FAILED));
    assert!(candidate.defect.unwrap().contains("`clamp`"));
}

#[test]
fn the_table_is_in_the_order_of_the_names() {
    for (at, row) in TABLE.iter().enumerate() {
        assert_eq!(row.name as usize, at, "{}", row.text);
        assert_eq!(PolicyName::parse(row.text), Some(row.name));
    }
    let listed: Vec<_> = ORDER.iter().map(|policy| policy.name).collect();
    let rows: Vec<_> = TABLE.iter().map(|row| row.name).take(ORDER.len()).collect();
    assert_eq!(listed, rows);
}
