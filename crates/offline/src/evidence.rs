//! Records that were found or read: their content, and how well they match a question.

use serde_json::{Map, Value};

use super::sentence::{TextExtent, overlap};
use super::word::{fold, has, has_any, meanings, stems};

/// Fields of records that are never shown.
const HIDDEN: &[&str] = &["demo"];

/// Fields that name the record that replaces this one.
const REPLACED: &[&str] = &["replaced_by", "superseded_by"];

/// Words in a title, or at the beginning of a text, that mark a record as outdated.
const OUTDATED: &[&str] = &["outdated", "obsolete", "superseded", "deprecated", "no longer valid"];

/// Words of a question about the past.
const FORMER: &[&str] =
    &["outdated", "obsolete", "old", "former", "previous", "formerly", "used to"];

/// How many characters of a text are searched for such words.
const BEGINNING: usize = 80;

/// Fields that contain other names of a record.
const NAMING: &[&str] = &["alias", "code", "native_name"];

/// Fields that describe the role of a person.
const POSITION: &[&str] = &["role", "team"];

/// A record, or the passage of it that a search returned.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Evidence {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) text: String,
    pub(super) extent: TextExtent,
    pub(super) metadata: Map<String, Value>,
    /// The score of the search, 0 to 1.
    pub(super) score: f64,
    /// When the record last changed, in the knowledge base's format.
    pub(super) last_updated: String,
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
    let extent = if is_cut { TextExtent::Beginning } else { TextExtent::Whole };
    let last_updated = text("last_updated").unwrap_or_default().to_owned();
    Some(Evidence { id, title, text: body.to_owned(), extent, metadata, score, last_updated })
}

/// The records without outdated ones, unless a number in the question names them or no others are
/// left; only the outdated ones if the question is about the past.
pub(super) fn current(records: Vec<Evidence>, question: &str) -> Vec<Evidence> {
    let (wanted, former) = (stems(question), has_any(&fold(question), FORMER));
    let is_meant = |record: &Evidence| match record.is_outdated() {
        true => former || record.numbered(&wanted),
        false => !former,
    };
    let (meant, others): (Vec<_>, Vec<_>) = records.into_iter().partition(is_meant);
    if meant.is_empty() { others } else { meant }
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

    /// The score of the search, raised if the question names the title or fields, if the title has
    /// a number of the question, and for people if the question asks for one.
    pub(super) fn relevance(&self, question: &str) -> f64 {
        let wanted = stems(question);
        let share = |text: &str| overlap(&wanted, text) as f64 / wanted.len().max(1) as f64;
        let person = has(&fold(question), "who") && self.id.starts_with("person:");
        let numbered = self.numbered(&wanted);
        let bonus = f64::from(u8::from(person)) * 0.15 + f64::from(u8::from(numbered)) * 0.2;
        self.score + 0.2 * share(&self.name()) + 0.25 * share(&self.fields()) + bonus
    }

    /// Whether the record says that it is outdated or replaced.
    fn is_outdated(&self) -> bool {
        let beginning: String = self.text.chars().take(BEGINNING).collect();
        REPLACED.iter().any(|name| self.metadata.contains_key(*name))
            || has_any(&fold(&self.title), OUTDATED)
            || has_any(&fold(&beginning), OUTDATED)
    }

    /// Whether the title has a number of the question, such as a year.
    fn numbered(&self, wanted: &[String]) -> bool {
        let titled = meanings(&self.title);
        let mut numbers =
            wanted.iter().filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
        numbers.any(|number| titled.contains(number))
    }

    /// The title and the words of the id.
    pub(super) fn called(&self) -> String {
        format!("{} {}", self.title, self.id.replace([':', '_'], " "))
    }

    /// All names of the record; for people also their role.
    pub(super) fn name(&self) -> String {
        let names = NAMING.iter().filter_map(|name| self.field(name).map(str::to_owned));
        let position: &[&str] = if self.is_person() { POSITION } else { &[] };
        let position =
            position.iter().filter_map(|name| Some(format!("{name} {}", self.field(name)?)));
        format!("{} {}", self.called(), names.chain(position).collect::<Vec<_>>().join(" "))
    }

    /// Whether the wanted words are the title and nothing else; words in brackets may be missing.
    pub(super) fn is_subject(&self, wanted: &[String]) -> bool {
        let short = self.title.split('(').next().unwrap_or_default();
        [self.title.as_str(), short].iter().any(|title| stems(title) == wanted)
    }

    pub(super) fn is_person(&self) -> bool {
        self.id.starts_with("person:")
    }

    /// The fields as text.
    fn fields(&self) -> String {
        let fields = self.shown_fields();
        fields.map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join(" ")
    }

    /// The fields that may be shown, each with its readable name.
    pub(super) fn shown_fields(&self) -> impl Iterator<Item = (String, String)> {
        let fields = self.metadata.iter().filter(|(name, _)| !HIDDEN.contains(&name.as_str()));
        fields.filter_map(|(name, value)| Some((name.replace('_', " "), shown(value)?)))
    }

    /// A field of the record.
    pub(super) fn field(&self, name: &str) -> Option<&str> {
        self.metadata.get(name)?.as_str()
    }
}
