//! Valid and refused front matter.

use serde_json::json;

use super::*;

fn read(yaml: &str) -> Value {
    Value::Object(fields(yaml).unwrap())
}

fn refused(yaml: &str) -> (Option<u64>, String) {
    let flaw = fields(yaml).unwrap_err();
    (flaw.line, flaw.reason)
}

#[test]
fn lists_texts_and_maps_are_read() {
    let yaml = "a: [x, \"y: z\", 'it''s']\nb:\n  - one\n  - 2\nc: >\n  folded\n  text\nd: |\n  kept\n  lines\n# note\nmetadata:\n  deep: {er: [1, {x: null}]}\n";
    let expected = json!({
        "a": ["x", "y: z", "it's"],
        "b": ["one", 2],
        "c": "folded text\n",
        "d": "kept\nlines\n",
        "metadata": {"deep": {"er": [1, {"x": null}]}},
    });
    assert_eq!(read(yaml), expected);
    assert_eq!(read(""), json!({}));
    assert_eq!(read("# only a note\n"), json!({}));
}

#[test]
fn plain_values_are_numbers_only_as_json_writes_them() {
    let yaml = "a: 12\nb: -1.5\nc: 007\nd: 1_000\ne: no\nf: true\ng: ~\nh: \"12\"\ni: 123456789012345678901234567890\nj: 2026-01-10\nk: .inf\n";
    let expected = json!({"a": 12, "b": -1.5, "c": "007", "d": "1_000", "e": "no", "f": true, "g": null,
        "h": "12", "i": "123456789012345678901234567890", "j": "2026-01-10", "k": ".inf"});
    assert_eq!(read(yaml), expected);
}

#[test]
fn fields_that_hold_texts_take_numbers_for_texts() {
    let expected = json!({"title": "1984", "tags": ["2024", "true"], "id": null});
    assert_eq!(read("title: 1984\ntags: [2024, true]\nid: null"), expected);
}

#[test]
fn faults_name_their_line_in_the_file() {
    let cases = [
        ("a: 1\na: 2", 3, "expected every key once, found \"a\" twice"),
        ("a: 1\nb: *x", 3, "expected front matter in YAML, found a fault"),
        ("a: &x 1\nb: *x", 2, "found an anchor or a tag"),
        ("a: &x [1]", 2, "found an anchor or a tag"),
        ("a: !!str 1", 2, "found an anchor or a tag"),
        ("a: 1\n? [x]\n: 2", 3, "found another key"),
        ("just text", 2, "expected fields such as `title: ...`"),
        ("a: 1\nb: [1, 2\n", 4, "found a fault"),
        ("a: 1\n b: 2", 3, "found a fault"),
        ("a: \"open", 2, "found a fault"),
        ("a: 1\n...\nb: 2", 3, "expected one document, found a second"),
    ];
    for (yaml, line, message) in cases {
        let (found, reason) = refused(yaml);
        assert!(reason.contains(message), "{yaml:?}: {reason}");
        assert_eq!(found, Some(line), "{yaml:?}: {reason}");
    }
}

#[test]
fn yaml_that_would_expand_or_nest_deeply_is_refused() {
    let bomb = "a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]\n";
    assert!(refused(bomb).1.contains("anchor"));
    assert!(
        refused(&format!("a: {}{}", "[".repeat(100), "]".repeat(100))).1.contains("few levels")
    );
    assert!(refused(&format!("a: {}", "[".repeat(100_000))).1.contains("found a fault"));
    assert!(refused(&"- ".repeat(MAX_BYTES / 2)).1.contains("few levels"));
    assert!(refused(&format!("a: {}", "x".repeat(MAX_BYTES))).1.contains("at most"));
}

#[test]
fn front_matter_stands_between_fences() {
    let parted = part("--- \na: 1\n---\n\ntext\n---\n").unwrap();
    assert_eq!((parted.yaml, parted.body), ("a: 1\n", "\ntext\n---\n"));
    let parted = part("---\n---").unwrap();
    assert_eq!((parted.yaml, parted.body), ("", ""));
    for text in ["", "---", "text\n---\na: 1\n---\n", "----\n"] {
        assert_eq!(part(text).unwrap().body, text);
    }
    let flaw = part("---\na: 1\n\ntext\n").unwrap_err();
    assert!(flaw.reason.contains("found the end of the file"), "{}", flaw.reason);
}
