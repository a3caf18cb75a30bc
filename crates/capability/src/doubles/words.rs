//! Texts as words: runs of letters and digits, in lower case.

/// The words of a text with the place where each begins.
pub(super) fn placed(text: &str) -> impl Iterator<Item = (usize, String)> + '_ {
    let runs = text.split(|letter: char| !letter.is_alphanumeric());
    let place = |run: &str| run.as_ptr().addr() - text.as_ptr().addr();
    runs.filter(|run| !run.is_empty()).map(move |run| (place(run), run.to_lowercase()))
}

/// The words of a text.
pub(super) fn of(text: &str) -> impl Iterator<Item = String> + '_ {
    placed(text).map(|(_, word)| word)
}
