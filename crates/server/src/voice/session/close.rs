//! The end of a session: running calls settle, the model gets their results, the client gets the reason.

use aileron_contract::Mode;
use aileron_contract::transport::Command;
use aileron_orchestrator::state::{EndReason, StateEffect, StateEvent};
use aileron_orchestrator::{Conversation, OpenError, StateChangeError};
use aileron_telemetry::TurnEnd;

use super::VoiceSession;
use super::control::Control;
use super::input::VoiceInput;
use crate::voice::client::ClientReceived;
use crate::voice::conversation_queue::JobResult;
use crate::voice::protocol::{SessionEndReason, VoiceServerMessage};
use crate::voice::session_logic::SessionEnd;

impl VoiceSession {
    pub(super) async fn leave(mut self, end: SessionEnd) -> SessionEndReason {
        let SessionEnd { reason, closing_messages } = end;
        self.conversation.interrupt();
        self.client.answer_close().await;
        self.settle().await;
        self.flush_transcript().await;
        let _ = self.live.command(Command::End);
        self.count_dropped_audio();
        let (conversation, peak) = (self.conversation.id().as_str(), self.context.peak());
        self.app.metrics().context.of(Mode::Voice).peak_tokens.record(peak);
        let telemetry = &self.app.metrics().telemetry;
        telemetry.turn_ended(self.conversation.id(), TurnEnd::Stopped);
        let reason_word = reason.as_str();
        tracing::info!(conversation, reason = reason_word, peak, "A voice conversation ends.");
        let conversation = Conversation::clone(&self.conversation);
        close_conversation(conversation, reason).await;
        self.send_message(&VoiceServerMessage::Ended {
            reason: closing_messages.reason.unwrap_or_else(|| reason.as_str().to_owned()),
            closing_message: closing_messages.closing_message,
            text_response: closing_messages.text_response,
        });
        let Self { client, control, close_code, .. } = self;
        // The next session of the conversation need not wait for this client's last messages.
        drop(control);
        if reason != SessionEndReason::Vanished {
            client.into_inner().close(close_code, reason.as_str()).await;
        }
        reason
    }

    /// Waits for running calls, within bounds. Calls that take longer continue without the session and are
    /// recorded. The client receives their events, and a reply if it closes.
    async fn settle(&mut self) {
        let by = self.now().saturating_add(self.limits.settle_ms);
        let mut wait = self.clock.wait_until(by);
        let mut is_open = self.client.is_open();
        while self.control.queue.is_unsettled() {
            let Control { events, queue, .. } = &mut *self.control;
            let input = tokio::select! {
                biased;
                Some(event) = events.next() => VoiceInput::Event(Some(event)),
                done = queue.next() => VoiceInput::Done(done),
                () = &mut wait => return,
                received = self.client.next(), if is_open => VoiceInput::Client(received),
                Some(output) = self.live.next() => VoiceInput::Provider(Some(output)),
            };
            match input {
                VoiceInput::Event(Some(event)) => self.on_event(event),
                VoiceInput::Done(done) => self.settled(done),
                VoiceInput::Client(
                    ClientReceived::Gone | ClientReceived::TooBig | ClientReceived::Broken(_),
                ) => {
                    is_open = false;
                    self.client.answer_close().await;
                }
                _ => {}
            }
            self.perform();
        }
    }

    fn settled(&mut self, done: JobResult) {
        if let JobResult::Answers(_)
        | JobResult::Resolved(_)
        | JobResult::TaskResults(_)
        | JobResult::Confirmed(_) = done
        {
            self.on_job_result(done);
        }
    }
}

/// Some reasons end the conversation, others only the connection, so that the person may reconnect. A session
/// that continued a chat leaves the conversation to chat.
async fn close_conversation(conversation: Conversation, reason: SessionEndReason) {
    // A conversation that has ended stays ended.
    kept(conversation.on_event_durably(StateEvent::VoiceDisconnected).await);
    let ended_by = match reason {
        SessionEndReason::Stopped => EndReason::Person,
        SessionEndReason::Tool | SessionEndReason::Blocked => EndReason::Tool,
        SessionEndReason::Idle => EndReason::Idle,
        SessionEndReason::MaxDuration
        | SessionEndReason::UpstreamLost
        | SessionEndReason::TakenOver
        | SessionEndReason::Shutdown
        | SessionEndReason::Misuse
        | SessionEndReason::Vanished => return,
    };
    if !conversation.state().accepts_mode(Mode::Text) {
        kept(conversation.on_event_durably(StateEvent::Closed(ended_by)).await);
    }
}

/// An end that cannot be saved is logged for the operator: the client is gone, and the conversation stays as it
/// was.
fn kept(followed: Result<StateEffect, StateChangeError>) {
    if let Err(StateChangeError::Open(error)) = followed
        && error != OpenError::Ended
    {
        tracing::warn!(%error, "The end of a voice session could not be saved.");
    }
}
