//! Finds the values of secrets in the output of a call, and replaces them with their names.
//!
//! A value of eight characters or more is found anywhere in a text, also in URL, JSON or Base64
//! encoding. A shorter one would match by chance: from four characters on it is masked where it is
//! a whole word, below that where it is the whole text. A value that is split, or encoded in
//! another way, is not found.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use aileron_contract::envelope::{ConfirmationRequest, Failure};
use aileron_contract::{Intent, ToolResponse};
use serde_json::{Map, Value};

use super::spellings::spellings;

/// From this length on a value is found anywhere in a text.
const LONG: usize = 8;

/// From this length on a value is found as a word.
const MEDIUM: usize = 4;

/// The secrets that handlers have received since the process started.
#[derive(Default)]
pub struct Masks {
    known: RwLock<BTreeMap<String, Arc<Mask>>>,
    /// Whether there are any; read without a lock.
    any: AtomicBool,
}

/// One value, and its replacement.
struct Mask {
    value: String,
    /// Longest first, so that no spelling masks a part of a longer one.
    spellings: Vec<String>,
    label: String,
}

impl fmt::Debug for Masks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Masks").finish_non_exhaustive()
    }
}

impl Masks {
    /// Adds a value that a handler received, which is masked from then on. An empty value is
    /// ignored.
    pub fn add(&self, name: &str, value: &str) {
        let known = |masks: &BTreeMap<String, Arc<Mask>>| masks.contains_key(value);
        if value.is_empty() || known(&self.known.read().unwrap_or_else(PoisonError::into_inner)) {
            return;
        }
        let mask = Arc::new(Mask::new(name, value));
        let mut masks = self.known.write().unwrap_or_else(PoisonError::into_inner);
        masks.insert(value.to_owned(), mask);
        self.any.store(true, Ordering::Release);
    }

    /// Whether no handler has received a secret, so that nothing has to be masked.
    pub fn is_empty(&self) -> bool {
        !self.any.load(Ordering::Acquire)
    }

    /// The text without the values of secrets.
    pub fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.is_empty() { Cow::Borrowed(text) } else { masked(&self.masks(), text) }
    }

    /// The value without the values of secrets, in texts, names and numbers.
    pub fn value(&self, value: Value) -> Value {
        if self.is_empty() { value } else { masked_value(&self.masks(), value) }
    }

    /// Masks all texts of a failure.
    pub fn failure(&self, failure: &mut Failure) {
        if self.is_empty() {
            return;
        }
        let masks = self.masks();
        replace(&masks, &mut failure.message);
        failure.suggestion.iter_mut().for_each(|text| replace(&masks, text));
        failure.details = failure.details.take().map(|details| masked_value(&masks, details));
        failure.confirmation_request.iter_mut().for_each(|request| self.request(request));
    }

    /// Masks a confirmation request.
    pub fn request(&self, request: &mut ConfirmationRequest) {
        if self.is_empty() {
            return;
        }
        let masks = self.masks();
        replace(&masks, &mut request.preview);
        request.args = masked_value(&masks, request.args.take());
    }

    /// Masks all parts of an answer.
    pub fn response(&self, response: &mut ToolResponse) {
        match response {
            ToolResponse::Success { data, intents, .. } => {
                *data = self.value(data.take());
                intents.iter_mut().for_each(|intent| self.intent(intent));
            }
            ToolResponse::Failure { error, .. } => self.failure(error),
        }
    }

    /// Masks the texts of an intent.
    pub fn intent(&self, intent: &mut Intent) {
        if let Intent::SetPendingMessage { message } = intent
            && !self.is_empty()
        {
            replace(&self.masks(), message);
        }
    }

    /// Longest value first, so that a secret that contains another is masked whole.
    fn masks(&self) -> Vec<Arc<Mask>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let mut masks: Vec<_> = known.values().cloned().collect();
        masks.sort_by_key(|mask| std::cmp::Reverse(mask.value.len()));
        masks
    }
}

impl Mask {
    fn new(name: &str, value: &str) -> Self {
        let label = format!("[secret:{name}]");
        let spellings = if value.chars().count() < LONG { Vec::new() } else { spellings(value) };
        Self { value: value.to_owned(), spellings, label }
    }

    fn apply<'a>(&self, text: Cow<'a, str>) -> Cow<'a, str> {
        match self.value.chars().count() {
            LONG.. => self.spellings.iter().fold(text, |text, spelling| {
                if text.contains(spelling) {
                    text.replace(spelling, &self.label).into()
                } else {
                    text
                }
            }),
            MEDIUM.. => replace_words(text, &self.value, &self.label),
            _ if *text == self.value => Cow::Owned(self.label.clone()),
            _ => text,
        }
    }
}

fn masked<'a>(masks: &[Arc<Mask>], text: &'a str) -> Cow<'a, str> {
    masks.iter().fold(Cow::Borrowed(text), |text, mask| mask.apply(text))
}

fn replace(masks: &[Arc<Mask>], text: &mut String) {
    if let Cow::Owned(masked) = masked(masks, text) {
        *text = masked;
    }
}

/// Values come from JSON text, whose depth is bounded, so recursion is safe.
fn masked_value(masks: &[Arc<Mask>], value: Value) -> Value {
    match value {
        Value::String(mut text) => {
            replace(masks, &mut text);
            Value::String(text)
        }
        Value::Number(number) => {
            let text = number.to_string();
            match masks.iter().find(|mask| mask.value == text) {
                Some(mask) => Value::String(mask.label.clone()),
                None => Value::Number(number),
            }
        }
        Value::Array(items) => items.into_iter().map(|item| masked_value(masks, item)).collect(),
        Value::Object(members) => Value::Object(masked_members(masks, members)),
        other => other,
    }
}

fn masked_members(masks: &[Arc<Mask>], members: Map<String, Value>) -> Map<String, Value> {
    let member = |(mut name, value)| {
        replace(masks, &mut name);
        (name, masked_value(masks, value))
    };
    members.into_iter().map(member).collect()
}

/// Replaces a word wherever it has no letter or digit next to it.
fn replace_words<'a>(text: Cow<'a, str>, word: &str, label: &str) -> Cow<'a, str> {
    let mut masked = String::new();
    let mut end = 0;
    for (at, _) in text.match_indices(word) {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        if !before.into_iter().chain(after).any(char::is_alphanumeric) {
            masked.push_str(&text[end..at]);
            masked.push_str(label);
            end = at + word.len();
        }
    }
    if end == 0 {
        return text;
    }
    masked.push_str(&text[end..]);
    Cow::Owned(masked)
}

#[cfg(test)]
#[path = "masks_tests.rs"]
mod tests;
