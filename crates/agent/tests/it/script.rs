//! A scripted model that records its requests.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use aileron_agent::{Model, ReplyStream};
use aileron_capability::ManualClock;
use aileron_contract::text::{
    ChatMessage, CompletedReply, FinishReason, ModelRequest, ReplyEvent, ReplyFault, ReplyPart,
    Tools,
};
use aileron_contract::transport::{Severity, Usage};
use aileron_contract::{Arguments, CallId, Provider, ToolCall};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::Value;

/// A step of a scripted reply.
#[derive(Debug, Clone)]
pub(crate) enum Does {
    Says(&'static str),
    Thinks(&'static str),
    Calls(&'static str, &'static str, Value),
    /// The provider fails here.
    Fails(Severity),
    /// Nothing comes any more, and no end either.
    Hangs,
    /// The stream is over without its end.
    BreaksOff,
}

pub(crate) use Does::{BreaksOff, Calls, Fails, Hangs, Says, Thinks};

/// A request to the model.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) instructions: String,
    pub(crate) declared: usize,
    pub(crate) messages: Vec<ChatMessage>,
    pub(crate) tools: Tools,
}

#[derive(Debug, Default)]
pub(crate) struct Script {
    replies: Mutex<VecDeque<Vec<Does>>>,
    /// The steps after the end of the script.
    then: Option<fn(usize) -> Vec<Does>>,
    seen: Mutex<Vec<Seen>>,
    /// A clock that advances by a minute with each request.
    pub(crate) slowness: Mutex<Option<Arc<ManualClock>>>,
    /// How many readings were dropped before their end.
    pub(crate) dropped: Arc<Mutex<usize>>,
}

impl Script {
    pub(crate) fn new(replies: impl IntoIterator<Item = Vec<Does>>) -> Arc<Self> {
        Arc::new(Self { replies: Mutex::new(replies.into_iter().collect()), ..Self::default() })
    }

    /// A model that always does the same.
    pub(crate) fn forever(then: fn(usize) -> Vec<Does>) -> Arc<Self> {
        Arc::new(Self { then: Some(then), ..Self::default() })
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
}

impl Model for Script {
    fn declarations(&self) -> Provider {
        Provider::Openai
    }

    fn begin(&self, request: &ModelRequest<'_>) -> Box<dyn ReplyStream> {
        let mut seen = self.seen.lock().unwrap();
        seen.push(Seen {
            instructions: request.instructions.to_owned(),
            declared: request.declarations.len(),
            messages: request.messages.to_vec(),
            tools: request.tools,
        });
        if let Some(clock) = &*self.slowness.lock().unwrap() {
            clock.advance(60_000);
        }
        let next = self.replies.lock().unwrap().pop_front();
        let does = next.or_else(|| self.then.map(|then| then(seen.len())));
        let does = does.unwrap_or_else(|| panic!("asked once too often: {:?}", request.messages));
        let dropped = Some(self.dropped.clone());
        Box::new(Scripted { does: does.into(), parts: Vec::new(), dropped })
    }
}

struct Scripted {
    does: VecDeque<Does>,
    parts: Vec<ReplyPart>,
    dropped: Option<Arc<Mutex<usize>>>,
}

impl ReplyStream for Scripted {
    fn next(&mut self) -> BoxFuture<'_, Option<Result<ReplyEvent, ReplyFault>>> {
        let Some(does) = self.does.pop_front() else {
            return std::future::ready(self.done()).boxed();
        };
        let event = match does {
            Says(text) => {
                self.parts.push(ReplyPart::Text { text: text.to_owned() });
                Ok(ReplyEvent::Text(text.to_owned()))
            }
            Thinks(text) => {
                self.parts.push(ReplyPart::Reasoning { text: text.to_owned() });
                Ok(ReplyEvent::Reasoning(text.to_owned()))
            }
            Calls(id, tool, args) => {
                let call = ToolCall {
                    call_id: CallId::new(id).unwrap(),
                    tool_id: tool.to_owned(),
                    args: Arguments::Value(args),
                };
                self.parts.push(ReplyPart::Call { call: call.clone() });
                Ok(ReplyEvent::Call(call))
            }
            Fails(severity) => Err(fault(severity)),
            Hangs => return std::future::pending().boxed(),
            BreaksOff => {
                self.dropped = None;
                return std::future::ready(None).boxed();
            }
        };
        std::future::ready(Some(event)).boxed()
    }
}

impl Scripted {
    fn done(&mut self) -> Option<Result<ReplyEvent, ReplyFault>> {
        self.dropped.take()?;
        let parts = std::mem::take(&mut self.parts);
        let calls = parts.iter().any(|part| matches!(part, ReplyPart::Call { .. }));
        let ending = if calls { FinishReason::Calls } else { FinishReason::Answered };
        Some(Ok(ReplyEvent::Done(CompletedReply {
            parts,
            original: None,
            ending,
            usage: Usage::default(),
        })))
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        if let Some(dropped) = &self.dropped {
            *dropped.lock().unwrap() += 1;
        }
    }
}

fn fault(severity: Severity) -> ReplyFault {
    ReplyFault {
        severity,
        code: "E500".to_owned(),
        message: "secret words of the provider".to_owned(),
        reason: "the provider said so",
        retry_after: None,
    }
}
