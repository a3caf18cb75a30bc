//! The person's answer to a question: by a click, over HTTP or by speech, and
//! never by the model.

use std::fmt;
use std::sync::Arc;

use aileron_contract::envelope::Failure;
use aileron_contract::{
    CallId, ContentHash, ErrorType, Mode, Outcome, ToolCall, ToolResponse, UserId,
};
use aileron_runtime::envelope::failed;
use aileron_store::{Pending, StoreError, Taken};
use serde::Deserialize;

use crate::answered::Became;
use crate::conversation::{Input, Memory, Shared};
use crate::draft::{Draft, Origin};
use crate::event::{Closed, Event};
use crate::key;
use crate::question::{Ear, Made, Waiting};
use crate::speech::Verdict;
use crate::token;

/// What an answer led to.
#[derive(Debug, Clone, PartialEq)]
pub enum Resolution {
    /// The call was made, and then those that had waited for it. Their answers are for the model.
    Approved { answers: Vec<Arc<ToolResponse>> },
    /// `DENIED`, for the call and for those that had waited for it.
    Declined { answers: Vec<Arc<ToolResponse>> },
    /// The answer came too late: `DENIED`.
    Expired { answers: Vec<Arc<ToolResponse>> },
    /// The person was not understood and is asked once more.
    AskAgain { preview: String },
}

/// Why an answer does not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfirmError {
    /// Not a token, or not one that was made for this call.
    Forged,
    /// Someone else's question.
    NotYours,
    /// There is no such question, or it was answered before.
    Unknown,
    Store(StoreError),
}

impl fmt::Display for ConfirmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Forged => f.write_str("the confirmation token was not made for this call"),
            Self::NotYours => f.write_str("only the person of this conversation may answer"),
            Self::Unknown => f.write_str(
                "there is no such question in this conversation; it was answered or withdrawn",
            ),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ConfirmError {}

/// What the person's words say about the question that waits for them.
#[derive(Debug)]
pub(crate) enum Heard {
    Answer { id: String, approve: bool },
    Unclear { preview: String },
}

const DECLINED: &str = "the person said no";
const EXPIRED: &str = "the person did not answer in time";
const DECLINED_WITH: &str = "the person said no to another call of the same message";
const EXPIRED_WITH: &str = "the person did not answer in time about another call of the message";

/// A moment before all questions expire: whoever answers late is told so.
const EXPIRED_TOO: u64 = 0;

impl Shared {
    /// Matches an utterance with the question that waits for it. Only one that began after the
    /// question was put is an answer to it.
    pub(crate) fn hear(&self, memory: &mut Memory, input: &Input) -> Option<Heard> {
        let Input::Spoken { text, began_ms } = input else { return None };
        if self.mode != Mode::Voice {
            return None;
        }
        let question = memory.questions.listening(self.now())?;
        if *began_ms < question.asked_ms {
            return None;
        }
        let answer = |approve| Some(Heard::Answer { id: question.id.clone(), approve });
        match self.core.grammar.hear(text) {
            Verdict::Yes => answer(true),
            Verdict::No => answer(false),
            Verdict::Unclear if question.ear == Ear::Open => {
                question.ear = Ear::OpenAgain;
                Some(Heard::Unclear { preview: question.preview.clone() })
            }
            Verdict::Unclear => {
                question.ear = Ear::Closed;
                None
            }
        }
    }

    /// Acts on what was heard.
    pub(crate) async fn resolve_heard(self: Arc<Self>, heard: Heard) -> Option<Resolution> {
        match heard {
            Heard::Unclear { preview } => {
                self.tell(|| Event::ConfirmationRepeated { preview: preview.clone() });
                Some(Resolution::AskAgain { preview })
            }
            Heard::Answer { id, approve } => self.take(&id, approve).await.ok(),
        }
    }

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
        let pending = self.core.store.confirmations(&self.id, EXPIRED_TOO).await;
        let pending = pending.map_err(ConfirmError::Store)?;
        match pending.iter().find(|pending| pending.token == id) {
            Some(pending) => {
                self.verify(token, pending)?;
                self.take(id, approve).await
            }
            None => self.answered_before(id).await,
        }
    }

    /// A token is good for exactly what it was made for.
    fn verify(&self, token: &str, pending: &Pending) -> Result<(), ConfirmError> {
        let waiting = Waiting::deserialize(&*pending.body).map_err(|_| ConfirmError::Forged)?;
        let draft = Draft::new(waiting.made.call, &self.toolset);
        let (Some(entry), Ok(args)) = (&draft.entry, &draft.args) else {
            return Err(ConfirmError::Forged);
        };
        let hash = ContentHash::of_value(args);
        let binding = self.binding(&pending.token, entry, &hash, pending.expires);
        self.core.signer.verify(token, &binding).map_err(|_| ConfirmError::Forged)
    }

    /// Takes the question; of all who answer, one gets it.
    async fn take(self: &Arc<Self>, id: &str, approve: bool) -> Result<Resolution, ConfirmError> {
        let taken = self.core.store.take_confirmation(id, self.now()).await;
        self.lock().memory.questions.remove(id);
        match taken.map_err(ConfirmError::Store)? {
            Taken::Pending(pending) if approve => self.approved(&pending).await,
            Taken::Pending(pending) => {
                let answers = self.denied(&pending, Closed::Declined).await?;
                Ok(Resolution::Declined { answers })
            }
            Taken::Expired(pending) => {
                let answers = self.denied(&pending, Closed::Expired).await?;
                Ok(Resolution::Expired { answers })
            }
            Taken::Unknown => self.answered_before(id).await,
        }
    }

    /// Whoever answers second gets what the first answer led to.
    async fn answered_before(self: &Arc<Self>, id: &str) -> Result<Resolution, ConfirmError> {
        let key = key::approved(id);
        let known = self.core.store.lookup(&self.id, &key).map_err(ConfirmError::Store)?;
        let (Some(known), Ok(call_id)) = (known, CallId::new(&*key)) else {
            return Err(ConfirmError::Unknown);
        };
        let call = ToolCall { call_id, tool_id: String::new(), args: Default::default() };
        let draft = Draft::new(call, &self.toolset).keyed(key.into(), Origin::Approved);
        let answer = self.replay(draft, known).await;
        Ok(Resolution::Approved { answers: vec![answer] })
    }

    /// Makes the call the person approved, then those that waited for it. Every gate is passed again.
    async fn approved(self: &Arc<Self>, pending: &Pending) -> Result<Resolution, ConfirmError> {
        let waiting = Waiting::deserialize(&*pending.body).map_err(|_| ConfirmError::Forged)?;
        self.close(&pending.token, Closed::Approved);
        self.remember(&waiting, |n| Became::Call(key_of(&pending.token, n)));
        let call = self.draft(waiting.made, &pending.token, Origin::Approved, 0);
        let mut answers = self.admit_drafts(call.into_iter().collect()).run(self.clone()).await;
        let siblings = waiting.siblings.into_iter().enumerate();
        let released = siblings
            .filter_map(|(n, made)| self.draft(made, &pending.token, Origin::Released, n + 1));
        let released: Vec<_> = released.collect();
        if !released.is_empty() {
            answers.extend(self.admit_drafts(released).run(self.clone()).await);
        }
        Ok(Resolution::Approved { answers })
    }

    /// Keeps what becomes of the calls that waited, so that one delivered again is not made again.
    /// The store has it before the calls, which come after it in its order.
    fn remember(&self, waiting: &Waiting, became: impl Fn(usize) -> Became) {
        let mut inner = self.lock();
        for (n, made) in waiting.calls().enumerate() {
            inner.memory.answered.push(&made.key, became(n));
        }
        self.save(&mut inner);
    }

    fn draft(&self, made: Made, id: &str, origin: Origin, n: usize) -> Option<Draft> {
        let key = key_of(id, n);
        let call = ToolCall { call_id: CallId::new(&*key).ok()?, ..made.call };
        Some(Draft::new(call, &self.toolset).keyed(key.into(), origin))
    }

    async fn denied(
        self: &Arc<Self>,
        pending: &Pending,
        how: Closed,
    ) -> Result<Vec<Arc<ToolResponse>>, ConfirmError> {
        let waiting = Waiting::deserialize(&*pending.body).map_err(|_| ConfirmError::Forged)?;
        self.close(&pending.token, how);
        self.remember(&waiting, |_| Became::Denied);
        let (why, why_with) = match how {
            Closed::Expired => (EXPIRED, EXPIRED_WITH),
            Closed::Approved | Closed::Declined | Closed::Superseded => (DECLINED, DECLINED_WITH),
        };
        let mut answers = Vec::new();
        for (n, made) in waiting.calls().cloned().enumerate() {
            let why = if n == 0 { why } else { why_with };
            if let Some(draft) = self.draft(made, &pending.token, Origin::Approved, n) {
                answers.push(self.deny(draft, why).await);
            }
        }
        Ok(answers)
    }

    async fn deny(&self, mut draft: Draft, why: &str) -> Arc<ToolResponse> {
        let answer = Arc::new(failed(Failure::new(ErrorType::Denied, why), self.stamp(&draft)));
        let start = Arc::new(self.start_of(&mut draft, &self.lock(), self.now()));
        let recorded = self.core.store.record_refusal(start, Outcome::Denied, answer.clone());
        self.tell_answered(draft.entry.as_deref(), Outcome::Denied, &answer);
        // A record that cannot be written now is written when it can.
        let _ = recorded.await;
        answer
    }

    fn close(&self, id: &str, how: Closed) {
        self.tell(|| Event::ConfirmationClosed { token_id: id.to_owned(), how });
    }
}

/// What the n-th call that waited for a question is known by, the question's own being the first.
fn key_of(question: &str, n: usize) -> String {
    let approved = key::approved(question);
    if n == 0 { approved } else { key::below(&approved, n) }
}
