//! What the store costs, in one run: `cargo run --release -p aileron-store --example cost`.
//!
//! A read is lookup, begin and settle; a write is the same with both ends durable.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use aileron_contract::envelope::{Meta, RESPONSE_SCHEMA_VERSION};
use aileron_contract::spec::SideEffects;
use aileron_contract::{CallId, ConversationId, Mode, Outcome, ToolResponse, UserId};
use aileron_store::{
    AuditFilter, Begun, CallStart, MemoryStore, Scope, SqliteOptions, SqliteStore, Store, ToolStamp,
};
use serde_json::json;

type Fault = Box<dyn std::error::Error>;

fn main() -> Result<(), Fault> {
    let folder = tempfile::tempdir()?;
    let disk = |name: &str| SqliteStore::open(folder.path().join(name), SqliteOptions::default());
    print("reads, one thread, bursts of 4000 calls (median of 50 bursts, ns per operation)");
    bursts("memory", &MemoryStore::new())?;
    bursts("sqlite", &disk("bursts")?)?;
    print("reads, sustained, 100 calls a conversation, calls per second");
    for threads in [1, 4] {
        sustained("memory", Arc::new(MemoryStore::new()), threads)?;
        sustained("sqlite", Arc::new(disk(&format!("sustained{threads}"))?), threads)?;
    }
    print("writes on sqlite (begin and settle, both durable)");
    for threads in [1, 8, 64] {
        writes(Arc::new(disk(&format!("writes{threads}"))?), threads)?;
    }
    print("audit log on sqlite");
    audit(&disk("sustained1")?)
}

#[expect(clippy::print_stdout, reason = "the table is the data of the command")]
fn print(line: &str) {
    println!("{line}");
}

/// A caller as the orchestrator would be one: what does not change is shared.
struct Caller {
    scope: Arc<Scope>,
    tool: Arc<ToolStamp>,
}

impl Caller {
    fn new(conversation: &str, side_effects: SideEffects) -> Result<Self, Fault> {
        let scope = Scope {
            conversation: ConversationId::new(conversation)?,
            user: Some(UserId::new("ada")?),
            mode: Mode::Text,
            registry_version: "1.0.abcdef01".to_owned(),
        };
        let tool = ToolStamp {
            id: "kb_search".to_owned(),
            version: Some("1.0.0".to_owned()),
            side_effects,
            redact: Vec::new(),
        };
        Ok(Self { scope: Arc::new(scope), tool: Arc::new(tool) })
    }

    fn call(&self, index: usize) -> Result<Arc<CallStart>, Fault> {
        Ok(Arc::new(CallStart {
            scope: self.scope.clone(),
            tool: self.tool.clone(),
            turn: 1,
            call_id: CallId::new(format!("call_{index:024}"))?,
            key: format!("provider:call_{index:024}").into(),
            args: Arc::new(json!({"query": "who designed the flaps", "top_k": 5, "tags": ["a"]})),
            time: 1_700_000_000_000,
        }))
    }

    fn answer(&self, call: &CallStart) -> Arc<ToolResponse> {
        let results: Vec<_> = (0..5)
            .map(|n| json!({"id": format!("person:{n}"), "score": 0.5, "snippet": "x".repeat(200)}))
            .collect();
        Arc::new(ToolResponse::Success {
            data: json!({"results": results}),
            intents: Vec::new(),
            meta: Meta {
                tool_id: call.tool.id.clone(),
                tool_version: call.tool.version.clone(),
                registry_version: call.scope.registry_version.clone(),
                response_schema_version: RESPONSE_SCHEMA_VERSION.to_owned(),
                call_id: call.call_id.clone(),
                duration: 12,
                attempts: 1,
                replayed: false,
                clamped: Vec::new(),
                over_budget: false,
                truncated: false,
            },
        })
    }
}

fn run(store: &dyn Store, call: Arc<CallStart>, answer: Arc<ToolResponse>) -> Result<(), Fault> {
    store.lookup(call.conversation(), &call.key)?;
    let Begun::Started(ticket) = store.begin(call).wait()? else { return Err("known".into()) };
    Ok(store.settle(ticket, Outcome::Completed, answer).wait()?)
}

fn bursts(name: &str, store: &dyn Store) -> Result<(), Fault> {
    const CALLS: usize = 4000;
    let caller = Caller::new("conversation-1", SideEffects::ReadOnly)?;
    let mut times = [const { Vec::new() }; 3];
    for burst in 0..50 {
        let calls = (0..CALLS).map(|index| caller.call(burst * CALLS + index));
        let calls = calls.collect::<Result<Vec<_>, _>>()?;
        let answer = caller.answer(&calls[0]);
        let mut tickets = Vec::with_capacity(CALLS);
        times[0].push(timed(|| {
            calls.iter().try_for_each(|call| store.lookup(call.conversation(), &call.key).map(drop))
        })?);
        times[1].push(timed(|| {
            calls.iter().try_for_each(|call| {
                tickets.push(store.begin(call.clone()).wait()?);
                Ok(())
            })
        })?);
        store.flush().wait()?;
        times[2].push(timed(|| {
            tickets.into_iter().try_for_each(|begun| match begun {
                Begun::Started(ticket) => {
                    store.settle(ticket, Outcome::Completed, answer.clone()).wait()
                }
                Begun::Known(_) => Ok(()),
            })
        })?);
        store.flush().wait()?;
    }
    let [lookup, begin, settle] = times.map(|times| median(times).as_nanos() as usize / CALLS);
    print(&format!("  {name}  lookup {lookup}  begin {begin}  settle {settle}"));
    Ok(())
}

fn timed(run: impl FnOnce() -> Result<(), aileron_store::StoreError>) -> Result<Duration, Fault> {
    let start = Instant::now();
    run()?;
    Ok(start.elapsed())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// Runs `work` on each thread with its number; gives all times of single calls and the whole time.
fn spread(
    threads: usize,
    work: impl Fn(usize) -> Result<Vec<Duration>, Fault> + Sync,
) -> (Vec<Duration>, Duration) {
    let start = Instant::now();
    let times = thread::scope(|scope| {
        let work = &work;
        let spawn = |index| scope.spawn(move || work(index).unwrap_or_default());
        let threads: Vec<_> = (0..threads).map(spawn).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
    });
    (times, start.elapsed())
}

fn sustained(name: &str, store: Arc<dyn Store>, threads: usize) -> Result<(), Fault> {
    const CALLS: usize = 200_000;
    let (times, elapsed) = spread(threads, |thread| {
        let mut times = Vec::with_capacity(CALLS / threads);
        let mut caller = Caller::new("first", SideEffects::ReadOnly)?;
        let answer = caller.answer(&*caller.call(0)?);
        for index in 0..CALLS / threads {
            if index % 100 == 0 {
                caller = Caller::new(&format!("{thread}-{index}"), SideEffects::ReadOnly)?;
            }
            let call = caller.call(index)?;
            let start = Instant::now();
            run(&*store, call, answer.clone())?;
            times.push(start.elapsed());
        }
        Ok(times)
    });
    store.flush().wait()?;
    report(&format!("{name}, {threads} threads"), times, elapsed);
    Ok(())
}

fn writes(store: Arc<dyn Store>, threads: usize) -> Result<(), Fault> {
    let calls = 2000 / threads.min(20);
    let (times, elapsed) = spread(threads, |thread| {
        let caller = Caller::new(&format!("conversation-{thread}"), SideEffects::Writes)?;
        let mut times = Vec::with_capacity(calls);
        for index in 0..calls {
            let call = caller.call(index)?;
            let answer = caller.answer(&call);
            store.lookup(call.conversation(), &call.key)?;
            let begun = Instant::now();
            let Begun::Started(ticket) = store.begin(call).wait()? else { continue };
            times.push(begun.elapsed());
            let settled = Instant::now();
            store.settle(ticket, Outcome::Completed, answer).wait()?;
            times.push(settled.elapsed());
        }
        Ok(times)
    });
    report(&format!("{threads} threads, each of two"), times, elapsed);
    Ok(())
}

fn report(name: &str, mut times: Vec<Duration>, elapsed: Duration) {
    times.sort();
    let at = |part: usize| times[times.len() * part / 1000].as_nanos() as f64 / 1000.0;
    let rate = times.len() as f64 / elapsed.as_secs_f64();
    let (p50, p99, p999) = (at(500), at(990), at(999));
    let worst = times.last().map_or(0.0, |time| time.as_secs_f64() * 1000.0);
    print(&format!(
        "  {name}: {rate:.0}/s, p50 {p50:.1} us, p99 {p99:.1} us, p99.9 {p999:.1} us, worst {worst:.1} ms"
    ));
}

fn audit(store: &dyn Store) -> Result<(), Fault> {
    let start = Instant::now();
    let verified = store.verify_audit()?;
    let (records, took) = (verified.records, start.elapsed());
    print(&format!("  verify {records} records in {took:.1?}"));
    let start = Instant::now();
    let read = store.audit(AuditFilter::default()).filter(Result::is_ok).count();
    print(&format!("  read {read} records in {:.1?}", start.elapsed()));
    Ok(())
}
