//! Checks the rules of a valid conversation, and converts it to items.

use aileron_contract::CallId;
use serde_json::Value;

use super::signature::{SignatureVerdict, verify};
use super::wire::{Content, FunctionCall, FunctionResponse, Part};
use crate::http::RequestRefusal;
use crate::simulated_model::{Channel, HistoryItem, ModelCall, ModelCallResult};

/// The conversation, checked.
pub(super) fn items(contents: Vec<Content>) -> Result<Vec<HistoryItem>, RequestRefusal> {
    check(&contents)?;
    let mut items = Vec::new();
    let mut open: Vec<(CallId, FunctionCall)> = Vec::new();
    for (at, content) in contents.into_iter().enumerate() {
        if content.role.as_deref() == Some("model") {
            open = add_model_content(content.parts, at, &mut items)?;
        } else {
            add_user_content(content.parts, at, &mut open, &mut items)?;
        }
    }
    Ok(items)
}

fn check(contents: &[Content]) -> Result<(), RequestRefusal> {
    let Some(last) = contents.last() else {
        return Err(RequestRefusal::invalid(
            "* GenerateContentRequest.contents: contents is not specified",
        ));
    };
    for (at, content) in contents.iter().enumerate() {
        check_content(content, at)?;
    }
    if last.role.as_deref() == Some("model") {
        return Err(RequestRefusal::invalid("The last content must have the role user"));
    }
    check_signatures(contents)
}

fn check_content(content: &Content, at: usize) -> Result<(), RequestRefusal> {
    if !matches!(content.role.as_deref(), None | Some("user" | "model" | "function")) {
        let message = "Please use a valid role: user, model.";
        return Err(RequestRefusal::invalid(message).at(format!("contents[{at}].role")));
    }
    if content.parts.is_empty() {
        let message = format!(
            "* GenerateContentRequest.contents[{at}].parts: contents.parts must not be empty."
        );
        return Err(RequestRefusal::invalid(message));
    }
    Ok(())
}

/// In the current turn, the first call of each model content must carry its signature.
fn check_signatures(contents: &[Content]) -> Result<(), RequestRefusal> {
    let spoken = |content: &Content| {
        content.role.as_deref() != Some("model")
            && content.parts.iter().any(|part| part.function_response.is_none())
    };
    let turn = contents.iter().rposition(spoken).unwrap_or(0);
    for (at, content) in contents.iter().enumerate().skip(turn) {
        let calls = content.parts.iter().enumerate();
        let first =
            calls.filter_map(|(place, part)| Some((place, part, part.function_call.as_ref()?)));
        if let Some((place, part, call)) = first.into_iter().next() {
            judge(part, call, &format!("contents[{at}].parts[{place}]"))?;
        }
    }
    Ok(())
}

fn judge(part: &Part, call: &FunctionCall, path: &str) -> Result<(), RequestRefusal> {
    let name = &call.name;
    match verify(part.thought_signature.as_deref(), call.id.as_deref(), name) {
        SignatureVerdict::Genuine => Ok(()),
        SignatureVerdict::Missing => Err(RequestRefusal::invalid(format!(
            "Function call is missing a thought_signature in functionCall parts. \
             Function call `{name}`, position {path}."
        ))),
        SignatureVerdict::Corrupted => Err(RequestRefusal::invalid(format!(
            "Corrupted thought signature. Function call `{name}`, position {path}."
        ))),
    }
}

/// Adds the model's output; returns its open calls.
fn add_model_content(
    parts: Vec<Part>,
    at: usize,
    items: &mut Vec<HistoryItem>,
) -> Result<Vec<(CallId, FunctionCall)>, RequestRefusal> {
    let mut open = Vec::new();
    for (place, part) in parts.into_iter().enumerate() {
        if let Some(text) = part.text.filter(|text| !text.is_empty() && part.thought != Some(true))
        {
            // A streamed message comes back in parts, which are joined.
            match items.last_mut() {
                Some(HistoryItem::Said { text: before }) if place > 0 => before.push_str(&text),
                _ => items.push(HistoryItem::Said { text }),
            }
        }
        let Some(call) = part.function_call else { continue };
        let id = call.id.clone().unwrap_or_else(|| format!("unnamed_{at}_{place}"));
        let id = CallId::new(id).map_err(|error| RequestRefusal::invalid(error.to_string()))?;
        let (name, args) = (call.name.clone(), call.args.clone().unwrap_or_default());
        items.push(HistoryItem::Called(ModelCall { id: id.clone(), name, args }));
        open.push((id, call));
    }
    Ok(open)
}

/// Adds the model's inputs; all its calls must be answered together, directly after them.
fn add_user_content(
    parts: Vec<Part>,
    at: usize,
    open: &mut Vec<(CallId, FunctionCall)>,
    items: &mut Vec<HistoryItem>,
) -> Result<(), RequestRefusal> {
    let answers = parts.iter().filter(|part| part.function_response.is_some()).count();
    if answers != open.len() {
        return Err(RequestRefusal::invalid(
            "The number of function response parts must be equal to the number of function call \
             parts of the function call turn, directly after it.",
        )
        .at(format!("contents[{at}].parts")));
    }
    for part in parts {
        if let Some(response) = part.function_response {
            items.push(returned(response, at, open)?);
        } else if let Some(text) = part.text {
            items.push(HistoryItem::Heard { text, channel: Channel::Written });
        }
    }
    Ok(())
}

fn returned(
    response: FunctionResponse,
    at: usize,
    open: &mut Vec<(CallId, FunctionCall)>,
) -> Result<HistoryItem, RequestRefusal> {
    let fits = |call: &FunctionCall| match &response.id {
        Some(id) => call.id.as_ref() == Some(id) && call.name == response.name,
        None => call.name == response.name,
    };
    let Some(place) = open.iter().position(|(_, call)| fits(call)) else {
        let (id, name) = (response.id.as_deref().unwrap_or("none"), &response.name);
        let message =
            format!("A function response for `{name}` (id {id}) answers no function call");
        return Err(RequestRefusal::invalid(message).at(format!("contents[{at}].parts")));
    };
    let (id, call) = open.remove(place);
    let result = Value::Object(response.response);
    Ok(HistoryItem::Returned(ModelCallResult { id, name: call.name, result }))
}
