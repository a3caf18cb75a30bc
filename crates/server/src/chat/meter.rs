//! Counts the tokens that the model of a turn is given, and the faults of its provider.

use aileron_agent::{ContextTokens, TurnEvent, TurnFailureCode};
use aileron_contract::transport::Usage;
use aileron_contract::{Mode, ToolResponse};

use crate::metrics::{ContextStart, Metrics};
use crate::voice::{json_chars, tokens};

/// The figures of one turn. Its peak is counted when it is dropped.
#[derive(Debug)]
pub(super) struct Meter {
    metrics: Metrics,
    /// Whether this is the first request of the conversation.
    is_first: bool,
    peak: u64,
}

impl Meter {
    pub(super) fn new(metrics: &Metrics) -> Self {
        Self { metrics: metrics.clone(), is_first: false, peak: 0 }
    }

    pub(super) fn on_event(&mut self, event: &TurnEvent) {
        match event {
            TurnEvent::Began { turn } => self.is_first = *turn <= 1,
            TurnEvent::StepBegan { context: Some(context) } => self.count_request(*context),
            TurnEvent::Usage(usage) => self.count_usage(usage),
            TurnEvent::Failed(failed) => self.count_failure(failed.code),
            TurnEvent::Answered { answer, .. } => self.count_result(answer),
            _ => {}
        }
    }

    fn count_request(&mut self, context: ContextTokens) {
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
        self.metrics.models.text.tokens_in.add(usage.input.total);
        self.metrics.models.text.tokens_out.add(usage.output.total);
    }

    fn count_failure(&self, code: TurnFailureCode) {
        match code {
            TurnFailureCode::ModelUnavailable
            | TurnFailureCode::ModelBusy
            | TurnFailureCode::ModelRefused => self.metrics.models.text.errors.add(1),
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
    }
}
