//! Outputs of the conversation: events, results of calls, and resolved confirmations.

use std::sync::Arc;

use aileron_contract::envelope::ConfirmationRequest;
use aileron_contract::spec::Speech;
use aileron_contract::transport::CallResult;
use aileron_contract::{CallId, Execution, Outcome, TaskStatus, ToolResponse};
use aileron_orchestrator::token::id_of;
use aileron_orchestrator::yes_no::YesNo;
use aileron_orchestrator::{
    ConfirmError, ConfirmationOutcome, ConversationEvent, LateAnswer, Resolution,
};
use serde_json::Value;

use super::{ProviderCommand, VoiceAction, VoiceSessionLogic};
use crate::voice::protocol::{ErrorCode, Phase, Question, VoiceServerMessage};

const NOT_IN_WRITING: &str = "a question waits for your answer, and a yes in writing does not approve it; \
     say yes aloud, or send `confirm` with its token (the buttons do)";

impl VoiceSessionLogic {
    /// The conversation emitted an event.
    pub(crate) fn on_conversation_event(&mut self, event: ConversationEvent, now: u64) {
        match event {
            ConversationEvent::Started { call_id, tool } => self.on_started(call_id, tool, now),
            ConversationEvent::Progress { call_id, update } => {
                self.on_running_call(call_id, Phase::Progress { update });
            }
            ConversationEvent::Partial { call_id, index, data } => {
                self.on_running_call(call_id, Phase::Partial { index, data });
            }
            ConversationEvent::Task { task_id, call_id, tool, status } => {
                self.on_task(task_id, call_id, tool, status);
            }
            ConversationEvent::Answered { outcome, answer } => self.on_answered(outcome, answer),
            ConversationEvent::ConfirmationRequested(request) => {
                self.on_confirmation_requested(*request);
            }
            ConversationEvent::ConfirmationRepeated { preview } => {
                self.on_confirmation_repeated(&preview);
            }
            ConversationEvent::ConfirmationClosed { token_id, how, .. } => {
                self.on_confirmation_closed(token_id, how);
            }
            ConversationEvent::Message { call_id, message } => {
                self.on_handler_message(call_id, message);
            }
            ConversationEvent::Effect(effect) => self.on_effect(effect, now),
            ConversationEvent::Began { .. }
            | ConversationEvent::ModeChanged { .. }
            | ConversationEvent::Ended { .. }
            | ConversationEvent::TurnBegan { .. }
            | ConversationEvent::Decided(_)
            | ConversationEvent::Retrying { .. }
            | ConversationEvent::Note { .. }
            | ConversationEvent::Log { .. }
            | ConversationEvent::IntentRefused { .. }
            | ConversationEvent::Defect { .. } => {}
        }
    }

    /// The calls of one provider message have their results.
    pub(crate) fn on_answers(&mut self, mut results: Vec<CallResult>, now: u64) {
        self.reply_timeout.on_input(now);
        // The model's turn may have ended while the calls ran; its words about the results belong to it.
        if !self.turn_tracker.model_is_speaking() {
            self.turn_tracker.on_own_input();
        }
        let duplicates = self.calls.add_results(&results);
        results.extend(duplicates);
        self.command_provider(ProviderCommand::Results(results));
        self.end_if_answered();
    }

    /// Confirmations were resolved, by what the person said or by time.
    pub(crate) fn on_resolutions(&mut self, resolutions: Vec<Resolution>) {
        for resolution in resolutions {
            match resolution {
                Resolution::Approved(late)
                | Resolution::Declined(late)
                | Resolution::Expired(late)
                | Resolution::Superseded(late) => {
                    late.into_iter().for_each(|one| self.on_late_result(one));
                }
                // The model was given the result when the confirmation was resolved.
                Resolution::Known(_) => {}
                // The event has informed the person, and the model has heard the answer.
                Resolution::AskAgain { .. } => {}
            }
        }
    }

    /// Results of tasks that the model may not have. Each is sent once; the transcript log marks it as told
    /// when it has it.
    pub(crate) fn on_task_results(&mut self, results: Vec<LateAnswer>) {
        for late in results {
            let task = late.answer.meta().task.as_ref().map(|task| task.id.clone());
            if task.is_none_or(|task| self.told_tasks.insert(task)) {
                self.on_late_result(late);
            }
        }
    }

    /// A call became a task, or a task has ended and its result is there.
    fn on_task(&mut self, task_id: String, call_id: CallId, tool_id: String, status: TaskStatus) {
        match status {
            TaskStatus::Running => {
                let phase = Phase::Background { task_id };
                self.send_message(VoiceServerMessage::Tool { call_id, tool_id, phase });
            }
            TaskStatus::Completed
            | TaskStatus::Failed
            | TaskStatus::Cancelled
            | TaskStatus::OutcomeUnknown => self.push_action(VoiceAction::TakeTaskResults),
        }
    }

    /// The person's click was accepted, or refused.
    pub(crate) fn on_confirmed(&mut self, confirmed: Result<Resolution, ConfirmError>) {
        match confirmed {
            Ok(resolution) => self.on_resolutions(vec![resolution]),
            Err(error) => {
                self.send_message(VoiceServerMessage::error(ErrorCode::ConfirmationRefused, error));
            }
        }
    }

    /// A pending message is to be said by the model: at once if no reply is expected, otherwise after the
    /// reply. The transcript of it is shown and logged as it is spoken.
    pub(crate) fn on_pending_message(&mut self, text: String, now: u64) {
        match self.reply_timeout.is_waiting() {
            true => self.pending_message = Some(text),
            false => self.say_pending_message(text, now),
        }
    }

    pub(super) fn say_pending_message(&mut self, text: String, now: u64) {
        self.turn_tracker.on_own_input();
        self.reply_timeout.on_input(now);
        self.command_provider(ProviderCommand::SendPendingMessage(text));
    }

    fn on_late_result(&mut self, LateAnswer { call_id, answer }: LateAnswer) {
        let result = CallResult { call_id, response: answer };
        let more = self.calls.add_results(std::slice::from_ref(&result));
        self.turn_tracker.on_own_input();
        self.is_late_result_unrecorded = true;
        self.command_provider(ProviderCommand::LateResult(result));
        if !more.is_empty() {
            self.command_provider(ProviderCommand::Results(more));
        }
    }

    fn on_started(&mut self, call_id: CallId, tool_id: String, now: u64) {
        let speech = self.registry.tool(&tool_id).and_then(|tool| tool.spec().speech.as_ref());
        let speech = speech.filter(|_| self.capabilities.say.is_yes());
        // The model does not wait for a call that runs in the background, so nothing fills the time.
        let fills = |_: &&Speech| !self.is_background(&tool_id);
        self.calls.start(&call_id, &tool_id, speech.filter(fills), now);
        if let Some(preamble) = speech.and_then(|speech| speech.preamble.clone()) {
            self.command_provider(ProviderCommand::Say(preamble));
        }
        self.send_message(VoiceServerMessage::Tool { call_id, tool_id, phase: Phase::Started });
    }

    fn is_background(&self, tool_id: &str) -> bool {
        let tool = self.registry.tool(tool_id);
        tool.is_some_and(|tool| tool.spec().execution() == Execution::Background)
    }

    fn on_running_call(&mut self, call_id: CallId, phase: Phase) {
        let Some(tool_id) = self.calls.running_tool(&call_id).map(str::to_owned) else { return };
        self.send_message(VoiceServerMessage::Tool { call_id, tool_id, phase });
    }

    fn on_answered(&mut self, outcome: Outcome, answer: Arc<ToolResponse>) {
        let meta = answer.meta();
        let (call_id, tool_id) = (meta.call_id.clone(), meta.tool_id.clone());
        self.calls.finish(&call_id);
        self.ending.keep_closing_messages(&answer);
        let response = Box::new(Arc::unwrap_or_clone(answer));
        let phase = match outcome {
            Outcome::Refused(by) => Phase::Refused { by, response },
            Outcome::Denied => Phase::Refused { by: "person".into(), response },
            Outcome::Superseded => Phase::Refused { by: "superseded".into(), response },
            Outcome::Cancelled => Phase::Cancelled { response },
            Outcome::Completed
            | Outcome::Replayed
            | Outcome::TimedOut
            | Outcome::Panicked
            | Outcome::ProcessDied => Phase::Finished { response },
        };
        self.send_message(VoiceServerMessage::Tool { call_id, tool_id, phase });
    }

    fn on_confirmation_requested(&mut self, request: ConfirmationRequest) {
        self.open_confirmations.push(request.clone());
        let question = Question { request, again: false };
        self.send_message(VoiceServerMessage::ConfirmationRequest(Box::new(question)));
    }

    /// The spoken answer was not understood: the page shows the confirmation again, and it is spoken where the
    /// provider can speak a given sentence.
    fn on_confirmation_repeated(&mut self, preview: &str) {
        let open =
            self.open_confirmations.iter().rev().find(|question| question.preview == preview);
        if let Some(request) = open.cloned() {
            self.show_confirmation_again(request);
        }
        if self.capabilities.say.is_yes() {
            self.command_provider(ProviderCommand::Say(format!(
                "{preview}. Please say yes or no."
            )));
        }
    }

    fn show_confirmation_again(&mut self, request: ConfirmationRequest) {
        let question = Question { request, again: true };
        self.send_message(VoiceServerMessage::ConfirmationRequest(Box::new(question)));
    }

    /// A typed yes approves nothing, because text may come from more than the person's hand; the person is
    /// informed how to approve. The conversation handles a typed no.
    pub(super) fn on_typed_yes(&mut self, text: &str) {
        let Some(request) = self.open_confirmations.last().cloned() else { return };
        if self.grammar.hear(text) == YesNo::Yes {
            self.show_confirmation_again(request);
            self.send_message(VoiceServerMessage::error(
                ErrorCode::ConfirmationPending,
                NOT_IN_WRITING,
            ));
        }
    }

    fn on_confirmation_closed(&mut self, token_id: String, how: ConfirmationOutcome) {
        self.open_confirmations.retain(|question| id_of(&question.token) != Some(&token_id));
        let how = match how {
            ConfirmationOutcome::Approved => "approved",
            ConfirmationOutcome::Declined => "declined",
            ConfirmationOutcome::Expired => "expired",
            ConfirmationOutcome::Superseded => "superseded",
        };
        self.send_message(VoiceServerMessage::ConfirmationClosed { token_id, how });
    }

    /// Sends a handler's message to the client. An announcement of a block is sent with the block itself.
    fn on_handler_message(&mut self, call_id: CallId, message: Value) {
        if !self.ending.keep_farewell(&message) {
            self.send_message(VoiceServerMessage::Message { call_id, message });
        }
    }
}
