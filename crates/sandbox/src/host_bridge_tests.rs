//! Requests that the bridge refuses, also from code that bypassed the objects of the sandbox.

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::sync::mpsc::unbounded_channel;

use super::*;

/// A host that must not be reached.
struct Unreachable;

impl Host for Unreachable {
    fn call(&self, _: &str, method: &str, _: Vec<Value>) -> BoxFuture<'static, Answer> {
        panic!("`{method}` was called");
    }

    fn call_sync(&self, _: &str, method: &str, _: Vec<Value>) -> Answer {
        panic!("`{method}` was called");
    }

    fn now_ms(&self) -> u64 {
        0
    }

    fn log(&self, _: LogLevel, _: &str) {}

    fn progress(&self, _: Value) {}

    fn partial(&self, _: Value) {}
}

#[test]
fn a_method_that_is_not_declared_is_refused_before_the_host_hears_of_it() {
    let host_bridge = HostBridge::new(SandboxLimits::default(), 0);
    let (events, mut told) = unbounded_channel();
    let shape = json!({ "name": "kb", "methods": ["search"], "sync": ["count"] });
    host_bridge.open(Arc::new(AttachedCall {
        host: Arc::new(Unreachable),
        shapes: [serde_json::from_value(shape).unwrap()].into(),
        events,
        time_limits: Arc::new(TimeLimits::new(
            Instant::now() + Duration::from_secs(60),
            Duration::MAX,
        )),
        runtime: None,
    }));
    let code = |refused: Result<Value, HostFault>| refused.unwrap_err().code;
    for asked in [("kb", "remove"), ("kb", "count"), ("calendar", "search")] {
        assert_eq!(
            code(host_bridge.request(asked, "[]").map(Value::from)),
            "UNDECLARED",
            "{asked:?}"
        );
    }
    for asked in [("kb", "wipe"), ("kb", "search"), ("calendar", "count")] {
        assert_eq!(code(host_bridge.request_sync(asked, "[]")), "UNDECLARED", "{asked:?}");
    }
    assert!(told.try_recv().is_err());
}
