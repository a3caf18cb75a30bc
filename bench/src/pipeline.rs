//! The whole pipeline: JSON text of a provider's tool calls in, JSON text of the answers out, two
//! calls per turn; also with the store on disk and with JavaScript.

mod tools;
mod turn;
mod wire;

pub(crate) use tools::{native as native_tools, search_spec, spec};
pub(crate) use turn::Turn;

use std::sync::Arc;
use std::time::{Duration, Instant};

use aileron_capability::{Clock, Platform, SystemClock};
use aileron_contract::{ConversationId, Mode, UserId};
use aileron_orchestrator::token::Signer;
use aileron_orchestrator::{Config, NoopObserver, OpenRequest, Orchestrator, Person, Setup};
use aileron_store::{MemoryStore, SqliteOptions, SqliteStore, Store};
use serde_json::json;

use crate::print;
use crate::samples::Samples;

/// How long each variant is measured.
const SPAN: Duration = Duration::from_secs(4);

/// Turns between two rounds of maintenance, which are not measured.
const ROUND: usize = 400;

/// The reads: one JSON line for the store in memory, then the same on disk.
pub(crate) fn run() -> Result<(), String> {
    let runtime = current_thread()?;
    let memory = runtime.block_on(measured(Arc::new(MemoryStore::new())))?;
    print(&memory.line("memory"));
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let store = sqlite(folder.path())?;
    let disk = runtime.block_on(measured(store))?;
    print(&disk.line("sqlite"));
    print(&format!("sqlite / memory, p50: {:.2}", disk.p50_us() / memory.p50_us()));
    Ok(())
}

/// Durable writes, sequential and concurrent.
pub(crate) fn writes() -> Result<(), String> {
    print("| conversations at once | writes a second | p50 ms | p99 ms |");
    print("|---|---|---|---|");
    for at_once in [1, 8, 64] {
        let runtime = many_threads()?;
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let store = sqlite(folder.path())?;
        let (samples, per_second) = runtime.block_on(written(store, at_once))?;
        let (p50, p99) = (samples.p50_us() / 1000.0, samples.p99_us() / 1000.0);
        print(&format!("| {at_once} | {per_second:.0} | {p50:.2} | {p99:.2} |"));
    }
    Ok(())
}

/// A JavaScript handler that awaits one call of its host.
pub(crate) fn javascript() -> Result<(), String> {
    let runtime = many_threads()?;
    runtime.block_on(async {
        let orchestrator = orchestrator(Arc::new(MemoryStore::new()));
        orchestrator.install(tools::javascript()?).map_err(|error| error.to_string())?;
        let conversation = open(&orchestrator, 0).await?;
        let mut samples = Samples::default();
        let until = Instant::now() + SPAN;
        let mut turn = Turn::new("search_one", 1);
        while Instant::now() < until {
            let began = Instant::now();
            turn.run(&conversation).await?;
            samples.push(began.elapsed() / turn.calls);
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        print(&samples.line("javascript"));
        print(&crossings().await?.line("to another thread and back"));
        crowd(&orchestrator).await
    })
}

/// The cost of isolation on this machine before any work: a message to a sleeping thread and its
/// answer, with the same pauses between them.
async fn crossings() -> Result<Samples, String> {
    let (ask, asked) = std::sync::mpsc::channel::<tokio::sync::oneshot::Sender<()>>();
    std::thread::spawn(move || {
        for answer in asked {
            let _ = answer.send(());
        }
    });
    let mut samples = Samples::default();
    let until = Instant::now() + SPAN;
    while Instant::now() < until {
        let began = Instant::now();
        let (answer, answered) = tokio::sync::oneshot::channel();
        ask.send(answer).map_err(|error| error.to_string())?;
        answered.await.map_err(|error| error.to_string())?;
        samples.push(began.elapsed());
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    Ok(samples)
}

/// 10,000 calls over 64 conversations, and the memory and disk space that they use.
async fn crowd(orchestrator: &Orchestrator) -> Result<(), String> {
    let mut resident = Vec::new();
    for _ in 0..3 {
        let tasks = (1..=64).map(|number| {
            let orchestrator = orchestrator.clone();
            tokio::spawn(async move {
                let conversation = open(&orchestrator, number).await?;
                let mut turn = Turn::new("search_one", 2);
                for _ in 0..10_000 / 64 / 2 {
                    turn.run(&conversation).await?;
                }
                Ok::<_, String>(())
            })
        });
        for task in tasks.collect::<Vec<_>>() {
            task.await.map_err(|error| error.to_string())??;
        }
        resident.push(resident_mb().unwrap_or_default());
    }
    print(&json!({ "resident_mb_after_each_10000": resident }).to_string());
    Ok(())
}

async fn measured(store: Arc<dyn Store>) -> Result<Samples, String> {
    let orchestrator = orchestrator(store.clone());
    orchestrator.install(tools::native()?).map_err(|error| error.to_string())?;
    let conversation = open(&orchestrator, 0).await?;
    let mut samples = Samples::default();
    let mut turn = Turn::new("search_none", 2);
    let mut measured = Duration::ZERO;
    while measured < SPAN {
        for _ in 0..ROUND {
            let began = Instant::now();
            turn.run(&conversation).await?;
            let took = began.elapsed();
            measured += took;
            samples.push(took / turn.calls);
        }
        store.flush().await.map_err(|error| error.to_string())?;
        while expired(&store).await? {}
    }
    Ok(samples)
}

/// Removes entries that ended a second ago; returns whether there may be more.
async fn expired(store: &Arc<dyn Store>) -> Result<bool, String> {
    let expired = store.expire(SystemClock.now_ms(), 1000).await;
    expired.map(|expired| expired.more).map_err(|error| error.to_string())
}

async fn written(store: Arc<dyn Store>, at_once: usize) -> Result<(Samples, f64), String> {
    let orchestrator = orchestrator(store);
    orchestrator.install(tools::native()?).map_err(|error| error.to_string())?;
    let began = Instant::now();
    let until = began + SPAN;
    let tasks = (0..at_once).map(|number| {
        let orchestrator = orchestrator.clone();
        tokio::spawn(async move {
            let conversation = open(&orchestrator, number).await?;
            let mut samples = Samples::default();
            let mut turn = Turn::new("write_none", 1);
            while Instant::now() < until {
                let began = Instant::now();
                turn.run(&conversation).await?;
                samples.push(began.elapsed() / turn.calls);
            }
            Ok::<_, String>(samples)
        })
    });
    let mut all = Samples::default();
    for task in tasks.collect::<Vec<_>>() {
        all.append(task.await.map_err(|error| error.to_string())??);
    }
    let calls = all.len() as f64;
    Ok((all, calls / began.elapsed().as_secs_f64()))
}

pub(crate) fn orchestrator(store: Arc<dyn Store>) -> Orchestrator {
    Orchestrator::new(Setup {
        config: Config::default(),
        store,
        platform: Platform { kb: Some(Arc::new(tools::NoRecords)), ..Platform::default() },
        clock: Arc::new(SystemClock),
        observer: Arc::new(NoopObserver),
        signer: Signer::new([7; 32]),
    })
}

pub(crate) async fn open(
    orchestrator: &Orchestrator,
    number: usize,
) -> Result<aileron_orchestrator::Conversation, String> {
    let id = ConversationId::new(format!("conversation-{number}")).map_err(|e| e.to_string())?;
    let person = Person::known(UserId::new("ada").map_err(|error| error.to_string())?);
    let opening = OpenRequest { id, mode: Mode::Text, person };
    orchestrator.open(opening).await.map_err(|error| error.to_string())
}

fn sqlite(folder: &std::path::Path) -> Result<Arc<dyn Store>, String> {
    let store = SqliteStore::open(folder.join("aileron.db"), SqliteOptions::default());
    Ok(Arc::new(store.map_err(|error| error.to_string())?))
}

fn current_thread() -> Result<tokio::runtime::Runtime, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| error.to_string())
}

pub(crate) fn many_threads() -> Result<tokio::runtime::Runtime, String> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.map_err(|error| error.to_string())
}

/// The resident memory of this process, if the system reports it.
fn resident_mb() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
}
