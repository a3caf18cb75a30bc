//! Checks the rules of a valid conversation, and converts its messages to items.

use aileron_contract::CallId;
use serde_json::{Value, json};

use super::wire::{Block, Message};
use crate::http::RequestRefusal;
use crate::simulated_model::{Channel, HistoryItem, ModelCall, ModelCallResult};

/// The instructions among the messages, and all other items.
pub(super) fn read(
    messages: Vec<Message>,
) -> Result<(Vec<String>, Vec<HistoryItem>), RequestRefusal> {
    let first = messages.iter().find(|message| message.role != "system");
    if first.is_none() {
        return Err(RequestRefusal::invalid("messages: at least one message is required"));
    }
    if first.is_some_and(|message| message.role != "user") {
        return Err(RequestRefusal::invalid(
            "messages: the first message must use the \"user\" role",
        ));
    }
    let mut instructions = Vec::new();
    let mut items = Vec::new();
    let mut open: Vec<ModelCall> = Vec::new();
    for (at, message) in messages.into_iter().enumerate() {
        match message.role.as_str() {
            "system" => instructions.push(message.content.text()),
            "user" => add_user_message(message, at, &mut open, &mut items)?,
            "assistant" => {
                check_answered(&open, at)?;
                open = add_model_message(message, at, &mut items)?;
            }
            role => {
                let message = format!(
                    "messages.{at}.role: expected user, assistant or system, found {role:?}"
                );
                return Err(RequestRefusal::invalid(message));
            }
        }
    }
    check_answered(&open, items.len())?;
    Ok((instructions, items))
}

fn check_answered(open: &[ModelCall], at: usize) -> Result<(), RequestRefusal> {
    if open.is_empty() {
        return Ok(());
    }
    let ids: Vec<&str> = open.iter().map(|call| call.id.as_str()).collect();
    Err(RequestRefusal::invalid(format!(
        "messages.{at}: `tool_use` ids without `tool_result` blocks immediately after: {}",
        ids.join(", ")
    )))
}

fn add_model_message(
    message: Message,
    at: usize,
    items: &mut Vec<HistoryItem>,
) -> Result<Vec<ModelCall>, RequestRefusal> {
    let mut calls = Vec::new();
    for (place, block) in message.content.blocks().into_iter().enumerate() {
        let path = format!("messages.{at}.content.{place}");
        match block.kind.as_str() {
            "text" => {
                let text = block.text.filter(|text| !text.is_empty());
                let empty = || {
                    RequestRefusal::invalid(format!(
                        "{path}: text content blocks must be non-empty"
                    ))
                };
                items.push(HistoryItem::Said { text: text.ok_or_else(empty)? });
            }
            "tool_use" => calls.push(called(block, &path)?),
            "tool_result" => {
                return Err(RequestRefusal::invalid(format!(
                    "{path}: `tool_result` blocks can only be in `user` messages"
                )));
            }
            // Thoughts, and results of the provider's own tools.
            _ => {}
        }
    }
    items.extend(calls.iter().cloned().map(HistoryItem::Called));
    Ok(calls)
}

fn called(block: Block, path: &str) -> Result<ModelCall, RequestRefusal> {
    let missing =
        |name: &str| RequestRefusal::invalid(format!("{path}.tool_use.{name}: Field required"));
    let id = block.id.ok_or_else(|| missing("id"))?;
    let id =
        CallId::new(id).map_err(|error| RequestRefusal::invalid(format!("{path}: {error}")))?;
    let name = block.name.ok_or_else(|| missing("name"))?;
    let args = block.input.ok_or_else(|| missing("input"))?;
    Ok(ModelCall { id, name, args })
}

/// All results of a message come in the next one, before anything else in it.
fn add_user_message(
    message: Message,
    at: usize,
    open: &mut Vec<ModelCall>,
    items: &mut Vec<HistoryItem>,
) -> Result<(), RequestRefusal> {
    let mut spoken = false;
    for (place, block) in message.content.blocks().into_iter().enumerate() {
        let path = format!("messages.{at}.content.{place}");
        match block.kind.as_str() {
            "tool_result" if spoken => {
                return Err(RequestRefusal::invalid(format!(
                    "{path}: `tool_result` blocks must come first"
                )));
            }
            "tool_result" => items.push(returned(block, &path, open)?),
            "tool_use" => {
                return Err(RequestRefusal::invalid(format!(
                    "{path}: `tool_use` blocks can only be in `assistant` messages"
                )));
            }
            _ => {
                check_answered(open, at)?;
                spoken = true;
                let text = block.text.filter(|text| !text.is_empty());
                items.extend(
                    text.map(|text| HistoryItem::Heard { text, channel: Channel::Written }),
                );
            }
        }
    }
    check_answered(open, at)
}

fn returned(
    block: Block,
    path: &str,
    open: &mut Vec<ModelCall>,
) -> Result<HistoryItem, RequestRefusal> {
    let id = block.tool_use_id.unwrap_or_default();
    let Some(place) = open.iter().position(|call| call.id.as_str() == id) else {
        return Err(RequestRefusal::invalid(format!(
            "{path}: unexpected `tool_use_id` in `tool_result`: {id}. \
             It must answer a `tool_use` of the message before"
        )));
    };
    let call = open.remove(place);
    let text = block.content.map(super::wire::Content::text).unwrap_or_default();
    let result = if block.is_error == Some(true) { failed(text) } else { Value::String(text) };
    Ok(HistoryItem::Returned(ModelCallResult { id: call.id, name: call.name, result }))
}

/// The flag marks a failure that the text may not show.
fn failed(text: String) -> Value {
    match serde_json::from_str::<Value>(&text) {
        Ok(value @ Value::Object(_)) if value.get("error").is_some() => value,
        Ok(value @ Value::Object(_)) => json!({ "error": value }),
        Ok(_) | Err(_) => json!({ "error": { "message": text } }),
    }
}
