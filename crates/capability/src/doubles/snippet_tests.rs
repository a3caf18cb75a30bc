//! Snippets of long and short texts.

use super::*;

fn snippet(text: &str, word: &str) -> String {
    around(text, &BTreeSet::from([word.to_owned()]))
}

#[test]
fn a_short_text_is_its_own_snippet() {
    assert_eq!(snippet("The lighting lead.\n", "lead"), "The lighting lead.");
}

#[test]
fn a_long_text_is_cut_between_words_on_both_sides() {
    let text = format!("{}the Needle is here {}", "hay ".repeat(50), "straw ".repeat(50));
    let snippet = snippet(&text, "needle");
    assert!(snippet.starts_with("…hay hay"), "{snippet}");
    assert!(snippet.contains("the Needle is here straw"), "{snippet}");
    assert!(snippet.ends_with("straw…"), "{snippet}");
}

#[test]
fn without_a_match_it_is_the_beginning() {
    assert!(snippet(&"word ".repeat(100), "other").starts_with("word word"));
}

#[test]
fn a_text_without_spaces_is_cut_between_characters() {
    assert_eq!(snippet(&"é".repeat(500), "x"), format!("{}…", "é".repeat(200)));
}
