//! The Grafana dashboard in `docs/` asks only for metrics and labels that `/metrics` has.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::open_metrics::{Family, read};
use super::{SCRAPER, played, scrape, text};

const DASHBOARD: &str = include_str!("../../../../../docs/grafana-dashboard.json");

/// Labels that Prometheus adds, and the one of buckets.
const ADDED: [&str; 3] = ["instance", "job", "le"];

/// All expressions and queries, wherever they are.
fn expressions(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                match member {
                    Value::String(text) if name == "expr" || name == "query" => {
                        found.push(text.clone());
                    }
                    _ => expressions(member, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| expressions(item, found)),
        _ => {}
    }
}

/// The metrics in an expression.
fn metrics(expression: &str) -> Vec<&str> {
    let words = expression.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let is_ours = |word: &&str| word.starts_with("aileron_") || word.starts_with("process_");
    words.filter(is_ours).collect()
}

/// Every sample that a family can have, with the labels that its samples have.
fn samples(families: &BTreeMap<String, Family>) -> BTreeMap<String, BTreeSet<String>> {
    let mut samples = BTreeMap::new();
    for (name, family) in families {
        let labels = family.samples.iter().flat_map(|sample| sample.labels.keys().cloned());
        let labels: BTreeSet<String> = labels.collect();
        let suffixes: &[&str] = match family.kind.as_str() {
            "counter" => &["_total"],
            "histogram" => &["_bucket", "_sum", "_count"],
            "info" => &["_info"],
            _ => &[""],
        };
        for suffix in suffixes {
            samples.insert(format!("{name}{suffix}"), labels.clone());
        }
    }
    samples
}

#[tokio::test]
async fn every_metric_and_label_of_the_dashboard_exists() {
    let stage = played().await;
    let families = read(&text(&scrape(&stage, SCRAPER).await));
    let samples = samples(&families);
    let mut found = Vec::new();
    expressions(&serde_json::from_str(DASHBOARD).unwrap(), &mut found);
    assert!(found.len() > 30, "{}", found.len());
    let mut used = BTreeSet::new();
    for expression in &found {
        let metrics = metrics(expression);
        for name in &metrics {
            assert!(samples.contains_key(*name), "{name} in {expression}");
            used.insert((*name).to_owned());
        }
        let labels: BTreeSet<&str> =
            metrics.iter().flat_map(|name| &samples[*name]).map(String::as_str).collect();
        // No tool is quarantined, and no provider has reported a quota.
        let without_samples = metrics.iter().any(|name| {
            name.starts_with("aileron_voice_quota") || *name == "aileron_tool_quarantine_seconds"
        });
        for label in selected(expression) {
            let exists = labels.contains(label) || ADDED.contains(&label);
            assert!(exists || without_samples, "the label {label} in {expression}");
        }
    }
    let unused: Vec<_> = families
        .keys()
        .filter(|family| !used.iter().any(|name| name.starts_with(family.as_str())))
        .collect();
    assert!(unused.is_empty(), "metrics that the dashboard does not show: {unused:?}");
}

/// The labels of `by (...)` and of selectors.
fn selected(expression: &str) -> Vec<&str> {
    let lists = expression.split(" by (").skip(1).filter_map(|rest| rest.split_once(')'));
    let grouped = lists.flat_map(|(list, _)| list.split(", "));
    let braces = expression.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
    let matched = braces
        .flat_map(|(list, _)| list.split(','))
        .filter_map(|matcher| matcher.split_once(['=', '!']).map(|(label, _)| label.trim()));
    grouped.chain(matched).collect()
}
