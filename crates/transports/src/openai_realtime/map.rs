//! Maps between the events of OpenAI Realtime and the contract, with the state of one connection. Pure:
//! frames and commands in, effects out.

mod drafts;
mod event_id;
mod output_items;
mod receive;
mod response_queue;
mod send;

use aileron_contract::transport::{
    Capabilities, CloseCode, Command, CommandError, Effects, FrameError, Protocol, ProviderEvent,
    TurnDetection,
};

use self::drafts::Drafts;
use self::event_id::EventIds;
use self::output_items::OutputItems;
use self::response_queue::ResponseQueue;
use super::fault;
use super::settings::OpenaiRealtimeOptions;
use super::wire::incoming;
use crate::calls::CallTable;
use crate::close::{ClosedDuring, Handle};
use crate::phase::ConnectionPhase;
use crate::resample::Resampler;

/// One connection to OpenAI Realtime.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenaiRealtime {
    settings: OpenaiRealtimeOptions,
    capabilities: Capabilities,
    phase: ConnectionPhase,
    detection: TurnDetection,
    /// The history, to be sent once the setup is accepted.
    history: Vec<String>,
    ids: EventIds,
    calls: CallTable,
    drafts: Drafts,
    replies: ResponseQueue,
    spoken: OutputItems,
    resampler: Resampler,
    /// Audio at the provider's rate; the buffer is reused.
    upsampled: Vec<u8>,
}

impl OpenaiRealtime {
    /// A connection that has sent nothing.
    pub fn new(settings: OpenaiRealtimeOptions) -> Self {
        Self {
            capabilities: settings.capabilities(),
            settings,
            phase: ConnectionPhase::default(),
            detection: TurnDetection::default(),
            history: Vec::new(),
            ids: EventIds::default(),
            calls: CallTable::default(),
            drafts: Drafts::default(),
            replies: ResponseQueue::default(),
            spoken: OutputItems::default(),
            resampler: Resampler::default(),
            upsampled: Vec::new(),
        }
    }
}

impl Default for OpenaiRealtime {
    fn default() -> Self {
        Self::new(OpenaiRealtimeOptions::default())
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
        let begun = ClosedDuring::new(self.phase, Handle::None);
        self.phase = ConnectionPhase::Over;
        self.words_end(effects);
        effects.tell(ProviderEvent::Closed(fault::classify_end(code, reason, begun)));
    }
}

#[cfg(test)]
mod tests;
