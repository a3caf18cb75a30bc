//! The model's steps: messages with calls, and their answers.

use std::sync::Arc;

use aileron_contract::{CallId, ToolResponse};
use aileron_script::{ExpectedResult, ScriptCall, ScriptStep};

use super::Run;
use crate::check::{self, FailedExpectation};

impl Run {
    /// Makes the calls of one message without waiting for them.
    pub(super) fn start(&mut self, calls: &[ScriptCall]) {
        let token = self.tokens.last().map_or("", |(_, token)| token).to_owned();
        let calls: Vec<_> = calls.iter().map(|call| call.filled(&token)).collect();
        let conversation = self.conversation.clone();
        self.started.push_back(tokio::spawn(async move { conversation.call(calls).await }));
    }

    /// Waits for the answers of the oldest message that was started.
    pub(super) async fn get(&mut self, step: &ScriptStep) -> Result<(), FailedExpectation> {
        let Some(started) = self.started.pop_front() else {
            return Err(FailedExpectation::new(step.line, "a message that was started", "none"));
        };
        let answers = started.await.map_err(|error| {
            FailedExpectation::new(step.line, "answers", format!("the end of the task: {error}"))
        })?;
        let answers = answers.into_iter().map(|one| (one.meta().call_id.clone(), one)).collect();
        self.compare(step.line, &step.expected, answers).await
    }

    /// Compares answers with their lines, one each.
    pub(super) async fn compare(
        &mut self,
        line: usize,
        expected: &[ExpectedResult],
        answers: Vec<(CallId, Arc<ToolResponse>)>,
    ) -> Result<(), FailedExpectation> {
        answers.iter().for_each(|(_, answer)| self.remember(answer));
        self.now_playing().answers.extend(answers.iter().cloned());
        let (wanted, count) = (expected.len().to_string(), answers.len().to_string());
        FailedExpectation::unless_same(
            line,
            &format!("{wanted} answers"),
            &format!("{count} answers"),
        )?;
        for (expected, (_, answer)) in expected.iter().zip(&answers) {
            let outcome = self.outcome(&answer.meta().call_id).await;
            check::answer(expected, answer, outcome.as_deref())?;
        }
        Ok(())
    }

    fn remember(&mut self, answer: &Arc<ToolResponse>) {
        let asked = answer.failure().and_then(|failure| failure.confirmation_request.as_ref());
        if let Some(request) = asked {
            self.tokens.push((answer.meta().call_id.clone(), request.token.clone()));
        }
        self.traces.answers.push(answer.clone());
    }
}
