//! Records that were found or read, and answers made of them: the records' own sentences, cited.

use serde_json::{Map, Value};

use super::sentence::{best, overlap};
use super::view::{Manner, View};
use super::word::{fold, has, stems};

/// What a citation begins with; the id of the record follows.
pub const CITATION_START: &str = "[record:";

/// What ends a citation.
pub const CITATION_END: &str = "]";

/// Words that stand for a name.
const PRONOUNS: [&str; 4] = ["He", "It", "She", "They"];

const NOT_IN_THESE_WORDS: &str = "I found nothing that says it in these words.";

/// What the records are described with that nobody asks for.
const HIDDEN: &[&str] = &["demo"];

/// A record, or the passage of it that a search shows.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Evidence {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) text: String,
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
    Some(Evidence { id, title, text: body.to_owned(), metadata, score })
}

/// The citation of a record.
pub(super) fn cite(id: &str) -> String {
    format!("{CITATION_START}{id}{CITATION_END}")
}

/// What the first record says of the question, and where to read on.
pub(super) fn answer(view: &View<'_>, records: &[Evidence]) -> Option<String> {
    let (first, others) = records.split_first()?;
    let question = &view.words;
    let wanted = stems(question);
    let named = question.contains(&first.id);
    if first.overlap(&wanted) == 0 && !named {
        return Some(closest(view.manner, first));
    }
    let most = if view.manner == Manner::Spoken { 2 } else { 3 };
    let mut said = facts(first, &wanted);
    let told = best(question, &first.text, most);
    // A field that answers needs no sentence beside it that does not.
    let answered = !said.is_empty();
    said.extend(told.into_iter().filter(|sentence| !answered || overlap(&wanted, sentence) > 0));
    let said = said.join(" ");
    Some(match view.manner {
        Manner::Spoken => format!("{said} That is from “{}”.", first.title),
        Manner::Written => {
            let said = with_a_name(&first.title, said);
            format!("{said} {}{}", cite(&first.id), see_also(others, &wanted))
        }
    })
}

/// A sentence that speaks of somebody without a name is given one.
fn with_a_name(title: &str, said: String) -> String {
    let first = said.split(' ').next().unwrap_or_default();
    match PRONOUNS.contains(&first) {
        true => format!("{title}: {said}"),
        false => said,
    }
}

/// A record that has no word of the question is offered, not quoted.
fn closest(manner: Manner, record: &Evidence) -> String {
    let citation =
        if manner == Manner::Written { format!(" {}", cite(&record.id)) } else { String::new() };
    format!("{NOT_IN_THESE_WORDS} The closest record is “{}”.{citation}", record.title)
}

/// What the record's fields say, where the question names them.
fn facts(record: &Evidence, wanted: &[String]) -> Vec<String> {
    let fields = record.metadata.iter().filter(|(name, _)| !HIDDEN.contains(&name.as_str()));
    let named = fields.filter(|(name, _)| overlap(wanted, &name.replace('_', " ")) > 0);
    let facts: Vec<String> = named
        .filter_map(|(name, value)| Some(format!("{} {}", name.replace('_', " "), shown(value)?)))
        .collect();
    if facts.is_empty() {
        Vec::new()
    } else {
        vec![format!("{}: {}.", record.title, facts.join(", "))]
    }
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

fn see_also(others: &[Evidence], wanted: &[String]) -> String {
    let related = others.iter().filter(|record| record.overlap(wanted) > 0).take(2);
    let related: Vec<String> =
        related.map(|record| format!("{} {}", record.title, cite(&record.id))).collect();
    if related.is_empty() {
        String::new()
    } else {
        format!("\n\nSee also: {}.", related.join("; "))
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
        let numbers = wanted.iter().filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
        let numbered = numbers.into_iter().any(|number| self.title.contains(number.as_str()));
        let bonus = f64::from(u8::from(person)) * 0.15 + f64::from(u8::from(numbered)) * 0.2;
        self.score + 0.2 * share(&self.name()) + 0.25 * share(&self.fields()) + bonus
    }

    /// The title and the words of the id.
    fn name(&self) -> String {
        format!("{} {}", self.title, self.id.replace([':', '_'], " "))
    }

    /// The fields in words.
    fn fields(&self) -> String {
        let fields = self.metadata.iter();
        let fields = fields.filter_map(|(name, value)| Some(format!("{name} {}", shown(value)?)));
        fields.collect::<Vec<_>>().join(" ").replace('_', " ")
    }

    /// Whether the text was cut out of a longer one in the middle of a sentence.
    pub(super) fn is_cut(&self) -> bool {
        self.text.starts_with('…') || self.text.ends_with('…')
    }

    /// A field of the record.
    pub(super) fn field(&self, name: &str) -> Option<&str> {
        self.metadata.get(name)?.as_str()
    }
}

#[cfg(test)]
#[path = "evidence_tests.rs"]
mod tests;
