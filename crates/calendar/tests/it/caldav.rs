//! CalDAV against a real server, and against servers that behave badly.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

use aileron_calendar::proposal::Proposal;
use aileron_calendar::propose;
use aileron_calendar::{
    Auth, Backend, CalDav, CalDavSettings, CalendarEngine, LinkSource, TimeWindow,
};
use aileron_capability::calendar::{CreatedEvent, Zone};
use aileron_capability::{CapabilityFault, FaultCode};

use serde_json::json;

use super::fixture::{NOW_MS, caller, create, draft, over, save};
use super::radicale::Radicale;
use super::server::{Asked, Reply, Server};
use super::zoom::{self, Mood};

fn settings(url: &str) -> CalDavSettings {
    CalDavSettings {
        url: url.to_owned(),
        auth: Auth::Basic { user: "ada".to_owned(), password: "secret".to_owned() },
        calendar: None,
        organizer: Some("ada@example.com".to_owned()),
        people: BTreeMap::from([("mira@example.com".to_owned(), "/mira/work/".to_owned())]),
        zone: Zone::default(),
        timeout: Duration::from_secs(20),
        allow_plain: false,
        extra_roots: None,
    }
}

fn engine(folder: &std::path::Path, settings: CalDavSettings) -> CalendarEngine {
    over(folder, Arc::new(CalDav::new(settings).unwrap()), LinkSource::None)
}

fn day() -> TimeWindow {
    TimeWindow::read("2026-02-05T00:00:00Z", "2026-02-06T00:00:00Z").unwrap()
}

async fn busy(backend: &CalDav, who: &str) -> (bool, usize) {
    let found = backend.busy(vec![who.to_owned()], day()).await.unwrap().people.remove(0);
    (found.readable, found.busy.len())
}

const DAILY: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:daily\r\nDTSTAMP:20260101T000000Z\r\nDTSTART;TZID=Europe/Berlin:20260101T090000\r\nDTEND;TZID=Europe/Berlin:20260101T093000\r\nRRULE:FREQ=DAILY\r\nSUMMARY:Standup\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";

#[tokio::test]
async fn a_real_server_is_found_read_and_written() {
    let server = Radicale::start();
    server.put("mira", "daily.ics", DAILY);
    let backend = CalDav::new(settings(&server.base)).unwrap();
    assert_eq!(busy(&backend, "mira@example.com").await, (true, 1));
    assert_eq!(busy(&backend, "ada@example.com").await, (true, 0));
    assert_eq!(busy(&backend, "guest@example.org").await, (false, 0));
    let folder = tempfile::tempdir().unwrap();
    let calendar = engine(folder.path(), settings(&server.base));
    save(&calendar, draft("d", 12)).await.unwrap();
    let made = create(&calendar, "d", "k").await.unwrap();
    assert!(made.url.as_ref().unwrap().starts_with(&server.base), "{made:?}");
    assert_eq!(create(&calendar, "d", "k2").await.unwrap(), CreatedEvent { existed: true, ..made });
    let events = server.events("ada");
    assert_eq!(events.len(), 1);
    assert!(events[0].contains("SUMMARY:Kick-off"), "{}", events[0]);
    assert_eq!(busy(&backend, "ada@example.com").await, (true, 1));
    assert_eq!(busy(&backend, "jon@example.com").await, (false, 1), "an attendee of our event");
    save(&calendar, draft("at-the-standup", 8)).await.unwrap();
    assert_eq!(
        create(&calendar, "at-the-standup", "k3").await.unwrap_err().code,
        FaultCode::Conflict
    );
}

/// The server knows no address of its users, so the owner of the calendar is unknown.
#[tokio::test]
async fn our_own_calendar_counts_whether_or_not_our_address_is_known() {
    for organizer in [None, Some("ada@example.com".to_owned())] {
        let server = Radicale::start();
        server.put("ada", "daily.ics", DAILY);
        let settings = CalDavSettings { organizer: organizer.clone(), ..settings(&server.base) };
        let folder = tempfile::tempdir().unwrap();
        let calendar = engine(folder.path(), settings);
        let found = proposed(&calendar, json!({ "attendees": ["ada@example.com"] })).await;
        assert_eq!(found.slots[0].start, "2026-02-05T08:30:00Z");
        let warned = found.warnings.iter().any(|it| it.ends_with("set `organizer` in [calendar]"));
        assert_eq!((found.organizer.is_some(), warned), (organizer.is_none(), organizer.is_none()));
        let found = proposed(&calendar, json!({ "attendees": ["guest@example.org"] })).await;
        assert_eq!(found.slots[0].start, "2026-02-05T08:30:00Z");
        assert_eq!(found.organizer.unwrap().email, organizer);
        save(&calendar, draft("at-the-standup", 8)).await.unwrap();
        let fault = create(&calendar, "at-the-standup", "k").await.unwrap_err();
        assert_eq!(fault.code, FaultCode::Conflict);
        let mut known = draft("known", 8);
        known["organizer_busy"] = json!(true);
        save(&calendar, known).await.unwrap();
        create(&calendar, "known", "k2").await.unwrap();
    }
}

async fn proposed(calendar: &CalendarEngine, more: serde_json::Value) -> Proposal {
    let mut request = json!({
        "duration_minutes": 30, "title": "Review", "within_days": 1, "max_slots": 1,
        "video_link": false, "not_before": "2026-02-05T08:00:00Z",
        "working_hours": { "start": "08:00", "end": "17:00" },
    });
    request["attendees"] = more["attendees"].clone();
    let request = serde_json::from_value(request).unwrap();
    propose(calendar, &caller("c"), &request, NOW_MS).await.unwrap()
}

#[tokio::test]
async fn a_crash_between_the_put_and_its_note_makes_no_second_event() {
    let server = Radicale::start();
    let folder = tempfile::tempdir().unwrap();
    save(&engine(folder.path(), settings(&server.base)), draft("d", 12)).await.unwrap();
    let made = create(&engine(folder.path(), settings(&server.base)), "d", "k").await.unwrap();
    let drafts = rusqlite::Connection::open(folder.path().join("drafts.db")).unwrap();
    drafts.execute("UPDATE draft SET event = NULL", []).unwrap();
    let again = create(&engine(folder.path(), settings(&server.base)), "d", "other").await.unwrap();
    assert_eq!(again, CreatedEvent { existed: true, ..made });
    assert_eq!(server.events("ada").len(), 1);
}

#[tokio::test]
async fn an_event_that_was_deleted_on_the_server_is_made_again() {
    let server = Radicale::start();
    let folder = tempfile::tempdir().unwrap();
    let calendar = engine(folder.path(), settings(&server.base));
    save(&calendar, draft("d", 12)).await.unwrap();
    let made = create(&calendar, "d", "k").await.unwrap();
    server.delete_events("ada");
    save(&calendar, draft("d", 12)).await.unwrap();
    assert_eq!(create(&calendar, "d", "k2").await.unwrap(), made);
    assert_eq!(create(&calendar, "d", "k3").await.unwrap(), CreatedEvent { existed: true, ..made });
    assert_eq!(server.events("ada").len(), 1);
}

#[tokio::test]
async fn an_event_that_somebody_changed_is_told_as_such() {
    let server = Radicale::start();
    let folder = tempfile::tempdir().unwrap();
    let calendar = engine(folder.path(), settings(&server.base));
    save(&calendar, draft("d", 12)).await.unwrap();
    let made = create(&calendar, "d", "k").await.unwrap();
    let text = server.events("ada").remove(0).replace("Kick-off", "Another title");
    server.put("ada", &format!("{}.ics", made.id), &text);
    let found = create(&calendar, "d", "k2").await.unwrap();
    assert_eq!(found, CreatedEvent { existed: true, changed: true, ..made });
    assert_eq!(server.events("ada"), [text]);
}

#[tokio::test]
async fn a_calendar_that_moved_on_a_running_server_is_found_again() {
    let server = Radicale::start();
    let folder = tempfile::tempdir().unwrap();
    let settings = settings(&server.base);
    let backend = Arc::new(CalDav::new(settings).unwrap());
    let calendar = over(folder.path(), backend.clone(), LinkSource::None);
    save(&calendar, draft("one", 12)).await.unwrap();
    let made = create(&calendar, "one", "k").await.unwrap();
    server.rename("ada", "moved");
    assert_eq!(busy(&backend, "ada@example.com").await, (true, 1));
    server.rename_back("ada", "moved");
    assert_eq!(
        create(&calendar, "one", "k2").await.unwrap(),
        CreatedEvent { existed: true, ..made }
    );
    server.rename("ada", "again");
    save(&calendar, draft("two", 14)).await.unwrap();
    assert!(!create(&calendar, "two", "k3").await.unwrap().existed);
    assert_eq!(server.events_of("ada", "again"), 2);
}

#[tokio::test]
async fn a_real_server_refuses_a_wrong_password() {
    let server = Radicale::start();
    let auth = Auth::Basic { user: "ada".to_owned(), password: "wrong".to_owned() };
    let backend = CalDav::new(CalDavSettings { auth, ..settings(&server.base) }).unwrap();
    let fault = backend.busy(vec!["ada@example.com".to_owned()], day()).await.unwrap_err();
    assert_eq!(fault.code, FaultCode::Auth);
    assert_eq!(
        fault.message,
        "the calendar server answered with status 401: it does not accept the credentials"
    );
}

#[tokio::test]
async fn a_calendar_of_a_name_that_is_not_there_is_named() {
    let server = Radicale::start();
    let wanted =
        |name: &str| CalDavSettings { calendar: Some(name.to_owned()), ..settings(&server.base) };
    for name in ["Work", "work", "/ada/work/"] {
        assert!(CalDav::new(wanted(name)).unwrap().find("x".to_owned()).await.unwrap().is_none());
    }
    let fault = CalDav::new(wanted("Play")).unwrap().find("x".to_owned()).await.unwrap_err();
    assert!(fault.message.contains("no calendar \"Play\""), "{fault}");
    let direct = settings(&format!("{}ada/work/", server.base));
    assert!(CalDav::new(direct).unwrap().find("x".to_owned()).await.unwrap().is_none());
}

fn multistatus(inner: &str) -> Reply {
    Reply::status(
        207,
        &format!(
            "<d:multistatus xmlns:d=\"DAV:\" xmlns:c=\"urn:ietf:params:xml:ns:caldav\">{inner}</d:multistatus>"
        ),
    )
}

fn property(href: &str, property: &str) -> String {
    format!(
        "<d:response><d:href>{href}</d:href><d:propstat><d:prop>{property}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
    )
}

/// A principal's answer with its home.
fn home(href: &str) -> Reply {
    multistatus(&property(
        "/dav/me/",
        &format!(
            "<c:calendar-home-set><d:href>{href}</d:href></c:calendar-home-set><c:calendar-user-address-set><d:href>mailto:Me@example.com</d:href></c:calendar-user-address-set>"
        ),
    ))
}

/// A home's answer with a calendar.
fn calendar_at(href: &str) -> Reply {
    multistatus(&property(href, "<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>"))
}

/// A server that works: one calendar, in memory.
fn well(asked: &Asked, made: &mut Vec<String>) -> Reply {
    match (asked.method(), asked.path()) {
        ("PROPFIND", "/.well-known/caldav") => {
            Reply::Full(301, "location: /dav/\r\n".to_owned(), Vec::new())
        }
        ("PROPFIND", "/dav/") => multistatus(&property(
            "/dav/",
            "<d:current-user-principal><d:href>/dav/me/</d:href></d:current-user-principal>",
        )),
        ("PROPFIND", "/dav/me/") => home("/dav/cal/"),
        ("PROPFIND", "/dav/cal/") => calendar_at("/dav/cal/one/"),
        ("REPORT", "/dav/cal/one/") => multistatus(""),
        ("PUT", path) => {
            assert_eq!(asked.header("if-none-match"), Some("*"));
            if made.iter().any(|it| it.starts_with(path)) {
                return Reply::status(412, "");
            }
            made.push(format!("{path}\n{}", asked.body));
            Reply::status(201, "")
        }
        ("GET", path) => match made.iter().find(|it| it.starts_with(path)) {
            Some(event) => Reply::status(200, event.split_once('\n').unwrap().1),
            None => Reply::status(404, ""),
        },
        _ => Reply::status(404, ""),
    }
}

/// A server that answers badly where `bad` says so, and else works.
fn server(
    bad: impl Fn(&Asked, &mut Vec<String>) -> Option<Reply> + Send + Sync + 'static,
) -> Server {
    let made = std::sync::Mutex::new(Vec::new());
    Server::start(move |asked, _| {
        let mut made = made.lock().unwrap();
        bad(asked, &mut made).unwrap_or_else(|| well(asked, &mut made))
    })
}

fn plain(server: &Server) -> CalDavSettings {
    let auth = Auth::Bearer("token".to_owned());
    CalDavSettings { auth, people: BTreeMap::new(), organizer: None, ..settings(&server.base) }
}

/// A short time limit for a server that does not answer, long enough for one that does on a busy
/// machine.
fn hasty(server: &Server) -> CalDavSettings {
    CalDavSettings { timeout: Duration::from_secs(2), ..plain(server) }
}

async fn outcome(settings: CalDavSettings) -> Result<CreatedEvent, CapabilityFault> {
    let folder = tempfile::tempdir().unwrap();
    let calendar = engine(folder.path(), settings);
    save(&calendar, draft("d", 12)).await.unwrap();
    create(&calendar, "d", "k").await
}

fn puts(server: &Server) -> usize {
    server.asked().iter().filter(|it| it.method() == "PUT").count()
}

#[tokio::test]
async fn discovery_goes_by_the_well_known_address_and_keeps_the_token() {
    let server = server(|_, _| None);
    let made = outcome(plain(&server)).await.unwrap();
    assert!(made.url.unwrap().starts_with(&format!("{}/dav/cal/one/aileron-", server.base)));
    assert!(server.asked().iter().all(|it| it.header("authorization") == Some("Bearer token")));
    let event = server.asked().into_iter().find(|it| it.method() == "PUT").unwrap().body;
    assert!(event.contains("ORGANIZER:mailto:me@example.com"), "{event}");
}

#[tokio::test]
async fn a_put_whose_answer_is_lost_is_found_by_its_id() {
    let server = server(|asked, made| {
        let lost = asked.method() == "PUT";
        if lost {
            made.push(format!("{}\n{}", asked.path(), asked.body));
        }
        lost.then_some(Reply::Hangup)
    });
    let event = outcome(plain(&server)).await.unwrap();
    assert!(!event.existed);
    assert_eq!(puts(&server), 1);
}

/// Nobody can tell it from one that is still on its way.
#[tokio::test]
async fn a_put_that_was_lost_before_it_arrived_is_made_by_another_attempt() {
    let first = AtomicBool::new(true);
    let server = server(move |asked, _| {
        (asked.method() == "PUT" && first.swap(false, SeqCst)).then_some(Reply::Hangup)
    });
    let folder = tempfile::tempdir().unwrap();
    let calendar = engine(folder.path(), plain(&server));
    save(&calendar, draft("d", 12)).await.unwrap();
    assert_eq!(create(&calendar, "d", "k").await.unwrap_err().code, FaultCode::Timeout);
    assert!(!create(&calendar, "d", "k2").await.unwrap().existed);
    assert_eq!(puts(&server), 2);
}

/// A server that is silent on the first PUT and stores it later, when the switch is set. Another
/// PUT is answered with the status.
fn stores_late(status: u16) -> (Server, Arc<AtomicBool>) {
    let stored = Arc::new(AtomicBool::new(false));
    let (switch, late) = (stored.clone(), std::sync::Mutex::new(None));
    let server = server(move |asked, made| {
        let mut late = late.lock().unwrap();
        if switch.load(SeqCst) {
            made.extend(late.take());
        }
        if asked.method() != "PUT" {
            return None;
        }
        if late.is_some() {
            return Some(Reply::status(status, ""));
        }
        *late = Some(format!("{}\n{}", asked.path(), asked.body));
        Some(Reply::Silence)
    });
    (server, stored)
}

#[tokio::test]
async fn a_put_that_is_stored_after_we_looked_is_left_open_and_keeps_its_meeting() {
    let (server, stored) = stores_late(412);
    let meetings = zoom::stub(Mood::Well);
    let folder = tempfile::tempdir().unwrap();
    let backend = Arc::new(CalDav::new(hasty(&server)).unwrap());
    let calendar = over(folder.path(), backend, zoom::link(&meetings));
    save(&calendar, draft("d", 9)).await.unwrap();
    let fault = create(&calendar, "d", "k").await.unwrap_err();
    assert_eq!(fault.code, FaultCode::Timeout, "{fault}");
    stored.store(true, SeqCst);
    let found = create(&calendar, "d", "k2").await.unwrap();
    assert!(found.existed);
    assert_eq!(found.join_url.as_deref(), Some("https://zoom.example.com/j/85000000000"));
    assert_eq!((puts(&server), zoom::made(&meetings), zoom::deleted(&meetings)), (1, 1, 0));
}

#[tokio::test]
async fn an_attempt_that_fails_leaves_the_meeting_that_an_open_one_may_use() {
    let (server, _) = stores_late(403);
    let meetings = zoom::stub(Mood::Well);
    let folder = tempfile::tempdir().unwrap();
    let backend = Arc::new(CalDav::new(hasty(&server)).unwrap());
    let calendar = over(folder.path(), backend, zoom::link(&meetings));
    save(&calendar, draft("d", 9)).await.unwrap();
    create(&calendar, "d", "k").await.unwrap_err();
    let fault = create(&calendar, "d", "k2").await.unwrap_err();
    assert_eq!(fault.code, FaultCode::Auth);
    let left = fault.left_behind.unwrap();
    assert!(left.starts_with("the meeting of an earlier attempt is left"), "{left}");
    assert_eq!((zoom::made(&meetings), zoom::deleted(&meetings)), (1, 0));
}

#[tokio::test]
async fn where_nobody_can_say_what_came_of_a_put_it_is_left_open() {
    let dead = AtomicBool::new(false);
    let server = server(move |asked, _| {
        let put = asked.method() == "PUT";
        (put && !dead.swap(true, SeqCst) || dead.load(SeqCst)).then_some(Reply::Hangup)
    });
    assert_eq!(outcome(plain(&server)).await.unwrap_err().code, FaultCode::Timeout);
}

#[tokio::test]
async fn a_412_is_our_event_or_a_clear_error() {
    let ours = server(|asked, made| {
        if asked.method() != "PUT" {
            return None;
        }
        made.push(format!("{}\n{}", asked.path(), asked.body));
        Some(Reply::status(412, ""))
    });
    assert!(outcome(plain(&ours)).await.unwrap().existed);
    let odd = server(|asked, _| (asked.method() == "PUT").then(|| Reply::status(412, "")));
    let fault = outcome(plain(&odd)).await.unwrap_err();
    assert_eq!(fault.code, FaultCode::Refused);
    assert!(fault.message.contains("does not show it"), "{fault}");
}

#[tokio::test]
async fn bad_answers_are_told_apart_and_make_nothing() {
    let redirect = |place: &str| Reply::Full(302, format!("location: {place}\r\n"), Vec::new());
    for (method, reply, code, words) in [
        ("PROPFIND", Reply::status(401, ""), FaultCode::Auth, "status 401"),
        ("PROPFIND", Reply::status(500, "<html>"), FaultCode::Unavailable, "status 500"),
        (
            "PROPFIND",
            Reply::status(207, "<html><body>Sign in"),
            FaultCode::Unavailable,
            "no multistatus",
        ),
        ("PROPFIND", Reply::status(207, "\u{0}rubbish"), FaultCode::Unavailable, "no multistatus"),
        (
            "PROPFIND",
            Reply::Silence,
            FaultCode::Unavailable,
            "no whole answer within 2 s; nothing was created",
        ),
        ("PROPFIND", Reply::Hangup, FaultCode::Unavailable, "no whole answer"),
        ("PROPFIND", Reply::Torn, FaultCode::Unavailable, "no whole answer"),
        (
            "PROPFIND",
            redirect("http://127.0.0.1:1/"),
            FaultCode::Refused,
            "redirects to another server",
        ),
        (
            "PROPFIND",
            redirect("https://127.0.0.1/"),
            FaultCode::Refused,
            "redirects to another server",
        ),
        ("PROPFIND", redirect("/loop"), FaultCode::Refused, "redirects more than 5 times"),
        ("REPORT", Reply::status(207, "nonsense"), FaultCode::Unavailable, "no multistatus"),
        ("REPORT", Reply::status(429, ""), FaultCode::RateLimit, "status 429"),
        ("PUT", Reply::status(403, ""), FaultCode::Auth, "status 403"),
        ("PUT", Reply::status(500, ""), FaultCode::Unavailable, "status 500"),
        ("PUT", Reply::status(507, ""), FaultCode::Unavailable, "status 507"),
        // A proxy lost its connection to the server, which may still process the request.
        ("PUT", Reply::status(502, ""), FaultCode::Timeout, "status 502"),
        ("PUT", Reply::status(504, ""), FaultCode::Timeout, "status 504"),
    ] {
        let settings = if matches!(reply, Reply::Silence) { hasty } else { plain };
        let server = server(move |asked, _| (asked.method() == method).then(|| reply.clone()));
        let fault = outcome(settings(&server)).await.unwrap_err();
        assert_eq!(fault.code, code, "{method}: {fault}");
        assert!(fault.message.contains(words), "{method}: {fault}");
        assert!(!fault.message.contains("token"), "{fault}");
    }
}

/// The token is for the server of the settings, whatever that one says.
#[tokio::test]
async fn a_home_or_a_calendar_on_another_server_is_refused_and_not_asked() {
    for (path, words) in [("/dav/me/", "names a home"), ("/dav/cal/", "names a calendar")] {
        let other = Server::start(|_, _| Reply::status(207, ""));
        let elsewhere = format!("{}/dav/cal/", other.base);
        let server = server(move |asked, _| {
            (asked.path() == path).then(|| match path {
                "/dav/me/" => home(&elsewhere),
                _ => calendar_at(&elsewhere),
            })
        });
        let fault = outcome(plain(&server)).await.unwrap_err();
        assert_eq!(fault.code, FaultCode::Refused);
        let told = format!("{words} on another server; if that is intended, configure its address");
        assert!(fault.message.ends_with(&told), "{fault}");
        assert_eq!(other.asked(), []);
    }
}

#[tokio::test]
async fn an_answer_without_end_is_cut_off() {
    let server = server(|asked, _| {
        (asked.method() == "REPORT").then(|| Reply::Full(207, String::new(), vec![b' '; 33 << 20]))
    });
    let backend = CalDav::new(plain(&server)).unwrap();
    let fault = backend.busy(vec!["a@b.c".to_owned()], day()).await.unwrap_err();
    assert!(fault.message.contains("more than 33554432 bytes"), "{fault}");
}

#[tokio::test]
async fn a_calendar_that_shows_only_when_it_is_busy_is_asked_for_that() {
    let answer = "BEGIN:VCALENDAR\r\nBEGIN:VFREEBUSY\r\nFREEBUSY:20260205T100000Z/20260205T110000Z\r\nEND:VFREEBUSY\r\nEND:VCALENDAR\r\n";
    let server = server(move |asked, _| {
        let theirs = asked.method() == "REPORT" && asked.path() == "/mira/work/";
        theirs.then(|| match asked.body.contains("free-busy-query") {
            true => Reply::status(200, answer),
            false => Reply::status(403, ""),
        })
    });
    let people = BTreeMap::from([("mira@example.com".to_owned(), "/mira/work".to_owned())]);
    let backend = CalDav::new(CalDavSettings { people, ..plain(&server) }).unwrap();
    assert_eq!(busy(&backend, "mira@example.com").await, (true, 1));
}

/// How often something was asked of a path.
fn asked(server: &Server, method: &str, path: &str) -> usize {
    server.asked().iter().filter(|it| it.method() == method && it.path() == path).count()
}

#[tokio::test]
async fn discovery_asks_each_place_once_and_a_first_attempt_looks_for_nothing() {
    let server = server(|_, _| None);
    outcome(plain(&server)).await.unwrap();
    for (method, path, times) in
        [("PROPFIND", "/dav/me/", 1), ("PROPFIND", "/dav/cal/", 1), ("REPORT", "/dav/cal/one/", 1)]
    {
        assert_eq!(asked(&server, method, path), times, "{method} {path}");
    }
    assert_eq!(server.asked().iter().filter(|it| it.method() == "GET").count(), 0);
}

#[tokio::test]
async fn our_own_calendar_that_is_not_shown_is_an_error_and_not_free_time() {
    for (status, code, words) in [
        (403, FaultCode::Auth, "does not show our own calendar: it answered with status 403"),
        (404, FaultCode::Refused, "our calendar is not where it says it is"),
    ] {
        let server =
            server(move |asked, _| (asked.method() == "REPORT").then(|| Reply::status(status, "")));
        let backend = CalDav::new(plain(&server)).unwrap();
        let fault = backend.busy(vec!["a@b.c".to_owned()], day()).await.unwrap_err();
        assert_eq!(fault.code, code);
        assert!(fault.message.contains(words), "{fault}");
        let searches = if status == 404 { 2 } else { 1 };
        assert_eq!(asked(&server, "PROPFIND", "/dav/cal/"), searches);
    }
}

#[tokio::test]
async fn what_is_not_understood_of_our_calendar_is_told_of_everybody() {
    let odd = "<d:response><d:href>/x</d:href><d:propstat><d:prop><c:calendar-data>BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:odd\r\nDTSTART:2026-02-05T09:00:00Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n</c:calendar-data></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>";
    let server = server(move |asked, _| {
        (asked.method() == "REPORT").then(|| {
            Reply::status(207, &format!("<d:multistatus xmlns:d=\"DAV:\" xmlns:c=\"urn:ietf:params:xml:ns:caldav\">{odd}</d:multistatus>"))
        })
    });
    let backend = CalDav::new(plain(&server)).unwrap();
    let people = vec!["me@example.com".to_owned(), "guest@example.org".to_owned()];
    let found = backend.busy(people, day()).await.unwrap();
    for person in found.people {
        assert!(!person.readable);
        let remark = person.remark.unwrap();
        assert!(remark.contains("event \"odd\": expected a date or a time in DTSTART"), "{remark}");
    }
}

/// A server whose principal is silent at first: the search that one call began is there for the next.
#[tokio::test]
async fn a_slow_search_outlives_the_call_that_began_it() {
    let (open, gate) = std::sync::mpsc::channel::<()>();
    let gate = std::sync::Mutex::new(gate);
    let server = server(move |asked, _| {
        if asked.path() == "/dav/me/" {
            let _ = gate.lock().unwrap().recv();
        }
        None
    });
    let backend = CalDav::new(plain(&server));
    let backend = backend.unwrap();
    let first = backend.busy(vec!["a@b.c".to_owned()], day());
    tokio::select! {
        _ = first => panic!("the server is silent"),
        () = until_asked(&server, "/dav/me/") => {}
    }
    open.send(()).unwrap();
    backend.busy(vec!["a@b.c".to_owned()], day()).await.unwrap();
    assert_eq!(asked(&server, "PROPFIND", "/dav/me/"), 1);
}

async fn until_asked(server: &Server, path: &str) {
    while asked(server, "PROPFIND", path) == 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_slow_server_is_named_and_nothing_was_made_before_the_put() {
    let server = server(|asked, _| (asked.method() == "REPORT").then_some(Reply::Silence));
    let fault = outcome(hasty(&server)).await.unwrap_err();
    assert_eq!(fault.code, FaultCode::Unavailable);
    assert_eq!(
        fault.message,
        "the calendar server is slow: no whole answer within 2 s; nothing was created"
    );
    assert_eq!(puts(&server), 0);
}

/// An earlier attempt may have created it, and the server cannot be reached: the outcome stays
/// unknown.
#[tokio::test]
async fn a_later_attempt_that_cannot_look_leaves_it_open() {
    let silent = Arc::new(AtomicBool::new(false));
    let switch = silent.clone();
    let server = server(move |_, _| switch.load(SeqCst).then_some(Reply::Silence));
    let folder = tempfile::tempdir().unwrap();
    let calendar = engine(folder.path(), hasty(&server));
    save(&calendar, draft("d", 12)).await.unwrap();
    create(&calendar, "d", "k").await.unwrap();
    silent.store(true, SeqCst);
    assert_eq!(create(&calendar, "d", "k2").await.unwrap_err().code, FaultCode::Timeout);
}
