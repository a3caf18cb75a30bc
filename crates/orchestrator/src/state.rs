//! The state controller: what handlers ask of a conversation, and what happens
//! to it, checked against its state and applied or refused.
//!
//! Pure: time is an argument, and what the outside has to do is the answer.
//! Whether a blocked person may come in is decided at the door, not here.

mod answer;

use aileron_contract::intent::EndAfter;
use aileron_contract::{Intent, Mode};
use serde::{Deserialize, Serialize};

pub use answer::{Effect, Refusal};

/// The longest block. The minute beyond a day is for the time between a handler's clock and ours.
pub const LONGEST_BLOCK_MS: u64 = (24 * 60 + 1) * 60 * 1000;

/// The most characters a pending message may have.
pub const LONGEST_MESSAGE: usize = 4000;

/// The state of one conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct State {
    mode: Mode,
    standing: Standing,
    voice: Voice,
    /// The voice session came of a text conversation, which goes on when it is over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    returns_to_text: bool,
    suppress_audio: bool,
    suppress_transcript: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pending_message: Option<String>,
}

/// Whether a conversation goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Standing {
    Active,
    Ended { reason: EndReason },
}

/// Why a conversation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// A tool asked for it.
    Tool,
    /// The person, or the caller in their place.
    Person,
    /// The connection was lost and did not come back.
    Lost,
    /// Nobody said anything for too long.
    Idle,
}

/// The voice session of a conversation. In voice mode there is one until the end, however often
/// its connection is renewed; a text conversation may ask for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Voice {
    Off,
    Requested,
    Active,
    Ending { after: EndAfter },
}

/// Something that happened outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Happening {
    TurnBegan,
    TurnComplete,
    /// The audio of the farewell was sent to its end.
    FarewellSpoken,
    /// The session was to end, and what it waited for did not come in time.
    EndOverdue,
    VoiceConnected,
    VoiceDisconnected,
    /// The conversation is over, whoever closed it.
    Closed(EndReason),
}

impl State {
    /// A conversation that begins.
    pub fn new(mode: Mode) -> Self {
        let voice = match mode {
            Mode::Text => Voice::Off,
            Mode::Voice => Voice::Active,
        };
        Self {
            mode,
            standing: Standing::Active,
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

    pub fn standing(&self) -> Standing {
        self.standing
    }

    pub fn voice(&self) -> Voice {
        self.voice
    }

    /// Whether the person may come in this mode without saying that the conversation moves: it is
    /// held in it, a tool asked for a voice session, or the voice session of a text conversation is
    /// over, about to be, or without its connection.
    pub fn awaits(&self, mode: Mode) -> bool {
        match (self.mode, mode) {
            (Mode::Text, Mode::Text) | (Mode::Voice, Mode::Voice) => true,
            (Mode::Text, Mode::Voice) => self.voice == Voice::Requested,
            (Mode::Voice, Mode::Text) => self.returns_to_text && self.voice != Voice::Active,
        }
    }

    /// The conversation goes on in this mode.
    pub fn move_to(&mut self, mode: Mode) {
        if self.mode == mode {
            return;
        }
        (self.mode, self.suppress_audio) = (mode, false);
        (self.voice, self.returns_to_text) = match mode {
            Mode::Text => (Voice::Off, false),
            Mode::Voice => (Voice::Active, true),
        };
    }

    /// Whether no audio goes to the person. A farewell that is awaited is always heard.
    pub fn audio_suppressed(&self) -> bool {
        self.suppress_audio && self.voice != (Voice::Ending { after: EndAfter::FarewellSpoken })
    }

    /// Whether no transcript goes to the person.
    pub fn transcript_suppressed(&self) -> bool {
        self.suppress_transcript
    }

    /// Takes the message that waits for the next turn.
    pub fn take_pending_message(&mut self) -> Option<String> {
        self.pending_message.take()
    }

    /// Applies what a handler asks for.
    pub fn apply(&mut self, intent: &Intent, now_ms: u64) -> Result<Effect, Refusal> {
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

    /// Follows what happened outside.
    pub fn follow(&mut self, happening: Happening) -> Result<Effect, Refusal> {
        self.must_be_active()?;
        match happening {
            Happening::TurnBegan | Happening::TurnComplete => Ok(self.end_of_turn()),
            Happening::FarewellSpoken => self.farewell_spoken(),
            Happening::EndOverdue => self.end_overdue(),
            Happening::VoiceConnected => self.voice_connected(),
            Happening::VoiceDisconnected => self.voice_disconnected(),
            Happening::Closed(reason) => Ok(self.end(reason)),
        }
    }

    fn must_be_active(&self) -> Result<(), Refusal> {
        match self.standing {
            Standing::Active => Ok(()),
            Standing::Ended { .. } => Err(Refusal::ConversationEnded),
        }
    }

    fn must_be(&self, mode: Mode) -> Result<(), Refusal> {
        if self.mode == mode { Ok(()) } else { Err(Refusal::WrongMode) }
    }

    /// Of two ends asked for, the sooner holds.
    fn end_voice(&mut self, after: EndAfter) -> Result<Effect, Refusal> {
        self.must_be(Mode::Voice)?;
        match self.voice {
            Voice::Ending { after: planned } if delay(planned) <= delay(after) => {
                Ok(Effect::Nothing)
            }
            _ => Ok(self.ending(after)),
        }
    }

    fn ending(&mut self, after: EndAfter) -> Effect {
        self.voice = Voice::Ending { after };
        Effect::EndVoice { after }
    }

    fn start_voice(&mut self) -> Result<Effect, Refusal> {
        self.must_be(Mode::Text)?;
        match self.voice {
            Voice::Off => {
                self.voice = Voice::Requested;
                Ok(Effect::StartVoice)
            }
            Voice::Requested => Err(Refusal::VoiceAlreadyRequested),
            Voice::Active | Voice::Ending { .. } => Err(Refusal::VoiceAlreadyActive),
        }
    }

    fn set_audio(&mut self, value: bool) -> Result<Effect, Refusal> {
        self.must_be(Mode::Voice)?;
        let before = self.audio_suppressed();
        self.suppress_audio = value;
        let changed = self.audio_suppressed() != before;
        Ok(if changed { Effect::SuppressAudio { value } } else { Effect::Nothing })
    }

    fn set_transcript(&mut self, value: bool) -> Effect {
        let changed = self.suppress_transcript != value;
        self.suppress_transcript = value;
        if changed { Effect::SuppressTranscript { value } } else { Effect::Nothing }
    }

    /// The last message set before a turn is the one that counts.
    fn set_message(&mut self, message: &str) -> Result<Effect, Refusal> {
        if message.trim().is_empty() {
            return Err(Refusal::EmptyMessage);
        }
        if message.chars().nth(LONGEST_MESSAGE).is_some() {
            return Err(Refusal::MessageTooLong);
        }
        self.pending_message = Some(message.to_owned());
        Ok(Effect::Nothing)
    }

    /// A turn that begins ends the one before it: the person has cut in.
    fn end_of_turn(&mut self) -> Effect {
        match self.voice {
            Voice::Ending { after: EndAfter::CurrentTurn } => self.ending(EndAfter::Immediate),
            _ => Effect::Nothing,
        }
    }

    fn farewell_spoken(&mut self) -> Result<Effect, Refusal> {
        match self.voice {
            Voice::Ending { after: EndAfter::FarewellSpoken } => {
                Ok(self.ending(EndAfter::Immediate))
            }
            _ => Err(Refusal::NoFarewellAwaited),
        }
    }

    fn end_overdue(&mut self) -> Result<Effect, Refusal> {
        match self.voice {
            Voice::Ending { .. } => Ok(self.ending(EndAfter::Immediate)),
            Voice::Off | Voice::Requested | Voice::Active => Err(Refusal::NotEnding),
        }
    }

    /// In voice mode the connection may come and go; the session stays.
    fn voice_connected(&mut self) -> Result<Effect, Refusal> {
        match (self.mode, self.voice) {
            (Mode::Voice, Voice::Off) => {
                self.voice = Voice::Active;
                Ok(Effect::Nothing)
            }
            (Mode::Voice, _) => Ok(Effect::Nothing),
            (Mode::Text, Voice::Requested) => {
                self.voice = Voice::Active;
                Ok(Effect::Nothing)
            }
            (Mode::Text, Voice::Off) => Err(Refusal::VoiceNotRequested),
            (Mode::Text, _) => Err(Refusal::VoiceAlreadyActive),
        }
    }

    /// A session that was to end anyway does not wait for its connection to come back. One that came
    /// of a text conversation leaves that behind.
    fn voice_disconnected(&mut self) -> Result<Effect, Refusal> {
        match (self.mode, self.voice) {
            (_, Voice::Ending { .. }) if self.returns_to_text => {
                self.move_to(Mode::Text);
                Ok(Effect::Nothing)
            }
            (_, Voice::Ending { .. }) => Ok(self.end(EndReason::Tool)),
            (Mode::Voice, Voice::Active) if self.returns_to_text => {
                self.voice = Voice::Off;
                Ok(Effect::Nothing)
            }
            (Mode::Voice, _) => Ok(Effect::Nothing),
            (Mode::Text, Voice::Off) => Err(Refusal::VoiceNotRequested),
            (Mode::Text, _) => {
                self.voice = Voice::Off;
                Ok(Effect::Nothing)
            }
        }
    }

    fn end(&mut self, reason: EndReason) -> Effect {
        self.standing = Standing::Ended { reason };
        (self.voice, self.returns_to_text) = (Voice::Off, false);
        self.pending_message = None;
        Effect::Nothing
    }
}

/// A block that is too long is shortened, not refused: whoever was to be kept out must not walk in
/// because a handler miscounted.
fn block(until: u64, now_ms: u64) -> Result<Effect, Refusal> {
    if until <= now_ms {
        return Err(Refusal::BlockInThePast);
    }
    Ok(Effect::BlockUser { until: until.min(now_ms.saturating_add(LONGEST_BLOCK_MS)) })
}

/// How long an end waits, the soonest first.
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
