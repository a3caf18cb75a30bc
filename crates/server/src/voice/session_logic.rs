//! Decides what follows from the inputs of a person, a live provider and a conversation: inputs in, actions
//! out. Pure: it has no socket, no task and no clock, so tests can try every order of inputs.

mod action;
mod calls;
mod client_input;
mod conversation_output;
mod effects;
mod ending;
mod microphone;
mod playback;
mod provider;
mod reply_timeout;
mod turn_tracker;

use std::collections::BTreeSet;
use std::sync::Arc;

use aileron_contract::envelope::ConfirmationRequest;
use aileron_contract::transport::{Capabilities, Support};
use aileron_contract::{ToolCall, ToolResponse};
use aileron_orchestrator::TurnInput;
use aileron_orchestrator::state::ConversationState;
use aileron_orchestrator::yes_no::Grammar;
use aileron_runtime::Registry;

pub(crate) use self::action::{ProviderCommand, SessionEnd, VoiceAction};
use self::calls::SessionCalls;
use self::ending::SessionEnding;
use self::microphone::Microphone;
use self::playback::Playback;
use self::reply_timeout::ReplyTimeout;
use self::turn_tracker::{TurnAssignment, TurnTracker};
use super::limits::VoiceSessionLimits;
use super::protocol::{SessionEndReason, VoiceServerMessage};

/// The contents of the message that reports a session as ready.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReadyMessage {
    pub(crate) conversation_id: aileron_contract::ConversationId,
    pub(crate) registry_version: String,
    pub(crate) tools: Vec<String>,
    pub(crate) provider: String,
    pub(crate) notes: Vec<&'static str>,
}

impl ReadyMessage {
    fn message(&self) -> VoiceServerMessage {
        let Self { conversation_id, registry_version, tools, provider, notes } = self.clone();
        VoiceServerMessage::Ready { conversation_id, registry_version, tools, provider, notes }
    }
}

/// The state of the provider connection that the client was last informed of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ProviderLink {
    Beginning,
    Up,
    /// The client was informed that the connection is being restored.
    Mending,
}

#[derive(Debug)]
pub(crate) struct VoiceSessionLogic {
    ready_message: ReadyMessage,
    capabilities: Capabilities,
    registry: Arc<Registry>,
    limits: VoiceSessionLimits,
    link: ProviderLink,
    /// Whether the provider was ready at any time.
    was_ready: bool,
    turn_tracker: TurnTracker,
    microphone: Microphone,
    playback: Playback,
    reply_timeout: ReplyTimeout,
    calls: SessionCalls,
    ending: SessionEnding,
    open_confirmations: Vec<ConfirmationRequest>,
    /// Recognises a typed yes.
    grammar: Arc<Grammar>,
    /// A pending message that waits for the end of the current reply.
    pending_message: Option<String>,
    /// Whether a late result was sent whose time is not recorded yet.
    is_late_result_unrecorded: bool,
    /// The tasks whose results were sent to the model.
    told_tasks: BTreeSet<String>,
    /// Why the reply failed, without the provider's message.
    reply_failure: Option<&'static str>,
    /// Whether a barge-in was reported since the model last did something.
    is_interrupted: bool,
    audio_suppressed: bool,
    transcript_suppressed: bool,
    began: u64,
    active: u64,
    actions: Vec<VoiceAction>,
}

impl VoiceSessionLogic {
    /// When the audio that was sent so far has been played.
    pub(crate) fn plays_until(&self) -> u64 {
        self.playback.plays_until()
    }

    pub(crate) fn new(
        ready_message: ReadyMessage,
        capabilities: Capabilities,
        registry: Arc<Registry>,
        grammar: Arc<Grammar>,
        limits: VoiceSessionLimits,
        now: u64,
    ) -> Self {
        Self {
            ready_message,
            capabilities,
            registry,
            limits,
            link: ProviderLink::Beginning,
            was_ready: false,
            turn_tracker: TurnTracker::new(now),
            microphone: Microphone::default(),
            playback: Playback::default(),
            reply_timeout: ReplyTimeout::default(),
            calls: SessionCalls::default(),
            ending: SessionEnding::default(),
            open_confirmations: Vec::new(),
            grammar,
            pending_message: None,
            is_late_result_unrecorded: false,
            told_tasks: BTreeSet::new(),
            reply_failure: None,
            is_interrupted: false,
            audio_suppressed: false,
            transcript_suppressed: false,
            began: now,
            active: now,
            actions: Vec::new(),
        }
    }

    /// Records the time at which a late result was sent.
    pub(crate) fn record_late_result_time(&mut self, now: u64) {
        if std::mem::take(&mut self.is_late_result_unrecorded) {
            self.reply_timeout.on_late_result(now);
        }
    }

    /// The actions to perform, in order.
    pub(crate) fn take_actions(&mut self) -> Vec<VoiceAction> {
        std::mem::take(&mut self.actions)
    }

    /// Takes the buffer of actions back, so that the audio path does not allocate.
    pub(crate) fn return_buffer(&mut self, mut actions: Vec<VoiceAction>) {
        actions.clear();
        if self.actions.is_empty() {
            self.actions = actions;
        }
    }

    /// The state of the conversation changed.
    pub(crate) fn on_state(&mut self, state: &ConversationState) {
        self.audio_suppressed = state.audio_suppressed();
        self.transcript_suppressed = state.transcript_suppressed();
    }

    /// Whether input of the person is accepted.
    pub(crate) fn accepts_input(&self) -> bool {
        !self.ending.is_blocked()
    }

    /// Whether the provider accepts audio.
    pub(crate) fn accepts_audio(&self) -> bool {
        self.capabilities.hears == Support::Yes
    }

    /// See [`SessionCalls::take_answered`].
    pub(crate) fn take_answered_calls(&mut self) -> Vec<(ToolCall, Arc<ToolResponse>)> {
        self.calls.take_answered()
    }

    /// When [`VoiceSessionLogic::on_time`] is due, if no input comes before.
    pub(crate) fn due(&self) -> u64 {
        let idle = self.active.saturating_add(self.limits.idle_ms);
        let most = self.began.saturating_add(self.limits.max_duration_ms);
        let reply_timeout =
            self.reply_timeout.due(self.playback.plays_until()).filter(|_| !self.calls.has_open());
        let others =
            [self.calls.filler_due(), self.ending.due(), reply_timeout, self.microphone.due()];
        others.into_iter().flatten().fold(idle.min(most), u64::min)
    }

    /// Performs what is due at this time.
    pub(crate) fn on_time(&mut self, now: u64) {
        if let Some(sentence) = self.calls.take_due_filler(now) {
            self.command_provider(ProviderCommand::Say(sentence));
        }
        if self.ending.is_overdue(now) {
            self.end_overdue();
        }
        if self.microphone.take_switched_off(now) {
            self.command_provider(ProviderCommand::AudioEnd);
        }
        if !self.calls.has_open() && self.reply_timeout.is_overdue(now, self.playback.plays_until())
        {
            self.command_provider(ProviderCommand::TurnOverdue);
        }
        let busy = self.calls.has_open() || self.playback.is_playing(now);
        if now >= self.began.saturating_add(self.limits.max_duration_ms) {
            self.end(SessionEndReason::MaxDuration);
        } else if busy {
            self.active = now;
        } else if now >= self.active.saturating_add(self.limits.idle_ms) {
            self.end(SessionEndReason::Idle);
        }
    }

    fn push_action(&mut self, action: VoiceAction) {
        self.actions.push(action);
    }

    fn send_message(&mut self, message: VoiceServerMessage) {
        self.actions.push(VoiceAction::SendMessage(message));
    }

    fn command_provider(&mut self, command: ProviderCommand) {
        self.actions.push(VoiceAction::CommandProvider(command));
    }

    fn end(&mut self, end: impl Into<SessionEnd>) {
        if self.ending.end_once() {
            self.actions.push(VoiceAction::End(end.into()));
        }
    }

    /// The model speaks or calls.
    fn model_acts(&mut self) {
        self.is_interrupted = false;
        if self.turn_tracker.on_model_acts() == Some(TurnAssignment::BeginsWithoutWords) {
            // Without a transcript the turn cannot answer a confirmation.
            self.push_action(VoiceAction::BeginTurn(TurnInput::Written));
        }
    }

    /// Whether a barge-in has anything to interrupt.
    fn is_interruptible(&self, now: u64) -> bool {
        self.playback.is_playing(now)
            || self.turn_tracker.model_is_speaking()
            || self.calls.has_open()
    }

    /// How much of the current utterance was played. While audio is suppressed, the person reads all of it.
    fn played_ms(&self, now: u64) -> u64 {
        match self.audio_suppressed {
            true => u64::MAX,
            false => self.playback.played_ms(now),
        }
    }

    /// The person barges in, if there is anything to interrupt.
    fn barge_in(&mut self, now: u64) {
        if self.is_interruptible(now) {
            self.interrupt_model(now);
        }
    }

    /// Interrupts the reply and the running calls, whether or not the provider supports it.
    fn interrupt_model(&mut self, now: u64) {
        if std::mem::replace(&mut self.is_interrupted, true) {
            return;
        }
        self.push_action(VoiceAction::ClearPlayback);
        if let Some(heard) = self.playback.stop(now)
            && self.capabilities.truncate.is_yes()
        {
            let (utterance, played_ms) = (heard.utterance, heard.played_ms);
            self.command_provider(ProviderCommand::Truncate { utterance, played_ms });
        }
        self.push_action(VoiceAction::Interrupt);
        self.send_message(VoiceServerMessage::Interrupted);
    }
}

#[cfg(test)]
#[path = "session_logic_tests.rs"]
mod tests;
