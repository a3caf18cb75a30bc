//! What is kept of a long result, and how the cut is announced.

use serde_json::json;

use super::*;

fn cut_to(mut value: Value, max_chars: usize) -> (Value, bool) {
    let was_cut = cut(&mut value, max_chars);
    (value, was_cut)
}

#[test]
fn what_fits_is_left_alone() {
    let value = json!({"a": [1, 2, "é"]});
    let exact = value.to_string().chars().count();
    assert_eq!(cut_to(value.clone(), exact), (value.clone(), false));
    assert!(cut_to(value, exact - 1).1);
}

#[test]
fn the_cut_is_announced_in_the_result() {
    let (value, was_cut) = cut_to(json!({"text": "x".repeat(1000)}), 100);
    assert!(was_cut);
    let text = value["text"].as_str().unwrap();
    assert!(text.ends_with('…') && text.chars().count() <= 101, "{text}");
    let note = value[CUT].as_str().unwrap();
    assert!(note.contains("had 1011 characters") && note.contains("about 100"), "{note}");
}

#[test]
fn lists_lose_their_tail() {
    let (value, _) = cut_to(json!((0..1000).collect::<Vec<_>>()), 60);
    assert_eq!(value["result"], json!([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
    assert!(value[CUT].is_string());
}

#[test]
fn texts_are_cut_between_characters() {
    let (value, _) = cut_to(json!("🙂".repeat(50)), 10);
    assert_eq!(value["result"], json!(format!("{}…", "🙂".repeat(10))));
}

#[test]
fn the_length_is_near_the_limit() {
    let rows: Vec<_> =
        (0..500).map(|n| json!({"id": n, "title": "a title", "tags": ["x", "y"]})).collect();
    let (value, _) = cut_to(json!({ "results": rows }), 2000);
    let shown = json!(value["results"]).to_string().len();
    assert!((1200..2600).contains(&shown), "{shown}");
}
