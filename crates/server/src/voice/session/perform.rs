//! Performs the actions of `session_logic`.

use aileron_contract::transport::{CallResult, Command, MissedEvent};
use aileron_contract::{Mode, ToolResponse};
use aileron_orchestrator::state::StateEvent;

use super::{POLICY, VoiceSession};
use crate::voice::context_window::{json_chars, tokens};
use crate::voice::outbox::OutboxRoom;
use crate::voice::protocol::{SessionEndReason, VoiceServerMessage};
use crate::voice::session_logic::{ProviderCommand, VoiceAction};

impl VoiceSession {
    /// Performs all actions that are queued.
    pub(super) fn perform(&mut self) {
        let mut actions = self.logic.take_actions();
        for action in actions.drain(..) {
            self.perform_action(action);
        }
        self.logic.return_buffer(actions);
        if self.client.is_flushed()
            && let Some(event) = self.when_sent.take()
        {
            self.apply_state_event(event);
        }
    }

    fn perform_action(&mut self, action: VoiceAction) {
        self.log_action(&action);
        match action {
            VoiceAction::SendAudio(pcm) => self.client.play(pcm),
            VoiceAction::SendMessage(message) => self.send_message(&message),
            VoiceAction::TakePendingMessage => self.control.queue.take_pending_message(),
            VoiceAction::TakeTaskResults => self.control.queue.take_task_results(),
            VoiceAction::ClearPlayback => self.client.clear_playback(),
            VoiceAction::CommandProvider(command) => self.command_provider(command),
            VoiceAction::BeginTurn(input) => {
                let (id, turn) = (self.conversation.id(), self.conversation.turn() + 1);
                self.app.metrics().telemetry.turn_began(id, turn, Mode::Voice);
                self.control.queue.begin_turn(input);
            }
            VoiceAction::AddTranscript { text, began_ms } => {
                self.control.queue.add_transcript(text, began_ms);
            }
            VoiceAction::Call(calls) => self.control.queue.call(calls),
            VoiceAction::Confirm { token, approve } => {
                self.control.queue.confirm(token, approve, self.person.clone());
            }
            VoiceAction::Cancel(calls) => self.conversation.cancel(&calls),
            VoiceAction::Interrupt => self.conversation.interrupt(),
            VoiceAction::ApplyStateEvent(event) => self.apply_state_event(event),
            VoiceAction::ApplyStateEventWhenSent(event) => {
                self.when_sent = Some(event);
                self.client.notify_when_sent();
            }
            VoiceAction::End(end) => {
                self.end.get_or_insert(end);
            }
        }
    }

    pub(super) fn send_message(&mut self, message: &VoiceServerMessage) {
        if self.client.send_message(message) == OutboxRoom::None {
            self.end_with(SessionEndReason::Misuse, POLICY);
        }
    }

    /// Applies a state event. The conversation refuses an event that does not fit its state.
    fn apply_state_event(&mut self, event: StateEvent) {
        if let Err(refusal) = self.conversation.on_event(event) {
            tracing::debug!(%refusal, ?event, "The conversation refused a state event.");
        }
    }

    pub(super) fn command_provider(&mut self, order: ProviderCommand) {
        match &order {
            ProviderCommand::Results(results) => {
                self.app.voice().figures().answers.add(results.len() as u64);
                results.iter().for_each(|result| self.count_result(result));
            }
            ProviderCommand::LateResult(result) => self.count_result(result),
            _ => {}
        }
        let command = match &order {
            ProviderCommand::Text(text) => Command::Text(text),
            ProviderCommand::Results(results) => Command::Results(results),
            ProviderCommand::LateResult(result) => Command::LateResult(result),
            ProviderCommand::Interrupt { played_ms } => {
                Command::Interrupt { played_ms: *played_ms }
            }
            ProviderCommand::Truncate { utterance, played_ms } => {
                Command::Truncate { utterance: *utterance, played_ms: *played_ms }
            }
            ProviderCommand::Say(sentence) => Command::Say(sentence),
            ProviderCommand::SendPendingMessage(sentence) => Command::Open(sentence),
            ProviderCommand::AudioEnd => Command::AudioEnd,
            ProviderCommand::TurnOverdue => Command::Overdue(MissedEvent::TurnEnd),
        };
        // Inputs that can wait for a connection do; the others make no sense without one.
        if let Err(error) = self.live.command(command) {
            tracing::debug!(%error, "A command could not be sent to the provider.");
        }
    }

    /// Counts the estimated tokens of a result.
    fn count_result(&mut self, result: &CallResult) {
        let chars = match &*result.response {
            ToolResponse::Success { data, .. } => json_chars(data),
            ToolResponse::Failure { error, .. } => json_chars(error),
        };
        let tokens = tokens(chars);
        self.app.metrics().context.of(Mode::Voice).result_tokens.record(tokens);
        let tool = result.response.meta().tool_id.as_str();
        tracing::info!(tool, tokens, "A result was given to the model.");
        let fill = self.context.add(tokens);
        self.warn(fill);
    }
}
