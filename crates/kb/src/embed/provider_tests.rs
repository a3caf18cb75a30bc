//! Providers over a real socket, well-behaved and not.

use aileron_contract::Backoff;
use serde_json::{Value, json};

use super::server::{CannedReply, ReceivedRequest, Server};
use super::*;

const SECRET: &str = "sk-very-secret-1234";

fn endpoint(server: &Server, columns: Columns) -> Endpoint {
    let limits = EmbedLimits {
        backoff: Backoff { base: Duration::from_millis(1), max: Duration::from_secs(20) },
        query: Duration::from_secs(30),
        ..EmbedLimits::default()
    };
    let key = Some(ApiKey::new(SECRET));
    Endpoint { base: server.base.clone(), model: "small-3".into(), key, columns, limits }
}

fn openai(server: &Server) -> Provider {
    Provider::openai(endpoint(server, Columns::Native(2))).unwrap()
}

/// A vector that tells texts apart by their length, as OpenAI would send it.
fn vectors(asked: &ReceivedRequest) -> Value {
    let texts = asked.body["input"].as_array().unwrap();
    let item = |(index, text): (usize, &Value)| json!({"object": "embedding", "index": index, "embedding": [text.as_str().unwrap().len(), 1]});
    json!({"object": "list", "data": texts.iter().enumerate().map(item).collect::<Vec<_>>(), "model": "small-3"})
}

fn unit_of(x: f32, y: f32) -> Vec<f32> {
    vec![x / x.hypot(y), y / x.hypot(y)]
}

fn near(found: &[Vec<f32>], expected: &[Vec<f32>]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
        assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    }
}

/// The error of a query when every request gets this answer, and the number of requests.
fn fails(reply: CannedReply) -> (EmbedError, usize) {
    let server = Server::start(move |_, _| reply.clone());
    let error = openai(&server).query("text", &TokenStatistics::default()).unwrap_err();
    let shown = format!("{error} {error:?}");
    assert!(!shown.contains(SECRET), "{shown}");
    (error, server.asked().len())
}

#[test]
fn openai_is_asked_as_its_reference_says() {
    let server = Server::start(|asked, _| CannedReply::json(&vectors(asked)));
    let provider = Provider::openai(endpoint(&server, Columns::Shortened(2))).unwrap();
    near(&provider.documents(&["abc", "a"]).unwrap(), &[unit_of(3.0, 1.0), unit_of(1.0, 1.0)]);
    let asked = &server.asked()[0];
    assert_eq!(asked.line, "POST /v1/embeddings HTTP/1.1");
    assert_eq!(asked.header("authorization"), Some("Bearer sk-very-secret-1234"));
    assert_eq!(asked.header("content-type"), Some("application/json"));
    assert_eq!(asked.body, json!({"model": "small-3", "input": ["abc", "a"], "dimensions": 2}));
    assert_eq!(provider.model().name, "openai/small-3/2");
    assert_eq!((provider.model().dim, provider.model().cost), (2, Cost::Dear));
}

#[test]
fn a_local_server_needs_no_key_and_no_dimensions() {
    let server = Server::start(|asked, _| CannedReply::json(&vectors(asked)));
    let endpoint = Endpoint {
        key: None,
        base: format!("{}/", server.base),
        ..endpoint(&server, Columns::Native(2))
    };
    let vector =
        Provider::openai(endpoint).unwrap().query("four", &TokenStatistics::default()).unwrap();
    near(&[vector], &[unit_of(4.0, 1.0)]);
    let asked = &server.asked()[0];
    assert_eq!(asked.line, "POST /v1/embeddings HTTP/1.1");
    assert_eq!(asked.header("authorization"), None);
    assert_eq!(asked.body, json!({"model": "small-3", "input": ["four"]}));
}

#[test]
fn gemini_is_told_what_a_text_is_for() {
    let server = Server::start(|asked, _| {
        let requests = asked.body["requests"].as_array().unwrap();
        CannedReply::json(
            &json!({"embeddings": requests.iter().map(|_| json!({"values": [0, 3]})).collect::<Vec<_>>()}),
        )
    });
    let provider = Provider::gemini(endpoint(&server, Columns::Shortened(2))).unwrap();
    near(&provider.documents(&["abc", "de"]).unwrap(), &[vec![0.0, 1.0], vec![0.0, 1.0]]);
    near(&[provider.query("f", &TokenStatistics::default()).unwrap()], &[vec![0.0, 1.0]]);
    let request = |text: &str, task: &str| json!({"model": "models/small-3", "content": {"parts": [{"text": text}]}, "taskType": task, "outputDimensionality": 2});
    let asked = server.asked();
    assert_eq!(asked[0].line, "POST /v1/models/small-3:batchEmbedContents HTTP/1.1");
    assert_eq!(asked[0].header("x-goog-api-key"), Some(SECRET));
    assert_eq!(asked[0].header("authorization"), None);
    let documents = [request("abc", "RETRIEVAL_DOCUMENT"), request("de", "RETRIEVAL_DOCUMENT")];
    assert_eq!(asked[0].body, json!({"requests": documents}));
    assert_eq!(asked[1].body, json!({"requests": [request("f", "RETRIEVAL_QUERY")]}));
}

#[test]
fn many_texts_go_in_batches_and_come_back_in_order() {
    let server = Server::start(|asked, _| {
        let mut answer = vectors(asked);
        answer["data"].as_array_mut().unwrap().reverse();
        CannedReply::json(&answer)
    });
    let texts: Vec<String> = (0..1000).map(|length| "x".repeat(length)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut expected: Vec<Vec<f32>> = (0..1000).map(|length| unit_of(length as f32, 1.0)).collect();
    expected[0] = vec![0.0; 2];
    near(&openai(&server).documents(&texts).unwrap(), &expected);
    let sizes: Vec<usize> =
        server.asked().iter().map(|asked| asked.body["input"].as_array().unwrap().len()).collect();
    assert_eq!(sizes.iter().sum::<usize>(), 999);
    assert!(sizes.len() == 8 && sizes.iter().all(|size| *size <= 128));
}

#[test]
fn blank_texts_are_like_nothing_and_ask_nobody() {
    let server = Server::start(|_, _| CannedReply::Hangup);
    let provider = openai(&server);
    assert_eq!(provider.documents(&["", "\n"]).unwrap(), vec![vec![0.0; 2]; 2]);
    assert_eq!(provider.documents(&[]).unwrap(), Vec::<Vec<f32>>::new());
    assert_eq!(provider.query(" ", &TokenStatistics::default()).unwrap(), vec![0.0; 2]);
    assert!(server.asked().is_empty());
}

#[test]
fn transient_failures_are_tried_again() {
    let server = Server::start(|asked, before| match before {
        0 => CannedReply::Full(429, "retry-after: 0\r\n", "{}".into()),
        1 => CannedReply::status(500, "<html>oops</html>"),
        2 => CannedReply::Hangup,
        3 => CannedReply::Torn,
        4 => CannedReply::status(503, ""),
        _ => CannedReply::json(&vectors(asked)),
    });
    near(&openai(&server).documents(&["abc"]).unwrap(), &[unit_of(3.0, 1.0)]);
    assert_eq!(server.asked().len(), 6);
}

#[test]
fn attempts_are_limited() {
    let (error, asked) =
        fails(CannedReply::status(500, r#"{"error": {"message": "broken\n machine"}}"#));
    assert_eq!(
        error.message,
        "no vectors from openai/small-3/2: status 500: broken machine (after 6 attempts)"
    );
    assert!(error.transient);
    assert_eq!(asked, 6);
}

#[test]
fn a_wait_past_the_deadline_is_not_begun() {
    let (error, asked) =
        fails(CannedReply::Full(429, "retry-after: 86400\r\n", "slow down".into()));
    assert_eq!(
        error,
        EmbedError {
            message: "no vectors from openai/small-3/2: status 429".into(),
            transient: true
        }
    );
    assert_eq!(asked, 1);
}

#[test]
fn silence_ends_at_the_deadline() {
    let server = Server::start(|_, _| CannedReply::Silence);
    let mut endpoint = endpoint(&server, Columns::Native(2));
    endpoint.limits.query = Duration::from_millis(50);
    let error =
        Provider::openai(endpoint).unwrap().query("text", &TokenStatistics::default()).unwrap_err();
    assert_eq!(error.message, "no vectors from openai/small-3/2: no answer came in time");
    assert!(error.transient);
}

#[test]
fn a_refused_key_is_neither_retried_nor_shown() {
    let body = format!(r#"{{"error": {{"message": "Incorrect API key provided: {SECRET}"}}}}"#);
    for status in [401, 403] {
        let (error, asked) = fails(CannedReply::status(status, &body));
        assert_eq!((error.transient, asked), (false, 1));
        assert!(error.message.contains("the key is missing, wrong"), "{error}");
    }
    let (error, _) = fails(CannedReply::status(400, &body));
    assert!(error.message.ends_with("status 400: Incorrect API key provided: [key]"), "{error}");
}

#[test]
fn answers_without_the_vectors_are_refused() {
    let item = |index: usize, embedding: Value| json!({"index": index, "embedding": embedding});
    let answer = |data: Value| CannedReply::json(&json!({"data": data}));
    let cases = [
        (answer(json!([])), "expected 1 vectors, found 0"),
        (
            answer(json!([item(0, json!([1, 0])), item(1, json!([1, 0]))])),
            "expected 1 vectors, found 2",
        ),
        (answer(json!([item(1, json!([1, 0]))])), "expected each index below 1 once, found 1"),
        (
            answer(json!([item(0, json!([1, 0, 0]))])),
            "expected vectors of 2 columns, found 3: set the number of columns",
        ),
        (
            answer(json!([item(0, json!([1e300, 0]))])),
            "expected vectors of finite numbers, found one that is not",
        ),
        (answer(json!([item(0, json!([null, 0]))])), "found JSON of another shape"),
        (answer(json!([item(0, json!("AACAPw=="))])), "found JSON of another shape"),
        (
            CannedReply::status(200, r#"{"data": [{"index": 0, "embedding": [NaN, 0]}]}"#),
            "found no whole JSON",
        ),
        (CannedReply::status(200, "<!doctype html><title>Sign in</title>"), "found no whole JSON"),
        (CannedReply::status(200, "\u{0}\u{1}garbage"), "found no whole JSON"),
        (CannedReply::status(200, ""), "found no whole JSON"),
        (
            CannedReply::status(404, r#"{"error": "model \"small-3\" not found"}"#),
            "status 404: model \"small-3\" not found",
        ),
        (
            CannedReply::Full(302, "location: http://127.0.0.1:1/\r\n", String::new()),
            "status 302: a redirect",
        ),
    ];
    for (reply, expected) in cases {
        let (error, asked) = fails(reply);
        assert!(error.message.contains(expected), "{error}");
        assert_eq!((error.transient, asked), (false, 1), "{error}");
    }
}

#[test]
fn a_server_that_is_not_there_may_be_later() {
    let server = Server::start(|_, _| CannedReply::Hangup);
    let mut endpoint = endpoint(&server, Columns::Native(2));
    let unused = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    endpoint.base = format!("http://{unused}");
    let error = Provider::openai(endpoint).unwrap().documents(&["text"]).unwrap_err();
    assert!(error.transient && error.message.contains("the connection failed"), "{error}");
}

#[test]
fn a_caller_on_an_asynchronous_thread_is_served() {
    let server = Server::start(|asked, _| CannedReply::json(&vectors(asked)));
    let provider = openai(&server);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let found = runtime.block_on(async { provider.documents(&["abc"]) });
    near(&found.unwrap(), &[unit_of(3.0, 1.0)]);
    runtime.block_on(async { drop(provider) });
}

#[test]
fn the_key_is_in_no_debug_output() {
    let server = Server::start(|_, _| CannedReply::Hangup);
    let endpoint = endpoint(&server, Columns::Native(2));
    let shown = format!("{endpoint:?} {:?}", Provider::openai(endpoint.clone()).unwrap());
    assert!(!shown.contains("secret"), "{shown}");
}

#[test]
fn an_endpoint_that_cannot_be_used_is_refused_at_once() {
    let server = Server::start(|_, _| CannedReply::Hangup);
    let good = endpoint(&server, Columns::Native(2));
    let bad = [
        Endpoint { base: "not a url".into(), ..good.clone() },
        Endpoint { base: "ftp://example.com".into(), ..good.clone() },
        Endpoint { base: "https://user:pass@example.com".into(), ..good.clone() },
        Endpoint { base: "https://example.com/?x=1".into(), ..good.clone() },
        Endpoint { model: String::new(), ..good.clone() },
        Endpoint { model: "../../x?y".into(), ..good.clone() },
        Endpoint { columns: Columns::Native(0), ..good.clone() },
        Endpoint { key: Some(ApiKey::new("secret\nkey")), ..good },
    ];
    for endpoint in bad {
        let error = Provider::gemini(endpoint).unwrap_err();
        assert!(!error.transient && !error.message.contains("secret"), "{error}");
        assert!(error.message.starts_with("expected"), "{error}");
    }
}
