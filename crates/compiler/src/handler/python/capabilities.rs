//! Finds the capabilities and variables that a Python module uses, by their text: `context.kb`,
//! `os.environ["NAME"]`. A context that has another name is not followed.

use std::sync::Arc;

use aileron_contract::intent::announced_intent;

use super::scan::PythonFacts;
use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::handler::declared::{capability_field, check_variable, declared};
use crate::lint::handler::{message_without_intent, undeclared_capability};
use crate::source::{Source, Span};

/// Checks a module against `schema.json`.
pub(super) fn check(
    source: &Arc<Source>,
    facts: &PythonFacts,
    schema: Option<&Document>,
    found: &mut Vec<Diagnostic>,
) {
    let Some(declared) = schema.and_then(declared) else { return };
    for (field, place) in uses(&facts.code) {
        let Some(capability) = capability_field(field) else { continue };
        let secret =
            (capability == "secret").then(|| literal_after(source, place.end, ".get(")).flatten();
        let wanted = match (capability, secret) {
            ("secret", Some(name)) => format!("secret:{name}"),
            ("secret", None) => "secret:<NAME>".to_owned(),
            ("http", _) => "http:<host>".to_owned(),
            (capability, _) => capability.to_owned(),
        };
        let allows = |name: &str| match (capability, secret) {
            ("secret", Some(_)) => name == wanted,
            ("secret" | "http", _) => name.split(':').next() == Some(capability),
            _ => name == capability,
        };
        if !declared.iter().any(|(_, name)| allows(name)) {
            found.push(undeclared_capability::diagnose(source, capability, &wanted, place));
        }
    }
    for (name, place) in variables(source, &facts.code) {
        check_variable(source, name, place, &declared, found);
    }
}

/// Reports messages that announce an intent which no module of the handler names.
pub(super) fn check_messages<'m>(
    own: &[(&'m Arc<Source>, &'m PythonFacts)],
    all: impl Iterator<Item = &'m Arc<Source>> + Clone,
    found: &mut Vec<Diagnostic>,
) {
    let sends = own.iter().any(|(_, facts)| facts.code.contains("messaging.send"));
    for (source, _) in own {
        for (kind, place) in typed_dictionaries(source) {
            let Some(intent) = announced_intent(kind).filter(|intent| *intent != kind) else {
                continue;
            };
            let is_named = all.clone().any(|other| other.text.contains(intent));
            if !is_named && (sends || intent != "BLOCK_USER") {
                found.push(message_without_intent::diagnose(source, kind, intent, place, None));
            }
        }
    }
}

/// The values of `"type": "..."` in dictionaries, and their places.
fn typed_dictionaries(source: &Source) -> Vec<(&str, Span)> {
    let keys = ["\"type\"", "'type'"].into_iter().flat_map(|key| source.text.match_indices(key));
    keys.filter_map(|(at, key)| {
        let after = source.text.get(at + key.len()..)?.trim_start().strip_prefix(':')?.trim_start();
        let quote = after.chars().next().filter(|c| ['"', '\''].contains(c))?;
        let (value, rest) = after.get(1..)?.split_once(quote)?;
        Some((value, at..source.text.len() - rest.len()))
    })
    .collect()
}

/// The members of `context` that a text uses, and their places.
fn uses(code: &str) -> Vec<(&str, Span)> {
    let found = code.match_indices("context.").filter(|(at, _)| is_word_start(code, *at));
    found
        .filter_map(|(at, prefix)| {
            let rest = code.get(at + prefix.len()..)?;
            let length = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            let field = rest.get(..length)?;
            Some((field, at..at + prefix.len() + length))
        })
        .collect()
}

/// The variables in `os.environ["NAME"]`, `os.environ.get("NAME")` and `os.getenv("NAME")`.
fn variables<'s>(source: &'s Source, code: &str) -> Vec<(&'s str, Span)> {
    let mut found = Vec::new();
    for (prefix, openings) in [("os.environ", &["[", ".get("][..]), ("os.getenv", &["("][..])] {
        let places = code.match_indices(prefix).filter(|(at, _)| is_word_start(code, *at));
        for (at, _) in places {
            let end = at + prefix.len();
            let name = openings.iter().find_map(|opening| literal_after(source, end, opening));
            found.extend(name.map(|name| (name, at..end)));
        }
    }
    found
}

/// The string literal after an opening at a place: `"NAME"` after `.get(`.
fn literal_after<'s>(source: &'s Source, at: usize, opening: &str) -> Option<&'s str> {
    let rest = source.text.get(at..)?.strip_prefix(opening)?.trim_start();
    let quote = rest.chars().next().filter(|c| ['"', '\''].contains(c))?;
    let (name, _) = rest.get(1..)?.split_once(quote)?;
    Some(name)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_word_start(code: &str, at: usize) -> bool {
    let before = code.get(..at).and_then(|before| before.chars().next_back());
    before.is_none_or(|c| !is_word(c) && c != '.')
}
