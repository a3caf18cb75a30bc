//! Which figures each record is counted in.

use aileron_contract::{ErrorType, Outcome};
use serde_json::json;

use super::*;
use crate::audit::{entry, unfinished};
use crate::sample;

fn completed(data: serde_json::Value) -> AuditEntry {
    let call = sample::call("c", "k", sample::READS, 1);
    entry(&call, Outcome::Completed, &sample::success(&call, data))
}

fn failed(outcome: Outcome) -> AuditEntry {
    let call = sample::call("c", "k", sample::READS, 1);
    entry(&call, outcome, &sample::failure(&call, ErrorType::Transient, "no"))
}

fn figures(entries: &[AuditEntry]) -> Figures {
    let mut stats = Stats::default();
    entries.iter().for_each(|entry| stats.add(entry));
    assert_eq!(stats.tools.values().collect::<Vec<_>>(), [&stats.totals]);
    stats.totals
}

#[test]
fn refusals_count_as_calls_and_not_as_runs() {
    let refused = failed(Outcome::refused_by("loops"));
    let found = figures(&[completed(json!(1)), refused.clone(), refused, failed(Outcome::Denied)]);
    assert_eq!((found.calls, found.ran, found.succeeded), (4, 1, 1));
    assert_eq!(found.refused, BTreeMap::from([("loops".to_owned(), 2)]));
    assert_eq!(found.success_rate(), Some(1.0));
    assert_eq!((found.durations.percentile(50), found.sizes.max()), (Some(12), Some(1)));
}

#[test]
fn only_an_answer_without_an_error_is_a_success() {
    let ends = [Outcome::Completed, Outcome::Cancelled, Outcome::TimedOut, Outcome::Panicked];
    let mut entries: Vec<_> = ends.map(failed).into();
    entries.push(completed(json!([])));
    assert_eq!(figures(&entries).success_rate(), Some(0.2));
}

#[test]
fn a_call_whose_process_died_failed_and_has_no_duration() {
    let call = sample::call("c", "k", sample::WRITES, 1);
    let found = figures(&[unfinished(&call, Outcome::ProcessDied)]);
    assert_eq!((found.ran, found.succeeded, found.durations.max()), (1, 0, None));
}

#[test]
fn nothing_that_ran_has_no_rate() {
    assert_eq!(figures(&[failed(Outcome::refused_by("mode"))]).success_rate(), None);
}

#[test]
fn tokens_are_a_quarter_of_the_characters_of_each_answer() {
    assert_eq!(figures(&[completed(json!("äöü")), completed(json!("abc"))]).tokens, 4);
    let large = completed(json!("x".repeat(9998)));
    assert_eq!((large.result.is_none(), figures(&[large]).tokens), (true, 2500));
}

#[test]
fn names_that_no_registry_has_share_one_place() {
    let mut stats = Stats::default();
    for number in 0..1000 {
        let tool_id = format!("made_up_{number}");
        let refused = failed(Outcome::refused_by("known-tool"));
        stats.add(&AuditEntry { tool_id, tool_version: None, ..refused });
    }
    assert_eq!((stats.tools.len(), stats.unknown.calls, stats.totals.calls), (0, 1000, 1000));
}
