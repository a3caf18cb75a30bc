//! The values that `enum` or `const` allows.

use serde_json::Value;

use super::check::Engine;
use crate::keys::Keys;

/// A set of values, by kind: texts, null and booleans are looked up here, the engine compares all
/// others, because it defines their equality.
#[derive(Debug)]
pub(super) struct Options {
    texts: Keys,
    null: bool,
    yes: bool,
    no: bool,
    rest: Option<Engine>,
}

impl Options {
    /// `engine` builds an engine for the same values; it is called only if needed.
    pub(super) fn of(values: &[Value], engine: impl FnOnce() -> Option<Engine>) -> Option<Self> {
        let texts = Keys::of(values.iter().filter_map(Value::as_str));
        let is_rest = |value: &Value| value.is_number() || value.is_array() || value.is_object();
        let rest = if values.iter().any(is_rest) { Some(engine()?) } else { None };
        let has = |wanted: Value| values.contains(&wanted);
        let (null, yes, no) = (has(Value::Null), has(true.into()), has(false.into()));
        Some(Self { texts, null, yes, no, rest })
    }

    pub(super) fn contain(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => self.texts.find(text).is_some(),
            Value::Null => self.null,
            Value::Bool(true) => self.yes,
            Value::Bool(false) => self.no,
            _ => self.rest.as_ref().is_some_and(|engine| engine.is_valid(value)),
        }
    }
}
