//! The behaviours for native handlers.

use aileron_capability::http::HttpRequest;
use aileron_capability::{
    CapabilityFault, Context, Native, Natives, Success, ToolError, ToolResult, success,
};
use aileron_contract::{ErrorType, Intent};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::Arc;

/// The placeholder for the hash of native code.
pub(super) const HASH: &str = "native";

pub(super) fn natives() -> Natives {
    Natives::new(super::setup::TOOLS.map(|(tool, _)| Native { tool, hash: HASH, run }))
}

fn run(args: Arc<Value>, context: Context) -> BoxFuture<'static, ToolResult> {
    async move { behave(&args, &context).await }.boxed()
}

async fn behave(args: &Value, context: &Context) -> ToolResult {
    let value = &args["value"];
    match args["do"].as_str().unwrap_or_default() {
        "data" => success(json!({ "n": 1, "text": value, "list": [true, null, 0.5] })),
        "no_data" => success(Value::Null),
        "intents" => {
            let intents = vec![Intent::SuppressTranscript { value: true }];
            Ok(Success { data: json!({}), intents })
        }
        "returned_error" => {
            let error = ToolError::new(ErrorType::Conflict, "taken").retryable(true);
            Err(error.suggest("later").with_details(json!({ "a": 1 })))
        }
        "every_field" => {
            let error = ToolError::new(ErrorType::Conflict, "taken").retryable(false);
            let error = error.with_partial_side_effects().suggest("another");
            let mut failure = error.with_details(json!({ "free": [1, 2] })).into_failure();
            failure.idempotency_required = true;
            Err(failure.into())
        }
        "error_type" => {
            let kind = serde_json::from_value(value.clone()).unwrap();
            Err(ToolError::new(kind, "as told").retryable(false))
        }
        "thrown_error" => panic!("something broke"),
        "thrown_text" => panic!("only a text"),
        "undeclared" => {
            let kb = context.kb().is_err();
            let http = fetch(context).await.is_err();
            let messaging = context.send(json!({})).await.is_err();
            let named = |is_absent| if is_absent { "undefined" } else { "object" };
            success(json!([named(kb), named(http), named(messaging)]))
        }
        "progress" => {
            context.progress(json!({ "done": 1 }));
            context.partial(json!({ "piece": "first" }));
            success(json!({}))
        }
        "waits" => {
            context.progress(json!("begun"));
            context.kb()?.search(context.caller(), search("never")).await?;
            success(json!("after all"))
        }
        "unawaited" => {
            drop(context.kb()?.search(context.caller(), search("never")));
            success(json!("done"))
        }
        "own_call" => {
            context.kb()?.search(context.caller(), search("plan")).await?;
            context.progress(value.clone());
            success(json!([value, context.caller().call_id]))
        }
        "context" => success(described(context)),
        capability => use_capability(capability, context).await,
    }
}

async fn use_capability(name: &str, context: &Context) -> ToolResult {
    let caller = context.caller();
    match name {
        "kb" => {
            let hits = context.kb()?.search(caller, search("plan")).await?.hits;
            let ids = request(json!({ "ids": ["doc:plan"] }));
            let records = context.kb()?.get(caller, ids).await?.records;
            let (hit, record) = (&hits[0].record, &records[0]);
            success(json!([hit.id, hit.source_type, record.title, record.last_updated]))
        }
        "calendar" => {
            let span = json!({ "start": "2026-03-02T00:00:00Z", "end": "2026-03-03T00:00:00Z" });
            let mut busy = span.clone();
            busy["attendees"] = json!(["ada@example.com"]);
            let busy = context.calendar()?.free_busy(caller, request(busy)).await?;
            let mut draft = span;
            draft["id"] = json!("draft-1");
            draft["expires"] = json!("2099-01-01T00:00:00Z");
            draft["title"] = json!("Talk");
            let drafts = request(json!({ "drafts": [draft] }));
            context.calendar()?.save_drafts(caller, drafts).await?;
            let id = request(json!({ "id": "draft-1" }));
            let saved = context.calendar()?.draft(caller, id).await?.unwrap();
            success(json!([busy[0].email, busy[0].busy.len(), saved["title"]]))
        }
        "images" => {
            let wanted = json!({ "prompt": "a boat", "aspectRatio": "1:1", "count": 1, "idempotencyKey": "k" });
            let images = context.images()?;
            let made = images.generate(caller, request(wanted), context.progress_sink()).await?;
            let id = request(json!({ "id": made.images[0].id }));
            let found = images.get(caller, id).await?.unwrap();
            let url = request(json!({ "url": "https://example.com/a.png" }));
            let looked = images.look(caller, url).await?;
            let kind = if looked.width > 0 { "number" } else { "none" };
            success(json!([made.images.len(), found.id == made.images[0].id, kind]))
        }
        "messaging" => {
            context.send(json!({ "text": "hello there" })).await?;
            success(json!({}))
        }
        "audit" => {
            context.note("looked", json!({ "at": "this" }))?;
            success(json!({}))
        }
        "tools" => {
            let answer = context.call_tool("contract_bare", json!({ "do": "no_data" })).await?;
            let answer = serde_json::to_value(answer).unwrap();
            success(json!([answer["ok"], answer["data"]]))
        }
        "secret" => success(json!({ "key": context.secret("CONTRACT_SECRET")? })),
        "secret_undeclared" => success(json!(code(context.secret("HOME")))),
        "fault_caught" => success(json!(code(fetch(context).await))),
        "fault_uncaught" => {
            fetch(context).await?;
            success(Value::Null)
        }
        other => Err(ToolError::defect(format!("there is no behaviour `{other}`"))),
    }
}

fn described(context: &Context) -> Value {
    let caller = context.caller();
    json!({
        "mode": caller.mode,
        "conversation": caller.conversation,
        "client": context.client_id(),
        "call": caller.call_id,
        "user": context.user().unwrap()["id"],
        "active": context.session_is_active(),
        "toolsVersion": context.tools_version(),
        "stateMode": context.session_state()["mode"],
        "capabilities": context.capabilities(),
        "meta": { "toolId": caller.tool, "registryVersion": context.tools_version(), "callId": caller.call_id },
        "tool": { "id": caller.tool, "version": "1.0.0", "idempotent": true },
        "key": !caller.idempotency_key.is_empty(),
        "time": context.deadline() > context.now(),
        "aborted": context.cancellation().is_cancelled(),
    })
}

async fn fetch(context: &Context) -> Result<(), CapabilityFault> {
    let asked: HttpRequest = request(json!({ "url": "https://other.example.com/" }));
    context.fetch(asked).await.map(drop)
}

fn code<T>(outcome: Result<T, CapabilityFault>) -> &'static str {
    outcome.err().map_or("no error", |fault| fault.code.as_str())
}

fn search<T: DeserializeOwned>(query: &str) -> T {
    request(json!({ "query": query, "namespace": "studio", "topK": 3 }))
}

fn request<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}
