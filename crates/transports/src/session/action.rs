//! What a session wants done: connections, waits, deliveries, and what the core is told.

use std::time::Duration;

use aileron_contract::transport::{DeferredInput, ProviderFault};

/// Which wait it is. One that was overtaken means nothing any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimerId(pub(super) u32);

/// What is to be done.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Make a connection and start it with [`super::ProviderSession::setup`].
    Connect,
    /// End the connection; what still comes of it means nothing.
    Disconnect,
    /// Say [`super::SessionInput::Waited`] after this long.
    Wait { wait: TimerId, delay: Duration },
    /// Send these, in order.
    Deliver(Vec<DeferredInput>),
    /// Let the core know.
    Tell(ConnectionNotice),
}

/// What the core has to know.
#[derive(Debug, Clone, PartialEq)]
pub enum ConnectionNotice {
    /// The connection is gone; the person hears silence until it is back. Attempt 0 is one that was
    /// left in the middle of something, because the provider was about to leave.
    Interrupted { attempt: u32, delay: Duration },
    /// Another connection has taken over.
    Restored,
    /// Several connections were lost before they replied to the same words, which are not asked again.
    Unanswered,
    /// It cannot be mended.
    Lost(ProviderFault),
    /// It ended because the core wanted it to.
    Ended,
}
