//! Calls that the model is still writing. A call is assembled by its item id from several events, and is
//! complete when its response is done.

use crate::openai_realtime::wire::incoming::CallArguments;
use crate::openai_realtime::wire::item::Item;

/// Maximum number of calls of one response.
const MAX_CALLS: usize = 128;

/// Maximum number of bytes of arguments; the orchestrator refuses longer ones.
const MAX_BYTES: usize = aileron_contract::arguments::MAX_BYTES + 1;

/// The calls of the running response.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Drafts {
    calls: Vec<PartialCall>,
}

/// A call that is partially received.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PartialCall {
    item_id: String,
    pub(super) call_id: String,
    pub(super) name: String,
    pub(super) arguments: String,
    complete: bool,
}

impl Drafts {
    /// An item of the response was added.
    pub(super) fn begun(&mut self, item: &Item<'_>) {
        if let Some(draft) = self.of_item(item)
            && item.status.as_str() == "completed"
        {
            draft.complete = true;
        }
    }

    /// An item of the response is done, or is listed at the end of the response. Some servers omit its status.
    pub(super) fn done(&mut self, item: &Item<'_>) {
        let Some(draft) = self.of_item(item) else { return };
        match item.status.as_str() {
            "completed" | "" => draft.complete = true,
            "incomplete" => draft.complete = false,
            _ => {}
        }
    }

    fn of_item(&mut self, item: &Item<'_>) -> Option<&mut PartialCall> {
        if !item.is_call() {
            return None;
        }
        let draft = self.of(item.id.as_str())?;
        draft.identify(item.call_id.as_str(), item.name.as_str());
        draft.rewrite(item.arguments.as_str());
        Some(draft)
    }

    /// A fragment of the arguments.
    pub(super) fn more(&mut self, more: &CallArguments<'_>) {
        let Some(draft) = self.of(more.item_id.as_str()) else { return };
        draft.identify(more.call_id.as_str(), more.name.as_str());
        if draft.arguments.len() < MAX_BYTES {
            draft.arguments.push_str(more.delta.as_str());
        }
    }

    /// The complete arguments.
    pub(super) fn all(&mut self, all: &CallArguments<'_>) {
        let Some(draft) = self.of(all.item_id.as_str()) else { return };
        draft.identify(all.call_id.as_str(), all.name.as_str());
        draft.rewrite(all.delta.as_str());
        draft.complete = true;
    }

    /// The response is done: returns its complete calls, in order, and drops the others.
    pub(super) fn finish(&mut self) -> Vec<PartialCall> {
        let calls = std::mem::take(&mut self.calls);
        calls.into_iter().filter(|draft| draft.complete && !draft.name.is_empty()).collect()
    }

    fn of(&mut self, item_id: &str) -> Option<&mut PartialCall> {
        let at = self.calls.iter().position(|draft| draft.item_id == item_id);
        if at.is_none() && self.calls.len() < MAX_CALLS {
            self.calls.push(PartialCall { item_id: item_id.to_owned(), ..PartialCall::default() });
        }
        let last = self.calls.len().checked_sub(1);
        at.or(last).and_then(|at| self.calls.get_mut(at)).filter(|draft| draft.item_id == item_id)
    }
}

impl PartialCall {
    fn identify(&mut self, call_id: &str, name: &str) {
        if !call_id.is_empty() {
            call_id.clone_into(&mut self.call_id);
        }
        if !name.is_empty() {
            name.clone_into(&mut self.name);
        }
    }

    /// An event without arguments does not replace those received before.
    fn rewrite(&mut self, arguments: &str) {
        if !arguments.is_empty() {
            arguments.clone_into(&mut self.arguments);
        }
    }
}

#[cfg(test)]
#[path = "drafts_tests.rs"]
mod tests;
