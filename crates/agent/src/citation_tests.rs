//! Which records count as sources, and which never do.

use super::*;

fn source(id: &str) -> CitationSource {
    CitationSource { id: id.to_owned(), title: id.to_uppercase(), url: None }
}

fn cited(text: &str) -> Vec<String> {
    let ids = ["person:mira", "person:mira_holt", "doc:key-light", "doc:key", "note"];
    let evidence = Evidence(ids.map(source).to_vec());
    evidence.cited_in(text).into_iter().map(|source| source.id).collect()
}

#[test]
fn ids_in_the_words_are_sources_in_the_order_of_their_mention() {
    for (text, expected) in [
        ("See [doc:key-light] and [person:mira_holt].", &["doc:key-light", "person:mira_holt"][..]),
        ("person:mira_holt, person:mira_holt", &["person:mira_holt"]),
        ("It is `person:mira`: she said so.", &["person:mira"]),
        ("It was person:mira.", &["person:mira"]),
        ("(doc:key) [note]", &["doc:key", "note"]),
        ("„person:mira“", &["person:mira"]),
        ("[record:person:mira] [record:note]", &["person:mira", "note"]),
    ] {
        assert_eq!(cited(text), expected, "{text}");
    }
}

#[test]
fn a_part_of_a_longer_id_is_not_a_mention() {
    for text in [
        "[person:mira_holts]",
        "old-person:mira",
        "record:person:mira",
        "[record:person:mira_holts]",
        "person:mira-2",
        "https://example.com/person:mira",
        "doc:key.light",
        "a note of mine",
        "PERSON:MIRA",
        "",
    ] {
        assert_eq!(cited(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn where_no_id_is_mentioned_a_quoted_title_is() {
    for (text, expected) in [
        ("That is from “PERSON:MIRA_HOLT”.", &["person:mira_holt"][..]),
        ("From “NOTE” and “DOC:KEY”.", &["note", "doc:key"]),
        ("It is in “NOTE”, see [doc:key].", &["doc:key"]),
        ("It is in NOTE, “A NOTE” and “note”.", &[]),
    ] {
        assert_eq!(cited(text), expected, "{text}");
    }
}

#[test]
fn of_two_records_the_one_with_a_link_stays() {
    let url = Some("https://example.com/a".to_owned());
    let mut evidence = Evidence(vec![source("a:b")]);
    evidence.keep(CitationSource { url: url.clone(), ..source("a:b") });
    evidence.keep(source("a:b"));
    assert_eq!(evidence.cited_in("a:b"), [CitationSource { url, ..source("a:b") }]);
}

#[test]
fn only_web_links_are_given_on() {
    let record = |url: &str| serde_json::json!({ "id": "a:b", "title": "A", "url": url });
    assert_eq!(super::source(&record("javascript:alert(1)")).unwrap().url, None);
    assert!(super::source(&record("https://example.com")).unwrap().url.is_some());
}
