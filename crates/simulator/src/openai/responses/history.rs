//! Converts the input to items: resolves references, and matches outputs to calls.

use aileron_contract::CallId;
use axum::http::StatusCode;
use serde_json::{Map, Value};

use super::wire::{Input, InputItem};
use crate::http::{HttpWorld, RequestRefusal};
use crate::simulated_model::{Channel, HistoryItem, ModelCall, ModelCallResult};

/// Instructions among the items, and everything else that happened.
#[derive(Debug, Default)]
pub(super) struct History {
    pub(super) instructions: Vec<String>,
    pub(super) items: Vec<HistoryItem>,
    /// Calls whose output may follow in a later request.
    asynchronous: Vec<CallId>,
}

pub(super) fn read(
    previous: Option<&str>,
    input: Option<Input>,
    shared: &HttpWorld,
) -> Result<History, RequestRefusal> {
    let mut history = History::default();
    if let Some(id) = previous {
        let kept = shared.recall(id).ok_or_else(|| {
            RequestRefusal::invalid(format!("Previous response with id '{id}' not found."))
                .at("previous_response_id")
                .code("previous_response_not_found")
        })?;
        history.items = kept.items;
    }
    match input {
        None => {
            return Err(RequestRefusal::invalid("Missing required parameter: 'input'.").at("input"));
        }
        Some(Input::Text(text)) => {
            history.items.push(HistoryItem::Heard { text, channel: Channel::Written });
        }
        Some(Input::Items(items)) => {
            for (at, item) in items.into_iter().enumerate() {
                history.add(item, at, shared)?;
            }
        }
    }
    check_answered(&history.items, &history.asynchronous)?;
    Ok(history)
}

impl History {
    fn add(
        &mut self,
        item: InputItem,
        at: usize,
        shared: &HttpWorld,
    ) -> Result<(), RequestRefusal> {
        match item.kind.as_deref().unwrap_or("message") {
            "message" => self.add_message(item, at),
            "function_call" => {
                let asynchronous = item.asynchronous == Some(true);
                let call = called(item, at)?;
                self.asynchronous.extend(asynchronous.then(|| call.id.clone()));
                self.items.push(HistoryItem::Called(call));
                Ok(())
            }
            "function_call_output" => {
                let returned = self.returned(item, at)?;
                self.items.push(HistoryItem::Returned(returned));
                Ok(())
            }
            "item_reference" => self.add_reference(item.id.as_deref().unwrap_or_default(), shared),
            "reasoning" => Ok(()),
            kind => Err(RequestRefusal::invalid(format!(
                "Invalid value: '{kind}' is no type of item here"
            ))
            .at(format!("input[{at}].type"))
            .code("invalid_value")),
        }
    }

    fn add_message(&mut self, item: InputItem, at: usize) -> Result<(), RequestRefusal> {
        let text = item.content.map(super::wire::Content::text).unwrap_or_default();
        match item.role.as_deref().unwrap_or_default() {
            "user" => self.items.push(HistoryItem::Heard { text, channel: Channel::Written }),
            "assistant" => self.items.push(HistoryItem::Said { text }),
            "system" | "developer" => self.instructions.push(text),
            role => {
                let known = "'assistant', 'system', 'developer', and 'user'";
                let message = format!("Invalid value: '{role}'. Supported values are: {known}.");
                return Err(RequestRefusal::invalid(message)
                    .at(format!("input[{at}].role"))
                    .code("invalid_value"));
            }
        }
        Ok(())
    }

    fn add_reference(&mut self, id: &str, shared: &HttpWorld) -> Result<(), RequestRefusal> {
        let Some(item) = shared.recall_item(id) else {
            let message = format!("Item with id '{id}' not found.");
            return Err(RequestRefusal::new(StatusCode::NOT_FOUND, message).at("input"));
        };
        self.items.extend(item);
        Ok(())
    }

    fn returned(&self, item: InputItem, at: usize) -> Result<ModelCallResult, RequestRefusal> {
        let id = item.call_id.unwrap_or_default();
        let calls = self.items.iter().rev().filter_map(|known| match known {
            HistoryItem::Called(call) => Some(call),
            HistoryItem::Heard { .. } | HistoryItem::Said { .. } | HistoryItem::Returned(_) => None,
        });
        let call = calls.into_iter().find(|call| call.id.as_str() == id);
        let twice = self.items.iter().any(
            |known| matches!(known, HistoryItem::Returned(returned) if returned.id.as_str() == id),
        );
        let Some(call) = call.filter(|_| !twice) else {
            let message = format!("No tool call found for function call output with call_id {id}.");
            return Err(RequestRefusal::invalid(message).at("input"));
        };
        let Some(output) = item.output else {
            let param = format!("input[{at}].output");
            let message = format!("Missing required parameter: '{param}'.");
            return Err(RequestRefusal::invalid(message)
                .at(param)
                .code("missing_required_parameter"));
        };
        let result = Value::String(output.text());
        Ok(ModelCallResult { id: call.id.clone(), name: call.name.clone(), result })
    }
}

fn called(item: InputItem, at: usize) -> Result<ModelCall, RequestRefusal> {
    let missing = |name: &str| {
        let param = format!("input[{at}].{name}");
        RequestRefusal::invalid(format!("Missing required parameter: '{param}'."))
            .at(param)
            .code("missing_required_parameter")
    };
    let id = item.call_id.ok_or_else(|| missing("call_id"))?;
    let id =
        CallId::new(id).map_err(|error| RequestRefusal::invalid(error.to_string()).at("input"))?;
    let name = item.name.ok_or_else(|| missing("name"))?;
    let arguments = item.arguments.ok_or_else(|| missing("arguments"))?;
    // The model may have written invalid arguments; a value that is not an object counts as empty.
    let args: Map<String, Value> = serde_json::from_str(&arguments).unwrap_or_default();
    Ok(ModelCall { id, name, args })
}

fn check_answered(items: &[HistoryItem], later: &[CallId]) -> Result<(), RequestRefusal> {
    let answered = |id: &CallId| {
        items
            .iter()
            .any(|item| matches!(item, HistoryItem::Returned(returned) if returned.id == *id))
    };
    let open = items.iter().find_map(|item| match item {
        HistoryItem::Called(call) if !answered(&call.id) && !later.contains(&call.id) => {
            Some(&call.id)
        }
        _ => None,
    });
    match open {
        Some(id) => {
            let message = format!("No tool output found for function call {id}.");
            Err(RequestRefusal::invalid(message).at("input"))
        }
        None => Ok(()),
    }
}
