//! Converts JSON to CEL values and measures it.

use std::collections::{BTreeSet, HashMap};

use cel::Value as Cel;
use cel::objects::Key;
use serde_json::{Map, Number, Value};

use super::ExpressionError;

/// The maximum size of a condition's variables: bytes of text, and a fixed amount for every value.
const MAX_WEIGHT: usize = 256 * 1024;

/// The size of a value besides its text.
const VALUE_WEIGHT: usize = 32;

/// The maximum nesting of a value; the same as for parsed JSON.
const MAX_LEVELS: usize = 128;

/// The size of the variables converted so far.
#[derive(Debug, Default)]
pub(super) struct Measure {
    pub(super) weight: usize,
    /// The length of the longest array or object.
    pub(super) longest: usize,
}

impl Measure {
    /// Converts a value and counts all of its parts.
    pub(super) fn convert(&mut self, value: &Value) -> Result<Cel, ExpressionError> {
        self.at(value, MAX_LEVELS)
    }

    /// Converts only the named properties of an object, so that the others do not count.
    pub(super) fn convert_named(
        &mut self,
        map: &Map<String, Value>,
        names: &BTreeSet<String>,
    ) -> Result<Cel, ExpressionError> {
        let present = names.iter().filter_map(|name| map.get_key_value(name));
        self.object(present, MAX_LEVELS)
    }

    fn at(&mut self, value: &Value, levels: usize) -> Result<Cel, ExpressionError> {
        let levels = levels.checked_sub(1).ok_or(ExpressionError::TooLarge)?;
        match value {
            Value::Null => self.add(0).map(|()| Cel::Null),
            Value::Bool(value) => self.add(0).map(|()| Cel::Bool(*value)),
            Value::Number(number) => self.add(0).map(|()| numeric(number)),
            Value::String(text) => self.add(text.len()).map(|()| Cel::from(text.as_str())),
            Value::Array(items) => {
                self.add(0)?;
                self.longest = self.longest.max(items.len());
                let items: Result<Vec<_>, _> =
                    items.iter().map(|item| self.at(item, levels)).collect();
                Ok(Cel::List(items?.into()))
            }
            Value::Object(map) => self.object(map.iter(), levels),
        }
    }

    fn object<'a>(
        &mut self,
        entries: impl Iterator<Item = (&'a String, &'a Value)>,
        levels: usize,
    ) -> Result<Cel, ExpressionError> {
        self.add(0)?;
        let mut map = HashMap::new();
        for (name, value) in entries {
            self.add(name.len())?;
            map.insert(Key::from(name.as_str()), self.at(value, levels)?);
        }
        self.longest = self.longest.max(map.len());
        Ok(Cel::from(map))
    }

    fn add(&mut self, text: usize) -> Result<(), ExpressionError> {
        self.weight = self.weight.saturating_add(text).saturating_add(VALUE_WEIGHT);
        if self.weight > MAX_WEIGHT { Err(ExpressionError::TooLarge) } else { Ok(()) }
    }
}

/// Whole numbers are `int`, so that `args.count + 1` is one too; larger ones are `uint`.
fn numeric(number: &Number) -> Cel {
    match (number.as_i64(), number.as_u64()) {
        (Some(value), _) => Cel::Int(value),
        (None, Some(value)) => Cel::UInt(value),
        (None, None) => Cel::Float(number.as_f64().unwrap_or(f64::NAN)),
    }
}
