//! Tools that call tools: how deep, through which, and under whose deadline.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use aileron_contract::spec::SideEffects;
use aileron_contract::{CallId, ErrorType, IdError};
use aileron_runtime::ToolError;
use tokio::sync::Mutex;

use crate::identity::Identity;
use crate::key;

/// A call that is being run, as the calls made inside of it see it.
#[derive(Debug)]
pub(crate) struct Chain {
    tool: String,
    call_id: CallId,
    key: Arc<str>,
    side_effects: SideEffects,
    pub(crate) deadline: u64,
    outer: Option<Arc<Chain>>,
    made: AtomicU32,
    /// Held while a call that writes runs inside of this one: they too run one at a time.
    pub(crate) writing: Arc<Mutex<()>>,
}

impl Chain {
    /// A call that runs, inside of others or not.
    pub(crate) fn new(
        call: &Identity,
        side_effects: SideEffects,
        deadline: u64,
        outer: Option<Arc<Self>>,
    ) -> Self {
        Self {
            tool: call.tool_id.clone(),
            call_id: call.call_id.clone(),
            key: call.key.clone(),
            side_effects,
            deadline,
            outer,
            made: AtomicU32::new(0),
            writing: Arc::default(),
        }
    }

    /// The id and the key of the next call made inside of this one. The same attempt of the same
    /// call gives the same ones, so that what was done inside is not done again.
    pub(crate) fn next(&self) -> Result<(CallId, Arc<str>), IdError> {
        let n = self.made.fetch_add(1, Ordering::Relaxed) + 1;
        let id = CallId::new(key::below(self.call_id.as_str(), n))?;
        Ok((id, key::below(&self.key, n).into()))
    }

    /// Whether a tool may be called inside of this call.
    pub(crate) fn check(
        &self,
        tool: &str,
        side_effects: SideEffects,
        most_depth: usize,
    ) -> Result<(), ToolError> {
        if self.links().any(|link| link.tool == tool) {
            let message = format!("`{tool}` is running already and would call itself");
            return Err(ToolError::new(ErrorType::LoopDetected, message));
        }
        if self.links().count() >= most_depth {
            let message = format!("tools may call tools {most_depth} deep, not deeper");
            return Err(ToolError::new(ErrorType::LoopDetected, message));
        }
        if side_effects > self.side_effects {
            let message = format!(
                "`{}` declares `{}` and may not call `{tool}`, which declares `{}`",
                self.tool,
                self.side_effects.as_str(),
                side_effects.as_str()
            );
            return Err(ToolError::new(ErrorType::Denied, message));
        }
        Ok(())
    }

    fn links(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |link| link.outer.as_deref())
    }
}
