//! The check of a single keyword.

use std::cmp::Ordering;
use std::sync::Arc;

use jsonschema::{JsonType, JsonTypeSet, ValidationError};
use serde_json::{Number, Value};

use super::number::ExactNumber;
use super::options::Options;
use crate::faults::Listing;
use crate::pattern::{Pattern, keyword};
use crate::place::ValuePath;

/// One keyword checked by the `jsonschema` crate, because an own check would differ.
pub(super) type Engine = Arc<jsonschema::Validator>;

/// A rule and the expectation in its message.
#[derive(Debug)]
pub(super) struct Check {
    pub(super) rule: Rule,
    /// Index into the plan's expectations.
    pub(super) expected: usize,
}

/// The allowed types of a value, and the expectation in the message about others.
#[derive(Debug)]
pub(super) struct Types {
    pub(super) allowed: JsonTypeSet,
    pub(super) expected: usize,
}

/// The demand of a keyword. A rule for one type accepts values of all others.
#[derive(Debug)]
pub(super) enum Rule {
    Never,
    Options(Options),
    Least(ExactNumber),
    Most(ExactNumber),
    MoreThan(ExactNumber),
    LessThan(ExactNumber),
    MinLength(u64),
    MaxLength(u64),
    MinItems(u64),
    MaxItems(u64),
    MinProperties(u64),
    MaxProperties(u64),
    NoMembers,
    Unique(Engine),
    MultipleOf(Engine),
    Format(Engine),
    Pattern(Box<Pattern>),
}

impl Check {
    /// Writes the fault of a value that breaks the rule.
    pub(super) fn report(&self, place: &ValuePath<'_>, value: &Value, faults: &mut Listing<'_>) {
        // A text that does not match and a match that exceeds the step limit are different faults.
        if let (Rule::Pattern(pattern), Value::String(text)) = (&self.rule, value)
            && pattern.matches(text).is_err()
        {
            let error = ValidationError::custom(keyword::UNFINISHED);
            return faults.add_instead(place, self.expected, &error);
        }
        faults.add(place, self.expected, value);
    }

    #[inline]
    pub(super) fn holds(&self, value: &Value) -> bool {
        match (&self.rule, value) {
            (Rule::Never, _) => false,
            (Rule::Options(options), _) => options.contain(value),
            (rule, Value::String(text)) => rule.holds_for_text(text, value),
            (rule, Value::Number(number)) => rule.holds_for_number(number, value),
            (rule, Value::Array(items)) => rule.holds_for_items(items, value),
            (Rule::NoMembers, Value::Object(members)) => members.is_empty(),
            (Rule::MinProperties(least), Value::Object(members)) => count(members.len()) >= *least,
            (Rule::MaxProperties(most), Value::Object(members)) => count(members.len()) <= *most,
            _ => true,
        }
    }
}

impl Rule {
    #[inline]
    fn holds_for_text(&self, text: &str, value: &Value) -> bool {
        match self {
            // A character has one to four bytes, so the byte length often decides.
            Self::MinLength(least) => count(text.len() / 4) >= *least || length(text) >= *least,
            Self::MaxLength(most) => count(text.len()) <= *most || length(text) <= *most,
            Self::Pattern(pattern) => pattern.matches(text) == Ok(true),
            Self::Format(engine) => engine.is_valid(value),
            _ => true,
        }
    }

    #[inline]
    fn holds_for_number(&self, number: &Number, value: &Value) -> bool {
        let compare =
            |limit: ExactNumber| ExactNumber::of(number).map(|number| number.compare(limit));
        match self {
            Self::Least(limit) => compare(*limit).is_none_or(Ordering::is_ge),
            Self::Most(limit) => compare(*limit).is_none_or(Ordering::is_le),
            Self::MoreThan(limit) => compare(*limit).is_none_or(Ordering::is_gt),
            Self::LessThan(limit) => compare(*limit).is_none_or(Ordering::is_lt),
            Self::MultipleOf(engine) => engine.is_valid(value),
            _ => true,
        }
    }

    #[inline]
    fn holds_for_items(&self, items: &[Value], value: &Value) -> bool {
        match self {
            Self::MinItems(least) => count(items.len()) >= *least,
            Self::MaxItems(most) => count(items.len()) <= *most,
            Self::Unique(engine) => items.len() < 2 || engine.is_valid(value),
            _ => true,
        }
    }
}

impl Types {
    #[inline]
    pub(super) fn allow(&self, value: &Value) -> bool {
        let contain = |kind: JsonType| self.allowed.contains(kind);
        match value {
            Value::Null => contain(JsonType::Null),
            Value::Bool(_) => contain(JsonType::Boolean),
            Value::String(_) => contain(JsonType::String),
            Value::Array(_) => contain(JsonType::Array),
            Value::Object(_) => contain(JsonType::Object),
            Value::Number(number) => {
                let is_whole = || ExactNumber::of(number).is_some_and(ExactNumber::is_whole);
                contain(JsonType::Number) || contain(JsonType::Integer) && is_whole()
            }
        }
    }
}

fn count(size: usize) -> u64 {
    u64::try_from(size).unwrap_or(u64::MAX)
}

/// The length of a text is counted in characters.
fn length(text: &str) -> u64 {
    count(text.chars().count())
}
