//! The agent of text conversations: one model for all of them.

use std::sync::Arc;

use aileron_capability::Clock;
use aileron_contract::ConversationId;
use aileron_orchestrator::config::Budget;
use aileron_orchestrator::{Config, Conversation, Person};
use aileron_store::Store;
use futures_util::stream::BoxStream;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::event::TurnError;
use crate::history::TurnHistory;
use crate::instructions::{InstructionOptions, Instructions};
use crate::model::Model;
use crate::turn::{TurnGuard, TurnLocks, TurnRun, TurnTrigger};
use crate::turn_stream::TurnStream;

/// How many events may wait for the reader before the turn waits.
const WAITING: usize = 256;

/// The parts of an agent.
#[derive(Debug, Clone)]
pub struct AgentParts {
    pub model: Arc<dyn Model>,
    pub instructions: InstructionOptions,
    pub store: Arc<dyn Store>,
    pub clock: Arc<dyn Clock>,
    /// The limits of the policies, which the model is informed of and which bound the loop.
    pub policies: Config,
    pub limits: TurnLimits,
}

/// Limits of a turn besides those of the policies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TurnLimits {
    /// Maximum number of estimated tokens in a model request: instructions, declarations and history.
    pub window_tokens: usize,
    /// How long a turn waits for another turn of the same conversation to end, in milliseconds.
    pub patience_ms: u64,
}

impl Default for TurnLimits {
    fn default() -> Self {
        Self { window_tokens: 100_000, patience_ms: 5_000 }
    }
}

/// An agent. Clones are the same agent.
#[derive(Debug, Clone)]
pub struct Agent(Arc<AgentShared>);

#[derive(Debug)]
pub(crate) struct AgentShared {
    pub(crate) parts: AgentParts,
    turns: Arc<TurnLocks>,
    /// The tasks of running turns.
    running_turns: TaskTracker,
}

/// The person's answer to a confirmation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfirmationAnswer {
    pub token: String,
    pub approve: bool,
}

/// A message of the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserMessage {
    pub text: String,
    /// The front end's id of the message, by which later requests refer to it.
    pub id: Option<String>,
}

impl From<String> for UserMessage {
    fn from(text: String) -> Self {
        Self { text, id: None }
    }
}

/// The events of a conversation, from the start of a turn on.
pub type EventStream = BoxStream<'static, aileron_orchestrator::ConversationEvent>;

impl Agent {
    pub fn new(parts: AgentParts) -> Self {
        Self(Arc::new(AgentShared {
            parts,
            turns: Arc::default(),
            running_turns: TaskTracker::new(),
        }))
    }

    /// Begins a turn with a message of the person. `watch` has the events of this conversation.
    pub async fn say(
        &self,
        conversation: &Conversation,
        words: impl Into<UserMessage>,
        watch: EventStream,
    ) -> Result<TurnStream, TurnError> {
        let words = words.into();
        self.open(conversation, watch, |_| Ok(TurnTrigger::Said(words))).await
    }

    /// Retracts the message of the same id and everything after it, and adds this one instead. Without such a
    /// message, only adds this one.
    pub async fn edit_message(
        &self,
        conversation: &Conversation,
        words: UserMessage,
        by: Person,
        watch: EventStream,
    ) -> Result<TurnStream, TurnError> {
        let opening = |history: &TurnHistory| {
            let place = words.id.as_deref().and_then(|id| history.place_of(id));
            match place {
                Some(from) => replace_messages(history, conversation, from, words, by),
                None => Ok(TurnTrigger::Said(words)),
            }
        };
        self.open(conversation, watch, opening).await
    }

    /// Retracts the answer to a message, and everything after it, and answers again: the message of the
    /// same id as the history has it, or the last one without an id. A message that is not in the history
    /// is added.
    pub async fn regenerate(
        &self,
        conversation: &Conversation,
        words: Option<UserMessage>,
        by: Person,
        watch: EventStream,
    ) -> Result<TurnStream, TurnError> {
        let opening = |history: &TurnHistory| {
            let id = words.as_ref().and_then(|words| words.id.as_deref());
            let place = id.map_or_else(|| history.last_words(), |id| history.place_of(id));
            let kept = place.and_then(|from| Some((from, history.words_at(from)?)));
            match (kept, words) {
                (Some((from, kept)), _) => replace_messages(history, conversation, from, kept, by),
                (None, Some(words)) => Ok(TurnTrigger::Said(words)),
                (None, None) => Err(TurnError::NothingSaid),
            }
        };
        self.open(conversation, watch, opening).await
    }

    /// Continues with the person's answers to confirmations. Each goes to the orchestrator as it is, with the
    /// person who gave it; the model receives the results.
    pub async fn confirm(
        &self,
        conversation: &Conversation,
        decisions: Vec<ConfirmationAnswer>,
        by: Person,
        watch: EventStream,
    ) -> Result<TurnStream, TurnError> {
        self.open(conversation, watch, |_| Ok(TurnTrigger::Decided { decisions, by })).await
    }

    /// Continues the latest turn with the results of tasks that the model does not have. Without any, the
    /// turn ends without a request to the model.
    pub async fn follow_up(
        &self,
        conversation: &Conversation,
        watch: EventStream,
    ) -> Result<TurnStream, TurnError> {
        self.open(conversation, watch, |_| Ok(TurnTrigger::TaskResults)).await
    }

    /// The current instructions for the model of a conversation.
    pub fn instructions(&self, conversation: &Conversation) -> Instructions {
        self.0.instructions(conversation, self.0.parts.clock.now_ms())
    }

    /// Waits until no turn of a conversation runs, as long as a turn would wait.
    pub async fn wait_until_idle(&self, conversation: &ConversationId) -> Result<(), TurnError> {
        self.0.turn_guard(conversation).await.map(drop)
    }

    /// Waits until no turn of any conversation runs.
    pub async fn wait_until_all_idle(&self) {
        self.0.running_turns.close();
        self.0.running_turns.wait().await;
    }

    async fn open(
        &self,
        conversation: &Conversation,
        watch: EventStream,
        opening: impl FnOnce(&TurnHistory) -> Result<TurnTrigger, TurnError>,
    ) -> Result<TurnStream, TurnError> {
        let turn_guard = self.0.turn_guard(conversation.id()).await?;
        let history = TurnHistory::load(self.0.parts.store.clone(), conversation.id()).await?;
        let opening = opening(&history)?;
        let (events, received) = mpsc::channel(WAITING);
        let stop = CancellationToken::new();
        let turn =
            TurnRun::new(self.0.clone(), conversation.clone(), history, events, stop.clone());
        // A separate task: without a reader, running calls are still waited for.
        drop(self.0.running_turns.spawn(turn.run(opening, watch, turn_guard)));
        Ok(TurnStream { events: received, _stop: stop.drop_guard() })
    }
}

/// Replaces the messages from an index on. Refuses if a call there had an effect, because a model that does not
/// know of it might repeat it.
fn replace_messages(
    history: &TurnHistory,
    conversation: &Conversation,
    from: usize,
    words: UserMessage,
    by: Person,
) -> Result<TurnTrigger, TurnError> {
    match history.done_since(from, conversation.registry()) {
        Some(tool_id) => Err(TurnError::Done { tool_id }),
        None => Ok(TurnTrigger::Instead { from, words, by }),
    }
}

impl AgentShared {
    async fn turn_guard(&self, conversation: &ConversationId) -> Result<TurnGuard, TurnError> {
        let patience = std::time::Duration::from_millis(self.parts.limits.patience_ms);
        let turn_guard = tokio::time::timeout(patience, self.turns.take(conversation));
        turn_guard.await.map_err(|_| TurnError::Busy)
    }

    pub(crate) fn budget(&self, conversation: &Conversation) -> Budget {
        *self.parts.policies.budgets.of(conversation.mode())
    }

    /// The instructions of the conversation, with this time in them.
    pub(crate) fn instructions(&self, conversation: &Conversation, now_ms: u64) -> Instructions {
        let (mode, version) = (conversation.mode(), conversation.registry().version());
        let tools = conversation.tools();
        let composed =
            self.parts.instructions.compose(mode, self.budget(conversation), version, &tools);
        let composed = if conversation.is_signed_in() { composed } else { composed.for_guest() };
        composed.at(now_ms)
    }
}
