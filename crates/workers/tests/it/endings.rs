//! Handlers that end their process, do not end themselves, or leave something behind.

use std::time::{Duration, Instant};

use aileron_contract::{ErrorType, Outcome};
use serde_json::json;

use crate::stage::{Language, body, data, failure, is_alive, options, until};

const NODE: &str = r#"
    const { spawn } = await import('node:child_process');
    const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    switch (args.do) {
      case 'exit': context.progress('begun'); process.exit(3); break;
      case 'crash': process.kill(process.pid, 'SIGSEGV'); await later(60_000); break;
      case 'spin': for (;;); break;
      case 'stay': for (;;) await later(10); break;
      case 'child': return { ok: true, data: spawn('sleep', ['1000'], { stdio: 'ignore' }).pid };
      case 'timer': setTimeout(() => { throw new Error('from a timer'); }, 0); await later(50); return { ok: true, data: 1 };
      case 'rejection': Promise.reject(new Error('unhandled')); await later(50); return { ok: true, data: 1 };
      case 'wait': try { for (;;) { await context.kb.search({ query: 'plan', namespace: 'studio', topK: 3 }); await later(1); } }
        finally { context.progress('cleaned up'); } break;
      default: return { ok: true, data: process.pid };
    }"#;

const PYTHON: &str = r#"
what = args.get("do")
if what == "exit":
    context.progress("begun")
    os._exit(3)
if what == "crash":
    os.kill(os.getpid(), 11)
if what == "spin":
    while True:
        pass
if what == "stay":
    while True:
        try:
            STAY
        except BaseException:
            pass
if what == "child":
    import subprocess
    return {"ok": True, "data": subprocess.Popen(["sleep", "1000"]).pid}
if what == "fork":
    child = os.fork()
    if child == 0:
        print("from the child")
        return {"ok": True, "data": "the child answers too"}
    os.waitpid(child, 0)
    return {"ok": True, "data": 1}
if what == "sys.exit":
    sys.exit(3)
if what == "wait":
    try:
        while True:
            AWAIT context.kb.search(query="plan", namespace="studio", topK=3)
    except BaseException:
        if SYNC:
            context.progress("cleaned up")
        raise
return {"ok": True, "data": os.getpid()}"#;

fn stage(language: Language) -> crate::stage::Stage {
    let (stay, sync) = match language {
        Language::AsyncPython => ("await asyncio.sleep(0.01)", "True"),
        _ => ("time.sleep(0.01)", "True"),
    };
    body(language, NODE, &PYTHON.replace("STAY", stay).replace("SYNC", sync), options())
}

/// The process id of the worker that answers next.
fn process(stage: &crate::stage::Stage) -> u64 {
    stage.data(json!({})).as_u64().unwrap()
}

#[test]
fn the_outcome_of_a_write_whose_process_ended_is_unknown() {
    for language in Language::ALL {
        let stage = stage(language);
        let before = process(&stage);
        for (what, status) in [("exit", "exit status: 3"), ("crash", "signal: 11")] {
            let end = stage.call(json!({ "do": what }));
            assert_eq!(end.outcome, Outcome::ProcessDied, "{language:?}");
            let (failure, defect) = failure(end);
            assert_eq!(failure.kind, ErrorType::OutcomeUnknown, "{language:?}");
            assert!(failure.partial_side_effects && !failure.retryable);
            assert!(defect.contains(status), "{language:?}: {defect}");
        }
        assert_ne!(process(&stage), before, "{language:?}");
    }
}

#[test]
fn a_read_whose_process_ended_may_be_repeated() {
    for language in Language::ALL {
        let stage = stage(language).reading();
        let (failure, _) = failure(stage.call(json!({ "do": "exit" })));
        assert_eq!((failure.kind, failure.retryable), (ErrorType::Transient, true), "{language:?}");
    }
}

#[test]
fn a_call_that_ignores_its_deadline_is_answered_and_its_process_replaced() {
    for language in Language::ALL {
        for what in ["spin", "stay"] {
            let stage = stage(language);
            let before = process(&stage);
            let began = Instant::now();
            let end = stage.call_within(json!({ "do": what }), Duration::from_millis(200));
            assert_eq!(end.outcome, Outcome::TimedOut, "{language:?} {what}");
            assert!(began.elapsed() < Duration::from_secs(5), "{language:?} {what}");
            until("the process is killed", || !is_alive(before));
            assert_ne!(process(&stage), before, "{language:?} {what}");
        }
    }
}

/// The requests of a cancelled call fail, so a handler that waits for one ends without the loss of
/// its process.
#[test]
fn a_call_that_waits_ends_when_it_is_cancelled() {
    for language in Language::ALL {
        let stage = stage(language);
        let before = process(&stage);
        let end = stage.call_within(json!({ "do": "wait" }), Duration::from_millis(200));
        assert_eq!(end.outcome, Outcome::TimedOut, "{language:?}");
        assert_eq!(process(&stage), before, "{language:?}");
    }
}

#[test]
fn the_children_of_a_process_end_with_it() {
    for language in Language::ALL {
        let stage = stage(language);
        let child = stage.data(json!({ "do": "child" })).as_u64().unwrap();
        assert!(is_alive(child));
        failure(stage.call(json!({ "do": "exit" })));
        until("the child is killed", || !is_alive(child));
    }
}

#[test]
fn a_forked_child_answers_nothing() {
    for language in [Language::Python, Language::AsyncPython] {
        let stage = stage(language);
        let before = process(&stage);
        assert_eq!(stage.data(json!({ "do": "fork" })), json!(1), "{language:?}");
        assert_eq!(process(&stage), before, "{language:?}");
    }
}

#[test]
fn a_system_exit_fails_its_call_alone() {
    for language in [Language::Python, Language::AsyncPython] {
        let stage = stage(language);
        let before = process(&stage);
        let (failure, defect) = failure(stage.call(json!({ "do": "sys.exit" })));
        assert_eq!(failure.kind, ErrorType::Internal);
        assert!(defect.contains("SystemExit: 3"), "{defect}");
        assert_eq!(process(&stage), before, "{language:?}");
    }
}

#[test]
fn errors_that_no_call_awaits_replace_the_process() {
    for what in ["timer", "rejection"] {
        let stage = stage(Language::Node);
        let before = process(&stage);
        assert_eq!(stage.data(json!({ "do": what })), json!(1));
        until("the process is replaced", || !is_alive(before));
        assert_ne!(process(&stage), before, "{what}");
    }
}

/// A handler that begins another one when the first has ended, many times: nothing is lost.
#[test]
fn a_hundred_calls_at_once_are_answered() {
    for language in Language::ALL {
        let stage = stage(language);
        let calls: Vec<_> = (0..100).map(|_| stage.begin(json!({}))).collect();
        for call in calls {
            assert!(data(stage.end(call)).is_u64(), "{language:?}");
        }
    }
}
