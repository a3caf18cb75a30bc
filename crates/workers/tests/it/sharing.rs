//! Calls that share a process or wait for one.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use aileron_contract::{ErrorType, Outcome};
use aileron_workers::{WorkerOptions, Workers};
use serde_json::json;

use crate::stage::{Language, Stage, body, data, failure, load_on, options};

const NODE: &str = r#"
    context.progress(`begun ${args.name}`);
    if (args.do === 'spin') for (;;);
    if (args.do === 'wait') await new Promise(() => {});
    return { ok: true, data: args.name };"#;

const PYTHON: &str = r#"
context.progress(f"begun {args['name']}")
if args.get("do") == "spin":
    while True:
        pass
if args.get("do") == "wait":
    await asyncio.sleep(1000)
return {"ok": True, "data": args["name"]}"#;

/// A process that blocks takes the calls with it that it had begun. Those that it had not begun run
/// in another process: they are neither lost nor unknown.
#[test]
fn a_process_that_blocks_harms_no_call_that_it_had_not_begun() {
    for language in [Language::Node, Language::AsyncPython] {
        let stage = body(language, NODE, PYTHON, options());
        let first = stage.begin(json!({ "name": "first", "do": "wait" }));
        stage.wait_for("begun first");
        let blocking = stage.begin_at(
            json!({ "name": "blocking", "do": "spin" }),
            Duration::from_millis(400),
            0,
        );
        stage.wait_for("begun blocking");
        let later = stage.begin(json!({ "name": "later" }));
        assert_eq!(stage.end(blocking).outcome, Outcome::TimedOut, "{language:?}");
        assert_eq!(data(stage.end(later)), json!("later"), "{language:?}");
        let (failure, defect) = failure(stage.end(first));
        assert_eq!(failure.kind, ErrorType::OutcomeUnknown, "{language:?}");
        assert!(defect.contains("a call ignored its cancellation"), "{defect}");
    }
}

/// A tool that the blocked process has not loaded yet is loaded by another one.
#[test]
fn a_process_that_blocks_harms_no_tool_that_it_had_not_loaded() {
    let engine = Arc::new(Workers::new(options()));
    let tool = |name: &str, code: &str| -> Stage {
        let source = format!("export async function execute({{ args, context }}) {{ {code} }}");
        let path = format!("{name}/handler.mjs");
        load_on(&engine, name, Language::Node, &[(&path, &source)], &[], None).unwrap()
    };
    let spinning = tool("spinning", NODE);
    let other = tool("other", "return { ok: true, data: 'other' };");
    // The first process is replaced by one that has loaded nothing.
    let spin = |name: &str| {
        let call = json!({ "name": name, "do": "spin" });
        spinning.begin_at(call, Duration::from_millis(300), 0)
    };
    assert_eq!(spinning.end(spin("one")).outcome, Outcome::TimedOut);
    assert_eq!(spinning.data(json!({ "name": "first" })), json!("first"));
    let blocking = spin("two");
    spinning.wait_for("begun two");
    let late = other.begin(json!({}));
    assert_eq!(spinning.end(blocking).outcome, Outcome::TimedOut);
    assert_eq!(data(other.end(late)), json!("other"));
}

/// A call that gives up while its tool is being loaded breaks nothing.
#[test]
fn a_call_may_give_up_while_its_tool_is_loaded() {
    let engine = Arc::new(Workers::new(options()));
    let tool = |name: &str, top: &str, code: &str| -> Stage {
        let source = format!("{top}\nexport async function execute({{ args }}) {{ {code} }}");
        let path = format!("{name}/handler.mjs");
        load_on(&engine, name, Language::Node, &[(&path, &source)], &[], None).unwrap()
    };
    let slow = "await new Promise((next) => setTimeout(next, 300));";
    let slow = tool("slow", slow, "return { ok: true, data: process.pid };");
    let quick = tool(
        "quick",
        "",
        "if (args.exit) process.exit(1); return { ok: true, data: process.pid };",
    );
    failure(quick.call(json!({ "exit": true })));
    let process = quick.data(json!({}));
    assert_eq!(slow.call_within(json!({}), Duration::from_millis(50)).outcome, Outcome::TimedOut);
    assert_eq!(slow.data(json!({})), process);
    assert_eq!(quick.data(json!({})), process);
}

/// A process that goes on with a cancelled call, but answers, is replaced when its other calls have
/// ended.
#[test]
fn a_process_that_answers_harms_no_other_call() {
    let node = r#"
        context.progress(`begun ${args.name}`);
        if (args.do === 'stay') for (;;) await new Promise((next) => setTimeout(next, 5));
        await new Promise((next) => setTimeout(next, 1500));
        return { ok: true, data: args.name };"#;
    let python = r#"
context.progress(f"begun {args['name']}")
while args.get("do") == "stay":
    try:
        await asyncio.sleep(0.005)
    except BaseException:
        pass
await asyncio.sleep(1.5)
return {"ok": True, "data": args["name"]}"#;
    for language in [Language::Node, Language::AsyncPython] {
        let stage = body(language, node, python, options());
        let slow = stage.begin(json!({ "name": "slow" }));
        stage.wait_for("begun slow");
        let stubborn = json!({ "name": "stubborn", "do": "stay" });
        assert_eq!(
            stage.call_within(stubborn, Duration::from_millis(100)).outcome,
            Outcome::TimedOut
        );
        assert_eq!(data(stage.end(slow)), json!("slow"), "{language:?}");
    }
}

/// A nested call does not use up what calls of its parent's depth need: the process for nested calls
/// takes no others.
#[test]
fn a_call_does_not_take_the_process_of_nested_calls() {
    let python = "context.progress('begun ' + args['name'])\nwhile not os.path.exists(args['until']):\n    time.sleep(0.01)\nreturn {'ok': True, 'data': 1}";
    let stage = body(Language::Python, "", python, options());
    let folder = tempfile::tempdir().unwrap();
    let gate = |name: &str| folder.path().join(name);
    let call = |name: &str| json!({ "name": name, "until": gate(name) });
    std::fs::write(gate("nested"), "").unwrap();
    let parent = stage.begin(call("parent"));
    stage.wait_for("begun parent");
    assert_eq!(
        data(stage.end(stage.begin_at(call("nested"), Duration::from_secs(20), 1))),
        json!(1)
    );
    let other = stage.begin(call("other"));
    // The other call waits for the parent's process; another nested call of the parent does not.
    assert_eq!(
        data(stage.end(stage.begin_at(call("nested"), Duration::from_secs(20), 1))),
        json!(1)
    );
    assert!(!format!("{:?}", stage.conversation.seen()).contains("begun other"));
    std::fs::write(gate("parent"), "").unwrap();
    std::fs::write(gate("other"), "").unwrap();
    assert_eq!(data(stage.end(parent)), json!(1));
    assert_eq!(data(stage.end(other)), json!(1));
}

/// Plain functions run alone in a process, coroutines together; neither keeps the other waiting for
/// ever.
#[test]
fn plain_functions_and_coroutines_take_turns() {
    let engine = Arc::new(Workers::new(options()));
    let tool = |name: &str, define: &str, wait: &str| -> Stage {
        let source = format!(
            "import asyncio, time\n\n{define} execute(args, context):\n    {wait}(0.005)\n    return {{'ok': True, 'data': 1}}\n"
        );
        let path = format!("{name}/handler.py");
        load_on(&engine, name, Language::Python, &[(&path, &source)], &[], None).unwrap()
    };
    let plain = tool("plain", "def", "time.sleep");
    let coroutine = tool("coroutine", "async def", "await asyncio.sleep");
    let calls: Vec<_> =
        (0..40).map(|_| (plain.begin(json!({})), coroutine.begin(json!({})))).collect();
    for (alone, together) in calls {
        assert_eq!(data(plain.end(alone)), json!(1));
        assert_eq!(data(coroutine.end(together)), json!(1));
    }
}

/// `concurrent = false` in a module: its calls run one after the other.
#[test]
fn a_handler_can_refuse_calls_at_once() {
    let node = "let running = 0;\nexport const concurrent = false;\nexport async function execute() {\n  running += 1;\n  const most = running;\n  await new Promise((next) => setTimeout(next, 10));\n  running -= 1;\n  return { ok: true, data: most };\n}";
    let python = "import asyncio\nconcurrent = False\nrunning = 0\nasync def execute(args, context):\n    global running\n    running += 1\n    most = running\n    await asyncio.sleep(0.01)\n    running -= 1\n    return {'ok': True, 'data': most}\n";
    for (language, source) in [(Language::Node, node), (Language::AsyncPython, python)] {
        let stage = crate::stage::load(language, source, &[], options()).unwrap();
        let calls: Vec<_> = (0..5).map(|_| stage.begin(json!({}))).collect();
        for call in calls {
            assert_eq!(data(stage.end(call)), json!(1), "{language:?}");
        }
    }
}

/// A process that has nothing to do is stopped, except the first.
#[test]
fn idle_processes_are_stopped_except_one() {
    let node = "context.progress('begun ' + args.name); await new Promise((next) => setTimeout(next, args.ms)); return { ok: true, data: process.pid };";
    let options = WorkerOptions { workers: 2, idle: Duration::from_millis(300), ..options() };
    let stage = body(Language::Node, node, "", options);
    let first = stage.data(json!({ "name": "0", "ms": 0 })).as_u64().unwrap();
    let calls: Vec<_> =
        (1..=8).map(|n| stage.begin(json!({ "name": n.to_string(), "ms": 300 }))).collect();
    let processes: Vec<_> =
        calls.into_iter().map(|call| data(stage.end(call)).as_u64().unwrap()).collect();
    let second = *processes.iter().find(|process| **process != first).unwrap();
    crate::stage::until("the second process is stopped", || !crate::stage::is_alive(second));
    assert!(crate::stage::is_alive(first));
    assert_eq!(stage.data(json!({ "name": "9", "ms": 0 })).as_u64(), Some(first));
}

/// A runtime that cannot be started any more costs no process per call.
#[test]
fn a_start_that_fails_is_not_repeated_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let (program, count) = (folder.path().join("node"), folder.path().join("count"));
    let node = which("node");
    let script = |rest: &str| format!("#!/bin/sh\necho x >> {}\n{rest}\n", count.display());
    write_program(&program, &script(&format!("exec {} \"$@\"", node.display())));
    let stage = body(
        Language::Node,
        "process.exit(1)",
        "",
        WorkerOptions { node: program.clone(), ..options() },
    );
    write_program(&program, &script("exit 7"));
    failure(stage.call(json!({})));
    for _ in 0..20 {
        let (failure, _) = failure(stage.call(json!({})));
        assert_eq!((failure.kind, failure.retryable), (ErrorType::Transient, true));
    }
    let starts = std::fs::read_to_string(&count).unwrap().lines().count();
    assert!(starts < 8, "{starts}");
}

fn which(program: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|it| it.exists()).unwrap()
}

pub(crate) fn write_program(path: &std::path::Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    // The file is replaced, because one that runs cannot be written.
    let fresh = path.with_extension("new");
    std::fs::write(&fresh, text).unwrap();
    std::fs::set_permissions(&fresh, std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::rename(&fresh, path).unwrap();
}
