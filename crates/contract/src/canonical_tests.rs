//! The samples of RFC 8785, the traps around them, and round trips.

use proptest::prelude::*;
use serde_json::json;

use super::*;

#[track_caller]
fn check(input: &str, canonical: &str) {
    let value: Value = serde_json::from_str(input).unwrap();
    assert_eq!(to_string(&value), canonical);
}

#[test]
fn numbers_are_laid_out_as_ecmascript_does() {
    for (input, canonical) in [
        ("0", "0"),
        ("-0.0", "0"),
        ("1.0", "1"),
        ("4.50", "4.5"),
        ("2e-3", "0.002"),
        ("0.000000000000000000000000001", "1e-27"),
        ("333333333.33333329", "333333333.3333333"),
        ("1E30", "1e+30"),
        ("1e21", "1e+21"),
        ("1e20", "100000000000000000000"),
        ("123456789012345680000.0", "123456789012345680000"),
        ("1e-6", "0.000001"),
        ("1e-7", "1e-7"),
        ("-1.5e-9", "-1.5e-9"),
        ("5e-324", "5e-324"),
        ("1.7976931348623157e308", "1.7976931348623157e+308"),
    ] {
        check(input, canonical);
    }
}

#[test]
fn large_integers_keep_every_digit() {
    check("9007199254740993", "9007199254740993");
    check("18446744073709551615", "18446744073709551615");
    check("-9223372036854775808", "-9223372036854775808");
}

#[test]
fn keys_are_sorted_by_utf16_units() {
    check(
        r#"{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}"#,
        "{\"\\r\":2,\"1\":4,\"\u{80}\":6,\"\u{f6}\":7,\"\u{20ac}\":1,\"\u{1f600}\":5,\"\u{fb33}\":3}",
    );
}

#[test]
fn text_is_escaped_no_more_than_needed() {
    check(r#""\u20ac$\u000F\nA'B\"\\\/\u007f""#, "\"\u{20ac}$\\u000f\\nA'B\\\"\\\\/\u{7f}\"");
}

#[test]
fn white_space_and_order_do_not_matter() {
    let one: Value = serde_json::from_str("{ \"b\": [1, {}], \"a\": null }").unwrap();
    let two: Value = serde_json::from_str("{\"a\":null,\"b\":[1.0,{}]}").unwrap();
    assert_eq!(to_string(&one), "{\"a\":null,\"b\":[1,{}]}");
    assert_eq!(to_string(&one), to_string(&two));
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|n| json!(n)),
        ".*".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(".*", inner, 0..6).prop_map(|m| m.into_iter().collect()),
        ]
    })
}

proptest! {
    #[test]
    fn canonical_text_reads_back_as_itself(value in any_json()) {
        let text = to_string(&value);
        let again: Value = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(to_string(&again), text);
    }

    #[test]
    fn doubles_survive(number in any::<f64>().prop_filter("finite", |n| n.is_finite())) {
        let text = to_string(&json!(number));
        let back: f64 = text.parse().unwrap();
        prop_assert!(back == number);
    }
}
