//! Meeting links by Zoom, against a stub of its documented interface.

use std::sync::{Arc, Mutex};

use aileron_calendar::{
    Backend, Commit, FreeBusy, LinkSource, NewEvent, PersonBusy, RequiredAttendees, StoredEvent,
    TimeWindow, Zoom, ZoomSettings,
};
use aileron_capability::calendar::Invitations;
use aileron_capability::{Answer, CapabilityFault, FaultCode};
use futures_util::FutureExt;
use serde_json::{Value, json};

use super::fixture::{create, draft, files, over, save};
use super::server::{Asked, Reply, Server};

/// The faults of a stub.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mood {
    Well,
    /// The first meeting is made, and its answer lost.
    LosesFirst,
    RefusesLogin,
    ExpiresTokens,
    Html,
    /// Meetings are made and cannot be deleted.
    KeepsMeetings,
    /// Its tokens last longer than anybody can count.
    Forever,
    /// Somebody on the way gives up on it.
    Slow,
}

pub(super) fn stub(mood: Mood) -> Server {
    let meetings: Arc<Mutex<Vec<Value>>> = Arc::default();
    Server::start(move |asked, _| answer(asked, &mut meetings.lock().unwrap(), mood))
}

fn answer(asked: &Asked, meetings: &mut Vec<Value>, mood: Mood) -> Reply {
    if asked.line == "POST /oauth/token?grant_type=account_credentials&account_id=account" {
        return match (mood, asked.header("authorization")) {
            (Mood::RefusesLogin, _) => {
                Reply::status(400, "{\"reason\":\"Invalid client_id or client_secret\"}")
            }
            (_, Some("Basic aWQ6c2VjcmV0")) => {
                let life = if mood == Mood::Forever { u64::MAX } else { 3600 };
                let token =
                    json!({ "access_token": "t", "token_type": "bearer", "expires_in": life });
                Reply::json(&token)
            }
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
        "POST /v2/users/boss@example.com/meetings" if mood == Mood::Slow => Reply::status(504, ""),
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
        line if line.starts_with("DELETE /v2/meetings/") => {
            if mood == Mood::KeepsMeetings {
                return Reply::status(500, "{}");
            }
            let id: u64 = line.rsplit('/').next().unwrap().parse().unwrap();
            meetings.retain(|meeting| meeting["id"] != id);
            Reply::status(204, "")
        }
        _ => Reply::status(404, "{}"),
    }
}

fn settings(base: &str) -> ZoomSettings {
    ZoomSettings {
        account: "account".to_owned(),
        client_id: "id".to_owned(),
        client_secret: "secret".to_owned(),
        user: "boss@example.com".to_owned(),
        token_base: base.to_owned(),
        api_base: format!("{base}/v2"),
        plain_hosts: Vec::new(),
    }
}

pub(super) fn link(server: &Server) -> LinkSource {
    LinkSource::Zoom(Arc::new(Zoom::new(settings(&server.base)).unwrap()))
}

pub(super) fn deleted(server: &Server) -> usize {
    server.asked().iter().filter(|it| it.line.starts_with("DELETE /v2/meetings/85")).count()
}

pub(super) fn made(server: &Server) -> usize {
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
    let fault = create(&calendar, "d", "k").await.unwrap_err();
    assert_eq!(fault.code, FaultCode::Unavailable);
    assert_eq!(
        fault.left_behind.as_deref(),
        Some("a Zoom meeting may have been made; another attempt with the same draft uses it")
    );
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
        (Mood::Slow, FaultCode::Unavailable),
    ] {
        let server = stub(mood);
        let folder = tempfile::tempdir().unwrap();
        let calendar = files(folder.path(), link(&server));
        save(&calendar, draft("d", 9)).await.unwrap();
        let fault = create(&calendar, "d", "k").await.unwrap_err();
        assert_eq!(fault.code, code, "{mood:?}: {fault}");
        assert!(fault.message.starts_with("Zoom"), "{mood:?}: {fault}");
        assert!(!folder.path().join("events").exists());
        assert!(!format!("{fault:?}").contains("secret"));
    }
}

#[tokio::test]
async fn a_zoom_that_cannot_be_reached_is_named() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let zoom = Zoom::new(settings(&format!("http://{closed}"))).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let calendar = files(folder.path(), LinkSource::Zoom(Arc::new(zoom)));
    save(&calendar, draft("d", 9)).await.unwrap();
    let fault = create(&calendar, "d", "k").await.unwrap_err();
    assert!(fault.message.starts_with("Zoom: the server cannot be reached"), "{fault}");
}

#[tokio::test]
async fn a_token_without_end_is_used_for_a_day() {
    let server = stub(Mood::Forever);
    let folder = tempfile::tempdir().unwrap();
    let calendar = files(folder.path(), link(&server));
    save(&calendar, draft("d", 9)).await.unwrap();
    assert!(create(&calendar, "d", "k").await.unwrap().join_url.is_some());
}

#[test]
fn the_secret_goes_over_tls_or_where_the_settings_say() {
    let plain = "http://zoom.lan";
    let fault = Zoom::new(settings(plain)).unwrap_err().to_string();
    assert_eq!(
        fault,
        "expected an address of Zoom, found \"http://zoom.lan\": expected https, found http: list \
         the host in [http] allow_plain to use it all the same"
    );
    let api = ZoomSettings { token_base: "https://zoom.us".to_owned(), ..settings(plain) };
    assert!(Zoom::new(api).is_err());
    let plain_hosts = vec!["Zoom.lan".to_owned()];
    assert!(Zoom::new(ZoomSettings { plain_hosts, ..settings(plain) }).is_ok());
    assert!(Zoom::new(settings("https://zoom.us")).is_ok());
    assert!(Zoom::new(settings("ftp://zoom.us")).is_err());
}

/// A place where nothing can be made.
#[derive(Debug)]
struct Closed(FaultCode);

impl Backend for Closed {
    fn busy(&self, people: Vec<String>, _: TimeWindow) -> Answer<FreeBusy> {
        let free = PersonBusy { readable: true, remark: None, busy: Vec::new() };
        let people = vec![free; people.len()];
        std::future::ready(Ok(FreeBusy { people, organizer: None })).boxed()
    }

    fn invitations(&self) -> Invitations {
        Invitations::NotSent
    }

    fn find(&self, _: String) -> Answer<Option<StoredEvent>> {
        std::future::ready(Ok(None)).boxed()
    }

    fn commit(&self, _: NewEvent, _: RequiredAttendees) -> Answer<Commit> {
        std::future::ready(Err(CapabilityFault::new(self.0, "no event here"))).boxed()
    }
}

async fn failed(server: &Server, code: FaultCode) -> CapabilityFault {
    let folder = tempfile::tempdir().unwrap();
    let calendar = over(folder.path(), Arc::new(Closed(code)), link(server));
    save(&calendar, draft("d", 9)).await.unwrap();
    create(&calendar, "d", "k").await.unwrap_err()
}

#[tokio::test]
async fn a_meeting_is_taken_back_when_its_event_was_surely_not_made() {
    for code in [FaultCode::Auth, FaultCode::Refused, FaultCode::Unavailable] {
        let server = stub(Mood::Well);
        let fault = failed(&server, code).await;
        assert_eq!((fault.code, fault.left_behind), (code, None));
        assert_eq!((made(&server), deleted(&server)), (1, 1));
    }
    let server = stub(Mood::Well);
    assert_eq!(failed(&server, FaultCode::Timeout).await.code, FaultCode::Timeout);
    assert_eq!((made(&server), deleted(&server)), (1, 0), "the event may be there");
}

#[tokio::test]
async fn a_meeting_that_cannot_be_taken_back_is_told() {
    let server = stub(Mood::KeepsMeetings);
    let fault = failed(&server, FaultCode::Auth).await;
    let left = "the Zoom meeting that was made for it could not be taken back";
    assert_eq!(fault.left_behind.as_deref(), Some(left));
    assert_eq!((fault.code, deleted(&server)), (FaultCode::Auth, 1));
}

#[tokio::test]
async fn an_event_that_is_made_again_uses_the_meeting_that_is_there() {
    let server = stub(Mood::Well);
    let folder = tempfile::tempdir().unwrap();
    let calendar = files(folder.path(), link(&server));
    save(&calendar, draft("d", 9)).await.unwrap();
    let event = create(&calendar, "d", "k").await.unwrap();
    std::fs::remove_file(folder.path().join(format!("events/{}.ics", event.id))).unwrap();
    assert_eq!(create(&calendar, "d", "k2").await.unwrap(), event);
    assert_eq!(made(&server), 1);
}
