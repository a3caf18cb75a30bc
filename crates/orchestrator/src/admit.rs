//! Admission: the calls of one message are judged together, under the
//! conversation's lock and without waiting, before any of them runs.

use std::sync::Arc;

use aileron_contract::envelope::Failure;
use aileron_contract::{ContentHash, ErrorType, Outcome, ToolCall, ToolResponse};
use aileron_runtime::envelope::failed;
use aileron_store::{Begun, CallStart, Commit, Confirmed, Counter, Known, Store};
use serde_json::Value;

use crate::ask::{Asked, HELD, POLICY};
use crate::conversation::{Inner, Seat, Shared};
use crate::draft::{Draft, Ids, Origin, Twin};
use crate::event::Event;
use crate::execute::not_entered;
use crate::history::{Ended, Place};
use crate::identity::Identity;
use crate::invocation::Invocation;
use crate::judge::{Judged, Share};
use crate::policy::{self, Finality, Passage, Tally};
use crate::question::Held;

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
    Asked(Box<Asked>),
    /// The same call was made before.
    Known(Box<Identity>, Known),
    /// The same call stands earlier in this message, at this place.
    Twin(Box<Identity>, usize),
    /// Another call asked for the same.
    Repeat(Box<Repeat>),
}

/// A call that may run.
#[derive(Debug)]
pub(crate) struct Admitted {
    pub(crate) entered: Entered<Begun>,
    pub(crate) share: Share,
}

/// A call on its way into the ledger.
#[derive(Debug)]
pub(crate) struct Entered<T> {
    pub(crate) invocation: Invocation,
    pub(crate) start: Arc<CallStart>,
    pub(crate) begun: Commit<T>,
    pub(crate) seat: Seat,
}

/// A call that is answered from another one, and has a record of its own.
#[derive(Debug)]
pub(crate) struct Repeat {
    pub(crate) call: Identity,
    pub(crate) start: Arc<CallStart>,
    pub(crate) twin: Twin,
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
    Known(Box<Identity>, Known),
    Refused {
        draft: Box<Draft>,
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

impl Shared {
    /// Decides about the calls of one message of the model.
    pub(crate) fn admit(self: &Arc<Self>, calls: Vec<ToolCall>, ids: Ids) -> Batch {
        let draft = |call| Draft::new(call, &self.toolset).from(ids);
        self.admit_drafts(calls.into_iter().map(draft).collect())
    }

    /// Decides about calls whose arguments are prepared.
    pub(crate) fn admit_drafts(self: &Arc<Self>, drafts: Vec<Draft>) -> Batch {
        let mut inner = self.lock();
        let now = self.now();
        let judged = self.judge_all(drafts, &mut inner.memory, &Tally::default(), now);
        Batch(self.decide_all(judged, &mut inner, now))
    }

    fn decide_all(
        self: &Arc<Self>,
        judged: Vec<Judged>,
        inner: &mut Inner,
        now: u64,
    ) -> Vec<Admission> {
        let mut held = Vec::new();
        for one in &judged {
            if let Judged::Held(draft, _) = one {
                held.push(Held::of(draft));
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
        held: &mut Vec<Held>,
        inner: &mut Inner,
        now: u64,
    ) -> Admission {
        match judged {
            Judged::Pass(mut draft, share) => {
                let counter = draft.rate.take();
                let count = |counter: Box<Counter>| self.core.store.count_call(&counter, now);
                match Invocation::of(draft) {
                    Ok(invocation) => {
                        let begin = |store: &dyn Store, call| store.begin(call);
                        let entered = self.enter(invocation, inner, now, begin);
                        let share = Share { counted: counter.map(count).map(Box::new), ..share };
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
            Judged::Refused { draft, by, failure, finality } => {
                let why = (*failure, finality);
                Admission::Answered(self.refuse(draft, by, why, inner, now))
            }
            Judged::Known(draft, known) => Admission::Known(Box::new(draft.call), known),
            Judged::Twin(draft, of) => Admission::Twin(Box::new(draft.call), of),
            Judged::Repeat(draft, twin) => {
                let args = Arc::new(draft.shown_args().clone());
                let start = self.start(&draft.call, args, inner, now);
                Admission::Repeat(Box::new(Repeat { call: draft.call, start, twin }))
            }
            Judged::Ask(draft, share) => self.ask(draft, share, std::mem::take(held), inner, now),
            Judged::Held(draft, share) => self.hold(draft, share.place, inner, now),
        }
    }

    /// Enters a call into the ledger. From here on it is found there.
    fn enter<T>(
        self: &Arc<Self>,
        invocation: Invocation,
        inner: &mut Inner,
        now: u64,
        begin: impl FnOnce(&dyn Store, Arc<CallStart>) -> Commit<T>,
    ) -> Entered<T> {
        let start = self.start(&invocation.call, invocation.args.clone(), inner, now);
        let seat = Seat::take(self, inner, &invocation);
        let begun = begin(&*self.core.store, start.clone());
        Entered { invocation, start, begun, seat }
    }

    /// Takes a call that the person approved along every gate again. If it passes and nobody else has
    /// decided, which `decide` says, the call enters the ledger as its question is taken.
    pub(crate) fn reconsider(
        self: &Arc<Self>,
        mut draft: Draft,
        question: &str,
        decide: impl FnOnce(&mut Inner) -> bool,
    ) -> Reconsidered {
        let (mut inner, now) = (self.lock(), self.now());
        let tally = Tally::default();
        let mut desk = self.desk(&mut inner.memory, &tally, now);
        let (by, failure) = match policy::pass(&mut draft, &mut desk) {
            Passage::Known(known) => return Reconsidered::Known(Box::new(draft.call), known),
            Passage::Refused { by, failure, .. } => (by, failure),
            Passage::Through | Passage::Ask | Passage::Repeats(_) => {
                let (digest, counter) = (draft.digest, draft.rate.take());
                if let Ok(invocation) = Invocation::of(draft.clone()) {
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
        Reconsidered::Refused { draft: Box::new(draft), by, failure }
    }

    fn hold(
        self: &Arc<Self>,
        draft: Draft,
        place: Place,
        inner: &mut Inner,
        now: u64,
    ) -> Admission {
        inner.memory.history.end(place, Ended::Well);
        let (key, content) = (draft.call.key.clone(), draft.content());
        let failure = Failure::new(ErrorType::ConfirmationRequired, HELD);
        let answered = self.refuse(draft, POLICY, (failure, Finality::Provisional), inner, now);
        inner.memory.deferred.keep(&key, content, &answered.answer);
        Admission::Answered(answered)
    }

    /// Answers a call that does not run, and records it. A refusal that is final is kept like the
    /// answer of a call that ran, so that the call is told the same whenever it is delivered again.
    /// A call that waits for the person keeps waiting, whatever its delivery meets.
    pub(crate) fn refuse(
        &self,
        mut draft: Draft,
        by: &'static str,
        (failure, finality): (Failure, Finality),
        inner: &mut Inner,
        now: u64,
    ) -> Answered {
        draft.find_key(&inner.memory);
        if let Some(what) = draft.defect.take() {
            self.defect(&draft.call, what);
        }
        let waits = draft.origin == Origin::Model && inner.memory.deferred.has(&draft.call.key);
        let finality = match draft.keeps_refusal() && !waits {
            true => finality,
            false => Finality::Provisional,
        };
        let args = draft.shown_args().clone();
        self.answer(&draft.call, (by, failure), (args, finality), inner, now)
    }

    fn answer(
        &self,
        call: &Identity,
        (by, failure): (&'static str, Failure),
        (args, finality): (Value, Finality),
        inner: &Inner,
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
        self.tell_answered(call.entry.as_deref(), outcome, &answer);
        let is_owed = finality == Finality::Final && call.writes();
        let if_not_kept = is_owed.then(|| Arc::new(failed(not_entered(), self.stamp(call))));
        Answered { answer, recorded, if_not_kept }
    }

    /// The call as the store knows it.
    pub(crate) fn start(
        &self,
        call: &Identity,
        args: Arc<Value>,
        inner: &Inner,
        now: u64,
    ) -> Arc<CallStart> {
        let shown = self.without_secrets(args.clone());
        let is_masked = !Arc::ptr_eq(&shown, &args) && shown != args;
        // What is kept does not tell the call from another one any more.
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

    pub(crate) fn defect(&self, call: &Identity, what: String) {
        let (call_id, tool) = (call.call_id.clone(), call.tool_id.clone());
        self.tell(|| Event::Defect { call_id, tool, what });
    }
}

fn internal() -> Failure {
    Failure::new(ErrorType::Internal, ErrorType::Internal.sentence())
}
