//! Faults of any JSON file: `AIL-J`.

pub(crate) mod duplicate_key;
pub(crate) mod nested_too_deep;
pub(crate) mod syntax;

use crate::rule::Rule;

pub(crate) const RULES: &[&Rule] =
    &[&syntax::JSON_SYNTAX, &duplicate_key::DUPLICATE_KEY, &nested_too_deep::NESTED_TOO_DEEP];
