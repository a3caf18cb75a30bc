//! Findings as workflow commands, which GitHub shows beside the changed lines.

use crate::diagnostic::Diagnostic;
use crate::rule::Severity;

/// Renders one finding as one line.
pub fn github(finding: &Diagnostic) -> String {
    let command = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let (start, end) = (finding.position(), finding.end_position());
    let columns = if start.line == end.line {
        format!(",col={},endColumn={}", start.column, end.column)
    } else {
        String::new()
    };
    let message = match &finding.help {
        Some(help) => format!("{}\nhelp: {help}", finding.message),
        None => finding.message.clone(),
    };
    format!(
        "::{command} file={},line={},endLine={}{columns},title={}::{}",
        property(&finding.source.path),
        start.line,
        end.line,
        property(&finding.rule.to_string()),
        data(&message),
    )
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
