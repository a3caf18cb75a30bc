//! The door: names, pages, speed and crowds.

use aileron_server::{AllowedHosts, Auth, Origins, RequestLimits};
use serde_json::json;

use crate::stage::{Plan, Stage};

const PAGE: &str = "http://localhost:3000";

async fn open_to_a_page() -> Stage {
    let origins = Origins { allowed: vec![PAGE.to_owned()], hosts: AllowedHosts::Own };
    Plan { origins, ..Plan::default() }.start().await
}

#[tokio::test]
async fn a_name_that_another_site_lends_us_is_refused() {
    let stage = Plan { auth: Auth::Open, ..Plan::default() }.start().await;
    for path in ["/health", "/v1/tools", "/openapi.json", "/nothing"] {
        let refused = stage.stranger().with("host", "evil.example:7272").get(path).await;
        assert_eq!((refused.status, refused.code()), (403, "HOST_REFUSED".to_owned()), "{path}");
        assert_ne!(stage.stranger().with("host", "localhost").get(path).await.status, 403);
    }
}

#[tokio::test]
async fn a_host_that_is_none_is_refused() {
    let stage = Plan { auth: Auth::Open, ..Plan::default() }.start().await;
    for host in ["localhost:80@evil.example", "[::1]evil.example", "localhost:", "[::1", ""] {
        let refused = stage.stranger().with("host", host).get("/v1/tools").await;
        assert_eq!((refused.status, refused.code()), (403, "HOST_REFUSED".to_owned()), "{host}");
    }
    let twice = stage.stranger().with("host", "localhost").with("Host", "evil.example");
    assert_eq!(twice.get("/v1/tools").await.status, 403);
    assert_eq!(stage.stranger().with("host", "[::1]:7272").get("/v1/tools").await.status, 200);
}

#[tokio::test]
async fn a_page_from_elsewhere_is_refused_whatever_it_asks() {
    let stage = Plan { auth: Auth::Open, ..Plan::default() }.start().await;
    let evil = stage.stranger().with("origin", "https://evil.example");
    let refused = evil.post("/v1/conversations", json!({ "mode": "text" })).await;
    assert_eq!((refused.status, refused.code()), (403, "ORIGIN_REFUSED".to_owned()));
    assert_eq!(refused.header("access-control-allow-origin"), None);
    assert_eq!(evil.send("OPTIONS", "/v1/conversations", None).await.status, 403);
    let own = stage.stranger().with("origin", &format!("http://{}", stage.address));
    assert_eq!(own.post("/v1/conversations", json!({ "mode": "text" })).await.status, 201);
}

#[tokio::test]
async fn a_websocket_of_a_page_from_elsewhere_is_refused() {
    let stage = Plan { auth: Auth::Open, ..Plan::default() }.start().await;
    let client = stage
        .stranger()
        .with("origin", "https://evil.example")
        .with("upgrade", "websocket")
        .with("sec-websocket-version", "13")
        .with("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==");
    assert_eq!(client.get("/v1/voice").await.status, 403);
}

#[tokio::test]
async fn a_page_that_is_let_in_may_ask_and_see_the_answer() {
    let stage = open_to_a_page().await;
    let page = stage.stranger().with("origin", PAGE);
    let before = page
        .clone()
        .with("access-control-request-method", "POST")
        .with("access-control-request-headers", "authorization")
        .send("OPTIONS", "/v1/conversations", None)
        .await;
    assert_eq!(before.status, 204, "nobody signs in to ask what they may send");
    assert_eq!(before.header("access-control-allow-origin"), Some(PAGE));
    let headers = before.header("access-control-allow-headers").unwrap();
    for header in ["authorization", "content-type", "user-agent"] {
        assert!(headers.split(", ").any(|allowed| allowed == header), "{header}: {headers}");
    }
    let refused = page.get("/v1/tools").await;
    assert_eq!(refused.status, 401);
    assert_eq!(refused.header("access-control-allow-origin"), Some(PAGE), "it may read why");
    let seen = stage.ada().with("origin", PAGE).get("/v1/tools").await;
    assert_eq!((seen.status, seen.header("vary")), (200, Some("origin")));
    assert_eq!(seen.header("access-control-allow-origin"), Some(PAGE));
}

#[tokio::test]
async fn whoever_asks_too_fast_has_to_wait_and_others_do_not() {
    let limits = RequestLimits { requests_per_second: Some(2), ..RequestLimits::default() };
    let stage = Plan { limits, ..Plan::default() }.start().await;
    let ada = stage.ada();
    for _ in 0..4 {
        assert_eq!(ada.get("/v1/tools").await.status, 200);
    }
    let refused = ada.get("/v1/tools").await;
    assert_eq!((refused.status, refused.code()), (429, "TOO_MANY_REQUESTS".to_owned()));
    assert_eq!(refused.header("retry-after"), Some("1"));
    assert_eq!(stage.bob().get("/v1/tools").await.status, 200);
    stage.clock.advance(1000);
    assert_eq!(ada.get("/v1/tools").await.status, 200);
}

#[tokio::test]
async fn guessing_tokens_is_slowed_down() {
    let limits = RequestLimits { requests_per_second: Some(2), ..RequestLimits::default() };
    let stage = Plan { limits, ..Plan::default() }.start().await;
    for _ in 0..4 {
        assert_eq!(stage.stranger().get("/v1/tools").await.status, 401);
    }
    assert_eq!(stage.stranger().get("/v1/tools").await.status, 429);
    assert_eq!(stage.ada().get("/v1/tools").await.status, 200, "who has a token is not held up");
}

#[tokio::test]
async fn conversations_beyond_the_limit_are_put_aside_and_go_on() {
    let limits = RequestLimits { conversations: 2, ..Plan::default().limits };
    let stage = Plan { limits, ..Plan::default() }.start().await;
    let ada = stage.ada();
    let first = ada.begin("text").await;
    for _ in 0..4 {
        ada.begin("text").await;
    }
    let turn = ada.post(&format!("{first}/turns"), json!({ "input": "written" })).await;
    assert_eq!((turn.status, turn.json()["turn"].as_u64()), (201, Some(1)));
}

#[tokio::test]
async fn answers_are_neither_guessed_at_nor_kept() {
    let stage = Stage::usual().await;
    for path in ["/v1/tools", "/health", "/nothing"] {
        let answer = stage.ada().get(path).await;
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
    }
}
