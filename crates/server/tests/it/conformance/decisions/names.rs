//! Stable names for random values and times, in the order in which they appear.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// The prefix of the id of an approved call, before its random part.
const CONFIRMED: &str = "confirmed-";

/// Whether calls paused before another attempt, for times that are random.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pauses {
    None,
    Some,
}

#[derive(Debug)]
pub(super) struct Names {
    known: BTreeMap<String, String>,
    pauses: Pauses,
}

impl Names {
    pub(super) fn new(pauses: Pauses) -> Self {
        Self { known: BTreeMap::new(), pauses }
    }

    /// The value with stable names in it.
    pub(super) fn replaced(&mut self, value: Value) -> Value {
        match value {
            Value::Object(fields) => Value::Object(self.fields(fields)),
            Value::Array(values) => values.into_iter().map(|one| self.replaced(one)).collect(),
            Value::String(text) => Value::String(self.text(text)),
            other => other,
        }
    }

    fn fields(&mut self, fields: Map<String, Value>) -> Map<String, Value> {
        let paused = self.pauses == Pauses::Some;
        let kept = fields.into_iter().filter(|(name, _)| !(paused && name == "overBudget"));
        let replaced = kept.map(|(name, value)| {
            let value = match name.as_str() {
                "time" | "expires" => Value::from("a time"),
                "duration" if paused => Value::from("a while"),
                "token" | "tokenId" => Value::from(self.name("question", question(&value))),
                "conversation" => Value::from(self.name("conversation", text_of(&value))),
                _ => self.replaced(value),
            };
            (name, value)
        });
        replaced.collect()
    }

    pub(super) fn text(&mut self, text: String) -> String {
        let id = aileron_orchestrator::token::id_of(&text).unwrap_or(&text);
        if let Some(known) = self.known.get(id) {
            return known.clone();
        }
        if is_key(&text) {
            return self.name("key", &text);
        }
        match text.strip_prefix(CONFIRMED) {
            Some(rest) => {
                let (id, sibling) = rest.split_once('.').unwrap_or((rest, ""));
                format!("{CONFIRMED}{}.{sibling}", self.name("question", id))
            }
            None => text,
        }
    }

    /// The name that stands for an id of this kind.
    pub(super) fn name(&mut self, kind: &str, id: &str) -> String {
        let next = self.known.values().filter(|name| name.starts_with(kind)).count() + 1;
        self.known.entry(id.to_owned()).or_insert_with(|| format!("{kind} {next}")).clone()
    }
}

/// The key of a call whose id does not identify it: a hash that includes the conversation's id.
fn is_key(text: &str) -> bool {
    let hash = text.strip_prefix('#').unwrap_or_default();
    hash.len() == 64 && hash.chars().all(|c| c.is_ascii_hexdigit())
}

fn text_of(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The id of a question; a token has it, too.
fn question(value: &Value) -> &str {
    let text = text_of(value);
    aileron_orchestrator::token::id_of(text).unwrap_or(text)
}
