//! Admission: the calls of one message are judged together, under the
//! conversation's lock and without waiting, before any of them runs.

use std::sync::Arc;

use aileron_contract::envelope::Failure;
use aileron_contract::{ErrorType, Outcome, ToolCall, ToolResponse};
use aileron_runtime::envelope::failed;
use aileron_store::{Begun, CallStart, Commit, Confirmed, Known, Store};
use serde_json::Value;

use crate::ask::{Asked, HELD, POLICY, Siblings};
use crate::conversation::{Inner, Seat, Shared};
use crate::draft::{Draft, Origin, Twin};
use crate::event::Event;
use crate::history::{Ended, Place};
use crate::identity::Identity;
use crate::invocation::Invocation;
use crate::judge::{Judged, Share};
use crate::policy::{self, Counting, Passage};
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
    /// It begins if the question is still there. With the digest of its arguments.
    Entered(Box<Entered<Confirmed>>, u64),
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
}

impl Shared {
    /// Decides about the calls of one message of the model.
    pub(crate) fn admit(self: &Arc<Self>, calls: Vec<ToolCall>) -> Batch {
        let drafts = calls.into_iter().map(|call| Draft::new(call, &self.toolset)).collect();
        self.admit_drafts(drafts)
    }

    /// Decides about calls whose arguments are prepared.
    pub(crate) fn admit_drafts(self: &Arc<Self>, drafts: Vec<Draft>) -> Batch {
        let mut inner = self.lock();
        let now = self.now();
        let judged = self.judge_all(drafts, &mut inner.memory, Counting::Kept, now);
        Batch(self.decide_all(judged, &mut inner, now))
    }

    fn decide_all(
        self: &Arc<Self>,
        mut judged: Vec<Judged>,
        inner: &mut Inner,
        now: u64,
    ) -> Vec<Admission> {
        let mut siblings = Siblings::default();
        for one in &mut judged {
            if let Judged::Held(draft, share) = one {
                siblings.held.push(Held::of(draft));
                siblings.counted.extend(share.counted.take().map(|counted| *counted));
            }
        }
        let decide = |one| self.decide(one, &mut siblings, inner, now);
        judged.into_iter().map(decide).collect()
    }

    /// Acts on what was said of a call. The one that the person is asked about takes the `siblings`
    /// that wait with it.
    fn decide(
        self: &Arc<Self>,
        judged: Judged,
        siblings: &mut Siblings,
        inner: &mut Inner,
        now: u64,
    ) -> Admission {
        match judged {
            Judged::Pass(draft, share) => match Invocation::of(draft) {
                Ok(invocation) => {
                    let begin = |store: &dyn Store, call| store.begin(call);
                    let entered = self.enter(invocation, inner, now, begin);
                    Admission::Run(Box::new(Admitted { entered, share }))
                }
                Err(call) => {
                    let why = (ARGUMENTS, internal());
                    Admission::Answered(self.answer(&call, why, Value::Null, inner, now))
                }
            },
            Judged::Refused { draft, by, failure } => {
                Admission::Answered(self.refuse(draft, by, *failure, inner, now))
            }
            Judged::Known(draft, known) => Admission::Known(Box::new(draft.call), known),
            Judged::Twin(draft, of) => Admission::Twin(Box::new(draft.call), of),
            Judged::Repeat(draft, twin) => {
                let args = Arc::new(draft.shown_args().clone());
                let start = self.start(&draft.call, args, inner, now);
                Admission::Repeat(Box::new(Repeat { call: draft.call, start, twin }))
            }
            Judged::Ask(draft, share) => {
                self.ask(draft, share, std::mem::take(siblings), inner, now)
            }
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

    /// Takes a call that the person approved along every gate again. If it passes, `decided` is kept
    /// and the call enters the ledger as its question is taken.
    pub(crate) fn reconsider(
        self: &Arc<Self>,
        mut draft: Draft,
        question: &str,
        decided: impl FnOnce(&mut Inner),
    ) -> Reconsidered {
        let (mut inner, now) = (self.lock(), self.now());
        let mut desk = self.desk(&mut inner.memory, Counting::Kept, now);
        let (by, failure) = match policy::pass(&mut draft, &mut desk) {
            Passage::Known(known) => return Reconsidered::Known(Box::new(draft.call), known),
            Passage::Refused { by, failure } => (by, failure),
            Passage::Through | Passage::Ask | Passage::Repeats(_) => {
                let digest = draft.digest;
                if let Ok(invocation) = Invocation::of(draft.clone()) {
                    decided(&mut inner);
                    let begin =
                        |store: &dyn Store, call| store.begin_confirmed(question, now, call);
                    let entered = self.enter(invocation, &mut inner, now, begin);
                    return Reconsidered::Entered(Box::new(entered), digest);
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
        let key = draft.call.key.clone();
        let failure = Failure::new(ErrorType::ConfirmationRequired, HELD);
        let answered = self.refuse(draft, POLICY, failure, inner, now);
        inner.memory.refused.keep_persons(&key, &answered.answer);
        Admission::Answered(answered)
    }

    /// Answers a call that does not run, and records it.
    pub(crate) fn refuse(
        &self,
        mut draft: Draft,
        by: &'static str,
        failure: Failure,
        inner: &mut Inner,
        now: u64,
    ) -> Answered {
        draft.find_key(&inner.memory);
        if let Some(what) = draft.defect.take() {
            self.defect(&draft.call, what);
        }
        let args = draft.shown_args().clone();
        let answered = self.answer(&draft.call, (by, failure), args, inner, now);
        if draft.origin == Origin::Model {
            inner.memory.refused.keep(&draft.call, &answered.answer);
        }
        answered
    }

    fn answer(
        &self,
        call: &Identity,
        (by, failure): (&'static str, Failure),
        args: Value,
        inner: &Inner,
        now: u64,
    ) -> Answered {
        let outcome = Outcome::refused_by(by);
        let start = self.start(call, Arc::new(args), inner, now);
        let answer = Arc::new(failed(failure, self.stamp(call)));
        let recorded = self.core.store.record_refusal(start, outcome.clone(), answer.clone());
        self.tell_answered(call.entry.as_deref(), outcome, &answer);
        Answered { answer, recorded }
    }

    /// The call as the store knows it.
    pub(crate) fn start(
        &self,
        call: &Identity,
        args: Arc<Value>,
        inner: &Inner,
        now: u64,
    ) -> Arc<CallStart> {
        Arc::new(CallStart {
            scope: inner.memory.scope.clone(),
            tool: call.tool_stamp(),
            turn: inner.memory.turn,
            call_id: call.call_id.clone(),
            key: call.key.clone(),
            args: self.without_secrets(args),
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
