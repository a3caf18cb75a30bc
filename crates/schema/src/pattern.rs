//! One `pattern` on its own, held to the limits of a whole schema.

use serde_json::json;

use crate::Validator;

/// Whether the validator can use this pattern: it is a regular expression, and small enough.
pub fn compiles(pattern: &str) -> bool {
    Validator::compile(&json!({ "pattern": pattern })).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_held_to_syntax_and_size() {
        assert!(compiles("^(?!x)[a-z]+$"));
        assert!(!compiles("("));
        assert!(!compiles("(a{1000}){1000}"));
    }
}
