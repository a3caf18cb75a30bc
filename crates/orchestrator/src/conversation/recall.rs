//! What was called in a turn that a restart cut in two, from the audit log: budgets and loops go on
//! where they were, as far as the records tell. Hidden arguments count as equal.

use aileron_contract::spec::Category;
use aileron_contract::{AuditEntry, Outcome};
use aileron_store::{AuditFilter, Store, StoreError};

use super::Memory;
use crate::draft::digest;
use crate::history::Ended;
use crate::key;
use crate::toolset::Toolset;

/// More calls than any budget allows in a turn.
const MOST: usize = 1000;

/// Counts the calls of the current turn again.
pub(super) fn recall(
    store: &dyn Store,
    toolset: &Toolset,
    memory: &mut Memory,
) -> Result<(), StoreError> {
    let filter = AuditFilter {
        since: Some(memory.turn_began),
        conversation: Some(memory.scope.conversation.clone()),
        ..AuditFilter::default()
    };
    memory.history.begin(memory.turn, 1);
    for record in store.audit(filter).take(MOST) {
        let entry = record?.entry;
        if entry.turn == memory.turn && was_counted(&entry) {
            count(&entry, toolset, memory);
        }
    }
    Ok(())
}

/// Calls that ran, and calls the person was asked about, but not those again when they were approved.
fn was_counted(entry: &AuditEntry) -> bool {
    let was_let_through = match &entry.outcome {
        Outcome::Refused(policy) => policy == "confirmation",
        Outcome::Denied | Outcome::Superseded => false,
        Outcome::Completed | Outcome::Cancelled | Outcome::TimedOut => true,
        Outcome::Panicked | Outcome::ProcessDied => true,
    };
    was_let_through && !key::is_approved(entry.call_id.as_str())
}

fn count(entry: &AuditEntry, toolset: &Toolset, memory: &mut Memory) {
    let spec = toolset.entry(&entry.tool_id).map(|tool| tool.spec());
    let is_retrieval = spec.is_some_and(|spec| spec.category == Category::Retrieval);
    memory.usage.total += 1;
    memory.usage.retrieval += u32::from(is_retrieval);
    memory.history.push(&entry.tool_id, digest(&entry.args), Ended::recorded(entry));
}
