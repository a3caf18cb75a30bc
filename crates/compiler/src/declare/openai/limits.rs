//! The size limits of OpenAI's strict form, counted over the declared schema.
//!
//! References are counted once, where they are defined.

use serde_json::Value;

use super::super::keyword::{self, SubschemaKind};
use super::super::loss::Losses;

const MOST_PROPERTIES: usize = 5000;
const MOST_LEVELS: usize = 10;
const MOST_ENUM_VALUES: usize = 1000;
/// Maximum characters of the names of properties and definitions and of `enum` and `const`.
const MOST_CHARACTERS: usize = 120_000;
/// Number of values from which on an `enum` also has a limit on its characters.
const LONG_ENUM: usize = 250;
const MOST_ENUM_CHARACTERS: usize = 15_000;

/// Reports every limit that a declared schema exceeds.
pub(super) fn check(schema: &Value, losses: &mut Losses) {
    let mut count = SchemaSize::default();
    count.schema(schema, 0);
    let mut report = |found: usize, most: usize, of: &str| {
        if found > most {
            losses.too_large(&format!("has {found} {of}, expected at most {most}"));
        }
    };
    report(count.properties, MOST_PROPERTIES, "properties");
    report(count.levels, MOST_LEVELS, "levels of objects inside of each other");
    report(count.enum_values, MOST_ENUM_VALUES, "values of `enum`");
    report(count.characters, MOST_CHARACTERS, "characters in names, `enum` and `const`");
    let long = format!("characters in one `enum` of more than {LONG_ENUM} values");
    report(count.longest_enum, MOST_ENUM_CHARACTERS, &long);
}

#[derive(Debug, Default)]
struct SchemaSize {
    properties: usize,
    levels: usize,
    enum_values: usize,
    characters: usize,
    /// The characters of the longest `enum` among those with many values.
    longest_enum: usize,
}

impl SchemaSize {
    /// Counts a schema at this nesting depth of objects.
    fn schema(&mut self, schema: &Value, above: usize) {
        let Value::Object(keywords) = schema else { return };
        let level = above + usize::from(keywords.contains_key("properties"));
        self.levels = self.levels.max(level);
        for (keyword, value) in keywords {
            match (keyword.as_str(), value) {
                ("enum", Value::Array(values)) => self.values(values),
                ("const", Value::String(text)) => self.characters += length(text),
                ("$defs", Value::Object(definitions)) => {
                    for (name, schema) in definitions {
                        self.characters += length(name);
                        self.schema(schema, 0);
                    }
                }
                ("properties", Value::Object(properties)) => {
                    self.properties += properties.len();
                    for (name, schema) in properties {
                        self.characters += length(name);
                        self.schema(schema, level);
                    }
                }
                _ => self.below(keyword, value, level),
            }
        }
    }

    fn below(&mut self, keyword: &str, value: &Value, level: usize) {
        match (keyword::shape(keyword), value) {
            (SubschemaKind::Schema, schema) => self.schema(schema, level),
            (SubschemaKind::List, Value::Array(schemas)) => {
                schemas.iter().for_each(|schema| self.schema(schema, level));
            }
            _ => {}
        }
    }

    fn values(&mut self, values: &[Value]) {
        let characters = values.iter().filter_map(Value::as_str).map(length).sum();
        self.enum_values += values.len();
        self.characters += characters;
        if values.len() > LONG_ENUM {
            self.longest_enum = self.longest_enum.max(characters);
        }
    }
}

fn length(text: &str) -> usize {
    text.chars().count()
}
