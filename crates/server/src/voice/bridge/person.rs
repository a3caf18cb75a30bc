//! What the client says.

use aileron_orchestrator::TurnInput;

use super::{Act, Bridge, Order};
use crate::voice::protocol::{Down, ErrorCode, Reason, Up};

const STARTED_TWICE: &str = "expected one `start` a connection, found another; connect again";

/// A person who writes reads along: all words that were shown count as heard.
const READ_MS: u64 = u64::MAX;

impl Bridge {
    /// Audio of the client, on its way to the provider.
    pub(crate) fn on_audio(&mut self, now: u64) {
        self.floor.person_is_there();
        self.microphone.heard(now);
    }

    /// A message of the client.
    pub(crate) fn on_message(&mut self, message: Up, now: u64) {
        self.active = now;
        match message {
            Up::Start { .. } => self.tell(Down::error(ErrorCode::AlreadyStarted, STARTED_TWICE)),
            Up::Text { text } if self.listens() => self.wrote(text, now),
            Up::Text { .. } => {}
            Up::Interrupt {} => self.pressed_interrupt(now),
            Up::Confirm { token, approve } => self.act(Act::Confirm { token, approve }),
            Up::Stop {} => self.end(Reason::Stopped),
        }
    }

    /// Like speech, text interrupts the model. Interrupt first, then truncate: a reply that is still being
    /// generated cannot be truncated.
    fn wrote(&mut self, text: String, now: u64) {
        self.wrote_a_yes(&text);
        if !self.cut && self.can_cut_in(now) && self.capabilities.interrupt.is_yes() {
            self.order(Order::Interrupt { played_ms: READ_MS });
        }
        self.cut_in(now);
        self.floor.wrote(now);
        self.playback.unmute();
        self.lull.asked(now);
        self.act(Act::Turn(TurnInput::Typed { text: text.clone() }));
        self.order(Order::Text(text));
    }

    /// A provider that cannot be cut short talks on, or begins to, and nobody hears or reads it.
    fn pressed_interrupt(&mut self, now: u64) {
        let awaited = self.lull.is_waiting();
        if awaited {
            self.playback.mute_reply();
        }
        self.playback.mute();
        if self.capabilities.interrupt.is_yes() || awaited || self.can_cut_in(now) {
            let played_ms = self.played_ms(now);
            self.order(Order::Interrupt { played_ms });
        }
        self.opening = None;
        if awaited {
            self.stop_model(now);
        }
        self.cut_in(now);
        self.floor.interrupted_by_click(now);
    }
}
