//! The inputs of a session.

use aileron_contract::transport::{DeferredInput, ProviderEvent};

use super::TimerId;

/// An input of a session.
#[derive(Debug, Clone, Copy)]
pub enum SessionInput<'a> {
    /// Start the session.
    Begin,
    /// The protocol emitted an event. `Closed` is one of them, also where no connection was made.
    Event(&'a ProviderEvent),
    /// Inputs to send together, now or once there is a connection.
    Hold(&'a [DeferredInput]),
    /// This wait is over.
    Waited(TimerId),
    /// The core ends the session.
    End,
}
