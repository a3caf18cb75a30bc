//! The bounds of an expression before it is compiled.

/// The most characters of an expression, as the compiler has it.
pub(super) const MAX_CHARACTERS: usize = 4096;

/// The most levels of an expression; each takes a frame of the stack to evaluate.
pub(super) const MAX_LEVELS: usize = 128;
