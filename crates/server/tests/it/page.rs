//! The page as a browser asks for it: views, files, caching, and what others may not do with it.

use std::fs;

use aileron_page::Page;
use aileron_server::{Auth, RequestLimits};
use serde_json::json;

use crate::client::{Answer, Client};
use crate::stage::{Plan, Stage};

const NAVIGATION: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

fn browser(stage: &Stage) -> Client {
    stage.stranger().with("accept", NAVIGATION)
}

fn is_page(answer: &Answer) -> bool {
    answer.header("content-type") == Some("text/html; charset=utf-8")
        && String::from_utf8_lossy(&answer.body).contains("<script type=\"module\"")
}

/// The path of a script that the first view loads.
async fn script(stage: &Stage) -> String {
    let index = String::from_utf8(browser(stage).get("/").await.body).unwrap();
    let from = index.find("/assets/").unwrap();
    let rest = &index[from..];
    rest[..rest.find('"').unwrap()].to_owned()
}

#[tokio::test]
async fn a_browser_gets_the_page_at_every_view_without_signing_in() {
    let stage = Stage::usual().await;
    for path in [
        "/",
        "/c/conv-1",
        "/c/conv-1/t/3?call=call-1",
        "/approvals",
        "/tools",
        "/tools/kb_search?against=1.0.0",
        "/operate",
        "/operate/audit?tool=kb_search",
    ] {
        let answer = browser(&stage).get(path).await;
        assert_eq!((answer.status, is_page(&answer)), (200, true), "{path}");
    }
    let unknown = browser(&stage).get("/no/such/view").await;
    assert_eq!((unknown.status, is_page(&unknown)), (404, true), "the page says so");
}

#[tokio::test]
async fn other_clients_are_answered_as_before() {
    let stage = Stage::usual().await;
    let welcome = stage.stranger().get("/").await;
    assert_eq!(welcome.header("content-type"), Some("text/plain; charset=utf-8"));
    assert_eq!(welcome.header("vary"), Some("accept"));
    let text = String::from_utf8_lossy(&welcome.body).into_owned();
    assert!(text.contains(&format!("Open http://{}/ in a browser", stage.address)), "{text}");
    assert_eq!(stage.ada().get("/approvals").await.code(), "NOT_FOUND");
    assert_eq!(stage.stranger().get("/approvals").await.code(), "UNAUTHENTICATED");
    assert_eq!(browser(&stage).post("/approvals", json!({})).await.code(), "UNAUTHENTICATED");
}

/// The addresses of programs never answer with the page, so a browser cannot skip authentication there.
#[tokio::test]
async fn no_operation_of_the_api_is_an_address_of_the_page() {
    let stage = Stage::usual().await;
    let described = stage.stranger().get("/openapi.json").await.json();
    let paths: Vec<String> = described["paths"].as_object().unwrap().keys().cloned().collect();
    let others = ["/metrics", "/api/chat", "/v1/voice", "/v1/nothing", "/v1", "//v1/tools"];
    for path in paths.iter().map(String::as_str).chain(others) {
        let path = path.replace(['{', '}'], "");
        let refused = browser(&stage).get(&path).await;
        assert_eq!(refused.status, 401, "{path}");
        assert!(!is_page(&refused), "{path}");
    }
    let health = browser(&stage).get("/health").await;
    assert_eq!((health.status, is_page(&health)), (200, false));
}

#[tokio::test]
async fn a_file_is_cached_for_good_and_the_first_view_is_asked_for_again() {
    let stage = Stage::usual().await;
    let path = script(&stage).await;
    let file = stage.stranger().get(&path).await;
    assert_eq!(file.status, 200);
    assert_eq!(file.header("content-type"), Some("text/javascript; charset=utf-8"));
    assert_eq!(file.header("cache-control"), Some("public, max-age=31536000, immutable"));
    assert_eq!(browser(&stage).get("/").await.header("cache-control"), Some("no-cache"));
    for path in [path.as_str(), "/"] {
        let tag = browser(&stage).get(path).await.header("etag").unwrap().to_owned();
        for held in [tag.clone(), format!("W/{tag}"), format!("\"x\", {tag}"), "*".to_owned()] {
            let kept = browser(&stage).with("if-none-match", &held).get(path).await;
            assert_eq!((kept.status, kept.body.len()), (304, 0), "{path} {held}");
            assert_eq!(kept.header("etag"), Some(tag.as_str()));
        }
        let other = browser(&stage).with("if-none-match", "\"other\"").get(path).await;
        assert_eq!(other.status, 200, "{path}");
    }
}

#[tokio::test]
async fn a_file_is_sent_in_an_encoding_that_the_client_accepts() {
    let stage = Stage::usual().await;
    let path = script(&stage).await;
    let plain = stage.stranger().get(&path).await;
    assert_eq!(plain.header("content-encoding"), None);
    let mut tags = vec![plain.header("etag").unwrap().to_owned()];
    for (accepted, expected) in [
        ("gzip, deflate, br, zstd", Some("br")),
        ("br;q=0, gzip", Some("gzip")),
        ("gzip;q=0.5", Some("gzip")),
        ("br; q=0.0, gzip;q=0", None),
        ("deflate", None),
        ("", None),
    ] {
        let sent = stage.stranger().with("accept-encoding", accepted).get(&path).await;
        assert_eq!(sent.header("content-encoding"), expected, "{accepted}");
        assert_eq!(sent.header("vary"), Some("accept, accept-encoding"));
        match expected {
            Some(_) => assert!(sent.body.len() < plain.body.len(), "{accepted}"),
            None => assert_eq!(sent.body, plain.body, "{accepted}"),
        }
        tags.push(sent.header("etag").unwrap().to_owned());
    }
    tags.sort_unstable();
    tags.dedup();
    assert_eq!(tags.len(), 3, "one tag for each copy: {tags:?}");
}

#[tokio::test]
async fn head_and_ranges_are_answered_as_the_protocol_says() {
    let stage = Stage::usual().await;
    let path = script(&stage).await;
    let whole = stage.stranger().get(&path).await;
    let head = stage.stranger().send("HEAD", &path, None).await;
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert_eq!(head.header("content-length"), whole.header("content-length"));
    let part = stage.stranger().with("range", "bytes=0-3").get(&path).await;
    assert_eq!((part.status, &part.body), (200, &whole.body), "a server may ignore a range");
    assert_eq!(part.header("accept-ranges"), Some("none"));
    let posted = stage.ada().post("/", json!({})).await;
    assert_eq!(posted.code(), "METHOD_NOT_ALLOWED");
}

#[tokio::test]
async fn a_missing_file_is_not_answered_with_the_page() {
    let stage = Stage::usual().await;
    for path in
        ["/assets/index-old00000.js", "/assets/../Cargo.toml", "/assets/%2e%2e/x", "/assets/"]
    {
        let missing = stage.stranger().with("accept", "*/*").get(path).await;
        assert_eq!((missing.status, missing.code()), (404, "NOT_FOUND".to_owned()), "{path}");
    }
}

#[tokio::test]
async fn the_browser_is_told_to_run_only_what_comes_from_here() {
    let stage = Stage::usual().await;
    let script = script(&stage).await;
    for path in ["/", "/approvals", "/no/such/view", script.as_str()] {
        let answer = browser(&stage).get(path).await;
        let policy = answer.header("content-security-policy").unwrap();
        for rule in
            ["default-src 'none'", "script-src 'self'", "style-src 'self'", "base-uri 'none'"]
        {
            assert!(policy.split("; ").any(|found| found == rule), "{rule}: {policy}");
        }
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        for (name, value) in [
            ("x-frame-options", "deny"),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{path} {name}");
        }
        let allowed = answer.header("permissions-policy").unwrap();
        assert!(allowed.contains("microphone=(self)"), "{allowed}");
    }
}

#[tokio::test]
async fn the_page_is_for_this_host_and_its_own_origin() {
    let stage = Plan { auth: Auth::Open, ..Plan::default() }.start().await;
    let rebound = browser(&stage).with("host", "evil.example").get("/").await;
    assert_eq!((rebound.status, rebound.code()), (403, "HOST_REFUSED".to_owned()));
    let foreign = browser(&stage).with("origin", "https://evil.example").get("/").await;
    assert_eq!((foreign.status, foreign.code()), (403, "ORIGIN_REFUSED".to_owned()));
}

#[tokio::test]
async fn a_change_from_another_site_is_refused_also_without_an_origin() {
    let stage = Plan { auth: Auth::Open, ..Plan::default() }.start().await;
    for site in ["cross-site", "same-site"] {
        let page = stage.stranger().with("sec-fetch-site", site);
        for (name, path) in [("POST", "/v1/conversations"), ("DELETE", "/v1/blocks/local")] {
            let refused = page.send(name, path, Some(b"{}".to_vec())).await;
            let found = (refused.status, refused.code());
            assert_eq!(found, (403, "ORIGIN_REFUSED".to_owned()), "{site} {name}");
        }
        let form = page.clone().with("content-type", "application/x-www-form-urlencoded");
        let refused = form.send("POST", "/api/chat", Some(b"message=hello".to_vec())).await;
        assert_eq!(refused.status, 403, "a form of another site");
        let followed = page.with("accept", NAVIGATION).get("/approvals").await;
        assert_eq!(followed.status, 200, "a link may be followed");
    }
    let form = stage.stranger().with("content-type", "text/plain").with("origin", "null");
    let refused = form.send("POST", "/v1/conversations", Some(b"{}".to_vec())).await;
    assert_eq!((refused.status, refused.code()), (403, "ORIGIN_REFUSED".to_owned()));
    let own = stage.stranger().with("sec-fetch-site", "same-origin");
    assert_eq!(own.post("/v1/conversations", json!({ "mode": "text" })).await.status, 201);
}

#[tokio::test]
async fn loading_the_page_uses_up_no_requests() {
    let limits = RequestLimits { requests_per_second: Some(1), ..RequestLimits::default() };
    let stage = Plan { limits, ..Plan::default() }.start().await;
    let path = script(&stage).await;
    for _ in 0..10 {
        assert_eq!(stage.stranger().get(&path).await.status, 200);
        assert_eq!(browser(&stage).get("/tools").await.status, 200);
    }
}

#[tokio::test]
async fn a_folder_is_served_instead_and_nothing_outside_it() {
    let outer = tempfile::tempdir().unwrap();
    let dist = outer.path().join("dist");
    fs::create_dir_all(dist.join("assets")).unwrap();
    fs::write(dist.join("index.html"), "<script type=\"module\" src=\"/assets/a.js\"></script>")
        .unwrap();
    fs::write(dist.join("assets/a.js"), "one").unwrap();
    fs::write(outer.path().join("secret.txt"), "secret").unwrap();
    let page = Page::in_folder(dist.clone()).unwrap();
    let stage = Plan { page, ..Plan::default() }.start().await;
    assert!(is_page(&browser(&stage).get("/tools").await));
    assert_eq!(stage.stranger().get("/assets/a.js").await.body, b"one");
    fs::write(dist.join("assets/a.js"), "two").unwrap();
    assert_eq!(stage.stranger().get("/assets/a.js").await.body, b"two", "it is read again");
    for path in ["/../secret.txt", "/assets/../../secret.txt", "/%2e%2e/secret.txt", "//etc/passwd"]
    {
        let answer = stage.stranger().get(path).await;
        assert!(matches!(answer.status, 400 | 404), "{path}: {answer:?}");
        assert!(!String::from_utf8_lossy(&answer.body).contains("secret"), "{path}");
    }
}
