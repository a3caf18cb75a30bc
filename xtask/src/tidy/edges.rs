//! Which crate may use which. ARCHITECTURE.md refers to this table.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Each crate with those of ours it may depend on.
const ALLOWED: &[(&str, &[&str])] = &[
    ("aileron-contract", &[]),
    ("aileron-schema", &[]),
    ("aileron-page", &[]),
    ("aileron-sqlite", &[]),
    ("aileron-capability", &["aileron-contract"]),
    ("aileron-http", &["aileron-capability"]),
    ("aileron-sandbox", &["aileron-capability", "aileron-contract"]),
    ("aileron-workers", &["aileron-capability", "aileron-contract"]),
    ("aileron-runtime", &["aileron-capability", "aileron-contract", "aileron-schema"]),
    ("aileron-compiler", &["aileron-contract", "aileron-schema"]),
    ("aileron-store", &["aileron-contract", "aileron-sqlite"]),
    ("aileron-models", &["aileron-contract"]),
    ("aileron-kb", &["aileron-contract", "aileron-models", "aileron-sqlite"]),
    ("aileron-speech", &["aileron-models"]),
    (
        "aileron-calendar",
        &["aileron-capability", "aileron-contract", "aileron-http", "aileron-sqlite"],
    ),
    (
        "aileron-images",
        &["aileron-capability", "aileron-contract", "aileron-http", "aileron-sqlite"],
    ),
    ("aileron-telemetry", &["aileron-contract"]),
    ("aileron-transports", &["aileron-contract"]),
    ("aileron-offline", &["aileron-contract"]),
    ("aileron-script", &["aileron-contract"]),
    ("aileron-simulator", &["aileron-contract", "aileron-script"]),
    (
        "aileron-orchestrator",
        &["aileron-capability", "aileron-contract", "aileron-runtime", "aileron-store"],
    ),
    (
        "aileron-agent",
        &[
            "aileron-capability",
            "aileron-contract",
            "aileron-orchestrator",
            "aileron-runtime",
            "aileron-store",
            "aileron-transports",
        ],
    ),
    (
        "aileron-server",
        &[
            "aileron-agent",
            "aileron-capability",
            "aileron-contract",
            "aileron-images",
            "aileron-kb",
            "aileron-orchestrator",
            "aileron-page",
            "aileron-runtime",
            "aileron-simulator",
            "aileron-store",
            "aileron-telemetry",
            "aileron-transports",
        ],
    ),
    (
        "aileron-cli",
        &[
            "aileron-agent",
            "aileron-calendar",
            "aileron-capability",
            "aileron-compiler",
            "aileron-contract",
            "aileron-http",
            "aileron-images",
            "aileron-kb",
            "aileron-models",
            "aileron-offline",
            "aileron-orchestrator",
            "aileron-page",
            "aileron-runtime",
            "aileron-sandbox",
            "aileron-script",
            "aileron-server",
            "aileron-simulator",
            "aileron-store",
            "aileron-telemetry",
            "aileron-tools",
            "aileron-transports",
            "aileron-workers",
        ],
    ),
    ("aileron-tools", &["aileron-calendar", "aileron-capability", "aileron-contract"]),
    (
        "aileron-bench",
        &[
            "aileron-agent",
            "aileron-calendar",
            "aileron-capability",
            "aileron-compiler",
            "aileron-contract",
            "aileron-kb",
            "aileron-models",
            "aileron-orchestrator",
            "aileron-page",
            "aileron-runtime",
            "aileron-sandbox",
            "aileron-server",
            "aileron-simulator",
            "aileron-store",
            "aileron-transports",
            "aileron-workers",
        ],
    ),
    // For tests alone.
    (
        "aileron-rehearsal",
        &[
            "aileron-capability",
            "aileron-compiler",
            "aileron-contract",
            "aileron-orchestrator",
            "aileron-runtime",
            "aileron-sandbox",
            "aileron-script",
            "aileron-store",
            "aileron-tools",
        ],
    ),
    ("aileron-xtask", &["aileron-compiler", "aileron-contract", "aileron-schema"]),
];

/// Additional dependencies of a crate, in its tests only.
const IN_TESTS: &[(&str, &str)] = &[
    ("aileron-sandbox", "aileron-runtime"),
    ("aileron-workers", "aileron-runtime"),
    ("aileron-workers", "aileron-sandbox"),
    ("aileron-tools", "aileron-compiler"),
    ("aileron-tools", "aileron-runtime"),
    ("aileron-tools", "aileron-sandbox"),
    ("aileron-orchestrator", "aileron-compiler"),
    ("aileron-orchestrator", "aileron-rehearsal"),
    ("aileron-orchestrator", "aileron-sandbox"),
    ("aileron-orchestrator", "aileron-script"),
    ("aileron-orchestrator", "aileron-tools"),
    ("aileron-agent", "aileron-compiler"),
    ("aileron-agent", "aileron-tools"),
    ("aileron-server", "aileron-compiler"),
    ("aileron-server", "aileron-rehearsal"),
    ("aileron-server", "aileron-sandbox"),
    ("aileron-server", "aileron-script"),
    ("aileron-server", "aileron-tools"),
    ("aileron-server", "aileron-offline"),
    ("aileron-simulator", "aileron-offline"),
    ("aileron-simulator", "aileron-transports"),
];

pub(crate) fn check(root: &Path) -> Result<Vec<String>, String> {
    let metadata = metadata(root)?;
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    Ok(packages.iter().flat_map(check_package).collect())
}

fn metadata(root: &Path) -> Result<Value, String> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("cargo could not be started: {error}"))?;
    serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))
}

fn check_package(package: &Value) -> Vec<String> {
    let name = package["name"].as_str().unwrap_or_default();
    let Some((_, allowed)) = ALLOWED.iter().find(|(known, _)| *known == name) else {
        return vec![format!("{name}: not in the table of crate edges")];
    };
    let dependencies = package["dependencies"].as_array().map(Vec::as_slice).unwrap_or_default();
    let forbidden = dependencies.iter().filter_map(|dependency| {
        let used = dependency["name"].as_str().filter(|used| used.starts_with("aileron-"))?;
        let in_tests = dependency["kind"] == "dev" && IN_TESTS.contains(&(name, used));
        (!allowed.contains(&used) && !in_tests).then_some(used)
    });
    forbidden.map(|used| format!("{name}: must not know {used}")).collect()
}
