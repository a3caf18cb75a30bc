//! Inputs of the client.

use aileron_orchestrator::TurnInput;

use super::{ProviderCommand, VoiceAction, VoiceSessionLogic};
use crate::voice::protocol::{ErrorCode, SessionEndReason, VoiceClientMessage, VoiceServerMessage};

const STARTED_TWICE: &str = "expected one `start` a connection, found another; connect again";

/// A person who types also reads, so all text that was shown counts as heard.
const READ_MS: u64 = u64::MAX;

impl VoiceSessionLogic {
    /// The client sent audio, which goes to the provider.
    pub(crate) fn on_audio(&mut self, now: u64) {
        self.turn_tracker.on_person_input();
        self.microphone.on_audio(now);
    }

    /// The client sent a message.
    pub(crate) fn on_message(&mut self, message: VoiceClientMessage, now: u64) {
        self.active = now;
        match message {
            VoiceClientMessage::Start { .. } => {
                self.send_message(VoiceServerMessage::error(
                    ErrorCode::AlreadyStarted,
                    STARTED_TWICE,
                ));
            }
            VoiceClientMessage::Text { text } if self.accepts_input() => self.on_text(text, now),
            VoiceClientMessage::Text { .. } => {}
            VoiceClientMessage::Interrupt {} => self.on_interrupt(now),
            VoiceClientMessage::Confirm { token, approve } => {
                self.push_action(VoiceAction::Confirm { token, approve });
            }
            VoiceClientMessage::Stop {} => self.end(SessionEndReason::Stopped),
        }
    }

    /// Like speech, text interrupts the model. Interrupt first, then truncate: a reply that is still being
    /// generated cannot be truncated.
    fn on_text(&mut self, text: String, now: u64) {
        self.on_typed_yes(&text);
        if !self.is_interrupted
            && self.is_interruptible(now)
            && self.capabilities.interrupt.is_yes()
        {
            self.command_provider(ProviderCommand::Interrupt { played_ms: READ_MS });
        }
        self.barge_in(now);
        self.turn_tracker.on_text(now);
        self.playback.unmute();
        self.reply_timeout.on_input(now);
        self.push_action(VoiceAction::BeginTurn(TurnInput::Typed { text: text.clone() }));
        self.command_provider(ProviderCommand::Text(text));
    }

    /// Stops the reply. A provider that cannot be interrupted continues; its output is neither played nor
    /// shown.
    fn on_interrupt(&mut self, now: u64) {
        let awaited = self.reply_timeout.is_waiting();
        if awaited {
            self.playback.mute_reply();
        }
        self.playback.mute();
        if self.capabilities.interrupt.is_yes() || awaited || self.is_interruptible(now) {
            let played_ms = self.played_ms(now);
            self.command_provider(ProviderCommand::Interrupt { played_ms });
        }
        self.pending_message = None;
        if awaited {
            self.interrupt_model(now);
        }
        self.barge_in(now);
        self.turn_tracker.on_interrupt_click(now);
    }
}
