//! Where a value is masked, and where it is not.

use base64_simd::{STANDARD, URL_SAFE};
use serde_json::json;

use super::*;

const KEY: &str = "s3cr\"t/key+42 ö";

fn masks(value: &str) -> Masks {
    let masks = Masks::default();
    masks.add("KEY", value);
    masks
}

fn text(value: &str, text: &str) -> String {
    masks(value).text(text).into_owned()
}

#[test]
fn a_long_value_is_masked_wherever_it_stands() {
    assert_eq!(text(KEY, KEY), "[secret:KEY]");
    assert_eq!(text(KEY, &format!("x{KEY}y {KEY}")), "x[secret:KEY]y [secret:KEY]");
    assert_eq!(text(KEY, "s3cr"), "s3cr");
}

#[test]
fn it_is_masked_in_the_spellings_of_services() {
    for spelt in [
        r#"s3cr\"t/key+42 ö"#.to_owned(),
        "s3cr\"t~1key+42 ö".to_owned(),
        "s3cr%22t%2Fkey%2B42%20%C3%B6".to_owned(),
        "s3cr%22t%2fkey%2b42%20%c3%b6".to_owned(),
        "s3cr%22t%2Fkey%2B42+%C3%B6".to_owned(),
        KEY.bytes().map(|byte| format!("{byte:02x}")).collect(),
    ] {
        assert_eq!(text(KEY, &format!("<{spelt}>")), "<[secret:KEY]>", "{spelt}");
    }
}

#[test]
fn it_is_masked_in_base64_at_every_offset() {
    for before in ["", "u", "us", "usr", "user:"] {
        for after in ["", "a", "ab"] {
            for encoded in [
                STANDARD.encode_to_string(format!("{before}{KEY}{after}")),
                URL_SAFE.encode_to_string(format!("{before}{KEY}{after}")),
            ] {
                let shown = text(KEY, &encoded);
                assert!(shown.contains("[secret:KEY]"), "{before} {after}: {shown}");
                assert!(shown.len() < "[secret:KEY]".len() + 16, "{before} {after}: {shown}");
            }
        }
    }
}

#[test]
fn short_values_do_not_hide_what_is_theirs_by_chance() {
    assert_eq!(
        text("1234", "code 1234, order 12345, a1234"),
        "code [secret:KEY], order 12345, a1234"
    );
    assert_eq!(text("ab", "a cab about ab"), "a cab about ab");
    assert_eq!(text("ab", "ab"), "[secret:KEY]");
    assert_eq!(text("", "anything"), "anything");
}

#[test]
fn names_numbers_and_nested_values_are_masked() {
    let masks = masks("12345678");
    let value = json!({ "a": [12345678, "x12345678"], "k12345678": { "b": null }, "n": 123456789 });
    let shown = json!({
        "a": ["[secret:KEY]", "x[secret:KEY]"], "k[secret:KEY]": { "b": null }, "n": 123456789,
    });
    assert_eq!(masks.value(value), shown);
}

#[test]
fn a_secret_within_another_does_not_show_the_rest_of_it() {
    let masks = masks("password");
    masks.add("LONG", "password-of-the-house");
    assert_eq!(masks.text("is password-of-the-house"), "is [secret:LONG]");
}

#[test]
fn without_secrets_nothing_is_looked_at() {
    assert!(Masks::default().is_empty());
    assert!(matches!(Masks::default().text("x"), Cow::Borrowed("x")));
}

#[test]
fn its_debug_form_shows_no_value() {
    assert!(!format!("{:?}", masks("hush-hush-hush")).contains("hush"));
}
