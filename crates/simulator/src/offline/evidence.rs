//! Records that were found or read: what stands in them, and how near a question they are.

use serde_json::{Map, Value};

use super::sentence::{Extent, overlap};
use super::word::{fold, has, meanings, stems};

/// What the records are described with that nobody asks for.
const HIDDEN: &[&str] = &["demo"];

/// A record, or the passage of it that a search shows.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Evidence {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) text: String,
    pub(super) extent: Extent,
    pub(super) metadata: Map<String, Value>,
    /// What the search thinks of it, 0 to 1.
    pub(super) score: f64,
}

/// The records in a result.
pub(super) fn read(output: &Value) -> Vec<Evidence> {
    let results = output.get("results").and_then(Value::as_array);
    results.into_iter().flatten().filter_map(one).collect()
}

fn one(record: &Value) -> Option<Evidence> {
    let text = |name: &str| record.get(name).and_then(Value::as_str);
    let id = text("id")?.to_owned();
    let title = text("title").unwrap_or(&id).to_owned();
    let body =
        text("text").or_else(|| text("full_text")).or_else(|| text("snippet")).unwrap_or_default();
    let metadata = record.get("metadata").and_then(Value::as_object).cloned().unwrap_or_default();
    let score = record.get("score").and_then(Value::as_f64).unwrap_or_default();
    let is_cut = record.get("truncated").and_then(Value::as_bool).unwrap_or_default();
    let extent = if is_cut { Extent::Beginning } else { Extent::Whole };
    Some(Evidence { id, title, text: body.to_owned(), extent, metadata, score })
}

fn shown(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(true) => Some("yes".to_owned()),
        Value::Bool(false) => Some("no".to_owned()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

impl Evidence {
    /// How many of the wanted words the record has.
    pub(super) fn overlap(&self, wanted: &[String]) -> usize {
        overlap(wanted, &format!("{} {} {}", self.name(), self.text, self.fields()))
    }

    /// The search's opinion, raised by a title and fields that the question names, by a number in
    /// the title, and for people who are asked for.
    pub(super) fn relevance(&self, question: &str) -> f64 {
        let wanted = stems(question);
        let share = |text: &str| overlap(&wanted, text) as f64 / wanted.len().max(1) as f64;
        let person = has(&fold(question), "who") && self.id.starts_with("person:");
        let titled = meanings(&self.title);
        let mut numbers =
            wanted.iter().filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
        let numbered = numbers.any(|number| titled.contains(number));
        let bonus = f64::from(u8::from(person)) * 0.15 + f64::from(u8::from(numbered)) * 0.2;
        self.score + 0.2 * share(&self.name()) + 0.25 * share(&self.fields()) + bonus
    }

    /// The title and the words of the id.
    pub(super) fn name(&self) -> String {
        format!("{} {}", self.title, self.id.replace([':', '_'], " "))
    }

    /// The fields in words.
    fn fields(&self) -> String {
        let fields = self.shown_fields();
        fields.map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join(" ")
    }

    /// The fields that people may ask for, each with its name in words.
    pub(super) fn shown_fields(&self) -> impl Iterator<Item = (String, String)> {
        let fields = self.metadata.iter().filter(|(name, _)| !HIDDEN.contains(&name.as_str()));
        fields.filter_map(|(name, value)| Some((name.replace('_', " "), shown(value)?)))
    }

    /// A field of the record.
    pub(super) fn field(&self, name: &str) -> Option<&str> {
        self.metadata.get(name)?.as_str()
    }
}
