//! The rule of one keyword, and the kind of fault that breaking it is.

use std::sync::{Arc, LazyLock};

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{JsonType, JsonTypeSet, ValidationOptions};
use serde_json::{Value, json};

use crate::pattern::Pattern;
use crate::plan::check::{Engine, Rule};
use crate::plan::number::ExactNumber;
use crate::plan::options::Options;
use crate::validator::standard_options;

/// `None` for a keyword, or a value of one, that a plan does not check.
pub(super) fn of(
    keyword: &str,
    value: &Value,
    options: &ValidationOptions<'_>,
) -> Option<(Rule, Kind)> {
    let engine = || engine(keyword, value, options);
    let limit = || value.clone();
    let exact = || value.as_number().and_then(ExactNumber::of);
    Some(match keyword {
        "enum" => {
            let rule = Rule::Options(Options::of(value.as_array()?, engine)?);
            (rule, Kind::Enum { options: Arc::new(value.clone()) })
        }
        "const" => {
            let rule = Rule::Options(Options::of(std::slice::from_ref(value), engine)?);
            (rule, Kind::Constant { expected_value: Arc::new(value.clone()) })
        }
        "minimum" => (Rule::Least(exact()?), Kind::Minimum { limit: limit() }),
        "maximum" => (Rule::Most(exact()?), Kind::Maximum { limit: limit() }),
        "exclusiveMinimum" => (Rule::MoreThan(exact()?), Kind::ExclusiveMinimum { limit: limit() }),
        "exclusiveMaximum" => (Rule::LessThan(exact()?), Kind::ExclusiveMaximum { limit: limit() }),
        "multipleOf" => {
            (Rule::MultipleOf(engine()?), Kind::MultipleOf { multiple_of: value.as_f64()? })
        }
        "uniqueItems" => (Rule::Unique(engine()?), Kind::UniqueItems),
        "format" => (Rule::Format(engine()?), Kind::Format { format: value.as_str()?.to_owned() }),
        "pattern" => {
            let text = value.as_str()?;
            let rule = Rule::Pattern(Box::new(Pattern::compile(text).ok()?));
            (rule, Kind::Pattern { pattern: text.to_owned() })
        }
        other => size(other, value.as_u64()?)?,
    })
}

/// A keyword that bounds a number of characters, items or members.
fn size(keyword: &str, limit: u64) -> Option<(Rule, Kind)> {
    Some(match keyword {
        "minLength" => (Rule::MinLength(limit), Kind::MinLength { limit }),
        "maxLength" => (Rule::MaxLength(limit), Kind::MaxLength { limit }),
        "minItems" => (Rule::MinItems(limit), Kind::MinItems { limit }),
        "maxItems" => (Rule::MaxItems(limit), Kind::MaxItems { limit }),
        "minProperties" => (Rule::MinProperties(limit), Kind::MinProperties { limit }),
        "maxProperties" => (Rule::MaxProperties(limit), Kind::MaxProperties { limit }),
        _ => return None,
    })
}

/// The types that `type` allows.
pub(super) fn types(value: &Value) -> Option<(JsonTypeSet, Kind)> {
    let named = |name: &Value| name.as_str()?.parse::<JsonType>().ok();
    let kinds: Vec<_> = match value {
        Value::Array(names) => names.iter().map(named).collect::<Option<_>>()?,
        name => vec![named(name)?],
    };
    let set = kinds.iter().fold(JsonTypeSet::empty(), |set, kind| set.insert(*kind));
    let kind = match kinds.as_slice() {
        [only] => TypeKind::Single(*only),
        _ => TypeKind::Multiple(set),
    };
    Some((set, Kind::Type { kind }))
}

/// One keyword by itself, as the `jsonschema` crate checks it under the same options.
fn engine(keyword: &str, value: &Value, options: &ValidationOptions<'_>) -> Option<Engine> {
    let common = || common().iter().find(|common| common.0 == keyword && common.1 == *value);
    if std::ptr::eq(options, standard_options())
        && let Some((_, _, engine)) = common()
    {
        return Some(engine.clone());
    }
    options.build(&json!({ keyword: value })).ok().map(Arc::new)
}

/// Engines that most schemas have in common, each built once for all of them.
fn common() -> &'static [(&'static str, Value, Engine)] {
    static COMMON: LazyLock<Vec<(&'static str, Value, Engine)>> = LazyLock::new(|| {
        let formats = ["date-time", "date", "email", "uri"].map(|format| ("format", format.into()));
        let keywords = formats.into_iter().chain([("uniqueItems", true.into())]);
        let build = |(keyword, value): (&'static str, Value)| {
            let engine = standard_options().build(&json!({ keyword: value })).ok()?;
            Some((keyword, value, Arc::new(engine)))
        };
        keywords.filter_map(build).collect()
    });
    &COMMON
}
