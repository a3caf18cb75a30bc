//! A test host: capabilities by name, a stopped clock, and a record of all requests.

use aileron_capability::foreign::{CapabilityShape, Host, HostFault, LogLevel};
use std::sync::Mutex;
use std::time::Duration;

use futures_util::future::BoxFuture;
use serde_json::{Value, json};

pub(crate) const NOW: u64 = 1_800_000_000_000;

#[derive(Default)]
pub(crate) struct World {
    seen: Mutex<Vec<String>>,
}

impl World {
    /// Everything the sandbox asked for, in order.
    pub(crate) fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }

    fn note(&self, line: String) {
        self.seen.lock().unwrap().push(line);
    }
}

/// The capabilities that `World` plays.
pub(crate) fn shapes() -> Vec<CapabilityShape> {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    vec![
        CapabilityShape {
            name: "kb".into(),
            methods: names(&["echo", "fail", "never", "later", "burst"]),
            sync: names(&["size", "refuse", "explode"]),
        },
        CapabilityShape { name: "voice".into(), methods: names(&[]), sync: names(&["isActive"]) },
    ]
}

impl Host for World {
    fn call(
        &self,
        capability: &str,
        method: &str,
        args: Vec<Value>,
    ) -> BoxFuture<'static, Result<Value, HostFault>> {
        self.note(format!("{capability}.{method}({})", json!(args)));
        let method = method.to_owned();
        Box::pin(async move {
            match method.as_str() {
                "echo" => Ok(json!(args)),
                "later" => {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                    Ok(json!("later"))
                }
                "never" => std::future::pending().await,
                "burst" => panic!("the host panics, as the test asks"),
                _ => Err(HostFault {
                    code: "UNAVAILABLE".into(),
                    message: "no".into(),
                    is_diagnosis: false,
                }),
            }
        })
    }

    fn is_prompt(&self, capability: &str) -> bool {
        capability == "kb"
    }

    fn call_sync(
        &self,
        capability: &str,
        method: &str,
        args: Vec<Value>,
    ) -> Result<Value, HostFault> {
        self.note(format!("{capability}.{method}({})", json!(args)));
        match method {
            "refuse" => {
                Err(HostFault { code: "REFUSED".into(), message: "no".into(), is_diagnosis: false })
            }
            "explode" => panic!("the host panics, as the test asks"),
            "size" => Ok(json!(args.len())),
            _ => Ok(json!(true)),
        }
    }

    fn now_ms(&self) -> u64 {
        NOW
    }

    fn log(&self, level: LogLevel, text: &str) {
        self.note(format!("{level:?}: {text}"));
    }

    fn progress(&self, update: Value) {
        self.note(format!("progress {update}"));
    }

    fn partial(&self, data: Value) {
        self.note(format!("partial {data}"));
    }
}
