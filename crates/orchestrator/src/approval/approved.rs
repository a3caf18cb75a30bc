//! An approval: the call goes through every gate again and is made, then those that waited for it.

use std::sync::Arc;

use aileron_contract::ToolResponse;
use aileron_contract::envelope::Failure;
use aileron_store::{Begun, Commit, Confirmed, Counter, Pending, StoreError};

use super::{ConfirmError, Deciding, LateAnswer, Resolution, waiting};
use crate::admit::{Admitted, Entered, Reconsidered};
use crate::candidate::{CallOrigin, CandidateCall};
use crate::conversation::{ConversationCore, Locked};
use crate::event::ConfirmationOutcome;
use crate::history::CallEnd;
use crate::judge::Reservation;
use crate::policy::Finality;
use crate::question::{StoredConfirmation, WaitingCall};

/// What came of a call that the person approved.
enum ApprovalResult {
    /// It was made, or refused, because of this answer of theirs.
    Here(Arc<ToolResponse>),
    /// Another answer decided.
    Otherwise(Resolution),
}

impl ConversationCore {
    /// Makes the call the person approved, then those that waited for it. Every gate is passed again;
    /// the question is taken as the call begins, or as it is refused.
    pub(super) async fn approved(
        self: &Arc<Self>,
        pending: &Pending,
        deciding: Deciding,
    ) -> Result<Resolution, ConfirmError> {
        let waiting = waiting(pending)?;
        let answer = match self.make_approved(pending, &waiting, deciding).await? {
            ApprovalResult::Here(answer) => answer,
            ApprovalResult::Otherwise(resolution) => return Ok(resolution),
        };
        let call_id = waiting.asked.call.call_id;
        let mut late = vec![LateAnswer { call_id, answer }];
        let siblings = waiting.siblings.into_iter().enumerate();
        let siblings: Vec<_> = siblings.map(|(n, held)| (n + 1, held)).collect();
        late.extend(self.make(&pending.token, siblings, CallOrigin::Released).await);
        Ok(Resolution::Approved(late))
    }

    async fn make_approved(
        self: &Arc<Self>,
        pending: &Pending,
        waiting: &StoredConfirmation,
        deciding: Deciding,
    ) -> Result<ApprovalResult, ConfirmError> {
        let id = &*pending.token;
        let candidate = self.candidate(waiting.asked.clone(), id, CallOrigin::Approved, 0);
        let candidate = candidate.ok_or(ConfirmError::Forged)?;
        let decide = |inner: &mut Locked| {
            self.keep_decision(inner, pending, ConfirmationOutcome::Approved).unwrap_or(false)
        };
        match self.reconsider(candidate, id, decide) {
            Reconsidered::Entered(entered, digest, counter) => {
                let entered = (*entered, counter);
                self.run_approved(pending, waiting, entered, digest, deciding).await
            }
            Reconsidered::Decided => {
                drop(deciding);
                self.decided_meanwhile(id, true).await.map(ApprovalResult::Otherwise)
            }
            // The same call was made because of another question, so nothing is left to approve.
            Reconsidered::Known(call, known) => {
                drop(self.decline(pending, ConfirmationOutcome::Superseded).await?);
                drop(deciding);
                let (call_id, answer) =
                    (waiting.asked.call.call_id.clone(), self.replay(&call, known).await);
                let late = vec![LateAnswer { call_id, answer }];
                let known = Resolution::Known(Box::new(Resolution::Approved(late)));
                Ok(ApprovalResult::Otherwise(known))
            }
            Reconsidered::Refused { candidate, by, failure } => {
                self.refuse_approved(pending, waiting, *candidate, (by, *failure)).await
            }
        }
    }

    /// Runs the call once it is its turn and it has begun. Other answers wait until then if nothing
    /// else runs; behind a call that does they are told of the decision, and this one is waited for.
    async fn run_approved(
        self: &Arc<Self>,
        pending: &Pending,
        waiting: &StoredConfirmation,
        (entered, counter): (Entered<Confirmed>, Option<Box<Counter>>),
        digest: u64,
        deciding: Deciding,
    ) -> Result<ApprovalResult, ConfirmError> {
        let Entered { invocation, start, begun, seat } = entered;
        let (alone, deciding) = match self.try_alone(&invocation) {
            Some(alone) => (alone, Some(deciding)),
            None => {
                drop(deciding);
                (self.alone(&invocation).await, None)
            }
        };
        let begun = match begun.await {
            Ok(Confirmed::Begun(begun @ Begun::Started(_))) => Commit::ready(Ok(begun)),
            not => {
                drop(seat);
                return self.not_begun(pending, not).await.map(ApprovalResult::Otherwise);
            }
        };
        self.settle_question(&pending.token, waiting);
        drop(deciding);
        let what = (&*invocation.call.tool_id, digest);
        let place = self.lock().memory.history.push(what, None, CallEnd::Running);
        let entered = Entered { invocation, start, begun, seat };
        let count = |counter: Box<Counter>| self.core.store.count_call(&counter, self.now());
        let share = Reservation { place, counted: counter.map(count).map(Box::new) };
        Ok(ApprovalResult::Here(self.run_alone(Admitted { entered, share }, alone).await))
    }

    /// A gate has closed since the person was asked. The question is answered all the same.
    async fn refuse_approved(
        self: &Arc<Self>,
        pending: &Pending,
        waiting: &StoredConfirmation,
        candidate: CandidateCall,
        (by, failure): (&'static str, Failure),
    ) -> Result<ApprovalResult, ConfirmError> {
        let id = &*pending.token;
        if !self.keep_decision(&mut self.lock(), pending, ConfirmationOutcome::Approved)? {
            return self.decided_meanwhile(id, true).await.map(ApprovalResult::Otherwise);
        }
        self.take_question(id).await?;
        self.settle_question(id, waiting);
        let why = (failure, Finality::Final);
        let answered = self.refuse(candidate, by, why, &mut self.lock(), self.now());
        Ok(ApprovalResult::Here(answered.told().await))
    }

    /// The call of an approved question did not begin: it is too late, another process has the
    /// question, or nothing can be written. Nothing is decided here.
    async fn not_begun(
        self: &Arc<Self>,
        pending: &Pending,
        why: Result<Confirmed, StoreError>,
    ) -> Result<Resolution, ConfirmError> {
        self.reopen(&pending.token);
        match why {
            Ok(Confirmed::Expired(pending)) => {
                self.keep_decision(&mut self.lock(), &pending, ConfirmationOutcome::Expired)?;
                Ok(Resolution::Expired(self.denied(&pending, ConfirmationOutcome::Expired).await?))
            }
            Ok(Confirmed::Begun(_) | Confirmed::Unknown) => Err(ConfirmError::Unknown),
            Err(error) => Err(error.into()),
        }
    }

    async fn make(
        self: &Arc<Self>,
        id: &str,
        calls: Vec<(usize, WaitingCall)>,
        origin: CallOrigin,
    ) -> Vec<LateAnswer> {
        let ids: Vec<_> = calls.iter().map(|(_, held)| held.call.call_id.clone()).collect();
        let candidates =
            calls.into_iter().filter_map(|(n, held)| self.candidate(held, id, origin, n));
        let answers = self.admit_drafts(candidates.collect()).run(self.clone()).await;
        let late = |(call_id, answer)| LateAnswer { call_id, answer };
        ids.into_iter().zip(answers).map(late).collect()
    }
}
