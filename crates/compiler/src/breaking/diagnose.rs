//! Converts a violation to a finding, placed where its author can fix it.

use super::comparison::Break;
use super::version;
use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::source::Source;

/// A finding about a violation: in the tool's `schema.json` if that is given,
/// else about the file of that name, such as the registry.
pub fn diagnose(violation: &Break, document: Option<&Document>, source_label: &str) -> Diagnostic {
    let finding = match document {
        Some(document) => document.at_key(violation.rule, &violation.pointer, words(violation, "")),
        None => {
            let place = match violation.pointer.as_str() {
                "" => String::new(),
                pointer => format!(" at {pointer}"),
            };
            let source = Source::new(source_label, "");
            Diagnostic::new(violation.rule, &source, words(violation, &place))
                .pointer(&violation.pointer)
        }
    };
    finding.help(help(violation))
}

fn words(violation: &Break, place: &str) -> String {
    let Break { tool, message, current, .. } = violation;
    let change = format!("tool `{tool}`{place}: {message}");
    match current {
        Some(current) => {
            format!("{change}; this needs version {}, found {current}", violation.needed())
        }
        None => change,
    }
}

fn help(violation: &Break) -> String {
    match violation.current {
        Some(_) => {
            format!("undo it, or raise `version` to {}", violation.needed().release())
        }
        None => version::tool_no_delete::HELP.to_owned(),
    }
}
