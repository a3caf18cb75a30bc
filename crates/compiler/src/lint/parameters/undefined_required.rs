//! A required property that the same schema forbids.

use std::cell::LazyCell;

use aileron_schema::Validator;
use serde_json::{Map, Value, json};

use crate::diagnostic::Diagnostic;
use crate::parameters::site::Site;
use crate::rule::rule;
use crate::suggest;

rule! {
    /// `required` names a property that the object does not allow.
    ///
    /// ## Why
    /// With `additionalProperties: false`, only properties that `properties` and
    /// `patternProperties` name are allowed. The required property must be given and is forbidden,
    /// so no call succeeds. Most often the name is misspelt, or the property was renamed in one
    /// place only.
    ///
    /// ## Example
    /// ```json
    /// {
    ///   "type": "object",
    ///   "additionalProperties": false,
    ///   "properties": { "query": { "type": "string" } },
    ///   "required": ["qeury"]
    /// }
    /// ```
    ///
    /// ## Fix
    /// Correct the name in `required`, or define the property under `properties`.
    UNDEFINED_REQUIRED, "AIL-A011", "undefined-required", Error
}

/// Maximum number of candidates for a suggestion.
const MAX_CANDIDATES: usize = 200;

pub(crate) fn check(site: &Site<'_>, found: &mut Vec<Diagnostic>) {
    if site.get("additionalProperties") != Some(&Value::Bool(false)) {
        return;
    }
    let Some(required) = site.get("required").and_then(Value::as_array) else { return };
    let known = site.object("properties");
    let patterns = LazyCell::new(|| patterns(site));
    for (index, name) in required.iter().enumerate() {
        let Some(name) = name.as_str() else { continue };
        if known.is_some_and(|known| known.contains_key(name)) || patterns.allow(name) {
            continue;
        }
        let message =
            format!("`required` of {} names `{name}`, which it does not define", site.subject());
        let fault = site.at_entry(&UNDEFINED_REQUIRED, "required", &index.to_string(), message);
        found.push(fault.help(help(name, known)));
    }
}

fn help(name: &str, known: Option<&Map<String, Value>>) -> String {
    let known = known.into_iter().flat_map(Map::keys).map(String::as_str).take(MAX_CANDIDATES);
    match suggest::closest(name, known) {
        Some(best) => format!("did you mean `{best}`?"),
        None => format!("define `{name}` under `properties`, or remove it from `required`"),
    }
}

/// The names that `patternProperties` match.
enum Patterns {
    None,
    Compiled(Validator),
    /// Invalid, which is reported elsewhere; any name may match.
    Broken,
}

impl Patterns {
    fn allow(&self, name: &str) -> bool {
        match self {
            Self::None => false,
            Self::Compiled(names) => names.accepts(&json!({ name: null })),
            Self::Broken => true,
        }
    }
}

fn patterns(site: &Site<'_>) -> Patterns {
    let Some(patterns) = site.object("patternProperties").filter(|map| !map.is_empty()) else {
        return Patterns::None;
    };
    let open: Map<_, _> = patterns.keys().map(|key| (key.clone(), Value::Bool(true))).collect();
    let schema = json!({ "patternProperties": open, "additionalProperties": false });
    Validator::compile(&schema).map_or(Patterns::Broken, Patterns::Compiled)
}
