//! A reader who leaves stops the turn; two who speak at once are taken one after the other.

use std::sync::Arc;

use aileron_agent::{TurnError, TurnEvent, TurnLimits};
use aileron_contract::{Arguments, CallId, Mode, ToolCall};
use aileron_store::MemoryStore;
use futures_util::{FutureExt, StreamExt};
use serde_json::json;

use crate::script::{Calls, Hangs, Says, Script};
use crate::stage::{Stage, told};

#[tokio::test]
async fn leaving_while_the_model_writes_calls_the_request_off_and_keeps_the_words() {
    let script = Script::new([vec![Says("Once upon"), Hangs], vec![Says("Fine.")]]);
    let stage = Stage::new(&script).await;
    let mut answering = stage.begin("a story").await;
    while answering.next().await.unwrap() != TurnEvent::Text("Once upon".to_owned()) {}
    drop(answering);
    stage.say("never mind").await;
    assert_eq!(*script.dropped.lock().unwrap(), 1);
    assert_eq!(
        stage.kept().await,
        ["1 person: a story", "1 model: Once upon", "2 person: never mind", "2 model: Fine."]
    );
}

#[tokio::test]
async fn leaving_while_calls_run_interrupts_them_as_their_tools_say() {
    let calls =
        vec![Calls("call-00001", "stuck", json!({})), Calls("call-00002", "slow_write", json!({}))];
    let script = Script::new([calls, vec![Says("Fine.")]]);
    let stage = Stage::new(&script).await;
    let mut answering = stage.begin("go").await;
    while !matches!(answering.next().await.unwrap(), TurnEvent::Started { .. }) {}
    drop(answering);
    stage.say("stop").await;
    let kept = stage.kept().await;
    assert_eq!(kept[1], "1 model: call-00001:stuck | call-00002:slow_write");
    // The first ended itself when it was told to; the second had not begun.
    assert_eq!(kept[2], "1 results: call-00001=ok call-00002=CANCELLED");
    assert_eq!(kept[3..], ["2 person: stop", "2 model: Fine."]);
}

#[tokio::test]
async fn leaving_does_not_interrupt_the_call_of_another_client() {
    let calls = vec![Calls("call-00001", "stuck", json!({}))];
    let script = Script::new([calls, vec![Says("Fine.")]]);
    let stage = Stage::new(&script).await;
    let mut answering = stage.begin("go").await;
    while !matches!(answering.next().await.unwrap(), TurnEvent::Started { .. }) {}
    let id = CallId::new("call-of-an-agent").unwrap();
    let (call_id, tool_id) = (id.clone(), "stuck".to_owned());
    let call = ToolCall { call_id, tool_id, args: Arguments::default() };
    let mut other = std::pin::pin!(stage.conversation.call(vec![call]));
    assert!(other.as_mut().now_or_never().is_none());
    drop(answering);
    stage.say("stop").await;
    assert_eq!(stage.kept().await[2], "1 results: call-00001=ok");
    assert!(other.as_mut().now_or_never().is_none());
    stage.conversation.cancel(&[id]);
    assert!(other.await[0].failure().is_none());
}

#[tokio::test]
async fn a_second_turn_waits_for_the_first() {
    let script = Script::new([vec![Says("One.")], vec![Says("Two.")]]);
    let stage = Stage::new(&script).await;
    let (first, second) = tokio::join!(stage.say("first"), stage.say("second"));
    assert_eq!((told(&first)[2].as_str(), told(&second)[2].as_str()), ("text One.", "text Two."));
    assert_eq!(
        stage.kept().await,
        ["1 person: first", "1 model: One.", "2 person: second", "2 model: Two."]
    );
}

#[tokio::test(start_paused = true)]
async fn a_second_turn_does_not_wait_for_ever() {
    let script = Script::new([vec![Hangs]]);
    let stage = Stage::new(&script).await;
    let first = stage.begin("first").await;
    let watch = futures_util::stream::empty().boxed();
    let second = stage.agent.say(&stage.conversation, "second".to_owned(), watch).await;
    assert!(matches!(second, Err(TurnError::Busy)), "{second:?}");
    drop(first);
}

#[tokio::test]
async fn a_turn_of_another_process_is_noticed_before_anything_is_done() {
    let script = Script::new([vec![Calls("call-00001", "slow_write", json!({}))]]);
    let store = Arc::new(MemoryStore::new());
    let stage = Stage::over(store.clone(), &script, TurnLimits::default(), Mode::Text).await;
    let mut answering = stage.begin("go").await;
    // The other process adds to the same log before this turn is through.
    let other = Arc::new(json!({ "turn": 1, "message": { "from": "person", "text": "me too" } }));
    let id = stage.conversation.id().clone();
    let found = aileron_store::Store::append_messages(&*store, &id, 0, vec![other], 1).await;
    assert_eq!(found.unwrap(), aileron_store::AppendResult::At(1));
    let mut last = None;
    while let Some(event) = answering.next().await {
        last = Some(event);
    }
    assert!(told(&[last.unwrap()])[0].starts_with("failed HISTORY_CONFLICT"));
}
