//! `[server]`: where `aileron serve` listens, allowed origins and limits; and the tools of all
//! commands.

use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use aileron_orchestrator::AssignmentRule;
use aileron_server::{AllowedHosts, Origins, RequestLimits};
use serde::{Deserialize, Serialize};

use super::address::{self, PORT};
use super::origins;
use super::registries::RegistrySettings;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ServerSettings {
    #[serde(deserialize_with = "address::read")]
    pub(crate) address: SocketAddr,
    /// The folder of the tools, unless a registry is named.
    pub(crate) tools: PathBuf,
    /// A built artifact; empty means none.
    pub(crate) registry: PathBuf,
    /// Further registries for new conversations.
    pub(crate) registries: Vec<RegistrySettings>,
    /// The rules that give a new conversation one of them.
    pub(crate) assignment: Vec<AssignmentRule>,
    /// Allowed origins of other pages: `https://example.com`.
    #[serde(deserialize_with = "origins::pages")]
    pub(crate) origins: Vec<String>,
    /// Names of the server in addition to `localhost`.
    #[serde(deserialize_with = "origins::hosts")]
    pub(crate) hosts: Vec<String>,
    pub(crate) limits: LimitSettings,
}

impl Default for ServerSettings {
    fn default() -> Self {
        Self {
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, PORT)),
            tools: PathBuf::from("tools"),
            registry: PathBuf::new(),
            registries: Vec::new(),
            assignment: Vec::new(),
            origins: Vec::new(),
            hosts: Vec::new(),
            limits: LimitSettings::default(),
        }
    }
}

impl ServerSettings {
    /// On loopback, only local names and the configured ones are accepted. Over the network,
    /// requests are authenticated, so any name is accepted unless some are configured.
    pub(crate) fn origins(&self) -> Origins {
        let own = self.address.ip().is_loopback();
        let hosts = match (self.hosts.as_slice(), own) {
            ([], true) => AllowedHosts::Own,
            ([], false) => AllowedHosts::Any,
            (hosts, _) => AllowedHosts::OwnAnd(hosts.to_vec()),
        };
        Origins { allowed: self.origins.clone(), hosts }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct LimitSettings {
    body_kb: NonZeroU32,
    head_seconds: NonZeroU32,
    body_seconds: NonZeroU32,
    stall_seconds: NonZeroU32,
    connections: NonZeroU32,
    conversations: NonZeroU32,
    /// 0 means unlimited.
    requests_per_second: u32,
    /// Without authentication: for all clients together.
    local_conversations: NonZeroU32,
    local_requests_per_second: u32,
    idle_minutes: u32,
    grace_seconds: u32,
}

impl Default for LimitSettings {
    fn default() -> Self {
        let limits = RequestLimits::default();
        let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let seconds = |time: Duration| u32::try_from(time.as_secs()).unwrap_or(u32::MAX);
        Self {
            body_kb: at_least_one(small(limits.body_bytes >> 10)),
            head_seconds: at_least_one(seconds(limits.head_time)),
            body_seconds: at_least_one(seconds(limits.body_time)),
            stall_seconds: at_least_one(seconds(limits.stall_time)),
            connections: at_least_one(small(limits.connections)),
            conversations: at_least_one(small(limits.conversations)),
            requests_per_second: limits.requests_per_second.unwrap_or(0),
            local_conversations: at_least_one(small(limits.local_conversations)),
            local_requests_per_second: limits.local_requests_per_second.unwrap_or(0),
            idle_minutes: seconds(limits.idle / 60),
            grace_seconds: seconds(limits.grace),
        }
    }
}

/// A number that is at least one.
pub(super) fn at_least_one(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN)
}

impl LimitSettings {
    pub(crate) fn limits(&self) -> RequestLimits {
        let large = |number: NonZeroU32| usize::try_from(number.get()).unwrap_or(usize::MAX);
        let seconds = |number: u32| Duration::from_secs(number.into());
        let rate = |number: u32| (number > 0).then_some(number);
        RequestLimits {
            body_bytes: large(self.body_kb).saturating_mul(1 << 10),
            head_time: seconds(self.head_seconds.get()),
            body_time: seconds(self.body_seconds.get()),
            stall_time: seconds(self.stall_seconds.get()),
            connections: large(self.connections),
            conversations: large(self.conversations),
            requests_per_second: rate(self.requests_per_second),
            local_conversations: large(self.local_conversations),
            local_requests_per_second: rate(self.local_requests_per_second),
            idle: seconds(self.idle_minutes.saturating_mul(60)),
            grace: seconds(self.grace_seconds),
        }
    }
}
