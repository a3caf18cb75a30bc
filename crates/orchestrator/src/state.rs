//! The state controller: intents of handlers and external events are checked against the
//! conversation's state, and applied or refused.
//!
//! Pure: time is an argument, and the returned effect says what the transport has to do. Does not
//! check whether a blocked person may enter.

mod answer;

use aileron_contract::intent::EndAfter;
use aileron_contract::{Intent, Mode};
use serde::{Deserialize, Serialize};

pub use answer::{StateEffect, StateError};

/// The longest block. The extra minute allows for a difference between the handler's clock and
/// ours.
pub const LONGEST_BLOCK_MS: u64 = (24 * 60 + 1) * 60 * 1000;

/// The most characters a pending message may have.
pub const LONGEST_MESSAGE: usize = 4000;

/// The state of one conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConversationState {
    mode: Mode,
    #[serde(rename = "standing")]
    lifecycle: Lifecycle,
    voice: VoiceState,
    /// The voice session was started from a text conversation, which continues after it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    returns_to_text: bool,
    suppress_audio: bool,
    suppress_transcript: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pending_message: Option<String>,
}

/// Whether a conversation is active.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Lifecycle {
    Active,
    Ended { reason: EndReason },
}

/// Why a conversation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// A tool asked for it.
    Tool,
    /// The person ended it, or the API client did for them.
    Person,
    /// The connection was lost and not restored.
    Lost,
    /// The person was silent for too long.
    Idle,
}

/// The voice session of a conversation. In voice mode there is one until the end, however often its
/// connection is renewed; a tool in a text conversation may request one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum VoiceState {
    Off,
    Requested,
    Active,
    Ending { after: EndAfter },
}

/// An external event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StateEvent {
    TurnBegan,
    TurnComplete,
    /// The audio of the farewell was sent completely.
    FarewellSpoken,
    /// The session was about to end, and the event that it waited for did not come in time.
    EndOverdue,
    VoiceConnected,
    VoiceDisconnected,
    /// The conversation was closed, for this reason.
    Closed(EndReason),
}

impl ConversationState {
    /// The state of a new conversation.
    pub fn new(mode: Mode) -> Self {
        let voice = match mode {
            Mode::Text => VoiceState::Off,
            Mode::Voice => VoiceState::Active,
        };
        Self {
            mode,
            lifecycle: Lifecycle::Active,
            voice,
            returns_to_text: false,
            suppress_audio: false,
            suppress_transcript: false,
            pending_message: None,
        }
    }

    pub fn mode(&self) -> Mode {
        self.mode
    }

    pub fn lifecycle(&self) -> Lifecycle {
        self.lifecycle
    }

    pub fn voice(&self) -> VoiceState {
        self.voice
    }

    /// Whether the person may enter in this mode without asking for a change of mode: it is the
    /// current mode, a tool asked for a voice session, or the voice session of a text conversation
    /// is over, about to end, or disconnected.
    pub fn accepts_mode(&self, mode: Mode) -> bool {
        match (self.mode, mode) {
            (Mode::Text, Mode::Text) | (Mode::Voice, Mode::Voice) => true,
            (Mode::Text, Mode::Voice) => self.voice == VoiceState::Requested,
            (Mode::Voice, Mode::Text) => self.returns_to_text && self.voice != VoiceState::Active,
        }
    }

    /// Changes the conversation to this mode.
    pub fn move_to(&mut self, mode: Mode) {
        if self.mode == mode {
            return;
        }
        (self.mode, self.suppress_audio) = (mode, false);
        (self.voice, self.returns_to_text) = match mode {
            Mode::Text => (VoiceState::Off, false),
            Mode::Voice => (VoiceState::Active, true),
        };
    }

    /// Whether no audio is sent to the person. An awaited farewell is always sent.
    pub fn audio_suppressed(&self) -> bool {
        self.suppress_audio
            && self.voice != (VoiceState::Ending { after: EndAfter::FarewellSpoken })
    }

    /// Whether no transcript is sent to the person.
    pub fn transcript_suppressed(&self) -> bool {
        self.suppress_transcript
    }

    /// Takes the message that is pending for the next turn.
    pub fn take_pending_message(&mut self) -> Option<String> {
        self.pending_message.take()
    }

    /// Applies an intent of a handler.
    pub fn apply(&mut self, intent: &Intent, now_ms: u64) -> Result<StateEffect, StateError> {
        self.must_be_active()?;
        match intent {
            Intent::EndVoiceSession { after } => self.end_voice(*after),
            Intent::StartVoiceSession => self.start_voice(),
            Intent::SuppressAudio { value } => self.set_audio(*value),
            Intent::SuppressTranscript { value } => Ok(self.set_transcript(*value)),
            Intent::SetPendingMessage { message } => self.set_message(message),
            Intent::BlockUser { until } => block(*until, now_ms),
        }
    }

    /// Applies an external event.
    pub fn on_event(&mut self, event: StateEvent) -> Result<StateEffect, StateError> {
        self.must_be_active()?;
        match event {
            StateEvent::TurnBegan | StateEvent::TurnComplete => Ok(self.end_of_turn()),
            StateEvent::FarewellSpoken => self.farewell_spoken(),
            StateEvent::EndOverdue => self.end_overdue(),
            StateEvent::VoiceConnected => self.voice_connected(),
            StateEvent::VoiceDisconnected => self.voice_disconnected(),
            StateEvent::Closed(reason) => Ok(self.end(reason)),
        }
    }

    fn must_be_active(&self) -> Result<(), StateError> {
        match self.lifecycle {
            Lifecycle::Active => Ok(()),
            Lifecycle::Ended { .. } => Err(StateError::ConversationEnded),
        }
    }

    fn must_be(&self, mode: Mode) -> Result<(), StateError> {
        if self.mode == mode { Ok(()) } else { Err(StateError::WrongMode) }
    }

    /// If two ends were requested, the sooner one applies.
    fn end_voice(&mut self, after: EndAfter) -> Result<StateEffect, StateError> {
        self.must_be(Mode::Voice)?;
        match self.voice {
            VoiceState::Ending { after: planned } if delay(planned) <= delay(after) => {
                Ok(StateEffect::Nothing)
            }
            _ => Ok(self.ending(after)),
        }
    }

    fn ending(&mut self, after: EndAfter) -> StateEffect {
        self.voice = VoiceState::Ending { after };
        StateEffect::EndVoice { after }
    }

    fn start_voice(&mut self) -> Result<StateEffect, StateError> {
        self.must_be(Mode::Text)?;
        match self.voice {
            VoiceState::Off => {
                self.voice = VoiceState::Requested;
                Ok(StateEffect::StartVoice)
            }
            VoiceState::Requested => Err(StateError::VoiceAlreadyRequested),
            VoiceState::Active | VoiceState::Ending { .. } => Err(StateError::VoiceAlreadyActive),
        }
    }

    fn set_audio(&mut self, value: bool) -> Result<StateEffect, StateError> {
        self.must_be(Mode::Voice)?;
        let before = self.audio_suppressed();
        self.suppress_audio = value;
        let changed = self.audio_suppressed() != before;
        Ok(if changed { StateEffect::SuppressAudio { value } } else { StateEffect::Nothing })
    }

    fn set_transcript(&mut self, value: bool) -> StateEffect {
        let changed = self.suppress_transcript != value;
        self.suppress_transcript = value;
        if changed { StateEffect::SuppressTranscript { value } } else { StateEffect::Nothing }
    }

    /// The last message set before a turn replaces earlier ones.
    fn set_message(&mut self, message: &str) -> Result<StateEffect, StateError> {
        if message.trim().is_empty() {
            return Err(StateError::EmptyMessage);
        }
        if message.chars().nth(LONGEST_MESSAGE).is_some() {
            return Err(StateError::MessageTooLong);
        }
        self.pending_message = Some(message.to_owned());
        Ok(StateEffect::Nothing)
    }

    /// A turn that begins ends the one before it, by barge-in.
    fn end_of_turn(&mut self) -> StateEffect {
        match self.voice {
            VoiceState::Ending { after: EndAfter::CurrentTurn } => self.ending(EndAfter::Immediate),
            _ => StateEffect::Nothing,
        }
    }

    fn farewell_spoken(&mut self) -> Result<StateEffect, StateError> {
        match self.voice {
            VoiceState::Ending { after: EndAfter::FarewellSpoken } => {
                Ok(self.ending(EndAfter::Immediate))
            }
            _ => Err(StateError::NoFarewellAwaited),
        }
    }

    fn end_overdue(&mut self) -> Result<StateEffect, StateError> {
        match self.voice {
            VoiceState::Ending { .. } => Ok(self.ending(EndAfter::Immediate)),
            VoiceState::Off | VoiceState::Requested | VoiceState::Active => {
                Err(StateError::NotEnding)
            }
        }
    }

    /// In voice mode the connection may be renewed; the session stays.
    fn voice_connected(&mut self) -> Result<StateEffect, StateError> {
        match (self.mode, self.voice) {
            (Mode::Voice, VoiceState::Off) => {
                self.voice = VoiceState::Active;
                Ok(StateEffect::Nothing)
            }
            (Mode::Voice, _) => Ok(StateEffect::Nothing),
            (Mode::Text, VoiceState::Requested) => {
                self.voice = VoiceState::Active;
                Ok(StateEffect::Nothing)
            }
            (Mode::Text, VoiceState::Off) => Err(StateError::VoiceNotRequested),
            (Mode::Text, _) => Err(StateError::VoiceAlreadyActive),
        }
    }

    /// A session that was about to end does not wait for a new connection. One that was started
    /// from a text conversation returns to that conversation.
    fn voice_disconnected(&mut self) -> Result<StateEffect, StateError> {
        match (self.mode, self.voice) {
            (_, VoiceState::Ending { .. }) if self.returns_to_text => {
                self.move_to(Mode::Text);
                Ok(StateEffect::Nothing)
            }
            (_, VoiceState::Ending { .. }) => Ok(self.end(EndReason::Tool)),
            (Mode::Voice, VoiceState::Active) if self.returns_to_text => {
                self.voice = VoiceState::Off;
                Ok(StateEffect::Nothing)
            }
            (Mode::Voice, _) => Ok(StateEffect::Nothing),
            (Mode::Text, VoiceState::Off) => Err(StateError::VoiceNotRequested),
            (Mode::Text, _) => {
                self.voice = VoiceState::Off;
                Ok(StateEffect::Nothing)
            }
        }
    }

    fn end(&mut self, reason: EndReason) -> StateEffect {
        self.lifecycle = Lifecycle::Ended { reason };
        (self.voice, self.returns_to_text) = (VoiceState::Off, false);
        self.pending_message = None;
        StateEffect::Nothing
    }
}

/// A block that is too long is shortened, not refused, so that a wrong duration from a handler does
/// not leave the person unblocked.
fn block(until: u64, now_ms: u64) -> Result<StateEffect, StateError> {
    if until <= now_ms {
        return Err(StateError::BlockInThePast);
    }
    Ok(StateEffect::BlockUser { until: until.min(now_ms.saturating_add(LONGEST_BLOCK_MS)) })
}

/// The order of ends by delay, the soonest first.
fn delay(after: EndAfter) -> u8 {
    match after {
        EndAfter::Immediate => 0,
        EndAfter::CurrentTurn => 1,
        EndAfter::FarewellSpoken => 2,
    }
}

#[cfg(test)]
#[path = "state_tests.rs"]
mod tests;
