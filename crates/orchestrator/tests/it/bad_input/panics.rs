//! Native handlers that panic.

use std::sync::Arc;

use aileron_capability::{Native, ToolResult};
use aileron_contract::{Arguments, ErrorType};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};

use super::Target;
use crate::ground::{Ground, look};
use crate::stage::{Stage, native, spec, word};

fn tool(
    id: &'static str,
    run: fn(Arc<Value>, aileron_capability::Context) -> BoxFuture<'static, ToolResult>,
) -> (Value, Native) {
    let more = json!({ "sideEffects": "writes", "idempotent": false });
    (spec(id, more), native(id, run))
}

#[tokio::test]
async fn a_handler_that_panics_is_answered_and_the_conversation_lives_on() {
    let tools = [
        tool("at_once", |_, _| Box::pin(async { panic!("a secret: {}", 42) })),
        tool("before_it_begins", |_, _| panic!("no future at all")),
        tool("in_the_middle", |_, _| {
            Box::pin(async {
                tokio::task::yield_now().await;
                panic!("halfway")
            })
        }),
        tool("without_words", |_, _| Box::pin(async { std::panic::panic_any(7_u8) })),
        look("strict", json!({})),
    ];
    let names: Vec<_> = tools.iter().map(|(_, native)| native.tool).collect();
    let mut target = Target::on(Stage::new(&tools), "panics").await;
    for name in names.into_iter().filter(|name| *name != "strict") {
        let answer = target.send(name, Arguments::default()).await;
        let failure = answer.failure().unwrap();
        assert_eq!(
            (failure.kind, failure.partial_side_effects),
            (ErrorType::Internal, true),
            "{name}"
        );
        assert!(!failure.message.contains("secret"), "{}", failure.message);
    }
    let records = target.stage.records();
    assert!(records.iter().all(|record| record.ends_with(" panicked")), "{records:?}");
    target.check().await;
}

/// Panics when it is dropped, unless the thread panics already.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            panic!("on the way out");
        }
    }
}

#[tokio::test]
async fn a_handler_that_panics_while_it_is_given_up_is_answered_too() {
    let bomb = tool("bomb", |_, context| {
        Box::pin(async move {
            let _bomb = Bomb;
            Ground::of(context.caller().conversation.as_str()).arrived.add_permits(1);
            std::future::pending().await
        })
    });
    let mut target = Target::on(Stage::new(&[bomb, look("strict", json!({}))]), "bomb").await;
    let clock = target.stage.clock.clone();
    let later = tokio::spawn(async move {
        Ground::of("bomb").arrival().await;
        clock.advance(4000);
    });
    let answer = target.send("bomb", Arguments::default()).await;
    later.await.unwrap();
    assert_eq!(word(&answer), "OUTCOME_UNKNOWN");
    assert_eq!(target.stage.records(), ["call-00001 timed_out"]);
    target.check().await;
}

#[tokio::test]
async fn a_panic_does_not_take_the_other_calls_of_its_message_with_it() {
    let panics =
        (spec("broken", json!({})), native("broken", |_, _| Box::pin(async { panic!("broken") })));
    let target = Target::on(Stage::new(&[panics, look("strict", json!({}))]), "panic-beside").await;
    let calls = ["strict", "broken", "strict", "broken"].into_iter().enumerate();
    let calls =
        calls.map(|(n, tool)| crate::stage::call(&format!("call-{n:05}"), tool, json!({ "n": n })));
    let answers = target.conversation.call(calls.collect()).await;
    let words: Vec<_> = answers.iter().map(|answer| word(answer)).collect();
    assert_eq!(words, ["ok", "INTERNAL", "ok", "INTERNAL"]);
    assert_eq!(target.stage.records().len(), 4);
}
