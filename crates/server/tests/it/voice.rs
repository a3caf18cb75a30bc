//! Voice, with a client and a provider that do as the test tells them.

mod bad_input;
mod barge_in;
mod calls;
pub(crate) mod client;
mod confirmation;
mod crowd;
mod door;
mod endings;
mod ground;
mod mending;
mod metrics;
mod offline;
mod opening;
mod overdue;
mod provider;
mod random;
mod simulated;
mod speech;
mod stage;
mod storms;
mod tasks;
mod upstream;
