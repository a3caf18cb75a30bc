//! Handlers that are compiled into the binary.

use std::collections::BTreeMap;
use std::fmt;

use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::context::Context;
use crate::outcome::ToolResult;

/// A native handler: which tool it serves, from which source, and its code.
#[derive(Clone, Copy)]
pub struct Native {
    pub tool: &'static str,
    /// The hash of the handler's sources, as the artifact records it.
    pub hash: &'static str,
    pub run: fn(Value, Context) -> BoxFuture<'static, ToolResult>,
}

impl fmt::Debug for Native {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Native").field("tool", &self.tool).finish_non_exhaustive()
    }
}

/// The native handlers of a binary, by tool. A tool may be there in several versions.
#[derive(Debug, Clone, Default)]
pub struct Natives(BTreeMap<&'static str, Vec<Native>>);

impl Natives {
    /// The table of these handlers.
    pub fn new(handlers: impl IntoIterator<Item = Native>) -> Self {
        let mut table: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for handler in handlers {
            table.entry(handler.tool).or_default().push(handler);
        }
        Self(table)
    }

    /// The handler of a tool with exactly this source.
    pub(crate) fn find(&self, tool: &str, hash: &str) -> Result<Native, NotBound> {
        let known = self.0.get(tool).ok_or(NotBound::Absent)?;
        known.iter().find(|native| native.hash == hash).copied().ok_or(NotBound::OtherSource)
    }
}

/// Why a native tool has no handler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotBound {
    Absent,
    OtherSource,
}
