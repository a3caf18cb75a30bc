//! `aileron stats`: the figures of each tool.

use serde_json::json;

use crate::records::{call, complete, filled, open};
use crate::workspace::Workspace;

#[test]
fn the_table_has_a_row_for_each_tool_and_one_for_all() {
    let run = filled().ok(&["stats"]);
    snapbox::assert_data_eq!(run.stdout, snapbox::file!["snapshots/stats.txt"]);
    assert_eq!(run.stderr, "");
}

#[test]
fn json_has_every_figure() {
    let stats = filled().ok(&["stats", "--format", "json"]).json();
    let expected = json!({
        "toolId": "kb_search", "calls": 3, "ran": 2, "succeeded": 1, "successRate": 0.5,
        "durationMs": {"p50": 12, "p95": 31, "p99": 31},
        "responseBytes": {"p50": 27, "p95": 29, "max": 29},
        "tokens": 22, "refusedBy": {"loops": 1},
    });
    assert_eq!(stats["tools"][1], expected);
    assert_eq!(stats["tools"][0]["toolId"], "kb_get");
    assert_eq!(stats["unknownTools"]["refusedBy"], json!({"known-tool": 1}));
    assert_eq!(stats["unknownTools"]["successRate"], json!(null));
    assert_eq!((&stats["totals"]["calls"], &stats["totals"]["ran"]), (&json!(6), &json!(4)));
}

#[test]
fn filters_choose_the_calls() {
    let workspace = filled();
    let calls = |filter: &[&str]| {
        let run = workspace.ok(&[&["stats", "--format", "json"], filter].concat());
        run.json()["totals"]["calls"].as_u64().unwrap()
    };
    assert_eq!(calls(&["--conversation", "evening"]), 2);
    assert_eq!(calls(&["--since", "2027-01-15T08:00:05Z"]), 2);
    assert_eq!(calls(&["--user", "ada", "--outcome", "refused"]), 2);
}

#[test]
fn percentiles_are_those_of_the_calls() {
    let workspace = Workspace::new();
    let store = open(&workspace);
    for number in 1..=100 {
        complete(&store, call("kb_get", number), number, json!("x".repeat(number as usize)));
    }
    drop(store);
    let totals = workspace.ok(&["stats", "--format", "json"]).json()["totals"].clone();
    assert_eq!(totals["durationMs"], json!({"p50": 50, "p95": 95, "p99": 99}));
    assert_eq!(totals["responseBytes"], json!({"p50": 52, "p95": 97, "max": 102}));
}
