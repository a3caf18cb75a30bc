//! Compares a registry with a previous one: which promises were broken.

use crate::rule::Rule;

/// Every breaking-change rule.
pub const RULES: &[&Rule] = &[];
