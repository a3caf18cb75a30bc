//! A record, formatted for people.

use aileron_contract::kb::Record;
use anstyle::Style;

use crate::output::tame;

/// The day of the last update.
pub(super) fn day(record: &Record) -> &str {
    record.last_updated.get(..10).unwrap_or(&record.last_updated)
}

/// All of a record: its title, its fields, its text.
pub(super) fn page(record: &Record) -> String {
    let bold = Style::new().bold();
    let title = format!("{bold}{}{bold:#}", tame(&record.title));
    let field = |(name, value): (&str, String)| format!("  {name:<13} {}", tame(&value));
    let fields = fields(record).into_iter().map(field);
    let text = record.text.lines().map(|line| tame(&line.replace('\t', "    ")));
    std::iter::once(title)
        .chain(fields)
        .chain(std::iter::once(String::new()))
        .chain(text)
        .collect::<Vec<_>>()
        .join("\n")
}

fn fields(record: &Record) -> Vec<(&'static str, String)> {
    let mut fields = vec![
        ("id", record.id.clone()),
        ("type", record.kind.clone()),
        ("namespace", record.namespace.to_string()),
        ("tags", record.tags.join(", ")),
        ("source_type", record.source_type.clone()),
        ("last_updated", record.last_updated.clone()),
        ("url", record.url.clone().unwrap_or_default()),
    ];
    fields.retain(|(_, value)| !value.is_empty());
    let metadata = record.metadata.iter();
    fields.extend(metadata.map(|(key, value)| ("metadata", format!("{key}: {}", shown(value)))));
    fields
}

/// Text as it is, the rest as JSON.
fn shown(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
