//! Counts the tokens that the model of a turn is given.

use std::sync::Arc;

use aileron_agent::TurnEvent;
use aileron_contract::ToolResponse;

use crate::metrics::ContextFigures;
use crate::voice::{json_chars, tokens};

/// The figures of one turn. Its peak is counted when it is dropped.
#[derive(Debug)]
pub(super) struct Meter {
    figures: Arc<ContextFigures>,
    /// Whether this is the first request of the conversation.
    is_first: bool,
    peak: u64,
}

impl Meter {
    pub(super) fn new(figures: &Arc<ContextFigures>) -> Self {
        Self { figures: figures.clone(), is_first: false, peak: 0 }
    }

    pub(super) fn on_event(&mut self, event: &TurnEvent) {
        match event {
            TurnEvent::Began { turn } => self.is_first = *turn <= 1,
            TurnEvent::StepBegan { context_tokens: 0 } => {}
            TurnEvent::StepBegan { context_tokens } => self.count_request(*context_tokens as u64),
            TurnEvent::Answered { answer, .. } => self.count_result(answer),
            _ => {}
        }
    }

    fn count_request(&mut self, tokens: u64) {
        self.peak = self.peak.max(tokens);
        if std::mem::take(&mut self.is_first) {
            self.figures.start_tokens.record(tokens);
        }
    }

    fn count_result(&self, answer: &ToolResponse) {
        let chars = match answer {
            ToolResponse::Success { data, .. } => json_chars(data),
            ToolResponse::Failure { error, .. } => json_chars(error),
        };
        self.figures.result_tokens.record(tokens(chars));
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        if self.peak > 0 {
            self.figures.peak_tokens.record(self.peak);
        }
    }
}
