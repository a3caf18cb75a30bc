//! `--print-config`: every setting and its source. Possible secrets are hidden.

use serde_json::Value;

use crate::output::{self, ExitOutcome, Failure};
use crate::settings::Layers;

const HIDDEN: &str = "***";

pub(super) fn run(layers: &Layers) -> Result<ExitOutcome, Failure> {
    for (key, (value, source)) in &layers.values {
        output::data(&format!("{key} = {}  # {source}", shown(value)))?;
    }
    Ok(ExitOutcome::Fine)
}

fn shown(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(hidden(text)),
        Value::Array(items) => items.iter().map(shown).collect(),
        other => other.clone(),
    }
}

/// A URL without password and query, which may contain secrets.
fn hidden(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_owned() };
    let (before, query) = match rest.split_once('?') {
        Some((before, _)) => (before, format!("?{HIDDEN}")),
        None => (rest, String::new()),
    };
    let end = before.find('/').unwrap_or(before.len());
    let (authority, path) = before.split_at(end);
    let authority = match authority.rsplit_once('@') {
        Some((_, host)) => format!("{HIDDEN}@{host}"),
        None => authority.to_owned(),
    };
    format!("{scheme}://{authority}{path}{query}")
}

#[cfg(test)]
#[path = "print_config_tests.rs"]
mod tests;
