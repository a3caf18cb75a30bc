//! The API behind the page: what a person, a viewer and an operator see and may do.

use std::sync::Arc;
use std::time::Duration;

use aileron_contract::spec::SideEffects;
use aileron_contract::{CallId, ConversationId, Mode};
use aileron_server::{Auth, Tokens};
use aileron_store::{CallScope, CallStart, Lease, ToolStamp};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::client::Client;
use crate::stage::{ADA, ARTIFACT, BOB, Plan, Stage, without_a_tool};

const OPERATOR: &str = "opal-0123456789abcdef";
const VIEWER: &str = "vera-0123456789abcdef";

async fn stage() -> Stage {
    let tokens = format!("ada {ADA}\nbob {BOB}\nopal {OPERATOR} operator\nvera {VIEWER} viewer");
    let auth = Auth::Tokens(Tokens::read(&tokens).unwrap());
    Plan { auth, ..Plan::default() }.start().await
}

fn signed_in(stage: &Stage, token: &str) -> Client {
    stage.stranger().with("authorization", &format!("Bearer {token}"))
}

/// Asks for something that needs approval; the path of the conversation, and the token.
async fn asked(client: &Client, call_id: &str) -> (String, String) {
    let place = client.begin("text").await;
    client.post(&format!("{place}/turns"), json!({ "input": "written" })).await;
    let call = json!({ "callId": call_id, "toolId": "calendar_create_event",
        "args": { "event_draft_id": "draft-kick-off" } });
    let answered = client.post(&format!("{place}/calls"), call).await.json();
    let error = &answered["answers"][0]["response"]["error"];
    assert_eq!(error["type"], "CONFIRMATION_REQUIRED", "{answered}");
    (place, error["confirmation_request"]["token"].as_str().unwrap().to_owned())
}

fn confirmations(page: &Value) -> Vec<Value> {
    page["confirmations"].as_array().unwrap().clone()
}

#[tokio::test]
async fn everybody_learns_their_role() {
    let stage = stage().await;
    for (token, user, role) in
        [(ADA, "ada", "person"), (OPERATOR, "opal", "operator"), (VIEWER, "vera", "viewer")]
    {
        let me = signed_in(&stage, token).get("/v1/me").await.json();
        assert_eq!((&me["user"], &me["role"]), (&json!(user), &json!(role)));
        assert_eq!(me["signIn"], "token");
    }
    let open = Plan { auth: Auth::Open, ..Plan::default() }.start().await;
    let me = open.stranger().get("/v1/me").await.json();
    assert_eq!((&me["user"], &me["role"]), (&Value::Null, &json!("operator")));
}

#[tokio::test]
async fn a_person_sees_their_own_confirmations_and_an_operator_everybodys_without_tokens() {
    let stage = stage().await;
    let (ada, bob) = (stage.ada(), stage.bob());
    let (place, token) = asked(&ada, "call-000001").await;
    asked(&bob, "call-000002").await;
    let mine = confirmations(&ada.get("/v1/confirmations").await.json());
    assert_eq!(mine.len(), 1);
    assert_eq!(mine[0]["token"], json!(token));
    assert_eq!((&mine[0]["mine"], &mine[0]["state"]), (&json!(true), &json!("open")));
    assert_eq!(mine[0]["callId"], "call-000001");
    for token in [OPERATOR, VIEWER] {
        let all = confirmations(&signed_in(&stage, token).get("/v1/confirmations").await.json());
        assert_eq!(all.len(), 2);
        assert!(
            all.iter().all(|one| one.get("token").is_none() && one["mine"] == false),
            "{all:?}"
        );
    }
    // The token is the person's: nobody else can use it.
    let answer = format!("{place}/confirmations/{token}");
    let refused = signed_in(&stage, OPERATOR).post(&answer, json!({ "approve": true })).await;
    assert_eq!(refused.status, 404);
}

#[tokio::test]
async fn decided_confirmations_say_how_by_whom_and_to_what_they_led() {
    let stage = stage().await;
    let ada = stage.ada();
    let (place, token) = asked(&ada, "call-000001").await;
    let approve = json!({ "approve": true, "channel": "click" });
    assert_eq!(ada.post(&format!("{place}/confirmations/{token}"), approve).await.status, 200);
    stage.clock.advance(1000);
    let (place, token) = asked(&ada, "call-000002").await;
    let decline = json!({ "approve": false });
    assert_eq!(ada.post(&format!("{place}/confirmations/{token}"), decline).await.status, 200);
    stage.clock.advance(1000);
    asked(&ada, "call-000003").await;
    stage.clock.advance(301_000);
    let (place, _) = asked(&ada, "call-000004").await;
    assert_eq!(ada.delete(&place).await.status, 204);
    let page = ada.get("/v1/confirmations?state=decided").await.json();
    let decided: Vec<_> = confirmations(&page)
        .into_iter()
        .map(|one| {
            let call = one["callId"].as_str().unwrap().to_owned();
            (
                call,
                one["state"].clone(),
                one["decision"]["channel"].clone(),
                one["decision"]["by"].clone(),
            )
        })
        .collect();
    let row = |call: &str, state: &str, channel: &str, by: Value| {
        (call.to_owned(), json!(state), json!(channel), by)
    };
    assert_eq!(
        decided,
        [
            row("call-000004", "superseded", "end", Value::Null),
            row("call-000003", "expired", "timeout", Value::Null),
            row("call-000002", "declined", "http", json!("ada")),
            row("call-000001", "approved", "click", json!("ada")),
        ]
    );
    assert_eq!(confirmations(&page)[3]["led"]["ok"], true);
    assert_eq!(page["open"], 0);
    let first = ada.get("/v1/confirmations?state=decided&limit=2").await.json();
    let before = first["before"].as_u64().unwrap();
    let rest = ada.get(&format!("/v1/confirmations?state=decided&limit=2&before={before}")).await;
    assert_eq!(confirmations(&rest.json())[0]["callId"], "call-000002");
}

/// A process that dies in the middle of an approved write leaves it begun and never finished.
#[tokio::test]
async fn an_approved_call_that_never_finished_is_listed_as_unknown() {
    let stage = stage().await;
    let ada = stage.ada();
    let (place, _) = asked(&ada, "call-000001").await;
    let id = ConversationId::new(place.rsplit('/').next().unwrap()).unwrap();
    let store = stage.app.store();
    let pending = store.confirmations(&id, 0).await.unwrap().remove(0);
    let call = CallStart {
        scope: Arc::new(CallScope {
            conversation: id,
            user: pending.user.clone(),
            mode: Mode::Text,
            registry_version: String::new(),
            lease: Lease::unowned(),
        }),
        tool: Arc::new(ToolStamp {
            id: "calendar_create_event".to_owned(),
            version: None,
            category: None,
            side_effects: SideEffects::Writes,
            redact: Vec::new(),
        }),
        turn: 1,
        call_id: CallId::new("confirmed-1").unwrap(),
        key: pending.body["asked"]["key"].as_str().unwrap().into(),
        args: Arc::default(),
        given: None,
        time: 1,
        trail: Vec::new(),
    };
    let decision = Arc::new(json!({ "how": "approved", "channel": "click" }));
    drop(store.begin_confirmed(&pending.token, 1, Arc::new(call), decision).await.unwrap());
    let decided = confirmations(&ada.get("/v1/confirmations?state=decided").await.json());
    assert_eq!(decided[0]["state"], "approved");
    assert_eq!(
        (&decided[0]["led"]["ok"], &decided[0]["led"]["outcomeUnknown"]),
        (&json!(false), &json!(true))
    );
}

#[tokio::test]
async fn a_viewer_looks_and_changes_nothing() {
    let stage = stage().await;
    let place = stage.ada().begin("text").await;
    let vera = signed_in(&stage, VIEWER);
    assert_eq!(vera.get(&place).await.status, 200);
    assert_eq!(vera.get(&format!("{place}/messages")).await.status, 200);
    for (method, path, body) in [
        ("POST", "/v1/conversations".to_owned(), Some(json!({ "mode": "text" }))),
        ("POST", format!("{place}/turns"), Some(json!({ "input": "written" }))),
        ("DELETE", place.clone(), None),
        ("DELETE", "/v1/conversations/replay".to_owned(), None),
        ("POST", format!("{place}/confirmations/replay"), Some(json!({ "approve": true }))),
        ("DELETE", "/v1/blocks/ada".to_owned(), None),
        ("POST", "/api/chat".to_owned(), Some(json!({ "message": "Hello" }))),
        ("GET", "/v1/voice".to_owned(), None),
    ] {
        let body = body.map(|body| body.to_string().into_bytes());
        let client = vera.clone().with("accept", "application/json");
        let refused = client.send(method, &path, body).await;
        assert_eq!((refused.status, refused.code()), (403, "VIEWER_ONLY".to_owned()), "{path}");
    }
    let dry =
        json!({ "mode": "text", "calls": [{ "toolId": "kb_get", "args": { "ids": ["a:b"] } }] });
    let decided = vera.post("/v1/dry-run", dry).await;
    assert_eq!(decided.json()["calls"][0]["decision"], "run");
}

#[tokio::test]
async fn a_dry_run_refuses_arguments_that_a_call_would_refuse() {
    let stage = stage().await;
    let twice =
        br#"{"mode":"text","calls":[{"toolId":"kb_search","args":{"query":"a","query":"b"}}]}"#;
    let decided = stage.ada().send("POST", "/v1/dry-run", Some(twice.to_vec())).await.json();
    let call = &decided["calls"][0];
    assert_eq!((&call["decision"], &call["policy"]), (&json!("refuse"), &json!("arguments")));
    assert_eq!(call["error"]["type"], "VALIDATION", "{decided}");
}

#[tokio::test]
async fn a_person_sees_nothing_of_others() {
    let stage = stage().await;
    let (place, _) = asked(&stage.ada(), "call-000001").await;
    let (bob, opal) = (stage.bob(), signed_in(&stage, OPERATOR));
    for below in ["", "/messages", "/turns", "/turns/1", "/script"] {
        assert_eq!(bob.get(&format!("{place}{below}")).await.status, 404, "{below}");
        assert_eq!(opal.get(&format!("{place}{below}")).await.status, 200, "{below}");
    }
    let records = |page: Value| page["records"].as_array().unwrap().len();
    assert_eq!(records(bob.get("/v1/audit").await.json()), 0);
    assert_eq!(records(bob.get("/v1/audit?user=ada").await.json()), 0);
    assert_eq!(bob.get("/v1/audit/1").await.status, 404);
    assert_eq!(bob.get("/v1/audit/export").await.body.len(), "0\r\n\r\n".len());
    assert_eq!(records(opal.get("/v1/audit?user=ada").await.json()), 1);
    assert_eq!(opal.get("/v1/audit/1").await.json()["callId"], "call-000001");
    for path in ["/v1/audit/verify", "/v1/series", "/v1/blocks", "/v1/conversations?all=true"] {
        let refused = bob.get(path).await;
        assert_eq!((refused.status, refused.code()), (403, "OPERATOR_ONLY".to_owned()), "{path}");
        assert_eq!(opal.get(path).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn a_turn_has_its_calls_with_trails_and_times() {
    let stage = stage().await;
    let ada = stage.ada();
    let place = ada.begin("text").await;
    ada.post(&format!("{place}/turns"), json!({ "input": "written" })).await;
    let call =
        json!({ "callId": "call-000001", "toolId": "kb_search", "args": { "query": "Atlas" } });
    ada.post(&format!("{place}/calls"), call).await;
    let turn = ada.get(&format!("{place}/turns/1")).await.json();
    assert_eq!((&turn["source"], &turn["mode"]), (&json!("live"), &json!("text")), "{turn}");
    let call = &turn["calls"][0];
    assert_eq!(call["outcome"], "completed");
    assert_eq!(call["argsUsed"]["top_k"], 5, "defaults are filled in: {call}");
    let trail = call["trail"].as_array().unwrap();
    assert_eq!(trail.len(), 13);
    let budgets = trail.iter().find(|step| step["policy"] == "budgets").unwrap();
    assert_eq!(budgets["measure"]["limit"], 5);
    assert!(call["startedAt"].is_u64() && call["finishedAt"].is_u64());
    assert!(turn["context"]["parts"].as_array().unwrap().len() >= 4);
    let kinds: Vec<_> =
        turn["spans"].as_array().unwrap().iter().map(|it| it["kind"].clone()).collect();
    assert_eq!(kinds, [json!("working")]);
    assert_eq!(ada.get(&format!("{place}/turns/2")).await.status, 404);
}

#[tokio::test]
async fn a_recorded_call_is_decided_again_by_another_registry() {
    let stage = stage().await;
    let ada = stage.ada();
    let place = ada.begin("text").await;
    ada.post(&format!("{place}/turns"), json!({ "input": "written" })).await;
    let call = json!({ "callId": "call-000001", "toolId": "calendar_create_event",
        "args": { "event_draft_id": "draft-kick-off" } });
    ada.post(&format!("{place}/calls"), call).await;
    let old = ada.get("/v1/registries").await.json()["registries"][0]["version"].clone();
    let mut artifact = serde_json::from_str(&ARTIFACT).unwrap();
    stage.app.orchestrator().install(without_a_tool(&mut artifact)).unwrap();
    let report = ada.post(&format!("{place}/replay"), json!({})).await.json();
    assert_eq!(report["then"], old);
    assert_eq!(report["calls"][0]["same"], false, "{report}");
    assert!(report["calls"][0]["now"].as_str().unwrap().starts_with("refused by known_tool"));
    let same = ada.post(&format!("{place}/replay"), json!({ "registryVersion": old })).await.json();
    assert_eq!(same["calls"][0]["same"], true, "{same}");
    let loaded = ada.get("/v1/registries").await.json();
    assert_eq!(loaded["registries"].as_array().unwrap().len(), 2);
    let unknown = ada.post(&format!("{place}/replay"), json!({ "registryVersion": "0" })).await;
    assert_eq!(unknown.status, 404);
    let diff = ada.get(&format!("/v1/registries/{}/diff", old.as_str().unwrap())).await;
    assert_eq!((diff.status, diff.code()), (409, "NO_SOURCES".to_owned()));
}

#[tokio::test]
async fn a_recorded_conversation_is_a_script_that_can_be_read() {
    let stage = stage().await;
    let ada = stage.ada();
    let place = ada.begin("text").await;
    let script = ada.get(&format!("{place}/script")).await;
    let text = String::from_utf8(script.body).unwrap();
    let parsed = aileron_script::parse("recorded", &text).unwrap();
    assert!(parsed.steps.is_empty(), "nothing was said yet");
}

/// Reads server-sent events from a socket.
struct Events(BufReader<TcpStream>);

impl Events {
    async fn open(client: &Client) -> Self {
        let mut stream = client.connect().await;
        let head = client.head("GET", "/v1/events", None);
        stream.write_all(head.as_bytes()).await.unwrap();
        Self(BufReader::new(stream))
    }

    /// The next event: name, id, data.
    async fn next(&mut self) -> (String, String, Value) {
        let (mut name, mut id, mut data) = (String::new(), String::new(), String::new());
        let reading = async {
            loop {
                let mut line = String::new();
                assert!(self.0.read_line(&mut line).await.unwrap() > 0, "the stream ended");
                let line = line.trim_end();
                if let Some(text) = line.strip_prefix("event: ") {
                    text.clone_into(&mut name);
                } else if let Some(text) = line.strip_prefix("id: ") {
                    text.clone_into(&mut id);
                } else if let Some(text) = line.strip_prefix("data: ") {
                    text.clone_into(&mut data);
                } else if line.is_empty() && !data.is_empty() {
                    return;
                }
            }
        };
        timeout(Duration::from_secs(20), reading).await.unwrap();
        (name, id, serde_json::from_str(&data).unwrap())
    }

    async fn find(&mut self, wanted: &str) -> (String, Value) {
        loop {
            let (name, id, data) = self.next().await;
            if name == wanted {
                return (id, data);
            }
        }
    }
}

#[tokio::test]
async fn events_are_those_that_the_reader_may_see() {
    let stage = stage().await;
    let mut ada = Events::open(&stage.ada()).await;
    let mut opal = Events::open(&signed_in(&stage, OPERATOR)).await;
    assert_eq!(ada.next().await.0, "hello");
    assert_eq!(opal.next().await.0, "hello");
    let theirs = stage.bob().begin("text").await;
    let (place, token) = asked(&stage.ada(), "call-000001").await;
    let (_, began) = opal.find("conversation_began").await;
    assert!(theirs.ends_with(began["conversationId"].as_str().unwrap()), "{began}");
    let (_, began) = ada.find("conversation_began").await;
    assert!(place.ends_with(began["conversationId"].as_str().unwrap()), "{began}");
    let (_, asked) = ada.find("confirmation_requested").await;
    assert_eq!(asked["toolId"], "calendar_create_event");
    let approve = json!({ "approve": true });
    stage.ada().post(&format!("{place}/confirmations/{token}"), approve).await;
    let (_, closed) = ada.find("confirmation_closed").await;
    assert_eq!((&closed["how"], &closed["channel"]), (&json!("approved"), &json!("http")));
}

#[tokio::test]
async fn a_stream_resumes_after_the_last_event_and_says_when_it_cannot() {
    let stage = stage().await;
    let mut events = Events::open(&stage.ada()).await;
    let (_, id, _) = events.next().await;
    drop(events);
    let place = stage.ada().begin("text").await;
    let resumed = stage.ada().with("last-event-id", &id);
    let mut events = Events::open(&resumed).await;
    assert_eq!(events.next().await.0, "hello");
    let (name, _, began) = events.next().await;
    assert_eq!(name, "conversation_began");
    assert!(place.ends_with(began["conversationId"].as_str().unwrap()));
    for unknown in ["1-1", "nonsense", &format!("{id}99")] {
        let mut events = Events::open(&stage.ada().with("last-event-id", unknown)).await;
        assert_eq!(events.next().await.0, "reset", "{unknown}");
    }
}

#[tokio::test]
async fn a_stopping_server_ends_its_streams() {
    let mut stage = stage().await;
    let mut events = Events::open(&stage.ada()).await;
    events.next().await;
    stage.ask_to_stop();
    timeout(Duration::from_secs(20), stage.stopped()).await.unwrap();
}
