//! Built-ins that never ask whether they may go on: refused where that is possible, given up where not.

use aileron_capability::foreign::HandlerFault;
use std::sync::Arc;
use std::time::{Duration, Instant};

use aileron_capability::handler::QuarantineScope;
use aileron_sandbox::{LoadError, SandboxCall};
use serde_json::json;

use crate::sandbox::{Bench, call, handler, in_ms, load, over_both, plain_call, runtime};
use crate::world::World;

over_both!(
    endless_builtins_are_refused,
    refusing_leaves_honest_use_alone,
    a_stuck_call_is_answered_at_its_deadline,
    a_stuck_call_is_noticed_by_its_processor_time,
    a_tool_that_is_stuck_at_its_top_level_does_not_load,
    a_stuck_call_of_one_caller_does_not_refuse_others,
    others_go_on_while_a_tool_is_stuck,
);

/// Holds a thread for seconds, past every check in the sandbox.
const HOLD: &str = "let n = 0; Array.prototype.join.call({ get length() { n += 1; return n > 1 ? 3e7 : 1; } }, '');";

fn endless_builtins_are_refused(bench: &Bench) {
    let bench = bench.limited(|limits| limits.cpu = Duration::from_secs(20));
    let engine = bench.engine();
    let body = "try { new Function; } catch {} const way = {ways}[args.way]; try { return String(way()); } catch (e) { return e.name; }";
    let ways = [
        "new Array(1e9).join('x')",
        "new Array(4e9).join('')",
        "String(new Array(4e9))",
        "`${new Array(4e9)}`",
        "new Array(4e9).toLocaleString()",
        "[].concat(new Array(4e9))",
        "new Array(4e9).reverse()",
        "Array.prototype.reverse.call({ length: 2 ** 53 - 1 })",
        "new Array(4e9).slice()",
        "new Array(4e9).splice(0, 1)",
        "new Array(4e9).shift()",
        "new Array(4e9).unshift(1)",
        "new Array(4e9).copyWithin(0, 1)",
        "new Array(4e9).sort()",
        "new Array(4e9).flat()",
        "new Array(4e9).flatMap((x) => x)",
        "'a'.repeat(6e6).indexOf('a'.repeat(3e6) + 'b')",
        "'a'.repeat(6e6).lastIndexOf('a'.repeat(3e6) + 'b')",
        "'a'.repeat(6e6).includes('a'.repeat(3e6) + 'b')",
        "'a'.repeat(6e6).split('a'.repeat(3e6) + 'b')",
        "'a'.repeat(6e6).replace('a'.repeat(3e6) + 'b', '')",
        "'a'.repeat(6e6).replaceAll('a'.repeat(3e6) + 'b', '')",
        "String.raw({ raw: { length: 2 ** 53 - 1 } })",
    ];
    let list: Vec<_> = ways.iter().map(|way| format!("() => {way}")).collect();
    let script =
        load(&engine, &handler(&body.replace("{ways}", &format!("[{}]", list.join(","))))).unwrap();
    let world = Arc::new(World::default());
    for (index, way) in ways.iter().enumerate() {
        let outcome = call(
            &engine,
            &script,
            SandboxCall { args: json!({ "way": index }), ..plain_call(&world) },
        );
        assert_eq!(outcome, Ok(json!("RangeError")), "{way}");
    }
}

fn refusing_leaves_honest_use_alone(bench: &Bench) {
    let bench = bench.limited(|limits| {
        limits.memory_bytes = 256 << 20;
        limits.cpu = Duration::from_secs(20);
    });
    let body = "const long = Array.from({ length: 500_000 }, (_, i) => i);
        const text = long.join(',');
        return [text.length > 3e6, text.indexOf(',499999'.repeat(1)) > 0, text.split(',').length, long.slice(10).length,
            [].concat(long, long).length, long.reverse()[0], text.includes('x'.repeat(200)), long.sort((a, b) => a - b)[1]];";
    assert_eq!(
        bench.run(body),
        Ok(json!([true, true, 500_000, 499_990, 1_000_000, 499_999, false, 1]))
    );
}

fn a_stuck_call_is_answered_at_its_deadline(bench: &Bench) {
    let bench = bench.limited(|limits| limits.cpu = Duration::from_secs(20));
    let engine = bench.engine();
    let world = Arc::new(World::default());
    let script = load(&engine, &handler(HOLD)).unwrap();
    // Long enough for a busy machine to have begun, shorter than the built-in holds its thread.
    let outcome =
        call(&engine, &script, SandboxCall { deadline: in_ms(400), ..plain_call(&world) });
    assert_eq!(outcome, Err(HandlerFault::Deadline));
}

fn a_stuck_call_is_noticed_by_its_processor_time(bench: &Bench) {
    let bench = bench.limited(|limits| limits.cpu = Duration::from_millis(30));
    let engine = bench.engine();
    let script = load(&engine, &handler(HOLD)).unwrap();
    let outcome = call(&engine, &script, plain_call(&Arc::new(World::default())));
    assert_eq!(outcome, Err(HandlerFault::CpuDeadline));
}

fn a_tool_that_is_stuck_at_its_top_level_does_not_load(bench: &Bench) {
    let bench = bench.limited(|limits| limits.cpu = Duration::from_millis(30));
    let engine = bench.engine();
    let outcome = load(&engine, &format!("{HOLD} export function execute() {{}}"));
    let expected = LoadError::TopLevel { tool: "tool".into(), fault: HandlerFault::CpuDeadline };
    assert_eq!(outcome.unwrap_err(), expected);
    assert!(load(&engine, "export function execute() {}").is_ok());
}

/// Holds a thread if the arguments say so.
fn holding_on_demand() -> String {
    handler(&format!("if (args.hold) {{ {HOLD} }} return 1;"))
}

fn a_stuck_call_of_one_caller_does_not_refuse_others(bench: &Bench) {
    let bench = bench.limited(|limits| limits.cpu = Duration::from_millis(30));
    let engine = bench.engine();
    let world = Arc::new(World::default());
    let script = load(&engine, &holding_on_demand()).unwrap();
    let held = |caller: &str| SandboxCall {
        args: json!({ "hold": true }),
        caller: caller.into(),
        ..plain_call(&world)
    };
    assert_eq!(call(&engine, &script, held("mallory")), Err(HandlerFault::CpuDeadline));
    assert_eq!(call(&engine, &script, plain_call(&world)), Ok(json!(1)));
}

/// On threads, the caller whose call holds one is refused until it comes back.
#[test]
fn a_caller_who_holds_a_thread_is_refused_until_it_comes_back() {
    let bench = Bench::threads().limited(|limits| limits.cpu = Duration::from_millis(30));
    let engine = bench.engine();
    let world = Arc::new(World::default());
    let script = load(&engine, &holding_on_demand()).unwrap();
    let held = SandboxCall { args: json!({ "hold": true }), ..plain_call(&world) };
    assert_eq!(call(&engine, &script, held), Err(HandlerFault::CpuDeadline));
    let refused = call(&engine, &script, plain_call(&world));
    let Err(HandlerFault::Quarantined(quarantine)) = refused else { panic!("{refused:?}") };
    assert_eq!((quarantine.scope, quarantine.threads_held), (QuarantineScope::Callers, 1));
    assert!(quarantine.seconds_left() <= 10);
    let patience = Instant::now() + Duration::from_secs(60);
    while script.quarantine().is_some() && Instant::now() < patience {
        std::thread::yield_now();
    }
    assert_eq!(call(&engine, &script, plain_call(&world)), Ok(json!(1)));
}

/// A worker process that does not stop is killed; its caller may call again immediately.
#[test]
fn a_killed_worker_refuses_nobody() {
    let bench = Bench::processes().limited(|limits| limits.cpu = Duration::from_millis(30));
    let engine = bench.engine();
    let world = Arc::new(World::default());
    let script = load(&engine, &holding_on_demand()).unwrap();
    for _ in 0..3 {
        let held = SandboxCall { args: json!({ "hold": true }), ..plain_call(&world) };
        assert_eq!(call(&engine, &script, held), Err(HandlerFault::CpuDeadline));
        assert_eq!(call(&engine, &script, plain_call(&world)), Ok(json!(1)));
        assert_eq!(script.quarantine(), None);
    }
}

fn others_go_on_while_a_tool_is_stuck(bench: &Bench) {
    let bench = bench.limited(|limits| limits.cpu = Duration::from_millis(30));
    let engine = bench.engine();
    let world = Arc::new(World::default());
    let good = load(&engine, &handler("return (await context.kb.later());")).unwrap();
    for _ in 0..3 {
        let bad = load(&engine, &handler(HOLD)).unwrap();
        let (engine_too, world_too) = (engine.clone(), world.clone());
        let holding = std::thread::spawn(move || call(&engine_too, &bad, plain_call(&world_too)));
        for _ in 0..3 {
            assert_eq!(call(&engine, &good, plain_call(&world)), Ok(json!("later")));
        }
        assert_eq!(holding.join().unwrap(), Err(HandlerFault::CpuDeadline));
    }
    assert_eq!(call(&engine, &good, plain_call(&world)), Ok(json!("later")));
}

/// A call that waits for its turn and one in the middle of its work are lost in two ways.
#[test]
fn losing_the_last_thread_tells_calls_that_had_begun_from_those_that_had_not() {
    let mut bench = Bench::threads().limited(|limits| limits.cpu = Duration::from_millis(30));
    bench.options.threads = 1;
    bench.options.most_abandoned = 0;
    let engine = bench.engine();
    let world = Arc::new(World::default());
    let begun = load(&engine, &handler("await context.kb.later(); return 1;")).unwrap();
    let waiting = load(&engine, &handler("return 1;")).unwrap();
    let holding = load(&engine, &handler(HOLD)).unwrap();
    let outcomes = runtime().block_on(async {
        tokio::join!(
            engine.call(&begun, plain_call(&world)),
            engine.call(&holding, plain_call(&world)),
            engine.call(&waiting, plain_call(&world)),
        )
    });
    let expected = (
        Err(HandlerFault::LostMidway),
        Err(HandlerFault::CpuDeadline),
        Err(HandlerFault::EngineLost),
    );
    assert_eq!(outcomes, expected);
}

/// With no thread left the engine refuses calls immediately, and continues when one returns.
#[test]
fn an_engine_without_threads_is_lost_until_one_returns() {
    let mut bench = Bench::threads().limited(|limits| limits.cpu = Duration::from_millis(30));
    bench.options.threads = 1;
    bench.options.most_abandoned = 0;
    let engine = bench.engine();
    let world = Arc::new(World::default());
    let good = load(&engine, &handler("return 1;")).unwrap();
    let bad = load(&engine, &handler(HOLD)).unwrap();
    assert_eq!(call(&engine, &bad, plain_call(&world)), Err(HandlerFault::CpuDeadline));
    assert_eq!(call(&engine, &good, plain_call(&world)), Err(HandlerFault::EngineLost));
    let patience = Instant::now() + Duration::from_secs(60);
    while call(&engine, &good, plain_call(&world)) == Err(HandlerFault::EngineLost) {
        assert!(Instant::now() < patience);
        std::thread::yield_now();
    }
    assert_eq!(call(&engine, &good, plain_call(&world)), Ok(json!(1)));
}
