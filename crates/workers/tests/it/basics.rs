//! A handler runs, asks for capabilities, and fails in the ways a handler may.

use aileron_contract::{ErrorType, HandlerRuntime};
use serde_json::json;

use crate::stage::{load, options};

const NODE: &str = r#"
import os from 'node:os';
import { ToolError, ErrorType, IntentType } from 'aileron';
export async function execute({ args, context }) {
  switch (args.do) {
    case 'echo': return { ok: true, data: { args, mode: context.mode, key: context.idempotencyKey, user: context.user.id } };
    case 'kb': return { ok: true, data: await context.kb.search({ query: 'plan', namespace: 'studio', topK: 3 }) };
    case 'throw': throw new ToolError(ErrorType.CONFLICT, 'taken', { retryable: true, suggestion: 'another' });
    case 'type': null.x; return;
    case 'intent': return { ok: true, data: {}, intents: [{ type: IntentType.START_VOICE_SESSION }] };
    case 'progress': context.progress({ done: 1 }); context.partial({ piece: 1 }); console.log('hello', os.EOL.length); return { ok: true, data: {} };
    default: return 7;
  }
}
"#;

const PYTHON: &str = r#"
import os
from aileron import ToolError, ErrorType, IntentType

ASYNC def execute(args, context):
    what = args["do"]
    if what == "echo":
        return {"ok": True, "data": {"args": args, "mode": context.mode, "key": context.idempotency_key, "user": context.user["id"]}}
    if what == "kb":
        return {"ok": True, "data": AWAIT context.kb.search(query="plan", namespace="studio", topK=3)}
    if what == "throw":
        raise ToolError(ErrorType.CONFLICT, "taken", retryable=True, suggestion="another")
    if what == "type":
        None.x
    if what == "intent":
        return {"ok": True, "data": {}, "intents": [{"type": IntentType.START_VOICE_SESSION}]}
    if what == "progress":
        context.progress({"done": 1})
        context.partial({"piece": 1})
        print("hello", len(os.linesep))
        return {"ok": True, "data": {}}
    return 7
"#;

fn sources() -> Vec<(HandlerRuntime, String)> {
    vec![
        (HandlerRuntime::Node, NODE.to_owned()),
        (HandlerRuntime::Python, PYTHON.replace("ASYNC ", "").replace("AWAIT ", "")),
        (HandlerRuntime::Python, PYTHON.replace("ASYNC", "async").replace("AWAIT", "await")),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handler_does_what_a_handler_may() {
    for (runtime, source) in sources() {
        let stage = tokio::task::spawn_blocking(move || load(runtime, &source, &["kb"], options()))
            .await
            .unwrap()
            .unwrap();
        let echoed = stage.data(json!({ "do": "echo" })).await;
        let expected =
            json!({ "args": { "do": "echo" }, "mode": "text", "key": "key-1", "user": "u1" });
        assert_eq!(echoed, expected);
        assert_eq!(stage.data(json!({ "do": "kb" })).await[0]["id"], "doc:plan");
        let thrown = stage.call(json!({ "do": "throw" })).await.result.unwrap_err();
        assert!(thrown.failure().kind == ErrorType::Conflict, "{thrown:?}");
        let broken = stage.call(json!({ "do": "type" })).await;
        assert!(broken.result.unwrap_err().failure().kind == ErrorType::Internal);
        let place = format!("{:?}", broken.defect);
        assert!(place.contains("the-tool/handler."), "{place}");
        let meant = stage.call(json!({ "do": "intent" })).await.result.unwrap();
        assert_eq!(meant.intents.len(), 1);
        stage.data(json!({ "do": "progress" })).await;
        let seen = format!("{:?}", stage.conversation);
        assert!(seen.contains("hello 1"), "{seen}");
        let nothing = stage.call(json!({ "do": "other" })).await.result.unwrap_err();
        assert!(nothing.failure().kind == ErrorType::Internal);
    }
}
