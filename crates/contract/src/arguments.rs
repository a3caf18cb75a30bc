//! The arguments of a call as a model sent them: read strictly, or the reason why they cannot be
//! read. Other modules check them against the tool's schema.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::map::Entry;
use serde_json::{Map, Number, Value};

/// Maximum bytes of argument text, and roughly of argument values. Larger arguments are refused
/// unread.
pub const MAX_BYTES: usize = 1 << 20;

/// Maximum nesting depth of values. A recursive walk of deeper ones could overflow the stack.
pub const MAX_DEPTH: usize = 64;

/// The arguments that a model sent.
#[derive(Debug, Clone, PartialEq, Hash)]
pub enum Arguments {
    Value(Value),
    /// Not JSON, JSON with a repeated key, or too large; the text is the reason.
    Unreadable(String),
}

impl Arguments {
    /// Reads JSON text. A repeated key is refused, because either of its values could be meant.
    pub fn parse(text: &str) -> Self {
        if text.len() > MAX_BYTES {
            return Self::Unreadable(too_large(text.len()));
        }
        let mut reader = serde_json::Deserializer::from_str(text);
        let value = Strict { depth: 0 }.deserialize(&mut reader);
        match value.and_then(|value| reader.end().map(|()| value)) {
            Ok(value) => Self::Value(value),
            Err(error) => Self::Unreadable(format!("expected arguments in JSON, found {error}")),
        }
    }

    /// The arguments as an object that is small and shallow enough to work with, or the value that
    /// was sent and the reason why it is refused.
    pub fn object(self) -> Result<Value, (Value, String)> {
        match self.bounded() {
            Ok(value) if value.is_object() => Ok(value),
            Ok(value) => {
                let why = format!("expected the arguments to be an object, found {}", kind(&value));
                Err((value, why))
            }
            Err(why) => Err((Value::Null, why)),
        }
    }

    /// The arguments as they are; null if they cannot be read or are too large.
    pub fn into_value(self) -> Value {
        self.bounded().unwrap_or_default()
    }

    fn bounded(self) -> Result<Value, String> {
        let value = match self {
            Self::Value(value) => value,
            Self::Unreadable(why) => return Err(why),
        };
        match check_size(&value) {
            Ok(()) => Ok(value),
            Err(why) => {
                take_apart(value);
                Err(why)
            }
        }
    }
}

impl Default for Arguments {
    fn default() -> Self {
        Self::Value(Value::Object(Map::new()))
    }
}

impl From<Value> for Arguments {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

impl Serialize for Arguments {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Value(value) => value.serialize(serializer),
            Self::Unreadable(why) => serializer.serialize_str(why),
        }
    }
}

impl<'de> Deserialize<'de> for Arguments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Strict { depth: 0 }.deserialize(deserializer).map(Self::Value)
    }
}

fn too_large(bytes: usize) -> String {
    format!("expected at most {MAX_BYTES} bytes of arguments, found {bytes}")
}

fn too_deep() -> String {
    format!("expected arguments nested at most {MAX_DEPTH} deep, found deeper ones")
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

fn check_size(root: &Value) -> Result<(), String> {
    let bytes = weigh(root, MAX_DEPTH).ok_or_else(too_deep)?;
    if bytes > MAX_BYTES { Err(too_large(bytes)) } else { Ok(()) }
}

/// The size of a value in bytes, roughly; none if it is too deep. The recursion stops at the depth
/// limit, so no value can overflow the stack.
fn weigh(value: &Value, levels: usize) -> Option<usize> {
    let below = || levels.checked_sub(1);
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => Some(1),
        Value::String(text) => Some(text.len()),
        Value::Array(items) => {
            let below = below()?;
            let mut bytes = items.len();
            for item in items {
                bytes += weigh(item, below)?;
            }
            Some(bytes)
        }
        Value::Object(members) => {
            let below = below()?;
            let mut bytes = 0;
            for (key, member) in members {
                bytes += key.len() + 1 + weigh(member, below)?;
            }
            Some(bytes)
        }
    }
}

/// Drops a value without recursion, because the default drop of a deep value overflows the stack.
fn take_apart(value: Value) {
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        match value {
            Value::Array(items) => left.extend(items),
            Value::Object(members) => left.extend(members.into_iter().map(|(_, value)| value)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

/// Builds a value; refuses repeated keys and deep nesting.
#[derive(Clone, Copy)]
struct Strict {
    depth: usize,
}

impl Strict {
    fn deeper<E: serde::de::Error>(self) -> Result<Self, E> {
        let depth = self.depth + 1;
        if depth > MAX_DEPTH {
            return Err(E::custom(too_deep()));
        }
        Ok(Self { depth })
    }
}

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        let finite = Number::from_f64(value).map(Value::Number);
        finite.ok_or_else(|| E::custom("a number beyond all bounds"))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let below = self.deeper()?;
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(below)? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let below = self.deeper()?;
        let mut object = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            match object.entry(key) {
                Entry::Vacant(place) => drop(place.insert(members.next_value_seed(below)?)),
                Entry::Occupied(place) => {
                    let twice = format!("the key {:?} twice", place.key());
                    return Err(serde::de::Error::custom(twice));
                }
            }
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
#[path = "arguments_tests.rs"]
mod tests;
