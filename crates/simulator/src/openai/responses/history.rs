//! The input as items: what is referred to is looked up, and calls and outputs belong together.

use aileron_contract::CallId;
use axum::http::StatusCode;
use serde_json::{Map, Value};

use super::wire::{Input, InputItem};
use crate::brain::{Call, Channel, Item, Returned};
use crate::http::{HttpWorld, Refusal};

/// Instructions among the items, and everything else that happened.
#[derive(Debug, Default)]
pub(super) struct History {
    pub(super) instructions: Vec<String>,
    pub(super) items: Vec<Item>,
}

pub(super) fn read(
    previous: Option<&str>,
    input: Option<Input>,
    world: &HttpWorld,
) -> Result<History, Refusal> {
    let mut history = History::default();
    if let Some(id) = previous {
        let kept = world.recall(id).ok_or_else(|| {
            Refusal::invalid(format!("Previous response with id '{id}' not found."))
                .at("previous_response_id")
                .code("previous_response_not_found")
        })?;
        history.items = kept.items;
    }
    match input {
        None => return Err(Refusal::invalid("Missing required parameter: 'input'.").at("input")),
        Some(Input::Text(text)) => {
            history.items.push(Item::Heard { text, channel: Channel::Written });
        }
        Some(Input::Items(items)) => {
            for (at, item) in items.into_iter().enumerate() {
                history.add(item, at, world)?;
            }
        }
    }
    check_answered(&history.items)?;
    Ok(history)
}

impl History {
    fn add(&mut self, item: InputItem, at: usize, world: &HttpWorld) -> Result<(), Refusal> {
        match item.kind.as_deref().unwrap_or("message") {
            "message" => self.add_message(item, at),
            "function_call" => {
                self.items.push(Item::Called(called(item, at)?));
                Ok(())
            }
            "function_call_output" => {
                let returned = self.returned(item, at)?;
                self.items.push(Item::Returned(returned));
                Ok(())
            }
            "item_reference" => self.add_reference(item.id.as_deref().unwrap_or_default(), world),
            "reasoning" => Ok(()),
            kind => {
                Err(Refusal::invalid(format!("Invalid value: '{kind}' is no type of item here"))
                    .at(format!("input[{at}].type"))
                    .code("invalid_value"))
            }
        }
    }

    fn add_message(&mut self, item: InputItem, at: usize) -> Result<(), Refusal> {
        let text = item.content.map(super::wire::Content::text).unwrap_or_default();
        match item.role.as_deref().unwrap_or_default() {
            "user" => self.items.push(Item::Heard { text, channel: Channel::Written }),
            "assistant" => self.items.push(Item::Said { text }),
            "system" | "developer" => self.instructions.push(text),
            role => {
                let known = "'assistant', 'system', 'developer', and 'user'";
                let message = format!("Invalid value: '{role}'. Supported values are: {known}.");
                return Err(Refusal::invalid(message)
                    .at(format!("input[{at}].role"))
                    .code("invalid_value"));
            }
        }
        Ok(())
    }

    fn add_reference(&mut self, id: &str, world: &HttpWorld) -> Result<(), Refusal> {
        let Some(item) = world.recall_item(id) else {
            let message = format!("Item with id '{id}' not found.");
            return Err(Refusal::new(StatusCode::NOT_FOUND, message).at("input"));
        };
        self.items.extend(item);
        Ok(())
    }

    fn returned(&self, item: InputItem, at: usize) -> Result<Returned, Refusal> {
        let id = item.call_id.unwrap_or_default();
        let calls = self.items.iter().rev().filter_map(|known| match known {
            Item::Called(call) => Some(call),
            Item::Heard { .. } | Item::Said { .. } | Item::Returned(_) => None,
        });
        let call = calls.into_iter().find(|call| call.id.as_str() == id);
        let twice = self
            .items
            .iter()
            .any(|known| matches!(known, Item::Returned(returned) if returned.id.as_str() == id));
        let Some(call) = call.filter(|_| !twice) else {
            let message = format!("No tool call found for function call output with call_id {id}.");
            return Err(Refusal::invalid(message).at("input"));
        };
        let Some(output) = item.output else {
            let param = format!("input[{at}].output");
            let message = format!("Missing required parameter: '{param}'.");
            return Err(Refusal::invalid(message).at(param).code("missing_required_parameter"));
        };
        let result = Value::String(output.text());
        Ok(Returned { id: call.id.clone(), name: call.name.clone(), result })
    }
}

fn called(item: InputItem, at: usize) -> Result<Call, Refusal> {
    let missing = |name: &str| {
        let param = format!("input[{at}].{name}");
        Refusal::invalid(format!("Missing required parameter: '{param}'."))
            .at(param)
            .code("missing_required_parameter")
    };
    let id = item.call_id.ok_or_else(|| missing("call_id"))?;
    let id = CallId::new(id).map_err(|error| Refusal::invalid(error.to_string()).at("input"))?;
    let name = item.name.ok_or_else(|| missing("name"))?;
    let arguments = item.arguments.ok_or_else(|| missing("arguments"))?;
    // A model may have written anything; what is no object counts as no arguments.
    let args: Map<String, Value> = serde_json::from_str(&arguments).unwrap_or_default();
    Ok(Call { id, name, args })
}

fn check_answered(items: &[Item]) -> Result<(), Refusal> {
    let answered = |id: &CallId| {
        items.iter().any(|item| matches!(item, Item::Returned(returned) if returned.id == *id))
    };
    let open = items.iter().find_map(|item| match item {
        Item::Called(call) if !answered(&call.id) => Some(&call.id),
        _ => None,
    });
    match open {
        Some(id) => {
            let message = format!("No tool output found for function call {id}.");
            Err(Refusal::invalid(message).at("input"))
        }
        None => Ok(()),
    }
}
