//! The official SDKs and the simulator understand each other.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::process::Command;

use super::client::provider;

const LONGEST: Duration = Duration::from_secs(120);

/// Runs a script with the older versions, which many programs still use, and with the newest ones.
async fn check(name: &str) {
    for versions in ["text", "newest"] {
        check_with(name, &installed(versions)).await;
    }
}

async fn check_with(name: &str, installed: &Path) {
    let (base, failing) = (provider(&[]).await, provider(&["status=429:1"]).await);
    let (base, failing) = (format!("http://{base}"), format!("http://{failing}"));
    let script = script(installed, name);
    let program = match script.extension().and_then(|ending| ending.to_str()) {
        Some("mjs") => installed.join("node_modules/node/bin/node"),
        _ => installed.join("python/bin/python"),
    };
    let mut command = Command::new(&program);
    command.arg(&script).args([&base, &failing]).kill_on_drop(true);
    let output = tokio::time::timeout(LONGEST, command.output());
    let output = output.await.expect("the SDK waits for ever").unwrap();
    let (stdout, stderr) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{name}: {stderr}");
    let understood: Value = serde_json::from_str(stdout.trim()).unwrap();
    assert_eq!(understood, expected(), "{name}");
}

/// Every SDK tells the same.
fn expected() -> Value {
    let call = |city: &str| json!({ "name": "get_weather", "args": { "city": city } });
    let one = json!({ "calls": [call("Cluj")], "final": "1 of 1 say 21: true." });
    json!({
        "plain": "Hello there, friend.",
        "streamed": "Hello there, friend.",
        "pieces": true,
        "tool": one,
        "streamedTool": one,
        "parallel": { "calls": [call("Cluj"), call("Oslo")], "final": "2 of 2 say 21: true." },
        "error": 429,
    })
}

fn installed(versions: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = root.join("target/sdk").join(versions);
    let there = folder.join("installed").is_file();
    assert!(there, "the SDKs are not installed: run `cargo xtask install`");
    folder.canonicalize().unwrap()
}

/// A module finds its packages beside itself, so the script is run from there.
fn script(installed: &Path, name: &str) -> PathBuf {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sdk/text").join(name);
    let to = installed.join(name);
    fs::copy(from, &to).unwrap();
    to
}

macro_rules! sdks {
    ($($test:ident $script:literal)*) => {$(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $test() {
            check($script).await;
        }
    )*};
}

sdks! {
    node_genai_talks_to_the_simulated_gemini "check_gemini.mjs"
    node_openai_talks_to_the_simulated_responses "check_responses.mjs"
    node_openai_talks_to_the_simulated_chat "check_chat.mjs"
    node_anthropic_talks_to_the_simulated_messages "check_anthropic.mjs"
    python_genai_talks_to_the_simulated_gemini "check_gemini.py"
    python_openai_talks_to_the_simulated_responses "check_responses.py"
    python_openai_talks_to_the_simulated_chat "check_chat.py"
    python_anthropic_talks_to_the_simulated_messages "check_anthropic.py"
}
