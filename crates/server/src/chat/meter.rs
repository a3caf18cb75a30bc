//! Counts what the model of a turn is given.

use aileron_agent::TurnEvent;
use aileron_contract::ToolResponse;

use crate::app::App;
use crate::voice::{json_chars, tokens};

/// The figures of one turn. Its peak is counted when it is dropped.
#[derive(Debug)]
pub(super) struct Meter {
    app: App,
    /// Whether the model has not been asked anything in this conversation.
    is_first: bool,
    peak: u64,
}

impl Meter {
    pub(super) fn new(app: &App) -> Self {
        Self { app: app.clone(), is_first: false, peak: 0 }
    }

    pub(super) fn see(&mut self, event: &TurnEvent) {
        match event {
            TurnEvent::Began { turn } => self.is_first = *turn <= 1,
            TurnEvent::StepBegan { context_tokens: 0 } => {}
            TurnEvent::StepBegan { context_tokens } => self.asked(*context_tokens as u64),
            TurnEvent::Answered { answer, .. } => self.answered(answer),
            _ => {}
        }
    }

    fn asked(&mut self, tokens: u64) {
        self.peak = self.peak.max(tokens);
        if std::mem::take(&mut self.is_first) {
            self.app.context_figures().start_tokens.record(tokens);
        }
    }

    fn answered(&self, answer: &ToolResponse) {
        let chars = match answer {
            ToolResponse::Success { data, .. } => json_chars(data),
            ToolResponse::Failure { error, .. } => json_chars(error),
        };
        self.app.context_figures().result_tokens.record(tokens(chars));
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        if self.peak > 0 {
            self.app.context_figures().peak_tokens.record(self.peak);
        }
    }
}
