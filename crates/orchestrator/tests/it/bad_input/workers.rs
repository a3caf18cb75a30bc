//! Worker processes that are killed in the middle of a call, and too few of them.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use aileron_contract::{ErrorType, Mode, ToolResponse};
use aileron_orchestrator::{ConversationEvent, TurnInput};
use aileron_sandbox::{Isolation, JsEngine, Options, SandboxLimits, worker};
use serde_json::{Value, json};

use super::javascript::registry;
use crate::stage::{Stage, ada, call, word};

/// The environment variable that makes this binary a worker.
const WORKER: &str = "AILERON_ORCHESTRATOR_WORKER";

/// Starts this binary as a worker, writes down its process id, and removes the first output of the
/// test harness.
const START: &str = r#"
/bin/sh -c 'echo $$ > "$1"; export AILERON_ORCHESTRATOR_WORKER=yes
    exec "$0" bad_input::workers::this_binary_is_a_worker --exact --nocapture --test-threads=2' "$0" "$1" |
    { read -r _; read -r _; exec /bin/cat; }
"#;

/// Has a visible effect, and never ends.
const ENDLESS: &str = "await context.messaging.send({ done: true }); while (true);";

#[test]
fn this_binary_is_a_worker() {
    if std::env::var_os(WORKER).is_some() {
        // It is killed by the tests below, or ends; the test harness prints nothing in either case.
        let _ = worker::run();
    }
}

fn engine(pid: &Path) -> Arc<JsEngine> {
    let this = std::env::current_exe().unwrap();
    let arguments: [OsString; 3] = ["/bin/sh".into(), "-c".into(), START.into()];
    let command = arguments.into_iter().chain([this.into(), pid.into()]).collect();
    let limits = SandboxLimits { cpu: Duration::from_secs(60), ..SandboxLimits::default() };
    let isolation = Isolation::Process { command };
    Arc::new(
        JsEngine::new(Options { isolation, limits, workers: 1, ..Options::default() }).unwrap(),
    )
}

/// The answer to a call whose worker is killed after its effect.
async fn killed(more: Value) -> (Stage, Vec<Arc<ToolResponse>>) {
    let folder = tempfile::tempdir().unwrap();
    let pid = folder.path().join("pid");
    let engine = engine(&pid);
    // The first worker takes the only tool, the one started in its place is the reserve.
    let first = std::fs::read_to_string(&pid).unwrap();
    let mut spec = json!({ "capabilities": ["messaging"], "timeoutMs": 20_000 });
    spec.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let stage = Stage::new(&[]);
    let tools = registry(engine, [("endless", ENDLESS, spec)].into_iter());
    stage.orchestrator.install(tools).unwrap();
    let conversation = stage.open_as("killed", Mode::Voice, ada()).await;
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    let calls = vec![call("call-00001", "endless", json!({}))];
    let calling = tokio::spawn(async move { conversation.call(calls).await });
    let is_sent = |event: &ConversationEvent| matches!(event, ConversationEvent::Message { .. });
    while !stage.memo.events().iter().any(is_sent) {
        tokio::task::yield_now().await;
    }
    let kill = Command::new("/bin/sh").args(["-c", "kill -9 \"$0\"", first.trim()]).status();
    assert!(kill.unwrap().success());
    let answers = calling.await.unwrap();
    (stage, answers)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_whose_worker_died_may_have_happened_and_is_not_repeated() {
    let (stage, answers) = killed(json!({ "sideEffects": "writes" })).await;
    let failure = answers[0].failure().unwrap();
    let told = (failure.kind, failure.retryable, failure.partial_side_effects);
    assert_eq!(told, (ErrorType::OutcomeUnknown, false, true), "{failure:?}");
    assert_eq!(answers[0].meta().attempts, 1);
    assert_eq!(stage.records(), ["call-00001 process_died"]);
    let conversation = stage.open_as("killed", Mode::Voice, ada()).await;
    let again = conversation.call(vec![call("call-00001", "endless", json!({}))]).await;
    assert_eq!((word(&again[0]), again[0].meta().replayed), ("OUTCOME_UNKNOWN", true));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_whose_worker_died_may_be_tried_again() {
    let (stage, answers) = killed(json!({ "sideEffects": "read_only" })).await;
    let failure = answers[0].failure().unwrap();
    let told = (failure.kind, failure.retryable, failure.partial_side_effects);
    assert_eq!(told, (ErrorType::Transient, true, false), "{failure:?}");
    assert_eq!(stage.records(), ["call-00001 completed"]);
}

/// A call keeps its worker while it waits for a nested call, which needs another worker.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tools_that_call_tools_do_not_starve_each_other() {
    const ASK: &str = "return await context.tools.call(args.n > 1 ? 'inner' : 'outer', {});";
    let folder = tempfile::tempdir().unwrap();
    let stage = Stage::new(&[]);
    let calls = || json!({ "capabilities": ["tools"], "timeoutMs": 20_000 });
    let tools = [
        ("inner", "return { ok: true, data: 'well' };", json!({})),
        ("outer", "return await context.tools.call('inner', {});", calls()),
        ("outermost", ASK, calls()),
    ];
    let tools = registry(engine(&folder.path().join("pid")), tools.into_iter());
    stage.orchestrator.install(tools).unwrap();
    let mut calling = Vec::new();
    for n in 1..=4 {
        let conversation = stage.open_as(&format!("nested-{n}"), Mode::Text, ada()).await;
        conversation.begin_turn(TurnInput::Written).await.unwrap();
        let calls = vec![call("call-00001", "outermost", json!({ "n": n }))];
        calling.push(tokio::spawn(async move { conversation.call(calls).await }));
    }
    for one in calling {
        let answers = one.await.unwrap();
        assert_eq!(word(&answers[0]), "ok", "{answers:?}");
        assert_eq!(serde_json::to_value(&*answers[0]).unwrap()["data"], "well");
    }
}
