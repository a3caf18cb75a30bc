//! The thing that an approval would commit. It shows that two confirmations are about the same
//! draft.
//!
//! If two open confirmations are about one thing, the newer replaces the older. The name of an
//! argument shows that a tool commits a draft; an engine that keeps drafts knows more, such as that
//! two drafts are the same event at another time.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The subject of a confirmation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Subject {
    /// The draft that an argument names.
    Argument(String),
    /// The engine's description of a draft, without the fields that may be changed.
    Content(String),
}

/// Words in the name of an argument that make it the name of a draft.
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
