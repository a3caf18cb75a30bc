//! The description of the API says what there is, and what there is keeps to it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;
use tokio::process::Command;

use crate::stage::{ADA, Stage};

#[tokio::test]
async fn the_description_has_every_route_and_resolves_every_reference() {
    let stage = Stage::usual().await;
    let described = stage.stranger().get("/openapi.json").await.json();
    assert_eq!(described["openapi"], "3.1.0");
    let paths = described["paths"].as_object().unwrap();
    let operations = paths.iter().flat_map(|(path, methods)| {
        let methods = methods.as_object().unwrap().keys();
        methods.map(move |method| format!("{} {path}", method.to_uppercase()))
    });
    let operations: BTreeSet<String> = operations.collect();
    assert_eq!(operations, documented());
    for operation in &operations {
        let (method, path) = operation.split_once(' ').unwrap();
        let path = path.replace("{id}", "unknown").replace("{token}", "unknown");
        let path = path.replace("{user}", "unknown").replace("{version}", "unknown");
        let path = path.replace("{turn}", "1").replace("{seq}", "1");
        if path == "/v1/events" {
            // It ends only with the connection.
            continue;
        }
        let answer = stage.ada().send(method, &path, None).await;
        let said = String::from_utf8_lossy(&answer.body).into_owned();
        assert!(answer.status != 405 && !said.contains("there is nothing here"), "{operation}");
    }
    let text = described.to_string();
    for name in text.split("\"$ref\":\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(described.pointer(name).is_some(), "{name}");
    }
}

/// Only what is always there is required, of what a request carries and of what an answer does.
#[tokio::test]
async fn what_may_be_left_out_is_not_required() {
    let stage = Stage::usual().await;
    let described = stage.stranger().get("/openapi.json").await.json();
    let required = |name: &str| {
        let schema = &described["components"]["schemas"][name];
        assert!(schema.is_object(), "{name}");
        let names = schema["required"].as_array().cloned().unwrap_or_default();
        names.into_iter().map(|name| name.as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(required("Interrupt"), Vec::<String>::new());
    assert_eq!(required("SingleCall"), ["callId", "toolId"]);
    // A message of the model that made no calls has none.
    let from = "/properties/from/const";
    let mut forms = objects(&described).into_iter();
    let spoken = forms.find(|form| form.pointer(from).is_some_and(|from| from == "model")).unwrap();
    assert_eq!(spoken["properties"]["calls"]["type"], "array", "{spoken}");
    assert!(!spoken["required"].as_array().unwrap().contains(&"calls".into()), "{spoken}");
    let place = stage.ada().begin("text").await;
    let cut_in = stage.ada().post(&format!("{place}/interruptions"), serde_json::json!({})).await;
    assert_eq!(cut_in.status, 204);
}

/// Every object in a document, itself included.
fn objects(document: &Value) -> Vec<&Value> {
    let below: Vec<&Value> = match document {
        Value::Object(members) => members.values().collect(),
        Value::Array(items) => items.iter().collect(),
        _ => Vec::new(),
    };
    let own = document.is_object().then_some(document);
    own.into_iter().chain(below.into_iter().flat_map(objects)).collect()
}

/// The operations that the page lists.
fn documented() -> BTreeSet<String> {
    let page = include_str!("../../../../docs/http-api.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let cells = rows.filter_map(|row| row.split(" | ").next());
    let named = cells
        .flat_map(|cell| cell.split('`'))
        .filter(|text| text.contains(" /v1/") || text.contains(" /api/"));
    named.map(str::to_owned).collect()
}

/// Where `cargo xtask test` installs it.
fn schemathesis() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let program = root.join("target/sdk/api/python/bin/schemathesis");
    assert!(program.exists(), "`cargo xtask install` installs {}", program.display());
    program
}

/// The configuration of the checks.
const CONFIG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sdk/api/schemathesis.toml");

/// Requests made up from the description, good and bad ones, and conversations of several.
#[tokio::test]
async fn what_there_is_keeps_to_its_description() {
    let stage = Stage::usual().await;
    let output = Command::new(schemathesis())
        .args(["--config-file", CONFIG, "run"])
        .arg(format!("http://{}/openapi.json", stage.address))
        .args(["--header", &format!("Authorization: Bearer {ADA}")])
        .args(["--max-examples", "20", "--generation-deterministic", "--no-color"])
        .args(["--request-timeout", "30", "--warnings", "off"])
        // A conversation that was ended can be looked at; it only does not go on.
        .args(["--exclude-checks", "use_after_free"])
        // The event stream never ends, and this server has no model to chat with.
        .args(["--exclude-path", "/v1/events", "--exclude-path-regex", "^/api/chat"])
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::null())
        .output()
        .await
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
}
