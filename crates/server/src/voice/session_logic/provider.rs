//! Inputs of the provider: its events and the state of its connection.

use aileron_contract::ToolCall;
use aileron_contract::transport::{
    FaultSubject, ProviderEvent, Severity, Speaker, TranscriptStage, TurnEnd, Utterance,
};
use aileron_orchestrator::TurnInput;
use aileron_transports::session::ConnectionNotice;

use super::{ProviderCommand, ProviderLink, TurnAssignment, VoiceAction, VoiceSessionLogic};
use crate::voice::protocol::{ErrorCode, SessionEndReason, TranscriptRole, VoiceServerMessage};

const MENDING: &str = "the connection to the voice was lost and is being made again; please wait";

const NOT_YET: &str = "the voice cannot be reached yet; it is tried again; please wait";

const GIVEN_UP: &str = "several connections to it were lost before it replied";

const UNFINISHED: &str = "the voice did not finish its reply";

impl VoiceSessionLogic {
    /// The provider emitted an event.
    pub(crate) fn on_provider_event(&mut self, event: ProviderEvent, now: u64) {
        match event {
            ProviderEvent::Audio { utterance, pcm } => self.on_model_audio(utterance, pcm, now),
            ProviderEvent::Transcript { by: Speaker::Model, text, stage } => {
                // A final transcript repeats text that was already reported, and may belong to a reply that was
                // interrupted.
                if stage != TranscriptStage::Final {
                    self.model_acts();
                }
                self.send_transcript(TranscriptRole::Assistant, text, stage);
            }
            ProviderEvent::Transcript { by: Speaker::Person, text, stage } => {
                self.on_person_transcript(text, stage, now);
            }
            ProviderEvent::ToolCalls(calls) => self.on_calls(calls, now),
            ProviderEvent::CallsCancelled(calls) => self.push_action(VoiceAction::Cancel(calls)),
            ProviderEvent::SpeechStarted => {
                self.active = now;
                self.barge_in(now);
                self.turn_tracker.on_speech_started(now);
                self.playback.unmute();
            }
            ProviderEvent::Interrupted => {
                self.barge_in(now);
                self.turn_tracker.on_interrupted(now);
                self.reply_timeout.on_interrupted();
            }
            ProviderEvent::TurnComplete(end) => self.on_turn_complete(&end, now),
            ProviderEvent::Ready { .. } => self.on_ready(),
            ProviderEvent::SpeechStopped => {
                self.active = now;
                self.reply_timeout.on_input(now);
            }
            ProviderEvent::GenerationComplete => self.reply_timeout.on_delivered(now),
            ProviderEvent::Fault(fault) if fault.about == FaultSubject::Reply => {
                self.reply_failure = Some(fault.reason);
            }
            ProviderEvent::Connected { .. }
            | ProviderEvent::GoingAway { .. }
            | ProviderEvent::Resumption { .. }
            | ProviderEvent::Usage(_)
            | ProviderEvent::RateLimits(_)
            | ProviderEvent::Fault(_)
            | ProviderEvent::Closed(_)
            | ProviderEvent::Unknown { .. } => {}
        }
    }

    /// The state of the provider connection changed.
    pub(crate) fn on_notice(&mut self, notice: ConnectionNotice, now: u64) {
        match notice {
            ConnectionNotice::Interrupted { .. } => {
                self.on_connection_lost(now);
                let message = match std::mem::replace(&mut self.link, ProviderLink::Mending) {
                    ProviderLink::Beginning => NOT_YET,
                    ProviderLink::Up => MENDING,
                    ProviderLink::Mending => return,
                };
                self.send_message(VoiceServerMessage::error(ErrorCode::Reconnecting, message));
            }
            ConnectionNotice::Unanswered => self.on_unanswered(now),
            ConnectionNotice::Restored | ConnectionNotice::Ended => {}
            ConnectionNotice::Lost(fault) => {
                // The provider's message may quote the conversation, so the client gets our own reason.
                let what = if fault.severity == Severity::Fatal { "refused" } else { "lost" };
                let message = format!("the connection to the voice was {what}: {}", fault.reason);
                self.send_message(VoiceServerMessage::error(ErrorCode::UpstreamLost, message));
                self.end(SessionEndReason::UpstreamLost);
            }
        }
    }

    fn on_connection_lost(&mut self, now: u64) {
        self.turn_tracker.on_connection_lost(now);
        self.is_interrupted = false;
        self.reply_timeout.on_interrupted();
    }

    /// Ends a turn whose input several connections lost, so that the person does not wait for its reply.
    fn on_unanswered(&mut self, now: u64) {
        self.turn_tracker.on_model_finished(now);
        self.reply_timeout.on_turn_ended();
        self.reply_failure = Some(GIVEN_UP);
        let end = TurnEnd::Stopped(String::new());
        self.report_stopped_reply(&end);
        self.send_message(VoiceServerMessage::TurnComplete);
        self.end_after_turn(&end);
    }

    fn on_ready(&mut self) {
        self.calls.on_reconnected();
        self.playback.on_reconnected();
        let before = std::mem::replace(&mut self.link, ProviderLink::Up);
        if before != ProviderLink::Up {
            self.send_message(self.ready_message.message());
        }
        if !std::mem::replace(&mut self.was_ready, true) {
            self.push_action(VoiceAction::TakePendingMessage);
        }
    }

    fn on_model_audio(&mut self, utterance: Utterance, pcm: Vec<u8>, now: u64) {
        self.model_acts();
        self.active = now;
        self.reply_timeout.on_model_acts();
        if self.audio_suppressed || !self.playback.is_audible(utterance) {
            return;
        }
        self.playback.on_sent(utterance, pcm.len(), now);
        self.push_action(VoiceAction::SendAudio(pcm));
    }

    fn send_transcript(&mut self, role: TranscriptRole, text: String, stage: TranscriptStage) {
        if self.transcript_suppressed {
            return;
        }
        self.send_message(VoiceServerMessage::Transcript {
            role,
            text,
            r#final: stage == TranscriptStage::Final,
            replaces: stage == TranscriptStage::Interim,
        });
    }

    /// A transcript of the person. A final one begins a turn or belongs to one, and may answer a confirmation.
    fn on_person_transcript(&mut self, text: String, stage: TranscriptStage, now: u64) {
        self.active = now;
        if !self.accepts_input() {
            return;
        }
        if stage == TranscriptStage::Final {
            let text = text.clone();
            match self.turn_tracker.on_transcript(now) {
                TurnAssignment::Begins { began_ms } => {
                    self.playback.unmute();
                    self.reply_timeout.on_input(now);
                    self.push_action(VoiceAction::BeginTurn(TurnInput::Spoken { text, began_ms }));
                }
                TurnAssignment::GoesOn { began_ms } => {
                    self.push_action(VoiceAction::AddTranscript { text, began_ms });
                }
                TurnAssignment::BeginsWithoutWords => {}
            }
        }
        self.send_transcript(TranscriptRole::User, text, stage);
    }

    fn on_calls(&mut self, calls: Vec<ToolCall>, now: u64) {
        self.model_acts();
        self.active = now;
        self.reply_timeout.on_model_acts();
        let deduped = self.calls.issue(calls, &self.registry);
        if !deduped.results.is_empty() {
            self.command_provider(ProviderCommand::Results(deduped.results));
        }
        if !deduped.calls.is_empty() {
            self.push_action(VoiceAction::Call(deduped.calls));
        }
    }

    fn on_turn_complete(&mut self, end: &TurnEnd, now: u64) {
        self.active = now;
        self.turn_tracker.on_model_finished(now);
        self.playback.unmute();
        if *end == TurnEnd::Interrupted {
            self.reply_timeout.on_interrupted();
        } else {
            self.reply_timeout.on_turn_ended();
            self.calls.on_turn_completed();
        }
        self.report_stopped_reply(end);
        self.send_message(VoiceServerMessage::TurnComplete);
        self.end_after_turn(end);
        if *end != TurnEnd::Interrupted
            && let Some(text) = self.pending_message.take()
        {
            self.say_pending_message(text, now);
        }
    }

    /// Reports a reply that the provider stopped, so that the person does not wait for it.
    fn report_stopped_reply(&mut self, end: &TurnEnd) {
        let failed = self.reply_failure.take();
        if let TurnEnd::Stopped(_) = end {
            let message = match failed {
                Some(reason) => format!("{UNFINISHED}: {reason}; please try again"),
                None => format!("{UNFINISHED}; please say it again, or otherwise"),
            };
            self.send_message(VoiceServerMessage::error(ErrorCode::ReplyFailed, message));
        }
    }
}
