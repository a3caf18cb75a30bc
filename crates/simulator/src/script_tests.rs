//! The position in a script, from the model's input.

use aileron_contract::CallId;
use serde_json::json;

use super::*;
use crate::simulated_model::{Channel, ModelCall as Made, ModelCallResult};
use crate::vad::AudioCoding;

const SCRIPT: &str = r#"---
mode: voice
---
```script
person says "Find Atlas"
model thinks "A search will do."
model calls call-000001 kb_search {"query": "Atlas"}
  -> ok
model says "Atlas is a film."
person says "Book Orion"
model says "One moment."
model calls call-000002 book_room {"room": "Orion"}
  -> CONFIRMATION_REQUIRED
and call-000003 book_room {"room": "Vega"}
  -> CONFIRMATION_REQUIRED
model calls call-000004 confirm {"token": "$token"}
  -> VALIDATION
```
"#;

fn model() -> ScriptBrain {
    ScriptBrain::new(&aileron_script::parse("test", SCRIPT).unwrap())
}

fn heard(text: &str) -> HistoryItem {
    HistoryItem::Heard { text: text.into(), channel: Channel::Spoken }
}

fn called(id: &str) -> HistoryItem {
    let id = CallId::new(id).unwrap();
    HistoryItem::Called(Made { id, name: "kb_search".into(), args: Map::new() })
}

fn returned(id: &str, result: Value) -> HistoryItem {
    HistoryItem::Returned(ModelCallResult {
        id: CallId::new(id).unwrap(),
        name: "kb_search".into(),
        result,
    })
}

fn said(text: &str) -> HistoryItem {
    HistoryItem::Said { text: text.into() }
}

/// The model's actions after these items, in short form.
fn next(items: Vec<HistoryItem>) -> Vec<String> {
    let scene = ModelInput { items, ..ModelInput::default() };
    let steps = model().steps(&scene);
    let shown = steps.iter().map(|step| match step {
        ModelAction::Think(text) => format!("thinks {text}"),
        ModelAction::Say(text) => format!("says {text}"),
        ModelAction::Call(calls) => {
            let calls = calls.iter().map(|call| format!("{} {}", call.name, json!(call.args)));
            calls.collect::<Vec<_>>().join(" & ")
        }
    });
    shown.collect()
}

#[test]
fn each_turn_goes_on_after_what_was_seen() {
    let mut items = vec![heard("find atlas!")];
    assert_eq!(
        next(items.clone()),
        ["thinks A search will do.", "kb_search {\"query\":\"Atlas\"}"]
    );
    items.extend([called("call-000001"), returned("call-000001", json!({ "output": 1 }))]);
    assert_eq!(next(items.clone()), ["says Atlas is a film."]);
    items.extend([said("Atlas is a film."), heard("Something else")]);
    let booking = "book_room {\"room\":\"Orion\"} & book_room {\"room\":\"Vega\"}";
    assert_eq!(next(items.clone()), ["says One moment.", booking]);
    items.extend([said("One moment."), called("call-000002"), called("call-000003")]);
    let asked = json!({ "error": { "confirmation_request": { "token": "t-1" } } });
    items.extend([returned("call-000002", asked), returned("call-000003", json!({}))]);
    assert_eq!(next(items.clone()), ["confirm {\"token\":\"t-1\"}"]);
    items.extend([called("call-000004"), returned("call-000004", json!({}))]);
    assert_eq!(next(items.clone()), Vec::<String>::new());
    items.push(heard("And then?"));
    assert_eq!(next(items), [format!("says {OVER}")]);
}

#[test]
fn a_turn_that_was_cut_short_is_left_behind() {
    let items =
        vec![heard("Find Atlas"), called("call-000001"), said("Atlas is"), heard("Book Orion")];
    assert_eq!(next(items)[0], "says One moment.");
}

#[test]
fn a_result_in_words_is_not_the_person() {
    let items = vec![
        heard("Find Atlas"),
        called("call-000001"),
        heard("The result of call-000001 is {\"output\": 1}"),
    ];
    assert_eq!(next(items), ["says Atlas is a film."]);
}

#[test]
fn sound_has_the_words_of_the_next_line() {
    let scene = |items| ModelInput { items, ..ModelInput::default() };
    let sound = UtteranceAudio { bytes: Vec::new(), coding: AudioCoding::ULaw, lasted_ms: 900 };
    let words = |scene: &ModelInput| model().transcribe(&sound, scene);
    assert_eq!(words(&scene(Vec::new())).as_deref(), Some("Find Atlas"));
    let later = scene(vec![heard("Find Atlas"), called("call-000001"), said("Atlas is a film.")]);
    assert_eq!(words(&later).as_deref(), Some("Book Orion"));
    let over = scene(vec![heard("Find Atlas"), heard("Book Orion")]);
    assert_eq!(words(&over), None);
}

#[test]
fn results_of_calls_that_this_connection_never_made_keep_the_place() {
    let told = "[This is not from the person. Earlier in this conversation a tool answered. Tool: \
                kb_search. Call: call-000001. Result: {}]";
    assert_eq!(next(vec![heard("Find Atlas"), heard(told)]), ["says Atlas is a film."]);
    let history = vec![heard("Find Atlas"), heard(told), said("Atlas is a film.")];
    let booked = [history, vec![heard("Book Orion")]].concat();
    assert_eq!(next(booked)[0], "says One moment.");
}

#[test]
fn what_was_said_after_a_call_passes_the_call_that_nobody_tells_of() {
    for words in ["Atlas is a film.", "Atlas is"] {
        let history = vec![heard("Find Atlas"), said(words), heard("Book Orion")];
        assert_eq!(next(history)[0], "says One moment.", "{words}");
    }
}
