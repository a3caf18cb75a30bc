//! The types a value may have, as a set. A number is whole or fractional, so
//! that `integer` is a part of `number`.

use std::fmt;

use serde_json::Value;

/// A set of types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::breaking) struct Types(u8);

impl Types {
    pub(in crate::breaking) const NONE: Self = Self(0);
    pub(in crate::breaking) const NULL: Self = Self(1);
    pub(in crate::breaking) const BOOLEAN: Self = Self(1 << 1);
    pub(in crate::breaking) const INTEGER: Self = Self(1 << 2);
    const FRACTION: Self = Self(1 << 3);
    pub(in crate::breaking) const NUMBER: Self = Self(1 << 2 | 1 << 3);
    pub(in crate::breaking) const STRING: Self = Self(1 << 4);
    pub(in crate::breaking) const ARRAY: Self = Self(1 << 5);
    pub(in crate::breaking) const OBJECT: Self = Self(1 << 6);
    pub(in crate::breaking) const ALL: Self = Self((1 << 7) - 1);

    /// The families a value can belong to; no two share a value.
    const FAMILIES: [Self; 6] =
        [Self::NULL, Self::BOOLEAN, Self::NUMBER, Self::STRING, Self::ARRAY, Self::OBJECT];

    const NAMES: [(Self, &'static str); 7] = [
        (Self::STRING, "string"),
        (Self::NUMBER, "number"),
        (Self::INTEGER, "integer"),
        (Self::BOOLEAN, "boolean"),
        (Self::ARRAY, "array"),
        (Self::OBJECT, "object"),
        (Self::NULL, "null"),
    ];

    /// The types of the keyword `type`; all types if it is invalid.
    pub(in crate::breaking) fn of_keyword(keyword: &Value) -> Self {
        match keyword {
            Value::String(name) => Self::named(name),
            Value::Array(names) => names
                .iter()
                .filter_map(Value::as_str)
                .fold(Self::NONE, |types, name| types.or(Self::named(name))),
            _ => Self::ALL,
        }
    }

    /// The type of one value.
    pub(in crate::breaking) fn of_value(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(number) => match number.as_f64() {
                Some(double) if double.fract() != 0.0 => Self::FRACTION,
                _ => Self::INTEGER,
            },
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    fn named(name: &str) -> Self {
        let known = Self::NAMES.iter().find(|(_, known)| *known == name);
        known.map_or(Self::NONE, |(types, _)| *types)
    }

    pub(in crate::breaking) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(in crate::breaking) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(in crate::breaking) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the two share a type.
    pub(in crate::breaking) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether this is a subset of the others.
    pub(in crate::breaking) const fn within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The set, split so that no part mixes two families.
    pub(in crate::breaking) fn families(self) -> impl Iterator<Item = Self> {
        Self::FAMILIES
            .into_iter()
            .map(move |family| family.and(self))
            .filter(|part| !part.is_empty())
    }
}

impl fmt::Display for Types {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::ALL {
            return f.write_str("any type");
        }
        let mut left = *self;
        let mut names = Vec::new();
        for (types, name) in Self::NAMES {
            if !left.is_empty() && types.within(left) {
                names.push(name);
                left = Self(left.0 & !types.0);
            }
        }
        if left == Self::FRACTION {
            names.push("fraction");
        }
        f.write_str(&if names.is_empty() { "nothing".to_owned() } else { names.join(" or ") })
    }
}
