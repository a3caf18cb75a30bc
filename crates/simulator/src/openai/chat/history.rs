//! Checks the rules of a valid conversation, and converts its messages to items.

use aileron_contract::CallId;
use serde_json::{Map, Value};

use super::wire::{Content, Message, ToolCall};
use crate::http::RequestRefusal;
use crate::simulated_model::{Channel, HistoryItem, ModelCall, ModelCallResult};

/// The instructions and the items, checked.
pub(super) fn read(messages: Vec<Message>) -> Result<(String, Vec<HistoryItem>), RequestRefusal> {
    if messages.is_empty() {
        return Err(RequestRefusal::invalid("[] is too short - 'messages'").at("messages"));
    }
    let mut instructions = Vec::new();
    let mut items = Vec::new();
    let mut open: Vec<ModelCall> = Vec::new();
    for (at, message) in messages.into_iter().enumerate() {
        if message.role != "tool" {
            check_answered(&open, at)?;
        }
        match message.role.as_str() {
            "system" | "developer" => instructions.extend(message.content.map(Content::text)),
            "user" => {
                let Some(content) = message.content else { return Err(no_content(at)) };
                items.push(HistoryItem::Heard { text: content.text(), channel: Channel::Written });
            }
            "assistant" => open = add_model_message(message, at, &mut items)?,
            "tool" => items.push(returned(message, at, &mut open)?),
            role => return Err(unknown_role(role, at)),
        }
    }
    check_answered(&open, items.len())?;
    Ok((instructions.join("\n\n"), items))
}

fn no_content(at: usize) -> RequestRefusal {
    RequestRefusal::invalid("Invalid value for 'content': expected a string, got null.")
        .at(format!("messages.[{at}].content"))
}

fn unknown_role(role: &str, at: usize) -> RequestRefusal {
    let known = "'system', 'assistant', 'user', 'tool', and 'developer'";
    RequestRefusal::invalid(format!("Invalid value: '{role}'. Supported values are: {known}."))
        .at(format!("messages[{at}].role"))
        .code("invalid_value")
}

/// Every call is answered before anything else is said.
fn check_answered(open: &[ModelCall], at: usize) -> Result<(), RequestRefusal> {
    if open.is_empty() {
        return Ok(());
    }
    let ids: Vec<&str> = open.iter().map(|call| call.id.as_str()).collect();
    let message = format!(
        "An assistant message with 'tool_calls' must be followed by tool messages for each \
         'tool_call_id'. Without one: {}",
        ids.join(", ")
    );
    Err(RequestRefusal::invalid(message).at(format!("messages.[{at}].role")))
}

fn add_model_message(
    message: Message,
    at: usize,
    items: &mut Vec<HistoryItem>,
) -> Result<Vec<ModelCall>, RequestRefusal> {
    let calls = message.tool_calls.unwrap_or_default();
    let text = message.content.map(Content::text).unwrap_or_default();
    if text.is_empty() && calls.is_empty() {
        return Err(no_content(at));
    }
    if !text.is_empty() {
        items.push(HistoryItem::Said { text });
    }
    let calls: Vec<ModelCall> =
        calls.into_iter().map(|call| made(call, at)).collect::<Result<_, _>>()?;
    items.extend(calls.iter().cloned().map(HistoryItem::Called));
    Ok(calls)
}

fn made(call: ToolCall, at: usize) -> Result<ModelCall, RequestRefusal> {
    let invalid =
        |fault: String| RequestRefusal::invalid(fault).at(format!("messages[{at}].tool_calls"));
    let id = CallId::new(call.id).map_err(|error| invalid(error.to_string()))?;
    let name = call.function.name;
    // The model may have written invalid arguments; a value that is not an object counts as empty.
    let args: Map<String, Value> =
        serde_json::from_str(&call.function.arguments).unwrap_or_default();
    Ok(ModelCall { id, name, args })
}

fn returned(
    message: Message,
    at: usize,
    open: &mut Vec<ModelCall>,
) -> Result<HistoryItem, RequestRefusal> {
    let Some(id) = message.tool_call_id else {
        return Err(RequestRefusal::invalid("Missing parameter 'tool_call_id'")
            .at(format!("messages.[{at}].tool_call_id")));
    };
    let Some(place) = open.iter().position(|call| call.id.as_str() == id) else {
        let message = format!(
            "A message with role 'tool' must answer a preceding message with 'tool_calls'; \
             '{id}' answers none"
        );
        return Err(RequestRefusal::invalid(message).at(format!("messages.[{at}].role")));
    };
    let call = open.remove(place);
    let text = message.content.map(Content::text).unwrap_or_default();
    Ok(HistoryItem::Returned(ModelCallResult {
        id: call.id,
        name: call.name,
        result: Value::String(text),
    }))
}
