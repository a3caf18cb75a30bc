//! The tools offered to a model, and their documentation.

use aileron_capability::{Native, success};
use aileron_contract::Mode;
use aileron_orchestrator::{Conversation, Person};
use serde_json::{Value, json};

use crate::stage::{Stage, ada, call, native, spec};

fn echo(tool: &'static str, more: Value) -> (Value, Native) {
    (spec(tool, more), native(tool, |args, _| Box::pin(async move { success((*args).clone()) })))
}

fn stage() -> Stage {
    Stage::new(&[
        echo("anywhere", json!({})),
        echo("broken_rule", json!({ "availability": { "condition": "user.nothing.at_all" } })),
        echo("not_here", json!({ "availability": { "condition": "mode == 'phone'" } })),
        echo("signed_in", json!({ "permissions": { "requiresAuth": true } })),
        echo("spoken", json!({ "allowedModes": ["voice"] })),
        echo("with_scope", json!({ "permissions": { "scopes": ["calendar"] } })),
        (
            spec("reader", json!({ "capabilities": ["tools"] })),
            native("reader", |_, context| {
                Box::pin(async move {
                    let read = |tool| context.documentation(tool).unwrap();
                    success(json!([read("anywhere").is_ok(), read("spoken"), read("signed_out")]))
                })
            }),
        ),
    ])
}

fn ids(conversation: &Conversation) -> Vec<String> {
    conversation.tools().iter().map(|tool| tool.spec().tool_id.to_string()).collect()
}

#[tokio::test]
async fn only_what_mode_condition_and_permission_allow_is_offered() {
    let stage = stage();
    let text = stage.open_as("a", Mode::Text, ada()).await;
    assert_eq!(ids(&text), ["anywhere", "reader", "signed_in"]);
    let voice = stage.open_as("b", Mode::Voice, Person::default()).await;
    assert_eq!(ids(&voice), ["anywhere", "reader", "spoken"]);
    let scopes = vec!["calendar".to_owned()];
    let allowed = stage.open_as("c", Mode::Text, Person { scopes, ..ada() }).await;
    assert_eq!(ids(&allowed), ["anywhere", "reader", "signed_in", "with_scope"]);
}

#[tokio::test]
async fn a_tool_that_is_not_offered_says_nothing_of_itself() {
    let conversation = stage().open(Mode::Text).await;
    let answers = conversation.call(vec![call("call-00001", "reader", json!({}))]).await;
    let answer = serde_json::to_value(&*answers[0]).unwrap();
    assert_eq!(answer["data"], json!([true, { "Err": [] }, { "Err": ["signed_in"] }]));
}
