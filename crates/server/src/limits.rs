//! Limits on requests.

mod rates;

use std::time::Duration;

pub(crate) use rates::{RateLimitKey, Rates};

/// The limits. Each has a default that suits one machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestLimits {
    /// Maximum size of a request body.
    pub body_bytes: usize,
    /// How long a client may take to send the head of a request.
    pub head_time: Duration,
    /// How long a client may take to send the body of a request.
    pub body_time: Duration,
    /// How long a client may take no data that is sent to it.
    pub stall_time: Duration,
    /// Maximum number of concurrent connections. Further ones wait until one is closed.
    pub connections: usize,
    /// Maximum number of open conversations of one person who is signed in.
    pub conversations: usize,
    /// Maximum number of requests of one person in a second; `None`: no limit.
    pub requests_per_second: Option<u32>,
    /// The same where people do not sign in: all clients are the person at this machine, who may be a
    /// program for many people.
    pub local_conversations: usize,
    pub local_requests_per_second: Option<u32>,
    /// How long a conversation without a lease stays in memory.
    pub idle: Duration,
    /// How long the stop of the server waits for requests in flight. Voice sessions have a separate limit.
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
