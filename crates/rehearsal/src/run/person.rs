//! The person's steps: text, speech and clicks.

use aileron_capability::Clock;
use aileron_contract::UserId;
use aileron_orchestrator::{ConfirmError, LateAnswer, Person, Resolution, TurnInput, TurnStart};
use aileron_script::{ConfirmationRef, ScriptStep};

use super::Run;
use crate::check::FailedExpectation;

/// The word before the results of tasks.
const TOLD: &str = "told";

impl Run {
    pub(super) async fn writes(
        &mut self,
        step: &ScriptStep,
        text: &str,
    ) -> Result<(), FailedExpectation> {
        let input = TurnInput::Typed { text: text.to_owned() };
        let began = self.conversation.begin_turn(input).await;
        let began = began
            .map_err(|error| FailedExpectation::new(step.line, "a turn", error.to_string()))?;
        self.began(step, began).await
    }

    pub(super) async fn says(
        &mut self,
        step: &ScriptStep,
        text: &str,
        begun_ms_ago: u64,
    ) -> Result<(), FailedExpectation> {
        let began_ms = self.environment.clock.now_ms().saturating_sub(begun_ms_ago);
        let input = TurnInput::Spoken { text: text.to_owned(), began_ms };
        let began = self.conversation.begin_turn(input).await;
        let began = began
            .map_err(|error| FailedExpectation::new(step.line, "a turn", error.to_string()))?;
        self.began(step, began).await
    }

    pub(super) async fn clicks(
        &mut self,
        step: &ScriptStep,
        who: Option<&str>,
        approve: bool,
        question: &ConfirmationRef,
    ) -> Result<(), FailedExpectation> {
        let token = self.token(question);
        let token = token.ok_or_else(|| FailedExpectation::new(step.line, "a question", "none"))?;
        let by = match who {
            Some(name) => Person::known(UserId::new(name).unwrap()),
            None => self.opening.person.clone(),
        };
        match self.conversation.confirm(&token, approve, &by).await {
            Ok(resolution) => self.resolved(step, vec![resolution]).await,
            Err(error) => {
                self.now_playing().words.push(error_word(&error));
                let wanted = step.expected.first().map_or("approved", |first| &first.word);
                FailedExpectation::unless_same(step.line, wanted, error_word(&error))
            }
        }
    }

    fn token(&self, question: &ConfirmationRef) -> Option<String> {
        let newest = self.tokens.last().map(|(_, token)| token.clone());
        match question {
            ConfirmationRef::Newest => newest,
            ConfirmationRef::Of(call) => {
                let found = self.tokens.iter().rev().find(|(about, _)| about == call);
                found.map(|(_, token)| token.clone())
            }
            ConfirmationRef::Forged => newest.map(|token| flipped(&token)),
        }
    }

    /// Compares what a turn begins with: resolutions of confirmations, then the results of tasks, which
    /// the model has from then on.
    async fn began(
        &mut self,
        step: &ScriptStep,
        TurnStart { resolutions, task_results, .. }: TurnStart,
    ) -> Result<(), FailedExpectation> {
        let told: Vec<_> = task_results.iter().map(|late| late.answer.clone()).collect();
        let mut found: Vec<_> = resolutions.into_iter().map(parts).collect();
        if !task_results.is_empty() {
            found.push((TOLD, String::new(), task_results));
        }
        self.compare_late(step, found).await?;
        self.conversation.mark_told(told.iter().map(|answer| &**answer)).await.unwrap();
        Ok(())
    }

    async fn resolved(
        &mut self,
        step: &ScriptStep,
        found: Vec<Resolution>,
    ) -> Result<(), FailedExpectation> {
        self.compare_late(step, found.into_iter().map(parts).collect()).await
    }

    /// Compares the resolutions of confirmations, and the results that follow.
    async fn compare_late(
        &mut self,
        step: &ScriptStep,
        found: Vec<(&'static str, String, Vec<LateAnswer>)>,
    ) -> Result<(), FailedExpectation> {
        let mut expected = &step.expected[..];
        for (word, preview, late) in found {
            self.now_playing().words.push(word);
            let Some((first, rest)) = expected.split_first() else {
                return Err(FailedExpectation::new(step.line, "no question answered", word));
            };
            FailedExpectation::unless_same(first.line, &first.word, word)?;
            if let Some(missing) = first.says.iter().find(|text| !preview.contains(*text)) {
                return Err(FailedExpectation::new(first.line, missing, preview));
            }
            let (own, others) = rest.split_at(rest.len().min(late.len()));
            let answers = late.into_iter().map(|late| (late.call_id, late.answer)).collect();
            self.compare(first.line, own, answers).await?;
            expected = others;
        }
        match expected.first() {
            Some(first) => {
                Err(FailedExpectation::new(first.line, &first.word, "no question answered"))
            }
            None => Ok(()),
        }
    }
}

/// The resolution as a word, a renewed confirmation, and the results.
fn parts(resolution: Resolution) -> (&'static str, String, Vec<LateAnswer>) {
    match resolution {
        Resolution::Approved(late) => ("approved", String::new(), late),
        Resolution::Declined(late) => ("declined", String::new(), late),
        Resolution::Expired(late) => ("expired", String::new(), late),
        Resolution::Superseded(late) => ("superseded", String::new(), late),
        // A click on a resolved confirmation returns its result.
        Resolution::Known(earlier) => parts(*earlier),
        Resolution::AskAgain { preview } => ("asked", preview, Vec::new()),
    }
}

/// The token with its last character changed.
fn flipped(token: &str) -> String {
    let (rest, last) = token.split_at(token.len() - 1);
    format!("{rest}{}", if last == "A" { "B" } else { "A" })
}

fn error_word(error: &ConfirmError) -> &'static str {
    match error {
        ConfirmError::Forged => "FORGED",
        ConfirmError::NotOwner => "NOT_YOURS",
        ConfirmError::Unknown => "UNKNOWN",
        ConfirmError::Decided(_) => "ALREADY_DECIDED",
        ConfirmError::Store(_) => "STORE",
    }
}
