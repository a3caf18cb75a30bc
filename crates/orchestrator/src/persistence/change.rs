//! Acknowledged changes of a conversation: a turn begins, the mode changes, it ends. Each is durable
//! before it takes effect; if it cannot be written, nothing has changed.

use std::sync::Arc;

use aileron_contract::Mode;
use aileron_store::{PendingWrite, SaveResult};

use super::ownership::{ATTEMPTS, own_for_change};
use super::saved_state::NextState;
use crate::confirmation::{Listener, TurnStartEffects};
use crate::conversation_core::{ConversationCore, Locked};
use crate::event::{ConversationEvent, InputKind};
use crate::open_error::OpenError;
use crate::state::{Lifecycle, StateEffect, StateError, StateEvent};
use crate::turn::TurnInput;

/// Why a state event did not take effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StateChangeError {
    Refused(StateError),
    /// It could not be stored.
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

/// A turn that has begun.
#[derive(Debug)]
pub(crate) struct TurnOpened {
    pub(crate) turn: u64,
    pub(crate) effects: TurnStartEffects,
    pub(crate) pending_message: Option<String>,
}

/// Begins a turn. The person's input may answer a confirmation.
pub(crate) async fn begin_turn(
    core: Arc<ConversationCore>,
    input: TurnInput,
) -> Result<TurnOpened, OpenError> {
    let (mut effect, mut pending_message) = (StateEffect::Nothing, None);
    let plan = |next: &mut NextState, now| {
        if let Lifecycle::Ended { .. } = next.state.lifecycle() {
            return Err(OpenError::Ended);
        }
        (next.turn, next.turn_began) = (next.turn + 1, now);
        effect = next.state.on_event(StateEvent::TurnBegan).unwrap_or(StateEffect::Nothing);
        pending_message = next.state.take_pending_message();
        Ok(())
    };
    let services = &core.info.services;
    let keep = services.config.loops.history_turns;
    let (turn, effects) = change(&core, plan, |locked, next| {
        let effects = hear(&core, locked, &input);
        (locked.policy.begin_turn(keep, next.turn_began), effects)
    })
    .await?;
    let kind = match input {
        TurnInput::Spoken { .. } => InputKind::Spoken,
        TurnInput::Written | TurnInput::Typed { .. } => InputKind::Written,
    };
    let mode = core.mode();
    core.info.publish(|| ConversationEvent::TurnBegan { turn, mode, input: kind });
    core.info.publish_effect(effect);
    // After the turn was saved: a conversation in use is not old.
    services.maintenance.run_due(&services.store, &*services.clock, &services.config);
    Ok(TurnOpened { turn, effects, pending_message })
}

/// The effect of the person's input on the open confirmations.
pub(crate) fn hear(
    core: &ConversationCore,
    locked: &mut Locked,
    input: &TurnInput,
) -> TurnStartEffects {
    let Locked { policy, confirmations, .. } = locked;
    let listener = Listener {
        grammar: &core.info.services.grammar,
        mode: policy.mode(),
        turn: policy.turn,
        now: core.info.now(),
    };
    listener.hear(confirmations, input)
}

/// Changes the conversation to this mode.
pub(crate) async fn move_to(core: &Arc<ConversationCore>, mode: Mode) -> Result<(), OpenError> {
    let plan = |next: &mut NextState, _| {
        if let Lifecycle::Ended { .. } = next.state.lifecycle() {
            return Err(OpenError::Ended);
        }
        next.state.move_to(mode);
        Ok(())
    };
    change(core, plan, |_, _| ()).await
}

/// Applies an event to the state, and stores it before it takes effect.
pub(crate) async fn on_event_durably(
    core: Arc<ConversationCore>,
    event: StateEvent,
) -> Result<StateEffect, StateChangeError> {
    let mut effect = StateEffect::Nothing;
    let plan = |next: &mut NextState, _| {
        effect = next.state.on_event(event).map_err(StateChangeError::Refused)?;
        Ok::<(), StateChangeError>(())
    };
    change(&core, plan, |_, _| ()).await?;
    core.info.publish_effect(effect);
    Ok(effect)
}

/// Writes the state that `plan` returns, then lets it take effect. One change at a time.
async fn change<T, E: From<OpenError>>(
    core: &Arc<ConversationCore>,
    mut plan: impl FnMut(&mut NextState, u64) -> Result<(), E>,
    effect: impl FnOnce(&mut Locked, &NextState) -> T,
) -> Result<T, E> {
    let one_at_a_time = core.changing.lock().await;
    for _ in 0..ATTEMPTS {
        own_for_change(core, &one_at_a_time).await?;
        let saved = {
            let mut locked = core.lock();
            let mut next = NextState::of(&locked.policy);
            plan(&mut next, core.info.now())?;
            locked.saved.next = Some(next);
            write(core, &mut locked)
        };
        let saved = saved.await;
        let mut locked = core.lock();
        let next = locked.saved.next.take();
        match (saved, next) {
            (Ok(SaveResult::At(version)), Some(next)) => {
                locked.saved.saves.confirm(version);
                let done = effect(&mut locked, &next);
                let (before, after) = (locked.policy.state.mode(), next.state.mode());
                let lifecycle = next.state.lifecycle();
                locked.set_state(next.state);
                drop(locked);
                if before != after {
                    core.info.publish(|| ConversationEvent::ModeChanged { mode: after });
                }
                if let Lifecycle::Ended { reason } = lifecycle {
                    core.info.services.ended.push(&core.info.id);
                    core.info.publish(|| ConversationEvent::Ended { reason });
                }
                return Ok(done);
            }
            (Ok(_), _) => {
                locked.saved.saves.failed();
                locked.saved.is_stale = true;
            }
            (Err(error), _) => {
                locked.saved.saves.failed();
                return Err(OpenError::from(error).into());
            }
        }
    }
    Err(OpenError::HeldElsewhere.into())
}

/// Submits the save of the conversation's next state to the store.
fn write(core: &ConversationCore, locked: &mut Locked) -> PendingWrite<SaveResult> {
    let (info, body) = (&core.info, Arc::new(locked.document()));
    let (now, lease) = (info.now(), &locked.policy.scope.lease);
    let saved = &mut locked.saved;
    let version = saved.saves.next();
    let ends = saved.next.as_ref().is_some_and(|next| next.state.lifecycle() != Lifecycle::Active);
    match ends {
        true => info.store().end_conversation(&info.id, lease.at(version), body, now),
        false => {
            let owner = info.person.id.as_ref();
            info.store().save_conversation(&info.id, lease.at(version), owner, body, now)
        }
    }
}
