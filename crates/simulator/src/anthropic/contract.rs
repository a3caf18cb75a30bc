//! The checks of a request that depend on the model, and the signatures of its thoughts.

use aileron_contract::ContentHash;
use aileron_contract::models::{self, Thinking};
use serde_json::{Value, json};

use super::wire::{Content, Message, Request};
use crate::http::RequestRefusal;

const FORCED: &str = "tool_choice: type \"tool\" and \"any\" are not supported for this model.";

/// Checks a request by the contract of its model. Returns the signature of its thoughts if the model always
/// thinks.
pub(super) fn check(request: &Request, body: &[u8]) -> Result<Option<String>, RequestRefusal> {
    let contract = models::anthropic(&request.model);
    if contract.prefix.is_empty() {
        return Ok(None);
    }
    let choice = request.tool_choice.as_ref().map(|choice| choice.kind.as_str());
    if matches!(choice, Some("any" | "tool")) && !contract.forced_tool_choice.is_accepted() {
        return Err(RequestRefusal::invalid(FORCED));
    }
    let given = [
        ("temperature", request.temperature.is_some_and(|it| it != 1.0)),
        ("top_p", request.top_p.is_some()),
        ("top_k", request.top_k.is_some()),
    ];
    let set = given.iter().find(|(_, given)| *given).filter(|_| !contract.sampling.is_accepted());
    if let Some((name, _)) = set {
        return Err(RequestRefusal::invalid(format!("{name}: not supported for this model")));
    }
    let last = request.messages.last();
    if last.is_some_and(|last| last.role == "assistant") && !contract.prefill.is_accepted() {
        return Err(RequestRefusal::invalid(
            "messages: a final assistant message is not supported for this model",
        ));
    }
    if request.output_config.is_some() && !contract.effort.is_accepted() {
        return Err(RequestRefusal::invalid("output_config: not supported for this model"));
    }
    if contract.thinking != Thinking::Always {
        return Ok(None);
    }
    if let Some(kind) = request.thinking.as_ref().map(|thinking| thinking.kind.as_str())
        && matches!(kind, "enabled" | "disabled")
    {
        return Err(RequestRefusal::invalid(format!(
            "thinking.type: \"{kind}\" is not supported for this model; thinking is always on"
        )));
    }
    let signature = signature(body);
    check_thoughts(&request.messages, &signature)?;
    Ok(Some(signature))
}

/// Thoughts belong to the model, the instructions and the tools of the request.
fn signature(body: &[u8]) -> String {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    ContentHash::of_value(&json!([body["model"], body["system"], body["tools"]])).to_string()
}

fn check_thoughts(messages: &[Message], signature: &str) -> Result<(), RequestRefusal> {
    for (at, message) in messages.iter().enumerate() {
        let Content::Blocks(blocks) = &message.content else { continue };
        for (place, block) in blocks.iter().enumerate().filter(|(_, it)| it.kind == "thinking") {
            if block.signature.as_deref() != Some(signature) {
                return Err(RequestRefusal::invalid(format!(
                    "messages.{at}.content.{place}: Invalid `signature` in `thinking` block"
                )));
            }
        }
        let answered = messages.get(at + 1).is_some_and(|next| is_last_answer(messages, at, next));
        let ours = |id: &str| id.starts_with("toolu_");
        let called = blocks.iter().any(|it| it.id.as_deref().is_some_and(ours));
        let thought = blocks.first().is_some_and(|first| first.kind == "thinking");
        if answered && called && !thought {
            return Err(RequestRefusal::invalid(format!(
                "messages.{at}.content.0.type: Expected `thinking`, but found `{}`. When a reply goes on \
                 after tools, its thinking blocks must be sent back unchanged",
                blocks.first().map(|block| block.kind.as_str()).unwrap_or_default()
            )));
        }
    }
    Ok(())
}

/// Whether the message answers the calls of the last reply.
fn is_last_answer(messages: &[Message], at: usize, next: &Message) -> bool {
    let returns = |content: &Content| match content {
        Content::Text(_) => false,
        Content::Blocks(blocks) => blocks.iter().any(|block| block.kind == "tool_result"),
    };
    at + 2 == messages.len() && returns(&next.content)
}
