//! The JSON Schema of the arguments: `AIL-A`.

use crate::rule::Rule;

pub(crate) const RULES: &[&Rule] = &[];
