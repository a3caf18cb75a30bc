//! Admission: the decision about every call of one batch. A pure function of the conversation's policy
//! state, its open confirmations, the calls, the toolset and the time; `pipeline` acts on the decisions,
//! a dry run, a replay and an approval ask for the same ones.

use std::sync::Arc;

use aileron_contract::envelope::Failure;
use aileron_store::CallContent;
use serde_json::Value;

use crate::candidate::{CandidateCall, Duplicate};
use crate::config::Config;
use crate::confirmation::Confirmations;
use crate::history::HistoryIndex;
use crate::person::Person;
use crate::policy::{
    self, BatchCounts, LedgerView, ORDER, PolicyAnswer, PolicyContext, PolicyName,
};
use crate::policy_state::PolicyState;
use crate::toolset::Toolset;
use crate::trail::Trail;

/// The decision about one call.
#[derive(Debug)]
pub enum Decision {
    /// It passed every policy.
    Run(Reservation),
    /// The person is asked first. At most one call of a batch.
    Ask(Reservation),
    /// It waits while the person is asked about another call of the batch.
    Hold(Reservation),
    Refuse(Refusal),
    /// It is answered with the answer of another call.
    Replay(Duplicate, Delivery),
}

/// The reservation of an admitted call: its place in the history, and with it its part of the budget.
#[derive(Debug, Clone, Copy)]
pub struct Reservation(pub(crate) HistoryIndex);

/// Why a call does not run.
#[derive(Debug)]
pub struct Refusal {
    pub by: PolicyName,
    pub failure: Box<Failure>,
    pub finality: Finality,
}

/// Whether a refusal is the answer to its call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finality {
    /// If the call is delivered again, it gets the same refusal.
    Final,
    /// If the call is delivered again, it is decided about again.
    Provisional,
}

/// How a call relates to the one that it is answered from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// It is the same call, delivered again, and already has a record.
    SameCall,
    /// It is a call with the same content under another id, and has a separate record.
    NewId,
}

impl Decision {
    /// The decision as a dry run names it.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Run(_) => "run",
            Self::Ask(_) => "ask",
            Self::Hold(_) => "hold",
            Self::Refuse(_) => "refuse",
            Self::Replay(..) => "replay",
        }
    }
}

/// One call of a batch, decided upon.
#[derive(Debug)]
pub(crate) struct DecidedCall {
    pub(crate) call: CandidateCall,
    pub(crate) decision: Decision,
    /// Every policy that the call met.
    pub(crate) trail: Trail,
}

/// Everything that decisions depend on, apart from the calls and the policy state.
#[derive(Clone, Copy)]
pub(crate) struct Admission<'a> {
    pub(crate) now: u64,
    pub(crate) config: &'a Config,
    pub(crate) person: &'a Person,
    /// The person as conditions see them.
    pub(crate) user: &'a Value,
    pub(crate) toolset: &'a Toolset,
    pub(crate) confirmations: &'a Confirmations,
    pub(crate) ledger: &'a dyn LedgerView,
}

impl Admission<'_> {
    /// Decides about the calls of one batch, in their order, and counts them in the policy state.
    pub(crate) fn evaluate_batch(
        &self,
        calls: Vec<CandidateCall>,
        state: &mut PolicyState,
    ) -> Vec<DecidedCall> {
        let mut counts = BatchCounts::default();
        let mut decided: Vec<DecidedCall> = Vec::with_capacity(calls.len());
        let mut keys = BatchKeys::default();
        for (at, mut call) in calls.into_iter().enumerate() {
            state.assign_key(&mut call);
            let mut first = keys.first(&call, at);
            if let Some(other) = decided.get(first).and_then(|named| other_content(&call, named)) {
                call.tell_apart(other);
                first = keys.first(&call, at);
            }
            let one = match decided.get(first) {
                Some(same) if !is_new_id(&call, &same.call, state) => {
                    let decision =
                        Decision::Replay(Duplicate::EarlierInBatch(first), Delivery::SameCall);
                    DecidedCall { call, decision, trail: Trail::default() }
                }
                // A refused call does not answer another one: the other is decided about
                // separately.
                Some(same) if !matches!(same.decision, Decision::Refuse(_)) => {
                    call.duplicate_of = Some(Duplicate::EarlierInBatch(first));
                    self.evaluate(call, state, &mut counts)
                }
                Some(_) | None => self.evaluate(call, state, &mut counts),
            };
            decided.push(one);
        }
        hold_behind_confirmation(&mut decided);
        decided
    }

    /// Decides about one call, and counts it.
    pub(crate) fn evaluate(
        &self,
        mut call: CandidateCall,
        state: &mut PolicyState,
        counts: &mut BatchCounts,
    ) -> DecidedCall {
        let mut trail = Trail::default();
        let decision = match self.first_objection(&mut call, state, counts, &mut trail) {
            None | Some((_, PolicyAnswer::Pass)) => match call.duplicate_of.take() {
                None => Decision::Run(reserve(&call, state, counts)),
                Some(duplicate) => {
                    state.count_replayed(&call);
                    Decision::Replay(duplicate, Delivery::NewId)
                }
            },
            Some((_, PolicyAnswer::Ask)) => Decision::Ask(reserve(&call, state, counts)),
            Some((_, PolicyAnswer::Duplicate(known))) => {
                Decision::Replay(Duplicate::Stored(known), Delivery::SameCall)
            }
            Some((by, PolicyAnswer::Refuse(failure))) => {
                state.count_refused(&call, by, &failure);
                Decision::Refuse(Refusal { by, failure, finality: Finality::Final })
            }
            Some((by, PolicyAnswer::Undecided(failure))) => {
                state.count_refused(&call, by, &failure);
                Decision::Refuse(Refusal { by, failure, finality: Finality::Provisional })
            }
        };
        DecidedCall { call, decision, trail }
    }

    /// Asks the policies in their order, up to the first that does not pass the call.
    fn first_objection(
        &self,
        call: &mut CandidateCall,
        state: &PolicyState,
        counts: &BatchCounts,
        trail: &mut Trail,
    ) -> Option<(PolicyName, PolicyAnswer)> {
        let context = self.context(state, counts);
        for policy in &ORDER {
            let result = policy::check(policy, call, &context);
            trail.push(policy.name, result.step(), result.measure);
            if !matches!(result.answer, PolicyAnswer::Pass) {
                return Some((policy.name, result.answer));
            }
        }
        None
    }

    /// Whether a tool may be offered to the model.
    pub(crate) fn offers(&self, mut call: CandidateCall, state: &PolicyState) -> bool {
        policy::is_offered(&mut call, &self.context(state, &BatchCounts::default()))
    }

    fn context<'a>(&'a self, state: &'a PolicyState, counts: &'a BatchCounts) -> PolicyContext<'a> {
        PolicyContext {
            now: self.now,
            mode: state.mode(),
            config: self.config,
            person: self.person,
            user: self.user,
            toolset: self.toolset,
            state,
            confirmations: self.confirmations,
            counts,
            ledger: self.ledger,
        }
    }
}

fn reserve(call: &CandidateCall, state: &mut PolicyState, counts: &mut BatchCounts) -> Reservation {
    call.rate.iter().for_each(|counter| counts.add(counter));
    if call.is_background() {
        counts.add_task();
    }
    Reservation(state.count(call))
}

/// The keys that the calls of a batch came with: a policy may change the key of a call. A batch is
/// short, so that searching a list is faster than a map.
#[derive(Default)]
struct BatchKeys(Vec<(Arc<str>, usize)>);

impl BatchKeys {
    /// The index of the first call that has the key of this one, which is at `at`.
    fn first(&mut self, call: &CandidateCall, at: usize) -> usize {
        let key = &call.call.key;
        if let Some((_, first)) = self.0.iter().find(|(other, _)| other == key) {
            return *first;
        }
        self.0.push((key.clone(), at));
        at
    }
}

/// The content of an earlier call of the batch with the same id, if its content differs.
fn other_content(call: &CandidateCall, named: &DecidedCall) -> Option<CallContent> {
    if !call.has_provider_key() {
        return None;
    }
    Some(named.call.content()).filter(|content| *content != call.content())
}

/// Whether a call has the same content as an earlier one of its batch, under another id.
fn is_new_id(call: &CandidateCall, same: &CandidateCall, state: &PolicyState) -> bool {
    same.call.call_id != call.call.call_id && state.is_new_id_of_same_call(call)
}

/// While the person is asked about one call, the other writes of its batch wait with it.
fn hold_behind_confirmation(decided: &mut [DecidedCall]) {
    let asks = |one: &DecidedCall| matches!(one.decision, Decision::Ask(_));
    let Some(asking) = decided.iter().position(asks) else { return };
    for (at, one) in decided.iter_mut().enumerate() {
        match one.decision {
            Decision::Ask(reservation) if at != asking => {
                one.decision = Decision::Hold(reservation);
            }
            Decision::Run(reservation) if one.call.call.writes() => {
                one.decision = Decision::Hold(reservation);
            }
            _ => {}
        }
    }
}
