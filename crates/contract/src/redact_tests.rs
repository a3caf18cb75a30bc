//! Redacted values, and values that stay.

use serde_json::json;

use super::*;

fn check(value: Value, pointers: &[&str], expected: Value) {
    let pointers: Vec<_> = pointers.iter().map(ToString::to_string).collect();
    assert_eq!(*redacted(&value, &pointers), expected);
}

#[test]
fn a_member_is_hidden_whole() {
    check(json!({"to": ["a", "b"], "x": 1}), &["/to"], json!({"to": "[redacted]", "x": 1}));
}

#[test]
fn an_array_on_the_way_stands_for_its_items() {
    check(
        json!({"c": [{"mail": "a", "n": 1}, {"n": 2}, 3]}),
        &["/c/mail"],
        json!({"c": [{"mail": "[redacted]", "n": 1}, {"n": 2}, 3]}),
    );
    check(json!({"c": [1, 2]}), &["/c/1"], json!({"c": [1, "[redacted]"]}));
}

#[test]
fn escapes_are_read() {
    check(json!({"a/b": 1, "c~d": 2}), &["/a~1b", "/c~0d"], {
        json!({"a/b": "[redacted]", "c~d": "[redacted]"})
    });
}

#[test]
fn a_pointer_to_nothing_hides_nothing() {
    check(json!({"a": 1}), &["/b", "/a/b/c", "/a/0"], json!({"a": 1}));
    check(json!(null), &["/b"], json!(null));
}

#[test]
fn without_pointers_nothing_is_copied() {
    assert!(matches!(redacted(&json!({"a": 1}), &[]), Cow::Borrowed(_)));
}

#[test]
fn a_pointer_is_shown_up_to_what_is_hidden() {
    for (pointer, hidden, shown) in [
        ("/phones/Jon Reed/0", "/phones", "/phones"),
        ("/phones", "/phones", "/phones"),
        ("/people/3/mail/ada@x.org", "/people/mail", "/people/3/mail"),
        ("/people/3/mail/ada@x.org", "/people/3", "/people/3"),
        ("/people/3/name", "/people/mail", "/people/3/name"),
        ("/people/4", "/people/3", "/people/4"),
        ("/people", "/people/mail", "/people"),
        ("/phonesellers", "/phones", "/phonesellers"),
        ("/anything", "", ""),
        ("", "/phones", ""),
    ] {
        let hidden = ["/none".to_owned(), hidden.to_owned()];
        assert_eq!(shown_pointer(pointer, &hidden), shown, "{pointer} with {hidden:?}");
    }
    assert_eq!(shown_pointer("/phones/Jon Reed", &[]), "/phones/Jon Reed");
}

#[test]
fn a_value_is_redacted_by_its_place_in_the_document() {
    let cases = [
        ("/salary", json!(7), "/salary", json!(REDACTED)),
        ("/salary", json!(7), "", json!(REDACTED)),
        ("/salary", json!(7), "/name", json!(7)),
        ("/a~1b", json!([1]), "/a~1b", json!(REDACTED)),
        ("/people", json!([{"mail": "x"}]), "/people/mail", json!([{"mail": REDACTED}])),
        ("/people/name", json!("x"), "/people", json!(REDACTED)),
    ];
    for (place, value, hidden, expected) in cases {
        let found = redacted_at(place, &value, &[hidden.to_owned()]);
        assert_eq!(found, expected, "{place} with {hidden}");
    }
}
