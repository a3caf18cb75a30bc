//! A call on its way through the policies.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use aileron_contract::envelope::Clamp;
use aileron_contract::spec::SideEffects;
use aileron_contract::{Arguments, CallId, ToolCall, ToolSpec};
use aileron_runtime::Rejected;
use aileron_store::ToolStamp;
use serde_json::{Value, json};

use crate::chain::Chain;
use crate::conversation::memory::Memory;
use crate::key;
use crate::preview;
use crate::question::Made;
use crate::toolset::{Entry, Toolset};

/// The most characters that are kept of the name of a tool that is not there.
const LONGEST_UNKNOWN_NAME: usize = 128;

/// A call that is being looked at.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    pub(crate) call_id: CallId,
    pub(crate) tool_id: String,
    pub(crate) entry: Option<Arc<Entry>>,
    pub(crate) args: Result<Value, Box<Rejected>>,
    /// Equal for equal arguments.
    pub(crate) digest: u64,
    pub(crate) clamped: Vec<Clamp>,
    pub(crate) origin: Origin,
    /// The calls this one is made inside of.
    pub(crate) chain: Option<Arc<Chain>>,
    /// The rate limit's counter this call was counted on.
    pub(crate) rate: Option<(String, String)>,
    /// A defect of a rule that was met on the way, for the log.
    pub(crate) defect: Option<String>,
    key: Option<Arc<str>>,
}

/// Where a call comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A model, or a tool.
    Model,
    /// It waited for another call's approval. It was counted when it was made.
    Released,
    /// The person approved it. It was counted when it was made.
    Approved,
}

impl Origin {
    /// Whether budgets and limits have this call already.
    pub(crate) fn is_counted(self) -> bool {
        self != Self::Model
    }
}

impl Draft {
    /// Looks the tool up and prepares the arguments; needs nothing of the conversation.
    pub(crate) fn new(call: ToolCall, toolset: &Toolset) -> Self {
        let ToolCall { call_id, tool_id, args } = call;
        let entry = toolset.entry(&tool_id).cloned();
        let tool_id = if entry.is_some() { tool_id } else { shortened(tool_id) };
        let args = match &entry {
            Some(entry) => entry.tool.prepare(args),
            None => Err(Box::new(Rejected { args: args.into_value(), faults: Vec::new() })),
        };
        let digest = digest(args.as_ref().unwrap_or_else(|rejected| &rejected.args));
        Self {
            call_id,
            tool_id,
            entry,
            args,
            digest,
            clamped: Vec::new(),
            origin: Origin::Model,
            chain: None,
            rate: None,
            defect: None,
            key: None,
        }
    }

    /// The same call under a key and an origin of its own.
    pub(crate) fn keyed(self, key: Arc<str>, origin: Origin) -> Self {
        Self { key: Some(key), origin, ..self }
    }

    pub(crate) fn spec(&self) -> Option<&ToolSpec> {
        self.entry.as_ref().map(|entry| entry.spec())
    }

    pub(crate) fn writes(&self) -> bool {
        self.spec().is_some_and(|spec| spec.side_effects == SideEffects::Writes)
    }

    pub(crate) fn is_nested(&self) -> bool {
        self.chain.is_some()
    }

    /// What the call is known by in its conversation: the provider's id if that tells enough, else
    /// what is called in which turn. A call that failed and may be tried again is another call then.
    pub(crate) fn key(&mut self, memory: &Memory) -> Arc<str> {
        if let Some(key) = &self.key {
            return key.clone();
        }
        let key = key::of_id(self.call_id.as_str()).unwrap_or_else(|| self.hashed_key(memory));
        self.key = Some(key.clone());
        key
    }

    /// The key, if it was asked for before.
    pub(crate) fn known_key(&self) -> Arc<str> {
        self.key.clone().unwrap_or_else(|| self.call_id.as_str().into())
    }

    /// The call turned out to be the one of this key.
    pub(crate) fn stand_for(&mut self, key: Arc<str>) {
        self.key = Some(key);
    }

    /// The call again, with its arguments as they are now.
    pub(crate) fn as_made(&self) -> Made {
        let call = ToolCall {
            call_id: self.call_id.clone(),
            tool_id: self.tool_id.clone(),
            args: Arguments::Value(self.shown_args().clone()),
        };
        Made { call, key: self.known_key().to_string() }
    }

    fn hashed_key(&self, memory: &Memory) -> Arc<str> {
        let failures = memory.history.current().retryable_failures(&self.tool_id, self.digest);
        key::hashed(&json!([
            memory.scope.conversation,
            memory.turn,
            self.tool_id,
            self.shown_args(),
            failures,
        ]))
    }

    /// What the person is asked, if they are asked.
    pub(crate) fn preview(&self) -> String {
        let Some(entry) = &self.entry else { return String::new() };
        entry.preview.as_ref().map_or_else(
            || preview::of_call(&entry.spec().tool_id, self.shown_args()),
            |preview| preview.render(self.shown_args()),
        )
    }

    /// The arguments, valid or not, for the record.
    pub(crate) fn shown_args(&self) -> &Value {
        self.args.as_ref().unwrap_or_else(|rejected| &rejected.args)
    }

    pub(crate) fn stamp(&self) -> Arc<ToolStamp> {
        match &self.entry {
            Some(entry) => entry.stamp.clone(),
            None => Arc::new(ToolStamp {
                id: self.tool_id.clone(),
                version: None,
                side_effects: SideEffects::None,
                redact: Vec::new(),
            }),
        }
    }
}

/// The name of a tool that is not there may have any length.
fn shortened(tool_id: String) -> String {
    match tool_id.char_indices().nth(LONGEST_UNKNOWN_NAME) {
        Some((end, _)) => tool_id.get(..end).unwrap_or_default().to_owned(),
        None => tool_id,
    }
}

fn digest(args: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    args.hash(&mut hasher);
    hasher.finish()
}
