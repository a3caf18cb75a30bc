//! The tags and the metadata of a record as texts to search.

use aileron_contract::kb::Record;
use serde_json::Value;

/// Characters that are searched of the tags and the metadata of one record together.
pub(super) const MOST_CHARS: usize = 2_000;

/// Each tag, each name and each value as a separate text, so that no phrase runs from one into the
/// next. Texts that begin after [`MOST_CHARS`] are left out.
pub(super) fn texts(record: &Record) -> Vec<String> {
    let mut texts = record.tags.clone();
    record.metadata.iter().for_each(|(name, value)| collect(name, value, &mut texts));
    let mut left = MOST_CHARS;
    texts.retain(|text| {
        let fits = left > 0;
        left = left.saturating_sub(text.chars().count());
        fits
    });
    texts
}

/// The name of a field that is not set, or is false, is left out: it would be a wrong hit.
fn collect(name: &str, value: &Value, texts: &mut Vec<String>) {
    let is_said = !matches!(value, Value::Null | Value::Bool(false));
    texts.extend(is_said.then(|| name.to_owned()));
    values(value, texts);
}

fn values(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Number(number) => texts.push(number.to_string()),
        Value::Array(items) => items.iter().for_each(|item| values(item, texts)),
        Value::Object(members) => {
            members.iter().for_each(|(name, value)| collect(name, value, texts));
        }
        Value::Null | Value::Bool(_) => {}
    }
}

#[cfg(test)]
#[path = "attributes_tests.rs"]
mod tests;
