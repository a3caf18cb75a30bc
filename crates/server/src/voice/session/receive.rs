//! Inputs of the client and of the provider, checked before `session_logic` receives them.

use aileron_contract::transport::{Command, ProviderEvent, UsageScope};
use aileron_telemetry::TurnEnd;
use aileron_transports::session::ConnectionNotice;
use aileron_transports::upstream::Output;

use super::{POLICY, TOO_BIG, VoiceSession};
use crate::event_hub::EventContent;
use crate::turn_traces::{SpanKind, TurnTraces};
use crate::voice::client::ClientReceived;
use crate::voice::context_window::WindowAlert;
use crate::voice::protocol::{ErrorCode, SessionEndReason, VoiceClientMessage, VoiceServerMessage};

const AUDIO_UNSUPPORTED: &str = "this voice provider takes no audio; send `text` instead";
const ODD: &str = "expected audio of 16-bit samples, found an odd number of bytes";
const TOO_LARGE: &str = "the message is larger than any may be";
const TOO_MANY: &str =
    "too many messages, or too long ones, in a short time; send audio at the pace of speech";
const BROKEN: &str = "expected the frames of a WebSocket, found something else";
const TOO_WRONG: &str = "too many messages that cannot be read";

impl VoiceSession {
    pub(super) fn on_client_input(&mut self, received: ClientReceived) {
        let now = self.now();
        if !matches!(received, ClientReceived::Sent) {
            self.keepalive.on_frame(now);
        }
        match received {
            ClientReceived::Sent => return,
            ClientReceived::Gone => {
                return self.end_with(SessionEndReason::Vanished, super::NORMAL);
            }
            ClientReceived::TooBig => {
                return self.end_for_misuse(ErrorCode::MessageTooBig, TOO_LARGE, TOO_BIG);
            }
            ClientReceived::Broken(code) => {
                return self.end_for_misuse(ErrorCode::BadMessage, BROKEN, code);
            }
            ClientReceived::Text | ClientReceived::Audio | ClientReceived::Pulse => {}
        }
        if !self.rate_limit.takes(self.client.payload().len(), now) {
            return self.end_for_misuse(ErrorCode::TooManyMessages, TOO_MANY, POLICY);
        }
        match received {
            ClientReceived::Audio => self.audio(now),
            ClientReceived::Text => match VoiceClientMessage::parse(self.client.payload()) {
                Ok(message) => self.logic.on_message(message, now),
                Err(error) => self.count_fault(ErrorCode::BadMessage, &error.to_string()),
            },
            _ => {}
        }
    }

    fn audio(&mut self, now: u64) {
        if !self.client.payload().len().is_multiple_of(2) {
            return self.count_fault(ErrorCode::BadAudio, ODD);
        }
        if !self.logic.accepts_audio() {
            if !std::mem::replace(&mut self.audio_refused, true) {
                self.send_message(&VoiceServerMessage::error(
                    ErrorCode::AudioUnsupported,
                    AUDIO_UNSUPPORTED,
                ));
            }
        } else if self.logic.accepts_input() {
            self.logic.on_audio(now);
            // Audio without a connection is dropped and counted by the link.
            let _ = self.live.command(Command::Audio(self.client.payload()));
        }
    }

    fn count_fault(&mut self, code: ErrorCode, message: &str) {
        self.send_message(&VoiceServerMessage::error(code, message));
        self.faults += 1;
        if self.faults >= self.limits.faults {
            self.end_for_misuse(ErrorCode::TooManyFaults, TOO_WRONG, POLICY);
        }
    }

    fn end_for_misuse(&mut self, code: ErrorCode, message: &str, close_code: u16) {
        self.send_message(&VoiceServerMessage::error(code, message));
        self.end_with(SessionEndReason::Misuse, close_code);
    }

    pub(super) fn on_provider_output(&mut self, output: Output) {
        let now = self.now();
        match output {
            Output::Event(event) => {
                self.trace(&event, now);
                self.count_event(&event);
                let was_interrupted = matches!(event, ProviderEvent::Interrupted);
                self.logic.on_provider_event(event, now);
                if was_interrupted {
                    // The partial transcript was reported before, if there was one.
                    self.transcript_log.model_interrupted();
                }
            }
            Output::Notice(notice) => {
                if matches!(notice, ConnectionNotice::Interrupted { .. }) {
                    self.app.voice().figures().reconnects.add(1);
                    self.traces().begin_span(self.conversation.id(), SpanKind::Reconnect, now);
                }
                if matches!(notice, ConnectionNotice::Restored) {
                    self.traces().end_span(self.conversation.id(), SpanKind::Reconnect, now);
                }
                self.logic.on_notice(notice, now);
            }
            Output::Malformed(error) => {
                self.app.voice().figures().malformed.add(1);
                tracing::warn!(%error, "An invalid provider frame was skipped.");
            }
        }
    }

    fn traces(&self) -> &TurnTraces {
        self.app.event_hub().traces()
    }

    /// Records the course of the turn. Audio only counts when it begins, never for each frame.
    fn trace(&mut self, event: &ProviderEvent, now: u64) {
        let is_speaking = matches!(event, ProviderEvent::Audio { .. });
        if is_speaking && self.model_is_speaking {
            return;
        }
        let id = self.conversation.id().clone();
        match event {
            ProviderEvent::SpeechStarted => self.traces().begin_speech(&id, now),
            ProviderEvent::SpeechStopped => {
                self.traces().end_span(&id, SpanKind::PersonSpeech, now);
            }
            ProviderEvent::Audio { .. } => {
                self.model_is_speaking = true;
                self.traces().begin_span(&id, SpanKind::ModelSpeech, now);
            }
            ProviderEvent::Interrupted => {
                let until = self.logic.plays_until();
                self.traces().end_span(&id, SpanKind::ModelSpeech, now);
                if std::mem::take(&mut self.model_is_speaking) && until > now {
                    self.traces().add_span(&id, SpanKind::CutOff, now, until);
                }
            }
            ProviderEvent::TurnComplete(_) => {
                self.model_is_speaking = false;
                let ended = self.logic.plays_until().max(now);
                self.traces().end_span(&id, SpanKind::ModelSpeech, ended);
                if let Some(turn) = self.traces().end_turn(&id, ended) {
                    let about = Some((id, self.person.id.clone()));
                    self.app.event_hub().publish(about, EventContent::TurnEnded { turn });
                }
            }
            ProviderEvent::Usage(usage) => {
                self.traces().count_usage(&id, usage.input.total, usage.output.total);
            }
            _ => {}
        }
    }

    fn count_event(&mut self, event: &ProviderEvent) {
        match event {
            ProviderEvent::Usage(usage) => {
                let figures = &self.app.metrics().models.voice;
                figures.tokens_in.add(usage.input.total);
                figures.tokens_out.add(usage.output.total);
                self.app.metrics().telemetry.tokens_used(
                    self.conversation.id(),
                    self.provider.kind.name(),
                    &self.provider.model,
                    (usage.input.total, usage.output.total),
                );
                if usage.scope == UsageScope::Reply {
                    let total = usage.input.total.saturating_add(usage.output.total);
                    let fill = self.context.measured(total);
                    self.warn(fill);
                }
            }
            ProviderEvent::TurnComplete(_) => {
                let telemetry = &self.app.metrics().telemetry;
                telemetry.turn_ended(self.conversation.id(), TurnEnd::Completed);
            }
            ProviderEvent::ToolCalls(calls) => {
                self.app.voice().figures().calls.add(calls.len() as u64);
            }
            ProviderEvent::Fault(fault) | ProviderEvent::Closed(fault) => {
                self.app.metrics().models.voice.errors.add(1);
                tracing::info!(code = %fault.code, reason = fault.reason, "The provider reported a fault.");
            }
            ProviderEvent::RateLimits(limits) => {
                limits.iter().for_each(|limit| self.app.voice().figures().quota(limit));
            }
            _ => {}
        }
    }

    pub(super) fn warn(&self, fill: WindowAlert) {
        if fill == WindowAlert::NearlyFull {
            self.app.voice().figures().nearly_full.add(1);
            let conversation = self.conversation.id().as_str();
            let (tokens, window) = (self.context.peak(), self.provider.window_tokens);
            tracing::warn!(
                conversation,
                tokens,
                window,
                "The context window of the model is 90 % full."
            );
        }
    }
}
