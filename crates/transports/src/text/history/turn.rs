//! The turns of a conversation, as a provider writes them.

use std::borrow::Cow;

use serde_json::Value;

/// A turn of the conversation.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::text) enum HistoryTurn<'a> {
    /// What the model is told in words, in one or more pieces. Never two of these in a row.
    Told(Vec<Cow<'a, str>>),
    /// What the model said.
    Said(ModelTurn<'a>),
    /// The answers to all calls of the turn before, in their order.
    Returned(Vec<CallResult>),
}

/// What the model said, in one of two forms.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::text) enum ModelTurn<'a> {
    /// As this provider sent it.
    Original(&'a Value),
    /// What is known of what another one sent. At least one piece.
    Pieces(Vec<HistoryPart<'a>>),
}

#[derive(Debug, Clone, PartialEq)]
pub(in crate::text) enum HistoryPart<'a> {
    Text(&'a str),
    Reasoning(&'a str),
    Call { wire: WireCall, args: Value },
}

/// A call as the provider is to be told of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::text) struct WireCall {
    id: WireId,
    pub(in crate::text) name: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum WireId {
    /// What the provider called it, if it called it anything.
    Given(Option<String>),
    /// What we call a call that another provider made.
    Ours(String),
}

impl WireCall {
    /// A call of the provider's own.
    pub(in crate::text) fn given(id: Option<String>, name: String) -> Self {
        Self { id: WireId::Given(id), name }
    }

    pub(super) fn ours(at: usize, place: usize, name: String) -> Self {
        Self { id: WireId::Ours(format!("call_{at}_{place}")), name }
    }

    /// The id, whoever gave it.
    pub(in crate::text) fn id(&self) -> &str {
        match &self.id {
            WireId::Given(id) => id.as_deref().unwrap_or_default(),
            WireId::Ours(id) => id,
        }
    }

    /// The id that the provider gave.
    pub(in crate::text) fn given_id(&self) -> Option<&str> {
        match &self.id {
            WireId::Given(id) => id.as_deref(),
            WireId::Ours(_) => None,
        }
    }
}

/// The answer to a call.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::text) struct CallResult {
    pub(in crate::text) wire: WireCall,
    pub(in crate::text) outcome: ResultText,
    /// An object with `output` or `error`.
    pub(in crate::text) view: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::text) enum ResultText {
    Success,
    Failure,
}
