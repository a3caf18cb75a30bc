//! The inputs of a session.

use aileron_contract::transport::{DeferredInput, ProviderEvent};

use super::TimerId;

/// What happened.
#[derive(Debug, Clone, Copy)]
pub enum SessionInput<'a> {
    /// The conversation begins.
    Begin,
    /// The protocol reported something. `Closed` is one of these, also where no connection was made.
    Event(&'a ProviderEvent),
    /// What is to be told to the provider when it can be, together.
    Hold(&'a [DeferredInput]),
    /// The time of this wait is over.
    Waited(TimerId),
    /// The core wants to end it.
    End,
}
