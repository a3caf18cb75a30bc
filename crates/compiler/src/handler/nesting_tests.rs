//! Counting brackets.

use super::*;

#[test]
fn deep_brackets_are_found_where_they_become_too_deep() {
    for open in ["(", "[", "{", "`${"] {
        let text = open.repeat(DEEPEST + 1);
        assert!(too_deep(&text).is_some(), "{open}");
    }
    assert_eq!(too_deep(&"(".repeat(DEEPEST + 1)), Some(DEEPEST));
    assert_eq!(too_deep(&"(".repeat(DEEPEST)), None);
    assert_eq!(too_deep(&"()".repeat(5 * DEEPEST)), None);
}

#[test]
fn rows_of_angles_are_found() {
    assert_eq!(too_deep(&"a<".repeat(DEEPEST + 1)), Some(2 * DEEPEST + 1));
    assert_eq!(too_deep(&"a<b;".repeat(5 * DEEPEST)), None);
}

#[test]
fn brackets_in_texts_do_not_count() {
    let many = "(".repeat(2 * DEEPEST);
    for text in [
        format!("'{many}'"),
        format!("\"\\\"{many}\""),
        format!("`\\`{many}`"),
        format!("`a${{`{many}`}}{many}`"),
        format!("// {many}"),
        format!("/* {many} */"),
    ] {
        assert_eq!(too_deep(&text), None);
        assert!(too_deep(&format!("{text}\n{many}")).is_some());
    }
}

#[test]
fn texts_without_end_end() {
    for text in ["'", "'\\", "\"a\n", "`", "`\\", "`${", "//", "/*", "/*/", "}", "`${}"] {
        assert_eq!(too_deep(text), None, "{text}");
    }
}
