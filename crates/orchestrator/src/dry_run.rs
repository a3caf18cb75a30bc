//! What would be decided about a call, without making it.

use aileron_contract::ToolCall;
use aileron_contract::envelope::{Clamp, Failure};
use serde::Serialize;
use serde_json::Value;

use crate::conversation::{Memory, Shared};
use crate::draft::Draft;
use crate::policy::{self, Counting, Passage, Supposed};

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

impl Shared {
    /// Takes calls along all policies, over a copy of what the conversation remembers.
    pub(crate) fn dry_run(&self, calls: Vec<ToolCall>) -> Vec<Decision> {
        let memory = self.lock().memory.clone();
        self.dry_run_over(memory, calls)
    }

    /// The same, as if the person had begun another turn.
    pub(crate) fn dry_run_next_turn(&self, calls: Vec<ToolCall>) -> Vec<Decision> {
        let mut memory = self.lock().memory.clone();
        memory.begin_turn(self.core.config.loops.history_turns, self.now());
        self.dry_run_over(memory, calls)
    }

    fn dry_run_over(&self, mut memory: Memory, calls: Vec<ToolCall>) -> Vec<Decision> {
        let supposed = Supposed::default();
        let now = self.now();
        let decide = |call: ToolCall| {
            let mut draft = Draft::new(call, &self.toolset);
            draft.find_key(&memory);
            let counting = Counting::Supposed(&supposed);
            let passage = policy::pass(&mut draft, &mut self.desk(&mut memory, counting, now));
            match passage {
                Passage::Through | Passage::Ask => {
                    memory.count(&draft);
                }
                Passage::Refused { by, .. } if policy::counts_refused(by) => {
                    memory.count(&draft);
                }
                Passage::Repeats(_) => memory.repeat(&draft),
                Passage::Known(_) | Passage::Refused { .. } => {}
            }
            self.decision(draft, passage)
        };
        calls.into_iter().map(decide).collect()
    }

    fn decision(&self, draft: Draft, passage: Passage) -> Decision {
        match passage {
            Passage::Through => {
                Decision::Run { args: draft.shown_args().clone(), clamped: draft.clamped }
            }
            Passage::Ask => Decision::Ask { preview: draft.preview(&self.core.platform) },
            Passage::Known(_) | Passage::Repeats(_) => Decision::Replay,
            Passage::Refused { by, failure } => Decision::Refuse { policy: by, failure },
        }
    }
}
