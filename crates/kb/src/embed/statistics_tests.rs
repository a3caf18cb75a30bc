//! How often tokens occur.

use super::*;

fn counted(texts: &[&str]) -> TokenStatistics {
    let mut statistics = TokenStatistics::default();
    texts.iter().for_each(|text| statistics.count(text));
    statistics
}

fn token(word: &str) -> u32 {
    WordPiece::shared().tokens(word)[0]
}

#[test]
fn a_token_counts_once_a_passage() {
    let statistics = counted(&["the cat and the dog", "the dog", ""]);
    let frequency = |word| statistics.frequencies[token(word) as usize];
    assert_eq!(
        (frequency("the"), frequency("dog"), frequency("cat"), frequency("sun")),
        (2, 2, 1, 0)
    );
    assert_eq!(statistics.passages, 3);
}

#[test]
fn merged_counts_are_those_of_all_texts() {
    let (one, other) = (["a cat", "a dog"], ["the cat"]);
    let mut merged = TokenStatistics::default();
    merged.merge(&counted(&one));
    merged.merge(&counted(&other));
    merged.merge(&TokenStatistics::default());
    assert_eq!(merged, counted(&["a cat", "a dog", "the cat"]));
}

#[test]
fn rarity_falls_with_frequency_and_is_never_zero() {
    let statistics = counted(&["the cat", "the dog", "the cat"]);
    let rarity = |word| statistics.rarity(token(word));
    assert!(
        rarity("sun") > rarity("dog")
            && rarity("dog") > rarity("cat")
            && rarity("cat") > rarity("the")
    );
    assert!(rarity("the") > 0.0);
    assert!(TokenStatistics::default().rarity(5) > 0.0);
    let damaged = TokenStatistics { passages: 1, frequencies: vec![9] };
    assert!(damaged.rarity(0) > 0.0 && damaged.rarity(u32::MAX).is_finite());
}
