//! How much anybody may ask of the server.

mod rates;

use std::time::Duration;

pub(crate) use rates::{RateLimitKey, Rates};

/// The numbers. Each has a default that suits one machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestLimits {
    /// The most bytes of a request's body.
    pub body_bytes: usize,
    /// How long a client may take to send the head of a request.
    pub head_time: Duration,
    /// How long a client may take to send the body of a request.
    pub body_time: Duration,
    /// How long a client may let what is sent to it wait.
    pub stall_time: Duration,
    /// The most connections at a time. More wait until one is closed.
    pub connections: usize,
    /// The most conversations one person who signed in may have open at a time.
    pub conversations: usize,
    /// The most requests of one person in a second; none means as many as they like.
    pub requests_per_second: Option<u32>,
    /// As above where nobody signs in: there all are the person at this machine, who may be a program
    /// with many people behind it.
    pub local_conversations: usize,
    pub local_requests_per_second: Option<u32>,
    /// How long a conversation that nobody uses stays in memory.
    pub idle: Duration,
    /// How long the end of the server waits for what is under way. Voice sessions have a time of
    /// their own.
    pub grace: Duration,
}

impl Default for RequestLimits {
    fn default() -> Self {
        Self {
            body_bytes: 8 << 20,
            head_time: Duration::from_secs(10),
            body_time: Duration::from_secs(30),
            stall_time: Duration::from_secs(30),
            connections: 4096,
            conversations: 200,
            requests_per_second: Some(100),
            local_conversations: 2000,
            local_requests_per_second: Some(1000),
            idle: Duration::from_secs(5 * 60),
            grace: Duration::from_secs(10),
        }
    }
}
