//! Snippets.

use super::*;

fn sought(words: &[&str]) -> SoughtWords {
    let mut sought = SoughtWords::default();
    for word in words {
        match word.strip_suffix('=') {
            Some(word) => sought.words.insert(word.to_owned()),
            None => sought.stems.insert(words::stem(word)),
        };
    }
    sought
}

/// The snippet with `[` and `]` around the matches.
fn marked(passage: &str, words: &[&str]) -> String {
    let snippet = around(passage, &sought(words));
    let mut text = snippet.text;
    for found in snippet.matches.iter().rev() {
        text.insert(found.end, ']');
        text.insert(found.start, '[');
    }
    text
}

#[test]
fn a_short_passage_is_shown_whole() {
    assert_eq!(
        marked("Reviews take\n\n two  days.", &["review", "days"]),
        "[Reviews] take two [days]."
    );
    assert_eq!(marked("", &["review"]), "");
    assert_eq!(marked("  \n ", &["review"]), "");
}

#[test]
fn stems_and_exact_words_match() {
    assert_eq!(marked("reviewing a reviewer", &["review"]), "[reviewing] a [reviewer]");
    assert_eq!(marked("reviewing a review", &["review="]), "reviewing a [review]");
    assert_eq!(marked("Café CAFE", &["cafe"]), "[Café] [CAFE]");
    assert_eq!(marked("C++ and C", &["c++"]), "[C++] and C");
}

#[test]
fn pairs_of_letters_are_marked_as_one() {
    assert_eq!(marked("これは東京都の水", &["東京=", "京都="]), "これは[東京都]の水");
}

fn long() -> String {
    let filler = "Nothing to see in this sentence, which goes on. ";
    format!(
        "{}The render farm has a queue. {}Once more, the queue.",
        filler.repeat(9),
        filler.repeat(9)
    )
}

#[test]
fn a_long_passage_is_cut_at_sentences_around_the_densest_match() {
    let text = marked(&long(), &["render", "queue"]);
    assert!(text.starts_with("…Nothing to see") || text.starts_with("…The [render]"), "{text}");
    assert!(text.contains("The [render] farm has a [queue]."), "{text}");
    assert!(text.ends_with("goes on.…"), "{text}");
    assert!((120..=220).contains(&text.chars().count()), "{text}");
}

#[test]
fn a_passage_found_by_meaning_shows_its_beginning() {
    let text = marked(&long(), &["absent"]);
    assert!(text.starts_with("Nothing to see") && text.ends_with('…'), "{text}");
    assert!((100..=202).contains(&text.chars().count()), "{text}");
}

#[test]
fn words_are_not_cut() {
    let text = format!("{}needle {}", "haystack ".repeat(100), "haystack ".repeat(100));
    let shown = marked(&text, &["needle"]);
    let inner = shown.trim_matches('…').replace(['[', ']'], "");
    assert!(inner.split(' ').all(|word| word == "haystack" || word == "needle"), "{shown}");
    assert!(shown.starts_with('…') && shown.ends_with('…') && shown.contains("[needle]"));
}

#[test]
fn a_script_without_spaces_is_cut_anywhere() {
    let text = format!("{}東京{}", "あいうえお".repeat(100), "かきくけこ".repeat(100));
    let shown = marked(&text, &["東京="]);
    assert!(shown.contains("[東京]") && shown.chars().count() <= 206, "{shown}");
}

#[test]
fn controls_are_not_shown() {
    assert_eq!(marked("a\u{1b}[31m review\0s", &["review"]), "a [31m [review] s");
}

proptest::proptest! {
    #[test]
    fn a_snippet_has_only_the_passage_s_own_letters(text in "([a-c東🎉 .\n]|needle ){0,300}") {
        let snippet = around(&text, &sought(&["needle"]));
        let own = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        let shown = snippet.text.trim_matches(CUT);
        assert!(own(&text).contains(&own(shown)), "{}", snippet.text);
        assert!(snippet.text.chars().count() <= WIDTH + 2);
        for found in &snippet.matches {
            assert_eq!(&snippet.text[found.clone()], "needle");
        }
        assert!(snippet.matches.is_sorted_by(|a, b| a.end <= b.start));
        if words::words(&text).iter().any(|word| word.text == "needle") {
            assert!(!snippet.matches.is_empty());
        }
    }

    #[test]
    fn any_passage_has_a_snippet(text in proptest::prelude::any::<String>(), word in "[a-z]{1,3}") {
        around(&text, &sought(&[&word]));
    }
}
