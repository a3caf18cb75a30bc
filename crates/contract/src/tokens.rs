//! The estimate of how many tokens a text has. All crates use it, so that the figures of a build, a
//! prompt and a conversation are comparable.

/// Estimated characters per token.
const CHARACTERS: usize = 4;

/// The estimated tokens of a number of characters, rounded up.
pub fn of_characters(characters: usize) -> usize {
    characters.div_ceil(CHARACTERS)
}

/// The estimated tokens of a text.
pub fn of(text: &str) -> usize {
    of_characters(text.chars().count())
}
