//! Reading queries.

use super::*;

fn found(text: &str) -> Vec<String> {
    let shown = |word: &QueryWord| match word.part {
        WordFacts::Whole => word.text.clone(),
        WordFacts::Beginning => format!("{}*", word.text),
    };
    parse(text).words.iter().map(shown).collect()
}

fn quoted(text: &str) -> Vec<String> {
    parse(text).phrases.into_iter().map(|phrase| phrase.text).collect()
}

#[test]
fn words_are_kept_and_fillers_dropped() {
    assert_eq!(
        found("What is the review process of Mira Holt?"),
        ["review", "process", "mira", "holt"]
    );
    assert_eq!(found("who are they"), ["who", "are", "they"]);
    assert_eq!(found("to be or not to be"), ["to", "be", "or", "not"]);
}

#[test]
fn a_word_counts_as_often_as_it_stands_there() {
    let counts: Vec<u32> =
        parse("render farm render").words.iter().map(|word| word.count).collect();
    assert_eq!(counts, [2, 1]);
}

#[test]
fn stars_after_words_make_prefixes() {
    assert_eq!(found("rev* re * a* c** 水 the*"), ["rev*", "re", "c", "水*", "the*"]);
    assert_eq!(found("a*"), ["a"]);
}

#[test]
fn phrases_are_kept_with_their_places() {
    let query = parse("find \"State of the Art\" in “東京都”");
    let place = |at: usize, word: &str| (at, word.to_owned());
    let english = vec![place(0, "state"), place(1, "of"), place(2, "the"), place(3, "art")];
    let expected = [
        Phrase { text: "State of the Art".to_owned(), words: english },
        Phrase {
            text: "東京都".to_owned(), words: vec![place(0, "東京"), place(1, "京都")]
        },
    ];
    assert_eq!(query.phrases, expected);
    assert_eq!(found("x \"state of the art\" in"), ["x", "state", "art"]);
}

#[test]
fn marks_without_a_partner_are_text() {
    assert_eq!(quoted("\"open end"), [""; 0]);
    assert_eq!(found("\"open end"), ["open", "end"]);
    let query = parse("a \"b c\" d\" e");
    assert_eq!(query.phrases.len(), 1);
    assert_eq!(found("x \"b c\" d\" e"), ["x", "b", "c", "d", "e"]);
    assert_eq!(quoted("\"\" \"&&\""), [""; 0]);
}

#[test]
fn inches_and_seconds_are_no_quotations() {
    for text in [
        "5\" pipe",
        "5\" by 3\" pipe",
        "a 12\" vinyl and a 7\" single",
        "6'2\" tall",
        "5” pipe, 3” pipe",
        "he said \"render",
        "render farm\"",
        "\" render farm \"",
    ] {
        assert_eq!(quoted(text), [""; 0], "{text}");
    }
    assert_eq!(quoted("5\" \"steel pipe\" of 3\""), ["steel pipe"]);
    assert_eq!(found("5\" pipe"), ["5", "pipe"]);
}

#[test]
fn quotations_are_marked_as_each_language_does() {
    for text in [
        "the \"render farm\", please",
        "the “render farm”",
        "die „render farm“",
        "den ”render farm”",
        "la «render farm»",
        "die »render farm«",
        "(\"render farm\")",
    ] {
        assert_eq!(quoted(text), ["render farm"], "{text}");
    }
    assert_eq!(quoted("東京“日本の首都”です"), ["日本の首都"]);
}

#[test]
fn operators_are_text() {
    let expected = ["alpha", "beta", "gamma", "delta", "2", "x", "b"];
    assert_eq!(found("(alpha AND beta) OR NOT gamma:delta^2 ~x [a TO b]"), expected);
    assert_eq!(found("'; DROP TABLE records; --"), ["drop", "table", "records"]);
    assert_eq!(parse("+-&|!(){}[]^~*?:\\/").words, []);
}

#[test]
fn the_whole_may_be_a_title() {
    assert_eq!(parse("\"The Render-Farm\"").title.as_deref(), Some("the render farm"));
    assert_eq!(parse("?!").title, None);
}

#[test]
fn long_queries_are_bounded() {
    let text: String = (0..2_000).map(|n| format!("word{n} ")).collect();
    assert_eq!(parse(&text).words.len(), MOST_WORDS);
    assert_eq!(parse(&"\"x y\" ".repeat(500)).phrases.len(), MOST_PHRASES);
    let phrase = &format!("\"{}\"", "word ".repeat(200).trim());
    assert_eq!(parse(phrase).phrases[0].words.len(), LONGEST_PHRASE);
    assert!(parse(&text).is_cut && parse(&"x".repeat(LONGEST + 1)).is_cut);
    assert!(!parse(&"x ".repeat(LONGEST / 2)).is_cut);
}

proptest::proptest! {
    #[test]
    fn any_text_is_a_query(text in proptest::prelude::any::<String>()) {
        let query = parse(&text);
        assert!(query.words.len() <= MOST_WORDS);
        assert!(query.phrases.iter().all(|phrase| phrase.words[0].0 == 0));
    }

    #[test]
    fn any_mix_of_operators_is_a_query(text in "[a\"“”* '’()+.#/-]{0,60}") {
        parse(&text);
    }
}
