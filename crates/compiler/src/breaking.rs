//! Compares a registry with a previous one: which promises were broken.

mod step;

pub use step::{Needed, Step};

use crate::rule::Rule;

/// Every breaking-change rule.
pub const RULES: &[&Rule] = &[];
