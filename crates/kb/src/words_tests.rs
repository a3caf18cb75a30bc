//! Words of texts.

use super::*;

fn split(text: &str) -> Vec<String> {
    words(text).into_iter().map(|word| word.text).collect()
}

fn indexed(analysis: &str, text: &str) -> Vec<(usize, String)> {
    let mut analyzer = tokenizers().get(analysis).unwrap();
    let mut stream = analyzer.token_stream(text);
    let mut found = Vec::new();
    while stream.advance() {
        found.push((stream.token().position, stream.token().text.clone()));
    }
    found
}

#[test]
fn words_are_what_a_reader_takes_for_words() {
    let cases: &[(&str, &[&str])] = &[
        ("The render-farm's queue", &["the", "render", "farm", "queue"]),
        ("don't O’Brien Mira's", &["dont", "obrien", "mira"]),
        ("e-mail E‑Mail T-cell", &["email", "email", "t", "cell"]),
        ("A/B tests and/or I/O", &["ab", "tests", "and", "or", "io"]),
        ("C++ C# F# g++ C+", &["c++", "c#", "f#", "g++", "c"]),
        ("#launch @mira mira@studio.example", &["launch", "mira", "mira", "studio", "example"]),
        ("v1.2.3 3.14 end. 5", &["v1.2.3", "3.14", "end", "5"]),
        ("person:ada_lovelace", &["person", "ada", "lovelace"]),
        ("2026-11-16 10:30", &["2026", "11", "16", "10", "30"]),
        ("rock 'n' roll 'quoted'", &["rock", "n", "roll", "quoted"]),
        ("🎉🚀 party👍🏽!", &["🎉", "🚀", "party", "👍"]),
        ("&& || () [] {} -- ;", &[]),
        ("", &[]),
    ];
    for (text, expected) in cases {
        assert_eq!(split(text), *expected, "{text}");
    }
}

#[test]
fn accents_and_case_make_no_difference() {
    for (text, expected) in [
        ("Café CAFÉ cafe\u{301}", "cafe cafe cafe"),
        ("Straße İstanbul Ærø ﬁn", "strasse istanbul aero fin"),
        ("Ωμέγα ΛΌΓΟΣ", "ωμεγα λογοσ"),
        ("ёлка Елка", "елка елка"),
        ("ＡＢＣ１２", "abc12"),
        ("مُحَمَّد أحمد", "محمد احمد"),
        ("שָׁלוֹם", "שלום"),
    ] {
        assert_eq!(split(text).join(" "), expected, "{text}");
    }
}

#[test]
fn scripts_without_spaces_give_pairs() {
    assert_eq!(split("東京都 水"), ["東京", "京都", "水"]);
    assert_eq!(split("Python入門"), ["python", "入門"]);
    assert_eq!(split("한국어를"), ["한국", "국어", "어를"]);
    assert!(split("ภาษาไทย").len() == 6);
    assert!(is_lone("水") && !is_lone("東京") && !is_lone("a"));
}

#[test]
fn plain_words_keep_every_letter_of_a_run_as_a_beginning() {
    let expected = [(0, "東京"), (1, "京都"), (2, "都"), (3, "hall")];
    assert_eq!(indexed(PLAIN, "東京都 hall"), expected.map(|(at, word)| (at, word.to_owned())));
    let expected = [(0, "東京"), (1, "京都"), (3, "hall")];
    assert_eq!(indexed(STEMS, "東京都 hall"), expected.map(|(at, word)| (at, word.to_owned())));
}

#[test]
fn stems_leave_stop_words_out() {
    let expected = [(1, "review"), (4, "render"), (5, "farm")];
    let found = indexed(STEMS, "The reviews of the rendering farms");
    assert_eq!(found, expected.map(|(at, word)| (at, word.to_owned())));
    assert_eq!((stem("reviews"), stem("c++")), ("review".to_owned(), "c++".to_owned()));
}

#[test]
fn a_word_knows_its_bytes() {
    let text = "Ünï’s «Café» don't";
    let found: Vec<&str> = words(text).into_iter().map(|word| &text[word.range]).collect();
    assert_eq!(found, ["Ünï", "Café", "don't"]);
}

#[test]
fn a_word_without_end_is_cut() {
    let long = "x".repeat(1_000_000);
    assert_eq!(split(&long), ["x".repeat(64)]);
}

#[test]
fn lists_are_sorted_for_their_search() {
    assert!(STOP.is_sorted() && QUESTION.is_sorted());
    assert!(is_stop("the") && is_filler("who") && !is_stop("who") && !is_filler("render"));
}

proptest::proptest! {
    #[test]
    fn any_text_splits_in_order(text in ".{0,200}") {
        let mut position = None;
        for word in words(&text) {
            assert!(!text[word.range.clone()].is_empty());
            assert!(position < Some(word.position));
            position = Some(word.position);
        }
    }
}

#[test]
fn a_stem_begins_as_its_word_does() {
    let words = "skies skis dying lying tying idly gently ugly early only singly news atlas cosmos \
        yielding youth years inning proceed exceeding generously communism arsenal sing ing ed aed \
        running élan naïve the 3rd übermäßig sky's o'clock";
    for word in super::words(words) {
        assert_eq!(stem(&word.text).chars().next(), word.text.chars().next(), "{word:?}");
    }
}
