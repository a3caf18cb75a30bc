//! The description of the API says what there is, and what there is keeps to it.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::process::Command;

use crate::stage::{ADA, Stage};

#[tokio::test]
async fn the_description_has_every_route_and_resolves_every_reference() {
    let stage = Stage::usual().await;
    let described = stage.stranger().get("/openapi.json").await.json();
    assert_eq!(described["openapi"], "3.1.0");
    let paths = described["paths"].as_object().unwrap();
    assert!(paths.contains_key("/v1/conversations/{id}/confirmations/{token}"), "{paths:?}");
    let text = described.to_string();
    for name in text.split("\"$ref\":\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(described.pointer(name).is_some(), "{name}");
    }
}

/// Where `cargo xtask test` installs it.
fn schemathesis() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let program = root.join("target/sdk/api/python/bin/schemathesis");
    assert!(program.exists(), "`cargo xtask install` installs {}", program.display());
    program
}

/// What the checks are to know about us.
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
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::null())
        .output()
        .await
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
}
