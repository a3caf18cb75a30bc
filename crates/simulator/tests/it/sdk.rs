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

/// The older versions, which many programs still use, and the newest ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Versions {
    Older,
    Newest,
}

impl Versions {
    fn folder(self) -> PathBuf {
        let name = if self == Self::Older { "live" } else { "newest" };
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/sdk").join(name)
    }

    /// The newest versions need a newer Node than many machines have.
    fn node(self) -> PathBuf {
        match self {
            Self::Older => PathBuf::from("node"),
            Self::Newest => self.folder().join("node_modules/node/bin/node"),
        }
    }
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

/// A script, which is in the folder of the oldest versions that it works with.
fn source(name: &str) -> PathBuf {
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sdk");
    let older = folders.join("live").join(name);
    if older.is_file() { older } else { folders.join("newest").join(name) }
}

/// Node finds packages beside the script, so the script goes to where they are.
async fn node(versions: Versions, name: &str, running: &RunningSimulator) -> Value {
    let place = versions.folder();
    assert!(place.join("node_modules").is_dir(), "the SDKs for Node are missing; {INSTALL}");
    let script = place.join(name);
    fs::copy(source(name), &script).unwrap();
    run(&versions.node(), &script, running).await
}

async fn python(versions: Versions, name: &str, running: &RunningSimulator) -> Value {
    let program = versions.folder().join("python/bin/python");
    assert!(program.is_file(), "the SDKs for Python are missing; {INSTALL}");
    run(&program, &source(name), running).await
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

async fn check_both(name: &str) {
    for versions in [Versions::Older, Versions::Newest] {
        let (running, _folder) = begin().await;
        match name.ends_with(".py") {
            true => check(&python(versions, name, &running).await),
            false => check(&node(versions, name, &running).await),
        }
    }
}

#[tokio::test]
async fn genai_for_node_talks_with_gemini_live() {
    check_both("gemini_live.mjs").await;
}

#[tokio::test]
async fn genai_for_python_talks_with_gemini_live_over_tls() {
    check_both("gemini_live.py").await;
}

#[tokio::test]
async fn agents_for_node_talk_with_openai_realtime() {
    check_both("openai_realtime.mjs").await;
}

#[tokio::test]
async fn openai_for_python_talks_with_openai_realtime() {
    check_both("openai_realtime.py").await;
}

/// Checks the report of a script that talks with GPT-Live.
fn check_live(report: &Value) {
    let mut found = report.clone();
    let audio = found.as_object_mut().unwrap().remove("audioBytes").unwrap();
    let expected = json!({
        "started": "start_1", "heard": "Find Atlas", "delegated": 1, "acked": "a1",
        "said": "Atlas is a film.", "closed": "close_requested",
    });
    assert_eq!(found, expected);
    assert!(audio.as_u64() > Some(20_000), "{audio} bytes of audio");
}

const LIVE_SCRIPT: &str = r#"---
mode: voice
---
```script
person says "Find Atlas"
model says "As you wish."
```
"#;

async fn begin_live() -> (RunningSimulator, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let script = aileron_script::parse("sdk", LIVE_SCRIPT).unwrap();
    let tls = Tls { address: ([127, 0, 0, 1], 0).into(), folder: folder.path().to_owned() };
    let model = Arc::new(ScriptBrain::new(&script));
    (simulator(Options { model, tls: Some(tls), ..Options::default() }).await, folder)
}

#[tokio::test]
async fn openai_for_node_talks_with_openai_live() {
    let (running, _folder) = begin_live().await;
    check_live(&node(Versions::Newest, "openai_live.mjs", &running).await);
}

#[tokio::test]
async fn openai_for_python_talks_with_openai_live() {
    let (running, _folder) = begin_live().await;
    check_live(&python(Versions::Newest, "openai_live.py", &running).await);
}

#[tokio::test]
async fn the_ai_sdk_talks_with_openai_live() {
    let (running, _folder) = begin_live().await;
    let report = node(Versions::Newest, "openai_live_ai_sdk.mjs", &running).await;
    let expected = json!([
        "session.closed",
        "session.commentary.appended",
        "session.delegation.created",
        "session.input_transcript.delta",
        "session.output_audio.delta",
        "session.output_transcript.delta",
        "session.started",
    ]);
    assert_eq!(report["seen"], expected);
}
