//! Assembles a reply: text and calls in order, emitted as they come. The provider's decoder reads the events.

use aileron_contract::arguments::MAX_BYTES;
use aileron_contract::text::{
    CompletedReply, FinishReason, ProviderMessage, ReplyEvent, ReplyFault, ReplyPart,
};
use aileron_contract::transport::Usage;
use aileron_contract::{Arguments, CallId, ToolCall};

use super::call_ids::CallIds;
use super::fault::unreadable;

/// Maximum number of calls in a reply.
const MAX_CALLS: usize = 128;

/// A reply that is partially received.
#[derive(Debug)]
pub(super) struct ReplyBuilder {
    names: CallIds,
    pieces: Vec<DraftPart>,
    calls: Vec<CallDraft>,
}

#[derive(Debug)]
enum DraftPart {
    Text(String),
    Reasoning(String),
    /// By its index among the calls.
    Call(usize),
}

#[derive(Debug)]
struct CallDraft {
    call_id: CallId,
    tool_id: String,
    written: String,
    state: CallAssemblyState,
}

#[derive(Debug)]
enum CallAssemblyState {
    Open,
    Told(Arguments),
    /// Complete, but not valid JSON. Whether it was cut off is known at the end.
    Held(Arguments),
    Dropped,
}

impl ReplyBuilder {
    pub(super) fn new(names: CallIds) -> Self {
        Self { names, pieces: Vec::new(), calls: Vec::new() }
    }

    pub(super) fn text(&mut self, more: &str, out: &mut Vec<ReplyEvent>) {
        if more.is_empty() {
            return;
        }
        match self.pieces.last_mut() {
            Some(DraftPart::Text(text)) => text.push_str(more),
            _ => self.pieces.push(DraftPart::Text(more.to_owned())),
        }
        out.push(ReplyEvent::Text(more.to_owned()));
    }

    pub(super) fn reasoning(&mut self, more: &str, out: &mut Vec<ReplyEvent>) {
        if more.is_empty() {
            return;
        }
        match self.pieces.last_mut() {
            Some(DraftPart::Reasoning(text)) => text.push_str(more),
            _ => self.pieces.push(DraftPart::Reasoning(more.to_owned())),
        }
        out.push(ReplyEvent::Reasoning(more.to_owned()));
    }

    /// A call begins. Later events refer to it by the number that is returned.
    pub(super) fn begin(
        &mut self,
        wire_id: Option<&str>,
        name: &str,
        out: &mut Vec<ReplyEvent>,
    ) -> Result<usize, ReplyFault> {
        if self.calls.len() == MAX_CALLS {
            return Err(unreadable(&format!("at most {MAX_CALLS} calls in a reply"), "more"));
        }
        let call_id = self.names.name(wire_id)?;
        let place = self.calls.len();
        out.push(ReplyEvent::CallBegun { call_id: call_id.clone(), tool_id: name.to_owned() });
        self.calls.push(CallDraft {
            call_id,
            tool_id: name.to_owned(),
            written: String::new(),
            state: CallAssemblyState::Open,
        });
        self.pieces.push(DraftPart::Call(place));
        Ok(place)
    }

    /// A fragment of the arguments. Bytes beyond the maximum are dropped: the call is refused in any case.
    pub(super) fn write(&mut self, call: usize, more: &str) {
        if let Some(draft) = self.calls.get_mut(call)
            && draft.written.len() <= MAX_BYTES
        {
            draft.written.push_str(more);
        }
    }

    /// The complete arguments, in place of the fragments.
    pub(super) fn rewrite(&mut self, call: usize, all: &str) {
        if let Some(draft) = self.calls.get_mut(call) {
            draft.written.clear();
        }
        self.write(call, all);
    }

    /// The arguments of a call so far.
    pub(super) fn written(&self, call: usize) -> &str {
        self.calls.get(call).map_or("", |draft| &draft.written)
    }

    pub(super) fn call_id(&self, call: usize) -> Option<&CallId> {
        self.calls.get(call).map(|draft| &draft.call_id)
    }

    /// A call is complete as it was written.
    pub(super) fn complete(&mut self, call: usize, out: &mut Vec<ReplyEvent>) {
        let args = match self.written(call).trim() {
            "" => Arguments::default(),
            text => Arguments::parse(text),
        };
        self.complete_with(call, args, out);
    }

    /// A call is complete, with arguments that came in one piece.
    pub(super) fn complete_with(
        &mut self,
        call: usize,
        args: Arguments,
        out: &mut Vec<ReplyEvent>,
    ) {
        let Some(draft) =
            self.calls.get_mut(call).filter(|d| matches!(d.state, CallAssemblyState::Open))
        else {
            return;
        };
        draft.state = match args {
            Arguments::Unreadable(_) => CallAssemblyState::Held(args),
            Arguments::Value(_) => {
                out.push(ReplyEvent::Call(draft.call(args.clone())));
                CallAssemblyState::Told(args)
            }
        };
    }

    /// The reply is over. Drops the incomplete calls of a reply that was cut off, and all calls of a reply
    /// that the content filter withheld.
    pub(super) fn settle(
        &mut self,
        ending: FinishReason,
        out: &mut Vec<ReplyEvent>,
    ) -> FinishReason {
        for call in 0..self.calls.len() {
            let whole = match &ending {
                FinishReason::Answered | FinishReason::Calls => true,
                FinishReason::Length => self.written(call).trim_start().starts_with('{'),
                FinishReason::Refused(_) => false,
            };
            if whole {
                self.complete(call, out);
            }
        }
        for draft in &mut self.calls {
            draft.settle(&ending, out);
        }
        let dropped = |draft: &CallDraft| matches!(draft.state, CallAssemblyState::Dropped);
        match ending {
            FinishReason::Refused(why) => FinishReason::Refused(why),
            _ if !self.calls.iter().all(dropped) => FinishReason::Calls,
            FinishReason::Calls => FinishReason::Answered,
            other => other,
        }
    }

    /// Whether a call is part of the settled reply.
    pub(super) fn is_kept(&self, call: usize) -> bool {
        self.calls.get(call).is_some_and(|draft| !matches!(draft.state, CallAssemblyState::Dropped))
    }

    /// The arguments of a settled call as an object; an empty one if they are not valid.
    pub(super) fn arguments(&self, call: usize) -> serde_json::Value {
        let args = self.calls.get(call).map(|draft| &draft.state);
        match args {
            Some(CallAssemblyState::Told(args) | CallAssemblyState::Held(args)) => {
                super::history::object(args)
            }
            Some(CallAssemblyState::Open | CallAssemblyState::Dropped) | None => {
                super::history::object(&Arguments::default())
            }
        }
    }

    /// The settled reply.
    pub(super) fn done(
        &mut self,
        original: Option<ProviderMessage>,
        ending: FinishReason,
        usage: Usage,
    ) -> ReplyEvent {
        let pieces = std::mem::take(&mut self.pieces);
        let parts = pieces.into_iter().filter_map(|piece| self.part(piece)).collect();
        ReplyEvent::Done(CompletedReply { parts, original, ending, usage })
    }

    fn part(&self, piece: DraftPart) -> Option<ReplyPart> {
        match piece {
            DraftPart::Text(text) => Some(ReplyPart::Text { text }),
            DraftPart::Reasoning(text) => Some(ReplyPart::Reasoning { text }),
            DraftPart::Call(place) => {
                let draft = self.calls.get(place)?;
                match &draft.state {
                    CallAssemblyState::Told(args) | CallAssemblyState::Held(args) => {
                        Some(ReplyPart::Call { call: draft.call(args.clone()) })
                    }
                    CallAssemblyState::Open | CallAssemblyState::Dropped => None,
                }
            }
        }
    }
}

impl CallDraft {
    fn call(&self, args: Arguments) -> ToolCall {
        ToolCall { call_id: self.call_id.clone(), tool_id: self.tool_id.clone(), args }
    }

    fn settle(&mut self, ending: &FinishReason, out: &mut Vec<ReplyEvent>) {
        match (ending, &self.state) {
            (FinishReason::Refused(_), _)
            | (FinishReason::Length, CallAssemblyState::Open | CallAssemblyState::Held(_)) => {
                self.state = CallAssemblyState::Dropped;
            }
            (FinishReason::Answered | FinishReason::Calls, CallAssemblyState::Held(args)) => {
                out.push(ReplyEvent::Call(self.call(args.clone())));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
#[path = "assembly_tests.rs"]
mod tests;
