//! Converts the events of a turn to chunks of the stream.

use aileron_agent::citation::CitationSource;
use aileron_agent::{TurnEvent, TurnOutcome};
use aileron_contract::envelope::ConfirmationRequest;
use aileron_contract::transport::Usage;
use aileron_contract::{ErrorType, TaskMeta, ToolResponse};
use aileron_orchestrator::Conversation;
use aileron_orchestrator::state::StateEffect;
use aileron_orchestrator::token::TokenId;
use serde_json::{Value, json};

use super::chunk::Chunk;
use super::request::{ChatInput, ChatRequest, ConfirmationAnswers, Delivery, SdkVersion};

/// How a stream begins, and which chunks it may contain.
#[derive(Debug)]
pub(super) struct StreamStart {
    dialect: SdkVersion,
    delivery: Delivery,
    /// The client's id of the message that continues, or the id for a new one.
    message_id: String,
    /// The calls of the message that continues; `None` for a new message.
    continued: Option<Vec<String>>,
    metadata: Value,
}

impl StreamStart {
    pub(super) fn of(ask: &ChatRequest, conversation: &Conversation, provider: &str) -> Self {
        let (continued, named) = match &ask.input {
            ChatInput::Message(_)
            | ChatInput::Edit(_)
            | ChatInput::Regenerate(_)
            | ChatInput::TaskResults => (None, None),
            ChatInput::Confirmations(ConfirmationAnswers { each, message_id }) => {
                let calls: Option<Vec<_>> = each.iter().map(|(_, call)| call.clone()).collect();
                (calls, message_id.clone())
            }
        };
        let message_id = named.unwrap_or_else(fresh_id);
        let metadata = json!({
            "conversationId": conversation.id(),
            "registryVersion": conversation.registry().version(),
            "provider": provider,
        });
        Self { dialect: ask.dialect, delivery: ask.delivery, message_id, continued, metadata }
    }
}

/// The part of the message that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OpenPart {
    Nothing,
    Text,
    Reasoning,
}

/// Encodes one stream.
#[derive(Debug)]
pub(super) struct Encoder {
    start: StreamStart,
    open: OpenPart,
    /// Numbers the text parts of the message.
    texts: u32,
    in_step: bool,
    /// Whether a confirmation was requested.
    asked: bool,
    /// The calls that the client has received.
    known: Vec<String>,
    usage: Usage,
}

impl Encoder {
    pub(super) fn new(start: StreamStart) -> Self {
        let known = start.continued.clone().unwrap_or_default();
        let (open, usage) = (OpenPart::Nothing, Usage::default());
        Self { start, open, texts: 0, in_step: false, asked: false, known, usage }
    }

    /// The chunks for an event.
    pub(super) fn encode(&mut self, event: TurnEvent, out: &mut Vec<Chunk>) {
        match event {
            TurnEvent::Began { .. } => out.push(self.begin()),
            TurnEvent::StepBegan { .. } => self.begin_step(out),
            TurnEvent::Text(delta) => {
                let id = self.open(OpenPart::Text, out);
                out.push(Chunk::TextDelta { id, delta });
            }
            TurnEvent::Reasoning(delta) => {
                let id = self.open(OpenPart::Reasoning, out);
                out.push(Chunk::ReasoningDelta { id, delta });
            }
            TurnEvent::CallBegun { call_id, tool_id } => {
                self.announce(call_id.into(), tool_id, out);
            }
            TurnEvent::Called { call_id, tool_id, args } => {
                let tool_call_id = String::from(call_id);
                self.announce(tool_call_id.clone(), tool_id.clone(), out);
                out.push(Chunk::ToolInputAvailable {
                    tool_call_id,
                    tool_name: tool_id,
                    input: args,
                });
            }
            TurnEvent::Started { call_id } => {
                out.push(progress(json!({ "toolCallId": call_id, "phase": "started" })));
            }
            TurnEvent::Progress { call_id, update } => {
                let data = json!({ "toolCallId": call_id, "phase": "running", "update": update });
                out.push(progress(data));
            }
            TurnEvent::Partial { call_id, index, data } => {
                let data = json!({ "toolCallId": call_id, "index": index, "data": data });
                out.push(Chunk::DataPartial { data, transient: true });
            }
            // The answer of the call has the task as well.
            TurnEvent::Task { .. } => {}
            TurnEvent::Message { call_id, message } => {
                let data = json!({ "toolCallId": call_id, "message": message });
                out.push(Chunk::DataMessage { data });
            }
            TurnEvent::Asked { call_id, request } => {
                self.request_confirmation(call_id.into(), request, out);
            }
            TurnEvent::Answered { call_id, tool_id, answer } => {
                self.answer(call_id.into(), &tool_id, *answer, out);
            }
            TurnEvent::NotConfirmed { why, .. } => {
                out.push(Chunk::DataEffect {
                    data: json!({ "effect": "not_confirmed", "why": why }),
                    transient: true,
                });
            }
            TurnEvent::DecidedBefore { call_id, before } => {
                let data = json!({ "decided": before.as_str() });
                out.push(Chunk::DataDecided { id: call_id.into(), data });
            }
            TurnEvent::Effect(effect) => out.extend(shown(effect)),
            TurnEvent::Usage(usage) => self.count(&usage),
            TurnEvent::StepEnded if self.asked => self.close(out),
            TurnEvent::StepEnded => self.end_step(out),
            TurnEvent::Sources(sources) => out.extend(sources.into_iter().map(source)),
            TurnEvent::Finished(ended) => self.finish(ended, out),
            TurnEvent::Failed(failed) => {
                self.close(out);
                out.push(Chunk::Error { error_text: failed.to_string() });
            }
        }
    }

    /// The end of a turn that was stopped.
    pub(super) fn abort(&mut self, reason: &str, out: &mut Vec<Chunk>) {
        self.close(out);
        out.push(Chunk::Abort { reason: reason.to_owned() });
    }

    fn begin(&self) -> Chunk {
        // In a stream, a message that continues keeps the client's id.
        let StreamStart { continued, delivery, message_id, .. } = &self.start;
        let is_named = continued.is_none() || *delivery == Delivery::Whole;
        let message_id = is_named.then(|| message_id.clone());
        Chunk::Start { message_id, message_metadata: self.start.metadata.clone() }
    }

    fn open(&mut self, wanted: OpenPart, out: &mut Vec<Chunk>) -> String {
        if self.open != wanted {
            self.close(out);
            self.texts += 1;
            let id = self.id();
            out.push(match wanted {
                OpenPart::Reasoning => Chunk::ReasoningStart { id },
                OpenPart::Text | OpenPart::Nothing => Chunk::TextStart { id },
            });
            self.open = wanted;
        }
        self.id()
    }

    fn close(&mut self, out: &mut Vec<Chunk>) {
        let id = self.id();
        match std::mem::replace(&mut self.open, OpenPart::Nothing) {
            OpenPart::Nothing => {}
            OpenPart::Text => out.push(Chunk::TextEnd { id }),
            OpenPart::Reasoning => out.push(Chunk::ReasoningEnd { id }),
        }
    }

    fn id(&self) -> String {
        format!("t{}", self.texts)
    }

    /// Sends a call that the client has not received.
    fn announce(&mut self, tool_call_id: String, tool_name: String, out: &mut Vec<Chunk>) {
        self.close(out);
        if !self.known.contains(&tool_call_id) {
            self.known.push(tool_call_id.clone());
            out.push(Chunk::ToolInputStart { tool_call_id, tool_name });
        }
    }

    fn begin_step(&mut self, out: &mut Vec<Chunk>) {
        if !std::mem::replace(&mut self.in_step, true) {
            out.push(Chunk::StartStep);
        }
    }

    /// Clients look for answered confirmations in the last step of a message, so the step that requests one
    /// is the last: text that the model writes while it waits belongs to that step.
    fn request_confirmation(
        &mut self,
        call_id: String,
        request: Box<ConfirmationRequest>,
        out: &mut Vec<Chunk>,
    ) {
        self.asked = true;
        let approval_id = request.token.clone();
        out.push(Chunk::DataConfirmation { id: call_id.clone(), data: request });
        if self.start.dialect == SdkVersion::Six {
            out.push(Chunk::ToolApprovalRequest { approval_id, tool_call_id: call_id });
        }
    }

    fn answer(
        &self,
        tool_call_id: String,
        tool_id: &str,
        answer: ToolResponse,
        out: &mut Vec<Chunk>,
    ) {
        if let Some(task) = &answer.meta().task {
            let id = task.id.clone();
            out.push(Chunk::DataTask {
                id,
                data: task_data(&tool_call_id, tool_id, task, &answer),
            });
            if task.has_ended() || !self.known.contains(&tool_call_id) {
                return;
            }
        }
        if !self.known.contains(&tool_call_id) {
            out.push(confirmed(tool_call_id, tool_id, answer));
            return;
        }
        out.push(match answer {
            ToolResponse::Success { data, .. } => {
                Chunk::ToolOutputAvailable { tool_call_id, output: data }
            }
            ToolResponse::Failure { error, .. }
                if error.kind == ErrorType::Denied
                    && self.start.continued.is_some()
                    && self.start.dialect == SdkVersion::Six =>
            {
                Chunk::ToolOutputDenied { tool_call_id }
            }
            ToolResponse::Failure { error, .. } => {
                let error_text = format!("{}: {}", error.kind.as_str(), error.message);
                Chunk::ToolOutputError { tool_call_id, error_text }
            }
        });
    }

    fn count(&mut self, usage: &Usage) {
        self.usage.input.total += usage.input.total;
        self.usage.output.total += usage.output.total;
        self.usage.cached += usage.cached;
        self.usage.thoughts += usage.thoughts;
    }

    fn end_step(&mut self, out: &mut Vec<Chunk>) {
        self.close(out);
        if std::mem::take(&mut self.in_step) {
            out.push(Chunk::FinishStep);
        }
    }

    fn finish(&mut self, ended: TurnOutcome, out: &mut Vec<Chunk>) {
        self.end_step(out);
        let finish_reason = match ended {
            TurnOutcome::Answered => "stop",
            TurnOutcome::Length => "length",
            TurnOutcome::Withheld => "content-filter",
            TurnOutcome::StepLimit => "other",
        };
        let usage = json!({
            "inputTokens": self.usage.input.total,
            "outputTokens": self.usage.output.total,
            "cachedTokens": self.usage.cached,
            "reasoningTokens": self.usage.thoughts,
        });
        out.push(Chunk::Finish { finish_reason, message_metadata: json!({ "usage": usage }) });
    }
}

fn fresh_id() -> String {
    let random = TokenId::random();
    random.map_or_else(|_| "msg".to_owned(), |random| format!("msg-{}", random.as_str()))
}

fn progress(data: Value) -> Chunk {
    Chunk::DataProgress { data, transient: true }
}

/// A task as the page shows it: with its result, if it has ended.
fn task_data(call_id: &str, tool_id: &str, task: &TaskMeta, answer: &ToolResponse) -> Value {
    let mut data = json!({ "toolCallId": call_id, "tool": tool_id, "status": task.status });
    match answer {
        _ if !task.has_ended() => {}
        ToolResponse::Success { data: output, .. } => data["output"] = output.clone(),
        ToolResponse::Failure { error, .. } => {
            data["error"] = json!({ "type": error.kind, "message": error.message });
        }
    }
    data
}

/// The result of a call of another message, which this message cannot contain as a tool part.
fn confirmed(id: String, tool_id: &str, answer: ToolResponse) -> Chunk {
    let data = match answer {
        ToolResponse::Success { data, .. } => json!({ "tool": tool_id, "output": data }),
        ToolResponse::Failure { error, .. } => {
            let error = json!({ "type": error.kind, "message": error.message });
            json!({ "tool": tool_id, "error": error })
        }
    };
    Chunk::DataConfirmed { id, data }
}

fn source(source: CitationSource) -> Chunk {
    let CitationSource { id: source_id, title, url } = source;
    match url {
        Some(url) => Chunk::SourceUrl { source_id, url, title },
        None => Chunk::SourceDocument { source_id, media_type: "text/plain", title },
    }
}

fn shown(effect: StateEffect) -> Option<Chunk> {
    let data = match effect {
        StateEffect::StartVoice => json!({ "effect": "start_voice" }),
        StateEffect::BlockUser { until } => json!({ "effect": "block_user", "until": until }),
        StateEffect::SuppressTranscript { value } => {
            json!({ "effect": "suppress_transcript", "value": value })
        }
        StateEffect::Nothing | StateEffect::EndVoice { .. } | StateEffect::SuppressAudio { .. } => {
            return None;
        }
    };
    Some(Chunk::DataEffect { data, transient: true })
}

#[cfg(test)]
#[path = "encode_tests.rs"]
mod tests;
