//! The actions of a session: connections, waits, deliveries, and notices for the core.

use std::time::Duration;

use aileron_contract::transport::{DeferredInput, ProviderFault};

/// The id of a wait. A wait that was replaced is ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimerId(pub(super) u32);

/// An action.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Connect, and start with [`super::ProviderSession::setup`].
    Connect,
    /// Close the connection; ignore what it still sends.
    Disconnect,
    /// Send [`super::SessionInput::Waited`] after this time.
    Wait { wait: TimerId, delay: Duration },
    /// Send these inputs, in order.
    Deliver(Vec<DeferredInput>),
    /// Notify the core.
    Tell(ConnectionNotice),
}

/// A notice for the core.
#[derive(Debug, Clone, PartialEq)]
pub enum ConnectionNotice {
    /// The connection is lost; the person hears silence until it is restored. Attempt 0 is a connection
    /// that was left during a turn, because the provider was about to close it.
    Interrupted { attempt: u32, delay: Duration },
    /// Another connection is ready.
    Restored,
    /// Several connections were lost before they replied to the same input, which is not sent again.
    Unanswered,
    /// The connection cannot be restored.
    Lost(ProviderFault),
    /// It ended at the core's request.
    Ended,
}
