//! Changes of a conversation that are acknowledged: a turn begins, the mode changes, it ends. Each is
//! durable before it takes effect, and where it cannot be written nothing has changed.

use std::sync::Arc;

use aileron_contract::Mode;
use aileron_store::{Commit, Saved};

use super::{ATTEMPTS, Began, ConversationCore, Locked, PolicyState, TurnInput};
use crate::orchestrator::OpenError;
use crate::state::{ConversationState, Lifecycle, StateEffect, StateError, StateEvent};

/// What a conversation is about to be, while that is being written. What happens meanwhile happens
/// to both.
#[derive(Debug, Clone)]
pub(super) struct Next {
    pub(super) turn: u64,
    pub(super) turn_began: u64,
    pub(super) state: ConversationState,
}

impl Next {
    fn of(memory: &PolicyState) -> Self {
        let PolicyState { turn, turn_began, ref state, .. } = *memory;
        Self { turn, turn_began, state: state.clone() }
    }
}

/// Why a conversation did not follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StateChangeError {
    Refused(StateError),
    /// It could not be kept.
    Open(OpenError),
}

impl std::fmt::Display for StateChangeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Open(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for StateChangeError {}

impl From<OpenError> for StateChangeError {
    fn from(error: OpenError) -> Self {
        Self::Open(error)
    }
}

impl Locked {
    /// A change was not written: the conversation is as it was.
    fn not_changed(&mut self) {
        self.saves.failed();
        self.stable = self.stable_text();
    }
}

impl ConversationCore {
    /// Begins a turn. What the person did may answer a question that waits.
    pub(super) async fn begin_turn(self: Arc<Self>, input: TurnInput) -> Result<Began, OpenError> {
        let (mut effect, mut pending_message) = (StateEffect::Nothing, None);
        let plan = |next: &mut Next, now| {
            if let Lifecycle::Ended { .. } = next.state.standing() {
                return Err(OpenError::Ended);
            }
            (next.turn, next.turn_began) = (next.turn + 1, now);
            effect = next.state.on_event(StateEvent::TurnBegan).unwrap_or(StateEffect::Nothing);
            pending_message = next.state.take_pending_message();
            Ok(())
        };
        let keep = self.core.config.loops.history_turns;
        let (turn, heard) = self
            .change(plan, |shared, inner, next| {
                let heard = shared.hear(&mut inner.memory, &input);
                (inner.memory.begin_turn(keep, next.turn_began), heard)
            })
            .await?;
        self.publish_effect(effect);
        // After the turn was saved: a conversation in use is not an old one.
        self.core.run_due_maintenance(self.now());
        Ok(Began { turn, heard, pending_message })
    }

    /// The conversation goes on in this mode.
    pub(super) async fn move_to(self: &Arc<Self>, mode: Mode) -> Result<(), OpenError> {
        let plan = |next: &mut Next, _| {
            if let Lifecycle::Ended { .. } = next.state.standing() {
                return Err(OpenError::Ended);
            }
            next.state.move_to(mode);
            Ok(())
        };
        self.change(plan, |_, _, _| ()).await
    }

    /// Follows what happened outside, and keeps it before it takes effect.
    pub(super) async fn on_event_durably(
        self: Arc<Self>,
        event: StateEvent,
    ) -> Result<StateEffect, StateChangeError> {
        let mut effect = StateEffect::Nothing;
        let plan = |next: &mut Next, _| {
            effect = next.state.on_event(event).map_err(StateChangeError::Refused)?;
            Ok::<(), StateChangeError>(())
        };
        self.change(plan, |_, _, _| ()).await?;
        self.publish_effect(effect);
        Ok(effect)
    }

    /// Writes what `plan` makes of the conversation, then lets it take effect. One change at a time.
    async fn change<T, E: From<OpenError>>(
        self: &Arc<Self>,
        mut plan: impl FnMut(&mut Next, u64) -> Result<(), E>,
        effect: impl FnOnce(&Self, &mut Locked, &Next) -> T,
    ) -> Result<T, E> {
        let one_at_a_time = self.changing.lock().await;
        for _ in 0..ATTEMPTS {
            self.keep_hold(&one_at_a_time).await?;
            let saved = {
                let mut inner = self.lock();
                let mut next = Next::of(&inner.memory);
                plan(&mut next, self.now())?;
                inner.next = Some(next);
                self.write(&mut inner)
            };
            let saved = saved.await;
            let mut inner = self.lock();
            let next = inner.next.take();
            match (saved, next) {
                (Ok(Saved::At(version)), Some(next)) => {
                    inner.saves.confirm(version);
                    return Ok(self.install(&mut inner, next, effect));
                }
                (Ok(_), _) => {
                    inner.not_changed();
                    inner.is_stale = true;
                }
                (Err(error), _) => {
                    inner.not_changed();
                    return Err(OpenError::from(error).into());
                }
            }
        }
        Err(OpenError::HeldElsewhere.into())
    }

    fn install<T>(
        &self,
        inner: &mut Locked,
        next: Next,
        effect: impl FnOnce(&Self, &mut Locked, &Next) -> T,
    ) -> T {
        let done = effect(self, inner, &next);
        inner.memory.state = next.state;
        inner.memory.follow_mode();
        if let Lifecycle::Ended { .. } = inner.memory.state.standing() {
            self.core.forget(&self.id);
        }
        done
    }

    /// Asks the store to keep the conversation as it is about to be.
    fn write(&self, inner: &mut Locked) -> Commit<Saved> {
        inner.stable = inner.stable_text();
        let (body, now) = (Arc::new(inner.document()), self.now());
        let version = inner.saves.next();
        let ends =
            inner.next.as_ref().is_some_and(|next| next.state.standing() != Lifecycle::Active);
        match ends {
            true => self.core.store.end_conversation(&self.id, version, body, now),
            false => {
                let owner = self.person.id.as_ref();
                self.core.store.save_conversation(&self.id, owner, version, body, now)
            }
        }
    }
}
