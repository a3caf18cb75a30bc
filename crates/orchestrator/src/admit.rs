//! Admission: the calls of one message are judged together, under the
//! conversation's lock and without waiting, before any of them runs.

use std::collections::HashMap;
use std::sync::Arc;

use aileron_contract::envelope::Failure;
use aileron_contract::spec::OnInterrupt;
use aileron_contract::{ErrorType, Outcome, ToolCall, ToolResponse, ToolSpec};
use aileron_runtime::envelope::{Stamp, failed};
use aileron_store::{Begun, CallStart, Commit, Known};

use crate::ask::{Asked, HELD};
use crate::conversation::{Inner, Seat, Shared};
use crate::draft::Draft;
use crate::event::Event;
use crate::history::{Ended, Place};
use crate::policy::{self, Desk, Passage, Verdict};
use crate::question::Made;

/// The calls of one message, decided upon.
#[derive(Debug)]
pub(crate) struct Batch(pub(crate) Vec<Admission>);

/// What was decided about one call.
#[derive(Debug)]
pub(crate) enum Admission {
    Run(Box<Admitted>),
    /// A policy has answered, and the record is under way.
    Answered {
        answer: Arc<ToolResponse>,
        recorded: Commit<()>,
    },
    /// The person is asked.
    Asked(Box<Asked>),
    /// The same call was made before.
    Known(Box<Draft>, Known),
    /// The same call was made before and waits for the person, or waited in vain.
    Waits(Box<Draft>, Box<Failure>),
    /// The same call stands earlier in this message, at this place.
    Twin(Box<Draft>, usize),
}

/// A call that may run.
#[derive(Debug)]
pub(crate) struct Admitted {
    pub(crate) draft: Draft,
    pub(crate) start: Arc<CallStart>,
    pub(crate) begun: Commit<Begun>,
    pub(crate) seat: Seat,
    pub(crate) place: Place,
}

/// What the policies said of a call, before it is known what that means for the others.
enum Judged {
    Pass(Draft, Place),
    Ask(Draft, Place),
    Stopped { draft: Draft, by: &'static str, failure: Box<Failure> },
    Known(Draft, Known),
    Waits(Draft, Box<Failure>),
    Twin(Draft, usize),
}

impl Judged {
    /// The call, if it has to wait while the person is asked about another one.
    fn waiting_call(&self) -> Option<Made> {
        match self {
            Self::Pass(draft, _) if draft.writes() => Some(draft.as_made()),
            Self::Ask(draft, _) => Some(draft.as_made()),
            Self::Pass(..) | Self::Stopped { .. } | Self::Known(..) => None,
            Self::Waits(..) | Self::Twin(..) => None,
        }
    }
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
        let judged = self.judge_all(drafts, &mut inner, now);
        Batch(self.decide_all(judged, &mut inner, now))
    }

    fn judge_all(&self, drafts: Vec<Draft>, inner: &mut Inner, now: u64) -> Vec<Judged> {
        let mut places = HashMap::new();
        let is_alone = drafts.len() == 1;
        let judge = |(at, mut draft): (usize, Draft)| {
            if is_alone {
                return self.judge(draft, inner, now);
            }
            let first = *places.entry(draft.key(&inner.memory)).or_insert(at);
            if first == at { self.judge(draft, inner, now) } else { Judged::Twin(draft, first) }
        };
        drafts.into_iter().enumerate().map(judge).collect()
    }

    fn judge(&self, mut draft: Draft, inner: &mut Inner, now: u64) -> Judged {
        let passage = policy::pass(&mut draft, &mut self.desk(inner, now));
        match passage {
            Passage::Through => {
                let place = inner.memory.count(&draft);
                Judged::Pass(draft, place)
            }
            Passage::Stopped { verdict: Verdict::Ask, .. } => {
                let place = inner.memory.count(&draft);
                Judged::Ask(draft, place)
            }
            Passage::Stopped { verdict: Verdict::Known(known), .. } => Judged::Known(draft, known),
            Passage::Stopped { verdict: Verdict::Waits(failure), .. } => {
                Judged::Waits(draft, failure)
            }
            Passage::Stopped { verdict: Verdict::Refuse(failure), by } => {
                self.take_back(&draft, &failure, inner);
                Judged::Stopped { draft, by, failure }
            }
            Passage::Stopped { verdict: Verdict::Pass, by } => {
                let failure = Box::new(Failure::new(ErrorType::Internal, "a rule did not decide"));
                Judged::Stopped { draft, by, failure }
            }
        }
    }

    fn desk<'a>(&'a self, inner: &'a mut Inner, now: u64) -> Desk<'a> {
        Desk {
            now,
            mode: self.mode,
            config: &self.core.config,
            person: &self.person,
            toolset: &self.toolset,
            memory: &mut inner.memory,
            rates: &self.core.rates,
            store: &self.core.store,
        }
    }

    /// A refused call is not counted; one whose arguments do not fit is remembered as a failure.
    fn take_back(&self, draft: &Draft, failure: &Failure, inner: &mut Inner) {
        if let Some(whose) = &draft.rate {
            self.core.rates.give_back(whose);
        }
        if failure.kind == ErrorType::Validation {
            let ended = Ended::failed(failure);
            inner.memory.history.push(&draft.tool_id, draft.digest, ended);
        }
    }

    /// While one write waits for the person, the other writes of the message wait with it.
    fn decide_all(
        self: &Arc<Self>,
        judged: Vec<Judged>,
        inner: &mut Inner,
        now: u64,
    ) -> Vec<Admission> {
        let Some(asking) = judged.iter().position(|one| matches!(one, Judged::Ask(..))) else {
            return judged.into_iter().map(|one| self.decide(one, inner, now)).collect();
        };
        let others = judged.iter().enumerate().filter(|(at, _)| *at != asking);
        let mut siblings: Vec<_> = others.filter_map(|(_, one)| one.waiting_call()).collect();
        let decide = |(at, one): (usize, Judged)| match one {
            Judged::Ask(draft, place) if at == asking => {
                self.ask(draft, place, std::mem::take(&mut siblings), inner, now)
            }
            one if one.waiting_call().is_some() => self.hold(one, inner, now),
            one => self.decide(one, inner, now),
        };
        judged.into_iter().enumerate().map(decide).collect()
    }

    fn decide(self: &Arc<Self>, judged: Judged, inner: &mut Inner, now: u64) -> Admission {
        match judged {
            Judged::Pass(draft, place) => self.enter(draft, place, inner, now),
            Judged::Stopped { draft, by, failure } => self.refuse(draft, by, *failure, inner, now),
            Judged::Known(draft, known) => Admission::Known(Box::new(draft), known),
            Judged::Waits(draft, failure) => Admission::Waits(Box::new(draft), failure),
            Judged::Twin(draft, of) => Admission::Twin(Box::new(draft), of),
            Judged::Ask(draft, place) => self.ask(draft, place, Vec::new(), inner, now),
        }
    }

    fn enter(
        self: &Arc<Self>,
        mut draft: Draft,
        place: Place,
        inner: &mut Inner,
        now: u64,
    ) -> Admission {
        let start = Arc::new(self.start_of(&mut draft, inner, now));
        let on_interrupt = draft.spec().map_or(OnInterrupt::Cancel, ToolSpec::on_interrupt);
        let seat = Seat::take(self, inner, draft.call_id.clone(), on_interrupt);
        let begun = self.core.store.begin(start.clone());
        Admission::Run(Box::new(Admitted { draft, start, begun, seat, place }))
    }

    fn hold(self: &Arc<Self>, judged: Judged, inner: &mut Inner, now: u64) -> Admission {
        match judged {
            Judged::Pass(draft, place) | Judged::Ask(draft, place) => {
                inner.memory.history.end(place, Ended::Well);
                let failure = Failure::new(ErrorType::ConfirmationRequired, HELD);
                self.refuse(draft, "confirmation", failure, inner, now)
            }
            other => self.decide(other, inner, now),
        }
    }

    /// Answers a call that does not run, and records it.
    pub(crate) fn refuse(
        &self,
        draft: Draft,
        by: &'static str,
        failure: Failure,
        inner: &mut Inner,
        now: u64,
    ) -> Admission {
        let (answer, recorded) = self.refused(draft, by, failure, inner, now);
        Admission::Answered { answer, recorded }
    }

    pub(crate) fn refused(
        &self,
        mut draft: Draft,
        by: &'static str,
        failure: Failure,
        inner: &mut Inner,
        now: u64,
    ) -> (Arc<ToolResponse>, Commit<()>) {
        let outcome = Outcome::refused_by(by);
        let start = Arc::new(self.start_of(&mut draft, inner, now));
        let answer = Arc::new(failed(failure, self.stamp(&draft)));
        let recorded = self.core.store.record_refusal(start, outcome.clone(), answer.clone());
        self.tell_refused(&draft, outcome, &answer);
        (answer, recorded)
    }

    fn tell_refused(&self, draft: &Draft, outcome: Outcome, answer: &ToolResponse) {
        if let Some(what) = &draft.defect {
            let (call_id, tool) = (draft.call_id.clone(), draft.tool_id.clone());
            self.tell(|| Event::Defect { call_id, tool, what: what.clone() });
        }
        self.tell_answered(draft.entry.as_deref(), outcome, answer);
    }

    pub(crate) fn start_of(&self, draft: &mut Draft, inner: &Inner, now: u64) -> CallStart {
        CallStart {
            scope: inner.memory.scope.clone(),
            tool: draft.stamp(),
            turn: inner.memory.turn,
            call_id: draft.call_id.clone(),
            key: draft.key(&inner.memory),
            args: Arc::new(draft.shown_args().clone()),
            time: now,
        }
    }

    /// What the answer to a call that did not run says about it.
    pub(crate) fn stamp<'a>(&'a self, draft: &'a Draft) -> Stamp<'a> {
        Stamp {
            tool_id: &draft.tool_id,
            tool_version: draft.entry.as_ref().map(|entry| entry.version.as_str()),
            registry_version: self.toolset.registry().version(),
            call_id: &draft.call_id,
            duration_ms: 0,
            attempts: 0,
            clamped: Vec::new(),
            over_budget: false,
        }
    }
}
