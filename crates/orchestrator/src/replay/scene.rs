//! The conversation of a replay: its policy state, updated by each decision.

use aileron_contract::redact::REDACTED;
use aileron_contract::spec::Permissions;
use aileron_contract::{Arguments, AuditEntry, AuditRecord, Outcome, ToolCall};
use aileron_store::{MemoryStore, Store};
use serde_json::Value;

use super::record;
use super::report::{ReplayDecision, ReplayedCall};
use crate::admission::{Admission, Decision, Refusal, Reservation};
use crate::candidate::CandidateCall;
use crate::config::Config;
use crate::confirmation::Confirmations;
use crate::history::CallEnd;
use crate::person::Person;
use crate::policy::{BatchCounts, PolicyName, StoreView};
use crate::policy_state::PolicyState;
use crate::task::RunningTasks;
use crate::toolset::Toolset;

const PERMITTED: &str =
    "the tool needs permissions, and whether the person has them is not in the record";
const USER_UNKNOWN: &str = "a condition reads `user`, of whom the record has the id alone";
const NO_RESULT: &str = "it did not run then, so its result is not known; it counts as a success";

pub(super) struct ReplayScene<'a> {
    toolset: &'a Toolset,
    config: &'a Config,
    person: Person,
    user: Value,
    policy: PolicyState,
    /// Empty, so that no call is known and no person is blocked.
    store: MemoryStore,
    /// Empty as well.
    tasks: RunningTasks,
}

impl<'a> ReplayScene<'a> {
    /// A conversation like that of the record, before its first turn.
    pub(super) fn new(entry: &AuditEntry, toolset: &'a Toolset, config: &'a Config) -> Self {
        let person = Person { id: entry.user.clone(), ..Person::default() };
        Self {
            policy: PolicyState::begin(
                (entry.conversation.clone(), entry.mode),
                &person,
                toolset.registry().version(),
            ),
            toolset,
            config,
            user: person.view(),
            person,
            store: MemoryStore::new(),
            tasks: RunningTasks::default(),
        }
    }

    /// Evaluates a recorded call.
    pub(super) fn call(&mut self, record: &AuditRecord) -> ReplayedCall {
        let entry = &record.entry;
        self.enter_turn(entry.turn);
        self.policy.state.move_to(entry.mode);
        self.policy.update_mode();
        let then = record::decided(entry);
        let candidate = self.candidate(entry);
        let mut doubts = self.doubts(entry, &candidate);
        let undecidable = record::undecidable(entry, &then);
        let now = match undecidable {
            Some(_) => self.as_then(&candidate, entry, &then),
            None if then == ReplayDecision::Denied => ReplayDecision::Denied,
            None => self.decide(candidate, entry),
        };
        doubts.extend(undecidable);
        let ran = |decided: &ReplayDecision| matches!(decided, ReplayDecision::Run { .. });
        doubts.extend((ran(&now) && !ran(&then)).then_some(NO_RESULT));
        ReplayedCall {
            seq: record.seq,
            turn: entry.turn,
            time: entry.time,
            call_id: entry.call_id.clone(),
            tool_id: entry.tool_id.clone(),
            outcome: entry.outcome.clone(),
            differs: now.differs_from(&then),
            then,
            now,
            doubts,
        }
    }

    fn enter_turn(&mut self, turn: u64) {
        if turn > self.policy.turn {
            self.policy.turn = turn - 1;
            let keep = self.config.loops.history_turns;
            self.policy.begin_turn(keep, self.policy.turn_began);
        }
    }

    fn candidate(&self, entry: &AuditEntry) -> CandidateCall {
        let call = ToolCall {
            call_id: entry.call_id.clone(),
            tool_id: entry.tool_id.clone(),
            args: Arguments::Value(entry.args.clone()),
        };
        let mut candidate = CandidateCall::new(call, self.toolset);
        if let Err(rejected) = &candidate.args
            && !rejected.faults.is_empty()
            && rejected.faults.iter().all(|fault| is_hidden(&rejected.args, fault.pointer))
        {
            candidate.args = Ok(rejected.args.clone());
        }
        let origin = record::origin(entry);
        candidate.keyed(entry.call_id.as_str().into(), origin)
    }

    fn doubts(&self, entry: &AuditEntry, candidate: &CandidateCall) -> Vec<&'static str> {
        let spec = candidate.spec();
        let scopes = permissions(candidate).is_some_and(|needed| !needed.scopes.is_empty());
        let conditions = spec.into_iter().flat_map(|spec| {
            let available = spec.availability.as_ref().map(|it| it.condition.as_str());
            let confirm = spec.confirmation.as_ref().and_then(|it| it.when.as_deref());
            available.into_iter().chain(confirm)
        });
        let reads_user = conditions.into_iter().any(|condition| condition.contains("user"));
        let doubts = [
            record::hidden(entry).filter(|_| spec.is_some()),
            scopes.then_some(PERMITTED),
            reads_user.then_some(USER_UNKNOWN),
        ];
        doubts.into_iter().flatten().collect()
    }

    /// A call that is not evaluated has the same effect on the state as recorded.
    fn as_then(
        &mut self,
        candidate: &CandidateCall,
        entry: &AuditEntry,
        then: &ReplayDecision,
    ) -> ReplayDecision {
        match then {
            ReplayDecision::Run { .. } => self.count(candidate, CallEnd::recorded(entry)),
            ReplayDecision::Ask => self.count(candidate, CallEnd::Succeeded),
            ReplayDecision::Refuse { policy, .. }
                if PolicyName::parse(policy).is_some_and(PolicyName::counts_refused) =>
            {
                self.count(candidate, CallEnd::Succeeded);
            }
            ReplayDecision::Refuse { .. } if entry.outcome == Outcome::Replayed => {
                self.policy.count_replayed(candidate);
            }
            ReplayDecision::Refuse { .. } | ReplayDecision::Denied => {}
        }
        then.clone()
    }

    fn count(&mut self, candidate: &CandidateCall, ended: CallEnd) {
        let place = self.policy.count(candidate);
        self.policy.history.end(place, ended);
    }

    fn count_rate(&self, candidate: &CandidateCall, entry: &AuditEntry) {
        if let Some(counter) = candidate.rate.as_deref() {
            // The policy found room just before, and a store in memory counts at once.
            drop(self.store.count_call(counter, entry.time));
        }
    }

    fn decide(&mut self, candidate: CandidateCall, entry: &AuditEntry) -> ReplayDecision {
        let refused = entry.outcome == Outcome::refused_by(PolicyName::Permission.as_str());
        let given = permissions(&candidate).filter(|_| !refused);
        self.person.scopes = given.map(|needed| needed.scopes.clone()).unwrap_or_default();
        let admission = Admission {
            now: entry.time,
            config: self.config,
            person: &self.person,
            user: &self.user,
            toolset: self.toolset,
            confirmations: &Confirmations::default(),
            ledger: &StoreView { store: &self.store, tasks: &self.tasks },
        };
        let decided = admission.evaluate(candidate, &mut self.policy, &mut BatchCounts::default());
        match decided.decision {
            Decision::Run(Reservation(place)) => {
                self.count_rate(&decided.call, entry);
                let ran = matches!(record::decided(entry), ReplayDecision::Run { .. });
                let end = if ran { CallEnd::recorded(entry) } else { CallEnd::Succeeded };
                self.policy.history.end(place, end);
                ReplayDecision::Run { clamped: decided.call.clamped }
            }
            Decision::Ask(Reservation(place)) | Decision::Hold(Reservation(place)) => {
                self.policy.history.end(place, CallEnd::Succeeded);
                ReplayDecision::Ask
            }
            Decision::Refuse(Refusal { by, failure, .. }) => ReplayDecision::Refuse {
                policy: by.to_string(),
                error: Some(failure.kind),
                message: Some(failure.message),
            },
            // The store is empty, so no call is a duplicate.
            Decision::Replay(..) => record::decided(entry),
        }
    }
}

fn permissions(candidate: &CandidateCall) -> Option<&Permissions> {
    candidate.spec().and_then(|spec| spec.permissions.as_ref())
}

/// Whether a fault is about a value that the record hides.
fn is_hidden(args: &Value, pointer: &str) -> bool {
    args.pointer(pointer).and_then(Value::as_str) == Some(REDACTED)
}
