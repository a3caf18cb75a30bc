//! Counts the tokens that the model of a turn is given, and the faults of its provider.

use aileron_agent::{ContextTokens, TurnEvent, TurnFailureCode};
use aileron_contract::transport::Usage;
use aileron_contract::{ConversationId, Mode, ToolResponse};
use aileron_orchestrator::Conversation;
use aileron_telemetry::TurnEnd;

use crate::metrics::{ContextStart, Metrics};
use crate::voice::{json_chars, tokens};

/// The figures of one turn, which ends when this is dropped.
#[derive(Debug)]
pub(super) struct Meter {
    metrics: Metrics,
    conversation: ConversationId,
    provider: String,
    model: String,
    end: TurnEnd,
    /// Whether this is the first request of the conversation.
    is_first: bool,
    peak: u64,
}

impl Meter {
    /// The turn begins, or continues after a confirmation.
    pub(super) fn begin(
        metrics: &Metrics,
        (provider, model): (&str, &str),
        conversation: &Conversation,
        turn: u64,
    ) -> Self {
        let id = conversation.id();
        metrics.telemetry.turn_began(id, turn, Mode::Text);
        Self {
            metrics: metrics.clone(),
            conversation: id.clone(),
            provider: provider.to_owned(),
            model: model.to_owned(),
            end: TurnEnd::Stopped,
            is_first: false,
            peak: 0,
        }
    }

    pub(super) fn on_event(&mut self, event: &TurnEvent) {
        match event {
            TurnEvent::Began { turn } => self.is_first = *turn <= 1,
            TurnEvent::StepBegan { context: Some(context) } => self.count_request(*context),
            TurnEvent::Usage(usage) => self.count_usage(usage),
            TurnEvent::Failed(failed) => self.count_failure(failed.code),
            TurnEvent::Answered { answer, .. } => self.count_result(answer),
            TurnEvent::Finished(_) => self.end = TurnEnd::Completed,
            _ => {}
        }
    }

    fn count_request(&mut self, context: ContextTokens) {
        self.metrics.telemetry.request_began(&self.conversation, &self.provider, &self.model);
        self.peak = self.peak.max(context.total() as u64);
        if std::mem::take(&mut self.is_first) {
            let start = ContextStart {
                instructions: context.instructions as u64,
                declarations: context.declarations as u64,
                history: context.history as u64,
            };
            self.metrics.context.started(Mode::Text, start);
        }
    }

    fn count_usage(&self, usage: &Usage) {
        let tokens = (usage.input.total, usage.output.total);
        self.metrics.models.text.tokens_in.add(tokens.0);
        self.metrics.models.text.tokens_out.add(tokens.1);
        self.metrics.telemetry.request_ended(&self.conversation, Some(tokens), None);
    }

    fn count_failure(&mut self, code: TurnFailureCode) {
        self.end = TurnEnd::Failed(code.as_str());
        match code {
            TurnFailureCode::ModelUnavailable
            | TurnFailureCode::ModelBusy
            | TurnFailureCode::ModelRefused => {
                self.metrics.models.text.errors.add(1);
                let error = Some(code.as_str());
                self.metrics.telemetry.request_ended(&self.conversation, None, error);
            }
            TurnFailureCode::NotConfirmed
            | TurnFailureCode::HistoryConflict
            | TurnFailureCode::HistoryUnwritable => {}
        }
    }

    fn count_result(&self, answer: &ToolResponse) {
        let chars = match answer {
            ToolResponse::Success { data, .. } => json_chars(data),
            ToolResponse::Failure { error, .. } => json_chars(error),
        };
        self.metrics.context.of(Mode::Text).result_tokens.record(tokens(chars));
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        if self.peak > 0 {
            self.metrics.context.of(Mode::Text).peak_tokens.record(self.peak);
        }
        self.metrics.telemetry.turn_ended(&self.conversation, self.end);
    }
}
