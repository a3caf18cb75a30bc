//! Asking the person: a signed question, kept until it is answered or expires.

mod describe;
mod remember;

use std::sync::Arc;

use aileron_contract::envelope::{Clamp, ConfirmationRequest, Failure};
use aileron_contract::{ContentHash, ErrorType, Mode, Outcome, ToolResponse};
use aileron_runtime::envelope::{Stamp, failed};
use aileron_store::{Answering, CallStart, Commit, Counted, Pending, Running, Taken};
use futures_util::future::join_all;
use serde_json::json;

use crate::admit::{Admission, Answered};
use crate::conversation::{Inner, Shared};
use crate::draft::{Draft, Origin};
use crate::event::{Closed, Event};
use crate::history::Ended;
use crate::identity::Identity;
use crate::judge::Share;
use crate::policy::rate_limit;
use crate::question::{Decided, Ear, Held, Question, Waiting};
use crate::refused::Refused;
use crate::token::{self, Binding, TokenId};
use crate::toolset::Entry;

/// A question that is being put to the person.
#[derive(Debug)]
pub(crate) struct Asked {
    call: Identity,
    start: Arc<CallStart>,
    request: ConfirmationRequest,
    clamped: Vec<Clamp>,
    /// Answers when the question can no longer be lost.
    kept: Commit<()>,
    /// The questions that gave way to this one.
    superseded: Vec<Superseded>,
    is_repeated: bool,
    share: Share,
    /// Answer when the calls that wait with this one are counted.
    others_counted: Vec<Commit<Counted>>,
    /// Tells the same call, delivered again meanwhile, what this one was told.
    answering: Answering,
}

impl Asked {
    /// A question that nothing gave way to and nothing waits with. From here on the call is known.
    fn new(
        draft: Draft,
        (start, share): (Arc<CallStart>, Share),
        request: ConfirmationRequest,
        kept: Commit<()>,
        refused: &mut Refused,
    ) -> Self {
        let Draft { call, clamped, .. } = draft;
        let (answering, asking) = Running::pending();
        refused.keep_asking(&call.key, asking);
        Self {
            call,
            start,
            request,
            clamped,
            kept,
            superseded: Vec::new(),
            is_repeated: false,
            share,
            others_counted: Vec::new(),
            answering,
        }
    }
}

/// The calls of a message that wait while the person is asked about another one.
#[derive(Debug, Default)]
pub(crate) struct Siblings {
    pub(crate) held: Vec<Held>,
    /// Answer when those are counted whose tools have a rate limit.
    pub(crate) counted: Vec<Commit<Counted>>,
}

/// A question that gave way.
#[derive(Debug)]
struct Superseded {
    question: Question,
    /// Answers whether it was still there to be taken. If it was not, the person was faster.
    taken: Commit<Taken>,
}

/// What a write is told that waits with another call.
pub(crate) const HELD: &str =
    "this waits until the person has answered about another call of the same message";

const NOT_KEPT: &str =
    "the person cannot be asked at the moment, because the question cannot be kept";
const NO_CHANCE: &str = "the person cannot be asked at the moment";
const SUPERSEDED: &str = "the person was asked something else before they had answered";
/// The policy that asks, as records say.
pub(crate) const POLICY: &str = "confirmation";

impl Shared {
    /// Puts a call to the person, with the calls of its message that wait for it.
    pub(crate) fn ask(
        self: &Arc<Self>,
        draft: Draft,
        share: Share,
        siblings: Siblings,
        inner: &mut Inner,
        now: u64,
    ) -> Admission {
        inner.memory.history.end(share.place, Ended::Well);
        let args = Arc::new(draft.shown_args().clone());
        let start = self.start(&draft.call, args, inner, now);
        let mode = inner.memory.mode();
        let open = inner.memory.questions.about(&draft, now);
        if let Some(open) = open.filter(|open| siblings.held.is_empty() && open.is_heard(mode)) {
            let (request, kept) = (open.request.clone(), Commit::ready(Ok(())));
            let refused = &mut inner.memory.refused;
            let asked = Asked::new(draft, (start, share), request, kept, refused);
            return Admission::Asked(Box::new(Asked { is_repeated: true, ..asked }));
        }
        match self.question(&draft, inner, now) {
            Some(question) => self.keep(draft, (start, share), question, siblings, inner),
            None => {
                let failure = Failure::new(ErrorType::Unavailable, NO_CHANCE);
                Admission::Answered(self.refuse(draft, POLICY, failure, inner, now))
            }
        }
    }

    fn question(&self, draft: &Draft, inner: &Inner, now: u64) -> Option<Question> {
        let (entry, args) = (draft.entry()?, draft.args.as_ref().ok()?);
        let id = TokenId::random().ok()?;
        let ttl = entry.spec().confirmation.as_ref().and_then(|it| it.ttl_seconds);
        let ttl = ttl.unwrap_or(self.core.config.confirmation.ttl_seconds);
        let expires = now.saturating_add(ttl.saturating_mul(1000));
        let args_hash = ContentHash::of_value(args);
        let binding = self.binding(id.as_str(), entry, &args_hash, expires);
        let preview = draft.preview(&self.core.platform);
        let request = ConfirmationRequest {
            token: self.core.signer.sign(&binding).as_str().to_owned(),
            expires,
            tool: entry.spec().tool_id.clone(),
            args: args.clone(),
            preview: preview.clone(),
        };
        Some(Question {
            id: id.as_str().to_owned(),
            preview,
            request,
            digest: draft.digest,
            turn: inner.memory.turn,
            asked_ms: now,
            ear: if inner.memory.mode() == Mode::Voice { Ear::Open } else { Ear::Closed },
            waiting: vec![Held::of(draft)],
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
        draft: Draft,
        called: (Arc<CallStart>, Share),
        mut question: Question,
        siblings: Siblings,
        inner: &mut Inner,
    ) -> Admission {
        let superseded = self.supersede(&draft, inner);
        let Siblings { held, counted: others_counted } = siblings;
        question.waiting.extend(held);
        let kept = self.put(&question);
        let request = question.request.clone();
        inner.memory.questions.push(question);
        let asked = Asked::new(draft, called, request, kept, &mut inner.memory.refused);
        Admission::Asked(Box::new(Asked { superseded, others_counted, ..asked }))
    }

    /// Keeps a question as it is.
    fn put(&self, question: &Question) -> Commit<()> {
        let (asked, siblings) = match question.waiting.split_first() {
            Some((asked, siblings)) => (asked.clone(), siblings.to_vec()),
            None => return Commit::ready(Ok(())),
        };
        let waiting = Waiting {
            asked,
            token: question.request.token.clone(),
            preview: question.preview.clone(),
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

    /// A question about the same call gives way; in voice so does every earlier one, since one
    /// spoken answer can only mean one question.
    fn supersede(&self, draft: &Draft, inner: &mut Inner) -> Vec<Superseded> {
        let now = self.now();
        let mut superseded = Vec::new();
        let same = inner.memory.questions.about(draft, now).map(|question| question.id.clone());
        let earlier = match inner.memory.mode() {
            Mode::Voice => inner.memory.questions.before(inner.memory.turn),
            Mode::Text => Vec::new(),
        };
        for id in same.into_iter().chain(earlier) {
            let Some(question) = inner.memory.questions.remove(&id) else { continue };
            let taken = self.core.store.take_confirmation(&id, now);
            superseded.push(Superseded { question, taken });
        }
        superseded
    }

    /// Closes a question that gave way, unless the person has answered it: of all who take a
    /// question, one decides what becomes of the calls that waited for it.
    async fn give_way(&self, Superseded { mut question, taken }: Superseded) {
        match taken.await {
            Ok(Taken::Pending(_) | Taken::Expired(_)) => {}
            Ok(Taken::Unknown) => return,
            // It is there still. Only a click answers it, since speech answers the newer one.
            Err(_) => {
                question.ear = Ear::Closed;
                return self.lock().memory.questions.push(question);
            }
        }
        let recorded = self.record_superseded(&question);
        let (id, how) = (question.id, Closed::Superseded);
        self.tell(|| Event::ConfirmationClosed { token_id: id, how });
        for (call, Answered { answer, recorded }) in recorded {
            // A record that cannot be written now is written when it can.
            let _ = recorded.await;
            self.tell_answered(call.entry.as_deref(), Outcome::Superseded, &answer);
        }
    }

    /// What waited for a question that gave way was told to wait, so it must not run by itself later.
    fn record_superseded(&self, question: &Question) -> Vec<(Identity, Answered)> {
        let (mut inner, now) = (self.lock(), self.now());
        let mut superseded = Vec::new();
        for (n, held) in question.waiting.iter().enumerate() {
            let Some(draft) = self.draft(held.clone(), &question.id, Origin::Approved, n) else {
                continue;
            };
            let failure = Failure::new(ErrorType::Denied, SUPERSEDED);
            let answer = Arc::new(failed(failure, self.stamp(&draft.call)));
            let start = self.start(&draft.call, Arc::new(draft.shown_args().clone()), &inner, now);
            let outcome = Outcome::Superseded;
            let recorded = self.core.store.record_refusal(start, outcome, answer.clone());
            inner.memory.refused.keep_persons(&draft.call.key, &answer);
            let decided = Decided::new(&question.id, held, Some(SUPERSEDED));
            inner.memory.questions.decide(decided);
            superseded.push((draft.call, Answered { answer, recorded }));
        }
        self.save(&mut inner);
        superseded
    }

    /// The answer to a call that the person is asked about.
    pub(crate) async fn asked(&self, asked: Asked) -> Arc<ToolResponse> {
        let Asked { call, start, mut request, clamped, superseded, is_repeated, .. } = asked;
        for gone in superseded {
            self.give_way(gone).await;
        }
        let (by, failure) = match self.not_counted_to_ask(&call, asked.share).await {
            Some(failure) => (rate_limit::NAME, *failure),
            None => {
                let kept = (asked.kept, asked.others_counted);
                (POLICY, self.put_to_the_person(&call, &mut request, kept).await)
            }
        };
        let is_asked = failure.kind == ErrorType::ConfirmationRequired;
        if !is_asked && !is_repeated {
            self.withdraw(&request);
        }
        let answer = Arc::new(failed(failure, Stamp { clamped, ..self.stamp(&call) }));
        let outcome = Outcome::refused_by(by);
        let recorded = self.core.store.record_refusal(start, outcome.clone(), answer.clone());
        // Before the person can answer: what they say of it comes after.
        self.keep_told(&call, &answer);
        asked.answering.send(answer.clone());
        if is_asked && !is_repeated {
            self.tell(|| Event::ConfirmationRequested(Box::new(request)));
        }
        self.tell_answered(call.entry.as_deref(), outcome, &answer);
        // A record that cannot be written now is written when it can.
        let _ = recorded.await;
        answer
    }
}

impl Shared {
    /// Remembers what a call was told that was to be put to the person.
    fn keep_told(&self, call: &Identity, answer: &Arc<ToolResponse>) {
        let refused = &mut self.lock().memory.refused;
        match answer.failure() {
            Some(failure) if failure.kind == ErrorType::ConfirmationRequired => {
                refused.keep_persons(&call.key, answer);
            }
            _ => {
                refused.forget(&call.key);
                refused.keep(call, answer);
            }
        }
    }

    /// Why the person is not asked about a call: the rate limit of its tool has no room, as it turns out.
    async fn not_counted_to_ask(&self, call: &Identity, share: Share) -> Option<Box<Failure>> {
        let failure = rate_limit::refusal(share.counted?.await, call.spec()?)?;
        self.give_back(share.place, call, &failure);
        Some(failure)
    }

    /// What a call is told once its question can no longer be lost. Without the count of a call that
    /// waits for it, there is no question: it would let that call run.
    async fn put_to_the_person(
        &self,
        call: &Identity,
        request: &mut ConfirmationRequest,
        (kept, others_counted): (Commit<()>, Vec<Commit<Counted>>),
    ) -> Failure {
        let kept = match self.describe(call, request).await {
            Some(described) => kept.await.and(described.await),
            None => kept.await,
        };
        let others = join_all(others_counted).await;
        let all_counted = others.iter().all(|counted| matches!(counted, Ok(Counted::Within)));
        match kept {
            Ok(()) if all_counted => waiting_failure(request.clone()),
            Ok(()) | Err(_) => Failure::new(ErrorType::Unavailable, NOT_KEPT),
        }
    }

    /// A question that could not be kept was not put.
    fn withdraw(&self, request: &ConfirmationRequest) {
        if let Some(id) = token::id_of(&request.token) {
            self.lock().memory.questions.remove(id);
            // Nobody knows of it, so nobody waits for this.
            drop(self.core.store.take_confirmation(id, self.now()));
        }
    }
}

fn waiting_failure(request: ConfirmationRequest) -> Failure {
    let message = format!("the person has to approve this first: {}", request.preview);
    let mut failure = Failure::new(ErrorType::ConfirmationRequired, message);
    failure.confirmation_request = Some(request);
    failure
}
