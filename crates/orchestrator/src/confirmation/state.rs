//! The confirmations of one conversation: a state machine without I/O. Its inputs are requests,
//! answers, words of the person and the time; the return value of each method says what the caller
//! has to do.
//!
//! A confirmation is open, then resolved once: approved, declined, expired or superseded. A
//! resolution that the store could not apply is undone (`reopen`).
//!
//! ```text
//!                     yes: click, or the next utterance
//!                   +----------------------------------> approved ---> admitted again, then executed
//!  request          |  no: click, or the next utterance
//!  ---------> open -+----------------------------------> declined ---+
//!              ^    |  no answer before `expires`                     |
//!              |    +----------------------------------> expired -----+-> every waiting call: DENIED
//!              |    |  newer one for the same draft, or               |
//!              |    |  the person retracts it                         |
//!              |    +----------------------------------> superseded --+
//!              |                                             |
//!              +------- reopen: the store did not take it ---+ (from any resolution)
//!
//!  spoken answer of an open confirmation, in voice:
//!  Accepted --unclear--> LastChance --unclear--> ClickOnly    (also after a change of mode or a restart)
//! ```

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use aileron_contract::envelope::ConfirmationRequest;
use aileron_contract::{Mode, ToolResponse};
use aileron_store::{CallContent, CallStatus, CallWait};

use super::stored::{ResolvedConfirmation, WaitingCall};
use super::subject::Subject;
use crate::candidate::CandidateCall;
use crate::config::Config;
use crate::event::ConfirmationOutcome;
use crate::yes_no::{Certainty, Reach, Retraction};

/// How many resolutions are remembered for a second answer.
const MAX_RESOLVED: usize = 64;

/// The open confirmations, oldest first, the recently resolved ones, and the answers given to the
/// waiting calls.
#[derive(Debug, Clone, Default)]
pub(crate) struct Confirmations {
    open: Vec<OpenConfirmation>,
    resolved: VecDeque<ResolvedConfirmation>,
    waiting: HashMap<Arc<str>, WaitingAnswer>,
    /// Counts the changes of `resolved`, which is stored with the conversation.
    revision: u64,
}

/// The answer to a call that waits for the person. It is removed when the confirmation is resolved:
/// from then on the ledger has the answer.
#[derive(Debug, Clone)]
struct WaitingAnswer {
    content: CallContent,
    /// Finished, or running while the confirmation is being published.
    status: CallStatus,
}

/// One open confirmation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OpenConfirmation {
    pub(crate) id: String,
    pub(crate) preview: String,
    pub(crate) request: ConfirmationRequest,
    pub(crate) digest: u64,
    /// The thing that an approval would commit, if known.
    pub(crate) subject: Option<Subject>,
    /// The turn in which the person was asked.
    pub(crate) turn: u64,
    pub(crate) asked_ms: u64,
    pub(crate) spoken_answer: SpokenAnswer,
    /// The call it is about, and the other calls of its batch that wait for it.
    pub(crate) waiting: Vec<WaitingCall>,
}

/// Whether speech still answers a confirmation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SpokenAnswer {
    /// The next utterance is the answer.
    Accepted,
    /// The person was not understood; the next utterance is the last that counts.
    LastChance,
    /// Only a click answers it.
    ClickOnly,
}

impl OpenConfirmation {
    /// Whether the person can still answer it in the current mode: by speech in voice.
    pub(crate) fn is_answerable(&self, mode: Mode) -> bool {
        mode == Mode::Text || self.spoken_answer != SpokenAnswer::ClickOnly
    }

    /// Whether the confirmation is for this very call.
    pub(crate) fn is_for(&self, candidate: &CandidateCall) -> bool {
        self.digest == candidate.digest && self.request.tool.as_str() == candidate.call.tool_id
    }
}

/// Opening and closing.
impl Confirmations {
    /// The confirmations of a conversation that is loaded, with these resolved ones.
    pub(crate) fn with_resolved(resolved: VecDeque<ResolvedConfirmation>) -> Self {
        Self { resolved, ..Self::default() }
    }

    pub(crate) fn push(&mut self, confirmation: OpenConfirmation) {
        self.open.push(confirmation);
    }

    /// Opens a confirmation. Returns those that it supersedes, already resolved: those about the
    /// same call or the same draft and, in voice, all of earlier turns, because a spoken answer can
    /// mean only one.
    pub(crate) fn request(
        &mut self,
        confirmation: OpenConfirmation,
        candidate: &CandidateCall,
        mode: Mode,
    ) -> Vec<OpenConfirmation> {
        let same = self.about(candidate, confirmation.asked_ms).map(|same| same.id.clone());
        let mut closing: Vec<_> = same.into_iter().chain(self.about_same(&confirmation)).collect();
        if mode == Mode::Voice {
            let earlier = self.open.iter().filter(|other| other.turn < confirmation.turn);
            closing.extend(earlier.map(|other| other.id.clone()));
        }
        let superseded = self.supersede(closing);
        self.open.push(confirmation);
        superseded
    }

    /// Resolves confirmations as superseded, unless they are already resolved.
    pub(crate) fn supersede(&mut self, ids: Vec<String>) -> Vec<OpenConfirmation> {
        let mut superseded = Vec::new();
        for id in ids {
            if self.resolution(&id).is_some() {
                continue;
            }
            let Some(confirmation) = self.remove(&id) else { continue };
            if let Some(asked) = confirmation.waiting.first() {
                let token = (&*confirmation.id, &*confirmation.request.token);
                let how = ConfirmationOutcome::Superseded;
                self.resolve(ResolvedConfirmation::new(token, asked, how));
            }
            superseded.push(confirmation);
        }
        superseded
    }

    /// Reopens a superseded confirmation that the store could not close. Only a click answers it,
    /// because speech answers the newer one.
    pub(crate) fn not_superseded(&mut self, confirmation: OpenConfirmation) {
        self.reopen(&confirmation.id);
        self.open.push(OpenConfirmation { spoken_answer: SpokenAnswer::ClickOnly, ..confirmation });
    }

    /// Stores a resolution; returns `false` if there is one already, which stands.
    pub(crate) fn resolve(&mut self, resolved: ResolvedConfirmation) -> bool {
        if self.resolution(&resolved.id).is_some() {
            return false;
        }
        if self.resolved.len() == MAX_RESOLVED {
            self.resolved.pop_front();
        }
        self.resolved.push_back(resolved);
        self.revision += 1;
        true
    }

    /// Removes a resolution that could not be stored: the confirmation is still open.
    pub(crate) fn reopen(&mut self, id: &str) {
        self.resolved.retain(|resolved| resolved.id != id);
        self.revision += 1;
    }

    /// Removes a confirmation from the list.
    pub(crate) fn remove(&mut self, id: &str) -> Option<OpenConfirmation> {
        let at = self.open.iter().position(|confirmation| confirmation.id == id)?;
        Some(self.open.remove(at))
    }

    /// Copies from `before` which confirmations speech still answers.
    pub(crate) fn keep_spoken_answers(&mut self, before: &Self) {
        for confirmation in &mut self.open {
            if let Some(before) = before.find(&confirmation.id) {
                confirmation.spoken_answer = before.spoken_answer;
            }
        }
    }

    /// From now on, only clicks answer the open confirmations.
    pub(crate) fn stop_listening(&mut self) {
        self.open
            .iter_mut()
            .for_each(|confirmation| confirmation.spoken_answer = SpokenAnswer::ClickOnly);
    }
}

/// Looking up.
impl Confirmations {
    /// How a confirmation was resolved.
    pub(crate) fn resolution(&self, id: &str) -> Option<&ResolvedConfirmation> {
        self.resolved.iter().find(|resolved| resolved.id == id)
    }

    /// The recently resolved confirmations, oldest first.
    pub(crate) fn resolved(&self) -> &VecDeque<ResolvedConfirmation> {
        &self.resolved
    }

    /// Changes whenever [`Self::resolved`] does.
    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    /// The open confirmation of this id.
    pub(crate) fn find(&self, id: &str) -> Option<&OpenConfirmation> {
        self.open.iter().find(|confirmation| confirmation.id == id)
    }

    pub(crate) fn find_mut(&mut self, id: &str) -> Option<&mut OpenConfirmation> {
        self.open.iter_mut().find(|confirmation| confirmation.id == id)
    }

    /// The ids of the expired confirmations.
    pub(crate) fn expired(&self, now: u64) -> Vec<String> {
        let expired = self.open.iter().filter(|confirmation| confirmation.request.expires <= now);
        expired.map(|confirmation| confirmation.id.clone()).collect()
    }

    /// The open confirmations that the person's words retract, newest first. Words that only imply
    /// a retraction apply to the confirmation requested last.
    pub(crate) fn retracted(
        &self,
        retraction: Retraction,
        turn: u64,
        (said, now): (u64, u64),
    ) -> Vec<String> {
        let is_meant = |confirmation: &&OpenConfirmation| {
            confirmation.asked_ms <= said && self.resolution(&confirmation.id).is_none()
        };
        let open = self.valid(now).filter(is_meant).collect::<Vec<_>>();
        let meant = open.into_iter().rev().filter(|confirmation| match retraction.certainty {
            Certainty::Said => true,
            // The words may arrive after their own turn has begun.
            Certainty::Implied => confirmation.turn + 1 >= turn,
        });
        let most = match retraction.reach {
            Reach::Newest => 1,
            Reach::All => usize::MAX,
        };
        meant.take(most).map(|confirmation| confirmation.id.clone()).collect()
    }

    /// The open confirmations, other than this one, that would commit the same thing.
    pub(crate) fn about_same(&self, confirmation: &OpenConfirmation) -> Vec<String> {
        let same = |other: &&OpenConfirmation| {
            let is_same = |subject: &Subject| match subject {
                Subject::Argument(_) => true,
                // Two that were requested in the same turn are both wanted.
                Subject::Content(_) => other.turn < confirmation.turn,
            };
            other.id != confirmation.id
                && other.request.tool == confirmation.request.tool
                && other.subject == confirmation.subject
                && other.subject.as_ref().is_some_and(is_same)
        };
        self.open.iter().filter(same).map(|other| other.id.clone()).collect()
    }

    /// The open confirmation of the very same call.
    pub(crate) fn about(&self, candidate: &CandidateCall, now: u64) -> Option<&OpenConfirmation> {
        self.valid(now).find(|confirmation| confirmation.is_for(candidate))
    }

    /// A confirmation that was requested in this turn and waits to be answered by speech.
    pub(crate) fn open_since(&self, turn: u64, now: u64) -> Option<&OpenConfirmation> {
        self.valid(now).find(|confirmation| {
            confirmation.turn == turn && confirmation.spoken_answer != SpokenAnswer::ClickOnly
        })
    }

    /// The confirmation that the next utterance answers: the newest that accepts speech.
    pub(crate) fn listening(&mut self, now: u64) -> Option<&mut OpenConfirmation> {
        let open = self.open.iter_mut().filter(|confirmation| confirmation.request.expires > now);
        open.filter(|confirmation| confirmation.spoken_answer != SpokenAnswer::ClickOnly).last()
    }

    /// How many are open, and the maximum.
    pub(crate) fn pending(&self, config: &Config, now: u64) -> (usize, usize) {
        (self.open_count(now), config.confirmation.max_pending)
    }

    /// How many are open.
    pub(crate) fn open_count(&self, now: u64) -> usize {
        self.valid(now).count()
    }

    fn valid(&self, now: u64) -> impl Iterator<Item = &OpenConfirmation> {
        self.open.iter().filter(move |confirmation| confirmation.request.expires > now)
    }
}

/// The waiting calls, by idempotency key: each gets the same answer when it is delivered again.
impl Confirmations {
    /// Adds a waiting call with the answer it got.
    pub(crate) fn keep_answer(
        &mut self,
        key: &Arc<str>,
        content: CallContent,
        answer: &Arc<ToolResponse>,
    ) {
        let status = CallStatus::Finished(answer.clone());
        self.waiting.insert(key.clone(), WaitingAnswer { content, status });
    }

    /// Adds a waiting call that is answered once its confirmation is published.
    pub(crate) fn keep_publishing(
        &mut self,
        key: &Arc<str>,
        content: CallContent,
        publishing: CallWait,
    ) {
        let status = CallStatus::Running(publishing);
        self.waiting.insert(key.clone(), WaitingAnswer { content, status });
    }

    /// Sets the answer of a waiting call whose confirmation is published.
    pub(crate) fn published(&mut self, key: &str, answer: &Arc<ToolResponse>) {
        if let Some(waiting) = self.waiting.get_mut(key) {
            waiting.status = CallStatus::Finished(answer.clone());
        }
    }

    /// Removes a waiting call.
    pub(crate) fn stop_waiting(&mut self, key: &str) {
        self.waiting.remove(key);
    }

    pub(crate) fn is_waiting(&self, key: &str) -> bool {
        self.waiting.contains_key(key)
    }

    /// The answer that a waiting call got or will get.
    pub(crate) fn waiting_status(&self, key: &str) -> Option<CallStatus> {
        self.waiting.get(key).map(|waiting| waiting.status.clone())
    }

    /// The tool and the arguments of the call that waits under this key.
    pub(crate) fn waiting_content(&self, key: &str) -> Option<CallContent> {
        self.waiting.get(key).map(|waiting| waiting.content.clone())
    }
}
