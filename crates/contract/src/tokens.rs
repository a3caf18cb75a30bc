//! The one estimate of what a text costs a model. It is the same everywhere, so that figures of a build,
//! of a prompt and of a conversation can be compared.

/// How many characters are taken for a token.
const CHARACTERS: usize = 4;

/// About how many tokens so many characters are, rounded up.
pub fn of_characters(characters: usize) -> usize {
    characters.div_ceil(CHARACTERS)
}

/// About how many tokens a text is.
pub fn of(text: &str) -> usize {
    of_characters(text.chars().count())
}
