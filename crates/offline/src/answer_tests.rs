//! Answers from records.

use serde_json::{Value, json};

use super::super::evidence;
use super::*;
use aileron_contract::model_input::{Channel, HistoryItem, ModelInput};

fn records() -> Value {
    json!({ "results": [
        { "id": "person:mira_holt", "title": "Mira Holt", "text": "Mira Holt is the lighting lead. She works in Hamburg.", "metadata": { "email": "mira@example.com", "extension": 214, "demo": true } },
        { "id": "process:lighting_review", "title": "Lighting review", "snippet": "The lighting lead reviews every shot." },
        { "id": "doc:other", "title": "Kitchen", "snippet": "Nothing of interest.", "score": 0.4 }
    ] })
}

fn told(words: &str, channel: Channel) -> Option<String> {
    let heard = HistoryItem::Heard { text: words.to_owned(), channel };
    let input = ModelInput { items: vec![heard], ..ModelInput::default() };
    tell(&Situation::new(&input), &evidence::read(&records()))
}

fn said(words: &str, channel: Channel) -> String {
    told(words, channel).unwrap()
}

#[test]
fn a_written_answer_cites_and_points_to_related_records() {
    insta::assert_snapshot!(said("Who is the lighting lead?", Channel::Written));
}

#[test]
fn a_field_that_the_question_names_is_told_first() {
    insta::assert_snapshot!(said("What is the email of Mira?", Channel::Written));
}

#[test]
fn a_spoken_answer_names_the_title() {
    insta::assert_snapshot!(said("Who is the lighting lead?", Channel::Spoken));
}

#[test]
fn a_record_with_half_of_the_question_is_offered_and_others_are_not() {
    insta::assert_snapshot!(said("kitchen plumbing", Channel::Written));
    assert_eq!(told("vacation days", Channel::Written), None);
}

#[test]
fn who_somebody_is_takes_a_sentence_with_a_name() {
    let review = &evidence::read(&records())[1..2];
    let question = ParsedQuestion::of("Who is the lighting lead?");
    assert_eq!(best(&question, review, QuoteStrictness::InFull, 1), None);
}

fn farm(id: &str, updated: &str, price: &str, metadata: Value) -> Value {
    let text = format!("A node hour costs {price} euros.");
    json!({ "id": id, "title": "Render farm", "text": text, "last_updated": updated, "metadata": metadata })
}

/// The answer from two records about the same thing.
fn price(words: &str, metadata: Value) -> String {
    let results = [
        farm("doc:old", "2024-01-01", "0.55", metadata),
        farm("doc:now", "2026-01-01", "0.42", json!({})),
    ];
    let read = evidence::read(&json!({ "results": results }));
    let records = evidence::current(read, words);
    let answer = best(&ParsedQuestion::of(words), &records, QuoteStrictness::InFull, 1).unwrap();
    records[answer.at].id.clone()
}

#[test]
fn a_replaced_record_gives_way_unless_it_is_asked_for() {
    let replaced = json!({ "replaced_by": "doc:now" });
    assert_eq!(price("What does a node hour cost?", replaced.clone()), "doc:now");
    assert_eq!(price("What did a node hour cost, in the outdated list?", replaced), "doc:old");
}

#[test]
fn of_equally_good_answers_the_newer_record_is_told() {
    assert_eq!(price("What does a node hour cost?", json!({})), "doc:now");
}
