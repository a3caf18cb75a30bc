//! The environment of test handlers: it records their effects and has a gate at which they wait.
//! Handlers are plain functions, so each finds its environment by the conversation's id.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use aileron_capability::{Context, Native, Success, ToolResult, success};
use aileron_contract::Intent;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

static GROUNDS: Mutex<BTreeMap<String, Arc<Ground>>> = Mutex::new(BTreeMap::new());

#[derive(Debug)]
pub(crate) struct Ground {
    effects: Mutex<Vec<Value>>,
    arrived: Semaphore,
    gate: Semaphore,
}

impl Ground {
    pub(crate) fn of(conversation: &str) -> Arc<Self> {
        let new = || {
            Arc::new(Self {
                effects: Mutex::default(),
                arrived: Semaphore::new(0),
                gate: Semaphore::new(0),
            })
        };
        GROUNDS.lock().unwrap().entry(conversation.to_owned()).or_insert_with(new).clone()
    }

    fn under(context: &Context) -> Arc<Self> {
        Self::of(context.caller().conversation.as_str())
    }

    /// The arguments of every side effect, in order.
    pub(crate) fn effects(&self) -> Vec<Value> {
        self.effects.lock().unwrap().clone()
    }

    /// Waits until a handler has come to the gate.
    pub(crate) async fn arrival(&self) {
        self.arrived.acquire().await.unwrap().forget();
    }

    pub(crate) fn open_gate(&self) {
        self.gate.add_permits(1);
    }
}

fn spec(id: &str, more: &Value) -> Value {
    let mut spec = json!({
        "toolId": id, "version": "1.0.0", "description": "A tool.", "category": "action",
        "sideEffects": "read_only", "idempotent": true, "requiresConfirmation": false,
        "allowedModes": ["text", "voice"], "latencyBudgetMs": 60_000,
        "parameters": {
            "type": "object", "additionalProperties": false,
            "properties": { "n": { "type": "integer", "default": 1 } }
        },
    });
    for (key, value) in more.as_object().unwrap() {
        spec[key] = value.clone();
    }
    spec
}

type Run = fn(Arc<Value>, Context) -> BoxFuture<'static, ToolResult>;

fn tool(id: &'static str, more: &Value, run: Run) -> (Value, Native) {
    (spec(id, more), Native { tool: id, hash: "0", run })
}

/// Every tool of these tests.
pub(crate) fn tools() -> Vec<(Value, Native)> {
    let writes = json!({ "sideEffects": "writes", "idempotent": false });
    let asks = json!({
        "sideEffects": "writes", "idempotent": false, "requiresConfirmation": true,
        "confirmation": { "preview": "Pay {n}" },
    });
    let only_voice = json!({ "allowedModes": ["voice"] });
    vec![
        tool("look", &json!({}), look),
        tool("look_slowly", &json!({ "speech": { "preamble": "Let me see." } }), slowly),
        tool("dig", &json!({ "execution": "background" }), slowly),
        tool("note_down", &json!({ "allowedModes": ["text"] }), look),
        tool("send", &writes, act),
        tool("send_slowly", &writes, act_slowly),
        tool("pay", &asks, act),
        tool("pay_slowly", &asks, act_slowly),
        tool("leave", &only_voice, |_, _| ends("farewell_spoken")),
        tool("leave_now", &only_voice, |_, _| ends("immediate")),
        tool("hush", &only_voice, |args, _| {
            with_intents(
                Arc::unwrap_or_clone(args),
                json!([{"type": "SUPPRESS_TRANSCRIPT", "value": true}]),
            )
        }),
        tool("block", &only_voice, |args, context| {
            let until = context.now() + 60_000;
            with_intents(
                Arc::unwrap_or_clone(args),
                json!([{"type": "BLOCK_USER", "until": until}]),
            )
        }),
    ]
}

fn look(args: Arc<Value>, _: Context) -> BoxFuture<'static, ToolResult> {
    Box::pin(async move { success(json!({ "seen": *args })) })
}

fn slowly(args: Arc<Value>, context: Context) -> BoxFuture<'static, ToolResult> {
    Box::pin(async move {
        let ground = Ground::under(&context);
        ground.arrived.add_permits(1);
        ground.gate.acquire().await.unwrap().forget();
        success(json!({ "seen": *args }))
    })
}

fn act(args: Arc<Value>, context: Context) -> BoxFuture<'static, ToolResult> {
    Box::pin(async move {
        Ground::under(&context).effects.lock().unwrap().push((*args).clone());
        success(json!({ "done": *args }))
    })
}

fn act_slowly(args: Arc<Value>, context: Context) -> BoxFuture<'static, ToolResult> {
    Box::pin(async move {
        let ground = Ground::under(&context);
        ground.arrived.add_permits(1);
        ground.gate.acquire().await.unwrap().forget();
        ground.effects.lock().unwrap().push((*args).clone());
        success(json!({ "done": *args }))
    })
}

fn ends(after: &'static str) -> BoxFuture<'static, ToolResult> {
    let data = json!({ "reason": "user_requested", "closingMessage": "Good bye." });
    with_intents(data, json!([{"type": "END_VOICE_SESSION", "after": after}]))
}

fn with_intents(data: Value, intents: Value) -> BoxFuture<'static, ToolResult> {
    let intents: Vec<Intent> = serde_json::from_value(intents).unwrap();
    Box::pin(async move { Ok(Success { data, intents }) })
}
