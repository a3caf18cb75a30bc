//! The official SDKs as clients: each connects, sends words and sound, is asked for a
//! call, answers it, hears audio and its words, and is cut short.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use aileron_simulator::{Options, RunningSimulator, ScriptBrain, SpeechPace, Tls};
use serde_json::{Value, json};
use tokio::process::Command;

use crate::agent::simulator;

/// How long a script may take on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(120);

const INSTALL: &str = "run `cargo xtask install`, which installs the SDKs into target/sdk";

const SCRIPT: &str = r#"---
mode: voice
---
```script
person writes "Find Atlas"
model calls call-000001 find {"query": "Atlas"}
  -> ok
model says "Atlas is a film."
person says "Tell me more"
model says "It was made in the studio over many years by a great many people who all had a great deal to say about it and who never agreed about anything but the light."
person says "Stop"
model says "As you wish."
```
"#;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/sdk/live").join(name)
}

async fn begin() -> (RunningSimulator, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let script = aileron_script::parse("sdk", SCRIPT).unwrap();
    let tls = Tls { address: ([127, 0, 0, 1], 0).into(), folder: folder.path().to_owned() };
    let options = Options {
        model: Arc::new(ScriptBrain::new(&script)),
        pace: SpeechPace::RealTime,
        tls: Some(tls),
        ..Options::default()
    };
    (simulator(options).await, folder)
}

/// Runs a script, and reads the object it prints.
async fn run(program: &Path, script: &Path, running: &RunningSimulator) -> Value {
    let tls = running.tls_address.unwrap();
    let ca = running.ca.clone().unwrap();
    let child = Command::new(program)
        .arg(script)
        .env("SIMULATOR", running.address.to_string())
        .env("SIMULATOR_TLS", format!("localhost:{}", tls.port()))
        .env("SSL_CERT_FILE", &ca)
        .env("NODE_EXTRA_CA_CERTS", &ca)
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(TIMEOUT, child).await.expect("an end of the script");
    let output = output.unwrap_or_else(|error| panic!("{}: {error}; {INSTALL}", program.display()));
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\n{errors}\nif a package is missing: {INSTALL}");
    serde_json::from_str(said.trim()).unwrap_or_else(|error| panic!("{error}: {said}\n{errors}"))
}

/// Node finds packages beside the script, so the script goes to where they are.
async fn node(name: &str, running: &RunningSimulator) -> Value {
    let place = folder("");
    assert!(place.join("node_modules").is_dir(), "the SDKs for Node are missing; {INSTALL}");
    let script = place.join(name);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sdk/live").join(name);
    fs::copy(source, &script).unwrap();
    run(Path::new("node"), &script, running).await
}

async fn python(name: &str, running: &RunningSimulator) -> Value {
    let program = folder("python/bin/python");
    assert!(program.is_file(), "the SDKs for Python are missing; {INSTALL}");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sdk/live").join(name);
    run(&program, &script, running).await
}

/// Checks the report of each script.
fn check(report: &Value) {
    let expected = json!({
        "calls": [{ "id": "call-000001", "name": "find", "args": { "query": "Atlas" } }],
        "said": "Atlas is a film.",
        "heard": ["Tell me more", "Stop"],
        "interrupted": true,
        "last": "As you wish.",
    });
    let mut found = report.clone();
    let audio = found.as_object_mut().unwrap().remove("audioBytes").unwrap();
    assert_eq!(found, expected);
    assert!(audio.as_u64() > Some(20_000), "{audio} bytes of audio");
}

#[tokio::test]
async fn genai_for_node_talks_with_gemini_live() {
    let (running, _folder) = begin().await;
    check(&node("gemini_live.mjs", &running).await);
}

#[tokio::test]
async fn genai_for_python_talks_with_gemini_live_over_tls() {
    let (running, _folder) = begin().await;
    check(&python("gemini_live.py", &running).await);
}

#[tokio::test]
async fn agents_for_node_talk_with_openai_realtime() {
    let (running, _folder) = begin().await;
    check(&node("openai_realtime.mjs", &running).await);
}

#[tokio::test]
async fn openai_for_python_talks_with_openai_realtime() {
    let (running, _folder) = begin().await;
    check(&python("openai_realtime.py", &running).await);
}
