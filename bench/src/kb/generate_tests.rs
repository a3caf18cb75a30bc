//! The properties of generated records and queries.

use std::collections::HashSet;

use super::*;

fn generator() -> Generator {
    let sentence = |number| {
        format!(
            "Sentence {number} speaks about harbour lights, rivers, mountains and winter storms"
        )
    };
    let title = |number| format!("A title of number {number} with several words");
    Generator::new(Text {
        titles: (0..50).map(title).collect(),
        sentences: (0..200).map(sentence).collect(),
        source: "a test",
    })
}

#[test]
fn a_number_gives_the_same_record_each_time() {
    assert_eq!(generator().record(17), generator().record(17));
}

#[test]
fn records_differ_in_text() {
    let texts: HashSet<_> = (0..5000).map(generator_text).collect();
    assert!(texts.len() > 4990, "only {} of 5000 differ", texts.len());
}

fn generator_text(number: usize) -> String {
    thread_local!(static GENERATOR: Generator = generator());
    GENERATOR.with(|generator| generator.record(number).text)
}

#[test]
fn the_two_tags_of_filters_are_as_frequent_as_they_say() {
    let generator = generator();
    let tags: Vec<_> = (0..20_000).map(|number| generator.record(number).tags).collect();
    let share = |tag: &str| tags.iter().filter(|tags| tags.iter().any(|one| one == tag)).count();
    assert!((1900..2100).contains(&share(TENTH)), "{}", share(TENTH));
    assert!((10..32).contains(&share(THOUSANDTH)), "{}", share(THOUSANDTH));
}

#[test]
fn an_id_says_its_number() {
    assert_eq!(number(&generator().record(4711).id), Some(4711));
}

#[test]
fn queries_are_three_to_eight_words_and_no_sentence() {
    let generator = generator();
    let queries = generator.queries(50);
    for query in &queries {
        assert!((3..=8).contains(&query.split(' ').count()), "{query}");
        assert!(!generator.text.sentences.contains(query));
    }
    assert_eq!(queries, generator.queries(50));
}
