//! Sentences of a text that comes in pieces, and groups of words.

use super::*;

fn sentences(text: &str) -> Vec<String> {
    let mut reader = SentenceReader::default();
    let mut found = Vec::new();
    for c in text.chars() {
        found.extend(reader.push(&c.to_string()));
    }
    found.extend(reader.finish());
    found
}

#[test]
fn sentences_end_at_their_marks() {
    assert_eq!(sentences("Hello. Is it you? Yes!"), ["Hello. ", "Is it you? ", "Yes!"]);
    assert_eq!(sentences("He said \"go.\" Then he left."), ["He said \"go.\" ", "Then he left."]);
    assert_eq!(sentences("One\nTwo"), ["One\n", "Two"]);
}

#[test]
fn abbreviations_initials_and_numbers_end_none() {
    for text in [
        "Dr. Holt is here.",
        "J. Smith came.",
        "It costs 3.50 now.",
        "See e.g. this one.",
        "1. First of all.",
    ] {
        assert_eq!(sentences(text), [text]);
    }
}

#[test]
fn a_text_without_marks_is_cut_between_words() {
    let text = "word ".repeat(200);
    let found = sentences(&text);
    assert!(found.len() > 3 && found.iter().all(|sentence| sentence.len() <= MOST_CHARS));
    assert_eq!(found.concat().trim(), text.trim());
}

#[test]
fn nothing_is_lost_whatever_the_text() {
    for text in ["", " ", "...", "a\n\n\nb", "日本語。テキスト", &"x".repeat(1000), "Mr. . . ! ?"]
    {
        assert_eq!(sentences(text).concat().trim(), text.trim(), "{text:?}");
        assert_eq!(word_groups(text).concat().trim(), text.trim(), "{text:?}");
    }
}

#[test]
fn groups_end_at_pauses_and_keep_numbers_together() {
    let groups = word_groups("On March 3, 2026 we meet, and then we go home again.");
    assert_eq!(groups, ["On March 3, 2026 we ", "meet, and then we go ", "home again."]);
}
