//! The state machine of a session with a provider. `session` decides about each transition.
//!
//! ```text
//!  Waiting --begin, or backoff over--> Connecting --set up--> Ready --GoingAway--> Draining
//!     ^                                 |      ^               |                      |
//!     |                                 |      |               |                      | calm, or time
//!     |   lost: re-send unanswered      |      |               |                      | is up: leave
//!     +---------------------------------+------|---------------+                      |
//!     |             inputs                     |                                      |
//!     |                                        +------ connection was of use ---------+
//!     +--------------------------------------------- connection was of no use --------+
//!
//!  any state --> Closed: ended by the core, a fatal fault, too many connections of no use in a row
//! ```
//!
//! A connection was of use if the model completed a turn about an input over it, or if it lasted a while
//! (`Reconnect`). After `GoingAway` a calm connection that was of use is left at once.

/// The state of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionState {
    /// A connection is being made and set up.
    Connecting,
    Ready,
    /// Ready, but the provider is about to close: the next calm moment is used to reconnect.
    Draining,
    /// Waiting for the next attempt.
    Waiting,
    Closed,
}
