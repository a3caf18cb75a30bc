//! The fields of a tool, with its declarations left unparsed.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// The key of a tool's declarations.
const DECLARATIONS: &str = "providerSchemas";

#[derive(Debug, Default)]
pub(super) struct Fields<'a> {
    pub(super) declarations: Option<BTreeMap<String, &'a RawValue>>,
    pub(super) others: Map<String, Value>,
}

impl<'de: 'a, 'a> Deserialize<'de> for Fields<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Fields<'de>, A::Error> {
        let mut fields = Fields::default();
        while let Some(key) = members.next_key::<String>()? {
            if key == DECLARATIONS {
                fields.declarations = Some(members.next_value()?);
            } else {
                fields.others.insert(key, members.next_value()?);
            }
        }
        Ok(fields)
    }
}
