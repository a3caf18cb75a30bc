//! Findings as one JSON object.

use serde_json::{Value, json};

use crate::diagnostic::{Counts, Diagnostic};

/// Renders all findings: `{ diagnostics: [...], summary: {...} }`.
pub fn json(findings: &[Diagnostic]) -> Value {
    let counts = Counts::of(findings);
    json!({
        "diagnostics": findings.iter().map(finding).collect::<Vec<_>>(),
        "summary": { "errors": counts.errors, "warnings": counts.warnings, "notes": counts.notes },
    })
}

fn finding(finding: &Diagnostic) -> Value {
    let (start, end) = (finding.position(), finding.end_position());
    json!({
        "code": finding.rule.code,
        "name": finding.rule.name,
        "severity": finding.severity.as_str(),
        "file": finding.source.path,
        "line": start.line,
        "column": start.column,
        "endLine": end.line,
        "endColumn": end.column,
        "pointer": finding.pointer,
        "target": finding.target,
        "message": finding.message,
        "help": finding.help,
    })
}
