//! Restores the calls of a turn that a restart interrupted from the audit log, so that budgets and
//! loop detection continue. Limited to what records contain: hidden arguments count as equal.

use std::collections::HashSet;

use aileron_contract::spec::{Category, SideEffects};
use aileron_contract::{AuditEntry, ErrorType, Outcome};
use aileron_store::{AuditFilter, Store, StoreError};

use crate::candidate::digest;
use crate::history::CallEnd;
use crate::key;
use crate::policy::PolicyName;
use crate::policy_state::PolicyState;
use crate::toolset::Toolset;

/// More calls than any budget allows in a turn.
const MAX_RECORDS: usize = 1000;

/// The effect of a restored call on the policy state.
enum Restored {
    Nothing,
    /// An entry in the history.
    Trace(CallEnd),
    /// An entry in the history, and a part of the budget.
    Use(CallEnd),
}

/// Counts the calls of the current turn again.
pub(super) fn restore_turn(
    store: &dyn Store,
    toolset: &Toolset,
    policy: &mut PolicyState,
) -> Result<(), StoreError> {
    let filter = AuditFilter {
        since: Some(policy.turn_began),
        conversation: Some(policy.scope.conversation.clone()),
        ..AuditFilter::default()
    };
    policy.history.begin(policy.turn, 1);
    // Read before the records: a call that ends in between then has a record.
    let unfinished = store.unfinished_calls(&policy.scope.conversation)?;
    let mut recorded = HashSet::new();
    for record in store.audit(filter).take(MAX_RECORDS) {
        let entry = record?.entry;
        if entry.turn == policy.turn {
            take_up(&entry, left(&entry, toolset), toolset, policy);
            recorded.insert(entry.call_id);
        }
    }
    let is_running =
        |entry: &&AuditEntry| entry.turn == policy.turn && !recorded.contains(&entry.call_id);
    let running: Vec<_> = unfinished.iter().filter(is_running).collect();
    for entry in running {
        take_up(entry, Restored::Use(CallEnd::Running), toolset, policy);
    }
    Ok(())
}

fn take_up(entry: &AuditEntry, left: Restored, toolset: &Toolset, policy: &mut PolicyState) {
    let ended = match left {
        Restored::Nothing => return,
        Restored::Trace(ended) => ended,
        // It was counted when it was made.
        Restored::Use(ended) if key::is_approved(entry.call_id.as_str()) => ended,
        Restored::Use(ended) => {
            let spec = toolset.entry(&entry.tool_id).map(|tool| tool.spec());
            let is_retrieval = spec.is_some_and(|spec| spec.category == Category::Retrieval);
            policy.usage.total += 1;
            policy.usage.retrieval += u32::from(is_retrieval);
            ended
        }
    };
    let what = (entry.tool_id.as_str(), digest(&entry.args));
    let is_nameless = key::of_id(&entry.call_id).is_none();
    let content_key = is_nameless.then(|| (&entry.call_id, attempt(entry, what, policy)));
    policy.history.push((what.0.into(), what.1), content_key, ended);
}

/// The attempt number of the call. A call that was answered from a failed one belongs to the same
/// attempt as that one.
fn attempt(entry: &AuditEntry, what: (&str, u64), policy: &PolicyState) -> usize {
    let failures = policy.history.current().retryable_failures(what);
    let with_the_last =
        entry.outcome == Outcome::Replayed && CallEnd::recorded(entry).is_retryable();
    failures.saturating_sub(usize::from(with_the_last))
}

/// The same effect as admitting and settling the call. A read whose process died was never
/// answered: it is delivered again, which is not a repetition by the model.
fn left(entry: &AuditEntry, toolset: &Toolset) -> Restored {
    let spec = || toolset.entry(&entry.tool_id).map(|tool| tool.spec());
    match &entry.outcome {
        Outcome::ProcessDied
            if spec().is_some_and(|spec| spec.side_effects != SideEffects::Writes) =>
        {
            Restored::Nothing
        }
        Outcome::Refused(policy) if is_by(policy, PolicyName::Confirmation) => {
            Restored::Use(CallEnd::Succeeded)
        }
        Outcome::Refused(policy) if is_by(policy, PolicyName::Ledger) => {
            Restored::Use(CallEnd::Running)
        }
        Outcome::Refused(_) if entry.error == Some(ErrorType::Validation) => {
            Restored::Trace(CallEnd::recorded_invalid_arguments(entry))
        }
        Outcome::Refused(_) | Outcome::Denied | Outcome::Superseded => Restored::Nothing,
        Outcome::Replayed => Restored::Trace(CallEnd::Succeeded),
        Outcome::Completed | Outcome::Cancelled | Outcome::TimedOut => {
            Restored::Use(CallEnd::recorded(entry))
        }
        Outcome::Panicked | Outcome::ProcessDied => Restored::Use(CallEnd::recorded(entry)),
    }
}

fn is_by(recorded: &str, policy: PolicyName) -> bool {
    recorded == policy.as_str()
}
