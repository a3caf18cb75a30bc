//! Maps between the messages of Gemini Live and the contract, with the state of one connection. Pure:
//! frames and commands in, effects out.

mod receive;
mod send;
mod transcripts;
mod wrapping;

use aileron_contract::transport::{
    Capabilities, CloseCode, Command, CommandError, Effects, FrameError, OutgoingFrame, Protocol,
    ProviderEvent, TurnDetection, Utterance,
};

use self::transcripts::Transcripts;
use self::wrapping::Wrapping;
use super::fault;
use super::settings::GeminiLiveOptions;
use super::wire::incoming;
use crate::audio::WholeSamples;
use crate::calls::CallTable;
use crate::close::{ClosedDuring, Handle};
use crate::phase::ConnectionPhase;

/// One connection to Gemini Live.
#[derive(Debug, Clone, PartialEq)]
pub struct GeminiLive {
    settings: GeminiLiveOptions,
    capabilities: Capabilities,
    phase: ConnectionPhase,
    handle: Handle,
    detection: TurnDetection,
    /// The tools that only read.
    reads: Vec<String>,
    /// The history, to be sent once the setup is accepted.
    history: Option<String>,
    calls: CallTable,
    transcripts: Transcripts,
    speech: Speech,
    /// Texts for the model that request no reply, to be sent when they interrupt nothing.
    notes: Vec<String>,
    samples: WholeSamples,
    /// The wrapping of the last frame with audio only.
    wrapping: Option<Wrapping>,
}

/// The state of the model's speech.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Speech {
    /// How many utterances were begun.
    begun: u32,
    going_on: bool,
    interrupted: bool,
    /// The whole reply was delivered, and the end of the turn is expected.
    generated: bool,
    /// The end of the turn was reported before the provider reported it, if it ever does.
    presumed: bool,
    /// The rest of the reply is ignored: the provider cannot be told to stop it.
    muted: bool,
}

impl GeminiLive {
    /// A connection that has sent nothing.
    pub fn new(settings: GeminiLiveOptions) -> Self {
        Self {
            capabilities: settings.capabilities(),
            settings,
            phase: ConnectionPhase::default(),
            handle: Handle::default(),
            detection: TurnDetection::default(),
            reads: Vec::new(),
            history: None,
            calls: CallTable::default(),
            transcripts: Transcripts::default(),
            speech: Speech::default(),
            notes: Vec::new(),
            samples: WholeSamples::default(),
            wrapping: None,
        }
    }

    /// The utterance that audio belongs to; the first audio after the end of a turn begins another.
    fn utterance(&mut self) -> Utterance {
        if !self.speech.going_on {
            self.speech.going_on = true;
            self.speech.begun = self.speech.begun.wrapping_add(1);
            self.samples.reset();
        }
        Utterance(self.speech.begun.wrapping_sub(1))
    }

    /// The model speaks or calls.
    fn acts(&mut self, effects: &mut Effects) {
        (self.speech.generated, self.speech.presumed) = (false, false);
        self.transcripts.answering(effects);
    }
}

impl Default for GeminiLive {
    fn default() -> Self {
        Self::new(GeminiLiveOptions::default())
    }
}

impl Protocol for GeminiLive {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn receive(&mut self, frame: &[u8], effects: &mut Effects) -> Result<(), FrameError> {
        if let Some(piece) = self.wrapping.as_ref().and_then(|wrapping| wrapping.audio(frame)) {
            self.speaks([piece], effects);
            return Ok(());
        }
        let message = incoming::read(frame)?;
        let audio = receive::audio(&message)?;
        self.wrapping = Wrapping::of(frame, &message).or(self.wrapping.take());
        self.take(message, audio, effects);
        Ok(())
    }

    fn command(&mut self, command: Command<'_>, effects: &mut Effects) -> Result<(), CommandError> {
        self.phase.check(&command)?;
        self.obey(command, effects)
    }

    fn closed(&mut self, code: CloseCode, reason: &str, effects: &mut Effects) {
        let begun = ClosedDuring::new(self.phase, self.handle);
        let fault = fault::classify(code, reason, begun);
        self.transcripts.turn_ended(effects);
        if fault::blames_handle(code, begun) {
            effects.tell(ProviderEvent::Resumption { handle: None });
        }
        self.phase = ConnectionPhase::Over;
        effects.tell(ProviderEvent::Closed(fault));
    }
}

/// Closes the connection in order.
fn close(effects: &mut Effects) {
    effects.frames.push(OutgoingFrame::Close);
}

#[cfg(test)]
mod tests;
