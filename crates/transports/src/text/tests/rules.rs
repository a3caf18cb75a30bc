//! The known rules by which each provider refuses a request.

use std::collections::BTreeSet;

use serde_json::Value;

type Checked = Result<(), String>;

pub(super) fn check(name: &str, body: &Value) -> Checked {
    match name {
        "gemini" => gemini(&list(body, "contents")?),
        "openai" => openai(&list(body, "input")?),
        "openai_chat" => chat(&list(body, "messages")?),
        _ => anthropic(body),
    }
}

fn ensure(holds: bool, rule: impl Into<String>) -> Checked {
    if holds { Ok(()) } else { Err(rule.into()) }
}

fn list(value: &Value, name: &str) -> Result<Vec<Value>, String> {
    let list = value.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    ensure(!list.is_empty(), format!("`{name}` is empty in {value}"))?;
    Ok(list)
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn is_blank(value: &Value, name: &str) -> bool {
    text(value, name).trim().is_empty()
}

fn is_name(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    (1..=64).contains(&name.len()) && name.chars().all(fits)
}

/// Two sides in turn, the other side first and last. `pairs` says which roles may repeat.
fn sides(roles: &[&str], ours: &str, pairs: &[&str]) -> Checked {
    ensure(roles.first() != Some(&ours), "the model speaks first")?;
    ensure(roles.last() != Some(&ours), "the model speaks last")?;
    let repeated = roles.windows(2).find(|pair| pair[0] == pair[1] && !pairs.contains(&pair[0]));
    ensure(repeated.is_none(), format!("two turns in a row of {repeated:?}"))
}

fn gemini(contents: &[Value]) -> Checked {
    let roles: Vec<_> = contents.iter().map(|content| text(content, "role")).collect();
    sides(&roles, "model", &["user"])?;
    let mut waiting: Vec<Value> = Vec::new();
    for content in contents {
        let parts = list(content, "parts")?;
        let responses: Vec<_> =
            parts.iter().filter_map(|part| part.get("functionResponse")).collect();
        ensure(responses.len() == waiting.len(), "a call without its response, or the other way")?;
        ensure(responses.is_empty() || responses.len() == parts.len(), "responses beside words")?;
        for (call, response) in waiting.iter().zip(&responses) {
            ensure(call["name"] == response["name"], "a response to another tool")?;
            ensure(call.get("id") == response.get("id"), "a response with another id")?;
            ensure(response["response"].is_object(), "a response that is no object")?;
        }
        waiting = parts.iter().filter_map(|part| part.get("functionCall").cloned()).collect();
        for call in &waiting {
            ensure(is_name(text(call, "name")) && call["args"].is_object(), "a bad call")?;
        }
        let first = parts.iter().find(|part| part.get("functionCall").is_some());
        let signed = first.is_none_or(|part| part.get("thoughtSignature").is_some());
        ensure(signed, "the first call is not signed")?;
        let empty = |part: &Value| part.get("text").is_some() && text(part, "text").is_empty();
        ensure(!parts.iter().any(empty), "an empty part")?;
    }
    ensure(waiting.is_empty(), "calls at the end")
}

fn openai(items: &[Value]) -> Checked {
    let mut ids = BTreeSet::new();
    let mut waiting = BTreeSet::new();
    for (at, item) in items.iter().enumerate() {
        let id = text(item, "call_id").to_owned();
        match text(item, "type") {
            "function_call" => {
                ensure(is_name(&id) && is_name(text(item, "name")), "a bad call")?;
                ensure(ids.insert(id.clone()), "an id twice")?;
                ensure(item["arguments"].is_string(), "arguments that are no text")?;
                waiting.insert(id);
            }
            "function_call_output" => {
                ensure(waiting.remove(&id), "an output without a call")?;
                ensure(item["output"].is_string(), "an output that is no text")?;
            }
            "reasoning" => {
                ensure(!is_blank(item, "encrypted_content"), "reasoning that is not sealed")?;
                ensure(at + 1 < items.len(), "reasoning that leads to nothing")?;
            }
            "message" if text(item, "role") == "user" => {
                ensure(waiting.is_empty(), "words before the outputs")?;
                ensure(!is_blank(item, "content"), "an empty message")?;
            }
            "message" => ensure(at + 1 < items.len(), "the model speaks last")?,
            other => return Err(format!("an item of type {other:?}")),
        }
    }
    ensure(waiting.is_empty(), "calls at the end")
}

fn chat(messages: &[Value]) -> Checked {
    let [system, messages @ ..] = messages else { return Err("nothing".into()) };
    ensure(text(system, "role") == "system", "no instructions")?;
    let roles: Vec<_> = messages.iter().map(|message| text(message, "role")).collect();
    sides(&roles, "assistant", &["tool"])?;
    let mut ids = BTreeSet::new();
    let mut waiting: Vec<String> = Vec::new();
    for message in messages {
        if text(message, "role") == "tool" {
            ensure(!waiting.is_empty(), "a result without a call")?;
            ensure(waiting.remove(0) == text(message, "tool_call_id"), "a result of another call")?;
            ensure(!is_blank(message, "content"), "an empty result")?;
            continue;
        }
        ensure(waiting.is_empty(), "a call without a result")?;
        let calls =
            message.get("tool_calls").and_then(Value::as_array).cloned().unwrap_or_default();
        ensure(!calls.is_empty() || !is_blank(message, "content"), "an empty message")?;
        for call in calls {
            let function = &call["function"];
            let args: Value = serde_json::from_str(text(function, "arguments")).unwrap_or_default();
            ensure(args.is_object() && is_name(text(function, "name")), "a bad call")?;
            ensure(ids.insert(text(&call, "id").to_owned()), "an id twice")?;
            waiting.push(text(&call, "id").to_owned());
        }
    }
    ensure(waiting.is_empty(), "calls at the end")
}

fn anthropic(body: &Value) -> Checked {
    let messages = list(body, "messages")?;
    let roles: Vec<_> = messages.iter().map(|message| text(message, "role")).collect();
    sides(&roles, "assistant", &[])?;
    let mut ids = BTreeSet::new();
    let mut waiting: Vec<String> = Vec::new();
    for message in &messages {
        let blocks = list(message, "content")?;
        let of = |kind: &str| {
            blocks.iter().filter(|block| text(block, "type") == kind).collect::<Vec<_>>()
        };
        let results = of("tool_result");
        ensure(results.len() == waiting.len(), "a call without its result, or the other way")?;
        for (id, block) in waiting.iter().zip(&blocks) {
            ensure(
                id == text(block, "tool_use_id"),
                "results that are not first, or out of order",
            )?;
            ensure(!is_blank(block, "content"), "an empty result")?;
        }
        ensure(!of("text").iter().any(|block| is_blank(block, "text")), "an empty text")?;
        waiting.clear();
        for call in of("tool_use") {
            let id = text(call, "id").to_owned();
            ensure(is_name(&id) && is_name(text(call, "name")), "a bad call")?;
            ensure(call["input"].is_object(), "an input that is no object")?;
            ensure(ids.insert(id.clone()), "an id twice")?;
            waiting.push(id);
        }
    }
    ensure(ids.is_empty() || body.get("tools").is_some(), "calls without tools")?;
    thinking(body, &messages)
}

/// A reply that goes on after calls has to begin with thinking if there is to be any.
fn thinking(body: &Value, messages: &[Value]) -> Checked {
    let [.., said, last] = messages else { return Ok(()) };
    let goes_on = last["content"][0]["type"] == "tool_result";
    let began = text(&said["content"][0], "type") == "thinking";
    ensure(body.get("thinking").is_none() || !goes_on || began, "thinking begins in the middle")
}
