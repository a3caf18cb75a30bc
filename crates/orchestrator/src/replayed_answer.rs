//! Answers a call from an earlier one.

use std::sync::Arc;

use aileron_capability::envelope::{failed, replayed};
use aileron_contract::envelope::Failure;
use aileron_contract::{ErrorType, Mode, ToolResponse};
use aileron_store::CallStatus;

use crate::call_identity::CallIdentity;
use crate::conversation_info::ConversationInfo;
use crate::task::still_running;

/// The interval for checking whether another process has finished a call.
const POLL_MS: u64 = 50;

const UNKNOWN: &str =
    "this action was begun before and never finished; whether it took effect is not known";
const GIVEN_UP: &str = "the same call was given up while this one waited for it";
const STILL_RUNNING: &str = "the same call still runs elsewhere";

/// The answer of a call in the ledger; waits for a running one, unless it runs in the background.
pub(crate) async fn replay(
    info: &ConversationInfo,
    call: &CallIdentity,
    mode: Mode,
    known: CallStatus,
) -> Arc<ToolResponse> {
    let deadline = info.now().saturating_add(max_wait_ms(info, call, mode));
    let mut known = Some(known);
    loop {
        match known {
            Some(CallStatus::Finished(answer)) => return as_replay(&answer, call),
            // A call that runs in the background was answered when it began.
            Some(CallStatus::Running(_) | CallStatus::RunningElsewhere) if call.is_background() => {
                return as_replay(&still_running(info, call), call);
            }
            Some(CallStatus::Running(running)) => {
                if let Some(answer) = running.await {
                    return as_replay(&answer, call);
                }
            }
            Some(CallStatus::RunningElsewhere) if info.now() >= deadline => {
                return still_running_error(info, call);
            }
            Some(CallStatus::RunningElsewhere) => {
                info.services.clock.wait_until(info.now() + POLL_MS).await;
            }
            Some(CallStatus::Abandoned { writes: true }) => {
                return cannot_replay(info, call, ErrorType::OutcomeUnknown, UNKNOWN);
            }
            Some(CallStatus::Abandoned { writes: false }) | None => {
                return cannot_replay(info, call, ErrorType::Transient, GIVEN_UP);
            }
        }
        known = info.store().lookup(&info.id, &call.key).ok().flatten();
    }
}

/// The answer of the same call earlier in the batch.
pub(crate) fn replay_earlier(
    info: &ConversationInfo,
    call: &CallIdentity,
    earlier: Option<&Arc<ToolResponse>>,
) -> Arc<ToolResponse> {
    match earlier {
        Some(answer) => as_replay(answer, call),
        None => cannot_replay(info, call, ErrorType::Transient, GIVEN_UP),
    }
}

fn max_wait_ms(info: &ConversationInfo, call: &CallIdentity, mode: Mode) -> u64 {
    let max_ms = info.services.config.deadlines.of(mode).max_ms;
    call.spec().map_or(max_ms, |spec| spec.timeout_ms().min(max_ms))
}

fn as_replay(answer: &ToolResponse, call: &CallIdentity) -> Arc<ToolResponse> {
    Arc::new(replayed(answer, &call.call_id))
}

fn still_running_error(info: &ConversationInfo, call: &CallIdentity) -> Arc<ToolResponse> {
    let kind = if call.writes() { ErrorType::OutcomeUnknown } else { ErrorType::Transient };
    cannot_replay(info, call, kind, STILL_RUNNING)
}

fn cannot_replay(
    info: &ConversationInfo,
    call: &CallIdentity,
    kind: ErrorType,
    why: &str,
) -> Arc<ToolResponse> {
    let mut failure = Failure::new(kind, why);
    failure.partial_side_effects = kind == ErrorType::OutcomeUnknown;
    Arc::new(failed(failure, info.stamp(call)))
}
