//! How a call ends other than by its own doing, and that nothing happens after it has.

use aileron_capability::foreign::HandlerFault;
use std::sync::Arc;
use std::time::{Duration, Instant};

use aileron_sandbox::SandboxCall;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::sandbox::{Bench, call, handler, in_ms, load, over_both, plain_call, runtime};
use crate::world::World;

over_both!(
    a_deadline_ends_a_wait,
    a_deadline_ends_a_loop,
    a_passed_deadline_runs_nothing,
    a_call_is_cancelled_while_it_waits,
    a_call_is_cancelled_while_it_runs,
    a_cancelled_call_is_not_begun,
    a_dropped_call_ends,
    never_settling_is_noticed_at_once,
    settling_twice_settles_once,
    nothing_is_asked_after_the_end,
    what_is_not_awaited_is_begun_and_dropped,
    cancelling_at_any_moment_is_harmless,
    a_host_that_panics_is_survived,
);

fn a_deadline_ends_a_wait(bench: &Bench) {
    let engine = bench.engine();
    let script = load(&engine, &handler("await context.kb.never();")).unwrap();
    let began = Instant::now();
    let outcome =
        call(&engine, &script, SandboxCall { deadline: in_ms(40), ..plain_call(&world()) });
    assert_eq!(outcome, Err(HandlerFault::Deadline));
    assert!(began.elapsed() >= Duration::from_millis(40));
    assert!(script.quarantine().is_none());
    let outcome =
        call(&engine, &script, SandboxCall { deadline: in_ms(40), ..plain_call(&world()) });
    assert_eq!(outcome, Err(HandlerFault::Deadline));
}

fn world() -> Arc<World> {
    Arc::default()
}

fn a_deadline_ends_a_loop(bench: &Bench) {
    let bench = bench.limited(|limits| limits.cpu = Duration::from_secs(20));
    let engine = bench.engine();
    let script = load(&engine, &handler("while (true);")).unwrap();
    let outcome =
        call(&engine, &script, SandboxCall { deadline: in_ms(40), ..plain_call(&world()) });
    assert_eq!(outcome, Err(HandlerFault::Deadline));
    assert!(script.quarantine().is_none());
}

fn a_passed_deadline_runs_nothing(bench: &Bench) {
    let engine = bench.engine();
    let world = world();
    let script = load(&engine, &handler("console.log('ran');")).unwrap();
    let outcome =
        call(&engine, &script, SandboxCall { deadline: Instant::now(), ..plain_call(&world) });
    assert_eq!(outcome, Err(HandlerFault::Deadline));
    assert_eq!(world.seen(), Vec::<String>::new());
}

/// Cancels the call some time after it began.
fn cancelled(bench: &Bench, body: &str) -> (Result<serde_json::Value, HandlerFault>, Duration) {
    let engine = bench.engine();
    let script = load(&engine, &handler(body)).unwrap();
    let cancel = CancellationToken::new();
    let call = SandboxCall { cancel: cancel.clone(), ..plain_call(&world()) };
    let began = Instant::now();
    let outcome = runtime().block_on(async {
        let canceller = async {
            tokio::time::sleep(Duration::from_millis(20)).await;
            cancel.cancel();
        };
        tokio::join!(engine.call(&script, call), canceller).0
    });
    assert!(script.quarantine().is_none());
    (outcome, began.elapsed())
}

fn a_call_is_cancelled_while_it_waits(bench: &Bench) {
    let (outcome, took) = cancelled(bench, "await context.kb.never();");
    assert_eq!(outcome, Err(HandlerFault::Cancelled));
    assert!(took < Duration::from_secs(5));
}

fn a_call_is_cancelled_while_it_runs(bench: &Bench) {
    let bench = bench.limited(|limits| limits.cpu = Duration::from_secs(20));
    let (outcome, took) = cancelled(&bench, "while (true) { try { while (true); } catch {} }");
    assert_eq!(outcome, Err(HandlerFault::Cancelled));
    assert!(took < Duration::from_secs(5));
}

fn a_cancelled_call_is_not_begun(bench: &Bench) {
    let engine = bench.engine();
    let world = world();
    let script = load(&engine, &handler("console.log('ran');")).unwrap();
    let cancel = CancellationToken::new();
    cancel.cancel();
    let outcome = call(&engine, &script, SandboxCall { cancel, ..plain_call(&world) });
    assert_eq!(outcome, Err(HandlerFault::Cancelled));
    assert_eq!(world.seen(), Vec::<String>::new());
}

fn a_dropped_call_ends(bench: &Bench) {
    let engine = bench.engine();
    let world = world();
    let body = "while (true) { await context.kb.later(); console.log('x'); }";
    let script = load(&engine, &handler(body)).unwrap();
    runtime().block_on(async {
        let short = Duration::from_millis(30);
        let dropped = tokio::time::timeout(short, engine.call(&script, plain_call(&world))).await;
        assert!(dropped.is_err());
        tokio::time::sleep(short).await;
        let seen = world.seen().len();
        tokio::time::sleep(short).await;
        // A request in flight when the call was dropped may arrive late.
        assert!(world.seen().len() <= seen + 1);
    });
}

fn never_settling_is_noticed_at_once(bench: &Bench) {
    let engine = bench.engine();
    for body in [
        "await new Promise(() => {});",
        "return { then() {} };",
        "await context.kb.echo(); await new Promise(() => {});",
        "try { await context.kb.fail(); } catch { await new Promise(() => {}); }",
    ] {
        let script = load(&engine, &handler(body)).unwrap();
        let began = Instant::now();
        let outcome = call(&engine, &script, plain_call(&world()));
        let Err(HandlerFault::Error { message, .. }) = &outcome else {
            panic!("{body}: {outcome:?}")
        };
        assert!(message.contains("never settles"), "{body}: {message}");
        assert!(began.elapsed() < Duration::from_secs(10), "{body}");
    }
}

fn settling_twice_settles_once(bench: &Bench) {
    for body in [
        "return new Promise((resolve, reject) => { resolve(1); resolve(2); reject(new Error('3')); });",
        "return { then(resolve, reject) { resolve(1); resolve(2); reject(3); throw 4; } };",
        "const first = Promise.race([1, context.kb.echo(), context.kb.never()]); return first;",
    ] {
        assert_eq!(bench.run(body), Ok(json!(1)), "{body}");
    }
}

/// The code runs for a while after its deadline; its requests are then refused.
fn nothing_is_asked_after_the_end(bench: &Bench) {
    let bench = bench.limited(|limits| limits.cpu = Duration::from_secs(20));
    let engine = bench.engine();
    let world = world();
    let body = "const busy = 'a'.repeat(2_000_000);
        while (true) { busy.toUpperCase(); context.kb.size(); context.kb.echo().catch(() => {}); console.log('x'); }";
    let script = load(&engine, &handler(body)).unwrap();
    let outcome = call(&engine, &script, SandboxCall { deadline: in_ms(60), ..plain_call(&world) });
    assert_eq!(outcome, Err(HandlerFault::Deadline));
    let seen = world.seen().len();
    runtime().block_on(async { tokio::time::sleep(Duration::from_millis(60)).await });
    let after = world.seen().len();
    assert!(after <= seen + 1, "{seen} before, {after} after");
}

fn what_is_not_awaited_is_begun_and_dropped(bench: &Bench) {
    let began = Instant::now();
    let (outcome, seen) =
        bench.observe(json!({}), "context.kb.never(); context.kb.echo(1); return 1;");
    assert_eq!(outcome, Ok(json!(1)));
    assert_eq!(seen, ["kb.never([])", "kb.echo([1])"]);
    assert!(began.elapsed() < Duration::from_secs(10));
}

fn cancelling_at_any_moment_is_harmless(bench: &Bench) {
    let engine = bench.engine();
    let body = "for (let i = 0; i < 3; i++) { await context.kb.echo(i); for (let j = 0; j < 1000; j++); } return 1;";
    let script = load(&engine, &handler(body)).unwrap();
    runtime().block_on(async {
        for round in 0..60 {
            let cancel = CancellationToken::new();
            let call = SandboxCall { cancel: cancel.clone(), ..plain_call(&world()) };
            let canceller = async {
                tokio::time::sleep(Duration::from_micros(round * 20)).await;
                cancel.cancel();
            };
            let (outcome, ()) = tokio::join!(engine.call(&script, call), canceller);
            assert!(matches!(outcome, Ok(_) | Err(HandlerFault::Cancelled)), "{outcome:?}");
        }
        assert_eq!(engine.call(&script, plain_call(&world())).await, Ok(json!(1)));
    });
    assert!(script.quarantine().is_none());
}

fn a_host_that_panics_is_survived(bench: &Bench) {
    let engine = bench.engine();
    for method in ["explode", "burst"] {
        let body = format!("try {{ await context.kb.{method}(); }} catch (e) {{ return e.code; }}");
        let script = load(&engine, &handler(&body)).unwrap();
        for _ in 0..3 {
            assert_eq!(call(&engine, &script, plain_call(&world())), Ok(json!("HOST")));
        }
    }
}
