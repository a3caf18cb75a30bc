//! Converts a request to the model's input, and a reply to the provider's numbered events. Pure,
//! except for looking up referenced responses.

use aileron_contract::models;
use serde_json::{Value, json};

use super::history;
use super::output::{Stage, item, item_id, response, summary_part, text_part};
use super::wire::{Request, Tool};
use crate::http::{
    Delivery, HttpWorld, ModelReply, ProviderRequest, ReplyEnding, RequestRefusal, SimulatedPart,
    StreamPosition, Thoughts, arguments, fragments, pieces,
};
use crate::openai::{error, tools};
use crate::simulated_model::ModelInput;
use crate::sse::SentEvent;

/// Parses a request.
pub(super) fn question(
    request: Request,
    shared: &HttpWorld,
) -> Result<ProviderRequest, RequestRefusal> {
    error::check_model(&request.model)?;
    error::check_temperature(request.temperature)?;
    check_contract(&request)?;
    let named = request.tools.iter().flatten().filter(|tool| tool.asynchronous == Some(true));
    let asynchronous = named.filter_map(|tool| tool.name.clone()).collect();
    let declared = tools::declared(functions(request.tools.unwrap_or_default())?)?;
    let tools = tools::chosen(declared, request.tool_choice.as_ref(), |choice| {
        choice.get("name")?.as_str()
    })?;
    let previous = request.previous_response_id.as_deref();
    let history = history::read(previous, request.input, shared)?;
    let mut instructions: Vec<String> = request.instructions.into_iter().collect();
    instructions.extend(history.instructions);
    let delivery = match request.stream {
        Some(true) => Delivery::Events,
        Some(false) | None => Delivery::Whole,
    };
    let summary = request.reasoning.as_ref().and_then(|reasoning| reasoning.get("summary"));
    let thoughts =
        if summary.is_some_and(Value::is_string) { Thoughts::Shown } else { Thoughts::Hidden };
    let scene = ModelInput { instructions: instructions.join("\n\n"), tools, items: history.items };
    let forgotten = request.store == Some(false);
    let model = request.model;
    Ok(ProviderRequest {
        scene,
        model,
        delivery,
        thoughts,
        forgotten,
        asynchronous,
        ..ProviderRequest::default()
    })
}

/// The checks that depend on the model, and on what was shut down.
fn check_contract(request: &Request) -> Result<(), RequestRefusal> {
    let unknown = |param: &str| {
        let message = format!("Unknown parameter: '{param}'.");
        RequestRefusal::invalid(message).at(param.to_owned()).code("unknown_parameter")
    };
    if request.prompt.is_some() {
        return Err(unknown("prompt"));
    }
    let contract = models::responses(&request.model);
    let mut tools = request.tools.iter().flatten();
    if !contract.async_tools.is_accepted() && tools.any(|tool| tool.asynchronous == Some(true)) {
        return Err(unknown("tools.async"));
    }
    Ok(())
}

/// Tools that the provider runs are ignored.
fn functions(tools: Vec<Tool>) -> Result<Vec<tools::Function>, RequestRefusal> {
    let numbered = tools.into_iter().enumerate().filter(|(_, tool)| tool.kind == "function");
    let functions = numbered.map(|(at, tool)| {
        let path = format!("tools[{at}]");
        let Some(name) = tool.name else {
            let param = format!("{path}.name");
            let message = format!("Missing required parameter: '{param}'.");
            return Err(RequestRefusal::invalid(message)
                .at(param)
                .code("missing_required_parameter"));
        };
        let Tool { description, parameters, strict, .. } = tool;
        Ok(tools::Function { name, description, parameters, strict, path })
    });
    functions.collect()
}

/// The events, numbered from zero.
pub(super) fn frames(question: &ProviderRequest, reply: &ModelReply) -> Vec<SentEvent> {
    let running = response(question, reply, Stage::Running);
    let mut events = vec![
        event("response.created", json!({ "response": running }), StreamPosition::Within),
        event("response.in_progress", json!({ "response": running }), StreamPosition::Within),
    ];
    for (at, part) in reply.parts.iter().enumerate() {
        events.extend(item_events(question, reply, at, part));
    }
    let last = match reply.ending {
        ReplyEnding::Refused => "response.incomplete",
        ReplyEnding::Answered | ReplyEnding::Calls => "response.completed",
    };
    let done = response(question, reply, Stage::Done);
    events.push(event(last, json!({ "response": done }), StreamPosition::Closing));
    events.into_iter().enumerate().map(|(number, event)| event.numbered(number)).collect()
}

/// An event that has no number yet.
struct UnnumberedEvent {
    kind: &'static str,
    data: Value,
    place: StreamPosition,
}

fn event(kind: &'static str, data: Value, place: StreamPosition) -> UnnumberedEvent {
    UnnumberedEvent { kind, data, place }
}

impl UnnumberedEvent {
    fn numbered(mut self, number: usize) -> SentEvent {
        self.data["type"] = self.kind.into();
        self.data["sequence_number"] = number.into();
        SentEvent::named(self.kind, self.data.to_string(), self.place)
    }
}

fn item_events(
    question: &ProviderRequest,
    reply: &ModelReply,
    at: usize,
    part: &SimulatedPart,
) -> Vec<UnnumberedEvent> {
    let place = if matches!(part, SimulatedPart::Call { .. }) {
        StreamPosition::InCall
    } else {
        StreamPosition::Within
    };
    let begun =
        json!({ "output_index": at, "item": item(question, reply, at, part, Stage::Running) });
    let done = json!({ "output_index": at, "item": item(question, reply, at, part, Stage::Done) });
    let id = item_id(reply, at, part);
    let mut events = vec![event("response.output_item.added", begun, place)];
    match part {
        SimulatedPart::Thought(text) => events.extend(thought_events(&id, at, text)),
        SimulatedPart::Text(text) => events.extend(text_events(&id, at, text)),
        SimulatedPart::Call { args, .. } => events.extend(call_events(&id, at, &arguments(args))),
        SimulatedPart::Picture { .. } => return Vec::new(),
    }
    events.push(event("response.output_item.done", done, StreamPosition::Within));
    events
}

fn text_events(id: &str, at: usize, text: &str) -> Vec<UnnumberedEvent> {
    let fields =
        |more: Value| with(json!({ "item_id": id, "output_index": at, "content_index": 0 }), more);
    let within = |kind, more| event(kind, fields(more), StreamPosition::Within);
    let mut events = vec![within("response.content_part.added", json!({ "part": text_part("") }))];
    let pieces = pieces(text).into_iter();
    events.extend(pieces.map(|piece| {
        within("response.output_text.delta", json!({ "delta": piece, "logprobs": [] }))
    }));
    events.push(within("response.output_text.done", json!({ "text": text, "logprobs": [] })));
    events.push(within("response.content_part.done", json!({ "part": text_part(text) })));
    events
}

fn thought_events(id: &str, at: usize, text: &str) -> Vec<UnnumberedEvent> {
    let fields =
        |more: Value| with(json!({ "item_id": id, "output_index": at, "summary_index": 0 }), more);
    let within = |kind, more| event(kind, fields(more), StreamPosition::Within);
    vec![
        within("response.reasoning_summary_part.added", json!({ "part": summary_part("") })),
        within("response.reasoning_summary_text.delta", json!({ "delta": text })),
        within("response.reasoning_summary_text.done", json!({ "text": text })),
        within("response.reasoning_summary_part.done", json!({ "part": summary_part(text) })),
    ]
}

fn call_events(id: &str, at: usize, arguments: &str) -> Vec<UnnumberedEvent> {
    let fields = |more: Value| with(json!({ "item_id": id, "output_index": at }), more);
    let fragments = fragments(arguments).into_iter().map(|delta| {
        let data = fields(json!({ "delta": delta }));
        event("response.function_call_arguments.delta", data, StreamPosition::InCall)
    });
    let done = fields(json!({ "arguments": arguments }));
    let done = event("response.function_call_arguments.done", done, StreamPosition::Within);
    fragments.chain([done]).collect()
}

fn with(mut fields: Value, more: Value) -> Value {
    if let (Value::Object(fields), Value::Object(more)) = (&mut fields, more) {
        fields.extend(more);
    }
    fields
}

#[cfg(test)]
#[path = "map_tests.rs"]
mod tests;
