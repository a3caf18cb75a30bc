//! One contract for all engines: the sandbox on threads and in processes, native code, Node.js, and
//! Python with plain functions and with coroutines. Every behaviour runs through the pipeline with the
//! shipped configuration, on every engine that can have it.

mod behaviours;
mod native;
mod setup;
mod skips;

use std::fs;
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use aileron_contract::{Arguments, CallId, ConversationId, Mode, ToolCall, ToolResponse, UserId};
use aileron_orchestrator::{Conversation, ConversationEvent, OpenRequest, Person, TurnInput};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use self::behaviours::{Behaviour, During};
use self::setup::{Engine, Pipeline};

/// Long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn the_sandbox_on_threads_keeps_the_contract() {
    check(Engine::SandboxThread);
}

#[test]
fn the_sandbox_in_processes_keeps_the_contract() {
    check(Engine::SandboxProcess);
}

#[test]
fn native_handlers_keep_the_contract() {
    check(Engine::Native);
}

#[test]
fn node_keeps_the_contract() {
    check(Engine::Node);
}

#[test]
fn python_keeps_the_contract() {
    check(Engine::Python);
}

#[test]
fn python_with_coroutines_keeps_the_contract() {
    check(Engine::AsyncPython);
}

/// Every behaviour runs on at least four engines, and every engine has most of them. A name without a
/// row, or a row without code, fails the test of its engine.
#[test]
fn no_behaviour_is_dropped() {
    let rows = behaviours::all();
    for row in &rows {
        let engines = Engine::ALL.iter().filter(|engine| skips::reason(**engine, row).is_none());
        assert!(engines.count() >= 4, "{} ({:?})", row.name, row.during);
    }
    let javascript = include_str!("engines/handler.js");
    let python = include_str!("engines/handler.py");
    for name in rows.iter().map(|row| row.name).chain(["own_call"]) {
        assert!(javascript.contains(&format!("\n  {name}:")), "{name}");
        assert!(python.contains(&format!("if what == \"{name}\"")), "{name}");
    }
    let in_javascript = javascript.lines().filter(|line| is_behaviour(line)).count();
    let mut names: Vec<_> = rows.iter().map(|row| row.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(in_javascript, names.len() + 1, "a behaviour of handler.js has no row");
}

/// A member of the table in `handler.js`.
fn is_behaviour(line: &str) -> bool {
    let name = line.strip_prefix("  ").and_then(|rest| rest.split_once(": "));
    name.is_some_and(|(name, rest)| {
        name.chars().all(|letter| letter == '_' || letter.is_ascii_lowercase())
            && (rest.contains("=>"))
    })
}

/// The processes of both kinds of Python handlers look alike.
static PYTHON: Mutex<()> = Mutex::new(());

fn check(engine: Engine) {
    let is_python = matches!(engine, Engine::Python | Engine::AsyncPython);
    let _alone = is_python.then(|| PYTHON.lock().unwrap_or_else(PoisonError::into_inner));
    let runtime = runtime();
    let pipeline = Pipeline::new(engine);
    let mut faults = Vec::new();
    let mut played = 0;
    for (number, behaviour) in behaviours::all().iter().enumerate() {
        if skips::reason(engine, behaviour).is_some() {
            continue;
        }
        played += 1;
        let what = format!("{} ({:?}, {:?})", behaviour.name, behaviour.during, behaviour.value);
        // A process that is killed takes the other calls of its pipeline with it.
        let apart = (behaviour.during == During::Kill).then(|| Pipeline::new(engine));
        let pipeline = apart.as_ref().unwrap_or(&pipeline);
        let found = runtime.block_on(play(engine, pipeline, number, behaviour));
        faults.extend(found.err().map(|fault| format!("{what}: {fault}")));
    }
    assert!(faults.is_empty(), "{engine:?}, {played} played:\n{}", faults.join("\n"));
    assert!(played >= 25, "{engine:?}: {played}");
    runtime.block_on(at_once(engine, &pipeline));
}

fn runtime() -> Runtime {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

async fn open(pipeline: &Pipeline, id: &str) -> Conversation {
    let person = Person::known(UserId::new("ada").unwrap());
    let id = ConversationId::new(id).unwrap();
    let opened = pipeline.orchestrator.open(OpenRequest { id, mode: Mode::Text, person }).await;
    let conversation = opened.unwrap();
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    conversation
}

fn call(id: &str, tool: &str, args: Value) -> Vec<ToolCall> {
    let (call_id, tool_id) = (CallId::new(id).unwrap(), tool.to_owned());
    vec![ToolCall { call_id, tool_id, args: Arguments::Value(args) }]
}

/// Plays one behaviour; an error says in which way it differs.
async fn play(
    engine: Engine,
    pipeline: &Pipeline,
    number: usize,
    behaviour: &Behaviour,
) -> Result<(), String> {
    let (conversation_id, call_id) = (format!("c-{number}"), format!("call-{number}"));
    let conversation = open(pipeline, &conversation_id).await;
    pipeline.events.take();
    let args = json!({ "do": behaviour.name, "value": behaviour.value });
    let calls = call(&call_id, behaviour.tool, args);
    let running = tokio::spawn({
        let conversation = conversation.clone();
        async move { conversation.call(calls).await }
    });
    if behaviour.during != During::Nothing {
        let began = Instant::now();
        let is_begun =
            |event: &ConversationEvent| matches!(event, ConversationEvent::Progress { .. });
        while !pipeline.events.has(is_begun) && !running.is_finished() && began.elapsed() < PATIENCE
        {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
    match behaviour.during {
        During::Nothing => {}
        During::Cancel => conversation.cancel(&[CallId::new(&*call_id).unwrap()]),
        During::Kill => kill_processes(engine),
    }
    let answers = tokio::time::timeout(PATIENCE, running).await;
    let answers = answers.map_err(|_| "it was never answered".to_owned())?.unwrap();
    let expected = behaviour
        .answer
        .to_string()
        .replace("$VERSION", &pipeline.version)
        .replace("$CALL", &call_id)
        .replace("$CONVERSATION", &conversation_id);
    compare(behaviour, &serde_json::from_str(&expected).unwrap(), &answers, &pipeline.events.take())
}

fn compare(
    behaviour: &Behaviour,
    expected: &Value,
    answers: &[Arc<ToolResponse>],
    events: &[ConversationEvent],
) -> Result<(), String> {
    let [answer] = answers else { return Err(format!("expected one answer, found {answers:?}")) };
    let answer = serde_json::to_value(&**answer).unwrap();
    if !has(&answer, expected) {
        let defects =
            events.iter().filter(|event| matches!(event, ConversationEvent::Defect { .. }));
        let defects: Vec<_> = defects.collect();
        return Err(format!("expected {expected}, found {answer}, defects {defects:?}"));
    }
    let text = format!("{events:?}");
    if let Some(missing) = behaviour.events.iter().find(|part| !text.contains(**part)) {
        return Err(format!("expected an event with {missing:?}, found {text}"));
    }
    let outcomes = events.iter().filter_map(|event| match event {
        ConversationEvent::Answered { outcome, .. } => Some(outcome),
        _ => None,
    });
    match &behaviour.outcome {
        Some(outcome) if !outcomes.clone().any(|found| found == outcome) => Err(format!(
            "expected the outcome {outcome:?}, found {:?}",
            outcomes.collect::<Vec<_>>()
        )),
        _ => Ok(()),
    }
}

/// Whether a value has all members of another, and the same items.
fn has(value: &Value, expected: &Value) -> bool {
    match (value, expected) {
        (Value::Object(members), Value::Object(wanted)) => wanted
            .iter()
            .all(|(name, wanted)| has(members.get(name).unwrap_or(&Value::Null), wanted)),
        (Value::Array(items), Value::Array(wanted)) => {
            items.len() == wanted.len()
                && items.iter().zip(wanted).all(|(item, wanted)| has(item, wanted))
        }
        _ => value == expected,
    }
}

/// Calls at once on the same engine: each has its own arguments, log lines, progress and answer.
async fn at_once(engine: Engine, pipeline: &Pipeline) {
    pipeline.events.take();
    let names: Vec<_> = (0..24).map(|number| format!("own-{number}")).collect();
    let running = names.iter().map(|name| async move {
        let conversation = open(pipeline, name).await;
        let args = json!({ "do": "own_call", "value": name });
        conversation.call(call(name, "contract_read", args)).await
    });
    let answers = futures_util::future::join_all(running).await;
    for (name, answers) in names.iter().zip(answers) {
        let answer = serde_json::to_value(&*answers[0]).unwrap();
        assert_eq!(answer["data"], json!([name, name]), "{engine:?} {answer}");
    }
    for event in pipeline.events.take() {
        match event {
            ConversationEvent::Log { call_id, text, .. } => {
                assert_eq!(text, format!("of {call_id}"), "{engine:?}");
            }
            ConversationEvent::Progress { call_id, update } => {
                assert_eq!(update, json!(call_id), "{engine:?}");
            }
            _ => {}
        }
    }
}

/// Kills the processes that run handlers for this test.
fn kill_processes(engine: Engine) {
    let mark = engine.process_mark().unwrap();
    let own = std::process::id().to_string();
    let processes = fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    for process in processes.filter(|name| name.bytes().all(|byte| byte.is_ascii_digit())) {
        let read = |name: &str| fs::read(format!("/proc/{process}/{name}")).unwrap_or_default();
        let stat = String::from_utf8_lossy(&read("stat")).into_owned();
        let parent = stat
            .rsplit_once(')')
            .and_then(|(_, rest)| rest.split_whitespace().nth(1).map(str::to_owned));
        let command = String::from_utf8_lossy(&read("cmdline")).into_owned();
        if parent.as_deref() == Some(&*own) && command.contains(mark) {
            let killed = Command::new("kill").args(["-9", &process]).status();
            assert!(killed.unwrap().success());
        }
    }
}
