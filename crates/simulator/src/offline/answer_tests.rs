//! Answers from records.

use serde_json::{Value, json};

use super::super::evidence;
use super::*;
use crate::brain::{Channel, Item, Scene};

fn records() -> Value {
    json!({ "results": [
        { "id": "person:mira_holt", "title": "Mira Holt", "text": "Mira Holt is the lighting lead. She works in Hamburg.", "metadata": { "email": "mira@example.com", "extension": 214, "demo": true } },
        { "id": "process:lighting_review", "title": "Lighting review", "snippet": "The lighting lead reviews every shot." },
        { "id": "doc:other", "title": "Kitchen", "snippet": "Nothing of interest." }
    ] })
}

fn said(words: &str, channel: Channel) -> String {
    let heard = Item::Heard { text: words.to_owned(), channel };
    let scene = Scene { items: vec![heard], ..Scene::default() };
    tell(&View::new(&scene), &evidence::read(&records())).unwrap()
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
fn a_record_without_a_word_of_the_question_is_offered_not_quoted() {
    insta::assert_snapshot!(said("vacation days", Channel::Written));
}
