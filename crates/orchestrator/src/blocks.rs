//! Lists and lifts blocks, for the operator of the server. A lift is a write like any other: it is
//! in the ledger and has an audit record.

use std::sync::Arc;

use aileron_capability::Success;
use aileron_capability::envelope::{ResponseMeta, succeeded};
use aileron_contract::spec::SideEffects;
use aileron_contract::{CallId, ConversationId, IdError, Mode, Outcome, UserId};
use aileron_store::{BeginResult, CallScope, CallStart, Lease, Store, StoreError, ToolStamp};
use serde_json::json;

/// The conversation and the tool that a lift is recorded under.
const CONVERSATION: &str = "operator-actions";
const TOOL: &str = "blocks_lift";

/// The size limit of a lift's result, which is always shorter.
const MOST_CHARACTERS: usize = 10_000;

/// The result of lifting a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LiftResult {
    /// The person was blocked until then, in milliseconds since the Unix epoch.
    From { until: u64 },
    /// They were not blocked.
    NotBlocked,
}

/// Lifts the block of a person on behalf of `by`, or of an unnamed operator. When this returns, the
/// lift is durable; other processes see it within a tick.
pub async fn lift(
    store: &dyn Store,
    user: &UserId,
    by: Option<&UserId>,
    now: u64,
) -> Result<LiftResult, StoreError> {
    let Some(until) = store.blocked_until(user).filter(|until| *until > now) else {
        return Ok(LiftResult::NotBlocked);
    };
    let call = start(user, until, by, now).map_err(|error| StoreError::Rejected {
        why: format!("the lift cannot be recorded: {error}"),
    })?;
    let BeginResult::Started(ticket) = store.begin(call.clone()).await? else {
        return Ok(LiftResult::NotBlocked);
    };
    let was_there = store.unblock(user).await?;
    let success = Success { data: json!({ "lifted": was_there }), intents: Vec::new() };
    let answer = succeeded(success, stamp(&call), MOST_CHARACTERS);
    store.settle(ticket, Outcome::Completed, Arc::new(answer)).await?;
    Ok(if was_there { LiftResult::From { until } } else { LiftResult::NotBlocked })
}

fn start(
    user: &UserId,
    until: u64,
    by: Option<&UserId>,
    now: u64,
) -> Result<Arc<CallStart>, IdError> {
    let call_id = CallId::new(format!("lift-{now}-{until}"))?;
    Ok(Arc::new(CallStart {
        scope: Arc::new(CallScope {
            conversation: ConversationId::new(CONVERSATION)?,
            user: by.cloned(),
            mode: Mode::Text,
            registry_version: String::new(),
            lease: Lease::unowned(),
        }),
        tool: Arc::new(ToolStamp {
            id: TOOL.to_owned(),
            version: None,
            category: None,
            side_effects: SideEffects::Writes,
            redact: Vec::new(),
        }),
        turn: 0,
        key: format!("{call_id}-{user}").into(),
        call_id,
        args: Arc::new(json!({ "user": user, "until": until })),
        given: None,
        time: now,
        trail: Vec::new(),
    }))
}

fn stamp(call: &CallStart) -> ResponseMeta<'_> {
    ResponseMeta {
        tool_id: TOOL,
        tool_version: None,
        registry_version: "",
        call_id: &call.call_id,
        duration_ms: 0,
        attempts: 1,
        clamped: Vec::new(),
        over_budget: false,
    }
}
