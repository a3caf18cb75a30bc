//! Tools that call tools: how deep, through which, and under whose deadline.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use aileron_capability::ToolError;
use aileron_contract::spec::{OnInterrupt, SideEffects};
use aileron_contract::{CallId, ErrorType, IdError};
use serde_json::{Value, json};

use crate::call_identity::CallIdentity;
use crate::key;
use crate::toolset::ToolEntry;

/// A call that is being run, as the calls made inside of it see it.
#[derive(Debug)]
pub(crate) struct ParentCall {
    tool: String,
    call_id: CallId,
    key: Arc<str>,
    side_effects: SideEffects,
    /// The effect of an interruption on the outermost call, which applies to all calls nested in
    /// it.
    on_interrupt: OnInterrupt,
    pub(crate) deadline: u64,
    parent: Option<Arc<ParentCall>>,
    /// How often this attempt has made each call.
    made: Counts,
    numbers: Arc<ChildNumbers>,
    /// Held while a nested call that writes runs: nested writes also run one at a time.
    pub(crate) write_lock: Arc<tokio::sync::Mutex<()>>,
}

type Counts = Mutex<HashMap<Arc<str>, u32>>;

/// The numbers of the calls nested in one call, by their keys. All attempts share them, so that a
/// call that is made in each attempt has one number, and two calls never have the same.
#[derive(Debug, Default)]
pub(crate) struct ChildNumbers(Counts);

impl ChildNumbers {
    fn of(&self, key: &Arc<str>) -> u32 {
        let mut numbers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX).saturating_add(1);
        *numbers.entry(key.clone()).or_insert(next)
    }
}

impl ParentCall {
    /// One attempt to run a call, which may itself be nested.
    pub(crate) fn new(
        call: &CallIdentity,
        entry: &ToolEntry,
        parent: Option<Arc<Self>>,
        deadline: u64,
        numbers: Arc<ChildNumbers>,
    ) -> Self {
        let on_interrupt = parent.as_ref().map(|parent| parent.on_interrupt);
        Self {
            tool: call.tool_id.clone(),
            call_id: call.call_id.clone(),
            key: call.key.clone(),
            side_effects: entry.spec().side_effects,
            on_interrupt: on_interrupt.unwrap_or_else(|| entry.spec().on_interrupt()),
            deadline,
            parent,
            made: Counts::default(),
            numbers,
            write_lock: Arc::default(),
        }
    }

    /// The id and the key of a nested call. The key contains the content and how often this attempt
    /// has made it: another attempt that makes the same call finds its result, and a different call
    /// does not find it.
    pub(crate) fn next(&self, tool: &str, args: &Value) -> Result<(CallId, Arc<str>), IdError> {
        let what = key::hashed(&json!([&*self.key, tool, args]));
        let key = key::below(&what, self.times(&what)).into();
        let id = CallId::new(key::below(self.call_id.as_str(), self.numbers.of(&key)))?;
        Ok((id, key))
    }

    fn times(&self, what: &Arc<str>) -> u32 {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let times = made.entry(what.clone()).or_default();
        *times += 1;
        *times
    }

    /// The effect of an interruption on the outermost call.
    pub(crate) fn on_interrupt(&self) -> OnInterrupt {
        self.on_interrupt
    }

    /// Checks whether a tool may be called inside this call.
    pub(crate) fn check(
        &self,
        tool: &str,
        side_effects: SideEffects,
        max_depth: usize,
    ) -> Result<(), ToolError> {
        if self.links().any(|link| link.tool == tool) {
            let message = format!("`{tool}` is running already and would call itself");
            return Err(ToolError::new(ErrorType::LoopDetected, message));
        }
        if self.depth() >= max_depth {
            let message = format!("tools may call tools {max_depth} deep, not deeper");
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

    /// The nesting depth of a call made inside this one.
    pub(crate) fn depth(&self) -> usize {
        self.links().count()
    }

    fn links(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |link| link.parent.as_deref())
    }
}
