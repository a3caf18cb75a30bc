//! Lenient reading, value by value.

use super::*;

#[derive(Deserialize)]
struct Sample<'a> {
    #[serde(borrow, default)]
    text: Text<'a>,
    #[serde(default, deserialize_with = "count")]
    count: u64,
    #[serde(default, deserialize_with = "nullable")]
    list: Vec<u8>,
}

fn sample(json: &str) -> Sample<'_> {
    serde_json::from_str(json).unwrap()
}

#[test]
fn text_without_escapes_is_borrowed() {
    assert!(matches!(sample(r#"{"text":"abc="}"#).text.0, Cow::Borrowed("abc=")));
}

#[test]
fn text_with_escapes_is_read_all_the_same() {
    assert_eq!(sample(r#"{"text":"a\u003d\/"}"#).text.as_str(), "a=/");
}

#[test]
fn counts_may_be_numbers_strings_and_null() {
    let counts = [r#"12"#, r#""12""#, "null", "-3", "4.0", "1e400"];
    let read = counts.map(|count| {
        serde_json::from_str::<Sample<'_>>(&format!(r#"{{"count":{count}}}"#)).ok().map(|s| s.count)
    });
    assert_eq!(read, [Some(12), Some(12), Some(0), Some(0), Some(4), None]);
}

#[test]
fn a_list_may_be_null() {
    assert!(sample(r#"{"list":null}"#).list.is_empty());
    assert_eq!(sample(r#"{"list":[1]}"#).list, [1]);
}

#[test]
fn durations_are_seconds_with_a_suffix() {
    let cases = ["9.5s", "0s", "10", "-1s", "infs", "NaNs", "s", ""];
    let read = cases.map(duration);
    let half = Duration::from_millis(9500);
    assert_eq!(read, [Some(half), Some(Duration::ZERO), None, None, None, None, None, None]);
}
