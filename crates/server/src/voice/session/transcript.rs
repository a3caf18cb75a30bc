//! Writes what is said and called into the transcript log.

use aileron_orchestrator::{InputKind, TurnInput};

use super::VoiceSession;
use crate::voice::limits::KEEP_MS;
use crate::voice::protocol::{TranscriptRole, VoiceServerMessage};
use crate::voice::session_logic::{ProviderCommand, VoiceAction};

impl VoiceSession {
    pub(super) fn log_action(&mut self, action: &VoiceAction) {
        let transcript_log = &mut self.transcript_log;
        match action {
            VoiceAction::BeginTurn(input) => {
                transcript_log.turn_began();
                if let TurnInput::Spoken { text, .. } = input {
                    transcript_log.person_said(text, InputKind::Spoken);
                }
            }
            VoiceAction::AddTranscript { text, .. } => {
                transcript_log.person_said(text, InputKind::Spoken);
            }
            VoiceAction::CommandProvider(ProviderCommand::Text(text)) => {
                transcript_log.person_said(text, InputKind::Written);
            }
            VoiceAction::SendMessage(VoiceServerMessage::Transcript {
                role: TranscriptRole::Assistant,
                text,
                r#final,
                ..
            }) => {
                if *r#final {
                    transcript_log.model_said(text);
                } else {
                    transcript_log.model_speaks(text);
                }
            }
            VoiceAction::SendMessage(VoiceServerMessage::TurnComplete) => {
                transcript_log.model_interrupted();
            }
            VoiceAction::CommandProvider(ProviderCommand::Results(_)) => {
                transcript_log.calls_answered(self.logic.take_answered_calls());
            }
            VoiceAction::CommandProvider(ProviderCommand::LateResult(result)) => {
                transcript_log.answered_late(result);
            }
            _ => {}
        }
    }

    /// Waits until the transcript is saved, within bounds, so that the next session finds all of it.
    pub(super) async fn flush_transcript(&mut self) {
        let by = self.now().saturating_add(KEEP_MS);
        let wait = self.clock.wait_until(by);
        let lost = tokio::select! {
            lost = self.transcript_log.close() => lost,
            () = wait => return tracing::warn!("The transcript was not saved in time."),
        };
        if lost > 0 {
            tracing::warn!(lost, "Some transcript messages could not be saved.");
        }
    }
}
