//! Handlers that use more memory than they may.

use aileron_contract::ErrorType;
use aileron_workers::WorkerOptions;
use serde_json::json;

use crate::stage::{Language, body, failure, is_alive, options, until};

const NODE: &str = r#"
    globalThis.kept ??= [];
    if (args.do === 'buffers') for (;;) { globalThis.kept.push(Buffer.alloc(1 << 20, 1)); if (globalThis.kept.length % 16 === 0) await new Promise(setImmediate); }
    if (args.do === 'objects') for (;;) globalThis.kept.push({ text: String(Math.random()) });
    if (args.do === 'leak') globalThis.kept.push(Buffer.alloc(8 << 20, 1));
    return { ok: true, data: process.pid };"#;

const PYTHON: &str = r#"
if args.get("do") in ("buffers", "objects"):
    mine = []
    while True:
        mine.append(b"x" * (1 << 20) if args["do"] == "buffers" else {"text": str(len(mine))})
if args.get("do") == "leak":
    sys.modules["kept"] = [sys.modules.get("kept"), b"x" * (8 << 20)]
return {"ok": True, "data": os.getpid()}"#;

fn limited() -> WorkerOptions {
    WorkerOptions { memory_bytes: 160 << 20, ..options() }
}

#[test]
fn memory_is_limited_and_the_next_call_runs() {
    for language in Language::ALL {
        for what in ["buffers", "objects"] {
            let stage = body(language, NODE, PYTHON, limited());
            let (failure, defect) = failure(stage.call(json!({ "do": what })));
            match language {
                // The process is lost, and with it the knowledge of what it did.
                Language::Node => {
                    assert_eq!(failure.kind, ErrorType::OutcomeUnknown, "{what}");
                    let named =
                        ["used more than 160 MB", "ended with signal", "heap out of memory"];
                    assert!(named.iter().any(|text| defect.contains(text)), "{defect}");
                }
                Language::Python | Language::AsyncPython => {
                    assert_eq!(failure.kind, ErrorType::Internal, "{what} {defect}");
                    assert_eq!(defect, "the memory limit was reached");
                }
            }
            assert!(stage.data(json!({})).is_u64(), "{language:?} {what}");
        }
    }
}

/// No call fails while the process is replaced.
#[test]
fn a_process_that_leaks_is_replaced() {
    for language in Language::ALL {
        let stage = body(language, NODE, PYTHON, limited());
        let first = stage.data(json!({})).as_u64().unwrap();
        until("the process is replaced", || {
            if language == Language::Node || is_alive(first) {
                let end = stage.call(json!({ "do": "leak" }));
                assert!(end.result.is_ok(), "{language:?} {:?}", end.defect);
                // The memory of a process is looked at ten times a second.
                std::thread::park_timeout(std::time::Duration::from_millis(120));
            }
            !is_alive(first)
        });
        assert_ne!(stage.data(json!({})).as_u64(), Some(first), "{language:?}");
    }
}
