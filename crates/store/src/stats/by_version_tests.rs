//! Figures by version, and the order of versions.

use aileron_contract::{CallId, ConversationId, Mode, Outcome};
use serde_json::json;

use super::*;
use crate::stats::interval::Verdict;

fn entry(registry: &str, time: u64, duration: u64) -> AuditEntry {
    AuditEntry {
        time,
        conversation: ConversationId::new("c1").unwrap(),
        user: None,
        mode: Mode::Text,
        turn: 1,
        call_id: CallId::new("call-000001").unwrap(),
        tool_id: "search".to_owned(),
        tool_version: Some(format!("1.0.{registry}")),
        category: None,
        registry_version: registry.to_owned(),
        outcome: Outcome::Completed,
        error: None,
        retryable: None,
        duration,
        attempts: 1,
        args: json!({}),
        result: None,
        result_bytes: None,
        trail: Vec::new(),
    }
}

#[test]
fn versions_are_ordered_by_their_first_call_and_the_last_two_are_compared() {
    let mut stats = VersionStats::default();
    assert_eq!(stats.last_two(), None);
    for (registry, time) in [("c", 5), ("a", 10), ("b", 20), ("b", 90), ("a", 95), ("c", 30)] {
        stats.add(&entry(registry, time, 1));
    }
    assert_eq!(stats.versions(), ["c", "a", "b"]);
    assert_eq!(stats.last_two(), Some(("a", "b")));
    stats.add(&AuditEntry { tool_version: None, ..entry("d", 99, 1) });
    assert_eq!(stats.versions(), ["c", "a", "b"]);
}

#[test]
fn the_figures_of_two_versions_are_apart_and_compared() {
    let mut stats = VersionStats::default();
    for number in 0..200 {
        stats.add(&entry("a", number, 100 + number % 10));
        stats.add(&entry("b", number, 50 + number % 10));
    }
    let tool = &stats.tools["search"];
    assert_eq!(tool["a"].figures.calls, 200);
    assert_eq!(tool["b"].tool_versions.iter().collect::<Vec<_>>(), ["1.0.b"]);
    assert_eq!(stats.totals["a"], tool["a"]);
    let compared = compare(&tool["a"].figures, &tool["b"].figures);
    assert_eq!(compared.p50.unwrap().verdict(), Verdict::Lower);
    assert_eq!(compared.p50.unwrap().value, -50.0);
    assert_eq!(compared.p95.unwrap().verdict(), Verdict::Lower);
    assert_eq!(compared.success.unwrap().verdict(), Verdict::NotShown);
    let nothing = compare(&Figures::default(), &tool["b"].figures);
    assert_eq!(nothing, Comparison { success: None, p50: None, p95: None });
}
