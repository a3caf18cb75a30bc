//! The types of JSON Schema, and which of them remain when several `type`s apply.

use serde_json::{Number, Value};

/// A type of JSON Schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Type {
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
    /// Last, as it is usually written.
    Null,
}

impl Type {
    const ALL: [Self; 7] = [
        Self::Boolean,
        Self::Integer,
        Self::Number,
        Self::String,
        Self::Array,
        Self::Object,
        Self::Null,
    ];

    /// The type of that name, in any case: tools made for Gemini write `STRING`.
    pub(super) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|t| t.as_str().eq_ignore_ascii_case(name))
    }

    /// The name in JSON Schema.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }

    /// The type whose keywords constrain values of this one.
    pub(super) const fn family(self) -> Self {
        match self {
            Self::Integer => Self::Number,
            other => other,
        }
    }

    /// The narrowest type of a value.
    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Boolean,
            Value::Number(number) if is_integer(number) => Self::Integer,
            Value::Number(_) => Self::Number,
            Value::String(_) => Self::String,
            Value::Array(_) => Self::Array,
            Value::Object(_) => Self::Object,
        }
    }

    /// The type of values that have both types.
    fn meet(self, other: Self) -> Option<Self> {
        match (self, other) {
            (a, b) if a == b => Some(a),
            (Self::Integer, Self::Number) | (Self::Number, Self::Integer) => Some(Self::Integer),
            _ => None,
        }
    }

    /// Whether a value is of this type.
    pub(super) fn admits(self, value: &Value) -> bool {
        Self::of(value).meet(self) == Some(Self::of(value))
    }
}

fn is_integer(number: &Number) -> bool {
    number.as_f64().is_some_and(|n| n.fract() == 0.0)
}

/// The types a `type` keyword names; `None` when it names one that does not exist.
pub(super) fn parse(value: &Value) -> Option<Vec<Type>> {
    let names = match value {
        Value::Array(names) => names.as_slice(),
        name => std::slice::from_ref(name),
    };
    let types: Option<Vec<_>> = names.iter().map(|n| n.as_str().and_then(Type::parse)).collect();
    let mut types = types?;
    types.sort();
    types.dedup();
    if types.contains(&Type::Number) {
        types.retain(|t| *t != Type::Integer);
    }
    (!types.is_empty()).then_some(types)
}

/// The types that a schema names, or an object if it lists properties; none if it leaves them open.
pub(super) fn of_schema(schema: &Value) -> Vec<Type> {
    let named = schema.get("type").and_then(parse);
    let implied = schema.get("properties").map(|_| vec![Type::Object]);
    named.or(implied).unwrap_or_default()
}

/// The types that two sets have in common.
pub(super) fn intersect(a: &[Type], b: &[Type]) -> Vec<Type> {
    let mut both: Vec<_> =
        a.iter().flat_map(|a| b.iter().filter_map(move |b| a.meet(*b))).collect();
    both.sort();
    both.dedup();
    both
}

/// The types as a sentence names them.
pub(super) fn shown(types: &[Type]) -> String {
    types.iter().map(|t| format!("`{}`", t.as_str())).collect::<Vec<_>>().join(" or ")
}

/// A `type` keyword that names these types.
pub(super) fn keyword(types: &[Type]) -> Value {
    match types {
        [one] => Value::from(one.as_str()),
        many => many.iter().map(|t| Value::from(t.as_str())).collect(),
    }
}
