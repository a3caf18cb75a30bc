//! The walk for targets that accept a schema as written.
//!
//! They show the model every keyword, known or not; only the root, the names of properties and a
//! few keywords are restricted.

use serde_json::{Map, Value};

use super::dialect::NameRule;
use super::keyword::{self, SubschemaKind};
use super::loss::{Loss, LossDescription, Losses};
use super::lower::{NOT_AT_ROOT, check_root};
use crate::document::join;

/// The restrictions of a target that accepts nearly all keywords.
#[derive(Debug)]
pub(super) struct Exceptions {
    /// The target's name in messages.
    pub(super) title: &'static str,
    pub(super) dropped: &'static [&'static str],
    pub(super) refused_at_root: &'static [&'static str],
    pub(super) names: Option<&'static NameRule>,
}

/// Copies the schema of a tool's arguments, except for the restrictions.
pub(super) fn pass(exceptions: &Exceptions, parameters: &Value) -> (Value, Vec<Loss>) {
    let mut losses = Losses::new(exceptions.title);
    check_root(parameters, &mut losses);
    for keyword in exceptions.refused_at_root {
        if parameters.get(keyword).is_some() {
            losses.refused("", keyword, NOT_AT_ROOT);
        }
    }
    let value = Pass { exceptions, losses: &mut losses }.schema(parameters, "");
    (value, losses.finish())
}

struct Pass<'a> {
    exceptions: &'a Exceptions,
    losses: &'a mut Losses,
}

impl Pass<'_> {
    fn schema(&mut self, schema: &Value, at: &str) -> Value {
        let Value::Object(schema) = schema else { return schema.clone() };
        let mut copy = Map::new();
        for (keyword, value) in schema {
            if self.exceptions.dropped.contains(&keyword.as_str()) {
                self.losses.dropped(at, keyword, LossDescription::No);
            } else {
                copy.insert(keyword.clone(), self.value(keyword, value, at));
            }
        }
        Value::Object(copy)
    }

    fn value(&mut self, keyword: &str, value: &Value, at: &str) -> Value {
        match (keyword::shape(keyword), value) {
            (SubschemaKind::Schema, Value::Object(_)) => self.schema(value, &join(at, keyword)),
            (SubschemaKind::List, Value::Array(list)) => {
                let place = join(at, keyword);
                let schemas = list.iter().enumerate();
                schemas.map(|(i, schema)| self.schema(schema, &format!("{place}/{i}"))).collect()
            }
            (SubschemaKind::Map, Value::Object(map)) => {
                let place = join(at, keyword);
                if keyword == "properties" {
                    self.check_names(map, &place);
                }
                let entry = |(name, schema): (&String, &Value)| {
                    (name.clone(), self.schema(schema, &join(&place, name)))
                };
                Value::Object(map.iter().map(entry).collect())
            }
            _ => value.clone(),
        }
    }

    fn check_names(&mut self, properties: &Map<String, Value>, place: &str) {
        let Some(names) = self.exceptions.names else { return };
        for name in properties.keys().filter(|name| !(names.allows)(name)) {
            self.losses.bad_name(place, name, names.expected);
        }
    }
}
