//! Answering a call that was made before.

use std::sync::Arc;

use aileron_contract::envelope::Failure;
use aileron_contract::{ErrorType, ToolResponse};
use aileron_runtime::envelope::{failed, replayed};
use aileron_store::Known;

use crate::conversation::Shared;
use crate::draft::Draft;

/// How often another process is asked whether it has finished a call.
const LOOK_AGAIN_MS: u64 = 50;

const UNKNOWN: &str =
    "this action was begun before and never finished; whether it took effect is not known";
const GIVEN_UP: &str = "the same call was given up while this one waited for it";
const STILL_RUNNING: &str = "the same call still runs elsewhere";

impl Shared {
    /// The answer of a call that is known already.
    pub(crate) async fn replay(&self, draft: Draft, known: Known) -> Arc<ToolResponse> {
        let deadline = self.now().saturating_add(self.longest_wait(&draft));
        let mut known = Some(known);
        loop {
            match known {
                Some(Known::Finished(answer)) => return self.again(&answer, &draft),
                Some(Known::Running(running)) => {
                    if let Some(answer) = running.await {
                        return self.again(&answer, &draft);
                    }
                }
                Some(Known::Elsewhere) if self.now() >= deadline => {
                    return self.never_heard(&draft);
                }
                Some(Known::Elsewhere) => {
                    self.core.clock.wait_until(self.now() + LOOK_AGAIN_MS).await;
                }
                Some(Known::Abandoned { writes: true }) => {
                    return self.cannot_replay(&draft, ErrorType::OutcomeUnknown, UNKNOWN);
                }
                Some(Known::Abandoned { writes: false }) | None => {
                    return self.cannot_replay(&draft, ErrorType::Transient, GIVEN_UP);
                }
            }
            known = self.core.store.lookup(&self.id, &draft.known_key()).ok().flatten();
        }
    }

    /// The answer of the same call earlier in the message.
    pub(super) fn replay_twin(
        &self,
        draft: &Draft,
        earlier: Option<&Arc<ToolResponse>>,
    ) -> Arc<ToolResponse> {
        match earlier {
            Some(answer) => self.again(answer, draft),
            None => self.cannot_replay(draft, ErrorType::Transient, GIVEN_UP),
        }
    }

    fn longest_wait(&self, draft: &Draft) -> u64 {
        let most = self.core.config.deadlines.of(self.mode).most_ms;
        draft.spec().map_or(most, |spec| spec.timeout_ms().min(most))
    }

    fn again(&self, answer: &ToolResponse, draft: &Draft) -> Arc<ToolResponse> {
        Arc::new(replayed(answer, &draft.call_id))
    }

    fn never_heard(&self, draft: &Draft) -> Arc<ToolResponse> {
        let kind = if draft.writes() { ErrorType::OutcomeUnknown } else { ErrorType::Transient };
        self.cannot_replay(draft, kind, STILL_RUNNING)
    }

    fn cannot_replay(&self, draft: &Draft, kind: ErrorType, why: &str) -> Arc<ToolResponse> {
        let mut failure = Failure::new(kind, why);
        failure.partial_side_effects = kind == ErrorType::OutcomeUnknown;
        Arc::new(failed(failure, self.stamp(draft)))
    }
}
