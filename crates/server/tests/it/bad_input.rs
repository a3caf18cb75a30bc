//! Malformed requests. Each is answered with a clear error, and the server continues.

use std::time::Duration;

use aileron_server::RequestLimits;
use aileron_store::AuditFilter;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::client::read;
use crate::stage::{Plan, Stage};

async fn check(path: &str, body: &[u8], expected: (u16, &str)) {
    let stage = Stage::usual().await;
    let ada = stage.ada();
    let place = ada.begin("text").await;
    let path = path.replace("{}", &place);
    let refused = ada.send("POST", &path, Some(body.to_vec())).await;
    let text = String::from_utf8_lossy(body).chars().take(80).collect::<String>();
    assert_eq!((refused.status, refused.code().as_str()), expected, "{path} {text}");
    assert_eq!(ada.get("/health").await.status, 200);
}

#[tokio::test]
async fn broken_json() {
    for body in ["", "{", "{\"mode\"", "{\"mode\":\"text\"}}", "\u{0}", "nonsense", "\"\\ud800\""] {
        check("/v1/conversations", body.as_bytes(), (400, "INVALID_JSON")).await;
        check("{}/calls", body.as_bytes(), (400, "INVALID_JSON")).await;
    }
    check("/v1/conversations", b"{\"mode\":\"\xff\"}", (400, "INVALID_JSON")).await;
    let deep = "[".repeat(100_000);
    check("{}/calls", deep.as_bytes(), (400, "INVALID_JSON")).await;
}

#[tokio::test]
async fn wrong_types_and_unknown_members() {
    for (path, body) in [
        ("/v1/conversations", "[]"),
        ("/v1/conversations", "null"),
        ("/v1/conversations", "{}"),
        ("/v1/conversations", r#"{"mode":"TEXT"}"#),
        ("/v1/conversations", r#"{"mode":1}"#),
        ("/v1/conversations", r#"{"mode":"text","provider":"openia"}"#),
        ("/v1/conversations", r#"{"mode":"text","user":"bob"}"#),
        ("{}/turns", "{}"),
        ("{}/turns", r#"{"input":"shouted"}"#),
        ("{}/turns", r#"{"input":"written","text":5}"#),
        ("{}/calls", "[]"),
        ("{}/calls", "{}"),
        ("{}/calls", r#"{"calls":[]}"#),
        ("{}/calls", r#"{"calls":{}}"#),
        ("{}/calls", r#"{"callId":"","toolId":"kb_search"}"#),
        ("{}/calls", r#"{"callId":"a\u0000b","toolId":"kb_search"}"#),
        ("{}/calls", r#"{"callId":"call-1","toolId":7}"#),
        ("{}/calls", r#"{"callId":"confirmed-0123456789","toolId":"kb_search"}"#),
        ("/v1/conversations", r#"["text",null]"#),
        ("{}/calls", r#"["call-1","kb_search",{}]"#),
        ("{}/calls", r#"{"calls":[["call-1","kb_search"]]}"#),
        ("{}/interruptions", "[null]"),
        ("{}/confirmations/x", "[true]"),
        ("{}/calls", r#"{"format":"cohere","calls":[{}]}"#),
        ("{}/calls", r#"{"format":"openai","calls":[]}"#),
        ("{}/calls", r#"{"format":"anthropic","calls":[{"id":"x"}]}"#),
        ("{}/confirmations/x", r#"{"approve":"yes"}"#),
        ("{}/interruptions", r#"{"calls":"all"}"#),
    ] {
        check(path, body.as_bytes(), (400, "INVALID_REQUEST")).await;
    }
}

#[tokio::test]
async fn a_query_that_cannot_be_read_is_quoted_with_its_fault() {
    let stage = Stage::usual().await;
    let refused = stage.ada().get("/v1/conversations?limit=-1").await;
    assert_eq!((refused.status, refused.code().as_str()), (400, "INVALID_REQUEST"));
    let message = refused.json()["error"]["message"].as_str().unwrap().to_owned();
    assert_eq!(
        message,
        "the query `?limit=-1` cannot be read: limit: invalid digit found in string"
    );
}

#[tokio::test]
async fn a_conversation_in_text_hears_nothing() {
    let body = br#"{"input":"spoken","text":"yes"}"#;
    check("{}/turns", body, (409, "OTHER_MODE")).await;
}

#[tokio::test]
async fn more_calls_than_a_message_may_have() {
    let calls: Vec<_> =
        (0..1001).map(|n| json!({ "callId": format!("c{n}"), "toolId": "x" })).collect();
    let body = json!({ "calls": calls }).to_string();
    check("{}/calls", body.as_bytes(), (400, "INVALID_REQUEST")).await;
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_the_gates_to_refuse() {
    let stage = Stage::usual().await;
    let ada = stage.ada();
    let calls = ada.begin("text").await + "/calls";
    for args in [json!(null), json!("x"), json!([1]), json!({ "query": 7 })] {
        let call = json!({ "callId": "c", "toolId": "kb_search", "args": args });
        let answered = ada.post(&calls, call).await;
        assert_eq!(answered.status, 200);
        let error = &answered.json()["answers"][0]["response"]["error"];
        assert_eq!(error["type"], "VALIDATION", "{args}");
    }
}

/// Invalid arguments of one call are answered and recorded for that call; the others are made.
#[tokio::test]
async fn arguments_that_cannot_be_read_are_that_calls_alone() {
    let stage = Stage::usual().await;
    let ada = stage.ada();
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    for (n, args) in [
        r#"{"query":"a","query":"b"}"#.to_owned(),
        r#"{"query":"\ud800"}"#.to_owned(),
        format!(r#"{{"query":{deep}}}"#),
    ]
    .iter()
    .enumerate()
    {
        let calls = ada.begin("text").await + "/calls";
        let body = format!(
            r#"{{"calls":[{{"callId":"bad-{n:07}","toolId":"kb_search","args":{args}}},
                {{"callId":"good-{n:07}","toolId":"format_datetime","args":{{}}}}]}}"#
        );
        let answered = ada.send("POST", &calls, Some(body.into_bytes())).await;
        assert_eq!(answered.status, 200, "{answered:?}");
        let answers = answered.json()["answers"].clone();
        assert_eq!(answers[0]["response"]["error"]["type"], "VALIDATION", "{answers}");
        assert_eq!(answers[1]["callId"], format!("good-{n:07}"));
    }
    let gemini =
        r#"{"format":"gemini","calls":[{"name":"kb_search","args":{"query":"a","query":"b"}}]}"#;
    let calls = ada.begin("text").await + "/calls";
    let answered = ada.send("POST", &calls, Some(gemini.into())).await.json();
    assert_eq!(answered["answers"][0]["response"]["error"]["type"], "VALIDATION", "{answered}");
    let records = stage.app.store().audit(AuditFilter::default()).map(|it| it.unwrap().entry);
    let refused = records.filter(|entry| entry.tool_id == "kb_search").count();
    assert_eq!(refused, 4);
}

/// The one limit of a body is the setting's, for every route.
#[tokio::test]
async fn a_body_within_the_limit_is_read_whatever_its_size() {
    let limits = RequestLimits { body_bytes: 12 << 20, ..Plan::default().limits };
    let stage = Plan { limits, ..Plan::default() }.start().await;
    let ada = stage.ada();
    let padded =
        |text: &str, size: usize| Some([text.as_bytes(), &vec![b' '; size - text.len()]].concat());
    let begun = ada.send("POST", "/v1/conversations", padded(r#"{"mode":"text"}"#, 12 << 20)).await;
    assert_eq!(begun.status, 201, "{}", begun.head);
    let chat = ada.send("POST", "/api/chat", padded(r#"{"message":"Hi"}"#, 12 << 20)).await;
    assert_eq!(chat.status, 503, "it is read, and nobody is there to answer");
    for path in ["/v1/conversations", "/api/chat"] {
        let client = ada.clone().with("accept", "application/json");
        let refused = client.send("POST", path, padded("{}", (12 << 20) + 1)).await;
        assert_eq!((refused.status, refused.code()), (413, "BODY_TOO_LARGE".to_owned()));
        let message = refused.json()["error"]["message"].as_str().unwrap().to_owned();
        assert!(message.starts_with("expected at most 12582912 bytes in the body"), "{message}");
    }
}

#[tokio::test]
async fn a_body_of_20_mb() {
    let stage = Stage::usual().await;
    let ada = stage.ada();
    let refused = ada.send("POST", "/v1/conversations", Some(vec![b' '; 20 << 20])).await;
    assert_eq!((refused.status, refused.code()), (413, "BODY_TOO_LARGE".to_owned()));
    // Without a length, it is found out on the way.
    let mut stream = ada.connect().await;
    let head = ada.head("POST", "/v1/conversations", None);
    let chunked = "transfer-encoding: chunked\r\ncontent-type: application/json\r\n\r\n";
    stream.write_all(format!("{}{chunked}", &head[..head.len() - 2]).as_bytes()).await.unwrap();
    let chunk = [format!("{:x}\r\n", 1 << 20).into_bytes(), vec![b' '; 1 << 20], b"\r\n".to_vec()];
    for _ in 0..20 {
        if stream.write_all(&chunk.concat()).await.is_err() {
            break;
        }
    }
    assert_eq!(read(&mut stream).await.status, 413);
}

/// Most clients send all of a body before they read: none of it may be met with a reset.
#[tokio::test]
async fn a_client_that_sends_all_of_a_body_before_it_reads_reads_why_it_is_refused() {
    let stage = Stage::usual().await;
    let body = vec![b' '; 20 << 20];
    let nobody = (stage.stranger(), 401);
    for (client, status) in [(stage.ada(), 413), nobody] {
        let mut stream = client.connect().await;
        let head = client.head("POST", "/v1/conversations", Some(&body));
        let head = head.replace("connection: close\r\n", "");
        stream.write_all(head.as_bytes()).await.unwrap();
        for piece in body.chunks(64 << 10) {
            stream.write_all(piece).await.unwrap();
        }
        assert_eq!(read(&mut stream).await.status, status);
    }
}

#[tokio::test]
async fn a_refused_body_is_the_last_of_its_connection() {
    let stage = Stage::usual().await;
    let ada = stage.ada();
    let mut stream = ada.connect().await;
    let head = ada.head("POST", "/v1/conversations", Some(&vec![0; 20 << 20]));
    let head = head.replace("connection: close\r\n", "");
    stream.write_all(head.as_bytes()).await.unwrap();
    let refused = read(&mut stream).await;
    assert_eq!((refused.status, refused.header("connection")), (413, Some("close")));
}

#[tokio::test]
async fn a_body_that_does_not_say_that_it_is_json() {
    let stage = Stage::usual().await;
    for kind in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""] {
        let client =
            stage.ada().with("content-type", kind).with("accept", "text/html, application/json");
        for path in ["/v1/conversations", "/api/chat"] {
            let refused = client.post(path, json!({ "mode": "text", "message": "Hi" })).await;
            let found = (refused.status, refused.code());
            assert_eq!(found, (415, "UNSUPPORTED_MEDIA_TYPE".to_owned()), "{path}");
        }
    }
    let client = stage.ada().with("content-type", "Application/JSON; charset=utf-8");
    assert_eq!(client.post("/v1/conversations", json!({ "mode": "text" })).await.status, 201);
}

#[tokio::test]
async fn what_is_not_there() {
    let stage = Stage::usual().await;
    let ada = stage.ada();
    for path in ["/v1", "/v1/nothing", "/v1/conversations/", "/v2/tools", "/%2e%2e/etc/passwd"] {
        let missing = ada.get(path).await;
        assert_eq!((missing.status, missing.code()), (404, "NOT_FOUND".to_owned()), "{path}");
    }
    for path in ["/v1/conversations/unknown", "/v1/conversations/%ff", "/v1/conversations/%00"] {
        let missing = ada.get(path).await;
        assert_eq!((missing.status, missing.code()), (404, "NOT_FOUND".to_owned()), "{path}");
    }
    let wrong = ada.put("/v1/conversations", json!({})).await;
    assert_eq!((wrong.status, wrong.code()), (405, "METHOD_NOT_ALLOWED".to_owned()));
    assert_eq!(wrong.header("allow"), Some("post,get,head"), "{}", wrong.head);
}

#[tokio::test]
async fn whoever_opens_the_server_in_a_browser_finds_where_things_are() {
    let stage = Stage::usual().await;
    let page = stage.stranger().get("/").await;
    let text = String::from_utf8(page.body.clone()).unwrap();
    assert_eq!(
        (page.status, page.header("content-type")),
        (200, Some("text/plain; charset=utf-8"))
    );
    for words in
        ["POST /api/chat", "GET  /openapi.json", "GET  /health", "curl -N http://127.0.0.1:"]
    {
        assert!(text.contains(words), "{words} in {text}");
    }
}

#[tokio::test]
async fn somebody_elses_conversation_is_answered_like_one_that_is_not_there() {
    let stage = Stage::usual().await;
    let place = stage.ada().begin("text").await;
    let unknown = "/v1/conversations/AAAAAAAAAAAAAAAAAAAAAA";
    let bob = stage.bob();
    for (method, below, body) in [
        ("GET", "", None),
        ("DELETE", "", None),
        ("PUT", "/mode", Some(json!({ "mode": "voice" }))),
        ("POST", "/turns", Some(json!({ "input": "written" }))),
        ("POST", "/calls", Some(json!({ "callId": "c", "toolId": "kb_search" }))),
        ("POST", "/interruptions", Some(json!({}))),
        ("POST", "/confirmations/x", Some(json!({ "approve": true }))),
    ] {
        let body = body.map(|body| body.to_string().into_bytes());
        let theirs = bob.send(method, &format!("{place}{below}"), body.clone()).await;
        let nobodys = bob.send(method, &format!("{unknown}{below}"), body).await;
        assert_eq!(theirs.status, 404, "{method} {below}");
        assert_eq!(theirs.body, nobodys.body, "{method} {below}");
    }
    assert_eq!(stage.ada().get(&place).await.json()["turn"], 0, "nothing came of it");
}

#[tokio::test]
async fn no_http_at_all() {
    let stage = Stage::usual().await;
    for nonsense in
        [&b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..], b"nonsense\r\n\r\n", b"GET\r\n\r\n"]
    {
        let mut stream = stage.ada().connect().await;
        stream.write_all(nonsense).await.unwrap();
        let mut answer = Vec::new();
        stream.shutdown().await.unwrap();
        let _ = stream.read_to_end(&mut answer).await;
        assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 400"), "{answer:?}");
    }
    assert_eq!(stage.ada().get("/health").await.status, 200);
}

#[tokio::test]
async fn a_head_without_end() {
    let stage = Stage::usual().await;
    let mut stream = stage.ada().connect().await;
    stream.write_all(b"GET /health HTTP/1.1\r\nhost: localhost\r\nx: ").await.unwrap();
    let _ = stream.write_all(&vec![b'a'; 1 << 20]).await;
    assert_eq!(read(&mut stream).await.status, 431);
}

#[tokio::test]
async fn a_head_over_the_limit_is_refused_also_if_it_comes_at_once() {
    let stage = Stage::usual().await;
    let long = |bytes: usize| stage.ada().with("x-long", &"a".repeat(bytes));
    assert_eq!(long(60 << 10).get("/health").await.status, 200);
    for bytes in [65 << 10, 100 << 10, 300 << 10] {
        assert_eq!(long(bytes).get("/health").await.status, 431, "{bytes}");
    }
    let many = (0..200).fold(stage.ada(), |client, nth| client.with(&format!("x-{nth}"), "a"));
    assert_eq!(many.get("/health").await.status, 431);
    assert_eq!(stage.ada().get("/health").await.status, 200);
}

/// Short patience, so that a test need not have a long one.
const SHORT: Duration = Duration::from_millis(200);

/// A server with other limits.
async fn limited(limit: impl FnOnce(&mut RequestLimits)) -> Stage {
    let mut plan = Plan::default();
    limit(&mut plan.limits);
    plan.start().await
}

#[tokio::test]
async fn a_client_that_sends_its_head_slowly_is_left() {
    let stage = limited(|limits| limits.head_time = SHORT).await;
    let mut stream = stage.ada().connect().await;
    stream.write_all(b"GET /health HTTP/1.1\r\nhost: local").await.unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 408"), "{answer:?}");
}

#[tokio::test]
async fn a_client_that_sends_its_body_slowly_is_told_so() {
    let stage = limited(|limits| limits.body_time = SHORT).await;
    let ada = stage.ada();
    let mut stream = ada.connect().await;
    let head = ada.head("POST", "/v1/conversations", Some(b"{\"mode\":\"text\"}"));
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(b"{\"mo").await.unwrap();
    let refused = read(&mut stream).await;
    assert_eq!((refused.status, refused.code()), (408, "BODY_TOO_SLOW".to_owned()));
}

#[tokio::test]
async fn a_reader_that_stops_reading_is_given_up() {
    let stage = limited(|limits| (limits.connections, limits.stall_time) = (1, SHORT)).await;
    let ada = stage.ada();
    // Asks for more than the buffers between us hold, and reads none of it.
    let mut stream = ada.connect().await;
    let one = ada.head("GET", "/openapi.json", None).replace("connection: close\r\n", "");
    let many = one.repeat(2000);
    let _ = stream.try_write(many.as_bytes());
    let sending = tokio::spawn(async move {
        let _ = stream.write_all(many.as_bytes()).await;
        stream
    });
    // There is only one connection slot: the next client gets it when the other one is
    // disconnected.
    assert_eq!(ada.get("/health").await.status, 200);
    drop(sending);
}
