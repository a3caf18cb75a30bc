//! A conversation of an agent that lives elsewhere, from its beginning to its end.

use aileron_contract::{ConversationId, UserId};
use serde_json::{Value, json};

use crate::stage::{Plan, Stage};

fn call(id: &str, tool: &str, args: Value) -> Value {
    json!({ "callId": id, "toolId": tool, "args": args })
}

#[tokio::test]
async fn a_conversation_begins_with_all_its_model_needs() {
    let stage = Stage::usual().await;
    let wanted = json!({ "mode": "voice", "provider": "geminiNative" });
    let begun = stage.ada().post("/v1/conversations", wanted).await;
    assert_eq!(begun.status, 201);
    let found = begun.json();
    let place = begun.header("location").unwrap();
    assert_eq!(
        place,
        format!("/v1/conversations/{}", found["id"].as_str().unwrap()).to_lowercase()
    );
    assert_eq!((&found["mode"], &found["turn"]), (&json!("voice"), &json!(0)));
    assert!(found["registryVersion"].as_str().unwrap().starts_with("1.0."));
    let names: Vec<_> = found["tools"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
    assert!(names.contains(&&json!("kb_search")) && names.contains(&&json!("end_voice_session")));
    assert!(!names.contains(&&json!("calendar_create_event")), "it is not allowed in voice");
    assert!(found["instructions"].as_str().unwrap().contains("kb_search"));
}

#[tokio::test]
async fn a_turn_a_call_and_an_end() {
    let stage = Stage::usual().await;
    let ada = stage.ada();
    let place = ada.begin("text").await;
    let turn = ada.post(&format!("{place}/turns"), json!({ "input": "written" })).await;
    assert_eq!(
        (turn.status, turn.json()),
        (201, json!({ "turn": 1, "questions": [], "tasks": [] }))
    );
    let made = call("call-000001", "kb_search", json!({ "query": "Atlas" }));
    let answered = ada.post(&format!("{place}/calls"), made).await.json();
    assert_eq!(answered["answers"][0]["callId"], "call-000001");
    let response = &answered["answers"][0]["response"];
    assert_eq!(response["ok"], true, "{response}");
    assert_eq!(response["data"]["results"][0]["id"], "project:atlas");
    assert_eq!(response["meta"]["toolId"], "kb_search");
    assert_eq!(ada.get(&place).await.json()["turn"], 1);
    assert_eq!(ada.delete(&place).await.status, 204);
    assert_eq!(ada.delete(&place).await.status, 204, "an end that comes twice is one");
    assert_eq!(ada.get(&place).await.json()["state"], json!({ "is": "ended", "reason": "person" }));
    let late = ada.post(&format!("{place}/turns"), json!({ "input": "written" })).await;
    assert_eq!((late.status, late.code()), (410, "ENDED".to_owned()));
}

#[tokio::test]
async fn a_batch_is_answered_in_its_order_and_budgets_hold() {
    let stage = Stage::usual().await;
    let ada = stage.ada();
    let place = ada.begin("voice").await;
    ada.post(&format!("{place}/turns"), json!({ "input": "spoken", "text": "Atlas?" })).await;
    let calls: Vec<Value> = ["Atlas", "film", "light"]
        .iter()
        .enumerate()
        .map(|(n, query)| call(&format!("call-00000{n}"), "kb_search", json!({ "query": query })))
        .collect();
    let answered = ada.post(&format!("{place}/calls"), json!({ "calls": calls })).await.json();
    let words = answered["answers"].as_array().unwrap().iter();
    let words: Vec<_> = words.map(|answer| &answer["response"]["error"]["type"]).collect();
    assert_eq!(words, [&Value::Null, &Value::Null, &json!("BUDGET_EXCEEDED")]);
}

#[tokio::test]
async fn calls_in_a_providers_form_are_answered_in_that_form() {
    let stage = Stage::usual().await;
    let ada = stage.ada();
    let place = ada.begin("text").await;
    let calls = json!([{ "id": "call_12345678", "type": "function",
        "function": { "name": "kb_get", "arguments": "{\"ids\":[\"project:atlas\"]}" } }]);
    let wanted = json!({ "format": "openai", "calls": calls });
    let answered = ada.post(&format!("{place}/calls"), wanted).await.json();
    assert_eq!(answered["answers"][0]["response"]["ok"], true, "{answered}");
    assert_eq!(answered["native"][0]["tool_call_id"], "call_12345678");
    let content = answered["native"][0]["content"].as_str().unwrap();
    assert!(content.starts_with(r#"{"output":{"#) && content.contains("project:atlas"));
    let wanted =
        json!({ "format": "gemini", "calls": [{ "functionCall": { "name": "nothing" } }] });
    let answered = ada.post(&format!("{place}/calls"), wanted).await.json();
    let native = &answered["native"][0]["functionResponse"];
    assert_eq!(native["response"]["error"]["code"], "NOT_FOUND");
}

#[tokio::test]
async fn a_call_that_comes_twice_is_answered_as_before() {
    let stage = Stage::usual().await;
    let ada = stage.ada();
    let calls = ada.begin("text").await + "/calls";
    let made = call("call-000001", "kb_search", json!({ "query": "Atlas" }));
    let first = ada.post(&calls, made.clone()).await.json();
    let second = ada.post(&calls, made).await.json();
    let (first, second) = (&first["answers"][0]["response"], &second["answers"][0]["response"]);
    assert_eq!(first["data"], second["data"]);
    assert_eq!(second["meta"]["replayed"], true);
}

#[tokio::test]
async fn everybody_sees_their_own_conversations() {
    let stage = Stage::usual().await;
    let (ada, bob) = (stage.ada(), stage.bob());
    let mut mine = vec![ada.begin("text").await, ada.begin("voice").await, ada.begin("text").await];
    bob.begin("text").await;
    // Created at the same time, so the ids decide.
    mine.sort();
    mine.reverse();
    let listed = ada.get("/v1/conversations").await.json();
    let found = |listed: &Value| -> Vec<String> {
        let all = listed["conversations"].as_array().unwrap().iter();
        all.map(|one| format!("/v1/conversations/{}", one["id"].as_str().unwrap())).collect()
    };
    assert_eq!(found(&listed), mine);
    assert_eq!(listed.get("next"), None);
    let first = ada.get("/v1/conversations?limit=2").await.json();
    let next = first["next"].as_str().unwrap();
    let rest = ada.get(&format!("/v1/conversations?limit=2&after={next}")).await.json();
    assert_eq!([found(&first), found(&rest)].concat(), mine);
}

#[tokio::test]
async fn what_others_have_is_not_in_the_way_of_a_persons_list() {
    let stage = Stage::usual().await;
    let ada = stage.ada();
    let mut mine = Vec::new();
    for n in 0..3000_u32 {
        let user = UserId::new(format!("user-{}", n % 500)).unwrap();
        let id = ConversationId::new(format!("{:08x}", n.wrapping_mul(2_654_435_761))).unwrap();
        let body = std::sync::Arc::new(json!({}));
        let lease = aileron_store::Lease::unowned();
        drop(stage.app.store().save_conversation(&id, lease.at(0), Some(&user), body, 1).await);
        if n % 300 == 0 {
            mine.push(ada.begin("text").await);
        }
    }
    mine.sort();
    mine.reverse();
    let (mut found, mut after) = (Vec::new(), String::new());
    for page in 0..4 {
        let listed = ada.get(&format!("/v1/conversations?limit=3{after}")).await.json();
        let some = listed["conversations"].as_array().unwrap();
        assert_eq!(some.len(), if page == 3 { 1 } else { 3 }, "full pages: {listed}");
        found.extend(
            some.iter().map(|one| format!("/v1/conversations/{}", one["id"].as_str().unwrap())),
        );
        after = listed["next"].as_str().map(|next| format!("&after={next}")).unwrap_or_default();
    }
    assert_eq!((found, after), (mine, String::new()));
}

#[tokio::test]
async fn tools_are_listed_and_shown() {
    let stage = Stage::usual().await;
    let ada = stage.ada();
    let all = ada.get("/v1/tools").await.json();
    let voice = ada.get("/v1/tools?mode=voice&provider=anthropic").await.json();
    assert!(all["tools"].as_array().unwrap().len() > voice["tools"].as_array().unwrap().len());
    assert_eq!(voice["tools"][0]["declaration"]["name"], voice["tools"][0]["id"]);
    let shown = ada.get("/v1/tools/kb_search").await.json();
    assert_eq!(shown["spec"]["toolId"], "kb_search");
    assert!(shown["documentation"].as_str().unwrap().starts_with("# kb_search"));
    assert_eq!(shown["declarations"]["openai"]["name"], "kb_search");
    let missing = ada.get("/v1/tools/kb_serch").await;
    assert_eq!(missing.status, 404);
    assert_eq!(missing.json()["error"]["closest"][0], "kb_search");
}

#[tokio::test]
async fn a_conversation_keeps_its_registry_or_says_that_it_is_gone() {
    let stage = Stage::usual().await;
    let ada = stage.ada();
    let place = ada.begin("text").await;
    let store = stage.app.store().clone();
    // Another process has only another registry.
    let mut artifact: Value = serde_json::from_str(&crate::stage::ARTIFACT).unwrap();
    let registry = crate::stage::without_a_tool(&mut artifact);
    let other = Plan { store, registry, ..Plan::default() }.start().await;
    let shown = other.ada().get(&place).await;
    assert_eq!(shown.status, 200, "it can be looked at");
    let refused = other.ada().post(&format!("{place}/turns"), json!({ "input": "written" })).await;
    assert_eq!((refused.status, refused.code()), (409, "REGISTRY_GONE".to_owned()));
    assert_eq!(refused.json()["error"]["pinned"], shown.json()["registryVersion"]);
}
