//! The questions a conversation has put to its person and that are not answered.

use std::collections::VecDeque;

use aileron_contract::envelope::ConfirmationRequest;
use aileron_contract::{CallId, ContentHash, Mode, ToolCall};
use serde::{Deserialize, Serialize};

use crate::candidate::CandidateCall;
use crate::config::Config;
use crate::event::ConfirmationOutcome;
use crate::subject::Subject;
use crate::yes_no::{Certainty, Reach, Retraction};

/// How many decisions are remembered, for those who answer twice.
const REMEMBERED: usize = 64;

/// The open questions, oldest first, and what was decided of late.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct OpenConfirmations {
    open: Vec<OpenConfirmation>,
    decided: VecDeque<ResolvedConfirmation>,
}

/// A question that was closed, kept for those who answer it again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ResolvedConfirmation {
    /// The question.
    pub(crate) id: String,
    /// NoopObserver else's token is told of the decision.
    pub(crate) token: String,
    pub(crate) how: ConfirmationOutcome,
    /// The call it was about.
    pub(crate) call_id: CallId,
    pub(crate) tool_id: String,
    /// What the call is known by.
    pub(crate) key: String,
}

impl ResolvedConfirmation {
    pub(crate) fn new(
        (id, token): (&str, &str),
        held: &WaitingCall,
        how: ConfirmationOutcome,
    ) -> Self {
        Self {
            id: id.to_owned(),
            token: token.to_owned(),
            how,
            call_id: held.call.call_id.clone(),
            tool_id: held.call.tool_id.clone(),
            key: held.key.clone(),
        }
    }
}

/// One question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OpenConfirmation {
    pub(crate) id: String,
    pub(crate) preview: String,
    pub(crate) request: ConfirmationRequest,
    pub(crate) digest: u64,
    /// The thing that an approval would commit, where it is known.
    pub(crate) subject: Option<Subject>,
    /// The turn in which it was asked.
    pub(crate) turn: u64,
    pub(crate) asked_ms: u64,
    pub(crate) ear: SpokenAnswer,
    /// The call it is about, and those of its batch that wait for it.
    pub(crate) waiting: Vec<WaitingCall>,
}

/// Whether a question still listens to what the person says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SpokenAnswer {
    /// The next utterance is the answer.
    Open,
    /// The person was not understood; the next utterance is the last that counts.
    OpenAgain,
    /// Only a click answers it.
    Closed,
}

/// What is kept of a question while it waits, in the store.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct StoredConfirmation {
    pub(crate) asked: WaitingCall,
    pub(crate) token: String,
    pub(crate) preview: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) subject: Option<Subject>,
    pub(crate) turn: u64,
    pub(crate) asked_ms: u64,
    /// The other writes of the batch, in order.
    pub(crate) siblings: Vec<WaitingCall>,
}

impl StoredConfirmation {
    /// All calls that wait, the one the question is about first.
    pub(crate) fn calls(&self) -> impl Iterator<Item = &WaitingCall> {
        std::iter::once(&self.asked).chain(&self.siblings)
    }
}

/// A call that waits, as it was made, its arguments validated and clamped.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WaitingCall {
    pub(crate) call: ToolCall,
    pub(crate) key: String,
    /// The hash of the arguments as they were given, where a mode's limits changed them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) given: Option<ContentHash>,
}

impl WaitingCall {
    pub(crate) fn of(candidate: &CandidateCall) -> Self {
        let given = candidate.call.given.clone();
        Self { call: candidate.as_call(), key: candidate.call.key.to_string(), given }
    }
}

impl OpenConfirmation {
    /// Whether the person can still answer it the way they were asked: by speech, if that is how.
    pub(crate) fn is_heard(&self, mode: Mode) -> bool {
        mode == Mode::Text || self.ear != SpokenAnswer::Closed
    }

    /// Whether this is the question whether that call may be made.
    pub(crate) fn is_for(&self, candidate: &CandidateCall) -> bool {
        self.digest == candidate.digest && self.request.tool.as_str() == candidate.call.tool_id
    }
}

impl OpenConfirmations {
    pub(crate) fn push(&mut self, question: OpenConfirmation) {
        self.open.push(question);
    }

    /// Remembers a decision; `false` if there is one already, which stands.
    pub(crate) fn decide(&mut self, decided: ResolvedConfirmation) -> bool {
        if self.decision(&decided.id).is_some() {
            return false;
        }
        if self.decided.len() == REMEMBERED {
            self.decided.pop_front();
        }
        self.decided.push_back(decided);
        true
    }

    /// Forgets a decision that could not be kept: the question is still open.
    pub(crate) fn reopen(&mut self, id: &str) {
        self.decided.retain(|decided| decided.id != id);
    }

    /// What was decided about a question.
    pub(crate) fn decision(&self, id: &str) -> Option<&ResolvedConfirmation> {
        self.decided.iter().find(|decided| decided.id == id)
    }

    /// The open question of this id.
    pub(crate) fn open(&self, id: &str) -> Option<&OpenConfirmation> {
        self.open.iter().find(|question| question.id == id)
    }

    /// What was decided of late.
    pub(crate) fn decided(&self) -> &VecDeque<ResolvedConfirmation> {
        &self.decided
    }

    /// Takes up what was decided before a restart.
    /// Listens for the answers to questions that were listened for before.
    pub(crate) fn listen_on(&mut self, before: &Self) {
        for question in &mut self.open {
            if let Some(before) = before.open(&question.id) {
                question.ear = before.ear;
            }
        }
    }

    pub(crate) fn with_decided(decided: VecDeque<ResolvedConfirmation>) -> Self {
        Self { open: Vec::new(), decided }
    }

    /// The ids of those whose time is over.
    pub(crate) fn expired(&self, now: u64) -> Vec<String> {
        let expired = self.open.iter().filter(|question| question.request.expires <= now);
        expired.map(|question| question.id.clone()).collect()
    }

    /// A question that is open.
    pub(crate) fn find_mut(&mut self, id: &str) -> Option<&mut OpenConfirmation> {
        self.open.iter_mut().find(|question| question.id == id)
    }

    /// Takes a question off the list.
    pub(crate) fn remove(&mut self, id: &str) -> Option<OpenConfirmation> {
        let at = self.open.iter().position(|question| question.id == id)?;
        Some(self.open.remove(at))
    }

    /// The open questions that the person takes back with their words, newest first. Words that only
    /// imply it are about what they were asked last.
    pub(crate) fn retracted(
        &self,
        retraction: Retraction,
        turn: u64,
        (said, now): (u64, u64),
    ) -> Vec<String> {
        let is_meant = |question: &&OpenConfirmation| {
            question.asked_ms <= said && self.decision(&question.id).is_none()
        };
        let open = self.valid(now).filter(is_meant).collect::<Vec<_>>();
        let meant = open.into_iter().rev().filter(|question| match retraction.certainty {
            Certainty::Said => true,
            // The words may come when their own turn has begun.
            Certainty::Implied => question.turn + 1 >= turn,
        });
        let most = match retraction.reach {
            Reach::Newest => 1,
            Reach::All => usize::MAX,
        };
        meant.take(most).map(|question| question.id.clone()).collect()
    }

    /// The open questions, other than this one, that would commit the same thing.
    pub(crate) fn about_same(&self, question: &OpenConfirmation) -> Vec<String> {
        let same = |other: &&OpenConfirmation| {
            let is_same = |subject: &Subject| match subject {
                Subject::Argument(_) => true,
                // Two that were asked for in one breath are both wanted.
                Subject::Content(_) => other.turn < question.turn,
            };
            other.id != question.id
                && other.request.tool == question.request.tool
                && other.subject == question.subject
                && other.subject.as_ref().is_some_and(is_same)
        };
        self.open.iter().filter(same).map(|other| other.id.clone()).collect()
    }

    /// The open question about the very same call.
    pub(crate) fn about(&self, candidate: &CandidateCall, now: u64) -> Option<&OpenConfirmation> {
        self.valid(now).find(|question| question.is_for(candidate))
    }

    /// A question that was asked in this turn and waits to be answered by speech.
    pub(crate) fn open_since(&self, turn: u64, now: u64) -> Option<&OpenConfirmation> {
        self.valid(now)
            .find(|question| question.turn == turn && question.ear != SpokenAnswer::Closed)
    }

    /// The question that the next utterance answers: the newest that listens.
    pub(crate) fn listening(&mut self, now: u64) -> Option<&mut OpenConfirmation> {
        let open = self.open.iter_mut().filter(|question| question.request.expires > now);
        open.filter(|question| question.ear != SpokenAnswer::Closed).last()
    }

    /// Only clicks answer from here on.
    pub(crate) fn stop_listening(&mut self) {
        self.open.iter_mut().for_each(|question| question.ear = SpokenAnswer::Closed);
    }

    /// The ids of all questions that were asked before a turn.
    pub(crate) fn before(&self, turn: u64) -> Vec<String> {
        let earlier = self.open.iter().filter(|question| question.turn < turn);
        earlier.map(|question| question.id.clone()).collect()
    }

    pub(crate) fn are_too_many(&self, config: &Config, now: u64) -> bool {
        self.valid(now).count() >= config.confirmation.max_pending
    }

    fn valid(&self, now: u64) -> impl Iterator<Item = &OpenConfirmation> {
        self.open.iter().filter(move |question| question.request.expires > now)
    }
}
