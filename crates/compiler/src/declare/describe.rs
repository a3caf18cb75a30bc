//! The sentences in a description that replace keywords which a target does not have.

use std::io;

use serde_json::{Map, Value};

use super::facts::{Facts, SchemaKeyword};

const MORE_THAN: &str = "Must be more than {}.";
const LESS_THAN: &str = "Must be less than {}.";
const MULTIPLE_OF: &str = "Must be a multiple of {}.";
const EXACTLY_SO_MANY: &str = "Exactly {} {}.";
const BETWEEN: &str = "{} to {} {}.";
const AT_LEAST: &str = "At least {} {}.";
const AT_MOST: &str = "At most {} {}.";
const PATTERN: &str = "Must match the pattern `{}`.";
const FORMAT: &str = "Format: {}.";
const ENCODING: &str = "Encoded as {}.";
const MEDIA_TYPE: &str = "Media type: {}.";
const ALL_DIFFERENT: &str = "Items must all be different.";
const DEPRECATED: &str = "Deprecated.";
const DEFAULT: &str = "Default: {}.";
const EXAMPLE: &str = "Example: {}.";
const EXAMPLES: &str = "Examples: {}.";
const EXACTLY: &str = "Must be {}.";
const ONE_OF: &str = "One of: {}.";
const FIRST_ITEMS: &str = "The first items must match, in order: {}.";
const CONTAINS: &str = "At least one item must match {}.";
const NOT: &str = "Must not match {}.";
const OTHER_PROPERTIES: &str = "Other properties must match {}.";
const PROPERTY_NAMES: &str = "Property names must match {}.";
const IF_THEN: &str = "If it matches {}, it must match {}.";
const IF_THEN_ELSE: &str = "If it matches {}, it must match {}, otherwise {}.";
const UNLESS: &str = "Unless it matches {}, it must match {}.";
const WHEN_GIVEN: &str = "When `{}` is given, {} must be too.";
const WHEN_GIVEN_MATCH: &str = "When `{}` is given, it must match {}.";
const NAMES_MATCH: &str = "Properties whose names match `{}` must match {}.";
const MATCHES_ANY: &str = "Must match at least one of {}.";
const MATCHES_ONE: &str = "Must match exactly one of {}.";
const ANY_GIVEN: &str = "At least one of these must be given: {}.";
const ONE_GIVEN: &str = "Exactly one of these must be given: {}.";
const SAME_FORM: &str = "Has the same form as {}.";

/// The sentence for a value that a schema `false` forbids.
pub(super) const NEVER: &str = "Must not be given.";

/// The name of the whole schema in a sentence.
pub(super) const THE_ROOT: &str = "the arguments as a whole";

/// Maximum characters of one sentence; a longer one is left out.
const SENTENCE_LIMIT: usize = 240;
/// Maximum characters that are added to one description.
const ADDED_LIMIT: usize = 600;
/// Maximum number of listed values.
const LIST_LIMIT: usize = 12;

/// The sentence that replaces a keyword, if one helps the model.
pub(super) fn sentence(said: &SchemaKeyword<'_>, facts: &Facts<'_>) -> Option<String> {
    let value = said.value;
    let sentence = match said.keyword {
        "if" | "then" | "else" => {
            let beside = |keyword| facts.beside(keyword, &said.at);
            conditional(beside("if")?, beside("then"), beside("else"))?
        }
        "anyOf" => alternatives(value, ANY_GIVEN, MATCHES_ANY)?,
        "oneOf" => alternatives(value, ONE_GIVEN, MATCHES_ONE)?,
        "examples" => fill(EXAMPLES, &[&list(value.as_array()?.iter())?]),
        "dependentRequired" => dependent_required(value.as_object()?)?,
        "dependentSchemas" => per_entry(value, WHEN_GIVEN_MATCH)?,
        "patternProperties" => per_entry(value, NAMES_MATCH)?,
        "minLength" | "maxLength" => count(facts, &said.at, "Length", "character", "characters")?,
        "minProperties" | "maxProperties" => {
            count(facts, &said.at, "Properties", "property", "properties")?
        }
        "uniqueItems" => flag(value, ALL_DIFFERENT)?,
        "deprecated" => flag(value, DEPRECATED)?,
        "additionalProperties" if value.is_boolean() => return None,
        _ => fill(template(said.keyword)?, &[&plain(value)?]),
    };
    (sentence.chars().count() <= SENTENCE_LIMIT).then_some(sentence)
}

fn template(keyword: &str) -> Option<&'static str> {
    Some(match keyword {
        "exclusiveMinimum" => MORE_THAN,
        "exclusiveMaximum" => LESS_THAN,
        "multipleOf" => MULTIPLE_OF,
        "pattern" => PATTERN,
        "format" => FORMAT,
        "contentEncoding" => ENCODING,
        "contentMediaType" => MEDIA_TYPE,
        "default" => DEFAULT,
        "example" => EXAMPLE,
        "prefixItems" => FIRST_ITEMS,
        "contains" => CONTAINS,
        "not" => NOT,
        "additionalProperties" => OTHER_PROPERTIES,
        "propertyNames" => PROPERTY_NAMES,
        _ => return None,
    })
}

/// The values that remain of `enum` and `const`.
pub(super) fn values(values: &[&Value]) -> Option<String> {
    let template = if values.len() == 1 { EXACTLY } else { ONE_OF };
    list(values.iter().copied()).map(|list| fill(template, &[&list]))
}

/// The sentence for a recursive value, whose schema is cut.
pub(super) fn same_form(name: &str) -> String {
    fill(SAME_FORM, &[name])
}

/// The name of a definition, given its pointer.
pub(super) fn definition(pointer: &str) -> String {
    match pointer.rsplit('/').next() {
        None | Some("") => THE_ROOT.to_owned(),
        Some(name) => format!("`{name}`"),
    }
}

/// Adds sentences to the description of a schema.
pub(super) fn append(schema: &mut Map<String, Value>, sentences: &[String]) {
    if sentences.is_empty() {
        return;
    }
    let own = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let mut text = own.trim_end().to_owned();
    for sentence in sentences {
        if text.contains(sentence) {
            continue;
        }
        if text.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ')' | '"' | '`' | '\'')) {
            text.push('.');
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(sentence);
    }
    schema.insert("description".to_owned(), Value::from(text));
}

/// Whether a description has room for one more sentence.
pub(super) fn has_room(sentences: &[String], sentence: &str) -> bool {
    let length: usize = sentences.iter().map(String::len).sum();
    length + sentence.len() <= ADDED_LIMIT
}

/// The template with a text for each `{}`.
fn fill(template: &str, texts: &[&str]) -> String {
    let mut parts = template.split("{}");
    let mut sentence = parts.next().unwrap_or_default().to_owned();
    for (text, part) in texts.iter().zip(parts) {
        sentence.push_str(text);
        sentence.push_str(part);
    }
    sentence
}

fn flag(value: &Value, sentence: &str) -> Option<String> {
    (value == &Value::Bool(true)).then(|| sentence.to_owned())
}

/// A text as it is, anything else as short JSON.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        other => short_json(other),
    }
}

/// JSON of a value, unless it is too long for a sentence.
fn short_json(value: &Value) -> Option<String> {
    let mut page = BoundedText(Vec::new());
    serde_json::to_writer(&mut page, value).ok()?;
    String::from_utf8(page.0).ok()
}

/// A writer with a size limit, so that a huge value is not formatted.
struct BoundedText(Vec<u8>);

impl io::Write for BoundedText {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > SENTENCE_LIMIT {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The first values as JSON, and the number of the others.
fn list<'v>(values: impl ExactSizeIterator<Item = &'v Value>) -> Option<String> {
    let count = values.len();
    let mut text = String::new();
    let mut shown = 0;
    for json in values.take(LIST_LIMIT).map_while(short_json) {
        if text.len() + json.len() > SENTENCE_LIMIT / 2 {
            break;
        }
        if !text.is_empty() {
            text.push_str(", ");
        }
        text.push_str(&json);
        shown += 1;
    }
    if shown == 0 {
        return None;
    }
    if shown < count {
        text.push_str(&format!(" and {} more", count - shown));
    }
    Some(text)
}

/// The sentence about a count, from the two bounds of one schema.
fn count(facts: &Facts<'_>, at: &str, of: &str, one: &str, many: &str) -> Option<String> {
    let bound = |which: &str| {
        let value = facts.beside(&format!("{which}{of}"), at)?;
        value.as_u64().map(|count| count.to_string())
    };
    let noun = |count: &str| if count == "1" { one } else { many };
    Some(match (&bound("min"), &bound("max")) {
        (Some(least), Some(most)) if least == most => fill(EXACTLY_SO_MANY, &[most, noun(most)]),
        (Some(least), Some(most)) => fill(BETWEEN, &[least, most, noun(most)]),
        (Some(least), None) => fill(AT_LEAST, &[least, noun(least)]),
        (None, Some(most)) => fill(AT_MOST, &[most, noun(most)]),
        (None, None) => return None,
    })
}

fn conditional(test: &Value, then: Option<&Value>, or_else: Option<&Value>) -> Option<String> {
    let test = short_json(test)?;
    Some(match (&then.and_then(short_json), &or_else.and_then(short_json)) {
        (Some(then), Some(other)) => fill(IF_THEN_ELSE, &[&test, then, other]),
        (Some(then), None) => fill(IF_THEN, &[&test, then]),
        (None, Some(other)) => fill(UNLESS, &[&test, other]),
        (None, None) => return None,
    })
}

fn alternatives(branches: &Value, given: &str, matches: &str) -> Option<String> {
    match required_only(branches) {
        Some(names) => {
            let names: Vec<_> = names.iter().map(|names| quoted(names)).collect();
            Some(fill(given, &[&names.join("; ")]))
        }
        None => short_json(branches).map(|json| fill(matches, &[&json])),
    }
}

/// The required names of each branch, if the branches have no other keyword.
pub(super) fn required_only(branches: &Value) -> Option<Vec<Vec<&str>>> {
    branches.as_array()?.iter().map(|branch| names_of(branch.as_object()?)).collect()
}

fn names_of(branch: &Map<String, Value>) -> Option<Vec<&str>> {
    let says_type = branch.get("type").is_some_and(|t| t == "object");
    if branch.len() != 1 + usize::from(says_type) {
        return None;
    }
    let names: Option<Vec<_>> =
        branch.get("required")?.as_array()?.iter().map(Value::as_str).collect();
    names.filter(|names| !names.is_empty())
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and ")
}

fn dependent_required(entries: &Map<String, Value>) -> Option<String> {
    let sentence = |(name, needed): (&String, &Value)| {
        let needed: Vec<_> = needed.as_array()?.iter().filter_map(Value::as_str).collect();
        (!needed.is_empty()).then(|| fill(WHEN_GIVEN, &[name, &quoted(&needed)]))
    };
    let sentences: Vec<_> = entries.iter().filter_map(sentence).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

fn per_entry(entries: &Value, template: &str) -> Option<String> {
    let sentence =
        |(name, schema): (&String, &Value)| Some(fill(template, &[name, &short_json(schema)?]));
    let sentences: Vec<_> = entries.as_object()?.iter().filter_map(sentence).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}
