//! A call as the store sees it. The caller builds it once and shares it, so that a call costs no
//! copies.

use std::sync::Arc;

use aileron_contract::audit::TrailStep;
use aileron_contract::spec::{Category, SideEffects};
use aileron_contract::{CallId, ContentHash, ConversationId, Mode, UserId};
use serde_json::Value;

use crate::lease::Lease;

/// The fields that all calls of a conversation share while its mode and registry do not change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallScope {
    pub conversation: ConversationId,
    pub user: Option<UserId>,
    pub mode: Mode,
    pub registry_version: String,
    /// The lease under which the conversation's calls are decided.
    pub lease: Lease,
}

/// The fields that all calls of a tool share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolStamp {
    /// As called, so that a refused call of an unknown tool can be recorded.
    pub id: String,
    pub version: Option<String>,
    /// `None` for an unknown tool.
    pub category: Option<Category>,
    pub side_effects: SideEffects,
    /// JSON Pointers that the audit record must not show.
    pub redact: Vec<String>,
}

/// The tool and the arguments of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallContent {
    pub tool: String,
    /// The hash of the arguments as the caller gave them, defaults filled in.
    pub args_hash: String,
}

/// One call that is about to run, or was refused.
#[derive(Debug, Clone, PartialEq)]
pub struct CallStart {
    pub scope: Arc<CallScope>,
    pub tool: Arc<ToolStamp>,
    pub turn: u64,
    pub call_id: CallId,
    /// Names the call within its conversation: the same key is the same call.
    pub key: Arc<str>,
    pub args: Arc<Value>,
    /// The hash of the arguments as the caller gave them, where a policy changed them.
    pub given: Option<ContentHash>,
    /// Milliseconds since the Unix epoch, by the caller's clock.
    pub time: u64,
    /// The policies that decided about the call, for its record. Lost if the process dies.
    pub trail: Vec<TrailStep>,
}

impl CallStart {
    /// The conversation of the call.
    pub fn conversation(&self) -> &ConversationId {
        &self.scope.conversation
    }

    /// Distinguishes the call from another one with the same key.
    pub fn content(&self) -> CallContent {
        let given = self.given.clone().unwrap_or_else(|| ContentHash::of_value(&self.args));
        CallContent { tool: self.tool.id.clone(), args_hash: given.to_string() }
    }

    /// Whether running the call twice would matter.
    pub fn writes(&self) -> bool {
        self.tool.side_effects == SideEffects::Writes
    }
}
