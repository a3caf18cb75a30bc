//! JavaScript handlers that misbehave in every way they can.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use aileron_compiler::{Memory, Options, Severity, compile, emit};
use aileron_contract::{Arguments, Mode};
use aileron_orchestrator::{Conversation, ConversationEvent, TurnInput};
use aileron_runtime::{Handlers, Registry};
use aileron_sandbox::{JsEngine, Options as EngineOptions, SandboxLimits};
use serde_json::{Value, json};

use super::Target;
use crate::stage::{Stage, ada, call, spec, word};

/// A handler, and the answer that the model gets.
const HANDLERS: [(&str, &str, &str); 24] = [
    ("strict", "return { ok: true, data: args };", "ok"),
    ("loops", "while (true) {}", "INTERNAL"),
    ("loops_in_a_promise", "await null; for (;;) await null;", "INTERNAL"),
    ("recurses", "const f = () => f() + 1; return f();", "INTERNAL"),
    ("allocates", "const a = []; for (;;) a.push(new Array(1000).fill(a.length));", "INTERNAL"),
    ("grows_text", "let s = 'x'; for (;;) s += s;", "INTERNAL"),
    ("proxy", "return new Proxy({}, { get() { throw new Error('no'); } });", "INTERNAL"),
    (
        "endless_proxy",
        "const h = { get: () => new Proxy({}, h), ownKeys: () => ['a'], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }) }; return { ok: true, data: new Proxy({}, h) };",
        "INTERNAL",
    ),
    ("cycle", "const a = {}; a.a = a; return { ok: true, data: a };", "INTERNAL"),
    ("big_int", "return { ok: true, data: 10n };", "INTERNAL"),
    ("function", "return () => ({ ok: true });", "INTERNAL"),
    ("large", "return { ok: true, data: 'x'.repeat(100_000_000) };", "INTERNAL"),
    ("holes", "return { ok: true, data: new Array(4294967295) };", "INTERNAL"),
    (
        "deep",
        "let a = 1; for (let i = 0; i < 10000; i++) a = [a]; return { ok: true, data: a };",
        "INTERNAL",
    ),
    ("nothing", "", "INTERNAL"),
    ("neither", "return { ok: 'yes', data: 1 };", "INTERNAL"),
    (
        "both",
        "return { ok: true, data: 1, error: { type: 'TRANSIENT', message: 'x' } };",
        "INTERNAL",
    ),
    ("throws_null", "throw null;", "INTERNAL"),
    (
        "throws_a_getter",
        "throw { get message() { throw 1; }, get type() { throw 2; } };",
        "INTERNAL",
    ),
    (
        "throws_in_to_json",
        "return { ok: true, data: { toJSON() { throw new Error('no'); } } };",
        "INTERNAL",
    ),
    ("never_settles", "return new Promise(() => {});", "INTERNAL"),
    (
        "settles_twice",
        "return new Promise((yes, no) => { yes({ ok: true, data: 1 }); yes({ ok: true, data: 2 }); no(new Error('late')); });",
        "ok",
    ),
    (
        "foreign_intent",
        "return { ok: true, data: 1, intents: [{ type: 'FORMAT_DISK' }] };",
        "INTERNAL",
    ),
    (
        "pollutes",
        "Object.prototype.n = 9; JSON.stringify = () => 'null'; return { ok: true, data: 1 };",
        "ok",
    ),
];

const GUIDE: &str = "Does what it should not.\n\n## Examples\n\n```json\n{}\n```\n";

fn engine() -> Arc<JsEngine> {
    static ENGINE: OnceLock<Arc<JsEngine>> = OnceLock::new();
    let limits = SandboxLimits { cpu: Duration::from_millis(100), ..Default::default() };
    let start = || Arc::new(JsEngine::new(EngineOptions { limits, ..Default::default() }).unwrap());
    ENGINE.get_or_init(start).clone()
}

/// Compiles handlers as a toolset on disk would be.
pub(super) fn registry<'a>(
    engine: Arc<JsEngine>,
    tools: impl Iterator<Item = (&'a str, &'a str, Value)>,
) -> Arc<Registry> {
    let mut tree = Memory::new("tools");
    for (id, body, more) in tools {
        let folder = id.replace('_', "-");
        tree.insert(format!("{folder}/schema.json"), spec(id, more).to_string());
        tree.insert(format!("{folder}/guide.md"), format!("# {id}\n\n{GUIDE}"));
        let handler = format!("export async function execute({{ args, context }}) {{ {body} }}\n");
        tree.insert(format!("{folder}/handler.js"), handler);
    }
    let compilation = compile(&tree, &Options::default(), &|_, _| {});
    let errors = compilation.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    assert_eq!(errors.map(|found| &found.message).collect::<Vec<_>>(), Vec::<&String>::new());
    let artifact = serde_json::to_string(&emit::artifact(&compilation.tools).unwrap()).unwrap();
    let handlers = Handlers { engine: Some(engine), ..Handlers::default() };
    Registry::load(&artifact, &handlers).unwrap()
}

fn stage<'a>(tools: impl Iterator<Item = (&'a str, &'a str, Value)>) -> Stage {
    let stage = Stage::new(&[]);
    stage.orchestrator.install(registry(engine(), tools)).unwrap();
    stage
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_is_contained_answered_and_recorded_once() {
    let tools = HANDLERS.iter().map(|(id, body, _)| (*id, *body, json!({ "idempotent": false })));
    let mut target = Target::on(stage(tools), "javascript").await;
    for (id, _, expected) in HANDLERS {
        let answer = target.send(id, Arguments::default()).await;
        assert_eq!(word(&answer), expected, "{id}: {answer:?}");
        assert!(serde_json::to_string(&*answer).unwrap().len() < 4096, "{id}");
        let well = target.send("strict", Arguments::default()).await;
        assert_eq!(serde_json::to_value(&*well).unwrap()["data"], json!({ "n": 1 }), "after {id}");
    }
    target.check().await;
}

async fn begun(stage: &Stage, name: &str) -> Conversation {
    let conversation = stage.open_as(name, Mode::Text, ada()).await;
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    conversation
}

/// The clock of the sandbox stands still with the test's; its deadline is the machine's own.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_sent_after_the_deadline() {
    let late = "for (let i = 0; i < 1e9; i++); await context.messaging.send({ late: true });";
    let more = json!({ "capabilities": ["messaging"], "latencyBudgetMs": 10, "timeoutMs": 30 });
    let stage = stage([("late", late, more)].into_iter());
    let conversation = begun(&stage, "javascript-late").await;
    let answers = conversation.call(vec![call("call-00001", "late", json!({}))]).await;
    assert_eq!(word(&answers[0]), "TRANSIENT");
    let is_sent = |event: &ConversationEvent| matches!(event, ConversationEvent::Message { .. });
    assert!(!stage.memo.events().iter().any(is_sent));
    assert_eq!(stage.records(), ["call-00001 timed_out"]);
}

/// A call that is not awaited is dropped with its caller, and still has its record.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_nobody_awaits_is_recorded_once() {
    let careless = "context.tools.call('inner', {}); return { ok: true, data: 1 };";
    let writes = json!({ "sideEffects": "writes", "capabilities": ["tools"] });
    let inner = ("inner", "return new Promise(() => {});", json!({ "sideEffects": "writes" }));
    let stage = stage([("careless", careless, writes), inner].into_iter());
    let conversation = begun(&stage, "javascript-careless").await;
    let answers = conversation.call(vec![call("call-00001", "careless", json!({}))]).await;
    assert_eq!(word(&answers[0]), "ok");
    let mut records = stage.records();
    records.sort();
    assert_eq!(records.len(), 2, "{records:?}");
    assert!(records[0].starts_with("call-00001 completed"), "{records:?}");
    assert!(records[1].starts_with("call-00001.1 "), "{records:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tool_that_calls_itself_or_more_than_it_declares_is_stopped() {
    let itself = "return { ok: true, data: await context.tools.call('itself', {}) };";
    let more =
        |tool: &str| json!({ "capabilities": ["tools"], "version": format!("1.0.{}", tool.len()) });
    let writes = "return { ok: true, data: await context.tools.call('acts', {}) };";
    let acts = ("acts", "return { ok: true, data: 1 };", json!({ "sideEffects": "writes" }));
    let tools = [("itself", itself, more("itself")), ("reads", writes, more("reads")), acts];
    let stage = stage(tools.into_iter());
    let conversation = begun(&stage, "javascript-nested").await;
    for (id, tool, kind) in
        [("call-00001", "itself", "LOOP_DETECTED"), ("call-00002", "reads", "DENIED")]
    {
        let answers = conversation.call(vec![call(id, tool, json!({}))]).await;
        let answer = serde_json::to_value(&*answers[0]).unwrap();
        assert_eq!(answer["data"]["error"]["type"], kind, "{answer}");
    }
    assert_eq!(stage.records().len(), 4);
}
