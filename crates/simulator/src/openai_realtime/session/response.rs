//! The life of a response. One may be active; out-of-band responses wait for it.

use serde_json::{Map, Value, json};

use super::OpenaiRealtime;
use crate::control::ObservedEvent;
use crate::delivery::AfterCalls;
use crate::fault::InjectedFault;
use crate::live::{HandlerOutput, dictated};
use crate::openai_realtime::config::{self, Config};
use crate::openai_realtime::map::{self, ConversationItem};
use crate::openai_realtime::wire::EventRefusal;
use crate::simulated_model::{ModelAction, ModelInput};

/// Parameters of a response.
const RESPONSE: &[&str] = &[
    "instructions",
    "tools",
    "tool_choice",
    "output_modalities",
    "audio",
    "max_output_tokens",
    "metadata",
    "input",
    "conversation",
    "prompt",
    "reasoning",
    "parallel_tool_calls",
];

/// Whether a response belongs to the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ResponseScope {
    InConversation,
    Beside,
}

/// A requested response.
#[derive(Debug, Clone)]
pub(super) struct RequestedResponse {
    belongs: ResponseScope,
    pub(super) speaks: bool,
    calls: bool,
    instructions: Option<String>,
    tools: Option<Value>,
    /// Its input, if it is not the conversation.
    input: Option<Vec<ConversationItem>>,
    metadata: Value,
}

impl RequestedResponse {
    /// A response that the server starts.
    pub(super) fn unasked(config: &Config) -> Self {
        Self {
            belongs: ResponseScope::InConversation,
            speaks: config.speaks(),
            calls: config.shown()["tool_choice"] != "none",
            instructions: None,
            tools: None,
            input: None,
            metadata: Value::Null,
        }
    }
}

/// The response that is active.
#[derive(Debug)]
pub(super) struct ActiveResponse {
    pub(super) id: String,
    pub(super) wanted: RequestedResponse,
    pub(super) output: Vec<Value>,
    pub(super) message: Option<SpokenMessage>,
    pub(super) said: usize,
}

impl ActiveResponse {
    pub(super) fn in_conversation(&self) -> bool {
        self.wanted.belongs == ResponseScope::InConversation
    }
}

/// The message in progress.
#[derive(Debug, Clone, Default)]
pub(super) struct SpokenMessage {
    pub(super) id: String,
    pub(super) text: String,
    pub(super) ms: u64,
}

/// How a response ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SimulatedResponseEnd {
    Completed,
    Cancelled(&'static str),
    RateLimited,
}

impl OpenaiRealtime {
    pub(super) fn create_response(
        &mut self,
        response: Map<String, Value>,
        out: &mut HandlerOutput,
    ) -> Result<(), EventRefusal> {
        let wanted = self.wanted(response)?;
        match &self.active {
            Some(_) if wanted.belongs == ResponseScope::Beside => self.beside.push_back(wanted),
            Some(active) => {
                let message = format!(
                    "Conversation already has an active response in progress: {}. Wait until the \
                     response is finished before creating a new one.",
                    active.id
                );
                return Err(EventRefusal::new("conversation_already_has_active_response", message));
            }
            None => {
                out.show(ObservedEvent::Asked);
                self.start(wanted, out);
            }
        }
        Ok(())
    }

    fn wanted(&self, mut response: Map<String, Value>) -> Result<RequestedResponse, EventRefusal> {
        if let Some(name) = response.keys().find(|name| !RESPONSE.contains(&name.as_str())) {
            return Err(EventRefusal::unknown(&format!("response.{name}")));
        }
        let mut wanted = RequestedResponse::unasked(&self.config);
        match response.get("conversation") {
            None => {}
            Some(value) if value == "auto" => {}
            Some(value) if value == "none" => wanted.belongs = ResponseScope::Beside,
            Some(other) => {
                return Err(EventRefusal::wrong_value(
                    "response.conversation",
                    other,
                    "'auto', 'none'",
                ));
            }
        }
        if let Some(modalities) = response.get("output_modalities") {
            config::check_modalities("response.output_modalities", modalities)?;
            wanted.speaks = *modalities == json!(["audio"]);
        }
        if let Some(tools) = response.remove("tools") {
            config::check_tools("response.tools", &tools)?;
            wanted.tools = Some(tools);
        }
        if let Some(choice) = response.get("tool_choice") {
            wanted.calls = choice != "none";
        }
        wanted.instructions =
            response.get("instructions").and_then(Value::as_str).map(str::to_owned);
        wanted.metadata = response.remove("metadata").unwrap_or_default();
        wanted.input = response.remove("input").map(|input| self.input(&input)).transpose()?;
        Ok(wanted)
    }

    /// Items to reply to instead of the conversation.
    fn input(&self, input: &Value) -> Result<Vec<ConversationItem>, EventRefusal> {
        let Some(items) = input.as_array() else {
            return Err(EventRefusal::wrong_type("response.input", "an array of items", input));
        };
        let mut entries = Vec::new();
        for item in items {
            let fields = item.as_object().cloned().unwrap_or_default();
            if item["type"] == "item_reference" {
                let found = self.entries.iter().find(|entry| entry.item["id"] == item["id"]);
                let missing = || {
                    EventRefusal::about(
                        "response.input",
                        "item_not_found",
                        format!("Item {} not found.", item["id"]),
                    )
                };
                entries.push(found.cloned().ok_or_else(missing)?);
            } else {
                entries.push(map::added(fields, String::new())?);
            }
        }
        Ok(entries)
    }

    /// Begins a response and asks the model.
    pub(super) fn start(&mut self, wanted: RequestedResponse, out: &mut HandlerOutput) {
        let mut scene = self.scene();
        if let Some(input) = &wanted.input {
            scene.items = map::items(input);
        }
        if let Some(instructions) = &wanted.instructions {
            scene.instructions.clone_from(instructions);
        }
        if let Some(tools) = &wanted.tools {
            scene.tools = config::declared(tools);
        }
        let sentence = sentence(&wanted, &scene);
        self.open_response(wanted, out);
        if self.shared.faults.has(InjectedFault::RateLimit) {
            return self.finish(SimulatedResponseEnd::RateLimited, out);
        }
        match sentence {
            Some(sentence) => self.begin(vec![ModelAction::Say(sentence)]),
            None => out.ask(scene),
        }
    }

    pub(super) fn open_response(&mut self, wanted: RequestedResponse, out: &mut HandlerOutput) {
        let id = self.shared.ids.next("resp_");
        self.active =
            Some(ActiveResponse { id, wanted, output: Vec::new(), message: None, said: 0 });
        let response = self.shown("in_progress", Value::Null, Value::Null);
        self.send("response.created", json!({ "response": response }), out);
        self.send("rate_limits.updated", self.rate_limits(), out);
    }

    fn rate_limits(&self) -> Value {
        let left = if self.shared.faults.has(InjectedFault::RateLimit) { 0 } else { 39_000 };
        json!({ "rate_limits": [
            { "name": "requests", "limit": 1000, "remaining": left.min(999), "reset_seconds": 0.06 },
            { "name": "tokens", "limit": 40_000, "remaining": left, "reset_seconds": 1.5 },
        ] })
    }

    /// Starts the model's actions.
    pub(super) fn begin(&mut self, mut steps: Vec<ModelAction>) {
        let Some(active) = &self.active else { return };
        if !active.wanted.calls {
            steps.retain(|step| !matches!(step, ModelAction::Call(_)));
        }
        self.delivery.load(steps, AfterCalls::End);
    }

    pub(super) fn cancel(
        &mut self,
        id: Option<&str>,
        out: &mut HandlerOutput,
    ) -> Result<(), EventRefusal> {
        let active = self.active.as_ref().filter(|active| id.is_none_or(|id| id == active.id));
        if active.is_none() {
            let message = "Cancellation failed: no active response found";
            return Err(EventRefusal::new("response_cancel_not_active", message));
        }
        out.show(ObservedEvent::Interrupt);
        self.cut_short("client_cancelled", out);
        Ok(())
    }

    pub(super) fn cut_short(&mut self, reason: &'static str, out: &mut HandlerOutput) {
        out.hush();
        self.delivery.clear();
        self.close_message("incomplete", out);
        self.finish(SimulatedResponseEnd::Cancelled(reason), out);
    }

    pub(super) fn finish(&mut self, ended: SimulatedResponseEnd, out: &mut HandlerOutput) {
        self.close_message("completed", out);
        let (status, details) = match ended {
            SimulatedResponseEnd::Completed => ("completed", Value::Null),
            SimulatedResponseEnd::Cancelled(reason) => {
                ("cancelled", json!({ "type": "cancelled", "reason": reason }))
            }
            SimulatedResponseEnd::RateLimited => (
                "failed",
                json!({ "type": "failed", "error": {
                "type": "rate_limit_exceeded", "code": "rate_limit_exceeded",
                "message": "Rate limit reached. Please try again in 1.5s.",
            } }),
            ),
        };
        let said = self.active.as_ref().map_or(0, |active| active.said);
        let heard: usize = self.entries.iter().map(|entry| entry.words.len()).sum();
        let usage = map::usage(self.config.instructions().len() + heard, said);
        let response = self.shown(status, details, usage);
        if ended != SimulatedResponseEnd::Completed
            || !self.shared.faults.has(InjectedFault::NoTurnComplete)
        {
            self.send("response.done", json!({ "response": response }), out);
        }
        self.active = None;
        if let Some(wanted) = self.beside.pop_front() {
            self.start(wanted, out);
        }
    }

    /// The active response in the client's form.
    fn shown(&self, status: &str, details: Value, usage: Value) -> Value {
        let Some(active) = &self.active else { return Value::Null };
        let modality = if active.wanted.speaks { "audio" } else { "text" };
        let conversation = active.in_conversation().then_some("conv_1");
        json!({
            "object": "realtime.response",
            "id": active.id,
            "status": status,
            "status_details": details,
            "output": active.output,
            "conversation_id": conversation,
            "output_modalities": [modality],
            "max_output_tokens": "inf",
            "audio": { "output": self.config.shown()["audio"]["output"] },
            "usage": usage,
            "metadata": active.wanted.metadata,
        })
    }
}

/// The sentence that a response is instructed to say: the last line of its instructions, if it has
/// no other input.
fn sentence(wanted: &RequestedResponse, scene: &ModelInput) -> Option<String> {
    let instructions = wanted.instructions.as_deref()?;
    let last = || instructions.lines().map(str::trim).rfind(|line| !line.is_empty());
    let sentence = dictated(instructions).or_else(|| last().filter(|_| scene.items.is_empty()));
    sentence.map(str::to_owned)
}
