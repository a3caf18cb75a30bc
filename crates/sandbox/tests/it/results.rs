//! Values that go in and come out. `JSON.stringify` determines the JSON of a value.

use aileron_capability::foreign::HandlerFault;
use std::time::Duration;

use serde_json::{Value, json};

use crate::sandbox::{Bench, over_both};

over_both!(
    json_comes_out_as_json_stringify_writes_it,
    what_is_no_json_is_refused,
    a_long_result_is_refused,
    deep_nesting_is_refused,
    lone_surrogates_become_replacement_characters,
    keys_with_a_meaning_are_plain_data,
    numbers_are_those_of_javascript,
    strange_text_survives,
);

fn json_comes_out_as_json_stringify_writes_it(bench: &Bench) {
    for (value, expected) in [
        ("null", json!(null)),
        ("NaN", json!(null)),
        (
            "[Infinity, -Infinity, undefined, () => 1, Symbol()]",
            json!([null, null, null, null, null]),
        ),
        ("{ a: undefined, b() {}, c: 1 }", json!({ "c": 1 })),
        ("new Date(0)", json!("1970-01-01T00:00:00.000Z")),
        ("new Map([[1, 2]])", json!({})),
        ("new Uint8Array(2)", json!({ "0": 0, "1": 0 })),
        ("{ toJSON() { return [1]; } }", json!([1])),
        ("new Proxy({ a: 1 }, {})", json!({ "a": 1 })),
        ("-0", json!(0)),
        ("Object.create({ inherited: 1 })", json!({})),
    ] {
        assert_eq!(bench.run(&format!("return {value};")), Ok(expected), "{value}");
    }
}

fn what_is_no_json_is_refused(bench: &Bench) {
    for (body, why) in [
        ("return;", "execute returned undefined"),
        ("return () => 1;", "execute returned function"),
        ("return Symbol();", "execute returned symbol"),
        ("return 10n;", "BigInt"),
        ("return { a: [10n] };", "BigInt"),
        ("const a = {}; a.a = a; return a;", "circular"),
        ("return new Proxy({}, { ownKeys() { throw new Error('trap'); } });", "Error: trap"),
        ("return { toJSON() { throw new Error('no'); } };", "Error: no"),
        ("return { get a() { throw 'text'; } };", "string: text"),
        (
            "return { toJSON() { throw new ToolError('AUTH', 'not an answer'); } };",
            "ToolError: not an answer",
        ),
    ] {
        match bench.run(body) {
            Err(HandlerFault::BadResult(found)) => assert!(found.contains(why), "{body}: {found}"),
            other => panic!("{body}: {other:?}"),
        }
    }
}

fn a_long_result_is_refused(bench: &Bench) {
    assert_eq!(bench.run("return 'x'.repeat(2_000_000);"), Err(HandlerFault::ResultTooLarge));
    assert_eq!(bench.run("return 'ä'.repeat(600_000);"), Err(HandlerFault::ResultTooLarge));
    assert_eq!(bench.run("return Array(300_000).fill(12345);"), Err(HandlerFault::ResultTooLarge));
    let huge = bench.limited(|limits| {
        limits.memory_bytes = 512 << 20;
        limits.cpu = Duration::from_secs(20);
    });
    assert_eq!(huge.run("return 'x'.repeat(100_000_000);"), Err(HandlerFault::ResultTooLarge));
}

fn deep_nesting_is_refused(bench: &Bench) {
    for depth in [1_000, 100_000] {
        let body = format!("let a = []; for (let i = 0; i < {depth}; i++) a = [a]; return a;");
        let outcome = bench.run(&body);
        assert!(matches!(outcome, Err(HandlerFault::BadResult(_))), "{depth}: {outcome:?}");
    }
}

fn lone_surrogates_become_replacement_characters(bench: &Bench) {
    let outcome =
        bench.run(r"return { 'k\udc00': 'a\ud83d', whole: '\ud83d\ude00', text: '\\ud83d' };");
    let expected = json!({ "k\u{fffd}": "a\u{fffd}", "whole": "\u{1f600}", "text": "\\ud83d" });
    assert_eq!(outcome, Ok(expected));
}

fn keys_with_a_meaning_are_plain_data(bench: &Bench) {
    let args: Value =
        serde_json::from_str(r#"{"__proto__":{"polluted":1},"constructor":{"prototype":{"x":1}}}"#)
            .unwrap();
    let body = "return [args, ({}).polluted ?? null, Object.keys(args), args.polluted ?? null, ({}).x ?? null,
        { ['__proto__']: 1, constructor: 2 }, context.polluted ?? null];";
    let expected: Value = serde_json::from_str(
        r#"[{"__proto__":{"polluted":1},"constructor":{"prototype":{"x":1}}}, null,
            ["__proto__","constructor"], null, null, {"__proto__":1,"constructor":2}, null]"#,
    )
    .unwrap();
    assert_eq!(bench.run_with(args, body), Ok(expected));
}

/// Integers beyond 2^53 are rounded, as `JSON.parse` does.
fn numbers_are_those_of_javascript(bench: &Bench) {
    let args = json!({ "big": 9_007_199_254_740_993_u64, "negative": i64::MIN, "float": 0.1, "tiny": 5e-324 });
    let outcome = bench.run_with(
        args,
        "return [String(args.big), String(args.negative), args.float, args.tiny, 1e21];",
    );
    assert_eq!(outcome, Ok(json!(["9007199254740992", "-9223372036854776000", 0.1, 5e-324, 1e21])));
}

fn strange_text_survives(bench: &Bench) {
    let text = "\u{0}\u{1}\u{7f}\u{2028}\u{feff}\u{10ffff}\"\\/</script>";
    let outcome = bench.run_with(json!({ "text": text, "k\u{0}": 1 }), "return [args.text, args];");
    assert_eq!(outcome, Ok(json!([text, { "text": text, "k\u{0}": 1 }])));
}
