//! Handlers: `AIL-H`.

use crate::rule::Rule;

pub(crate) const RULES: &[&Rule] = &[];
