//! The interface of the host that a handler in another language may use.

use std::panic::{AssertUnwindSafe, catch_unwind};

use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The methods of one capability.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CapabilityShape {
    pub name: String,
    /// Asynchronous methods, which return promises.
    pub methods: Vec<String>,
    /// Synchronous methods, which block the sandbox.
    pub sync: Vec<String>,
}

impl CapabilityShape {
    /// Whether one of the shapes has the method, among those that `pick` selects.
    pub fn any_has(shapes: &[Self], asked: (&str, &str), pick: fn(&Self) -> &[String]) -> bool {
        let (capability, method) = asked;
        let mut named = shapes.iter().filter(|shape| shape.name == capability);
        named.any(|shape| pick(shape).iter().any(|known| known == method))
    }
}

/// The host of a handler's engine. It is not called after the call has ended.
pub trait Host: Send + Sync {
    /// Runs an asynchronous method. The future is dropped when the call ends first.
    fn call(
        &self,
        capability: &str,
        method: &str,
        args: Vec<Value>,
    ) -> BoxFuture<'static, Result<Value, HostFault>>;

    /// Whether the methods of a capability answer from memory or await, and never compute or block
    /// for long. They may then start on the engine's thread, which is fastest for an immediate answer.
    fn is_prompt(&self, capability: &str) -> bool {
        let _ = capability;
        false
    }

    /// Runs a synchronous method.
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

    /// A piece of the result that the tool gave to `context.partial`.
    fn partial(&self, data: Value);
}

/// Runs host code that a handler called, and catches panics, which must not unwind through the
/// engine.
pub fn contained<T>(fallback: T, host: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(host)).unwrap_or(fallback)
}

/// A failed capability call; the handler sees an error with this `code`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostFault {
    pub code: String,
    pub message: String,
    /// Whether the message quotes no data, so that it may be shown for a tool with `redact`.
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
    /// The level of a method of `console`.
    pub fn of_method(name: &str) -> Self {
        match name {
            "debug" => Self::Debug,
            "info" => Self::Info,
            "warn" => Self::Warn,
            "error" => Self::Error,
            _ => Self::Log,
        }
    }
}
