//! The expectation of a schema at one place: the part of a fault that does not depend on the value.
//!
//! The messages for every keyword are here, for both engines.

use std::ops::Range;

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

use crate::found::{FoundValue, push_shown};
use crate::pattern::keyword;

/// Maximum number of enum values in a message.
const SHOWN_OPTIONS: usize = 12;

/// The schema's side of a fault.
#[derive(Debug, Clone)]
pub(crate) struct Expected {
    pub(crate) schema_pointer: Box<str>,
    pub(crate) kind: ExpectedKind,
    words: Box<str>,
    found: FoundValue,
}

/// The part of a fault's kind that the schema determines.
#[derive(Debug, Clone)]
pub(crate) enum ExpectedKind {
    Missing(Box<str>),
    Unexpected,
    WrongType,
    NotAllowed(Box<[Value]>),
    Other,
}

impl Expected {
    pub(crate) fn of(kind: &ValidationErrorKind, schema_pointer: &str) -> Self {
        Self {
            schema_pointer: schema_pointer.into(),
            kind: kind_of(kind),
            words: words(kind).into(),
            found: found(kind),
        }
    }

    /// No other members are allowed; their names come from the value.
    pub(crate) fn no_others(schema_pointer: &str) -> Self {
        let (kind, words) = (ExpectedKind::Unexpected, Box::default());
        Self { schema_pointer: schema_pointer.into(), kind, words, found: FoundValue::Unsaid }
    }

    /// A value that could not be checked.
    pub(crate) fn unreadable(why: &str) -> Self {
        Self { kind: ExpectedKind::WrongType, words: why.into(), ..Self::no_others("") }
    }

    /// Appends the message about a value that is not as expected.
    pub(crate) fn push_message(&self, text: &mut String, value: &Value) {
        self.found.push_message(text, &self.words, value);
    }
}

fn kind_of(kind: &ValidationErrorKind) -> ExpectedKind {
    use ValidationErrorKind as K;
    match kind {
        K::Required { property } => ExpectedKind::Missing(plain(property).into()),
        K::AdditionalProperties { .. } | K::UnevaluatedProperties { .. } => {
            ExpectedKind::Unexpected
        }
        K::Type { .. } => ExpectedKind::WrongType,
        K::Enum { options } => {
            ExpectedKind::NotAllowed(options.as_array().cloned().unwrap_or_default().into())
        }
        K::Constant { expected_value } => {
            ExpectedKind::NotAllowed([(**expected_value).clone()].into())
        }
        _ => ExpectedKind::Other,
    }
}

/// The names of unexpected properties in an error.
pub(crate) fn unknown(kind: &ValidationErrorKind) -> Option<&[String]> {
    use ValidationErrorKind as K;
    match kind {
        K::AdditionalProperties { unexpected } | K::UnevaluatedProperties { unexpected } => {
            Some(unexpected)
        }
        _ => None,
    }
}

/// The part of the message about the faulty value.
fn found(kind: &ValidationErrorKind) -> FoundValue {
    use ValidationErrorKind as K;
    match kind {
        K::Type { .. } => FoundValue::Type,
        K::MinLength { .. } | K::MaxLength { .. } => FoundValue::Length,
        K::MinItems { .. }
        | K::MaxItems { .. }
        | K::MinProperties { .. }
        | K::MaxProperties { .. } => FoundValue::Size,
        K::Enum { .. }
        | K::Constant { .. }
        | K::Format { .. }
        | K::Pattern { .. }
        | K::Minimum { .. }
        | K::Maximum { .. }
        | K::ExclusiveMinimum { .. }
        | K::ExclusiveMaximum { .. }
        | K::MultipleOf { .. } => FoundValue::Value,
        _ => FoundValue::Unsaid,
    }
}

/// The part of the message about the expectation, which ends before the part about the value.
fn words(kind: &ValidationErrorKind) -> String {
    use ValidationErrorKind as K;
    match kind {
        K::Required { property } => format!("`{}` is required", plain(property)),
        K::AdditionalProperties { unexpected } | K::UnevaluatedProperties { unexpected } => {
            let mut words = String::new();
            let names = unexpected.iter().map(String::as_str);
            push_unknown(&mut words, unexpected.len(), names, &mut Vec::new());
            words
        }
        K::AdditionalItems { limit } => format!("expected at most {limit} items"),
        K::UnevaluatedItems { .. } => "expected no further items".to_owned(),
        K::Type { kind } => format!("expected {}, found ", type_names(kind)),
        K::Enum { options } => format!("expected one of {}, found ", listed(options)),
        K::Constant { expected_value } => format!("expected {}, found ", shown(expected_value)),
        K::Format { format } => format!("expected {}, found ", format_words(format)),
        K::Pattern { pattern } => keyword::expected(pattern),
        K::BacktrackLimitExceeded { .. } | K::RegexEngineFailure { .. } => {
            keyword::UNFINISHED.to_owned()
        }
        K::Minimum { limit } => format!("expected at least {limit}, found "),
        K::Maximum { limit } => format!("expected at most {limit}, found "),
        K::ExclusiveMinimum { limit } => format!("expected more than {limit}, found "),
        K::ExclusiveMaximum { limit } => format!("expected less than {limit}, found "),
        K::MultipleOf { multiple_of } => format!("expected a multiple of {multiple_of}, found "),
        K::MinLength { limit } => format!("expected at least {limit} characters, found "),
        K::MaxLength { limit } => format!("expected at most {limit} characters, found "),
        K::MinItems { limit } => format!("expected at least {limit} items, found "),
        K::MaxItems { limit } => format!("expected at most {limit} items, found "),
        K::MinProperties { limit } => format!("expected at least {limit} properties, found "),
        K::MaxProperties { limit } => format!("expected at most {limit} properties, found "),
        K::UniqueItems => "expected items that are all different".to_owned(),
        K::Contains => "expected an item that fits `contains`".to_owned(),
        K::PropertyNames { error } => format!("a property name does not fit: {}", message(error)),
        K::AnyOf { context } | K::OneOfNotValid { context } => {
            let count = context.len();
            format!("expected one of {count} forms, found none that fits{}", nearest(context))
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

/// Appends the message about a number of unexpected properties, and records the position of each
/// name.
pub(crate) fn push_unknown<'a>(
    text: &mut String,
    count: usize,
    names: impl Iterator<Item = &'a str>,
    places: &mut Vec<Range<usize>>,
) {
    text.push_str(if count == 1 { "unknown property " } else { "unknown properties " });
    for (position, name) in names.enumerate() {
        text.push_str(if position == 0 { "`" } else { ", `" });
        places.push(text.len()..text.len() + name.len());
        text.push_str(name);
        text.push('`');
    }
}

/// The message of an error, without its place.
pub(crate) fn message(error: &ValidationError<'_>) -> String {
    let mut text = String::new();
    found(error.kind()).push_message(&mut text, &words(error.kind()), error.instance());
    text
}

/// The faults of the closest alternative, if one is clearly closest.
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
            format!(" (closest: {}{at})", message(error))
        }
        _ => String::new(),
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
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
    let mut text = String::new();
    push_shown(&mut text, value);
    text
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
