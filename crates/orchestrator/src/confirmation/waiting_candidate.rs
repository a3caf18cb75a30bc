//! A call that waited for the person and passes the pipeline again.

use aileron_contract::{CallId, ToolCall};

use super::stored::WaitingCall;
use crate::candidate::{CallOrigin, CandidateCall};
use crate::key;
use crate::toolset::Toolset;

/// The n-th call that waited for a confirmation. It has a separate record, and keeps its
/// idempotency key, so that the model's call finds it when it is delivered again.
pub(super) fn candidate(
    toolset: &Toolset,
    waiting: WaitingCall,
    confirmation: &str,
    origin: CallOrigin,
    n: usize,
) -> Option<CandidateCall> {
    let approved = key::approved(confirmation);
    let call_id = if n == 0 { approved } else { key::below(&approved, n) };
    let WaitingCall { call: ToolCall { call_id: model_id, tool_id, args }, key, given } = waiting;
    let call = ToolCall { call_id: CallId::new(call_id).ok()?, tool_id, args };
    let candidate = CandidateCall::new(call, toolset).keyed(key.into(), origin).given(given);
    Some(candidate.made_as(model_id))
}
