//! Which parts of a long result are kept, and how the truncation is marked.

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
fn lists_lose_their_end_when_texts_are_short_already() {
    let (value, _) = cut_to(json!((0..1000).collect::<Vec<_>>()), 60);
    assert_eq!(value["result"], json!((0..23).collect::<Vec<_>>()));
    assert!(value[CUT].as_str().unwrap().contains("lists keep their first 23 items"));
}

#[test]
fn texts_are_cut_between_characters() {
    let (value, _) = cut_to(json!("🙂".repeat(50)), 10);
    assert_eq!(value["result"], json!(format!("{}…", "🙂".repeat(7))));
}

#[test]
fn long_texts_are_cut_alike_and_names_and_numbers_stay() {
    let hit =
        |n: usize, text: String| json!({"full_text": text, "id": format!("doc:{n}"), "score": 0.5});
    let texts = [100_000, 40, 3_000, 100_000].map(|length| "x\n".repeat(length / 2));
    let hits: Vec<Value> =
        texts.iter().cloned().enumerate().map(|(n, text)| hit(n, text)).collect();
    let (value, _) = cut_to(json!({ "results": hits }), 5_000);
    let results = value["results"].as_array().unwrap();
    for (number, result) in results.iter().enumerate() {
        assert_eq!(
            (&result["id"], &result["score"]),
            (&json!(format!("doc:{number}")), &json!(0.5))
        );
    }
    assert_eq!(results[1]["full_text"], json!(texts[1]));
    let lengths = [0, 2, 3].map(|place| results[place]["full_text"].as_str().unwrap().len());
    assert_eq!(lengths, [lengths[0]; 3]);
    assert!(lengths[0] > 1_000, "{lengths:?}");
}

#[test]
fn what_is_cut_has_the_length_that_was_asked_for() {
    let rows: Vec<_> =
        (0..500).map(|n| json!({"id": n, "title": "a \"title\"", "tags": ["x", "y"]})).collect();
    let wide: Value = (0..500).map(|n| (format!("key {n}"), json!("x".repeat(90)))).collect();
    let deep = (0..60).fold(json!("x".repeat(500)), |inner, _| json!([inner, "y".repeat(50)]));
    for value in [json!({ "results": rows }), wide, deep, json!("\u{1}".repeat(900))] {
        for most in [50, 300, 2000] {
            let (mut cut, was_cut) = cut_to(value.clone(), most);
            assert_eq!(was_cut, length(&value) > most);
            cut.as_object_mut().unwrap().remove(CUT);
            let shown = cut.get("result").unwrap_or(&cut);
            assert!(length(shown) <= most || most < 400 && length(shown) < 500, "{most}: {shown}");
        }
    }
}
