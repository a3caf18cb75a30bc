//! The bounds of an expression before it is compiled.

/// The maximum length of an expression, the same as in the compiler.
pub(super) const MAX_CHARACTERS: usize = 4096;

/// The maximum depth of an expression; each level takes a stack frame to evaluate.
pub(super) const MAX_LEVELS: usize = 128;
