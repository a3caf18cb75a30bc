//! Where texts are split, and the rules for every split.

use proptest::prelude::*;

use super::*;
use crate::record::tests::ada;

/// Checks the rules for every text.
fn check_split(text: &str) -> Vec<Passage> {
    let passages = split(text);
    assert!(!passages.is_empty());
    let mut end = 0;
    for passage in &passages {
        let range = passage.range.clone();
        let words = text.get(range.clone()).expect("ranges lie between characters");
        let gap = text.get(end..range.start).expect("ranges are in order and apart");
        assert!(gap.trim().is_empty(), "left out: {gap:?}");
        assert_eq!(words.trim(), words);
        assert!(!words.is_empty() || text.trim().is_empty());
        assert!(range.len() <= WHOLE + SMALL, "{} bytes", range.len());
        end = range.end;
    }
    assert!(text.get(end..).unwrap().trim().is_empty());
    passages
}

fn parts(text: &str) -> Vec<&str> {
    check_split(text).into_iter().map(|passage| &text[passage.range]).collect()
}

fn trails(text: &str) -> Vec<String> {
    check_split(text).into_iter().map(|passage| passage.heading).collect()
}

/// A paragraph of so many sentences of 50 bytes each, all different.
fn sentences(count: usize) -> String {
    let sentence = |n: usize| format!("Sentence number {n:05} tells something of its own.");
    (0..count).map(sentence).collect::<Vec<_>>().join(" ")
}

#[test]
fn an_empty_text_is_one_empty_passage() {
    let empty = vec![Passage { heading: String::new(), range: 0..0 }];
    assert_eq!(split(""), empty);
    assert_eq!(split(" \n\t\u{3000}"), empty);
}

#[test]
fn a_short_text_is_one_passage() {
    assert_eq!(parts(&sentences(39)).len(), 1);
    assert_eq!(parts("# A\n\none\n\n# B\n\ntwo"), ["# A\n\none\n\n# B\n\ntwo"]);
}

#[test]
fn a_long_text_is_cut_where_sentences_end() {
    let text = sentences(200);
    let parts = parts(&text);
    assert!(parts.iter().all(|part| part.starts_with("Sentence") && part.ends_with("own.")));
    assert!(parts.iter().all(|part| (1200..=WHOLE).contains(&part.len())), "{parts:?}");
}

#[test]
fn a_paragraph_is_kept_whole_where_it_fits() {
    let paragraph = sentences(11);
    let text = [paragraph.as_str(); 9].join("\n\n");
    for part in parts(&text) {
        assert!(part.split("\n\n").all(|words| words == paragraph), "{part}");
    }
}

#[test]
fn headings_part_a_text_and_name_its_passages() {
    let long = sentences(40);
    let text = format!(
        "Intro.\n\n# Guide\n\n## Set *up*\n\n{long}\n\n## Run\n\n{long}\n\n# End\n\n{long}"
    );
    let trails = trails(&text);
    assert_eq!(trails, ["", "Guide > Set up", "Guide > Run", "Guide > Run", "End", "End"]);
}

#[test]
fn a_passage_over_several_headings_stands_under_what_they_share() {
    let text = format!("# A\n\n## B\n\nshort\n\n## C\n\n{}", sentences(60));
    assert_eq!(trails(&text).first().map(String::as_str), Some("A"));
    assert_eq!(trails(&text).last().map(String::as_str), Some("A > C"));
}

#[test]
fn a_heading_in_fenced_code_is_code() {
    let found = |text| headings(text).map(|heading| plain(&heading)).collect::<Vec<_>>();
    assert_eq!(
        found("# A\n```sh\n# no\n```\n# B #\n~~~~\n# no\n~~~\n# no\n~~~~\n   ## C#"),
        ["A", "B", "C#"]
    );
    assert_eq!(found("    # no\n#no\n####### no\n\t# no\n# "), [""]);
    assert_eq!(found("``` a ` b\n# yes"), ["yes"]);
    assert_eq!(found("# 1. `code` and [link](http://x)"), ["1. code and link"]);
}

#[test]
fn abbreviations_and_numbers_end_no_sentence() {
    let ends = |text: &str| {
        let end = sentence::last_end(text, 0..text.len());
        end.map(|end| text[..end].to_owned())
    };
    for text in [
        "See e.g. The x",
        "Ask Dr. Who x",
        "It is 3.14 M x",
        "By J. S. Bach x",
        "U.S. Army x",
        "a. b x",
    ] {
        assert_eq!(ends(text), None, "{text}");
    }
    assert_eq!(ends("He left. She stayed").as_deref(), Some("He left."));
    assert_eq!(ends("“He left?” (She stayed.) And x").as_deref(), Some("“He left?” (She stayed.)"));
    assert_eq!(ends("彼は「行く。」と言った").as_deref(), Some("彼は「行く。」"));
    assert_eq!(ends("वह गया। वह आई").as_deref(), Some("वह गया।"));
}

#[test]
fn texts_without_sentences_are_cut_between_words_or_characters() {
    let words = "word ".repeat(2000);
    assert!(parts(&words).iter().all(|part| part.split(' ').all(|word| word == "word")));
    for monster in ["x", "漢", "ไก่", "👩\u{200D}🚀", "e\u{301}", "\u{200D}"] {
        let text = monster.repeat(3000);
        let parts = parts(&text);
        assert!(parts.len() > 1);
        if monster != "\u{200D}" {
            assert!(parts.iter().all(|part| part.starts_with(monster.chars().next().unwrap())));
        }
    }
    assert!(parts(&"漢字かな交じり文。".repeat(900)).iter().all(|part| part.ends_with('。')));
}

#[test]
fn title_headings_and_passage_are_indexed() {
    let mut record = ada();
    record.text = "# Work\n\nPrograms.".to_owned();
    let passage = split(&record.text).remove(0);
    assert_eq!(passage.indexed_text(&record), "Ada Lovelace\nWork\n# Work\n\nPrograms.");
    record.text.clear();
    assert_eq!(split("").remove(0).indexed_text(&record), "Ada Lovelace");
}

#[test]
fn naughty_strings_split_well() {
    for text in crate::load::tests::naughty_strings() {
        check_split(&text);
        check_split(&text.repeat(1 + 5000 / text.len().max(1)));
        check_split(&format!("# {text}\n\n{}", sentences(60)));
    }
}

/// Texts made of headings, fences, sentences and scripts.
fn markdown() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\n".to_owned()),
        Just("\n\n".to_owned()),
        Just("\n# H\n".to_owned()),
        Just("\n### Deep\n".to_owned()),
        Just("\n```\n".to_owned()),
        Just("e.g. Dr. X. 3.14! ".to_owned()),
        Just("\u{3000}\u{200D}\u{301}".to_owned()),
        "[a-z ]{0,300}",
        "\\PC{0,200}",
        (1..900_usize).prop_map(|count| "漢。".repeat(count)),
        (1..900_usize).prop_map(|count| " \n".repeat(count)),
        (1..3000_usize).prop_map(|count| "x".repeat(count)),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn passages_cover_a_text_in_order(text in markdown()) {
        check_split(&text);
    }

    #[test]
    fn passages_cover_any_text(text in any::<String>(), times in 1..200_usize) {
        check_split(&text.repeat(times));
    }
}
