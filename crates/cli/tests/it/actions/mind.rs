//! A person who changes their mind about a meeting, over `/api/chat` with the offline agent: for
//! every later click, at most one meeting is created.

use serde_json::json;

use super::conversation::Page;
use super::{events, served};
use crate::workspace::Workspace;

const MEET: &str = "Schedule half an hour with mira@example.com tomorrow about the lighting review";

#[test]
fn of_two_questions_about_one_meeting_one_books_it() {
    let workspace = Workspace::new();
    let server = served(&workspace, &[]);
    let page = Page { server: &server, token: None, conversation: "mind-1" };
    page.say(MEET);
    let first = page.say("the first");
    page.say("no wait, make it next Wednesday");
    let second = page.say("1");
    let tokens =
        [&first, &second].map(|asked| asked.one("tool-approval-request")["approvalId"].clone());
    assert_ne!(tokens[0], tokens[1]);
    let approve = |token: &serde_json::Value| {
        let place = format!("/v1/conversations/mind-1/confirmations/{}", token.as_str().unwrap());
        server.post(&place, &json!({ "approve": true }))
    };
    let (status, refused) = approve(&tokens[0]);
    assert_eq!((status, &refused["error"]["decision"]), (409, &json!("superseded")), "{refused}");
    assert_eq!(events(&workspace).len(), 0);
    let (status, approved) = approve(&tokens[1]);
    assert_eq!((status, &approved["is"]), (200, &json!("approved")), "{approved}");
    assert_eq!(events(&workspace).len(), 1);
}

#[test]
fn another_time_for_the_same_meeting_replaces_the_question() {
    let workspace = Workspace::new();
    let server = served(&workspace, &[]);
    let page = Page { server: &server, token: None, conversation: "mind-2" };
    page.say(MEET);
    let first = page.say("the first");
    let second = page.say("book the second one");
    let token = first.one("tool-approval-request")["approvalId"].clone();
    let place = format!("/v1/conversations/mind-2/confirmations/{}", token.as_str().unwrap());
    let (status, refused) = server.post(&place, &json!({ "approve": true }));
    assert_eq!((status, &refused["error"]["decision"]), (409, &json!("superseded")), "{refused}");
    page.decide(&second, true);
    assert_eq!(events(&workspace).len(), 1);
}

#[test]
fn what_was_cancelled_is_not_booked() {
    let workspace = Workspace::new();
    let server = served(&workspace, &[]);
    let page = Page { server: &server, token: None, conversation: "mind-3" };
    page.say(MEET);
    let asked = page.say("the first");
    page.say("actually cancel that");
    let token = asked.one("tool-approval-request")["approvalId"].clone();
    let place = format!("/v1/conversations/mind-3/confirmations/{}", token.as_str().unwrap());
    let (status, refused) = server.post(&place, &json!({ "approve": true }));
    assert_eq!((status, &refused["error"]["decision"]), (409, &json!("superseded")), "{refused}");
    assert_eq!(events(&workspace).len(), 0);
}
