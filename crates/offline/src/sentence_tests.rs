//! Sentences and what they stand under.

use super::*;

const TEXT: &str = "Mira Holt is the lighting lead. She runs the review every\nFriday at 11:00. Costs 3.50 euros.\n\n## Place\n\nShe works in Hamburg. Two at once? The first one wins.\n\n- `day`: from eight\n- `night`: from twenty";

fn check(text: &str, extent: TextExtent, expected: &[(&str, &str)]) {
    let found = split(text, extent);
    let found: Vec<_> =
        found.iter().map(|sentence| (sentence.under.as_str(), sentence.text.as_str())).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn a_text_is_split_at_its_sentences_paragraphs_and_items() {
    check(
        TEXT,
        TextExtent::Whole,
        &[
            ("", "Mira Holt is the lighting lead."),
            ("", "She runs the review every Friday at 11:00."),
            ("", "Costs 3.50 euros."),
            ("Place", "She works in Hamburg."),
            ("Two at once?", "The first one wins."),
            ("Place", "`day`: from eight"),
            ("Place", "`night`: from twenty"),
        ],
    );
    check("", TextExtent::Whole, &[]);
}

#[test]
fn what_is_not_there_in_full_is_no_sentence() {
    check(
        "…and the end of one. A whole one here. The begi…",
        TextExtent::Whole,
        &[("", "A whole one here.")],
    );
    check("A whole one here. Then the begi", TextExtent::Beginning, &[("", "A whole one here.")]);
    check("Is that a question?", TextExtent::Whole, &[]);
}

#[test]
fn words_are_counted_whatever_their_form() {
    let wanted = super::super::word::stems("How do I request time off?");
    assert_eq!(overlap(&wanted, "Asking for days off"), 2);
    assert_eq!(overlap(&wanted, "Nothing of that"), 0);
}
