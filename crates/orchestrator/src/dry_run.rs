//! What would be decided about calls, without making them.

use aileron_contract::envelope::{Clamp, Failure};
use aileron_contract::{ErrorType, ToolCall};
use serde::Serialize;
use serde_json::Value;

use crate::ask::{HELD, POLICY};
use crate::candidate::CandidateCall;
use crate::conversation::ConversationCore;
use crate::judge::Judged;
use crate::policy::BatchCounts;

/// What would happen to a call.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "decision", rename_all = "snake_case")]
pub enum Decision {
    /// It would run, with these arguments.
    Run { args: Value, clamped: Vec<Clamp> },
    /// The person would be asked this.
    Ask { preview: String },
    /// The policy of this name would answer it.
    Refuse {
        policy: &'static str,
        #[serde(rename = "error")]
        failure: Box<Failure>,
    },
    /// It was made before; nothing would run.
    Replay,
}

impl ConversationCore {
    /// Judges the calls of one message as if the person had begun another turn, over a copy of what
    /// the conversation remembers.
    pub(crate) fn dry_run_next_turn(&self, calls: Vec<ToolCall>) -> Vec<Decision> {
        let (mut memory, now) = (self.lock().memory.clone(), self.now());
        memory.begin_turn(self.core.config.loops.history_turns, now);
        let candidates =
            calls.into_iter().map(|call| CandidateCall::new(call, &self.toolset)).collect();
        let judged = self.judge_all(candidates, &mut memory, &BatchCounts::default(), now);
        judged.into_iter().map(|one| self.decision(one)).collect()
    }

    fn decision(&self, judged: Judged) -> Decision {
        match judged {
            Judged::Pass(candidate, _) => {
                Decision::Run { args: candidate.shown_args().clone(), clamped: candidate.clamped }
            }
            Judged::Ask(candidate, _) => {
                Decision::Ask { preview: candidate.preview(&self.core.platform) }
            }
            Judged::Held(..) => {
                let failure = Failure::new(ErrorType::ConfirmationRequired, HELD);
                Decision::Refuse { policy: POLICY, failure: Box::new(failure) }
            }
            Judged::Known(..) | Judged::Twin(..) | Judged::Repeat(..) => Decision::Replay,
            Judged::Refused { by, failure, .. } => Decision::Refuse { policy: by, failure },
        }
    }
}
