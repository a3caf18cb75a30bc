//! The facts that a record contains about its call, and those that it lacks.

use aileron_contract::redact::REDACTED;
use aileron_contract::{AuditEntry, AuditRecord, ErrorType, Outcome};
use serde_json::Value;

use super::report::ReplayDecision;
use crate::candidate::CallOrigin;
use crate::confirmation::HELD;
use crate::key;
use crate::policy::{Basis, PolicyName};

const NOT_IN_RECORD: &str = "what the policy went by is not in the record; taken as it was";
const WAITED: &str = "it waited for another call of its message; taken as it was";
const LEFT_OUT: &str = "its arguments were too large for the record; taken as it was";
const HIDDEN: &str = "arguments are redacted in the record; only the rest of them was judged";

/// The order in which calls are evaluated. The calls of one message have the same time and are
/// recorded when they end; a refusal that depended on the others comes after them.
pub(super) fn order(record: &AuditRecord) -> (u64, u64, bool, u64) {
    let entry = &record.entry;
    let went_by_others = match &entry.outcome {
        Outcome::Refused(policy) => basis(policy) == Some(Basis::EarlierCalls),
        _ => false,
    };
    (entry.turn, entry.time, went_by_others, record.seq)
}

/// The recorded decision.
pub(super) fn decided(entry: &AuditEntry) -> ReplayDecision {
    match &entry.outcome {
        Outcome::Refused(policy) if asked(policy, entry) => ReplayDecision::Ask,
        Outcome::Refused(policy) => ReplayDecision::Refuse {
            policy: policy.to_string(),
            error: entry.error,
            message: message(entry).map(str::to_owned),
        },
        Outcome::Replayed => ReplayDecision::Refuse {
            policy: "duplicates".to_owned(),
            error: entry.error,
            message: message(entry).map(str::to_owned),
        },
        Outcome::Denied | Outcome::Superseded => ReplayDecision::Denied,
        Outcome::Completed
        | Outcome::Cancelled
        | Outcome::TimedOut
        | Outcome::Panicked
        | Outcome::ProcessDied => ReplayDecision::Run { clamped: Vec::new() },
    }
}

fn asked(policy: &str, entry: &AuditEntry) -> bool {
    policy == "confirmation" && entry.error == Some(ErrorType::ConfirmationRequired)
}

/// The message of an error; `None` for arguments that could not be parsed, which are not recorded.
fn message(entry: &AuditEntry) -> Option<&str> {
    let readable = !entry.args.is_null();
    entry.result.as_ref()?.get("message")?.as_str().filter(|_| readable)
}

/// Why the decision is not evaluated again, if it is not.
pub(super) fn undecidable(entry: &AuditEntry, then: &ReplayDecision) -> Option<&'static str> {
    if entry.args.as_str().is_some_and(|args| args.starts_with("[left out: ")) {
        return Some(LEFT_OUT);
    }
    match then {
        ReplayDecision::Ask if message(entry) == Some(HELD) => Some(WAITED),
        ReplayDecision::Refuse { policy, .. } if policy == "confirmation" || !is_judged(policy) => {
            Some(NOT_IN_RECORD)
        }
        _ => None,
    }
}

/// The facts a recorded policy decides by; `None` for one that does not exist any more.
fn basis(policy: &str) -> Option<Basis> {
    PolicyName::parse(policy).map(|name| name.row().basis)
}

fn is_judged(policy: &str) -> bool {
    basis(policy).is_some_and(|basis| basis != Basis::Unrecorded)
}

/// A doubt about every decision that depends on redacted arguments.
pub(super) fn hidden(entry: &AuditEntry) -> Option<&'static str> {
    has_hidden(&entry.args).then_some(HIDDEN)
}

/// Arguments are shallow, so recursion is safe.
fn has_hidden(value: &Value) -> bool {
    match value {
        Value::String(text) => text == REDACTED,
        Value::Array(items) => items.iter().any(has_hidden),
        Value::Object(members) => members.values().any(has_hidden),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// The origin of the call, from its id.
pub(super) fn origin(entry: &AuditEntry) -> CallOrigin {
    let id = entry.call_id.as_str();
    match (key::is_approved(id), id.contains('.')) {
        (true, true) => CallOrigin::Released,
        (true, false) => CallOrigin::Approved,
        (false, _) => CallOrigin::Model,
    }
}
