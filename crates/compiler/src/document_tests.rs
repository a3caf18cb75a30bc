//! Positions of values and keys, and reported faults.

use super::*;

fn parse(text: &str) -> (Option<Document>, Vec<Diagnostic>) {
    let mut found = Vec::new();
    let document = Document::parse(&Source::new("schema.json", text), &mut found);
    (document, found)
}

#[test]
fn values_and_keys_have_places() {
    let text = r#"{"a": {"b/c": [1, "two"]}}"#;
    let (document, found) = parse(text);
    let document = document.unwrap();
    assert!(found.is_empty());
    assert_eq!(&text[document.span("/a/b~1c/1")], "\"two\"");
    assert_eq!(&text[document.key_span("/a/b~1c")], "\"b/c\"");
    assert_eq!(&text[document.span("/a/missing/deep")], r#"{"b/c": [1, "two"]}"#);
}

#[test]
fn a_duplicate_key_names_the_line_of_the_first() {
    let (_, found) = parse("{\n  \"a\": 1,\n  \"a\": 2\n}");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].rule.code, "AIL-J002");
    assert_eq!(found[0].message, "key `a` stands twice, first on line 2");
    assert_eq!(found[0].position().line, 3);
}

#[test]
fn syntax_errors_are_placed() {
    let (document, found) = parse("{\n  \"a\": 1,\n}");
    assert!(document.is_none());
    assert_eq!((found[0].rule.code, found[0].position().line), ("AIL-J001", 3));
}

#[test]
fn deep_nesting_is_refused_before_it_hurts() {
    let text = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let (document, found) = parse(&text);
    assert!(document.is_none());
    assert_eq!(found[0].rule.code, "AIL-J003");
}

#[test]
fn raw_control_characters_are_refused() {
    let (document, found) = parse("{\"a\": \"x\u{1}y\"}");
    assert!(document.is_none());
    assert_eq!(found[0].rule.code, "AIL-J001");
}
