//! JSON nested beyond what a parser should follow.

use crate::rule::rule;

rule! {
    /// The JSON is nested deeper than 127 levels.
    ///
    /// ## Why
    /// Deep nesting exhausts the stack of recursive parsers, here and at the providers.
    /// No model fills in a structure of that depth.
    ///
    /// ## Example
    /// ```json
    /// [[[[[[[[[[ "and 120 more levels" ]]]]]]]]]]
    /// ```
    ///
    /// ## Fix
    /// Flatten the structure, or describe repetition with `$defs` and `$ref`.
    NESTED_TOO_DEEP, "AIL-J003", "nested-too-deep", Error
}
