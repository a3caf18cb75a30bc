//! Admission: the calls of one message are judged together, under the
//! conversation's lock and without waiting, before any of them runs.

use std::sync::Arc;

use aileron_contract::envelope::Failure;
use aileron_contract::{ContentHash, ErrorType, Outcome, ToolCall, ToolResponse};
use aileron_runtime::envelope::failed;
use aileron_store::{Begun, CallStart, Commit, Confirmed, Counter, Known, Store};
use serde_json::Value;

use crate::ask::{ConfirmationStart, HELD, POLICY};
use crate::call_identity::CallIdentity;
use crate::candidate::{CallOrigin, CandidateCall, Duplicate, IdSource};
use crate::conversation::{ConversationCore, Locked};
use crate::event::ConversationEvent;
use crate::execute::not_entered;
use crate::history::{CallEnd, HistoryIndex};
use crate::invocation::Invocation;
use crate::judge::{Judged, Reservation};
use crate::policy::{self, BatchCounts, Finality, Passage};
use crate::question::WaitingCall;
use crate::running::RunningCall;

/// The policy that sees to it that a call that passes has a tool and arguments.
const ARGUMENTS: &str = "arguments";

/// The calls of one message, decided upon.
#[derive(Debug)]
pub(crate) struct Batch(pub(crate) Vec<Admission>);

/// What was decided about one call.
#[derive(Debug)]
pub(crate) enum Admission {
    Run(Box<Admitted>),
    /// A policy has answered, and the record is under way.
    Answered(Answered),
    /// The person is asked.
    Asked(Box<ConfirmationStart>),
    /// The same call was made before.
    Known(Box<CallIdentity>, Known),
    /// The same call stands earlier in this message, at this place.
    Twin(Box<CallIdentity>, usize),
    /// Another call asked for the same.
    Repeat(Box<Repeat>),
}

/// A call that may run.
#[derive(Debug)]
pub(crate) struct Admitted {
    pub(crate) entered: Entered<Begun>,
    pub(crate) share: Reservation,
}

/// A call on its way into the ledger.
#[derive(Debug)]
pub(crate) struct Entered<T> {
    pub(crate) invocation: Invocation,
    pub(crate) start: Arc<CallStart>,
    pub(crate) begun: Commit<T>,
    pub(crate) seat: RunningCall,
}

/// A call that is answered from another one, and has a record of its own.
#[derive(Debug)]
pub(crate) struct Repeat {
    pub(crate) call: CallIdentity,
    pub(crate) start: Arc<CallStart>,
    pub(crate) duplicate_of: Duplicate,
}

/// What the gates say of a call that the person approved.
#[derive(Debug)]
pub(crate) enum Reconsidered {
    /// It begins if the question is still there. With the digest of its arguments, and the counter of
    /// its rate limit.
    Entered(Box<Entered<Confirmed>>, u64, Option<Box<Counter>>),
    /// The question was answered, or gave way, in the meantime.
    Decided,
    /// It was made already.
    Known(Box<CallIdentity>, Known),
    Refused {
        candidate: Box<CandidateCall>,
        by: &'static str,
        failure: Box<Failure>,
    },
}

/// A call that was answered without being run.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) answer: Arc<ToolResponse>,
    pub(crate) recorded: Commit<()>,
    /// What a call that writes is told if its refusal cannot be kept: delivered again, it could run.
    pub(crate) if_not_kept: Option<Arc<ToolResponse>>,
}

impl Answered {
    /// The answer, once it may be given. A record that cannot be written now is written when it can.
    pub(crate) async fn told(self) -> Arc<ToolResponse> {
        match (self.recorded.await, self.if_not_kept) {
            (Err(_), Some(instead)) => instead,
            (Ok(()) | Err(_), _) => self.answer,
        }
    }
}

impl ConversationCore {
    /// Decides about the calls of one message of the model.
    pub(crate) fn admit(self: &Arc<Self>, calls: Vec<ToolCall>, ids: IdSource) -> Batch {
        let candidate = |call| CandidateCall::new(call, &self.toolset).from(ids);
        self.admit_drafts(calls.into_iter().map(candidate).collect())
    }

    /// Decides about calls whose arguments are prepared.
    pub(crate) fn admit_drafts(self: &Arc<Self>, candidates: Vec<CandidateCall>) -> Batch {
        let mut inner = self.lock();
        let now = self.now();
        let judged = self.judge_all(candidates, &mut inner.memory, &BatchCounts::default(), now);
        Batch(self.decide_all(judged, &mut inner, now))
    }

    fn decide_all(
        self: &Arc<Self>,
        judged: Vec<Judged>,
        inner: &mut Locked,
        now: u64,
    ) -> Vec<Admission> {
        let mut held = Vec::new();
        for one in &judged {
            if let Judged::Held(candidate, _) = one {
                held.push(WaitingCall::of(candidate));
            }
        }
        let decide = |one| self.decide(one, &mut held, inner, now);
        judged.into_iter().map(decide).collect()
    }

    /// Acts on what was said of a call. The one that the person is asked about takes those that are
    /// `held` and wait with it.
    fn decide(
        self: &Arc<Self>,
        judged: Judged,
        held: &mut Vec<WaitingCall>,
        inner: &mut Locked,
        now: u64,
    ) -> Admission {
        match judged {
            Judged::Pass(mut candidate, share) => {
                let counter = candidate.rate.take();
                let count = |counter: Box<Counter>| self.core.store.count_call(&counter, now);
                match Invocation::of(candidate) {
                    Ok(invocation) => {
                        let begin = |store: &dyn Store, call| store.begin(call);
                        let entered = self.enter(invocation, inner, now, begin);
                        let share =
                            Reservation { counted: counter.map(count).map(Box::new), ..share };
                        Admission::Run(Box::new(Admitted { entered, share }))
                    }
                    Err(call) => {
                        let why = (ARGUMENTS, internal());
                        let kept = Finality::Provisional;
                        Admission::Answered(self.answer(
                            &call,
                            why,
                            (Value::Null, kept),
                            inner,
                            now,
                        ))
                    }
                }
            }
            Judged::Refused { candidate, by, failure, finality } => {
                let why = (*failure, finality);
                Admission::Answered(self.refuse(candidate, by, why, inner, now))
            }
            Judged::Known(candidate, known) => Admission::Known(Box::new(candidate.call), known),
            Judged::Twin(candidate, of) => Admission::Twin(Box::new(candidate.call), of),
            Judged::Repeat(candidate, duplicate_of) => {
                let args = Arc::new(candidate.shown_args().clone());
                let start = self.start(&candidate.call, args, inner, now);
                Admission::Repeat(Box::new(Repeat { call: candidate.call, start, duplicate_of }))
            }
            Judged::Ask(candidate, share) => {
                self.ask(candidate, share, std::mem::take(held), inner, now)
            }
            Judged::Held(candidate, share) => self.hold(candidate, share.place, inner, now),
        }
    }

    /// Enters a call into the ledger. From here on it is found there.
    fn enter<T>(
        self: &Arc<Self>,
        invocation: Invocation,
        inner: &mut Locked,
        now: u64,
        begin: impl FnOnce(&dyn Store, Arc<CallStart>) -> Commit<T>,
    ) -> Entered<T> {
        let start = self.start(&invocation.call, invocation.args.clone(), inner, now);
        let seat = RunningCall::take(self, inner, &invocation);
        let begun = begin(&*self.core.store, start.clone());
        Entered { invocation, start, begun, seat }
    }

    /// Takes a call that the person approved along every gate again. If it passes and nobody else has
    /// decided, which `decide` says, the call enters the ledger as its question is taken.
    pub(crate) fn reconsider(
        self: &Arc<Self>,
        mut candidate: CandidateCall,
        question: &str,
        decide: impl FnOnce(&mut Locked) -> bool,
    ) -> Reconsidered {
        let (mut inner, now) = (self.lock(), self.now());
        let counts = BatchCounts::default();
        let mut context = self.context(&mut inner.memory, &counts, now);
        let (by, failure) = match policy::pass(&mut candidate, &mut context) {
            Passage::Known(known) => return Reconsidered::Known(Box::new(candidate.call), known),
            Passage::Refused { by, failure, .. } => (by, failure),
            Passage::Through | Passage::Ask | Passage::Repeats(_) => {
                let (digest, counter) = (candidate.digest, candidate.rate.take());
                if let Ok(invocation) = Invocation::of(candidate.clone()) {
                    if !decide(&mut inner) {
                        return Reconsidered::Decided;
                    }
                    let begin =
                        |store: &dyn Store, call| store.begin_confirmed(question, now, call);
                    let entered = self.enter(invocation, &mut inner, now, begin);
                    return Reconsidered::Entered(Box::new(entered), digest, counter);
                }
                (ARGUMENTS, Box::new(internal()))
            }
        };
        Reconsidered::Refused { candidate: Box::new(candidate), by, failure }
    }

    fn hold(
        self: &Arc<Self>,
        candidate: CandidateCall,
        place: HistoryIndex,
        inner: &mut Locked,
        now: u64,
    ) -> Admission {
        inner.memory.history.end(place, CallEnd::Well);
        let (key, content) = (candidate.call.key.clone(), candidate.content());
        let failure = Failure::new(ErrorType::ConfirmationRequired, HELD);
        let answered = self.refuse(candidate, POLICY, (failure, Finality::Provisional), inner, now);
        inner.memory.deferred.keep(&key, content, &answered.answer);
        Admission::Answered(answered)
    }

    /// Answers a call that does not run, and records it. A refusal that is final is kept like the
    /// answer of a call that ran, so that the call is told the same whenever it is delivered again.
    /// A call that waits for the person keeps waiting, whatever its delivery meets.
    pub(crate) fn refuse(
        &self,
        mut candidate: CandidateCall,
        by: &'static str,
        (failure, finality): (Failure, Finality),
        inner: &mut Locked,
        now: u64,
    ) -> Answered {
        candidate.find_key(&inner.memory);
        if let Some(what) = candidate.defect.take() {
            self.defect(&candidate.call, what);
        }
        let waits =
            candidate.origin == CallOrigin::Model && inner.memory.deferred.has(&candidate.call.key);
        let finality = match candidate.keeps_refusal() && !waits {
            true => finality,
            false => Finality::Provisional,
        };
        let args = candidate.shown_args().clone();
        self.answer(&candidate.call, (by, failure), (args, finality), inner, now)
    }

    fn answer(
        &self,
        call: &CallIdentity,
        (by, failure): (&'static str, Failure),
        (args, finality): (Value, Finality),
        inner: &Locked,
        now: u64,
    ) -> Answered {
        let outcome = Outcome::refused_by(by);
        let start = self.start(call, Arc::new(args), inner, now);
        let answer = Arc::new(failed(failure, self.stamp(call)));
        let (store, told) = (&self.core.store, answer.clone());
        let recorded = match finality {
            Finality::Final => store.refuse(start, outcome.clone(), told),
            Finality::Provisional => store.record_refusal(start, outcome.clone(), told),
        };
        self.publish_answered(call.entry.as_deref(), outcome, &answer);
        let is_owed = finality == Finality::Final && call.writes();
        let if_not_kept = is_owed.then(|| Arc::new(failed(not_entered(), self.stamp(call))));
        Answered { answer, recorded, if_not_kept }
    }

    /// The call as the store knows it.
    pub(crate) fn start(
        &self,
        call: &CallIdentity,
        args: Arc<Value>,
        inner: &Locked,
        now: u64,
    ) -> Arc<CallStart> {
        let shown = self.without_secrets(args.clone());
        let is_masked = !Arc::ptr_eq(&shown, &args) && shown != args;
        // The redacted arguments do not tell the call from another one any more.
        let given = || is_masked.then(|| ContentHash::of_value(&args));
        let given = call.given.clone().or_else(given);
        Arc::new(CallStart {
            scope: inner.memory.scope.clone(),
            tool: call.tool_stamp(),
            turn: inner.memory.turn,
            call_id: call.call_id.clone(),
            key: call.key.clone(),
            args: shown,
            given,
            time: now,
        })
    }

    /// The arguments as they may be kept: a tool may hand a secret on to another tool.
    fn without_secrets(&self, args: Arc<Value>) -> Arc<Value> {
        let masks = &self.core.platform.masks;
        if masks.is_empty() { args } else { Arc::new(masks.value((*args).clone())) }
    }

    pub(crate) fn defect(&self, call: &CallIdentity, what: String) {
        let (call_id, tool) = (call.call_id.clone(), call.tool_id.clone());
        self.publish(|| ConversationEvent::Defect { call_id, tool, what });
    }
}

fn internal() -> Failure {
    Failure::new(ErrorType::Internal, ErrorType::Internal.sentence())
}
