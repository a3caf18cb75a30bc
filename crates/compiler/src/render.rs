//! Findings for people and machines: text, JSON, GitHub annotations, SARIF.
