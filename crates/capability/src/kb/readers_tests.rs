//! The text form of read permissions.

use serde_json::json;

use super::*;

#[test]
fn a_reader_is_read_as_it_is_written() {
    for text in ["anyone", "signed-in", "scope:kb:personal"] {
        assert_eq!(text.parse::<ReadPermission>().unwrap().to_string(), text);
    }
}

#[test]
fn what_names_no_reader_is_refused_with_the_words_there_are() {
    for text in ["", "everyone", "Anyone", "scope:", "scope: ", "scope: team", "scope"] {
        let expected = format!("expected `anyone`, `signed-in` or `scope:<name>`, found {text:?}");
        assert_eq!(text.parse::<ReadPermission>().unwrap_err().to_string(), expected);
    }
}

#[test]
fn what_is_left_out_is_as_it_is_without_settings() {
    let readers: Readers = serde_json::from_value(json!({ "studio": "scope:team" })).unwrap();
    assert_eq!(
        readers,
        Readers { studio: ReadPermission::Scope("team".into()), ..Readers::default() }
    );
    assert!(serde_json::from_value::<Readers>(json!({ "finance": "anyone" })).is_err());
}
