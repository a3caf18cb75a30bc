//! Answering a call that was made before.

use std::sync::Arc;

use aileron_contract::envelope::Failure;
use aileron_contract::{ErrorType, Outcome, ToolResponse};
use aileron_runtime::envelope::{failed, replayed};
use aileron_store::Known;

use crate::admit::Repeat;
use crate::call_identity::CallIdentity;
use crate::candidate::Duplicate;
use crate::conversation::ConversationCore;

/// How often another process is asked whether it has finished a call.
const LOOK_AGAIN_MS: u64 = 50;

const UNKNOWN: &str =
    "this action was begun before and never finished; whether it took effect is not known";
const GIVEN_UP: &str = "the same call was given up while this one waited for it";
const STILL_RUNNING: &str = "the same call still runs elsewhere";

impl ConversationCore {
    /// The answer of a call that is known already.
    pub(crate) async fn replay(&self, call: &CallIdentity, known: Known) -> Arc<ToolResponse> {
        let deadline = self.now().saturating_add(self.max_wait_ms(call));
        let mut known = Some(known);
        loop {
            match known {
                Some(Known::Finished(answer)) => return self.again(&answer, call),
                Some(Known::Running(running)) => {
                    if let Some(answer) = running.await {
                        return self.again(&answer, call);
                    }
                }
                Some(Known::Elsewhere) if self.now() >= deadline => {
                    return self.still_running_error(call);
                }
                Some(Known::Elsewhere) => {
                    self.core.clock.wait_until(self.now() + LOOK_AGAIN_MS).await;
                }
                Some(Known::Abandoned { writes: true }) => {
                    return self.cannot_replay(call, ErrorType::OutcomeUnknown, UNKNOWN);
                }
                Some(Known::Abandoned { writes: false }) | None => {
                    return self.cannot_replay(call, ErrorType::Transient, GIVEN_UP);
                }
            }
            known = self.core.store.lookup(&self.id, &call.key).ok().flatten();
        }
    }

    /// Answers a call from another one that asked for the same, and records it by itself.
    pub(super) async fn repeat(
        &self,
        repeat: Repeat,
        earlier: Option<Arc<ToolResponse>>,
    ) -> Arc<ToolResponse> {
        let Repeat { call, start, duplicate_of } = repeat;
        let answer = match duplicate_of {
            Duplicate::Known(known) => self.replay(&call, known).await,
            Duplicate::Earlier(_) => self.replay_twin(&call, earlier.as_ref()),
        };
        let recorded = self.core.store.record_refusal(start, Outcome::Replayed, answer.clone());
        self.publish_answered(call.entry.as_deref(), Outcome::Replayed, &answer);
        // A record that cannot be written now is written when it can.
        let _ = recorded.await;
        answer
    }

    /// The answer of the same call earlier in the message.
    pub(super) fn replay_twin(
        &self,
        call: &CallIdentity,
        earlier: Option<&Arc<ToolResponse>>,
    ) -> Arc<ToolResponse> {
        match earlier {
            Some(answer) => self.again(answer, call),
            None => self.cannot_replay(call, ErrorType::Transient, GIVEN_UP),
        }
    }

    fn max_wait_ms(&self, call: &CallIdentity) -> u64 {
        let most = self.core.config.deadlines.of(self.mode()).max_ms;
        call.spec().map_or(most, |spec| spec.timeout_ms().min(most))
    }

    fn again(&self, answer: &ToolResponse, call: &CallIdentity) -> Arc<ToolResponse> {
        Arc::new(replayed(answer, &call.call_id))
    }

    fn still_running_error(&self, call: &CallIdentity) -> Arc<ToolResponse> {
        let kind = if call.writes() { ErrorType::OutcomeUnknown } else { ErrorType::Transient };
        self.cannot_replay(call, kind, STILL_RUNNING)
    }

    fn cannot_replay(&self, call: &CallIdentity, kind: ErrorType, why: &str) -> Arc<ToolResponse> {
        let mut failure = Failure::new(kind, why);
        failure.partial_side_effects = kind == ErrorType::OutcomeUnknown;
        Arc::new(failed(failure, self.stamp(call)))
    }
}
