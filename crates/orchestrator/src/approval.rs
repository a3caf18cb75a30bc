//! The person's answer to a question: by a click, over HTTP or by speech, and
//! never by the model.

mod error;
mod heard;

use std::sync::Arc;

use aileron_contract::envelope::Failure;
use aileron_contract::{
    Arguments, CallId, ContentHash, ErrorType, Outcome, ToolCall, ToolResponse, UserId,
};
use aileron_runtime::envelope::failed;
use aileron_store::{Begun, Commit, Confirmed, Pending, StoreError, Taken};
use serde::Deserialize;

pub use self::error::ConfirmError;
pub(crate) use self::heard::Heard;
use crate::admit::{Admitted, Entered, Reconsidered};
use crate::conversation::{Inner, Shared};
use crate::draft::{Draft, Origin};
use crate::event::{Closed, Event};
use crate::history::Ended;
use crate::judge::Share;
use crate::key;
use crate::question::{Decided, Held, Waiting};
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

/// What came of a call that the person approved.
enum Made {
    /// It was made, or refused, because of this answer of theirs.
    Here(Arc<ToolResponse>),
    /// Another answer decided.
    Otherwise(Resolution),
}

const DECLINED: &str = "the person said no";
const EXPIRED: &str = "the person did not answer in time";
const DECLINED_WITH: &str = "the person said no to another call of the same message";
const EXPIRED_WITH: &str = "the person did not answer in time about another call of the message";

/// A moment before all questions expire: whoever answers late is told so.
pub(crate) const EXPIRED_TOO: u64 = 0;

impl Shared {
    /// Acts on a token that came through the person's channel.
    pub(crate) async fn confirm(
        self: &Arc<Self>,
        token: &str,
        approve: bool,
        by: Option<&UserId>,
    ) -> Result<Resolution, ConfirmError> {
        if by != self.person.id.as_ref() {
            return Err(ConfirmError::NotYours);
        }
        let id = token::id_of(token).ok_or(ConfirmError::Forged)?;
        let pending = self.core.store.confirmations(&self.id, EXPIRED_TOO).await?;
        match pending.iter().find(|pending| pending.token == id) {
            Some(pending) => {
                self.verify(token, pending)?;
                self.answer_question(pending, approve).await
            }
            None => self.answered_before(id).await,
        }
    }

    /// Acts on what the person said about a question.
    async fn answer_by_id(
        self: &Arc<Self>,
        id: &str,
        approve: bool,
    ) -> Result<Resolution, ConfirmError> {
        let pending = self.core.store.confirmations(&self.id, EXPIRED_TOO).await?;
        match pending.iter().find(|pending| pending.token == id) {
            Some(pending) => self.answer_question(pending, approve).await,
            None => self.answered_before(id).await,
        }
    }

    async fn answer_question(
        self: &Arc<Self>,
        pending: &Pending,
        approve: bool,
    ) -> Result<Resolution, ConfirmError> {
        match approve && pending.expires > self.now() {
            true => self.approved(pending).await,
            false => self.decline(&pending.token).await,
        }
    }

    /// A token is good for exactly what it was made for.
    fn verify(&self, token: &str, pending: &Pending) -> Result<(), ConfirmError> {
        let waiting = waiting(pending)?;
        let draft = Draft::new(waiting.asked.call, &self.toolset);
        let (Some(entry), Ok(args)) = (draft.entry(), &draft.args) else {
            return Err(ConfirmError::Forged);
        };
        let hash = ContentHash::of_value(args);
        let binding = self.binding(&pending.token, entry, &hash, pending.expires);
        self.core.signer.verify(token, &binding).map_err(|_| ConfirmError::Forged)
    }

    /// Takes a question that nobody approves; of all who answer, one gets it.
    async fn decline(self: &Arc<Self>, id: &str) -> Result<Resolution, ConfirmError> {
        match self.core.store.take_confirmation(id, self.now()).await? {
            Taken::Pending(pending) => {
                let late =
                    self.denied(&pending, Closed::Declined, [DECLINED, DECLINED_WITH]).await?;
                Ok(Resolution::Declined(late))
            }
            Taken::Expired(pending) => self.expired(&pending).await,
            Taken::Unknown => self.answered_before(id).await,
        }
    }

    async fn expired(self: &Arc<Self>, pending: &Pending) -> Result<Resolution, ConfirmError> {
        let late = self.denied(pending, Closed::Expired, [EXPIRED, EXPIRED_WITH]).await?;
        Ok(Resolution::Expired(late))
    }

    /// Whoever approves second gets what the first approval led to.
    async fn answered_before(self: &Arc<Self>, id: &str) -> Result<Resolution, ConfirmError> {
        let approved = self.lock().memory.questions.approved(id).cloned();
        let Decided { call_id, tool_id, key, .. } = approved.ok_or(ConfirmError::Unknown)?;
        let call = ToolCall { call_id, tool_id, args: Arguments::default() };
        self.approved_before(id, Held { call, key }).await
    }

    /// What came of a call that was approved.
    async fn approved_before(
        self: &Arc<Self>,
        id: &str,
        held: Held,
    ) -> Result<Resolution, ConfirmError> {
        let known = self.core.store.lookup(&self.id, &held.key)?.ok_or(ConfirmError::Unknown)?;
        let call_id = held.call.call_id.clone();
        let draft = self.draft(held, id, Origin::Approved, 0).ok_or(ConfirmError::Unknown)?;
        let answer = self.replay(&draft.call, known).await;
        Ok(Resolution::Approved(vec![LateAnswer { call_id, answer }]))
    }

    /// Makes the call the person approved, then those that waited for it. Every gate is passed again;
    /// the question is taken as the call begins, or as it is refused.
    async fn approved(self: &Arc<Self>, pending: &Pending) -> Result<Resolution, ConfirmError> {
        let waiting = waiting(pending)?;
        let answer = match self.make_approved(pending, &waiting).await? {
            Made::Here(answer) => answer,
            Made::Otherwise(resolution) => return Ok(resolution),
        };
        let call_id = waiting.asked.call.call_id;
        let mut late = vec![LateAnswer { call_id, answer }];
        let siblings = waiting.siblings.into_iter().enumerate();
        let siblings: Vec<_> = siblings.map(|(n, held)| (n + 1, held)).collect();
        late.extend(self.make(&pending.token, siblings, Origin::Released).await);
        Ok(Resolution::Approved(late))
    }

    async fn make_approved(
        self: &Arc<Self>,
        pending: &Pending,
        waiting: &Waiting,
    ) -> Result<Made, ConfirmError> {
        let id = &*pending.token;
        let draft = self.draft(waiting.asked.clone(), id, Origin::Approved, 0);
        let draft = draft.ok_or(ConfirmError::Forged)?;
        let decided = |inner: &mut Inner| self.keep_decision(inner, id, waiting.calls(), None);
        match self.reconsider(draft, id, decided) {
            Reconsidered::Entered(entered, digest) => {
                self.run_approved(pending, waiting, *entered, digest).await
            }
            Reconsidered::Known(call, known) => {
                let (call_id, answer) =
                    (waiting.asked.call.call_id.clone(), self.replay(&call, known).await);
                let late = vec![LateAnswer { call_id, answer }];
                Ok(Made::Otherwise(Resolution::Approved(late)))
            }
            Reconsidered::Refused { draft, by, failure } => {
                self.refuse_approved(pending, waiting, *draft, (by, *failure)).await
            }
        }
    }

    async fn run_approved(
        self: &Arc<Self>,
        pending: &Pending,
        waiting: &Waiting,
        entered: Entered<Confirmed>,
        digest: u64,
    ) -> Result<Made, ConfirmError> {
        let Entered { invocation, start, begun, seat } = entered;
        let begun = match begun.await {
            Ok(Confirmed::Begun(begun @ Begun::Started(_))) => Commit::ready(Ok(begun)),
            not => {
                drop(seat);
                let held = waiting.asked.clone();
                return self.not_begun(pending, held, not).await.map(Made::Otherwise);
            }
        };
        self.settle_question(&pending.token, waiting);
        let what = (&*invocation.call.tool_id, digest);
        let place = self.lock().memory.history.push(what, None, Ended::Running);
        let entered = Entered { invocation, start, begun, seat };
        // It was counted when it was made.
        let share = Share { place, counted: None };
        Ok(Made::Here(self.run(Admitted { entered, share }).await))
    }

    /// A gate has closed since the person was asked. The question is answered all the same.
    async fn refuse_approved(
        self: &Arc<Self>,
        pending: &Pending,
        waiting: &Waiting,
        draft: Draft,
        (by, failure): (&'static str, Failure),
    ) -> Result<Made, ConfirmError> {
        let id = &*pending.token;
        match self.core.store.take_confirmation(id, self.now()).await? {
            Taken::Pending(_) => {}
            Taken::Expired(pending) => return self.expired(&pending).await.map(Made::Otherwise),
            Taken::Unknown => {
                let held = waiting.asked.clone();
                return self.approved_before(id, held).await.map(Made::Otherwise);
            }
        }
        self.keep_decision(&mut self.lock(), id, waiting.calls(), None);
        self.settle_question(id, waiting);
        let answered = self.refuse(draft, by, failure, &mut self.lock(), self.now());
        // A record that cannot be written now is written when it can.
        let _ = answered.recorded.await;
        Ok(Made::Here(answered.answer))
    }

    /// The call of an approved question did not begin: others were faster, it is too late, or
    /// nothing can be written. Unless the call was made elsewhere, nothing is decided.
    async fn not_begun(
        self: &Arc<Self>,
        pending: &Pending,
        asked: Held,
        why: Result<Confirmed, StoreError>,
    ) -> Result<Resolution, ConfirmError> {
        let id = &*pending.token;
        if let Ok(Confirmed::Begun(_) | Confirmed::Unknown) = why
            && let found @ Ok(_) = self.approved_before(id, asked).await
        {
            return found;
        }
        self.undecide(id);
        match why {
            Ok(Confirmed::Expired(pending)) => self.expired(&pending).await,
            Ok(Confirmed::Begun(_) | Confirmed::Unknown) => Err(ConfirmError::Unknown),
            Err(error) => Err(error.into()),
        }
    }

    fn undecide(&self, id: &str) {
        let mut inner = self.lock();
        inner.memory.questions.undecide(id);
        self.save(&mut inner);
    }

    async fn make(
        self: &Arc<Self>,
        id: &str,
        calls: Vec<(usize, Held)>,
        origin: Origin,
    ) -> Vec<LateAnswer> {
        let ids: Vec<_> = calls.iter().map(|(_, held)| held.call.call_id.clone()).collect();
        let drafts = calls.into_iter().filter_map(|(n, held)| self.draft(held, id, origin, n));
        let answers = self.admit_drafts(drafts.collect()).run(self.clone()).await;
        let late = |(call_id, answer)| LateAnswer { call_id, answer };
        ids.into_iter().zip(answers).map(late).collect()
    }

    /// The call that waited, recorded under an id of its own and known by the key it always had, so
    /// that the model's call, delivered once more, finds it.
    pub(crate) fn draft(&self, held: Held, id: &str, origin: Origin, n: usize) -> Option<Draft> {
        let approved = key::approved(id);
        let call_id = if n == 0 { approved } else { key::below(&approved, n) };
        let Held { call: ToolCall { call_id: model_id, tool_id, args }, key } = held;
        let call = ToolCall { call_id: CallId::new(call_id).ok()?, tool_id, args };
        Some(Draft::new(call, &self.toolset).keyed(key.into(), origin).made_as(model_id))
    }

    async fn denied(
        self: &Arc<Self>,
        pending: &Pending,
        how: Closed,
        [why, why_with]: [&str; 2],
    ) -> Result<Vec<LateAnswer>, ConfirmError> {
        let Waiting { asked, siblings, .. } = waiting(pending)?;
        {
            let mut inner = self.lock();
            self.keep_decision(&mut inner, &pending.token, [&asked].into_iter(), Some(why));
            self.keep_decision(&mut inner, &pending.token, siblings.iter(), Some(why_with));
        }
        self.close(&pending.token, how);
        let mut late = Vec::new();
        for (n, held) in std::iter::once(asked).chain(siblings).enumerate() {
            let why = if n == 0 { why } else { why_with };
            let call_id = held.call.call_id.clone();
            if let Some(draft) = self.draft(held, &pending.token, Origin::Approved, n) {
                late.push(LateAnswer { call_id, answer: self.deny(draft, why).await });
            }
        }
        Ok(late)
    }

    async fn deny(&self, draft: Draft, why: &str) -> Arc<ToolResponse> {
        let failure = Failure::new(ErrorType::Denied, why);
        let answer = Arc::new(failed(failure, self.stamp(&draft.call)));
        let args = Arc::new(draft.shown_args().clone());
        let start = {
            let mut inner = self.lock();
            inner.memory.refused.keep_persons(&draft.call.key, &answer);
            self.start(&draft.call, args, &inner, self.now())
        };
        let recorded = self.core.store.record_refusal(start, Outcome::Denied, answer.clone());
        // Durable, like what a write is answered; a record that cannot be written now is written
        // when it can.
        let _ = recorded.await;
        self.tell_answered(draft.call.entry.as_deref(), Outcome::Denied, &answer);
        answer
    }

    /// Keeps what was decided about calls that waited, before any of them is made: the store takes
    /// changes in their order.
    fn keep_decision<'a>(
        &self,
        inner: &mut Inner,
        id: &str,
        calls: impl Iterator<Item = &'a Held>,
        denied: Option<&str>,
    ) {
        for held in calls {
            inner.memory.questions.decide(Decided::new(id, held, denied));
        }
        self.save(inner);
    }

    /// The question is approved. The calls that waited do so no longer: delivered again, they are not
    /// told to wait.
    fn settle_question(&self, id: &str, waiting: &Waiting) {
        let forget = |held: &Held| self.lock().memory.refused.forget(&held.key);
        waiting.calls().for_each(forget);
        self.close(id, Closed::Approved);
    }

    /// Takes a question off the list.
    fn close(&self, id: &str, how: Closed) {
        self.lock().memory.questions.remove(id);
        self.tell(|| Event::ConfirmationClosed { token_id: id.to_owned(), how });
    }
}

fn waiting(pending: &Pending) -> Result<Waiting, ConfirmError> {
    Waiting::deserialize(&*pending.body).map_err(|_| ConfirmError::Forged)
}
