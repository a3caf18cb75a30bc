//! Pictures that take long: the person sees that something happens, can stop it, and is not kept
//! waiting beyond the deadline.

use std::io::Read;
use std::net::{TcpListener, TcpStream};

use serde_json::Value;

use super::conversation::Page;
use super::{images::stalled, served};
use crate::workspace::Workspace;

const DRAW: &str = "Draw \"a lighthouse at dusk\"";

/// Waits until the service is asked for a picture.
fn asked(service: &TcpListener) -> TcpStream {
    let (mut request, _) = service.accept().unwrap();
    let mut first = [0; 4];
    request.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"POST");
    request
}

fn tells_time(chunk: &Value) -> bool {
    let update = chunk["data"]["update"]["message"].as_str().unwrap_or_default();
    chunk["type"] == "data-progress" && update.ends_with("s so far")
}

#[test]
fn progress_reaches_the_page_and_stopping_the_answer_stops_the_picture() {
    let workspace = Workspace::new();
    let service = stalled(&workspace, "");
    let server = served(&workspace, &[]);
    let page = Page { server: &server, token: None, conversation: "c" };
    let mut answer = page.begin(DRAW);
    let mut request = asked(&service);
    let seen = answer.until(tells_time);
    let began = seen.0.iter().find(|chunk| chunk["data"]["phase"] == "started");
    assert!(began.is_some(), "{seen:#?}");
    let stopped = page.stop();
    assert!(stopped.contains(" 20"), "{stopped}");
    // The service notices that the caller is gone: the connection ends.
    let _ = request.read_to_end(&mut Vec::new());
    let rest = answer.rest();
    assert!(rest.0.iter().any(|chunk| chunk["type"] == "abort"), "{rest:#?}");
    // The conversation continues immediately, and the outcome of the call is known.
    assert!(!page.say("hello").text().is_empty());
    let records = workspace.ok(&["audit", "tail", "--format", "json"]).stdout;
    assert!(records.contains("\"cancelled\""), "{records}");
    assert_eq!(page.server.get("/health").0, 200);
}

#[test]
fn a_service_that_stalls_is_given_up_and_the_person_told() {
    let workspace = Workspace::new();
    let service = stalled(&workspace, "timeout_seconds = 6\n");
    let server = served(&workspace, &[]);
    let page = Page { server: &server, token: None, conversation: "c" };
    let answer = page.begin(DRAW);
    let _request = asked(&service);
    let chunks = answer.rest();
    assert!(chunks.0.iter().any(tells_time), "{chunks:#?}");
    let error = chunks.one("tool-output-error")["errorText"].as_str().unwrap();
    assert!(error.contains("within 6 s; it may have happened all the same"), "{error}");
    assert!(!chunks.text().is_empty());
    // It may have been made and charged, so it is not asked for again.
    service.set_nonblocking(true).unwrap();
    assert!(service.accept().is_err());
}
