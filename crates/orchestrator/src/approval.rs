//! The person's answer to a question: by a click, over HTTP or by speech, and
//! never by the model.

mod approved;
mod error;
mod heard;

use std::sync::Arc;

use aileron_contract::envelope::Failure;
use aileron_contract::{
    Arguments, CallId, ContentHash, ErrorType, Outcome, ToolCall, ToolResponse, UserId,
};
use aileron_runtime::envelope::failed;
use aileron_store::{Pending, Taken};
use serde::Deserialize;
use tokio::sync::OwnedMutexGuard;

pub use self::error::ConfirmError;
pub(crate) use self::heard::TurnStartEffects;
use crate::candidate::{CallOrigin, CandidateCall};
use crate::conversation::{ConversationCore, Locked};
use crate::event::{ConfirmationOutcome, ConversationEvent};
use crate::key;
use crate::question::{ResolvedConfirmation, StoredConfirmation, WaitingCall};
use crate::token;

/// What an answer led to.
#[derive(Debug, Clone, PartialEq)]
pub enum Resolution {
    /// The call was made, and then those that had waited for it.
    Approved(Vec<LateAnswer>),
    /// `DENIED`, for the call and for those that had waited for it.
    Declined(Vec<LateAnswer>),
    /// The answer did not come in time: `DENIED`.
    Expired(Vec<LateAnswer>),
    /// The person changed their mind: `DENIED`.
    Superseded(Vec<LateAnswer>),
    /// It was decided before, and the model was told then. What came of it, for who asks again.
    Known(Box<Resolution>),
    /// The person was not understood, or what they said could not be kept, and they are asked once
    /// more.
    AskAgain { preview: String },
}

/// An answer for the model to a call that it was first told to wait for.
#[derive(Debug, Clone, PartialEq)]
pub struct LateAnswer {
    /// The id the model gave its call. The answer's own id is another: it is recorded by itself.
    pub call_id: CallId,
    pub answer: Arc<ToolResponse>,
}

const DECLINED: &str = "the person said no";
const EXPIRED: &str = "the person did not answer in time";
const DECLINED_WITH: &str = "the person said no to another call of the same message";
const EXPIRED_WITH: &str = "the person did not answer in time about another call of the message";

/// A moment before all questions expire: whoever answers late is told so.
pub(crate) const INCLUDE_EXPIRED: u64 = 0;

const RETRACTED: &str = "the person changed their mind before they had answered";
const RETRACTED_WITH: &str = "the person changed their mind about another call of the same message";

/// The right to decide about a question of the conversation.
type Deciding = OwnedMutexGuard<()>;

impl ConversationCore {
    /// Acts on a token that came through the person's channel. Nothing is told of a question to a
    /// token that was not made for it.
    pub(crate) async fn confirm(
        self: &Arc<Self>,
        token: &str,
        approve: bool,
        by: Option<&UserId>,
    ) -> Result<Resolution, ConfirmError> {
        if by != self.person.id.as_ref() {
            return Err(ConfirmError::NotOwner);
        }
        let id = token::id_of(token).ok_or(ConfirmError::Forged)?;
        let deciding = self.deciding.clone().lock_owned().await;
        let decided = self.lock().memory.questions.decision(id).cloned();
        match (decided, self.pending(id).await?) {
            (Some(decided), _) if decided.token != token => Err(ConfirmError::Forged),
            (Some(decided), _) => {
                drop(deciding);
                self.earlier_resolution(decided, approve).await
            }
            (None, Some(pending)) => {
                self.verify(token, &pending)?;
                self.answer_question(&pending, approve, deciding).await
            }
            (None, None) => Err(ConfirmError::Unknown),
        }
    }

    /// Acts on what the person said about a question.
    async fn answer_by_id(
        self: &Arc<Self>,
        id: &str,
        approve: bool,
    ) -> Result<Resolution, ConfirmError> {
        let deciding = self.deciding.clone().lock_owned().await;
        let decided = self.lock().memory.questions.decision(id).cloned();
        match (decided, self.pending(id).await?) {
            (Some(decided), _) => {
                drop(deciding);
                self.earlier_resolution(decided, approve).await
            }
            (None, Some(pending)) => self.answer_question(&pending, approve, deciding).await,
            (None, None) => Err(ConfirmError::Unknown),
        }
    }

    /// A question that nobody has taken.
    async fn pending(&self, id: &str) -> Result<Option<Pending>, ConfirmError> {
        let pending = self.core.store.confirmations(&self.id, INCLUDE_EXPIRED).await?;
        Ok(pending.into_iter().find(|pending| pending.token == id))
    }

    async fn answer_question(
        self: &Arc<Self>,
        pending: &Pending,
        approve: bool,
        deciding: Deciding,
    ) -> Result<Resolution, ConfirmError> {
        match approve && pending.expires > self.now() {
            true => self.approved(pending, deciding).await,
            false => self.decline(pending, ConfirmationOutcome::Declined).await,
        }
    }

    /// A token is good for exactly what it was made for.
    fn verify(&self, token: &str, pending: &Pending) -> Result<(), ConfirmError> {
        let waiting = waiting(pending)?;
        let candidate = CandidateCall::new(waiting.asked.call, &self.toolset);
        let (Some(entry), Ok(args)) = (candidate.entry(), &candidate.args) else {
            return Err(ConfirmError::Forged);
        };
        let hash = ContentHash::of_value(args);
        let binding = self.binding(&pending.token, entry, &hash, pending.expires);
        self.core.signer.verify(token, &binding).map_err(|_| ConfirmError::Forged)
    }

    /// Closes a question that nobody approves. One whose time was over has expired.
    async fn decline(
        self: &Arc<Self>,
        pending: &Pending,
        how: ConfirmationOutcome,
    ) -> Result<Resolution, ConfirmError> {
        let id = &*pending.token;
        let how = if pending.expires <= self.now() { ConfirmationOutcome::Expired } else { how };
        if !self.keep_decision(&mut self.lock(), pending, how)? {
            return self.decided_meanwhile(id, false).await;
        }
        self.take_question(id).await?;
        let late = self.denied(pending, how).await?;
        Ok(match how {
            ConfirmationOutcome::Declined | ConfirmationOutcome::Approved => {
                Resolution::Declined(late)
            }
            ConfirmationOutcome::Expired => Resolution::Expired(late),
            ConfirmationOutcome::Superseded => Resolution::Superseded(late),
        })
    }

    /// Takes a question that was decided about. Where that does not succeed nothing is decided.
    async fn take_question(&self, id: &str) -> Result<(), ConfirmError> {
        let scope = self.lock().memory.scope.clone();
        let error = match self.core.store.take_confirmation(id, self.now(), &scope).await {
            Ok(Taken::Pending(_) | Taken::Expired(_)) => return Ok(()),
            Ok(Taken::Unknown) => ConfirmError::Unknown,
            Err(error) => error.into(),
        };
        self.reopen(id);
        Err(error)
    }

    /// Closes a question whose time is over, or that the person took back.
    async fn close_by_id(
        self: &Arc<Self>,
        id: &str,
        how: ConfirmationOutcome,
    ) -> Result<Resolution, ConfirmError> {
        let _deciding = self.deciding.clone().lock_owned().await;
        let pending = self.pending(id).await?.ok_or(ConfirmError::Unknown)?;
        self.decline(&pending, how).await
    }

    /// What an answer is told that came after another decision.
    async fn decided_meanwhile(
        self: &Arc<Self>,
        id: &str,
        approve: bool,
    ) -> Result<Resolution, ConfirmError> {
        let decided = self.lock().memory.questions.decision(id).cloned();
        self.earlier_resolution(decided.ok_or(ConfirmError::Unknown)?, approve).await
    }

    /// An answer that asks for what was decided gets what that led to; another one is told that it
    /// comes too late.
    async fn earlier_resolution(
        self: &Arc<Self>,
        decided: ResolvedConfirmation,
        approve: bool,
    ) -> Result<Resolution, ConfirmError> {
        let resolution: fn(Vec<LateAnswer>) -> Resolution = match (decided.how, approve) {
            (ConfirmationOutcome::Approved, true) => Resolution::Approved,
            (ConfirmationOutcome::Declined, false) => Resolution::Declined,
            (ConfirmationOutcome::Expired, _) => Resolution::Expired,
            (how, _) => return Err(ConfirmError::Decided(how)),
        };
        let how = decided.how;
        let late = self.late_answer(decided).await?.ok_or(ConfirmError::Decided(how))?;
        Ok(Resolution::Known(Box::new(resolution(vec![late]))))
    }

    /// What a decision led to; a call that runs is waited for. `None` if the ledger has nothing of it.
    async fn late_answer(
        &self,
        decided: ResolvedConfirmation,
    ) -> Result<Option<LateAnswer>, ConfirmError> {
        let Some(known) = self.core.store.lookup(&self.id, &decided.key)? else { return Ok(None) };
        let ResolvedConfirmation { id, call_id, tool_id, key, .. } = decided;
        let call = ToolCall { call_id: call_id.clone(), tool_id, args: Arguments::default() };
        let held = WaitingCall { call, key, given: None };
        let candidate =
            self.candidate(held, &id, CallOrigin::Approved, 0).ok_or(ConfirmError::Unknown)?;
        let answer = self.replay(&candidate.call, known).await;
        Ok(Some(LateAnswer { call_id, answer }))
    }

    /// What the person's answer to a question has led to, whichever channel it came through.
    pub(crate) async fn answered(&self, token: &str) -> Option<LateAnswer> {
        let id = token::id_of(token)?;
        let decided = self.lock().memory.questions.decision(id).cloned()?;
        match decided.token == token && decided.how != ConfirmationOutcome::Superseded {
            true => self.late_answer(decided).await.ok().flatten(),
            false => None,
        }
    }

    fn reopen(&self, id: &str) {
        let mut inner = self.lock();
        inner.memory.questions.reopen(id);
        self.save(&mut inner);
    }

    /// The call that waited, recorded under an id of its own and known by the key it always had, so
    /// that the model's call, delivered once more, finds it.
    pub(crate) fn candidate(
        &self,
        held: WaitingCall,
        id: &str,
        origin: CallOrigin,
        n: usize,
    ) -> Option<CandidateCall> {
        let approved = key::approved(id);
        let call_id = if n == 0 { approved } else { key::below(&approved, n) };
        let WaitingCall { call: ToolCall { call_id: model_id, tool_id, args }, key, given } = held;
        let call = ToolCall { call_id: CallId::new(call_id).ok()?, tool_id, args };
        let candidate =
            CandidateCall::new(call, &self.toolset).keyed(key.into(), origin).given(given);
        Some(candidate.made_as(model_id))
    }

    /// Tells the calls that waited for a question that nobody approved it.
    async fn denied(
        self: &Arc<Self>,
        pending: &Pending,
        how: ConfirmationOutcome,
    ) -> Result<Vec<LateAnswer>, ConfirmError> {
        let [why, why_with] = match how {
            ConfirmationOutcome::Approved | ConfirmationOutcome::Declined => {
                [DECLINED, DECLINED_WITH]
            }
            ConfirmationOutcome::Expired => [EXPIRED, EXPIRED_WITH],
            ConfirmationOutcome::Superseded => [RETRACTED, RETRACTED_WITH],
        };
        let outcome = match how {
            ConfirmationOutcome::Superseded => Outcome::Superseded,
            ConfirmationOutcome::Approved
            | ConfirmationOutcome::Declined
            | ConfirmationOutcome::Expired => Outcome::Denied,
        };
        let StoredConfirmation { asked, siblings, .. } = waiting(pending)?;
        self.close(&pending.token, how);
        let mut late = Vec::new();
        for (n, held) in std::iter::once(asked).chain(siblings).enumerate() {
            let why = if n == 0 { why } else { why_with };
            let call_id = held.call.call_id.clone();
            if let Some(candidate) = self.candidate(held, &pending.token, CallOrigin::Approved, n) {
                let answer = self.deny(candidate, why, outcome.clone()).await;
                late.push(LateAnswer { call_id, answer });
            }
        }
        Ok(late)
    }

    async fn deny(
        &self,
        candidate: CandidateCall,
        why: &str,
        outcome: Outcome,
    ) -> Arc<ToolResponse> {
        let failure = Failure::new(ErrorType::Denied, why);
        let answer = Arc::new(failed(failure, self.stamp(&candidate.call)));
        let args = Arc::new(candidate.shown_args().clone());
        let start = {
            let mut inner = self.lock();
            inner.memory.deferred.forget(&candidate.call.key);
            self.start(&candidate.call, args, &inner, self.now())
        };
        let recorded = self.core.store.refuse(start, outcome.clone(), answer.clone());
        // Durable, like what a write is answered; a record that cannot be written now is written
        // when it can.
        let _ = recorded.await;
        self.publish_answered(candidate.call.entry.as_deref(), outcome, &answer);
        answer
    }

    /// Keeps what was decided about a question, before anything is done because of it: the store
    /// takes changes in their order. `false` if it was decided before.
    fn keep_decision(
        &self,
        inner: &mut Locked,
        pending: &Pending,
        how: ConfirmationOutcome,
    ) -> Result<bool, ConfirmError> {
        let StoredConfirmation { asked, token, .. } = waiting(pending)?;
        let decided = ResolvedConfirmation::new((&pending.token, &token), &asked, how);
        let is_first = inner.memory.questions.decide(decided);
        if is_first {
            self.save(inner);
        }
        Ok(is_first)
    }

    /// The question is approved. The calls that waited do so no longer: delivered again, they are not
    /// told to wait.
    fn settle_question(&self, id: &str, waiting: &StoredConfirmation) {
        let forget = |held: &WaitingCall| self.lock().memory.deferred.forget(&held.key);
        waiting.calls().for_each(forget);
        self.close(id, ConfirmationOutcome::Approved);
    }

    /// Takes a question off the list.
    fn close(&self, id: &str, how: ConfirmationOutcome) {
        self.lock().memory.questions.remove(id);
        self.publish(|| ConversationEvent::ConfirmationClosed { token_id: id.to_owned(), how });
    }
}

fn waiting(pending: &Pending) -> Result<StoredConfirmation, ConfirmError> {
    StoredConfirmation::deserialize(&*pending.body).map_err(|_| ConfirmError::Forged)
}
