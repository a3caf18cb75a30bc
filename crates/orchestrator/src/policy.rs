//! The policies that a call passes before it may run.
//!
//! A policy checks one call against the conversation, and passes the call, refuses it, finds that
//! it is a duplicate, or asks the person. No policy calls another; a policy that panics refuses the
//! call.
//! The table of names is in `policy/name.rs`, the order in `policy/order.rs`.

mod arguments;
mod availability;
mod budgets;
mod clamp;
mod confirmation;
mod context;
mod conversation_state;
mod duplicates;
mod known_tool;
mod loops;
mod mode;
mod name;
mod order;
mod permission;
mod rate_limit;
mod result;
mod tasks;

pub(crate) use context::{BatchCounts, LedgerView, PolicyContext, StoreView};
pub(crate) use name::Basis;
pub use name::PolicyName;
pub(crate) use order::{ORDER, check, is_offered};
pub(crate) use rate_limit::refusal_if_not_counted;
pub(crate) use result::{PolicyAnswer, PolicyMeasure};

/// The names of the policies that every call meets, in order, as in audit records.
pub fn names() -> impl Iterator<Item = &'static str> {
    ORDER.iter().map(|policy| policy.name.as_str())
}

#[cfg(test)]
#[path = "policy_tests.rs"]
mod tests;
