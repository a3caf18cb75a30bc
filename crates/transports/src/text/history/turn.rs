//! The turns of a conversation, ready to be encoded for a provider.

use std::borrow::Cow;

use serde_json::Value;

/// A turn of the conversation.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::text) enum HistoryTurn<'a> {
    /// Text for the model, in one or more pieces. Never two of these in a row.
    Told(Vec<Cow<'a, str>>),
    /// A message of the model.
    Said(ModelTurn<'a>),
    /// The results of all calls of the turn before, in their order.
    Returned(Vec<CallResult>),
}

/// A message of the model, in one of two forms.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::text) enum ModelTurn<'a> {
    /// As this provider sent it.
    Original(&'a Value),
    /// The parts of a message of another provider. At least one.
    Pieces(Vec<HistoryPart<'a>>),
}

#[derive(Debug, Clone, PartialEq)]
pub(in crate::text) enum HistoryPart<'a> {
    Text(&'a str),
    Reasoning(&'a str),
    Call { wire: WireCall, args: Value },
}

/// A call as it is encoded for the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::text) struct WireCall {
    id: WireId,
    pub(in crate::text) name: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum WireId {
    /// The provider's id, if it gave one.
    Given(Option<String>),
    /// Our id of a call that another provider issued.
    Ours(String),
}

impl WireCall {
    /// A call that this provider issued.
    pub(in crate::text) fn given(id: Option<String>, name: String) -> Self {
        Self { id: WireId::Given(id), name }
    }

    pub(super) fn ours(at: usize, place: usize, name: String) -> Self {
        Self { id: WireId::Ours(format!("call_{at}_{place}")), name }
    }

    /// The id, the provider's or ours.
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

/// The result of a call.
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
