//! One way in which a value breaks its schema.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

/// How many enum values a message spells out.
const SHOWN_OPTIONS: usize = 12;

/// How many characters of a found value a message shows.
const SHOWN_CHARS: usize = 60;

/// A fault: where it is and what was expected there.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// JSON Pointer to the faulty value.
    pub pointer: String,
    /// JSON Pointer to the keyword it breaks.
    pub schema_pointer: String,
    pub kind: FaultKind,
    /// What was expected and what was found, as a sentence without its place.
    pub message: String,
}

/// The kinds of fault that a caller may want to treat apart.
#[derive(Debug, Clone, PartialEq)]
pub enum FaultKind {
    Missing { property: String },
    Unexpected { properties: Vec<String> },
    WrongType,
    NotAllowed { options: Vec<Value> },
    Other { keyword: String },
}

impl Fault {
    pub(crate) fn of(error: &ValidationError<'_>) -> Self {
        Self {
            pointer: error.instance_path().as_str().to_owned(),
            schema_pointer: error.schema_path().as_str().to_owned(),
            kind: kind(error.kind()),
            message: message(error.kind(), error.instance()),
        }
    }
}

fn kind(kind: &ValidationErrorKind) -> FaultKind {
    use ValidationErrorKind as K;
    match kind {
        K::Required { property } => FaultKind::Missing { property: plain(property) },
        K::AdditionalProperties { unexpected } | K::UnevaluatedProperties { unexpected } => {
            FaultKind::Unexpected { properties: unexpected.clone() }
        }
        K::Type { .. } => FaultKind::WrongType,
        K::Enum { options } => {
            FaultKind::NotAllowed { options: options.as_array().cloned().unwrap_or_default() }
        }
        K::Constant { expected_value } => {
            FaultKind::NotAllowed { options: vec![(**expected_value).clone()] }
        }
        other => FaultKind::Other { keyword: other.keyword().to_owned() },
    }
}

fn message(kind: &ValidationErrorKind, found: &Value) -> String {
    use ValidationErrorKind as K;
    match kind {
        K::Required { property } => format!("`{}` is required", plain(property)),
        K::AdditionalProperties { unexpected } | K::UnevaluatedProperties { unexpected } => {
            format!(
                "unknown {} {}",
                plural(unexpected.len(), "property", "properties"),
                quoted(unexpected)
            )
        }
        K::AdditionalItems { limit } => format!("expected at most {limit} items"),
        K::UnevaluatedItems { .. } => "expected no further items".to_owned(),
        K::Type { kind } => format!("expected {}, found {}", type_names(kind), type_of(found)),
        K::Enum { options } => {
            format!("expected one of {}, found {}", listed(options), shown(found))
        }
        K::Constant { expected_value } => {
            format!("expected {}, found {}", shown(expected_value), shown(found))
        }
        K::Format { format } => {
            format!("expected {}, found {}", format_words(format), shown(found))
        }
        K::Pattern { pattern } => {
            format!("expected text that matches {pattern:?}, found {}", shown(found))
        }
        K::BacktrackLimitExceeded { .. } | K::RegexEngineFailure { .. } => {
            "the pattern took too long to match this text".to_owned()
        }
        K::Minimum { limit } => format!("expected at least {limit}, found {}", shown(found)),
        K::Maximum { limit } => format!("expected at most {limit}, found {}", shown(found)),
        K::ExclusiveMinimum { limit } => {
            format!("expected more than {limit}, found {}", shown(found))
        }
        K::ExclusiveMaximum { limit } => {
            format!("expected less than {limit}, found {}", shown(found))
        }
        K::MultipleOf { multiple_of } => {
            format!("expected a multiple of {multiple_of}, found {}", shown(found))
        }
        K::MinLength { limit } => {
            format!("expected at least {limit} characters, found {}", char_count(found))
        }
        K::MaxLength { limit } => {
            format!("expected at most {limit} characters, found {}", char_count(found))
        }
        K::MinItems { limit } => format!("expected at least {limit} items, found {}", size(found)),
        K::MaxItems { limit } => format!("expected at most {limit} items, found {}", size(found)),
        K::MinProperties { limit } => {
            format!("expected at least {limit} properties, found {}", size(found))
        }
        K::MaxProperties { limit } => {
            format!("expected at most {limit} properties, found {}", size(found))
        }
        K::UniqueItems => "expected items that are all different".to_owned(),
        K::Contains => "expected an item that fits `contains`".to_owned(),
        K::PropertyNames { error } => {
            format!("a property name does not fit: {}", message(error.kind(), error.instance()))
        }
        K::AnyOf { context } | K::OneOfNotValid { context } => {
            format!(
                "expected one of {} forms, found none that fits{}",
                context.len(),
                nearest(context)
            )
        }
        K::OneOfMultipleValid { .. } => {
            "expected exactly one form to fit, found several".to_owned()
        }
        K::Not { .. } => "this form is not allowed here".to_owned(),
        K::FalseSchema => "nothing is allowed here".to_owned(),
        K::ContentEncoding { content_encoding } => format!("expected {content_encoding} text"),
        K::ContentMediaType { content_media_type } => format!("expected {content_media_type} text"),
        K::FromUtf8 { .. } => "expected UTF-8 once decoded".to_owned(),
        K::Referencing(error) => format!("a reference cannot be followed: {error}"),
        K::Custom { message, .. } => message.clone(),
    }
}

/// What is wrong with the form that comes closest, where one clearly does.
fn nearest(context: &[Vec<ValidationError<'static>>]) -> String {
    let wrong_type = |errors: &Vec<ValidationError<'_>>| {
        errors.iter().any(|e| {
            matches!(e.kind(), ValidationErrorKind::Type { .. }) && e.instance_path().is_empty()
        })
    };
    let mut close = context.iter().filter(|errors| !wrong_type(errors));
    match (close.next().and_then(|errors| errors.first()), close.next()) {
        (Some(error), None) => {
            let place = error.instance_path().as_str();
            let at = if place.is_empty() { String::new() } else { format!(" at {place}") };
            format!(" (closest: {}{at})", message(error.kind(), error.instance()))
        }
        _ => String::new(),
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn plural(count: usize, one: &'static str, many: &'static str) -> &'static str {
    if count == 1 { one } else { many }
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn listed(options: &Value) -> String {
    let options = options.as_array().map(Vec::as_slice).unwrap_or_default();
    let mut shown: Vec<_> = options.iter().take(SHOWN_OPTIONS).map(Value::to_string).collect();
    if options.len() > SHOWN_OPTIONS {
        shown.push(format!("… ({} in all)", options.len()));
    }
    shown.join(", ")
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= SHOWN_CHARS {
        return text;
    }
    let start: String = text.chars().take(SHOWN_CHARS).collect();
    format!("{start}…")
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

fn type_name(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Null => "null",
        JsonType::Boolean => "a boolean",
        JsonType::Integer => "an integer",
        JsonType::Number => "a number",
        JsonType::String => "a string",
        JsonType::Array => "an array",
        JsonType::Object => "an object",
    }
}

fn type_names(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(kind) => type_name(*kind).to_owned(),
        TypeKind::Multiple(kinds) => kinds.iter().map(type_name).collect::<Vec<_>>().join(" or "),
    }
}

fn format_words(format: &str) -> String {
    match format {
        "date-time" => "a date-time such as 2026-01-31T09:30:00Z".to_owned(),
        "date" => "a date such as 2026-01-31".to_owned(),
        "time" => "a time such as 09:30:00Z".to_owned(),
        "duration" => "a duration such as PT30M".to_owned(),
        "email" => "an email address".to_owned(),
        "uri" => "a URI such as https://example.com/".to_owned(),
        "uuid" => "a UUID".to_owned(),
        other => format!("text in the format {other:?}"),
    }
}

fn char_count(value: &Value) -> usize {
    value.as_str().map_or(0, |text| text.chars().count())
}

fn size(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.len(),
        Value::Object(map) => map.len(),
        _ => 0,
    }
}
