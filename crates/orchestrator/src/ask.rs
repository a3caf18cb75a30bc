//! Asking the person: a signed question, kept until it is answered or expires.

mod describe;
mod remember;

use std::sync::Arc;

use aileron_contract::envelope::{Clamp, ConfirmationRequest, Failure};
use aileron_contract::{ContentHash, ErrorType, Mode, Outcome, ToolResponse};
use aileron_runtime::envelope::{Stamp, failed};
use aileron_store::{Answering, CallStart, Commit, Pending, Running, Taken};
use serde_json::json;

use crate::admit::{Admission, Answered};
use crate::call_identity::CallIdentity;
use crate::candidate::{CallOrigin, CandidateCall};
use crate::conversation::{ConversationCore, Locked};
use crate::event::{ConfirmationOutcome, ConversationEvent};
use crate::history::CallEnd;
use crate::judge::Reservation;
use crate::policy::Finality;
use crate::question::{
    OpenConfirmation, ResolvedConfirmation, SpokenAnswer, StoredConfirmation, WaitingCall,
};
use crate::subject;
use crate::token::{self, Binding, TokenId};
use crate::toolset::Entry;
use crate::waiting_answers::WaitingAnswers;

/// A question that is being put to the person.
#[derive(Debug)]
pub(crate) struct ConfirmationStart {
    call: CallIdentity,
    start: Arc<CallStart>,
    request: ConfirmationRequest,
    clamped: Vec<Clamp>,
    /// Answers when the question can no longer be lost.
    kept: Commit<()>,
    /// The questions that gave way to this one.
    superseded: Vec<Superseded>,
    is_repeated: bool,
    /// Tells the same call, delivered again meanwhile, what this one was told.
    answering: Answering,
}

impl ConfirmationStart {
    /// A question that nothing gave way to and nothing waits with. From here on the call is known.
    fn new(
        candidate: CandidateCall,
        start: Arc<CallStart>,
        request: ConfirmationRequest,
        kept: Commit<()>,
        deferred: &mut WaitingAnswers,
    ) -> Self {
        let content = candidate.content();
        let CandidateCall { call, clamped, .. } = candidate;
        let (answering, asking) = Running::pending();
        deferred.keep_asking(&call.key, content, asking);
        Self {
            call,
            start,
            request,
            clamped,
            kept,
            superseded: Vec::new(),
            is_repeated: false,
            answering,
        }
    }
}

/// A question that gave way, which is decided already.
#[derive(Debug)]
pub(crate) struct Superseded {
    question: OpenConfirmation,
    /// Answers whether it was still there to be taken. If it was not, the person was faster.
    taken: Commit<Taken>,
}

/// What a write is told that waits with another call.
pub(crate) const HELD: &str =
    "this waits until the person has answered about another call of the same message";

const NOT_KEPT: &str =
    "the person cannot be asked at the moment, because the question cannot be kept";
const NO_CHANCE: &str = "the person cannot be asked at the moment";
const SUPERSEDED: &str =
    "the person was asked something else instead, before they had answered this";
/// The policy that asks, as records say.
pub(crate) const POLICY: &str = "confirmation";

impl ConversationCore {
    /// Puts a call to the person, with the calls of its message that wait for it.
    pub(crate) fn ask(
        self: &Arc<Self>,
        candidate: CandidateCall,
        share: Reservation,
        held: Vec<WaitingCall>,
        inner: &mut Locked,
        now: u64,
    ) -> Admission {
        inner.memory.history.end(share.place, CallEnd::Well);
        let args = Arc::new(candidate.shown_args().clone());
        let start = self.start(&candidate.call, args, inner, now);
        let mode = inner.memory.mode();
        let open = inner.memory.questions.about(&candidate, now);
        if let Some(open) = open.filter(|open| held.is_empty() && open.is_heard(mode)) {
            let (request, kept) = (open.request.clone(), Commit::ready(Ok(())));
            let deferred = &mut inner.memory.deferred;
            let asked = ConfirmationStart::new(candidate, start, request, kept, deferred);
            return Admission::Asked(Box::new(ConfirmationStart { is_repeated: true, ..asked }));
        }
        match self.question(&candidate, inner, now) {
            Some(question) => self.keep(candidate, start, question, held, inner),
            None => {
                let failure = Failure::new(ErrorType::Unavailable, NO_CHANCE);
                let why = (failure, Finality::Provisional);
                Admission::Answered(self.refuse(candidate, POLICY, why, inner, now))
            }
        }
    }

    fn question(
        &self,
        candidate: &CandidateCall,
        inner: &Locked,
        now: u64,
    ) -> Option<OpenConfirmation> {
        let (entry, args) = (candidate.entry()?, candidate.args.as_ref().ok()?);
        let id = TokenId::random().ok()?;
        let ttl = entry.spec().confirmation.as_ref().and_then(|it| it.ttl_seconds);
        let ttl = ttl.unwrap_or(self.core.config.confirmation.ttl_seconds);
        let expires = now.saturating_add(ttl.saturating_mul(1000));
        let args_hash = ContentHash::of_value(args);
        let binding = self.binding(id.as_str(), entry, &args_hash, expires);
        let preview = candidate.preview(&self.core.platform);
        let request = ConfirmationRequest {
            token: self.core.signer.sign(&binding).as_str().to_owned(),
            expires,
            tool: entry.spec().tool_id.clone(),
            args: args.clone(),
            preview: preview.clone(),
        };
        Some(OpenConfirmation {
            id: id.as_str().to_owned(),
            preview,
            request,
            digest: candidate.digest,
            subject: subject::of_arguments(args),
            turn: inner.memory.turn,
            asked_ms: now,
            ear: if inner.memory.mode() == Mode::Voice {
                SpokenAnswer::Open
            } else {
                SpokenAnswer::Closed
            },
            waiting: vec![WaitingCall::of(candidate)],
        })
    }

    /// What a token for this call stands for.
    pub(crate) fn binding<'a>(
        &'a self,
        id: &'a str,
        entry: &'a Entry,
        args_hash: &'a ContentHash,
        expires: u64,
    ) -> Binding<'a> {
        Binding {
            id,
            conversation: &self.id,
            user: self.person.id.as_ref(),
            tool: &entry.spec().tool_id,
            tool_hash: entry.tool.hash(),
            args_hash,
            registry_version: self.toolset.registry().version(),
            expires,
        }
    }

    fn keep(
        &self,
        candidate: CandidateCall,
        start: Arc<CallStart>,
        mut question: OpenConfirmation,
        held: Vec<WaitingCall>,
        inner: &mut Locked,
    ) -> Admission {
        let superseded = self.supersede(&candidate, &question, inner);
        question.waiting.extend(held);
        let kept = self.put(&question);
        let request = question.request.clone();
        inner.memory.questions.push(question);
        let asked =
            ConfirmationStart::new(candidate, start, request, kept, &mut inner.memory.deferred);
        Admission::Asked(Box::new(ConfirmationStart { superseded, ..asked }))
    }

    /// Keeps a question as it is.
    fn put(&self, question: &OpenConfirmation) -> Commit<()> {
        let (asked, siblings) = match question.waiting.split_first() {
            Some((asked, siblings)) => (asked.clone(), siblings.to_vec()),
            None => return Commit::ready(Ok(())),
        };
        let waiting = StoredConfirmation {
            asked,
            token: question.request.token.clone(),
            preview: question.preview.clone(),
            subject: question.subject.clone(),
            turn: question.turn,
            asked_ms: question.asked_ms,
            siblings,
        };
        self.core.store.put_confirmation(Pending {
            token: question.id.clone(),
            conversation: self.id.clone(),
            user: self.person.id.clone(),
            expires: question.request.expires,
            body: Arc::new(json!(waiting)),
        })
    }

    /// A question about the same call or the same draft gives way; in voice so does every earlier
    /// one, since one spoken answer can only mean one question.
    fn supersede(
        &self,
        candidate: &CandidateCall,
        by: &OpenConfirmation,
        inner: &mut Locked,
    ) -> Vec<Superseded> {
        let questions = &inner.memory.questions;
        let same = questions.about(candidate, by.asked_ms).map(|question| question.id.clone());
        let same = same.into_iter().chain(questions.about_same(by));
        let earlier = match inner.memory.mode() {
            Mode::Voice => questions.before(inner.memory.turn),
            Mode::Text => Vec::new(),
        };
        let closing: Vec<_> = same.chain(earlier).collect();
        self.take_superseded(closing, inner)
    }

    /// Takes questions that nobody has decided about. From here on an answer to one of them is told
    /// that it gave way.
    pub(crate) fn take_superseded(&self, ids: Vec<String>, inner: &mut Locked) -> Vec<Superseded> {
        let now = self.now();
        let mut superseded = Vec::new();
        for id in ids {
            if inner.memory.questions.decision(&id).is_some() {
                continue;
            }
            let Some(question) = inner.memory.questions.remove(&id) else { continue };
            if let Some(asked) = question.waiting.first() {
                let token = (&*question.id, &*question.request.token);
                inner.memory.questions.decide(ResolvedConfirmation::new(
                    token,
                    asked,
                    ConfirmationOutcome::Superseded,
                ));
            }
            let taken = self.core.store.take_confirmation(&id, now, &inner.memory.scope);
            superseded.push(Superseded { question, taken });
        }
        superseded
    }

    /// Closes a question that gave way: of all who take a question, one decides what becomes of the
    /// calls that waited for it.
    pub(crate) async fn close_superseded(&self, Superseded { mut question, taken }: Superseded) {
        match taken.await {
            Ok(Taken::Pending(_) | Taken::Expired(_)) => {}
            Ok(Taken::Unknown) => return,
            // It is there still. Only a click answers it, since speech answers the newer one.
            Err(_) => {
                question.ear = SpokenAnswer::Closed;
                let questions = &mut self.lock().memory.questions;
                questions.reopen(&question.id);
                return questions.push(question);
            }
        }
        let recorded = self.record_superseded(&question);
        let (id, how) = (question.id, ConfirmationOutcome::Superseded);
        self.publish(|| ConversationEvent::ConfirmationClosed { token_id: id, how });
        for (call, answered) in recorded {
            let answer = answered.told().await;
            self.publish_answered(call.entry.as_deref(), Outcome::Superseded, &answer);
        }
    }

    /// What waited for a question that gave way was told to wait, so it must not run by itself later.
    fn record_superseded(&self, question: &OpenConfirmation) -> Vec<(CallIdentity, Answered)> {
        let (mut inner, now) = (self.lock(), self.now());
        let mut superseded = Vec::new();
        for (n, held) in question.waiting.iter().enumerate() {
            let Some(candidate) =
                self.candidate(held.clone(), &question.id, CallOrigin::Approved, n)
            else {
                continue;
            };
            let failure = Failure::new(ErrorType::Denied, SUPERSEDED);
            let answer = Arc::new(failed(failure, self.stamp(&candidate.call)));
            let start =
                self.start(&candidate.call, Arc::new(candidate.shown_args().clone()), &inner, now);
            let recorded = self.core.store.refuse(start, Outcome::Superseded, answer.clone());
            inner.memory.deferred.forget(&candidate.call.key);
            superseded.push((candidate.call, Answered { answer, recorded, if_not_kept: None }));
        }
        self.save(&mut inner);
        superseded
    }

    /// The answer to a call that the person is asked about.
    pub(crate) async fn asked(&self, asked: ConfirmationStart) -> Arc<ToolResponse> {
        let ConfirmationStart {
            call, start, mut request, clamped, superseded, is_repeated, ..
        } = asked;
        for gone in superseded {
            self.close_superseded(gone).await;
        }
        let failure = self.publish_when_stored(&call, &mut request, asked.kept).await;
        let is_asked = failure.kind == ErrorType::ConfirmationRequired;
        if !is_asked && !is_repeated {
            self.withdraw(&request);
        }
        let answer = Arc::new(failed(failure, Stamp { clamped, ..self.stamp(&call) }));
        let outcome = Outcome::refused_by(POLICY);
        let (store, told) = (&self.core.store, answer.clone());
        // No call waits under the key of one that only heard of an open question: that was its answer.
        let recorded = match is_asked && is_repeated {
            true => store.refuse(start, outcome.clone(), told),
            false => store.record_refusal(start, outcome.clone(), told),
        };
        // Before the person can answer: what they say of it comes after.
        match is_asked && !is_repeated {
            true => self.lock().memory.deferred.asked(&call.key, &answer),
            false => self.lock().memory.deferred.forget(&call.key),
        }
        asked.answering.send(answer.clone());
        if is_asked && !is_repeated {
            self.publish(|| ConversationEvent::ConfirmationRequested(Box::new(request)));
        }
        self.publish_answered(call.entry.as_deref(), outcome, &answer);
        // A record that cannot be written now is written when it can.
        let _ = recorded.await;
        answer
    }
}

impl ConversationCore {
    /// What a call is told once its question can no longer be lost. Before that, an engine may know
    /// more of it than its arguments say.
    async fn publish_when_stored(
        &self,
        call: &CallIdentity,
        request: &mut ConfirmationRequest,
        kept: Commit<()>,
    ) -> Failure {
        let described = self.describe(call, request).await;
        let kept = match described {
            Some(described) => kept.await.and(described.await),
            None => kept.await,
        };
        if kept.is_err() {
            return Failure::new(ErrorType::Unavailable, NOT_KEPT);
        }
        for gone in self.supersede_same(request) {
            self.close_superseded(gone).await;
        }
        waiting_failure(request.clone())
    }

    /// A question that could not be kept was not put.
    fn withdraw(&self, request: &ConfirmationRequest) {
        if let Some(id) = token::id_of(&request.token) {
            let memory = &mut self.lock().memory;
            if let Some(question) = memory.questions.remove(id) {
                question.waiting.iter().for_each(|held| memory.deferred.forget(&held.key));
            }
            // Nobody knows of it, so nobody waits for this.
            drop(self.core.store.take_confirmation(id, self.now(), &memory.scope));
        }
    }
}

fn waiting_failure(request: ConfirmationRequest) -> Failure {
    let message = format!("the person has to approve this first: {}", request.preview);
    let mut failure = Failure::new(ErrorType::ConfirmationRequired, message);
    failure.confirmation_request = Some(request);
    failure
}
