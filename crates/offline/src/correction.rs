//! Corrections: words after "no wait" and the like take precedence over the words before.

/// Phrases that retract the words before them, the longest first.
const MARKS: &[&[&str]] = &[
    &["on", "second", "thought"],
    &["no", "wait"],
    &["wait", "no"],
    &["no", "sorry"],
    &["sorry", "no"],
    &["no", "actually"],
    &["actually", "no"],
    &["scratch", "that"],
    &["or", "rather"],
    &["i", "mean"],
    &["i", "meant"],
    &["sorry"],
    &["wait"],
    &["correction"],
];

/// The words between the phrases, in order; empty parts are left out.
pub(super) fn parts<T>(words: &[T], text: impl Fn(&T) -> &str) -> Vec<&[T]> {
    let mut parts = Vec::new();
    let (mut from, mut at) = (0, 0);
    while at < words.len() {
        let marks = |mark: &[&str]| {
            let said = words[at..].iter().take(mark.len()).map(&text);
            words.len() - at >= mark.len() && said.eq(mark.iter().copied())
        };
        match MARKS.iter().find(|mark| marks(mark)) {
            Some(mark) => {
                parts.push(&words[from..at]);
                at += mark.len();
                from = at;
            }
            None => at += 1,
        }
    }
    parts.push(&words[from..]);
    parts.retain(|part| !part.is_empty());
    parts
}
