//! Between the events of OpenAI Realtime and the contract: one connection's
//! state, and which event leads to what. Pure: frames and commands in, effects out.

mod drafts;
mod event_id;
mod receive;
mod replies;
mod send;
mod spoken;

use aileron_contract::transport::{
    Capabilities, CloseCode, Command, CommandError, Effects, Event, FrameError, Protocol,
    TurnDetection,
};

use self::drafts::Drafts;
use self::event_id::EventIds;
use self::replies::Replies;
use self::spoken::Spoken;
use super::fault;
use super::settings::Settings;
use super::wire::incoming;
use crate::calls::Calls;
use crate::close::{Begun, Handle};
use crate::phase::Phase;
use crate::resample::Resampler;

/// One connection to OpenAI Realtime.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenaiRealtime {
    settings: Settings,
    capabilities: Capabilities,
    phase: Phase,
    detection: TurnDetection,
    /// Frames that wait for the setup to be taken.
    history: Vec<String>,
    ids: EventIds,
    calls: Calls,
    drafts: Drafts,
    replies: Replies,
    spoken: Spoken,
    resampler: Resampler,
    /// Audio at the provider's rate, kept for its room.
    upsampled: Vec<u8>,
}

impl OpenaiRealtime {
    /// A connection that has not sent anything.
    pub fn new(settings: Settings) -> Self {
        Self {
            capabilities: settings.capabilities(),
            settings,
            phase: Phase::default(),
            detection: TurnDetection::default(),
            history: Vec::new(),
            ids: EventIds::default(),
            calls: Calls::default(),
            drafts: Drafts::default(),
            replies: Replies::default(),
            spoken: Spoken::default(),
            resampler: Resampler::default(),
            upsampled: Vec::new(),
        }
    }
}

impl Default for OpenaiRealtime {
    fn default() -> Self {
        Self::new(Settings::default())
    }
}

impl Protocol for OpenaiRealtime {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn receive(&mut self, frame: &[u8], effects: &mut Effects) -> Result<(), FrameError> {
        let event = incoming::read(frame)?;
        self.take(event, effects)?;
        self.ask_next(effects);
        Ok(())
    }

    fn command(&mut self, command: Command<'_>, effects: &mut Effects) -> Result<(), CommandError> {
        self.phase.check(&command)?;
        self.obey(command, effects)?;
        self.ask_next(effects);
        Ok(())
    }

    fn closed(&mut self, code: CloseCode, reason: &str, effects: &mut Effects) {
        let begun = Begun::new(self.phase, Handle::None);
        self.phase = Phase::Over;
        self.words_end(effects);
        effects.tell(Event::Closed(fault::classify_end(code, reason, begun)));
    }
}

#[cfg(test)]
mod tests;
