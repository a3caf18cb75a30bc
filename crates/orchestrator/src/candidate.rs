//! A call while the policies decide about it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use aileron_capability::Platform;
use aileron_contract::envelope::Clamp;
use aileron_contract::{Arguments, CallId, ContentHash, Execution, ToolCall, ToolSpec};
use aileron_runtime::{ArgumentFaults, RejectedArguments};
use aileron_store::{CallContent, CallStatus, Counter};
use serde_json::Value;

use crate::call_identity::{CallIdentity, bounded};
use crate::key;
use crate::nested::ParentCall;
use crate::preview::{self, ArgumentLabels};
use crate::toolset::{ToolEntry, Toolset};

/// A call that the policies decide about.
#[derive(Debug, Clone)]
pub(crate) struct CandidateCall {
    pub(crate) call: CallIdentity,
    pub(crate) args: Result<Value, Box<RejectedArguments>>,
    /// Equal for equal arguments.
    pub(crate) digest: u64,
    pub(crate) clamped: Vec<Clamp>,
    pub(crate) origin: CallOrigin,
    /// The call whose handler made this one.
    pub(crate) parent: Option<Arc<ParentCall>>,
    /// The counter of the rate limit that has room for this call.
    pub(crate) rate: Option<Box<Counter>>,
    /// The earlier call with the same content and another id. This call is answered from it.
    pub(crate) duplicate_of: Option<Duplicate>,
    /// A defect of a tool's condition that was found during admission, for the log.
    pub(crate) defect: Option<String>,
    /// The source of the id.
    pub(crate) ids: IdSource,
    /// The content of the call that already has this id, if it is another call.
    pub(crate) id_used_for: Option<CallContent>,
    /// Whether the caller gave the key, so that none is derived.
    has_key: bool,
    /// Whether the provider's id is the key.
    has_provider_key: bool,
    /// Only for calls keyed by content, whose provider id does not identify them: the attempt number,
    /// counted over retryable failures.
    attempt: Option<usize>,
    /// The id the model gave the call, where it is recorded under another.
    pub(crate) model_id: Option<CallId>,
}

/// The call that another one is answered from.
#[derive(Debug, Clone)]
pub enum Duplicate {
    /// The ledger has it.
    Stored(CallStatus),
    /// It stands earlier in the same batch, at this index.
    EarlierInBatch(usize),
}

/// The source of call ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IdSource {
    /// A model provider. It may use an id twice, for two calls.
    Provider,
    /// A client of our own API. An id that it uses for two different calls is refused.
    Client,
}

/// The origin of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallOrigin {
    /// A model, or a tool.
    Model,
    /// It waited for another call's approval. It was counted when it was made.
    Released,
    /// The person approved it. It was counted when it was made.
    Approved,
}

impl CallOrigin {
    /// Whether budgets and limits have already counted this call.
    pub(crate) fn is_counted(self) -> bool {
        self != Self::Model
    }
}

impl CandidateCall {
    /// Looks the tool up and prepares the arguments. Independent of the conversation.
    pub(crate) fn new(call: ToolCall, toolset: &Toolset) -> Self {
        let ToolCall { call_id, tool_id, args } = call;
        let entry = toolset.entry(&tool_id).cloned();
        let args = match &entry {
            Some(entry) => entry.tool.prepare(args),
            None => Err(Box::new(RejectedArguments {
                args: args.into_value(),
                faults: ArgumentFaults::default(),
            })),
        };
        let digest = digest(args.as_ref().unwrap_or_else(|rejected| &rejected.args));
        let told = key::of_id(&call_id);
        let has_key = told.is_some();
        let key = told.unwrap_or_else(|| (&call_id).into());
        Self {
            call: CallIdentity { call_id, tool_id: bounded(tool_id), entry, key, given: None },
            args,
            digest,
            clamped: Vec::new(),
            origin: CallOrigin::Model,
            parent: None,
            rate: None,
            duplicate_of: None,
            defect: None,
            ids: IdSource::Provider,
            id_used_for: None,
            has_key,
            has_provider_key: has_key,
            attempt: None,
            model_id: None,
        }
    }

    /// The same call under another id.
    pub(crate) fn called(mut self, call_id: CallId) -> Self {
        self.call.call_id = call_id;
        self
    }

    /// The same call under another key and with another origin.
    pub(crate) fn keyed(mut self, key: Arc<str>, origin: CallOrigin) -> Self {
        self.call.key = key;
        Self { origin, has_key: true, has_provider_key: false, ..self }
    }

    /// The same call, with another source of its id.
    pub(crate) fn from(self, ids: IdSource) -> Self {
        Self { ids, ..self }
    }

    /// The same call, with the hash of its arguments before a mode's limits changed them.
    pub(crate) fn given(mut self, given: Option<ContentHash>) -> Self {
        self.call.given = given;
        self
    }

    /// The tool and the original arguments, which distinguish calls with the same id.
    pub(crate) fn content(&self) -> CallContent {
        let given = self.call.given.clone();
        let given = given.unwrap_or_else(|| ContentHash::of_value(self.shown_args()));
        CallContent { tool: self.call.tool_id.clone(), args_hash: given.to_string() }
    }

    /// Whether the provider's id is the key, so that another call may have the same key.
    pub(crate) fn has_provider_key(&self) -> bool {
        self.has_provider_key && self.id_used_for.is_none()
    }

    /// Gives the call a separate key, because another call with this content has the id.
    pub(crate) fn tell_apart(&mut self, from: CallContent) {
        self.call.key = key::of_reused_id(self.call.call_id.as_str(), &self.content());
        self.id_used_for = Some(from);
    }

    /// Whether a refusal is stored under the key: the id identifies the call, or the person was
    /// asked about it. A call that is identified only by its content is decided about again.
    pub(crate) fn keeps_refusal(&self) -> bool {
        self.has_provider_key || self.origin != CallOrigin::Model
    }

    /// The same call, which the model knows by another id.
    pub(crate) fn made_as(self, model_id: CallId) -> Self {
        Self { model_id: Some(model_id), ..self }
    }

    /// Whether the idempotency key still has to be derived from the content of the call.
    pub(crate) fn needs_key(&self) -> bool {
        !self.has_key
    }

    /// Sets the key of a call whose id does not identify it, and the number of the attempt.
    pub(crate) fn set_content_key(&mut self, key: Arc<str>, attempt: usize) {
        self.call.key = key;
        (self.has_key, self.attempt) = (true, Some(attempt));
    }

    pub(crate) fn entry(&self) -> Option<&Arc<ToolEntry>> {
        self.call.entry.as_ref()
    }

    pub(crate) fn spec(&self) -> Option<&ToolSpec> {
        self.call.spec()
    }

    /// The tool and the digest of the arguments, for the history.
    pub(crate) fn what(&self) -> (&str, u64) {
        (&self.call.tool_id, self.digest)
    }

    /// The same as an owned value.
    pub(crate) fn shared_what(&self) -> (Arc<str>, u64) {
        let name = self.spec().map(|spec| (&spec.tool_id).into());
        (name.unwrap_or_else(|| self.call.tool_id.as_str().into()), self.digest)
    }

    /// The id and the attempt number of a call that is identified by its content. Another id means
    /// another call.
    pub(crate) fn content_key(&self) -> Option<(&CallId, usize)> {
        self.attempt.map(|attempt| (&self.call.call_id, attempt))
    }

    /// Whether budgets and limits do not apply: they have counted the call already, or it uses
    /// nothing.
    pub(crate) fn is_free(&self) -> bool {
        self.origin.is_counted() || self.duplicate_of.is_some()
    }

    /// Whether the call is answered before it ends.
    pub(crate) fn is_background(&self) -> bool {
        !self.is_nested()
            && self.spec().is_some_and(|spec| spec.execution() == Execution::Background)
    }

    pub(crate) fn is_nested(&self) -> bool {
        self.parent.is_some()
    }

    /// The call as the model made it, with its current arguments.
    pub(crate) fn as_call(&self) -> ToolCall {
        ToolCall {
            call_id: self.model_id.as_ref().unwrap_or(&self.call.call_id).clone(),
            tool_id: self.call.tool_id.clone(),
            args: Arguments::Value(self.shown_args().clone()),
        }
    }

    /// The text of the confirmation, without labels from engines.
    pub(crate) fn preview(&self, platform: &Platform) -> String {
        let Some(entry) = self.entry() else { return String::new() };
        preview_of(entry, self.shown_args(), &ArgumentLabels::new(), platform)
    }

    /// The arguments, valid or not, for the record.
    pub(crate) fn shown_args(&self) -> &Value {
        self.args.as_ref().unwrap_or_else(|rejected| &rejected.args)
    }
}

/// The text of the confirmation for these arguments, with the labels that the engines give them.
pub(crate) fn preview_of(
    entry: &ToolEntry,
    args: &Value,
    meanings: &ArgumentLabels,
    platform: &Platform,
) -> String {
    let preview = entry.preview.as_ref().map_or_else(
        || preview::of_call_meant(&entry.spec().tool_id, args, meanings),
        |preview| preview.render_meant(args, meanings),
    );
    match platform.notice(&entry.spec().capabilities) {
        Some(notice) => format!("{preview} ({notice})"),
        None => preview,
    }
}

/// Equal for equal arguments.
pub(crate) fn digest(args: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    args.hash(&mut hasher);
    hasher.finish()
}
