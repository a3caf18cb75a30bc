//! Handlers that are compiled into the binary.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde::de::DeserializeOwned;
use serde_json::{Number, Value};

use crate::context::Context;
use crate::outcome::{ToolError, ToolResult};

/// A native handler: its tool, the hash of its source, and its code.
#[derive(Clone, Copy)]
pub struct Native {
    pub tool: &'static str,
    /// The hash of the handler's sources, as the artifact records it.
    pub hash: &'static str,
    pub run: fn(Arc<Value>, Context) -> BoxFuture<'static, ToolResult>,
}

impl fmt::Debug for Native {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Native").field("tool", &self.tool).finish_non_exhaustive()
    }
}

/// Calls a handler with typed arguments. They are validated, so a value that does not fit the type
/// shows that the type and `parameters` disagree: a defect of the tool.
pub fn call<T, F>(
    execute: impl FnOnce(T, Context) -> F + Send + 'static,
    args: Arc<Value>,
    context: Context,
) -> BoxFuture<'static, ToolResult>
where
    T: DeserializeOwned,
    F: Future<Output = ToolResult> + Send + 'static,
{
    let parsed = match has_whole_float(&args) {
        true => serde_json::from_value(whole(Arc::unwrap_or_clone(args))),
        false => T::deserialize(&*args),
    };
    match parsed {
        Ok(args) => execute(args, context).boxed(),
        Err(error) => std::future::ready(Err(disagreement(&error))).boxed(),
    }
}

/// Whether a value contains a number such as `2.0`, which is an integer in JSON Schema and not for
/// a Rust integer type. Arguments are shallow, so recursion is safe.
fn has_whole_float(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_f64() && whole_number(number.clone()).is_i64(),
        Value::Array(items) => items.iter().any(has_whole_float),
        Value::Object(members) => members.values().any(has_whole_float),
        Value::Null | Value::Bool(_) | Value::String(_) => false,
    }
}

/// The same value with `2` for `2.0`.
fn whole(value: Value) -> Value {
    match value {
        Value::Number(number) => Value::Number(whole_number(number)),
        Value::Array(items) => items.into_iter().map(whole).collect(),
        Value::Object(members) => {
            members.into_iter().map(|(name, value)| (name, whole(value))).collect()
        }
        other => other,
    }
}

/// Up to 2^53; larger floats represent several integers.
fn whole_number(number: Number) -> Number {
    match number.as_f64() {
        Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() <= EXACT => {
            Number::from(float as i64)
        }
        _ => number,
    }
}

const EXACT: f64 = 9_007_199_254_740_992.0;

fn disagreement(error: &serde_json::Error) -> ToolError {
    ToolError::defect(format!("the handler's type of arguments and `parameters` disagree: {error}"))
}

/// The native handlers of a binary, by tool. A tool may have several versions.
#[derive(Debug, Clone, Default)]
pub struct Natives(BTreeMap<&'static str, Vec<Native>>);

impl Natives {
    /// The table of these handlers.
    pub fn new(handlers: impl IntoIterator<Item = Native>) -> Self {
        handlers.into_iter().fold(Self::default(), Self::with)
    }

    /// Adds a handler.
    #[must_use]
    pub fn with(mut self, handler: Native) -> Self {
        self.0.entry(handler.tool).or_default().push(handler);
        self
    }

    /// Checks that there is a handler of a tool with exactly this source.
    pub fn check(&self, tool: &str, hash: &str) -> Result<(), NotBound> {
        self.find(tool, hash).map(drop)
    }

    /// The handler of a tool with exactly this source.
    pub fn find(&self, tool: &str, hash: &str) -> Result<Native, NotBound> {
        let known = self.0.get(tool).ok_or(NotBound::Absent)?;
        known.iter().find(|native| native.hash == hash).copied().ok_or(NotBound::OtherSource)
    }
}

/// Why a native tool has no handler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotBound {
    /// The binary has no handler of this tool.
    Absent,
    /// It has one that was built from other sources.
    OtherSource,
}

#[cfg(test)]
#[path = "native_tests.rs"]
mod tests;
