//! What a call brings along, and what the sandbox may ask of its host.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

/// One call of a tool.
pub struct SandboxCall {
    pub args: Value,
    /// Plain data: mode, session, user, tool, idempotencyKey, deadline and whatever else a handler may read.
    pub context: Value,
    pub host: Arc<dyn Host>,
    pub deadline: Instant,
    pub cancel: CancellationToken,
    /// How many calls this one is inside of.
    pub depth: usize,
    /// On whose behalf the call is made. A caller whose calls hold threads is refused for a time.
    pub caller: Arc<str>,
}

impl fmt::Debug for SandboxCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").finish_non_exhaustive()
    }
}

/// The methods of one capability.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CapabilityShape {
    pub name: String,
    /// Return promises; the host answers when it can.
    pub methods: Vec<String>,
    /// Answer at once, and block the sandbox meanwhile.
    pub sync: Vec<String>,
}

impl CapabilityShape {
    /// Whether one of the shapes has the method, among those that `pick` selects.
    pub(crate) fn any_has(
        shapes: &[Self],
        asked: (&str, &str),
        pick: fn(&Self) -> &[String],
    ) -> bool {
        let (capability, method) = asked;
        let mut named = shapes.iter().filter(|shape| shape.name == capability);
        named.any(|shape| pick(shape).iter().any(|known| known == method))
    }
}

/// The world outside of a sandbox. Nothing here is called once the call has ended.
pub trait Host: Send + Sync {
    /// Runs an asynchronous method. The future is dropped when the call ends first.
    fn call(
        &self,
        capability: &str,
        method: &str,
        args: Vec<Value>,
    ) -> BoxFuture<'static, Result<Value, HostFault>>;

    /// Whether the methods of a capability answer from memory or wait, and never compute or block for long. They
    /// are then begun on the sandbox's own thread, where an answer that is there at once costs least.
    fn is_prompt(&self, capability: &str) -> bool {
        let _ = capability;
        false
    }

    /// Runs a method that answers at once.
    fn call_sync(
        &self,
        capability: &str,
        method: &str,
        args: Vec<Value>,
    ) -> Result<Value, HostFault>;

    /// The time, in milliseconds since the Unix epoch.
    fn now_ms(&self) -> u64;

    /// A line the tool wrote to its console.
    fn log(&self, level: LogLevel, text: &str);

    /// An update the tool gave to `context.progress`.
    fn progress(&self, update: Value);
}

/// Runs a piece of the host in the middle of JavaScript, where a panic must not pass.
pub(crate) fn contained<T>(fallback: T, host: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(host)).unwrap_or(fallback)
}

/// Why a capability did not do what it was asked; the handler sees an error with this `code`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostFault {
    pub code: String,
    pub message: String,
    /// Whether the message quotes nobody, so that it may be shown where a tool hides things.
    #[serde(default)]
    pub is_diagnosis: bool,
}

/// The methods of `console`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    Debug,
    Log,
    Info,
    Warn,
    Error,
}

impl LogLevel {
    /// The level a method of `console` stands for.
    pub(crate) fn of_method(name: &str) -> Self {
        match name {
            "debug" => Self::Debug,
            "info" => Self::Info,
            "warn" => Self::Warn,
            "error" => Self::Error,
            _ => Self::Log,
        }
    }
}
