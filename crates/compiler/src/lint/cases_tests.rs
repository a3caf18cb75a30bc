//! Cases that are as they should be, and every way in which they are not.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::lint::docs::sample::Sample;

const FAMILY: &str = "AIL-C";

fn sample(cases: &Value) -> Sample {
    Sample::new().file("cases.json", &serde_json::to_string_pretty(cases).unwrap())
}

#[track_caller]
fn check(cases: &Value, expected: &[&str]) {
    sample(cases).check(FAMILY, expected);
}

fn expects(kind: &str) -> Value {
    json!({"ok": false, "error": {"type": kind}})
}

#[test]
fn good_cases_have_no_findings() {
    check(
        &json!([
            {"name": "a", "args": {"query": "x"}, "expect": {"ok": true, "data": {}}},
            {"name": "b", "args": {}, "expect": expects("VALIDATION")},
            {"name": "c", "mode": "voice", "args": {"query": "x"}, "expect": expects("TRANSIENT")},
        ]),
        &[],
    );
}

#[test]
fn faults_of_form_are_reported_with_their_places() {
    let wrong = json!([{"name": "", "agrs": {}, "expect": {"ok": false, "error": {"type": "NOPE"}, "data": 1}}, 5]);
    check(
        &wrong,
        &[
            "C001 cases.json:2 `cases.json` does not fit its format at `/0`: `args` is required",
            "C001 cases.json:3 `cases.json` does not fit its format at `/0`: unknown property `agrs` => did you mean `args`?",
            "C001 cases.json:5 `cases.json` does not fit its format at `/0/expect`: unknown property `data`",
            "C001 cases.json:7 `cases.json` does not fit its format at `/0/expect/error/type`: expected one of \"VALIDATION\", \"NOT_FOUND\", \"INTERNAL\", \"MODE_RESTRICTED\", \"BUDGET_EXCEEDED\", \"CONFIRMATION_REQUIRED\", \"LOOP_DETECTED\", \"RATE_LIMIT\", \"UNAVAILABLE\", \"DENIED\", \"CANCELLED\", \"OUTCOME_UNKNOWN\", … (17 in all), found \"NOPE\"",
            "C001 cases.json:11 `cases.json` does not fit its format at `/0/name`: expected at least 1 characters, found 0",
            "C001 cases.json:13 `cases.json` does not fit its format at `/1`: expected an object, found a number",
        ],
    );
    sample(&wrong).check_places(FAMILY, &["{", "\"agrs\"", "\"data\"", "\"NOPE\"", "\"\"", "5"]);
    check(
        &json!([]),
        &[
            "C001 cases.json:1 `cases.json` does not fit its format: expected at least 1 items, found 0",
        ],
    );
    check(
        &json!({}),
        &[
            "C001 cases.json:1 `cases.json` does not fit its format: expected an array, found an object",
        ],
    );
}

#[test]
fn arguments_have_to_fit_unless_a_refusal_is_expected() {
    let wrong = json!([{"name": "a", "args": {"top_k": 0, "querry": "x"}, "expect": {"ok": true}}]);
    check(
        &wrong,
        &[
            "C002 cases.json:3 arguments of case \"a\" do not fit: `query` is required => correct them, or expect a `VALIDATION` error",
            "C002 cases.json:4 arguments of case \"a\" do not fit: unknown property `querry` => did you mean `query`?",
            "C002 cases.json:5 arguments of case \"a\" do not fit at `/top_k`: expected at least 1, found 0 => correct them, or expect a `VALIDATION` error",
        ],
    );
    sample(&wrong).check_places(FAMILY, &["\"args\"", "\"querry\"", "0"]);
    check(
        &json!([{"name": "a", "args": 5, "expect": expects("INTERNAL")}]),
        &[
            "C002 cases.json:3 arguments of case \"a\" do not fit: expected an object, found a number => correct them, or expect a `VALIDATION` error",
        ],
    );
    check(&json!([{"name": "a", "args": 5, "expect": expects("VALIDATION")}]), &[]);
}

#[test]
fn a_refusal_of_good_arguments_is_not_to_be_expected() {
    check(
        &json!([{"name": "a", "args": {"query": "x"}, "expect": expects("VALIDATION")}]),
        &[
            "C003 cases.json:8 case \"a\" expects `VALIDATION`, but its arguments fit `parameters` => tighten the schema, or expect what the handler answers",
        ],
    );
}

#[test]
fn two_cases_of_one_name_are_reported() {
    let case = |name: &str| json!({"name": name, "args": {"query": "x"}, "expect": {"ok": true}});
    check(
        &json!([case("a"), case("b"), case("a "), case("a")]),
        &[
            "C004 cases.json:27 case \"a \" stands twice, first on line 9 => name each case after what only it shows",
            "C004 cases.json:36 case \"a\" stands twice, first on line 9 => name each case after what only it shows",
        ],
    );
}

#[test]
fn no_cases_are_a_warning() {
    Sample::new().without("cases.json").check(
        FAMILY,
        &["C005 tool has no `cases.json` => write example calls with their expected results; `aileron test` runs them"],
    );
    Sample::new().file("cases.json", "[").check("AIL-C005", &[]);
}

#[test]
fn modes_that_are_not_allowed_can_only_be_refused() {
    let with = |expect: Value| {
        let cases =
            json!([{"name": "a", "mode": "voice", "args": {"query": "x"}, "expect": expect}]);
        sample(&cases).with(json!({"allowedModes": ["text"]}))
    };
    with(json!({"ok": true})).check(
        FAMILY,
        &["C006 cases.json:9 case \"a\" calls in mode `voice`, but the tool allows only `text` => use a mode of `allowedModes`, or expect `MODE_RESTRICTED`"],
    );
    with(expects("MODE_RESTRICTED")).check(FAMILY, &[]);
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        prop_oneof![Just("VALIDATION"), Just("voice"), Just("x")].prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        let names = ["name", "args", "mode", "expect", "ok", "error", "type", "query", "a/b~c"];
        let name = prop::sample::select(names.to_vec()).prop_map(str::to_owned);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(name, inner, 0..5)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_json_is_checked_without_a_crash(cases in any_json(), metadata in any_json()) {
        let fields = json!({
            "modeLimits": {"voice": metadata.clone()}, "redact": [metadata.clone()],
            "confirmation": metadata.clone(), "speech": metadata.clone(),
            "parameters": {"type": "object", "properties": {"query": metadata.clone()}},
            "allowedModes": metadata,
        });
        for finding in sample(&cases).with(fields).findings("AIL") {
            let place = finding.span.clone().unwrap_or_default();
            prop_assert!(finding.source.text.get(place).is_some(), "{finding:?}");
        }
    }
}
