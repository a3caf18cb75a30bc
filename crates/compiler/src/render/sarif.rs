//! Findings as SARIF 2.1.0, which code-scanning services read.

use serde_json::{Value, json};

use crate::diagnostic::Diagnostic;
use crate::rule::Rule;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Renders all findings as one log with one run.
pub fn sarif(findings: &[Diagnostic]) -> Value {
    let rules = used_rules(findings);
    let results: Vec<_> = findings.iter().map(|finding| result(finding, &rules)).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "aileron",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules.iter().map(|rule| description(rule)).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn used_rules(findings: &[Diagnostic]) -> Vec<&'static Rule> {
    let mut rules: Vec<_> = findings.iter().map(|finding| finding.rule).collect();
    rules.sort_by_key(|rule| rule.code);
    rules.dedup_by_key(|rule| rule.code);
    rules
}

fn description(rule: &Rule) -> Value {
    let summary = rule.explanation.lines().next().unwrap_or_default().trim();
    json!({
        "id": rule.code,
        "name": rule.name,
        "shortDescription": { "text": summary },
        "help": { "text": rule.explanation, "markdown": rule.explanation },
        "defaultConfiguration": { "level": rule.severity.as_str() },
    })
}

fn result(finding: &Diagnostic, rules: &[&Rule]) -> Value {
    let message = match &finding.help {
        Some(help) => format!("{}\nhelp: {help}", finding.message),
        None => finding.message.clone(),
    };
    json!({
        "ruleId": finding.rule.code,
        "ruleIndex": rules.iter().position(|rule| rule.code == finding.rule.code),
        "level": finding.severity.as_str(),
        "message": { "text": message },
        "locations": [{ "physicalLocation": location(finding) }],
    })
}

fn location(finding: &Diagnostic) -> Value {
    let (start, end) = (finding.position(), finding.end_position());
    json!({
        "artifactLocation": { "uri": uri(&finding.source.path) },
        "region": {
            "startLine": start.line,
            "startColumn": start.column,
            "endLine": end.line,
            "endColumn": end.column,
        },
    })
}

/// A relative path as a URI: other characters are percent-encoded.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    out
}
