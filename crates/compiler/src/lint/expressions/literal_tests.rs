//! Places in a text are found again in its literal.

use super::*;

#[track_caller]
fn check(literal: &str, part: &str, expected: &str) {
    let text: String = serde_json::from_str(literal).unwrap();
    let start = text.find(part).unwrap();
    let source = format!("{{\"a\": {literal}}}");
    let place = inside(&source, 6..6 + literal.len(), start..start + part.len());
    assert_eq!(&source[place], expected);
}

#[test]
fn plain_text_stands_where_it_is_written() {
    check(r#""one two""#, "two", "two");
    check(r#""é§ two""#, "two", "two");
}

#[test]
fn escapes_are_counted_as_they_are_written() {
    check(r#""a\nb\tc""#, "c", "c");
    check(r#""say \"two\" now""#, "\"two\"", r#"\"two\""#);
    check(r#""\u00e9\u20ac two""#, "two", "two");
    check(r#""\ud83d\ude00 two""#, "two", "two");
    check(r#""a \ud83d\ude00 b""#, "😀", r"\ud83d\ude00");
}

#[test]
fn what_is_no_literal_is_pointed_at_whole() {
    assert_eq!(inside("[1, 2]", 1..2, 0..5), 1..2);
    assert_eq!(inside("\"ab\"", 0..4, 1..99), 2..3);
}
