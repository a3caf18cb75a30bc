//! Which answer a request is given.

use serde_json::json;

use super::*;
use crate::http::{HttpClient, HttpRequest};

async fn ask(client: &HttpClient, method: &str, url: &str, body: Option<&str>) -> String {
    let mut request = HttpRequest::get(url);
    method.clone_into(&mut request.method);
    request.headers.insert("Authorization".to_owned(), "Bearer one".to_owned());
    request.body = body.map(str::to_owned);
    match client.fetch(&["api.example.com".to_owned()], request).await {
        Ok(answer) => format!("{} {} {:?}", answer.status, answer.body, answer.headers),
        Err(fault) => fault.to_string(),
    }
}

fn client(script: Value) -> HttpClient {
    HttpClient::scripted(serde_json::from_value(script).unwrap()).unwrap()
}

#[tokio::test]
async fn a_request_is_answered_by_what_fits_it() {
    let client = client(json!([
        {
            "request": { "url": "https://api.example.com/a", "headers": { "authorization": "Bearer two" } },
            "response": { "status": 500 },
        },
        {
            "request": { "url": "https://api.example.com/a", "headers": { "authorization": "Bearer one" } },
            "response": { "body": { "b": 1 } },
        },
        {
            "request": { "method": "POST", "url": "https://api.example.com/a", "body": { "c": [2] } },
            "response": { "status": 201, "headers": { "x-id": "7" }, "body": "made" },
        },
        {
            "request": { "url": "https://api.example.com/slow" },
            "error": { "code": "TIMEOUT", "message": "too late" },
        },
    ]));
    let (api, json) = ("https://api.example.com/a", r#"{"content-type": "application/json"}"#);
    assert_eq!(ask(&client, "GET", api, None).await, format!(r#"200 {{"b":1}} {json}"#));
    let made = ask(&client, "post", api, Some("{ \"c\": [2] }")).await;
    assert_eq!(made, r#"201 made {"x-id": "7"}"#);
    let slow = ask(&client, "GET", "https://api.example.com/slow", None).await;
    assert_eq!(slow, "TIMEOUT: too late");
    let other = ask(&client, "POST", api, Some("{}")).await;
    assert_eq!(other, "REFUSED: no entry of `given.http` fits POST https://api.example.com/a");
}

#[tokio::test]
async fn several_answers_come_in_order_and_the_last_one_stays() {
    let answer = |status: u16| json!({ "request": { "url": "https://api.example.com/" }, "response": { "status": status } });
    let client = client(json!([answer(503), answer(200)]));
    for expected in ["503", "200", "200"] {
        let answered = ask(&client, "GET", "https://api.example.com", None).await;
        assert!(answered.starts_with(expected), "{answered}");
    }
}

#[tokio::test]
async fn what_may_not_leave_is_not_answered_either() {
    let client = client(json!([
        { "request": { "url": "https://other.example.com/" }, "response": {} },
        { "request": { "url": "http://api.example.com/" }, "response": {} },
    ]));
    for url in ["https://other.example.com/", "http://api.example.com/"] {
        let refused = ask(&client, "GET", url, None).await;
        assert!(refused.starts_with("REFUSED: ") && !refused.contains("given.http"), "{refused}");
    }
}
