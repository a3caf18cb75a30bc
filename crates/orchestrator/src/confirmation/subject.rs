//! The thing that an approval would commit: what tells that two questions are about the same draft.
//!
//! Of two open questions about one thing the newer replaces the older. A tool says by the name of an
//! argument that it commits a draft; an engine that keeps drafts knows more, such as that two drafts
//! are the same event at another time.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What a question is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Subject {
    /// The draft that an argument names.
    Argument(String),
    /// What an engine says a draft is about, apart from what may be changed about it.
    Content(String),
}

/// The words that make the name of an argument that of a draft.
const DRAFT_WORDS: [&str; 2] = ["draft", "proposal"];

/// The draft that the arguments name.
pub(crate) fn of_arguments(args: &Value) -> Option<Subject> {
    let named = args.as_object()?.iter().filter(|(name, _)| names_draft(name));
    let named: Vec<_> = named.filter(|(_, value)| value.is_string()).collect();
    (!named.is_empty()).then(|| Subject::Argument(json!(named).to_string()))
}

/// Whether one of the words of a name, in snake or camel case, stands for a draft.
fn names_draft(name: &str) -> bool {
    let mut words = String::new();
    for c in name.chars() {
        if c.is_uppercase() {
            words.push('_');
        }
        words.extend(c.to_lowercase());
    }
    words.split(['_', '-']).any(|word| DRAFT_WORDS.contains(&word))
}

#[cfg(test)]
#[path = "subject_tests.rs"]
mod tests;
