//! Whether two schemas are equivalent, with references followed and annotations ignored. Equivalent
//! schemas with different spellings may count as different.

use std::collections::HashSet;

use aileron_contract::canonical;
use serde_json::{Map, Value};

use super::root::{Root, says};

/// Nested deeper than this, two schemas count as different.
const DEEPEST: usize = 100;

/// How the value of a keyword is compared.
enum CompareMode {
    Schema,
    /// Names to schemas.
    Map,
    /// A list in no order.
    Set,
    Reference,
    Plain,
}

fn reading(keyword: &str) -> CompareMode {
    match keyword {
        "properties" | "patternProperties" | "dependentSchemas" => CompareMode::Map,
        "enum" | "required" | "type" => CompareMode::Set,
        "$ref" => CompareMode::Reference,
        "const" | "dependentRequired" => CompareMode::Plain,
        _ => CompareMode::Schema,
    }
}

/// Whether a keyword means the same in two documents.
pub(in crate::breaking) fn keyword(
    name: &str,
    (a_root, a): (Root<'_>, Option<&Value>),
    (b_root, b): (Root<'_>, Option<&Value>),
) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => {
            SameSchemas { a_root, b_root, seen: HashSet::new(), depth: 0 }.keyword(name, a, b)
        }
        (None, None) => true,
        _ => false,
    }
}

/// Whether two schemas mean the same in two documents.
pub(in crate::breaking) fn schema(
    (a_root, a): (Root<'_>, &Value),
    (b_root, b): (Root<'_>, &Value),
) -> bool {
    SameSchemas { a_root, b_root, seen: HashSet::new(), depth: 0 }.schema(a, b)
}

struct SameSchemas<'a, 'b> {
    a_root: Root<'a>,
    b_root: Root<'b>,
    seen: HashSet<(*const Value, *const Value)>,
    depth: usize,
}

impl<'a, 'b> SameSchemas<'a, 'b> {
    fn keyword(&mut self, name: &str, a: &'a Value, b: &'b Value) -> bool {
        match (reading(name), a, b) {
            (CompareMode::Reference, Value::String(a), Value::String(b)) => self.targets(a, b),
            (CompareMode::Schema, a, b) => self.schema(a, b),
            (CompareMode::Map, Value::Object(a), Value::Object(b)) => {
                a.len() == b.len()
                    && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| self.schema(a, b)))
            }
            (CompareMode::Set, Value::Array(a), Value::Array(b)) => texts(a) == texts(b),
            (_, a, b) => canonical::to_string(a) == canonical::to_string(b),
        }
    }

    fn targets(&mut self, a: &'a str, b: &'b str) -> bool {
        match (self.a_root.resolve(a), self.b_root.resolve(b)) {
            (Some(a), Some(b)) => self.schema(a.schema, b.schema),
            (None, None) => a == b,
            _ => false,
        }
    }

    fn schema(&mut self, a: &'a Value, b: &'b Value) -> bool {
        let (a, b) = (self.a_root.follow(a), self.b_root.follow(b));
        if self.depth >= DEEPEST {
            return false;
        }
        if !self.seen.insert((a, b)) {
            return true;
        }
        self.depth += 1;
        let same = match (a, b) {
            (Value::Object(a), Value::Object(b)) => self.keywords(a, b),
            (Value::Array(a), Value::Array(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.schema(a, b))
            }
            (a, b) => canonical::to_string(a) == canonical::to_string(b),
        };
        self.depth -= 1;
        same
    }

    fn keywords(&mut self, a: &'a Map<String, Value>, b: &'b Map<String, Value>) -> bool {
        let count = |map: &Map<String, Value>| map.keys().filter(|key| says(key)).count();
        count(a) == count(b)
            && a.iter()
                .filter(|(key, _)| says(key))
                .all(|(key, a)| b.get(key).is_some_and(|b| self.keyword(key, a, b)))
    }
}

fn texts(items: &[Value]) -> HashSet<String> {
    items.iter().map(canonical::to_string).collect()
}
