//! Sentences and the best of them.

use super::*;

const TEXT: &str = "Mira Holt is the lighting lead. She runs the review every\nFriday at 11:00. Costs 3.50 euros.\n\nShe works in Hamburg.";

#[test]
fn a_text_is_split_at_its_sentences_and_paragraphs() {
    assert_eq!(split(TEXT).len(), 4);
    assert_eq!(split(TEXT)[1], "She runs the review every Friday at 11:00.");
    assert!(split("").is_empty());
}

#[test]
fn the_sentences_that_answer_come_in_the_order_of_the_text() {
    assert_eq!(
        best("Which day is the review?", TEXT, 1),
        ["She runs the review every Friday at 11:00."]
    );
    assert_eq!(
        best("lead in Hamburg", TEXT, 2),
        ["Mira Holt is the lighting lead.", "She works in Hamburg."]
    );
    assert_eq!(best("nothing of that", TEXT, 1), ["Mira Holt is the lighting lead."]);
}
