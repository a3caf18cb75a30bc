//! The part of a tool response that the model is given: the result or the error, never the envelope, and never
//! the token that the person approves with.

use aileron_contract::transport::CallResult;
use aileron_contract::{CallId, Failure, ToolResponse};
use serde_json::{Map, Value, json};

/// Precedes a result that the model no longer waits for.
const LATE: &str = "[This is not from the person. It is the result of a tool call made earlier in this conversation.";
const LATE_END: &str = "Take it into account.]";

/// Precedes an earlier result, for a model that continues a conversation.
const EARLIER: &str = "[This is not from the person. Earlier in this conversation a tool answered.";

/// Makes a model speak a given sentence.
const SAY: &str = "[This is not from the person.] Say exactly the following sentence, in its language, and nothing else:";

/// The response as an object with `output` or `error`.
pub fn model_view(response: &ToolResponse) -> Value {
    match response {
        ToolResponse::Success { data, .. } => json!({ "output": output(data) }),
        ToolResponse::Failure { error, .. } => json!({ "error": failure(error) }),
    }
}

/// An empty result makes models repeat the call to be sure, so it says that the call was done.
fn output(data: &Value) -> Value {
    match data {
        Value::Null => json!({ "status": "done" }),
        Value::Object(fields) if fields.is_empty() => json!({ "status": "done" }),
        data => data.clone(),
    }
}

fn failure(error: &Failure) -> Value {
    let mut view = Map::new();
    view.insert("code".into(), error.kind.as_str().into());
    view.insert("message".into(), error.message.as_str().into());
    view.insert("retryable".into(), error.retryable.into());
    if error.partial_side_effects {
        view.insert("partialSideEffects".into(), true.into());
    }
    if let Some(suggestion) = &error.suggestion {
        view.insert("suggestion".into(), suggestion.as_str().into());
    }
    if let Some(details) = &error.details {
        view.insert("details".into(), details.clone());
    }
    if let Some(question) = &error.confirmation_request {
        view.insert("awaitingApprovalOf".into(), question.preview.as_str().into());
    }
    Value::Object(view)
}

/// The result as text, for a connection that does not know the call.
pub(crate) fn late_text(result: &CallResult) -> String {
    late_words(&result.call_id, &result.response)
}

/// The same, for the response to a call by its id.
pub(crate) fn late_words(call: &CallId, response: &ToolResponse) -> String {
    format!("{LATE} {} {LATE_END}", told(call, response))
}

/// An earlier result as text, for another model that continues the conversation.
pub fn earlier_words(call: &CallId, response: &ToolResponse) -> String {
    format!("{EARLIER} {}]", told(call, response))
}

/// The text that makes a model speak a sentence.
pub(crate) fn to_say(sentence: &str) -> String {
    let words: Vec<_> = sentence.split_whitespace().collect();
    format!("{SAY}\n{}", words.join(" "))
}

fn told(call: &CallId, response: &ToolResponse) -> String {
    let (tool, view) = (&response.meta().tool_id, model_view(response));
    format!("Tool: {tool}. Call: {call}. Result: {view}")
}

#[cfg(test)]
#[path = "answer_tests.rs"]
mod tests;
