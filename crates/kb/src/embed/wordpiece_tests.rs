//! Our tokens against those of the `tokenizers` package (BERT, uncased), which
//! `tests/data/wordpiece.jsonl` holds: texts of many kinds and mixed scripts.

use super::*;

const EXPECTED: &str = include_str!("../../tests/data/wordpiece.jsonl");

fn tokens(text: &str) -> Vec<u32> {
    WordPiece::shared().tokens(text)
}

#[test]
fn tokens_are_those_of_the_reference() {
    let lines: Vec<(String, Vec<u32>)> =
        EXPECTED.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.len() > 150);
    for (text, expected) in lines {
        assert_eq!(tokens(&text), expected, "{text:?}");
    }
}

#[test]
fn the_vocabulary_is_whole() {
    assert_eq!(VOCABULARY.lines().count(), TOKENS);
    assert_eq!(VOCABULARY.lines().nth(UNKNOWN as usize), Some("[UNK]"));
    assert_eq!(tokens("the"), [1996]);
}

#[test]
fn long_and_foreign_words_are_unknown() {
    assert_eq!(tokens(&"x".repeat(101)), [UNKNOWN]);
    assert_eq!(tokens("𒀀𒀁"), [UNKNOWN]);
    assert!(tokens("").is_empty());
    assert!(tokens(" \t\u{200d}\0").is_empty());
}

#[test]
fn a_huge_text_takes_linear_time() {
    assert_eq!(tokens(&"word ".repeat(200_000)).len(), 200_000);
    assert_eq!(tokens(&"ż".repeat(1_000_000)), [UNKNOWN]);
}

proptest::proptest! {
    #[test]
    fn no_text_breaks_it(text in ".{0,60}") {
        let numbers = tokens(&text);
        proptest::prop_assert!(numbers.iter().all(|token| (*token as usize) < TOKENS));
    }
}
