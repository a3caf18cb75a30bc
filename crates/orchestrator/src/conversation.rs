//! A conversation as its transport uses it: turns, calls, answers of the
//! person, interruptions.

mod change;
mod document;

mod ownership;
mod turn;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aileron_contract::redact::redacted;
use aileron_contract::{CallId, ConversationId, Mode, ToolCall, ToolResponse};
use aileron_runtime::{Registry, Tool};
use aileron_store::StoreError;
use futures_util::future::BoxFuture;
use serde_json::Value;

use self::change::Next;
pub use self::change::StateChangeError;
pub(crate) use self::document::{end_stored, stored};
use crate::policy_state::PolicyState;

use crate::running::RunningEntry;

pub use self::turn::{TurnInput, TurnStart, TurnStarting};
use crate::approval::{ConfirmError, LateAnswer, Resolution, TurnStartEffects};
use crate::candidate::IdSource;
use crate::detach_on_drop::detach_on_drop;
use crate::dry_run::Decision;
use crate::event::ConversationEvent;
use crate::orchestrator::{Core, ModeEntry, OpenError, OpenRequest};
use crate::pending_saves::PendingSaves;
use crate::person::Person;
use crate::settle::shown;
use crate::snapshot::ConversationSnapshot;
use crate::state::{ConversationState, StateEffect, StateError, StateEvent};
use crate::toolset::Toolset;
use crate::yes_no::Grammar;

/// How often something is tried that another process gets in the way of by taking the conversation.
pub(crate) const ATTEMPTS: usize = 5;

/// A conversation. Clones are the same conversation.
#[derive(Debug, Clone)]
pub struct Conversation(Arc<ConversationCore>);

/// What the calls of a conversation share.
#[derive(Debug)]
pub(crate) struct ConversationCore {
    pub(crate) core: Arc<Core>,
    pub(crate) id: ConversationId,
    pub(crate) person: Person,
    pub(crate) toolset: Arc<Toolset>,
    /// The person as handlers see them.
    pub(crate) user_view: Arc<Value>,
    /// What the person may do, as capabilities see it.
    pub(crate) scopes: Arc<[String]>,
    /// Held while a call that writes runs: they run one at a time.
    pub(crate) write_lock: Arc<tokio::sync::Mutex<()>>,
    /// Held while a question is being decided: one answer at a time.
    pub(crate) deciding: Arc<tokio::sync::Mutex<()>>,
    /// Held while a change is written that is acknowledged.
    changing: tokio::sync::Mutex<()>,
    inner: Mutex<Locked>,
}

#[derive(Debug)]
pub(crate) struct Locked {
    pub(crate) memory: PolicyState,
    /// Set while a change is being written.
    next: Option<Next>,
    pub(crate) running: Vec<RunningEntry>,
    saves: PendingSaves,
    /// The part of the document that seldom changes, as it is kept.
    stable: String,
    /// Whether somebody else has saved the conversation since.
    is_stale: bool,
}

impl Conversation {
    pub(crate) fn new(shared: Arc<ConversationCore>) -> Self {
        Self(shared)
    }

    pub fn id(&self) -> &ConversationId {
        &self.0.id
    }

    /// How the conversation is held at the moment.
    pub fn mode(&self) -> Mode {
        self.0.mode()
    }

    /// The number of the latest turn; 0 before the first.
    pub fn turn(&self) -> u64 {
        self.0.lock().memory.turn
    }

    /// The registry the conversation began with.
    pub fn registry(&self) -> &Arc<Registry> {
        self.0.toolset.registry()
    }

    /// The tools that this person may call in this conversation, here and now, sorted by id. A call
    /// of another one is still answered.
    pub fn tools(&self) -> Vec<Arc<Tool>> {
        self.0.offered()
    }

    /// Whether the person said who they are.
    pub fn is_signed_in(&self) -> bool {
        self.0.person.id.is_some()
    }

    /// An answer as the person may see it, without what its tool wants hidden.
    pub fn shown(&self, answer: &ToolResponse) -> ToolResponse {
        shown(answer, self.0.hidden(&answer.meta().tool_id))
    }

    /// Arguments of a tool as the person may see them.
    pub fn shown_args(&self, tool: &str, args: &Value) -> Value {
        redacted(args, self.0.hidden(tool)).into_owned()
    }

    /// The state of the conversation, as it is now.
    pub fn state(&self) -> ConversationState {
        self.0.lock().memory.state.clone()
    }

    /// Begins a turn with what the person did, which may answer an open question. It is durable when
    /// this returns; where it cannot be kept, none has begun.
    pub async fn begin_turn(&self, input: TurnInput) -> Result<TurnStart, OpenError> {
        let TurnStarting { turn, pending_message, resolutions } = self.open_turn(input).await?;
        Ok(TurnStart { turn, resolutions: resolutions.await, pending_message })
    }

    /// Begins a turn, and leaves what an answer in it leads to for later: a live conversation goes
    /// on while an approved call runs.
    pub async fn open_turn(&self, input: TurnInput) -> Result<TurnStarting, OpenError> {
        let Began { turn, heard, pending_message } =
            detach_on_drop(self.0.clone().begin_turn(input)).await?;
        let resolutions = self.0.clone().resolutions(heard);
        Ok(TurnStarting { turn, pending_message, resolutions })
    }

    /// Takes the message that waits for the next turn although none begins: a voice session says it
    /// before the person says anything.
    pub async fn take_pending_message(&self) -> Option<String> {
        // Where somebody else decides, they say it.
        self.0.own().await.ok()?;
        let mut inner = self.0.lock();
        let message = inner.memory.state.take_pending_message();
        if message.is_some() {
            inner.next_state().and_then(ConversationState::take_pending_message);
            self.0.save(&mut inner);
        }
        message
    }

    /// What reads as a yes or a no in this conversation.
    pub fn grammar(&self) -> &Arc<Grammar> {
        &self.0.core.grammar
    }

    /// The person's words of a turn that has begun already: a transcription may come after the model
    /// acted on what it transcribes. They answer a question like those that begin a turn, but no
    /// budget is counted anew.
    pub fn hear(&self, text: String, began_ms: u64) -> BoxFuture<'static, Vec<Resolution>> {
        let (shared, input) = (self.0.clone(), TurnInput::Spoken { text, began_ms });
        if shared.is_owner() {
            let heard = shared.hear(&mut shared.lock().memory, &input);
            return shared.resolutions(heard);
        }
        Box::pin(detach_on_drop(async move {
            // What cannot be taken again hears nothing: its questions are answered elsewhere.
            if shared.own().await.is_err() {
                return Vec::new();
            }
            let heard = shared.hear(&mut shared.lock().memory, &input);
            shared.resolve(heard).await
        }))
    }

    /// Makes the calls of one message of the model; answers keep their order. The calls go on if
    /// this is dropped. The ids are the provider's: one that is used for two calls names both.
    pub async fn call(&self, calls: Vec<ToolCall>) -> Vec<Arc<ToolResponse>> {
        self.admit(calls).await
    }

    /// The same for calls whose ids a client of our own API chose: an id that is used for another
    /// call is refused.
    pub async fn call_by_client(&self, calls: Vec<ToolCall>) -> Vec<Arc<ToolResponse>> {
        self.admit_by(calls, IdSource::Client).await
    }

    /// Decides about the calls of one message at once, and makes them when it is awaited, in
    /// whatever task that is done.
    pub fn admit(
        &self,
        calls: Vec<ToolCall>,
    ) -> impl Future<Output = Vec<Arc<ToolResponse>>> + Send + 'static {
        self.admit_by(calls, IdSource::Provider)
    }

    fn admit_by(
        &self,
        calls: Vec<ToolCall>,
        ids: IdSource,
    ) -> impl Future<Output = Vec<Arc<ToolResponse>>> + Send + 'static {
        let shared = self.0.clone();
        let admitted = match shared.is_owner() {
            true => Ok(shared.admit(calls, ids)),
            false => Err(calls),
        };
        detach_on_drop(async move {
            let batch = match admitted {
                Ok(batch) => batch,
                Err(calls) => {
                    // A copy that cannot take the conversation again begins no call: the store
                    // refuses each, and the answers say so.
                    let _ = shared.own().await;
                    shared.admit(calls, ids)
                }
            };
            batch.run(shared).await
        })
    }

    /// What would be decided about these calls of one message in a turn that began with them. No
    /// turn is begun, and nothing is counted or kept.
    pub fn dry_run_next_turn(&self, calls: Vec<ToolCall>) -> Vec<Decision> {
        self.0.dry_run_next_turn(calls)
    }

    /// The person's answer to a question, by a click or over HTTP.
    pub async fn confirm(
        &self,
        token: &str,
        approve: bool,
        by: &Person,
    ) -> Result<Resolution, ConfirmError> {
        let (shared, token, by) = (self.0.clone(), token.to_owned(), by.id.clone());
        detach_on_drop(async move {
            shared.own().await.map_err(|error| ConfirmError::not_open(error, &shared.id))?;
            for _ in 0..ATTEMPTS {
                let lease = shared.lock().memory.scope.lease.clone();
                match shared.confirm(&token, approve, by.as_ref()).await {
                    // Nothing was decided.
                    Err(ConfirmError::Store(StoreError::NotOwner { .. })) => {}
                    other => return other,
                }
                let owned = shared.own_again(&lease).await;
                owned.map_err(|error| ConfirmError::not_open(error, &shared.id))?;
            }
            Err(ConfirmError::not_open(OpenError::HeldElsewhere, &shared.id))
        })
        .await
    }

    /// What the person's answer to a question has led to, whichever channel it came through. A call
    /// that runs because of it is waited for. `None` while nobody has answered, and for a question
    /// that gave way to another.
    pub async fn answered(&self, token: &str) -> Option<LateAnswer> {
        self.0.answered(token).await
    }

    /// The provider takes these calls back; each tool says what that does to it.
    pub fn cancel(&self, calls: &[CallId]) {
        let inner = self.0.lock();
        inner
            .running
            .iter()
            .filter(|call| calls.contains(&call.call_id))
            .for_each(RunningEntry::interrupt);
    }

    /// The person cut in; each running tool says what that does to it.
    pub fn interrupt(&self) {
        self.0.lock().running.iter().for_each(RunningEntry::interrupt);
    }

    /// Follows what happened outside, such as a farewell that was spoken. It is kept soon.
    pub fn on_event(&self, event: StateEvent) -> Result<StateEffect, StateError> {
        self.0.on_event(event)
    }

    /// The same, durable when this returns. An end of the conversation is over for everybody then,
    /// and its open questions are closed with it; where it cannot be kept, nothing has changed.
    pub async fn on_event_durably(
        &self,
        event: StateEvent,
    ) -> Result<StateEffect, StateChangeError> {
        detach_on_drop(self.0.clone().on_event_durably(event)).await
    }

    pub(crate) async fn receive(
        &self,
        opening: &OpenRequest,
        arrival: ModeEntry,
    ) -> Result<(), OpenError> {
        detach_on_drop(self.0.clone().receive(opening.clone(), arrival)).await
    }

    pub(crate) fn is_owner(&self) -> bool {
        self.0.is_owner()
    }

    pub(crate) fn glance(&self) -> ConversationSnapshot {
        self.0.glance()
    }

    pub(crate) fn is_of(&self, person: &Person) -> bool {
        self.0.person.id == person.id
    }
}

/// What beginning a turn found.
pub(crate) struct Began {
    turn: u64,
    heard: TurnStartEffects,
    pending_message: Option<String>,
}

impl Locked {
    /// The state that the conversation is about to have, if a change is being written.
    pub(crate) fn next_state(&mut self) -> Option<&mut ConversationState> {
        self.next.as_mut().map(|next| &mut next.state)
    }
}

impl ConversationCore {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Locked> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn mode(&self) -> Mode {
        self.lock().memory.mode()
    }

    pub(crate) fn now(&self) -> u64 {
        self.core.clock.now_ms()
    }

    pub(crate) fn publish(&self, event: impl FnOnce() -> ConversationEvent) {
        if self.core.observer.is_enabled() {
            self.core.observer.on_event(&self.id, event().masked(&self.core.platform.masks));
        }
    }

    /// What a tool wants hidden.
    fn hidden(&self, tool: &str) -> &[String] {
        self.toolset.entry(tool).map_or(&[], |entry| &entry.spec().redact)
    }

    fn resolutions(
        self: Arc<Self>,
        heard: TurnStartEffects,
    ) -> BoxFuture<'static, Vec<Resolution>> {
        match heard.is_nothing() {
            true => Box::pin(std::future::ready(Vec::new())),
            false => Box::pin(detach_on_drop(self.resolve(heard))),
        }
    }

    /// Follows what happened outside. An end is kept first, and so is what happens to a conversation
    /// that has another owner.
    fn on_event(self: &Arc<Self>, event: StateEvent) -> Result<StateEffect, StateError> {
        let may_end = matches!(event, StateEvent::Closed(_) | StateEvent::VoiceDisconnected);
        if may_end || !self.is_owner() {
            drop(detach_on_drop(self.clone().on_event_durably(event)));
            return Ok(StateEffect::Nothing);
        }
        let mut inner = self.lock();
        let effect = inner.memory.state.on_event(event)?;
        inner.memory.follow_mode();
        if let Some(next) = &mut inner.next {
            // What it is about to be may not follow: it is about to end.
            let _ = next.state.on_event(event);
        }
        self.save(&mut inner);
        drop(inner);
        self.publish_effect(effect);
        Ok(effect)
    }

    pub(crate) fn publish_effect(&self, effect: StateEffect) {
        if effect != StateEffect::Nothing {
            self.publish(|| ConversationEvent::Effect(effect));
        }
    }
}
