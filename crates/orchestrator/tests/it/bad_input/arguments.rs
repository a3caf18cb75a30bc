//! Arguments and names that no model should send.

use std::sync::Arc;

use aileron_contract::{Arguments, Mode};
use aileron_store::AuditFilter;
use serde_json::{Map, Value, json};

use super::Target;
use crate::ground::{act, look};
use crate::stage::{Stage, call, word, words};

#[tokio::test]
async fn text_that_is_no_object_is_a_fault_of_the_arguments() {
    let mut target = Target::new("no-object").await;
    let repeated = r#"{"n": 1, "n": 2}"#;
    let nested = r#"{"of": {"a": 1, "a": 1}}"#;
    let surrogates = [r#"{"text": "\ud800"}"#, r#"{"\udc00": 1}"#, r#"{"text": "\ud800\ud800"}"#];
    let plain =
        ["", " ", "null", "[]", "1", "\"{}\"", "true", "{", "{} {}", "{'n': 1}", "\u{feff}{}"];
    for text in plain.into_iter().chain(surrogates).chain([repeated, nested, "{\"n\": 1e999}"]) {
        let said = target.send_text(text).await;
        assert_eq!(said, ["VALIDATION", "VALIDATION", "NOT_FOUND"], "{text}");
    }
    target.check().await;
}

#[tokio::test]
async fn keys_with_a_meaning_elsewhere_are_keys() {
    let mut target = Target::new("proto-keys").await;
    for key in ["__proto__", "constructor", "prototype", "toString", "", "a.b", "a/b", "~", "\u{0}"]
    {
        let args = json!({ key: { "polluted": true } });
        assert_eq!(word(&*target.send("strict", args.clone().into()).await), "VALIDATION", "{key}");
        let answer = target.send("open", args.clone().into()).await;
        assert_eq!(serde_json::to_value(&*answer).unwrap()["data"], args);
    }
    target.check().await;
}

#[tokio::test]
async fn whole_numbers_keep_every_digit() {
    let mut target = Target::new("large-numbers").await;
    for n in
        ["9007199254740993", "-9007199254740993", "9223372036854775807", "18446744073709551615"]
    {
        let answer = target.send("strict", Arguments::parse(&format!("{{\"n\": {n}}}"))).await;
        let answer = serde_json::to_value(&*answer).unwrap();
        assert_eq!(answer["data"]["n"].to_string(), n);
    }
    for n in ["1.5", "\"1\"", "9007199254740993.5e-1", "-0.1", "[1]"] {
        let answer = target.send("strict", Arguments::parse(&format!("{{\"n\": {n}}}"))).await;
        assert_eq!(word(&answer), "VALIDATION", "{n}");
    }
    target.check().await;
}

#[tokio::test]
async fn ten_megabytes_are_turned_away_and_not_recorded_in_full() {
    let mut target = Target::new("large").await;
    let text = "x".repeat(10 << 20);
    let value = json!({ "text": text });
    for tool in ["strict", "open", "absent"] {
        for args in [Arguments::parse(&value.to_string()), Arguments::Value(value.clone())] {
            let answer = target.send(tool, args).await;
            assert!(matches!(word(&answer), "VALIDATION" | "NOT_FOUND"), "{tool}");
            assert!(serde_json::to_string(&*answer).unwrap().len() < 4096);
        }
        let answer = target.send(tool, Arguments::Value(json!(text))).await;
        assert!(serde_json::to_string(&*answer).unwrap().len() < 4096);
    }
    let audit = target.stage.store.audit(AuditFilter::default());
    let largest = audit.map(|record| serde_json::to_string(&record.unwrap()).unwrap().len()).max();
    assert!(largest < Some(64 * 1024), "{largest:?}");
    target.check().await;
}

/// A tool with so many parameters, each of which has to be one of these values.
fn choices(count: usize, allowed: &[String]) -> (Stage, Value) {
    let of_all = |value: Value| -> Value {
        (0..count).map(|n| (format!("f{n:03}"), value.clone())).collect::<Map<_, _>>().into()
    };
    let parameters = json!({ "type": "object", "properties": of_all(json!({ "enum": allowed })) });
    let choose = look("choose", json!({ "parameters": parameters }));
    (Stage::new(&[choose, look("strict", json!({}))]), of_all(json!("other")))
}

/// The answer to arguments that are all wrong.
async fn refusal(name: &str, (stage, args): (Stage, Value)) -> Value {
    let mut target = Target::on(stage, name).await;
    let answer = serde_json::to_value(&*target.send("choose", args.into()).await).unwrap();
    target.check().await;
    assert_eq!(answer["error"]["type"], "VALIDATION");
    answer
}

#[tokio::test]
async fn every_fault_is_listed_with_its_pointer_and_the_allowed_values() {
    let allowed = ["red", "green", "blue"].map(str::to_owned);
    let answer = refusal("thirty-faults", choices(30, &allowed)).await;
    let details = &answer["error"]["details"];
    let fault = |n: usize| {
        json!({
            "pointer": format!("/f{n:03}"),
            "message": r#"expected one of "red", "green", "blue", found "other""#,
            "allowed": allowed,
        })
    };
    let faults: Vec<_> = (0..30).map(fault).collect();
    assert_eq!(*details, json!({ "faults": faults, "total": 30 }));
    assert_eq!(answer["meta"].get("truncated"), None);
}

#[tokio::test]
async fn faults_beyond_the_room_are_left_out_whole_and_counted() {
    let allowed = ["red", "green", "blue"].map(str::to_owned);
    let answer = refusal("many-faults", choices(900, &allowed)).await;
    let details = &answer["error"]["details"];
    let faults = details["faults"].as_array().unwrap();
    for (n, fault) in faults.iter().enumerate() {
        assert_eq!(fault["pointer"], format!("/f{n:03}"));
        assert_eq!(fault["allowed"], json!(allowed));
    }
    let hidden = 900 - faults.len();
    assert_eq!(details["total"], 900);
    assert_eq!(
        details["_truncated"],
        format!("{hidden} of 900 faults are not shown: correct these and call again.")
    );
    assert_eq!(answer["meta"]["truncated"], true);
    assert!(
        (15_000..=16_000).contains(&details.to_string().len()),
        "{}",
        details.to_string().len()
    );
}

#[tokio::test]
async fn a_fault_is_listed_even_if_its_allowed_values_are_too_many() {
    let allowed: Vec<_> = (0..5_000).map(|n| format!("value-{n}")).collect();
    let answer = refusal("long-enum", choices(2, &allowed[..])).await;
    let details = &answer["error"]["details"];
    let pointers: Vec<_> =
        details["faults"].as_array().unwrap().iter().map(|fault| &fault["pointer"]).collect();
    assert_eq!(pointers, ["/f000", "/f001"]);
    assert_eq!(details["_truncated"], "Long lists of allowed values are left out.");
    assert_eq!(answer["meta"]["truncated"], true);
}

/// As text, and as values that were built otherwise.
#[tokio::test]
async fn ten_thousand_levels_do_not_reach_the_stack() {
    let mut target = Target::new("deep").await;
    let text = format!("{}{}", "{\"a\":".repeat(10_000), "}".repeat(10_000));
    assert_eq!(target.send_text(&text).await, ["VALIDATION", "VALIDATION", "NOT_FOUND"]);
    assert_eq!(
        target.send_text(&"[".repeat(10_000)).await,
        ["VALIDATION", "VALIDATION", "NOT_FOUND"]
    );
    for tool in ["strict", "open", "absent"] {
        for wrap in [in_object, in_array] as [fn(Value) -> Value; 2] {
            let deep = (0..10_000).fold(json!(1), |inner, _| wrap(inner));
            let answer = target.send(tool, Arguments::Value(deep)).await;
            assert!(matches!(word(&answer), "VALIDATION" | "NOT_FOUND"), "{tool}");
        }
    }
    target.check().await;
}

fn in_object(inner: Value) -> Value {
    Value::Object([("a".to_owned(), inner)].into_iter().collect())
}

fn in_array(inner: Value) -> Value {
    Value::Array(vec![inner])
}

#[tokio::test]
async fn a_name_of_a_megabyte_is_answered_in_short() {
    let mut target = Target::new("long-name").await;
    for name in ["x".repeat(1 << 20), "strict".repeat(1 << 17), "\u{1f9e8}".repeat(1 << 18)] {
        let answer = target.send(&name, Arguments::default()).await;
        assert_eq!(word(&answer), "NOT_FOUND");
        assert!(serde_json::to_string(&*answer).unwrap().len() < 4096);
    }
    for event in target.stage.memo.events() {
        assert!(format!("{event:?}").len() < 8192);
    }
    target.check().await;
}

#[tokio::test]
async fn names_that_are_almost_right_are_not_right() {
    let mut target = Target::new("almost").await;
    for name in
        ["", " strict", "Strict", "strict ", "strict\u{0}", "../strict", "ѕtrict", "strict_"]
    {
        assert_eq!(word(&*target.send(name, Arguments::default()).await), "NOT_FOUND", "{name:?}");
    }
    target.check().await;
}

#[tokio::test]
async fn a_thousand_bad_calls_in_a_message_are_a_thousand_answers() {
    let stage = Stage::new(&[look("strict", json!({}))]);
    let target = Target::on(stage, "thousand").await;
    let calls: Vec<_> = (0..1000)
        .map(|n| {
            let tool = if n % 2 == 0 { "strict" } else { "absent" };
            call(&format!("bad-{n:05}"), tool, json!({ "n": format!("no number {n}") }))
        })
        .collect();
    let answers = target.conversation.call(calls).await;
    let expected = |n: usize| match n {
        _ if n % 2 == 1 => "NOT_FOUND",
        0 | 2 => "VALIDATION",
        // By then it is the same error for the third time.
        _ => "LOOP_DETECTED",
    };
    assert_eq!(words(&answers), (0..1000).map(expected).collect::<Vec<_>>());
    assert_eq!(target.stage.records().len(), 1000);
}

#[tokio::test]
async fn an_id_that_comes_a_thousand_times_is_one_call() {
    let stage = Stage::new(&[look("strict", json!({}))]);
    let target = Target::on(stage, "one-id").await;
    let calls = (0..1000).map(|_| call("call-same", "strict", json!({ "n": 1 }))).collect();
    let answers = target.conversation.call(calls).await;
    let first = serde_json::to_value(&*answers[0]).unwrap();
    let is_same =
        |answer: &Arc<_>| serde_json::to_value(&**answer).unwrap()["data"] == first["data"];
    assert!(answers.iter().all(is_same));
    assert_eq!(target.stage.records(), ["call-same completed"]);
}

#[tokio::test]
async fn an_id_of_a_thousand_calls_names_each_of_them() {
    let stage = Stage::new(&[look("strict", json!({}))]);
    let target = Target::on(stage, "one-id-for-many").await;
    let calls = (0..1000).map(|n| call("call-same", "strict", json!({ "n": n }))).collect();
    let answers = words(&target.conversation.call(calls).await);
    let ran = answers.iter().take_while(|word| **word == "ok").count();
    assert!(ran > 0 && answers[ran..].iter().all(|word| *word == "BUDGET_EXCEEDED"), "{answers:?}");
    assert_eq!(target.stage.records().len(), 1000);
}

#[tokio::test]
async fn a_flood_of_bad_arguments_hides_no_call_that_was_made() {
    let stage = Stage::new(&[look("look", json!({})), act("act", json!({}))]);
    let conversation = stage.open(Mode::Text).await;
    let one = async |id| word(&conversation.call(vec![call(id, "act", json!({}))]).await[0]);
    assert_eq!(one("c1").await, "ok");
    let unknown = |n: usize| call(&format!("call-{n:05}"), "look", json!({ format!("n{n}"): n }));
    let answers = conversation.call((0..2000).map(unknown).collect()).await;
    assert!(answers.iter().all(|answer| word(answer) == "VALIDATION"));
    assert_eq!([one("c1").await, one("c2").await], ["ok", "ok"]);
    assert_eq!(one("c3").await, "LOOP_DETECTED");
    let made = stage.records().into_iter().filter(|record| record.ends_with("completed"));
    assert_eq!(made.collect::<Vec<_>>(), ["c1 completed"]);
}
