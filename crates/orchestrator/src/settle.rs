//! Settling: what a handler ended in becomes one answer, one record, and what
//! the conversation learns from it.

use std::sync::Arc;

use aileron_contract::envelope::Failure;
use aileron_contract::redact::{redacted, shown_pointer};
use aileron_contract::{ErrorType, Intent, Mode, Outcome, ToolResponse};
use aileron_runtime::envelope::{Stamp, failed, succeeded};
use aileron_runtime::{ArgumentFault, Ending, Success};
use aileron_store::{Commit, Ticket};

use crate::conversation::ConversationCore;
use crate::event::ConversationEvent;
use crate::execute::{CallRun, RunReport};
use crate::history::CallEnd;
use crate::policy::loops;
use crate::state::StateEffect;
use crate::toolset::Entry;

const BROKEN_PROMISE: &str = "the tool returned something else than it promises";
const UNQUOTED: &str = "more is not shown, because the tool hides something";
const NOT_IN_TIME: &str = "the tool did not answer in time";
const UNFINISHED: &str = "the action did not finish in time; whether it took effect is not known";
const BLOCK_NOT_WRITTEN: &str =
    "a block holds, but is not written yet and would not outlive this process";
const NOT_RECORDED: &str =
    "the action ran, but its result could not be recorded; check before you repeat it";

impl ConversationCore {
    /// Answers a call that was run.
    pub(crate) async fn settle(
        self: &Arc<Self>,
        run: CallRun,
        ticket: Ticket,
        ran: RunReport,
    ) -> Arc<ToolResponse> {
        let entry = run.invocation.entry.clone();
        let writes = ticket.call().writes();
        let outcome = ran.ending.outcome.clone();
        let result = self.judged(&run, &entry, ran.ending);
        if result.as_ref().is_ok_and(|success| !success.intents.is_empty()) {
            // Intents change the conversation as it is, wherever it went on meanwhile. One that has
            // ended takes none.
            let _ = self.own().await;
        }
        let (answer, blocked) =
            self.conclude(&run, &entry, result, (ran.attempts, ran.duration_ms));
        let answer = Arc::new(answer);
        let settled = self.core.store.settle(ticket, outcome.clone(), answer.clone());
        if let Some(blocked) = blocked {
            // The door holds from now on; that it holds after a crash is waited for. A block that cannot
            // be written now is written when it can.
            if let Err(error) = blocked.await {
                self.defect(&run.invocation.call, format!("{BLOCK_NOT_WRITTEN}: {error}"));
            }
        }
        let answer = match settled.await {
            Err(_) if writes => Arc::new(self.not_recorded(&run)),
            Ok(()) | Err(_) => answer,
        };
        self.publish_answered(Some(&entry), outcome, &answer);
        answer
    }

    /// What the handler's ending means for the model.
    fn judged(
        &self,
        run: &CallRun,
        entry: &Entry,
        ending: Ending,
    ) -> Result<Success, Box<Failure>> {
        let Ending { result, outcome, defect } = ending;
        if let Some(defect) = defect {
            let what = match entry.hides() {
                true => defect.without_quotes().to_owned(),
                false => defect.to_string(),
            };
            self.defect(&run.invocation.call, what);
        }
        match (outcome, result) {
            (Outcome::TimedOut, _) => Err(Box::new(timed_out(run.invocation.call.writes()))),
            (Outcome::Cancelled, Err(error)) => {
                let mut failure = error.into_failure();
                failure.partial_side_effects =
                    run.invocation.call.writes() && failure.partial_side_effects;
                Err(Box::new(failure))
            }
            (_, Ok(success)) => self.as_promised(run, entry, success),
            (_, Err(error)) => {
                let mut failure = error.into_failure();
                failure.idempotency_required |= failure.retryable && !entry.spec().idempotent;
                Err(Box::new(failure))
            }
        }
    }

    fn as_promised(
        &self,
        run: &CallRun,
        entry: &Entry,
        success: Success,
    ) -> Result<Success, Box<Failure>> {
        let faults = entry.tool.result_faults(&success.data);
        let Some(first) = faults.first() else { return Ok(success) };
        self.defect(&run.invocation.call, broken_promise(first, &entry.spec().redact));
        let mut failure = Failure::new(ErrorType::Internal, BROKEN_PROMISE);
        failure.partial_side_effects = run.invocation.call.writes();
        Err(Box::new(failure))
    }

    /// Under the lock: intents, history, the list of running calls; then the answer.
    fn conclude(
        &self,
        run: &CallRun,
        entry: &Entry,
        result: Result<Success, Box<Failure>>,
        (attempts, duration_ms): (u32, u64),
    ) -> (ToolResponse, Option<Commit<()>>) {
        let intents = result.as_ref().map_or(&[][..], |success| &success.intents);
        let blocked = self.learn(run, intents, ended(&result));
        let result = self.without_secrets_in(result);
        let stamp = Stamp {
            duration_ms,
            attempts,
            clamped: run.invocation.clamped.clone(),
            over_budget: duration_ms > entry.spec().latency_budget_ms,
            ..self.stamp(&run.invocation.call)
        };
        let answer = match result {
            Ok(success) => succeeded(success, stamp, self.max_result_chars(entry, run.mode)),
            Err(failure) => failed(*failure, stamp),
        };
        (answer, blocked)
    }

    /// A service may echo the secret that it was sent.
    fn without_secrets_in(
        &self,
        result: Result<Success, Box<Failure>>,
    ) -> Result<Success, Box<Failure>> {
        let masks = &self.core.platform.masks;
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

    fn learn(&self, run: &CallRun, intents: &[Intent], ended: CallEnd) -> Option<Commit<()>> {
        let mut inner = self.lock();
        inner.memory.history.end(run.place, ended);
        if intents.is_empty() {
            return None;
        }
        let now = self.now();
        let mut blocked = None;
        for intent in intents {
            if let Some(next) = inner.next_state() {
                // What it is about to be may not take it: it is about to end.
                let _ = next.apply(intent, now);
            }
            match inner.memory.state.apply(intent, now) {
                Ok(StateEffect::BlockUser { until }) => {
                    blocked = Some(self.core.store.block(&inner.memory.block_id, until));
                    self.publish_effect(StateEffect::BlockUser { until });
                }
                Ok(effect) => self.publish_effect(effect),
                Err(why) => {
                    let (call_id, intent) = (run.invocation.call.call_id.clone(), intent.clone());
                    self.publish(|| ConversationEvent::IntentRefused { call_id, intent, why });
                }
            }
        }
        self.save(&mut inner);
        blocked
    }

    fn max_result_chars(&self, entry: &Entry, mode: Mode) -> usize {
        let own = entry.spec().max_result_chars.and_then(|most| usize::try_from(most).ok());
        own.unwrap_or(self.core.config.results.of(mode).max_chars)
    }

    fn not_recorded(&self, run: &CallRun) -> ToolResponse {
        let mut failure = Failure::new(ErrorType::OutcomeUnknown, NOT_RECORDED);
        failure.partial_side_effects = true;
        failed(failure, self.stamp(&run.invocation.call))
    }

    /// Tells the observer of an answer, without what the tool wants hidden.
    pub(crate) fn publish_answered(
        &self,
        entry: Option<&Entry>,
        outcome: Outcome,
        answer: &ToolResponse,
    ) {
        let hidden = entry.map_or(&[][..], |entry| &entry.spec().redact);
        self.publish(|| ConversationEvent::Answered {
            outcome,
            answer: Box::new(shown(answer, hidden)),
        });
    }
}

/// An answer without what its tool wants hidden. A message may quote that, so a tool that hides
/// anything has its messages replaced by the plain sentence of their kind.
pub fn shown(answer: &ToolResponse, hidden: &[String]) -> ToolResponse {
    let mut answer = answer.clone();
    if hidden.is_empty() {
        return answer;
    }
    match &mut answer {
        ToolResponse::Success { data, .. } => *data = redacted(data, hidden).into_owned(),
        ToolResponse::Failure { error, .. } => {
            error.message = error.kind.sentence().to_owned();
            error.details = None;
            error.confirmation_request = None;
        }
    }
    answer
}

/// Where a result breaks its promise, and how, unless that would quote what the tool hides.
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

fn ended(result: &Result<Success, Box<Failure>>) -> CallEnd {
    match result {
        Ok(success) if loops::is_empty(&success.data) => CallEnd::Empty,
        Ok(_) => CallEnd::Well,
        Err(failure) => CallEnd::failed(failure),
    }
}
