//! Settling: the end of a handler becomes one answer and one record; its intents change the
//! conversation.

use std::sync::Arc;

use aileron_capability::envelope::{ResponseMeta, failed, succeeded, with_warnings};
use aileron_capability::{HandlerEnd, Success};
use aileron_contract::envelope::Failure;
use aileron_contract::redact::shown_pointer;
use aileron_contract::{ErrorType, Intent, Mode, Outcome, TaskMeta, TaskStatus, ToolResponse};
use aileron_runtime::ArgumentFault;
use aileron_store::{PendingWrite, Ticket};

use crate::conversation_core::ConversationCore;
use crate::conversation_info::ConversationInfo;
use crate::event::ConversationEvent;
use crate::executor::{CallRun, RunReport};
use crate::history::{CallEnd, HistoryIndex, is_empty_result};
use crate::persistence::{own, save};
use crate::state::StateEffect;
use crate::toolset::ToolEntry;

const BROKEN_PROMISE: &str = "the tool returned something else than it promises";
const UNQUOTED: &str = "more is not shown, because the tool hides something";
const NOT_IN_TIME: &str = "the tool did not answer in time";
const UNFINISHED: &str = "the action did not finish in time; whether it took effect is not known";
const BLOCK_NOT_WRITTEN: &str =
    "a block holds, but is not written yet and would not outlive this process";
const NOT_RECORDED: &str =
    "the action ran, but its result could not be recorded; check before you repeat it";

/// Answers a call that has run. `task` is its id, if it became one.
pub(crate) async fn settle(
    core: &Arc<ConversationCore>,
    run: CallRun,
    place: HistoryIndex,
    ticket: Ticket,
    report: RunReport,
    task: Option<String>,
) -> Arc<ToolResponse> {
    let (info, call, entry) = (&core.info, &run.invocation.call, &run.invocation.entry);
    let RunReport { mut ending, attempts, duration_ms } = report;
    let warnings = std::mem::take(&mut ending.warnings);
    for warning in &warnings {
        info.publish_defect(call, warning.clone());
    }
    let writes = ticket.call().writes();
    let outcome = ending.outcome.clone();
    let result = checked_result(info, &run, ending);
    let intents = result.as_ref().map_or(&[][..], |success| &success.intents);
    if !intents.is_empty() {
        // Intents apply to the current state of the conversation, also if another process has
        // continued it. An ended conversation accepts none.
        let _ = own(core).await;
    }
    let blocked = apply(core, &run, place, intents, call_end(&result));
    let stamp = ResponseMeta {
        duration_ms,
        attempts,
        clamped: run.invocation.clamped.clone(),
        over_budget: duration_ms > entry.spec().latency_budget_ms,
        ..info.stamp(call)
    };
    let answer = match without_secrets(info, result) {
        Ok(success) => succeeded(success, stamp, max_result_chars(info, entry, run.mode)),
        Err(failure) => failed(*failure, stamp),
    };
    let answer = result_of_task(with_warnings(answer, warnings), task.as_deref());
    let answer = Arc::new(answer);
    let settled = info.store().settle(ticket, outcome.clone(), answer.clone());
    if let Some(blocked) = blocked {
        // The block is already in effect; this waits until it is durable. If it cannot be written
        // now, the store retries it.
        if let Err(error) = blocked.await {
            info.publish_defect(call, format!("{BLOCK_NOT_WRITTEN}: {error}"));
        }
    }
    let answer = match settled.await {
        Err(_) if writes => Arc::new(result_of_task(not_recorded(info, &run), task.as_deref())),
        Ok(()) | Err(_) => answer,
    };
    info.publish_answered(Some(entry), outcome, &answer);
    answer
}

/// Marks an answer as the result of a task, if the call became one.
fn result_of_task(answer: ToolResponse, task: Option<&str>) -> ToolResponse {
    let Some(id) = task else { return answer };
    let status = TaskStatus::of(&answer);
    answer.of_task(TaskMeta { id: id.to_owned(), status })
}

/// The result of a handler as the model may get it, checked against the tool's `returns`.
fn checked_result(
    info: &ConversationInfo,
    run: &CallRun,
    ending: HandlerEnd,
) -> Result<Success, Box<Failure>> {
    let (call, entry) = (&run.invocation.call, &run.invocation.entry);
    let HandlerEnd { result, outcome, defect, warnings: _ } = ending;
    if let Some(defect) = defect {
        let what = match entry.hides() {
            true => defect.without_quotes().to_owned(),
            false => defect.to_string(),
        };
        info.publish_defect(call, what);
    }
    match (outcome, result) {
        (Outcome::TimedOut, _) => Err(Box::new(timed_out(call.writes()))),
        (Outcome::Cancelled, Err(error)) => {
            let mut failure = error.into_failure();
            failure.partial_side_effects = call.writes() && failure.partial_side_effects;
            Err(Box::new(failure))
        }
        (_, Ok(success)) => as_promised(info, run, success),
        (_, Err(error)) => {
            let mut failure = error.into_failure();
            failure.idempotency_required |= failure.retryable && !entry.spec().idempotent;
            Err(Box::new(failure))
        }
    }
}

fn as_promised(
    info: &ConversationInfo,
    run: &CallRun,
    success: Success,
) -> Result<Success, Box<Failure>> {
    let (call, entry) = (&run.invocation.call, &run.invocation.entry);
    let faults = entry.tool.result_faults(&success.data);
    let Some(first) = faults.first() else { return Ok(success) };
    info.publish_defect(call, broken_promise(first, &entry.spec().redact));
    let mut failure = Failure::new(ErrorType::Internal, BROKEN_PROMISE);
    failure.partial_side_effects = call.writes();
    Err(Box::new(failure))
}

/// Masks secrets: a service may echo a secret that it was sent.
fn without_secrets(
    info: &ConversationInfo,
    result: Result<Success, Box<Failure>>,
) -> Result<Success, Box<Failure>> {
    let masks = &info.services.platform.masks;
    if masks.is_empty() {
        return result;
    }
    match result {
        Ok(Success { data, mut intents }) => {
            intents.iter_mut().for_each(|intent| masks.intent(intent));
            Ok(Success { data: masks.value(data), intents })
        }
        Err(mut failure) => {
            masks.failure(&mut failure);
            Err(failure)
        }
    }
}

/// Stores how the call ended, and applies its intents to the conversation's state.
fn apply(
    core: &ConversationCore,
    run: &CallRun,
    place: HistoryIndex,
    intents: &[Intent],
    end: CallEnd,
) -> Option<PendingWrite<()>> {
    let info = &core.info;
    let mut locked = core.lock();
    locked.policy.history.end(place, end);
    if intents.is_empty() {
        return None;
    }
    let now = info.now();
    let mut blocked = None;
    for intent in intents {
        if let Some(next) = locked.saved.next_state() {
            // The state that is being written may refuse the intent, because the conversation is
            // about to end.
            let _ = next.apply(intent, now);
        }
        match locked.policy.state.apply(intent, now) {
            Ok(StateEffect::BlockUser { until }) => {
                blocked = Some(info.store().block(&locked.policy.block_id, until));
                info.publish_effect(StateEffect::BlockUser { until });
            }
            Ok(effect) => info.publish_effect(effect),
            Err(why) => {
                let (call_id, intent) = (run.invocation.call.call_id.clone(), intent.clone());
                info.publish(|| ConversationEvent::IntentRefused { call_id, intent, why });
            }
        }
    }
    save(core, &mut locked);
    blocked
}

fn max_result_chars(info: &ConversationInfo, entry: &ToolEntry, mode: Mode) -> usize {
    let own = entry.spec().max_result_chars.and_then(|max| usize::try_from(max).ok());
    own.unwrap_or(info.services.config.results.of(mode).max_chars)
}

fn not_recorded(info: &ConversationInfo, run: &CallRun) -> ToolResponse {
    let mut failure = Failure::new(ErrorType::OutcomeUnknown, NOT_RECORDED);
    failure.partial_side_effects = true;
    failed(failure, info.stamp(&run.invocation.call))
}

/// Where and how a result violates `returns`, without values that the tool hides.
fn broken_promise(fault: ArgumentFault<'_>, hidden: &[String]) -> String {
    let place = match shown_pointer(fault.pointer, hidden) {
        "" => "the result",
        pointer => pointer,
    };
    let how = if hidden.is_empty() { fault.message } else { UNQUOTED };
    format!("`returns` is broken at {place}: {how}")
}

fn timed_out(writes: bool) -> Failure {
    if !writes {
        return Failure::new(ErrorType::Transient, NOT_IN_TIME);
    }
    let mut failure = Failure::new(ErrorType::OutcomeUnknown, UNFINISHED);
    failure.partial_side_effects = true;
    failure
}

fn call_end(result: &Result<Success, Box<Failure>>) -> CallEnd {
    match result {
        Ok(success) if is_empty_result(&success.data) => CallEnd::Empty,
        Ok(_) => CallEnd::Succeeded,
        Err(failure) => CallEnd::failed(failure),
    }
}
