//! The type names of JSON Schema, as a set.

use serde_json::{Map, Value};

/// A set of JSON types. `number` holds `integer`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Types(u8);

impl Types {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const NULL: Self = Self(1);
    pub(crate) const BOOLEAN: Self = Self(1 << 1);
    pub(crate) const INTEGER: Self = Self(1 << 2);
    pub(crate) const NUMBER: Self = Self(1 << 2 | 1 << 3);
    pub(crate) const STRING: Self = Self(1 << 4);
    pub(crate) const ARRAY: Self = Self(1 << 5);
    pub(crate) const OBJECT: Self = Self(1 << 6);
    pub(crate) const ANY: Self = Self(0x7f);

    /// The type of that name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, types)| *types)
    }

    /// The type of a value; a number without fraction is an integer.
    pub(crate) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(number) if number.is_f64() => {
                let whole = number.as_f64().is_some_and(|number| number.fract() == 0.0);
                if whole { Self::INTEGER } else { Self(1 << 3) }
            }
            Value::Number(_) => Self::INTEGER,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    /// The types that a schema's `type` allows; `None` if it is missing or invalid.
    pub(crate) fn declared(schema: &Map<String, Value>) -> Option<Self> {
        match schema.get("type")? {
            Value::String(name) => Self::named(name),
            Value::Array(names) if !names.is_empty() => names
                .iter()
                .map(|name| name.as_str().and_then(Self::named))
                .try_fold(Self::NONE, |all, one| Some(all.union(one?))),
            _ => None,
        }
    }

    pub(crate) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) const fn overlaps(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The names of the set: `integer or null`.
    pub(crate) fn names(self) -> String {
        let held = |types: Self| types.0 & self.0 == types.0;
        let names = NAMES
            .iter()
            .filter(|(name, types)| held(*types) && !(*name == "integer" && held(Self::NUMBER)));
        names.map(|(name, _)| *name).collect::<Vec<_>>().join(" or ")
    }
}

const NAMES: &[(&str, Types)] = &[
    ("string", Types::STRING),
    ("integer", Types::INTEGER),
    ("number", Types::NUMBER),
    ("boolean", Types::BOOLEAN),
    ("array", Types::ARRAY),
    ("object", Types::OBJECT),
    ("null", Types::NULL),
];
