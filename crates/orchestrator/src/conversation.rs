//! A conversation as its transport uses it: turns, calls, answers of the person, interruptions.

use std::sync::Arc;

use aileron_contract::redact::redacted;
use aileron_contract::{CallId, ConversationId, Mode, ToolCall, ToolResponse};
use aileron_runtime::{Registry, Tool};
use aileron_store::StoreError;
use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::candidate::IdSource;
use crate::confirmation::{
    ConfirmError, LateAnswer, PersonAnswer, Resolution, TurnStartEffects, confirm, late_answer_of,
    resolve_turn_start,
};
use crate::conversation_core::ConversationCore;
use crate::conversation_info::shown;
use crate::detach_on_drop::detach_on_drop;
use crate::dry_run::{DryRunCall, dry_run_next_turn};
use crate::event::AnswerChannel;
use crate::loaded::LoadedConversations;
use crate::offered_tools::offered;
use crate::open_error::OpenError;
use crate::open_request::{ModeEntry, OpenRequest};
use crate::persistence::{
    self, ATTEMPTS, StateChangeError, TurnOpened, is_owner, own, own_again, save,
};
use crate::person::Person;
use crate::pipeline::admit;
use crate::snapshot::ConversationSnapshot;
use crate::state::{ConversationState, StateEffect, StateError, StateEvent};
use crate::task::{self, told_tasks};
use crate::turn::{TurnInput, TurnStart, TurnStarting};
use crate::yes_no::Grammar;

/// A conversation. Clones are the same conversation.
#[derive(Debug, Clone)]
pub struct Conversation(Arc<ConversationCore>);

impl Conversation {
    pub(crate) fn new(core: Arc<ConversationCore>) -> Self {
        Self(core)
    }

    pub fn id(&self) -> &ConversationId {
        &self.0.info.id
    }

    /// The current mode.
    pub fn mode(&self) -> Mode {
        self.0.mode()
    }

    /// The number of the latest turn; 0 before the first.
    pub fn turn(&self) -> u64 {
        self.0.lock().policy.turn
    }

    /// The registry the conversation began with.
    pub fn registry(&self) -> &Arc<Registry> {
        self.0.info.toolset.registry()
    }

    /// The tools that this person may currently call in this conversation, sorted by id. A call of
    /// any other tool is still answered, with a refusal.
    pub fn tools(&self) -> Vec<Arc<Tool>> {
        offered(&self.0)
    }

    /// Whether the person is authenticated.
    pub fn is_signed_in(&self) -> bool {
        self.0.info.person.id.is_some()
    }

    /// An answer as the person may see it, without the values that its tool hides.
    pub fn shown(&self, answer: &ToolResponse) -> ToolResponse {
        shown(answer, self.0.info.hidden(&answer.meta().tool_id))
    }

    /// Arguments of a tool as the person may see them.
    pub fn shown_args(&self, tool: &str, args: &Value) -> Value {
        redacted(args, self.0.info.hidden(tool)).into_owned()
    }

    /// The state of the conversation, as it is now.
    pub fn state(&self) -> ConversationState {
        self.0.lock().policy.state.clone()
    }

    /// Begins a turn with the person's input, which may answer an open confirmation. The turn is
    /// durable when this returns; if it cannot be stored, no turn has begun.
    pub async fn begin_turn(&self, input: TurnInput) -> Result<TurnStart, OpenError> {
        let TurnStarting { turn, pending_message, task_results, resolutions } =
            self.open_turn(input).await?;
        Ok(TurnStart { turn, resolutions: resolutions.await, pending_message, task_results })
    }

    /// Begins a turn, and returns the work that a confirmation answer leads to as a future: a live
    /// conversation continues while an approved call runs.
    pub async fn open_turn(&self, input: TurnInput) -> Result<TurnStarting, OpenError> {
        let TurnOpened { turn, effects, pending_message } =
            detach_on_drop(persistence::begin_turn(self.0.clone(), input)).await?;
        let task_results = self.task_results().await;
        let resolutions = self.resolutions(effects);
        Ok(TurnStarting { turn, pending_message, task_results, resolutions })
    }

    /// The results of tasks that the model does not have yet, the oldest first. They are given again
    /// until [`Self::mark_told`] says that the model has them, also after a restart.
    pub async fn task_results(&self) -> Vec<LateAnswer> {
        task::results(&self.0.info).await
    }

    /// Notes durably that the model has these answers, as far as they are results of tasks.
    pub async fn mark_told<'a>(
        &self,
        answers: impl IntoIterator<Item = &'a ToolResponse>,
    ) -> Result<(), StoreError> {
        let ids = told_tasks(answers);
        match ids.is_empty() {
            true => Ok(()),
            false => self.0.info.store().mark_told(&ids).await,
        }
    }

    /// Waits for the result of a task, if an answer is the first one of a task.
    pub async fn final_answer(
        &self,
        answer: Arc<ToolResponse>,
    ) -> Result<Arc<ToolResponse>, StoreError> {
        task::final_answer(&self.0.info, answer).await
    }

    fn resolutions(&self, effects: TurnStartEffects) -> BoxFuture<'static, Vec<Resolution>> {
        match effects.is_empty() {
            true => Box::pin(std::future::ready(Vec::new())),
            false => Box::pin(detach_on_drop(resolve_turn_start(self.0.clone(), effects))),
        }
    }

    /// Takes the message that is pending for the next turn although no turn begins: a voice session
    /// says it before the person says anything.
    pub async fn take_pending_message(&self) -> Option<String> {
        // If another process owns the conversation, that process says the message.
        own(&self.0).await.ok()?;
        let mut locked = self.0.lock();
        let message = locked.policy.state.take_pending_message();
        if message.is_some() {
            locked.saved.next_state().and_then(ConversationState::take_pending_message);
            save(&self.0, &mut locked);
        }
        message
    }

    /// The grammar by which this conversation recognises yes and no.
    pub fn grammar(&self) -> &Arc<Grammar> {
        &self.0.info.services.grammar
    }

    /// Handles words of the person that belong to the current turn: a transcript may arrive after
    /// the model acted on it. They answer a confirmation like words that begin a turn, but no
    /// budget is reset.
    pub fn hear(&self, text: String, began_ms: u64) -> BoxFuture<'static, Vec<Resolution>> {
        let input = TurnInput::Spoken { text, began_ms };
        if is_owner(&self.0) {
            let effects = persistence::hear(&self.0, &mut self.0.lock(), &input);
            return self.resolutions(effects);
        }
        let core = self.0.clone();
        Box::pin(detach_on_drop(async move {
            // If another process owns the conversation, its confirmations are answered there.
            if own(&core).await.is_err() {
                return Vec::new();
            }
            let effects = persistence::hear(&core, &mut core.lock(), &input);
            resolve_turn_start(core, effects).await
        }))
    }

    /// Makes the calls of one message of the model; answers keep their order. The calls continue if
    /// this future is dropped. The ids are the provider's: two different calls with one id are both
    /// made.
    pub async fn call(&self, calls: Vec<ToolCall>) -> Vec<Arc<ToolResponse>> {
        self.admit(calls).await
    }

    /// The same for calls whose ids a client of our own API chose: an id that is used for another
    /// call is refused.
    pub async fn call_by_client(&self, calls: Vec<ToolCall>) -> Vec<Arc<ToolResponse>> {
        self.admit_by(calls, IdSource::Client).await
    }

    /// Decides about the calls of one message at once. The returned future runs them; any task may
    /// await it.
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
        let core = self.0.clone();
        let admitted = match is_owner(&core) {
            true => Ok(admit(&core, calls, ids)),
            false => Err(calls),
        };
        detach_on_drop(async move {
            let batch = match admitted {
                Ok(batch) => batch,
                Err(calls) => {
                    // A copy that cannot own the conversation starts no call: the store refuses
                    // each, and the answers say so.
                    let _ = own(&core).await;
                    admit(&core, calls, ids)
                }
            };
            batch.run(&core).await
        })
    }

    /// The decisions about these calls if a turn began with them. No turn begins, and nothing is
    /// counted or stored.
    pub fn dry_run_next_turn(&self, calls: Vec<ToolCall>) -> Vec<DryRunCall> {
        dry_run_next_turn(&self.0, calls)
    }

    /// The person's answer to a confirmation, by a click.
    pub async fn confirm(
        &self,
        token: &str,
        approve: bool,
        by: &Person,
    ) -> Result<Resolution, ConfirmError> {
        self.confirm_through(AnswerChannel::Click, token, approve, by).await
    }

    /// The person's answer to a confirmation, through this channel.
    pub async fn confirm_through(
        &self,
        channel: AnswerChannel,
        token: &str,
        approve: bool,
        by: &Person,
    ) -> Result<Resolution, ConfirmError> {
        let answer = PersonAnswer { approve, channel };
        let (core, token, by) = (self.0.clone(), token.to_owned(), by.id.clone());
        detach_on_drop(async move {
            own(&core).await.map_err(|error| ConfirmError::not_open(error, &core.info.id))?;
            for _ in 0..ATTEMPTS {
                let lease = core.lock().policy.scope.lease.clone();
                match confirm(&core, &token, answer, by.as_ref()).await {
                    // Another process took the conversation; nothing was resolved.
                    Err(ConfirmError::Store(StoreError::NotOwner { .. })) => {}
                    // It may have resolved the confirmation since its state was read here.
                    Ok(Resolution::Known(_))
                    | Err(ConfirmError::Unknown | ConfirmError::Decided(_))
                        if !lease.is_held() => {}
                    other => return other,
                }
                let owned = own_again(&core, &lease).await;
                owned.map_err(|error| ConfirmError::not_open(error, &core.info.id))?;
            }
            Err(ConfirmError::not_open(OpenError::HeldElsewhere, &core.info.id))
        })
        .await
    }

    /// The answer that a confirmation led to, whichever channel the person answered through. Waits
    /// for a call that runs because of it. `None` while the confirmation is open, and if it was
    /// superseded.
    pub async fn answered(&self, token: &str) -> Option<LateAnswer> {
        late_answer_of(&self.0, token).await
    }

    /// Cancels these calls and the calls that belong to them, for the provider or because the
    /// reader of their turn left; each tool's `onInterrupt` applies.
    pub fn cancel(&self, calls: &[CallId]) {
        self.0.executor.running().cancel(calls);
    }

    /// Interrupts the running calls because of barge-in; each tool's `onInterrupt` applies.
    pub fn interrupt(&self) {
        self.0.executor.running().interrupt();
    }

    /// Applies an external event, such as a farewell that was spoken. The event is saved in the
    /// background. An end, and an event of a conversation that another process owns, is stored
    /// first.
    pub fn on_event(&self, event: StateEvent) -> Result<StateEffect, StateError> {
        let core = &self.0;
        let may_end = matches!(event, StateEvent::Closed(_) | StateEvent::VoiceDisconnected);
        if may_end || !is_owner(core) {
            drop(detach_on_drop(persistence::on_event_durably(core.clone(), event)));
            return Ok(StateEffect::Nothing);
        }
        let mut locked = core.lock();
        let effect = locked.policy.state.on_event(event)?;
        locked.update_mode();
        if let Some(next) = locked.saved.next_state() {
            // The state that is being written may refuse the event, because the conversation is
            // about to end.
            let _ = next.on_event(event);
        }
        save(core, &mut locked);
        drop(locked);
        core.info.publish_effect(effect);
        Ok(effect)
    }

    /// The same, durable when this returns. After an end, the conversation is over in all processes
    /// and its open confirmations are closed; if the event cannot be stored, nothing has changed.
    pub async fn on_event_durably(
        &self,
        event: StateEvent,
    ) -> Result<StateEffect, StateChangeError> {
        detach_on_drop(persistence::on_event_durably(self.0.clone(), event)).await
    }

    pub(crate) async fn enter(
        &self,
        request: &OpenRequest,
        entry: ModeEntry,
    ) -> Result<(), OpenError> {
        detach_on_drop(persistence::enter(self.0.clone(), request.clone(), entry)).await
    }

    pub(crate) fn core(&self) -> &Arc<ConversationCore> {
        &self.0
    }

    pub(crate) fn is_owner(&self) -> bool {
        is_owner(&self.0)
    }

    pub(crate) fn snapshot(&self) -> ConversationSnapshot {
        persistence::snapshot(&self.0)
    }

    pub(crate) fn count_in(&self, loaded: &mut LoadedConversations, now: u64) {
        let locked = self.0.lock();
        match locked.policy.mode() {
            Mode::Text => loaded.text += 1,
            Mode::Voice => loaded.voice += 1,
        }
        loaded.turns_tracked += locked.policy.history.turns();
        loaded.open_confirmations += locked.confirmations.open_count(now);
    }

    pub(crate) fn is_of(&self, person: &Person) -> bool {
        self.0.info.person.id == person.id
    }
}
