//! Meeting links by Zoom, against a stub of its documented interface.

use std::sync::{Arc, Mutex};

use aileron_calendar::{Link, Zoom, ZoomSettings};
use aileron_runtime::capability::FaultCode;
use serde_json::{Value, json};

use super::desk::{create, draft, files, save};
use super::server::{Asked, Reply, Server};

/// What a stub does besides working.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mood {
    Well,
    /// The first meeting is made, and its answer lost.
    LosesFirst,
    RefusesLogin,
    ExpiresTokens,
    Html,
}

fn stub(mood: Mood) -> Server {
    let meetings: Arc<Mutex<Vec<Value>>> = Arc::default();
    Server::start(move |asked, _| answer(asked, &mut meetings.lock().unwrap(), mood))
}

fn answer(asked: &Asked, meetings: &mut Vec<Value>, mood: Mood) -> Reply {
    if asked.line == "POST /oauth/token?grant_type=account_credentials&account_id=account" {
        return match (mood, asked.header("authorization")) {
            (Mood::RefusesLogin, _) => {
                Reply::status(400, "{\"reason\":\"Invalid client_id or client_secret\"}")
            }
            (_, Some("Basic aWQ6c2VjcmV0")) => Reply::json(
                &json!({ "access_token": "t", "token_type": "bearer", "expires_in": 3600 }),
            ),
            _ => Reply::status(401, "{}"),
        };
    }
    if asked.header("authorization") != Some("Bearer t") || mood == Mood::ExpiresTokens {
        return Reply::status(401, "{\"code\":124,\"message\":\"Access token is expired.\"}");
    }
    match asked.line.as_str() {
        "POST /v2/users/boss@example.com/meetings" if mood == Mood::Html => {
            Reply::status(201, "<html>")
        }
        "POST /v2/users/boss@example.com/meetings" => {
            let mut meeting: Value = serde_json::from_str(&asked.body).unwrap();
            assert_eq!(
                (&meeting["type"], &meeting["duration"], &meeting["start_time"]),
                (&json!(2), &json!(60), &json!("2026-02-05T09:00:00Z"))
            );
            meeting["id"] = json!(85_000_000_000_u64 + meetings.len() as u64);
            meeting["join_url"] = json!(format!("https://zoom.example.com/j/{}", meeting["id"]));
            meetings.push(meeting.clone());
            match mood == Mood::LosesFirst && meetings.len() == 1 {
                true => Reply::Hangup,
                false => Reply::Full(201, String::new(), meeting.to_string().into_bytes()),
            }
        }
        "GET /v2/users/boss@example.com/meetings?type=scheduled&page_size=300" => Reply::json(
            &json!({ "page_size": 300, "total_records": meetings.len(), "meetings": meetings }),
        ),
        _ => Reply::status(404, "{}"),
    }
}

fn link(server: &Server) -> Link {
    let zoom = Zoom::new(ZoomSettings {
        account: "account".to_owned(),
        client_id: "id".to_owned(),
        client_secret: "secret".to_owned(),
        user: "boss@example.com".to_owned(),
        token_base: server.base.clone(),
        api_base: format!("{}/v2", server.base),
    });
    Link::Zoom(Arc::new(zoom.unwrap()))
}

fn made(server: &Server) -> usize {
    server.asked().iter().filter(|it| it.line.starts_with("POST /v2")).count()
}

#[tokio::test]
async fn an_event_carries_its_meeting() {
    let server = stub(Mood::Well);
    let folder = tempfile::tempdir().unwrap();
    let calendar = files(folder.path(), link(&server));
    save(&calendar, draft("d", 9)).await.unwrap();
    let event = create(&calendar, "d", "k").await.unwrap();
    assert_eq!(event.join_url.as_deref(), Some("https://zoom.example.com/j/85000000000"));
    create(&calendar, "d", "k2").await.unwrap();
    assert_eq!(made(&server), 1);
    let mut plain = draft("plain", 12);
    plain["video_link"] = json!(false);
    save(&calendar, plain).await.unwrap();
    assert_eq!(create(&calendar, "plain", "k3").await.unwrap().join_url, None);
}

#[tokio::test]
async fn a_meeting_whose_answer_was_lost_is_found_and_not_made_again() {
    let server = stub(Mood::LosesFirst);
    let folder = tempfile::tempdir().unwrap();
    let calendar = files(folder.path(), link(&server));
    save(&calendar, draft("d", 9)).await.unwrap();
    assert_eq!(create(&calendar, "d", "k").await.unwrap_err().code, FaultCode::Unavailable);
    assert!(!folder.path().join("events").exists());
    let event = create(&files(folder.path(), link(&server)), "d", "k").await.unwrap();
    assert_eq!(event.join_url.as_deref(), Some("https://zoom.example.com/j/85000000000"));
    assert_eq!(made(&server), 1);
}

#[tokio::test]
async fn what_zoom_refuses_makes_no_event() {
    for (mood, code) in [
        (Mood::RefusesLogin, FaultCode::Auth),
        (Mood::ExpiresTokens, FaultCode::Auth),
        (Mood::Html, FaultCode::Unavailable),
    ] {
        let server = stub(mood);
        let folder = tempfile::tempdir().unwrap();
        let calendar = files(folder.path(), link(&server));
        save(&calendar, draft("d", 9)).await.unwrap();
        let fault = create(&calendar, "d", "k").await.unwrap_err();
        assert_eq!(fault.code, code, "{mood:?}: {fault}");
        assert!(!folder.path().join("events").exists());
        assert!(!format!("{fault:?}").contains("secret"));
    }
}
