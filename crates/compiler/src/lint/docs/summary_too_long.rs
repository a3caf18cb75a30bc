//! A summary beyond its limit.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::{Source, Span};

/// Maximum characters of a summary.
const MOST_CHARACTERS: usize = 250;

rule! {
    /// The summary has more than 250 characters.
    ///
    /// ## Why
    /// The summaries of all tools go into every prompt, in voice too, where each word costs
    /// time. Line breaks and runs of spaces count as one character.
    ///
    /// ## Example
    /// ```markdown
    /// # kb_search
    ///
    /// This tool allows you to search the whole of the knowledge base, which holds records of
    /// many kinds, in any way that you like, and it will then return to you a list of ...
    /// ```
    ///
    /// ## Fix
    /// Say what the tool does and when to call it; move the rest to a separate section.
    SUMMARY_TOO_LONG, "AIL-D006", "summary-too-long", Error
}

pub(crate) fn check(source: &Arc<Source>, place: Span, summary: &str, found: &mut Vec<Diagnostic>) {
    let count = summary.chars().count();
    if count <= MOST_CHARACTERS {
        return;
    }
    let message = format!("summary has {count} characters, expected at most {MOST_CHARACTERS}");
    let finding = Diagnostic::new(&SUMMARY_TOO_LONG, source, message).at(place);
    found.push(
        finding.help(
            "keep what the tool does and when to call it; move the rest to a separate section",
        ),
    );
}
